//! Several runs on one page.
use crate::common::{folder, json, lieflow};
use std::path::Path;

fn run(dir: &Path, name: &str, method: &str) -> String {
    let out = dir.join(name).display().to_string();
    let ran = lieflow(&["run", "mild-top", "--method", method, "--quiet", "--out", &out]);
    assert_eq!(ran.status, 0, "{ran:?}");
    out
}

#[test]
fn two_runs_are_laid_over_each_other() {
    let dir = folder("overlay");
    let (a, b) = (run(&dir, "coarse", "rkmk2-heun"), run(&dir, "fine", "rkmk4"));
    let out = dir.join("both").display().to_string();
    let document = json(&["overlay", &a, &b, "--out", &out, "--json"]);
    assert_eq!(document["runs"], serde_json::json!(["coarse", "fine"]));
    for file in document["files"].as_array().unwrap() {
        assert!(Path::new(file.as_str().unwrap()).exists(), "{file}");
    }
    let page = std::fs::read_to_string(Path::new(&out).join("report.html")).unwrap();
    for text in ["Distance from coarse", "Error of energy", "rkmk2-heun", "triaxial heavy top"] {
        assert!(page.contains(text), "{text} is not on the page");
    }
}

#[test]
fn what_is_no_run_is_refused() {
    let dir = folder("overlay-bad");
    let good = run(&dir, "good", "rkmk4");
    let empty = dir.join("empty");
    std::fs::create_dir_all(&empty).unwrap();
    let empty = empty.display().to_string();
    lieflow(&["overlay", &good]).refuses(&["one folder", "two or more"]);
    lieflow(&["overlay", &good, &empty]).refuses(&["empty", "summary.json", "lieflow run"]);
    std::fs::copy(Path::new(&good).join("summary.json"), Path::new(&empty).join("summary.json"))
        .unwrap();
    lieflow(&["overlay", &good, &empty]).refuses(&["empty", "trajectory.csv"]);
    std::fs::write(Path::new(&empty).join("trajectory.csv"), "t,x\n0.0,1.0\n0.5,one\n").unwrap();
    lieflow(&["overlay", &good, &empty]).refuses(&["trajectory.csv", "line 3", "one", "2 numbers"]);
}
