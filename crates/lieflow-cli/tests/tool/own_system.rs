//! The tool with a system of a user.
use crate::common::{TOP, file, folder};
use lieflow_models::system::{Registry, SystemEntry, heavy_top};
use serde_json::Value;

#[allow(dead_code)]
#[path = "../../examples/own_tool.rs"]
mod own_tool;

static MINE: &[SystemEntry] =
    &[SystemEntry { id: "my-top", title: "A top of mine", ..heavy_top::ENTRY }];

/// The small problem of the other tests with this system.
fn problem() -> String {
    let vary = "[[ensemble.vary]]\nkey = \"initial.momentum\"\nsphere = 2.0\n";
    TOP.replace("heavy-top", "my-top") + "\n[ensemble]\ncount = 5\n" + vary
}

/// The same file, run by the tool of the user and by ours.
#[test]
fn a_system_of_a_user_has_the_whole_tool() {
    let registry = Registry::default().with(MINE);
    let problem = file("own", &problem());
    let out = folder("own-system");
    let call = |command: &str, registry: &Registry| {
        let dir = out.join(command).display().to_string();
        lieflow_cli::run_with(registry, ["lieflow", command, &problem, "--out", &dir, "--quiet"])
    };
    for command in ["run", "ensemble", "drift"] {
        assert_eq!(call(command, &registry), 0, "{command}");
        assert_eq!(call(command, &Registry::default()), 2, "{command}");
    }
    let summary = std::fs::read_to_string(out.join("run/summary.json")).unwrap();
    let summary: Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["problem"]["system"], "my-top");
    let rows = std::fs::read_to_string(out.join("ensemble/final.csv")).unwrap();
    assert_eq!(rows.lines().count(), 6);
    // The built-in ones are still there, and help and mistakes are those of the tool.
    let with = |arguments: &[&str]| lieflow_cli::run_with(&registry, arguments);
    assert_eq!(with(&["lieflow", "run", "mild-top", "--quiet"]), 0);
    assert_eq!(with(&["lieflow", "run", "mild-top", "--stp", "1"]), 2);
}

/// The example in the documentation: a system in Rust, with every command.
#[test]
fn the_example_is_a_whole_tool() {
    let registry = Registry::default().with(own_tool::SYSTEMS);
    let text = "system = \"moment\"\n[parameters]\nrate = 0.3\n[initial]\nm = [0.0, 0.0, 1.0]\n\
                [[observables]]\nname = \"height\"\nformula = \"m3\"\n\
                [[events]]\nname = \"level\"\nformula = \"m3\"\n\
                [solve]\nmethod = \"cf4\"\nstep = 0.05\nuntil = 5.0\n\
                [ensemble]\ncount = 4\n[[ensemble.vary]]\nkey = \"parameters.rate\"\nuniform = [0.1, 1.0]\n";
    let (problem, out) = (file("own-tool", text), folder("own-tool"));
    for (command, rest) in [
        ("run", ""),
        ("ensemble", ""),
        ("drift", ""),
        ("order", "--methods=rkmk4,cf4"),
        ("compare", "--methods=rkmk4,cf4"),
        ("explain", ""),
    ] {
        let dir = out.join(command).display().to_string();
        let mut line = vec!["lieflow", command, &problem, "--quiet"];
        line.extend((!rest.is_empty()).then_some(rest));
        if command != "explain" {
            line.extend(["--out", &dir]);
        }
        assert_eq!(lieflow_cli::run_with(&registry, line), 0, "{command}");
    }
    let rows = std::fs::read_to_string(out.join("run/trajectory.csv")).unwrap();
    assert!(rows.lines().next().unwrap().contains("height"), "{rows}");
}

#[test]
fn a_system_takes_the_place_of_one_with_its_name() {
    static OTHER: &[SystemEntry] =
        &[SystemEntry { id: "vortices", title: "Other", ..heavy_top::ENTRY }];
    let before = Registry::default().iter().count();
    let registry = Registry::default().with(OTHER);
    assert_eq!(registry.iter().count(), before);
    assert_eq!(registry.find("vortices").unwrap().title, "Other");
    assert!(registry.find("vortex").is_none());
}
