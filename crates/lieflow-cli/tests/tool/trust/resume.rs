//! A run that is killed goes on, and ends with the bytes of a run that nothing happened to.
use super::{Files, Scene, files};
use crate::common::{Outcome, outcome};
use serde_json::Value as Json;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A top with everything that is remembered: fixed steps, quaternions that follow each other, polar
/// corrections, observables, an event that is noted and one that changes the state.
const TOP: &str = r#"
system = "rigid-body"
[parameters]
inertia = [5.0, 4.0, 1.0]
potential = { formula = "k*R33", k = 20.0 }
[initial]
rotation = { vector = [0.3, 0.0, 0.0] }
omega = [0.5, 0.0, 20.0]
[[observables]]
name = "height"
formula = "R33"
[[events]]
name = "nods"
formula = "w[1]"
direction = "rising"
[[events]]
name = "kicked"
formula = "sin(3*t) - 0.9"
direction = "rising"
change = { P = "0.999*P" }
[solve]
method = "vlv"
step = 0.001
until = 5.0
polar = 100
[output]
every = 10
quaternions = "continuous"
"#;

/// A chain that starts with a push.
const CHAIN: &str = r#"
system = "pendulum-chain"
[parameters]
count = 4
masses = 1.0
lengths = 0.5
[initial]
q = [0.6, 0.0, 0.8]
omega = [0.0, 1.0, 0.0]
[solve]
until = 4.0
"#;

/// Steps that follow a tolerance, observed between them, in arrays.
const BY_TOLERANCE: &str = r#"
method = "rkmk-dp54"
tol = 1e-9
first_step = 0.01
controller = "PI"
[output]
interval = 0.01
format = "npy"
"#;

/// Multipliers that are carried from step to step.
const MULTIPLIERS: &str = r#"
method = "rattle"
step = 0.001
[output]
every = 20
"#;

/// A system by formulas.
const CUSTOM: &str = r#"
system = "custom"
[state]
x = "R3"
v = "R3"
[motion]
field = { x = "v", v = "-9.81*e3 - 0.01*norm(v)*v" }
[initial]
x = [0.0, 0.0, 1.0]
v = [1.0, 0.0, 0.0]
[[events]]
name = "bounce"
formula = "x[3]"
direction = "falling"
change = { v = "[v[1], v[2], -v[3]]" }
[solve]
method = "rkmk4"
step = 0.001
until = 4.0
"#;

/// All problems by name, in two parts.
const RUNS: [(&str, [&str; 2]); 4] = [
    ("top", [TOP, ""]),
    ("chain", [CHAIN, BY_TOLERANCE]),
    ("links", [CHAIN, MULTIPLIERS]),
    ("custom", [CUSTOM, ""]),
];

/// The files of a folder, without what depends on how long something took: the seconds of the summary
/// and the checksums that follow.
fn result(scene: &Scene, dir: &str) -> Files {
    let mut all = files(&scene.dir(dir));
    all.remove("SHA256SUMS");
    let text = all.remove("summary.json").expect("no summary");
    let mut summary: Json = serde_json::from_slice(&text).unwrap();
    summary["cost"]["seconds"] = Json::Null;
    summary["files"] = Json::Null;
    all.insert("summary.json".into(), format!("{summary:#}").into_bytes());
    all
}

