//! Ctrl-C and the end of a batch job.
use super::{Scene, files, lasting};
use crate::common::outcome;
use serde_json::Value as Json;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

fn send(child: &Child, signal: &str) {
    let sent = Command::new("kill").arg(signal).arg(child.id().to_string()).status();
    assert!(sent.unwrap().success());
}

/// Starts a command that would take for ever.
fn start(scene: &Scene, words: &str) -> Child {
    let mut tool = scene.tool();
    tool.args(words.split(' ')).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = tool.spawn().unwrap();
    // Handlers are there when the folder is locked.
    let out = words.rsplit(' ').next().unwrap();
    while std::fs::read(scene.dir(out).join(".lieflow-lock")).map_or(0, |text| text.len()) == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

fn interrupted(child: Child) -> Json {
    let ended = outcome(child.wait_with_output().unwrap());
    assert_eq!(ended.status, 1, "{ended:?}");
    assert!(ended.stderr.contains("interrupted"), "{ended:?}");
    serde_json::from_str(&ended.stdout).unwrap()
}

#[test]
fn a_run_keeps_what_it_has() {
    let scene = Scene::new("sigint");
    for signal in ["-INT", "-TERM"] {
        let child = start(&scene, "run run.toml --until 1e9 --every 100000 --json --out out");
        std::thread::sleep(Duration::from_millis(200));
        send(&child, signal);
        let document = interrupted(child);
        assert_eq!(document["ended"], "interrupted");
        let t = document["state"]["t"].as_f64().unwrap();
        assert!(0.0 < t && t < 1e9, "{t}");
        let summary = std::fs::read_to_string(scene.dir("out/summary.json")).unwrap();
        let summary: Json = serde_json::from_str(&summary).unwrap();
        assert_eq!((&summary["ended"], &summary["state"]["t"]), (&"interrupted".into(), &t.into()));
        let table = std::fs::read_to_string(scene.dir("out/trajectory.csv")).unwrap();
        assert!(table.lines().last().unwrap().starts_with(&format!("{t:?},")));
        lieflow_files::check(&scene.dir("out")).unwrap();
    }
    assert_eq!(scene.go("run", "out").status, 0);
    let summary = std::fs::read_to_string(scene.dir("out/summary.json")).unwrap();
    assert!(summary.contains("\"ended\": \"end\""));
}

#[test]
fn an_ensemble_goes_on() {
    goes_on(&Scene::new("sigterm"), "ensemble", "");
    goes_on(&Scene::new("sigterm-arrays"), "arrays", "--format npy ");
}

fn goes_on(scene: &Scene, command: &str, option: &str) {
    let many = std::fs::read_to_string(scene.dir("many.toml")).unwrap();
    let many = many.replace("count = 30", "count = 30000").replace("until = 1.0", "until = 20.0");
    std::fs::write(scene.dir("many.toml"), many).unwrap();
    let words = "ensemble many.toml --lanes 1 --threads 1 --json";
    let child = start(scene, &format!("{words} {option}--out out"));
    std::thread::sleep(Duration::from_millis(400));
    send(&child, "-TERM");
    let document = interrupted(child);
    assert_eq!(document["ended"], "interrupted");
    let done = document["done"].as_u64().unwrap();
    assert!(done < 30000);
    let error = outcome(scene.tool().args(["verify", "out"]).output().unwrap());
    assert_eq!(error.status, 1);
    assert!(error.stderr.contains(&format!("not complete: it has come to trajectory {done}")));
    lieflow_files::check(&scene.dir("out")).unwrap();
    assert_eq!(scene.go(command, "out").status, 0);
    assert_eq!(scene.go(command, "right").status, 0);
    let read = |dir: &str| lasting(&files(&scene.dir(dir)));
    assert!(read("out") == read("right"));
}

#[test]
fn experiments_stop_between_steps() {
    let scene = Scene::new("sigint-experiments");
    let child = start(&scene, "reproduce all --threads 1 --json --out out");
    std::thread::sleep(Duration::from_millis(500));
    send(&child, "-INT");
    let document = interrupted(child);
    assert_eq!(document["ended"], "interrupted");
    assert_eq!(document["holds"], false);
    lieflow_files::check(&scene.dir("out")).unwrap();
}

/// Certificates that are whole are kept, and no part of one is shown.
#[test]
fn certificates_stop_between_steps() {
    let scene = Scene::new("sigint-certify");
    let mut tool = scene.tool();
    tool.args(["certify", "all", "--problem", "dipoles-4x4", "--json", "--out", "out"]);
    let child = tool.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The handler is there once the problem is read.
    std::thread::sleep(Duration::from_millis(700));
    send(&child, "-INT");
    let list = interrupted(child);
    assert!(list.as_array().unwrap().len() < 50, "{list}");
    let written = std::fs::read_to_string(scene.dir("out/certify.json")).unwrap();
    assert_eq!(serde_json::from_str::<Json>(&written).unwrap(), list);
    lieflow_files::check(&scene.dir("out")).unwrap();
}

/// The second signal ends it at once.
#[test]
fn two_signals() {
    let scene = Scene::new("signals");
    let child = start(&scene, "run run.toml --until 1e9 --every 100000 --json --out out");
    send(&child, "-STOP");
    for signal in ["-INT", "-TERM", "-CONT"] {
        send(&child, signal);
    }
    let ended = outcome(child.wait_with_output().unwrap());
    assert_eq!((ended.status, ended.stdout.as_str()), (130, ""), "{ended:?}");
    assert!(!scene.dir("out/summary.json").exists());
    assert_eq!(scene.go("run", "out").status, 0);
}
