//! Initial motions that vary: blocks of many lanes without a system for each trajectory have the bytes of runs alone.
use crate::same_bits::{Folder, go, same};
use lieflow_ensemble::run::Settings;

const BODY: &str = r#"
system = "rigid-body"
[parameters]
inertia = [[5.0, 0.2, 0.0], [0.2, 4.0, 0.1], [0.0, 0.1, 1.5]]
potential = { kind = "lagrange-top", strength = 20.0 }
space = "SPACE"
[initial]
rotation = { vector = [0.3, 0.1, 0.0] }
KEY = [0.0, 0.0, 5.0]
[solve]
method = "METHOD"
step = 0.05
until = 0.5
[ensemble]
count = COUNT
seed = 5
times = [0.0, 0.12, 0.5]
[[ensemble.vary]]
key = "initial.KEY"
DRAW
"#;

const UNIFORM: &str = "uniform = [[-1, -1, 2], [1, 1, 6]]";

fn check(name: &str, replaced: &[(&str, &str)]) -> u64 {
    let folder = Folder::new(name);
    let all = [
        ("SPACE", "se3"),
        ("KEY", "omega"),
        ("METHOD", "exs"),
        ("COUNT", "333"),
        ("DRAW", UNIFORM),
    ];
    let text = replaced
        .iter()
        .chain(&all)
        .fold(BODY.to_string(), |text, (from, to)| text.replace(from, to));
    let (one, many) = (folder.sub("one"), folder.sub("many"));
    // Two threads: each has some blocks, and the last one is short.
    let alone = go(&text, Settings { threads: 2, lanes: Some(1), shard: None }, Some(&one));
    let lanes = go(&text, Settings { threads: 2, lanes: None, shard: None }, Some(&many));
    assert_eq!((alone.lanes, alone.failed), (1, lanes.failed));
    same(&one, &many, &text);
    lanes.failed
}

#[test]
fn every_key_of_a_motion() {
    for key in ["omega", "momentum", "spatial_momentum"] {
        for (space, method) in [("se3", "exs"), ("se3", "liemid-ea"), ("lift", "rkmk4")] {
            let replaced = [("SPACE", space), ("KEY", key), ("METHOD", method)];
            assert_eq!(check(&format!("motions-{key}-{space}-{method}"), &replaced), 0);
        }
    }
}

/// Numbers that are drawn one by one, from lists and distributions.
#[test]
fn every_way_to_draw() {
    for (name, draw) in [
        ("normal", "normal = [[0, 0, 5], 0.5]"),
        ("sphere", "sphere = 3.0"),
        ("list", "list = [[1, 2, 3], [4, 5, 6], [0.1, 0.2, 7]]"),
    ] {
        assert_eq!(check(&format!("motions-{name}"), &[("DRAW", draw)]), 0);
    }
}

/// Some fail, each for itself, and say so in the same words.
#[test]
fn some_that_fail() {
    let draw = "list = [[1, 2, 3], [4, 5, 6], [1e200, 0, 1e200], [0.1, 0.2, 7], [3, 3, 3]]";
    let failed = check("motions-fail", &[("DRAW", draw), ("METHOD", "liemid-ea")]);
    assert!(failed > 60, "{failed}");
}
