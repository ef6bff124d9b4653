//! `lieflow verify`, and that what is damaged is not believed.
use super::{COMMANDS, Scene, files, lasting};
use crate::common::{file, json, lieflow, outcome};
use serde_json::Value as Json;

fn verify(scene: &Scene, dir: &str) -> crate::common::Outcome {
    outcome(scene.tool().args(["verify", dir, "--rows", "5"]).output().unwrap())
}

#[test]
fn results_are_right_until_a_byte_is_changed() {
    let scene = Scene::new("verify");
    for command in COMMANDS {
        assert_eq!(scene.go(command, "out").status, 0);
        let right = verify(&scene, "out");
        assert_eq!(right.status, 0, "{command}: {right:?}");
        let all = files(&scene.dir("out"));
        // One figure stands for all.
        let figure = |name: &str| name.starts_with("figure-") && name != "figure-1.svg";
        for (name, bytes) in all.iter().filter(|(name, _)| !figure(name)) {
            let mut bytes = bytes.clone();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 4;
            std::fs::write(scene.dir("out").join(name), &bytes).unwrap();
            let wrong = verify(&scene, "out");
            assert_eq!(wrong.status, 1, "{command}: {name}: {wrong:?}");
            // A wrong checksum blames the file that it belongs to.
            let named = wrong.stderr.contains(name.as_str()) || name.ends_with("SHA256SUMS");
            assert!(named, "{command}: {name}: {wrong:?}");
            std::fs::write(scene.dir("out").join(name), &all[name]).unwrap();
        }
        std::fs::remove_dir_all(scene.dir("out")).unwrap();
    }
    let nothing = outcome(scene.tool().args(["verify", "."]).output().unwrap());
    nothing.refuses(&["no result of lieflow is there"]);
    outcome(scene.tool().args(["verify", "absent"]).output().unwrap())
        .refuses(&["absent: no result"]);
}

/// An experiment whose files were changed, or are gone, is carried out again.
#[test]
fn experiments_are_not_believed() {
    let scene = Scene::new("experiments");
    let go = || {
        let words = scene.words("reproduce", "out");
        let words: Vec<_> = words.iter().filter(|word| *word != "--quiet").collect();
        outcome(scene.tool().args(words).arg("--json").output().unwrap()).json()
    };
    let measured = |document: &Json| -> Vec<String> {
        let claims = document["experiments"][0]["claims"].as_array().unwrap();
        claims.iter().map(|claim| claim["measured"].to_string()).collect()
    };
    let first = go();
    let second = go();
    assert_eq!(first["experiments"], second["experiments"], "it was not believed as it was");
    let all = files(&scene.dir("out"));
    let of_experiment = |name: &&String| name.contains("krysl-fig02/");
    for name in all.keys().filter(of_experiment) {
        let path = scene.dir("out").join(name);
        for damage in ["changed", "removed"] {
            match damage {
                "removed" => std::fs::remove_file(&path).unwrap(),
                _ => {
                    let mut bytes = std::fs::read(&path).unwrap();
                    let middle = bytes.len() / 2;
                    bytes[middle] ^= 1;
                    std::fs::write(&path, bytes).unwrap();
                }
            }
            assert_eq!(measured(&go()), measured(&first), "{name} {damage}");
            lieflow_files::check(&scene.dir("out")).unwrap();
            assert!(lasting(&files(&scene.dir("out"))) == lasting(&all), "{name} {damage}");
        }
    }
}

/// No changed byte of a run, an ensemble with its report, a merge or an experiment escapes.
#[test]
fn a_thousand_changed_bytes() {
    let scene = Scene::new("thousand");
    let mut seed = 1u64;
    let mut draw = |below: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below
    };
    for command in COMMANDS {
        let dir = scene.dir(command);
        assert_eq!(scene.go(command, command).status, 0);
        lieflow_files::check(&dir).unwrap();
        let all: Vec<_> = files(&dir).into_iter().collect();
        for _ in 0..250 {
            let (name, bytes) = &all[draw(all.len())];
            let mut changed = bytes.clone();
            changed[draw(bytes.len())] ^= 1 + draw(255) as u8;
            std::fs::write(dir.join(name), changed).unwrap();
            assert!(
                lieflow_files::check(&dir).is_err(),
                "{command}: a change of {name} was not found"
            );
            std::fs::write(dir.join(name), bytes).unwrap();
        }
        lieflow_files::check(&dir).unwrap();
    }
}

/// Statuses that scripts look at.
#[test]
fn failures_have_their_statuses() {
    let many = |from: &str, to: &str| {
        let text = format!("{}{}", super::RUN, super::MANY);
        assert!(text.contains(from));
        file("status", &text.replace(from, to))
    };
    // All trajectories failed.
    let all = many("uniform = [0.5, 1.0]", "list = [1e308]");
    let failed =
        lieflow(&["ensemble", &all, "--set", "initial.momentum=[1e308,1e308,1e308]", "--json"]);
    assert_eq!(failed.status, 1, "{failed:?}");
    assert!(failed.stderr.contains("all 30 trajectories failed"), "{failed:?}");
    assert!(failed.stdout.contains("\"ended\": \"end\""), "what was found is not shown");
    // A key that can never work.
    let never = many("\"initial.momentum[1]\"", "\"solve.tol\"");
    lieflow(&["ensemble", &never]).refuses(&["tol"]);
    // Some of them failed.
    let some = many("count = 30", "count = 6");
    assert_eq!(json(&["ensemble", &some, "--json"])["failed"], 2);
    // A folder that cannot be one.
    let run = file("place", super::RUN);
    for out in [format!("{run}/out"), run.clone()] {
        lieflow(&["run", &run, "--out", &out]).refuses(&["cannot be written"]);
    }
    let ensemble = many("count = 30", "count = 3");
    lieflow(&["ensemble", &ensemble, "--out", &format!("{run}/out")])
        .refuses(&["cannot be written"]);
    lieflow(&["merge", "no-such-folder", "--out", "x"])
        .refuses(&["no-such-folder: no ensemble is there"]);
}
