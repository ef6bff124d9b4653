//! One process at a time in a folder.
use super::{COMMANDS, Scene, files, lasting};
use crate::common::outcome;
use lieflow_files::FolderLock;
use std::process::Stdio;

/// Whoever comes second is told who is there, and changes nothing.
#[test]
fn a_locked_folder_is_refused() {
    let scene = Scene::new("locked");
    for command in COMMANDS {
        let dir = scene.dir("out");
        let lock = FolderLock::take(&dir).unwrap();
        let refused = scene.go(command, "out");
        let holder = format!("process {} is at work", std::process::id());
        refused.refuses(&["out: ", &holder]);
        assert!(files(&dir).is_empty(), "{command}");
        drop(lock);
        assert_eq!(scene.go(command, "out").status, 0, "{command}");
        std::fs::remove_dir_all(&dir).unwrap();
    }
}

/// The same command twice at the same time, ten times: one of them does it, or both do.
#[test]
fn two_processes() {
    let scene = Scene::new("two");
    let text = std::fs::read_to_string(scene.dir("many.toml")).unwrap();
    std::fs::write(scene.dir("many.toml"), text.replace("count = 30", "count = 2000")).unwrap();
    assert_eq!(scene.go("ensemble", "right").status, 0);
    let right = lasting(&files(&scene.dir("right")));
    let mut refused = 0;
    for _ in 0..10 {
        let start = || {
            let mut tool = scene.tool();
            tool.args(scene.words("ensemble", "out")).stderr(Stdio::piped()).spawn().unwrap()
        };
        let both = [start(), start()].map(|child| outcome(child.wait_with_output().unwrap()));
        for one in &both {
            if one.status != 0 {
                one.refuses(&["is at work in this folder"]);
                refused += 1;
            }
        }
        assert!(both.iter().any(|one| one.status == 0), "{both:?}");
        assert!(lasting(&files(&scene.dir("out"))) == right, "other bytes");
        lieflow_files::check(&scene.dir("out")).unwrap();
        std::fs::remove_dir_all(scene.dir("out")).unwrap();
    }
    println!("{refused} of 20 processes were refused");
}

/// A result is replaced by one of its own kind only.
#[test]
fn other_results_are_left_alone() {
    let scene = Scene::new("kinds");
    for command in COMMANDS {
        assert_eq!(scene.go(command, command).status, 0);
    }
    for (command, there) in [
        ("run", "ensemble"),
        ("run", "reproduce"),
        ("ensemble", "run"),
        ("merge", "run"),
        ("reproduce", "merge"),
        ("reproduce", "run"),
        ("arrays", "run"),
        ("merge-arrays", "reproduce"),
    ] {
        let before = files(&scene.dir(there));
        scene.go(command, there).refuses(&["the folder holds", "choose another folder"]);
        assert!(files(&scene.dir(there)) == before, "{command} into {there}");
    }
    for (command, there) in [
        ("arrays", "ensemble"),
        ("ensemble", "merge-arrays"),
        ("merge", "arrays"),
        ("merge-arrays", "merge"),
    ] {
        let before = files(&scene.dir(there));
        scene.go(command, there).refuses(&["another ensemble: found tables in", "expected"]);
        assert!(files(&scene.dir(there)) == before, "{command} into {there}");
    }
}