fn start(scene: &Scene, name: &str, out: &str, more: &[&str]) -> Child {
    let mut tool = scene.tool();
    tool.args(["run", name, "--checkpoint", "0.005", "--out", out]).args(more);
    tool.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn go(scene: &Scene, name: &str, out: &str, more: &[&str]) -> Outcome {
    outcome(start(scene, name, out, more).wait_with_output().unwrap())
}

fn same(found: &Files, right: &Files, what: &str) {
    assert!(found.keys().eq(right.keys()), "{what}: {:?} {:?}", found.keys(), right.keys());
    for (name, bytes) in right {
        assert!(found[name] == *bytes, "{what}: {name} differs");
    }
}

/// Kills each of the runs at so many random moments, and compares what comes of it.
fn random_kills(name: &str, kills: u64) {
    let scene = Scene::new(name);
    let (mut went_on, mut seed) = (0, 4711u64);
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 40) as f64 / (1u64 << 24) as f64
    };
    for (name, text) in RUNS {
        let file = format!("{name}.toml");
        std::fs::write(scene.dir(&file), text.concat()).unwrap();
        let clock = Instant::now();
        assert_eq!(go(&scene, &file, "right", &["--quiet"]).status, 0);
        let time = clock.elapsed().as_secs_f64();
        let right = result(&scene, "right");
        assert!(right.contains_key("checkpoint.bin"));
        let (mut killed, mut completed) = (0, 0);
        while killed < kills {
            let mut child = start(&scene, &file, "out", &["--resume"]);
            std::thread::sleep(Duration::from_secs_f64(time * random()));
            child.kill().unwrap();
            let ended = outcome_of(child);
            went_on += u64::from(ended.1.contains("goes on from"));
            if ended.0.is_none() {
                killed += 1;
                continue;
            }
            assert_eq!(ended.0, Some(0), "{}", ended.1);
            same(&result(&scene, "out"), &right, name);
            std::fs::remove_dir_all(scene.dir("out")).unwrap();
            completed += 1;
        }
        let last = go(&scene, &file, "out", &["--resume"]);
        assert_eq!(last.status, 0, "{last:?}");
        went_on += u64::from(last.stderr.contains("goes on from"));
        same(&result(&scene, "out"), &right, name);
        lieflow_files::check(&scene.dir("out")).unwrap();
        println!("{name}: {killed} kills, {} completions, all the same bytes", completed + 1);
        for dir in ["right", "out"] {
            std::fs::remove_dir_all(scene.dir(dir)).unwrap();
        }
    }
    println!("{went_on} went on from a checkpoint");
    assert!(went_on > 0);
}

/// The status, if it has one, and what was said.
fn outcome_of(child: Child) -> (Option<i32>, String) {
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_run_that_is_killed_goes_on() {
    random_kills("resume", 2);
}

#[test]
#[ignore = "slow: 50 kills of four runs"]
fn a_run_that_is_killed_very_often_goes_on() {
    random_kills("resume-often", 50);
}

/// A short problem in a folder of its own.
fn short(name: &str) -> Scene {
    let scene = Scene::new(name);
    let text = TOP.replace("until = 5.0", "until = 0.5");
    std::fs::write(scene.dir("top.toml"), text).unwrap();
    scene
}

#[test]
fn a_run_goes_on_to_a_later_end() {
    let scene = short("later");
    let until = |dir: &str, until: &str, more: &[&str]| {
        let words = [&["--until", until], more].concat();
        let done = go(&scene, "top.toml", dir, &words);
        assert_eq!(done.status, 0, "{done:?}");
        done
    };
    // Also where the end is no multiple of the step.
    for (ends, step) in [(["0.5", "0.8", "1.3"], "0.001"), (["0.5", "0.75", "1.1"], "0.0013")] {
        let step = ["--step", step];
        until("out", ends[0], &step);
        for end in &ends[1..] {
            let said = until("out", end, &[&step[..], &["--resume"]].concat()).stderr;
            assert!(said.contains("out: goes on from t = "), "{said}");
            until("right", end, &step);
            same(&result(&scene, "out"), &result(&scene, "right"), end);
        }
        // The same again: nothing is left to do, and nothing changes.
        let before = files(&scene.dir("out"));
        let done = until("out", ends[2], &[&step[..], &["--resume"]].concat());
        assert!(done.stderr.contains("the run is complete"), "{done:?}");
        let done = until("out", ends[2], &[&step[..], &["--resume", "--json"]].concat());
        assert_eq!(done.json()["until"], ends[2].parse::<f64>().unwrap());
        assert!(files(&scene.dir("out")) == before);
        // Back to an earlier one: from the start.
        let said = until("out", ends[0], &[&step[..], &["--resume"]].concat()).stderr;
        assert!(said.contains("computed from the start"), "{said}");
        until("right", ends[0], &step);
        same(&result(&scene, "out"), &result(&scene, "right"), "earlier");
        for dir in ["out", "right"] {
            std::fs::remove_dir_all(scene.dir(dir)).unwrap();
        }
    }
}

/// Without a first step, that of an adaptive run is a part of its interval: another run then.
#[test]
fn what_depends_on_the_end_is_computed_again() {
    let scene = Scene::new("first-step");
    std::fs::write(
        scene.dir("chain.toml"),
        [CHAIN, BY_TOLERANCE].concat().replace("first_step = 0.01\n", ""),
    )
    .unwrap();
    assert_eq!(go(&scene, "chain.toml", "out", &["--until", "0.5"]).status, 0);
    let more = go(&scene, "chain.toml", "out", &["--until", "1.0", "--resume"]);
    assert_eq!(more.status, 0);
    assert!(more.stderr.contains("computed from the start, because its first step"), "{more:?}");
    assert_eq!(go(&scene, "chain.toml", "right", &["--until", "1.0"]).status, 0);
    same(&result(&scene, "out"), &result(&scene, "right"), "first step");
}

/// Ctrl-C keeps what there is, and the run goes on from there.
#[cfg(unix)]
#[test]
fn an_interrupted_run_goes_on() {
    let scene = short("interrupted");
    let words = ["--until", "20"];
    assert_eq!(go(&scene, "top.toml", "right", &words).status, 0);
    let child = start(&scene, "top.toml", "out", &words);
    while !scene.dir("out/checkpoint.running.lieflow-draft").exists() {
        std::thread::sleep(Duration::from_millis(2));
    }
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let (status, said) = outcome_of(child);
    assert_eq!(status, Some(1), "{said}");
    lieflow_files::check(&scene.dir("out")).unwrap();
    assert!(!scene.dir("out/checkpoint.running.lieflow-draft").exists());
    let rest = go(&scene, "top.toml", "out", &["--until", "20", "--resume"]);
    assert_eq!(rest.status, 0, "{rest:?}");
    assert!(rest.stderr.contains("goes on from"), "{rest:?}");
    same(&result(&scene, "out"), &result(&scene, "right"), "interrupted");
}

/// Another problem is refused; a damaged checkpoint or trajectory is not believed.
#[test]
fn what_does_not_fit_is_not_gone_on_with() {
    let scene = short("misfit");
    // Nothing is there yet.
    let first = go(&scene, "top.toml", "out", &["--resume"]);
    assert_eq!(first.status, 0, "{first:?}");
    assert!(first.stderr.contains("no checkpoint is there"), "{first:?}");
    let right = files(&scene.dir("out"));
    for (words, key) in [
        (["--step", "0.002"], "solve.step"),
        (["--method", "exs"], "solve.method"),
        (["--set", "initial.omega=[0,0,10]"], "initial.omega"),
        (["--every", "5"], "output.every"),
    ] {
        let words = [&words[..], &["--resume"]].concat();
        go(&scene, "top.toml", "out", &words).refuses(&["out: the folder holds another run", key]);
        assert!(files(&scene.dir("out")) == right);
    }
    scene
        .tool()
        .args(["run", "top.toml", "--resume"])
        .output()
        .map(outcome)
        .unwrap()
        .refuses(&["--out"]);
    let wrong = ["run", "top.toml", "--out", "out", "--checkpoint=-1"];
    scene.tool().args(wrong).output().map(outcome).unwrap().refuses(&["--checkpoint: found -1"]);
    for name in ["checkpoint.bin", "trajectory.csv"] {
        let mut bytes = right[name].clone();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(scene.dir("out").join(name), bytes).unwrap();
        let again = go(&scene, "top.toml", "out", &["--resume"]);
        assert_eq!(again.status, 0, "{again:?}");
        assert!(again.stderr.contains("computed from the start"), "{name}: {again:?}");
        let found = files(&scene.dir("out"));
        assert!(found[name] == right[name], "{name}");
        lieflow_files::check(&scene.dir("out")).unwrap();
    }
}

/// What does not fit on any disk is refused before it begins.
#[test]
fn a_trajectory_that_does_not_fit() {
    let scene = short("space");
    let words = ["run", "top.toml", "--step", "1e-6", "--until", "1e9", "--every", "1"];
    let refused = scene.tool().args(words).args(["--out", "out"]).output().map(outcome).unwrap();
    refused.refuses(&[
        "out: found a trajectory of 1.000e15 states",
        "which has",
        "left",
        "--every",
    ]);
    assert!(!scene.dir("out").exists());
}
