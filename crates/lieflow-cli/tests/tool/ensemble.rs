//! Ensembles, through the real binary.
use crate::common::{json, parts as lieflow};
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

struct Folder(PathBuf);
impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("lieflow-cli-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }
    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}
impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The fast top for half a second, with forty velocities.
static PROBLEM: LazyLock<String> = LazyLock::new(|| {
    let top = lieflow_models::problems::find("fast-top").unwrap().text;
    let (problem, _) = top.split_once("step =").unwrap();
    format!("{problem}{}", VARIED)
});
const VARIED: &str = r#"step = 0.01
until = 0.5
[ensemble]
count = 40
[[ensemble.vary]]
key = "initial.omega"
uniform = [[-1, -1, 40], [1, 1, 60]]
"#;

/// The shape of the document, and that a row of the table is the run that its data describe.
#[test]
fn a_row_is_a_run() {
    let folder = Folder::new("row");
    let file = folder.file("tops.toml", &PROBLEM);
    let out = folder.path("out");
    let document = json(&["ensemble", &file, "--json", "--out", &out]);
    for key in ["count", "steps", "seconds", "trajectory_steps_per_second", "threads", "lanes"] {
        assert!(document[key].as_f64().unwrap() > 0.0, "{key}: {document}");
    }
    assert_eq!((&document["count"], &document["steps"]), (&Json::from(40), &Json::from(2000)));
    let at_end = &document["statistics"][0];
    assert_eq!(at_end["t"], 0.5);
    assert_eq!(at_end["observables"]["energy"]["count"], 40);
    for file in document["files"].as_array().unwrap() {
        assert!(Path::new(file.as_str().unwrap()).exists(), "{file}");
    }
    let page = std::fs::read_to_string(Path::new(&out).join("report.html")).unwrap();
    assert!(page.contains("Distribution of energy"), "no distributions on the page");

    let table = std::fs::read_to_string(Path::new(&out).join("final.csv")).unwrap();
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let column = |name: &str| head.iter().position(|h| *h == name).unwrap();
    let row = lines.nth(17).unwrap();
    assert_eq!(row[0], "17");
    let omega: Vec<&str> = (1..=3).map(|k| row[column(&format!("initial.omega[{k}]"))]).collect();
    let set = format!("initial.omega=[{}]", omega.join(","));
    let run = json(&["run", &file, "--json", "--set", &set]);
    for (k, axis) in ["x", "y", "z"].iter().enumerate() {
        let there: f64 = row[column(&format!("momentum_{axis}"))].parse().unwrap();
        assert_eq!(run["state"]["momentum"][k].as_f64().unwrap().to_bits(), there.to_bits());
    }
    let energy: f64 = row[column("energy")].parse().unwrap();
    assert_eq!(run["invariants"]["energy"]["final"].as_f64().unwrap().to_bits(), energy.to_bits());
}

#[test]
fn shards_and_merge() {
    let folder = Folder::new("shards");
    let file = folder.file("tops.toml", &PROBLEM);
    for k in ["1/3", "2/3", "3/3"] {
        let out = folder.path(&k.replace('/', "of"));
        let (status, _, err) =
            lieflow(&["ensemble", &file, "--shard", k, "--out", &out, "--quiet"]);
        assert_eq!((status, err.as_str()), (0, ""));
    }
    lieflow(&["ensemble", &file, "--out", &folder.path("whole"), "--quiet"]);
    let parts = ["3of3", "1of3", "2of3"].map(|k| folder.path(k));
    let merged = json(&[
        "merge",
        &parts[0],
        &parts[1],
        &parts[2],
        "--out",
        &folder.path("merged"),
        "--json",
    ]);
    assert_eq!((&merged["count"], &merged["steps"]), (&Json::from(40), &Json::from(2000)));
    assert_eq!(merged["shards"], 3);
    for file in merged["files"].as_array().unwrap() {
        assert!(Path::new(file.as_str().unwrap()).exists(), "{file}");
    }
    let summary = std::fs::read_to_string(folder.path("merged/summary.json")).unwrap();
    assert_eq!(serde_json::from_str::<Json>(&summary).unwrap(), merged);
    let page = std::fs::read_to_string(folder.path("merged/report.html")).unwrap();
    assert!(page.contains("Distribution of energy"), "no distributions on the page");
    lieflow_files::check(Path::new(&folder.path("merged"))).unwrap();
    // Also where nothing failed.
    let failures = std::fs::read_to_string(folder.path("merged/failures.csv")).unwrap();
    assert_eq!(failures, "index,initial.omega[1],initial.omega[2],initial.omega[3],t,reason\n");
    let names = [
        "final.csv",
        "failures.csv",
        "statistics.csv",
        "ensemble.json",
        "progress.json",
        "figure-1.svg",
    ];
    for name in names {
        let read = |dir: &str| std::fs::read(Path::new(&folder.path(dir)).join(name)).unwrap();
        assert!(read("whole") == read("merged"), "{name} differs");
    }
    let (status, _, err) = lieflow(&["merge", &parts[0], "--out", &folder.path("bad")]);
    assert_eq!(status, 2);
    assert!(err.contains("begins at trajectory 26, expected 0"), "{err}");
}

/// With arrays everything else is the same: the page with its figures, statistics, what is printed, and the merge.
#[test]
fn tables_as_arrays() {
    let folder = Folder::new("arrays");
    let text = PROBLEM.replace("count = 40", "count = 40\ntimes = [0.1, 0.3]");
    let file = folder.file("tops.toml", &text);
    for (format, out) in [("csv", "csv"), ("npy", "npy")] {
        let arguments = ["ensemble", &file, "--quiet", "--format", format, "--out"];
        assert_eq!(lieflow(&[&arguments[..], &[&folder.path(out)]].concat()).0, 0);
        for k in 1..=3 {
            let (shard, part) = (format!("{k}/3"), folder.path(&format!("{out}{k}")));
            let more = [part.as_str(), "--shard", &shard];
            assert_eq!(lieflow(&[&arguments[..], &more].concat()).0, 0);
        }
    }
    let names = |dir: &str| -> Vec<String> {
        let entries = std::fs::read_dir(folder.path(dir)).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    let renamed: Vec<String> = names("npy").iter().map(|n| n.replace(".npy", ".csv")).collect();
    assert_eq!(renamed, names("csv"));
    let read = |dir: &str, name: &str| std::fs::read(Path::new(&folder.path(dir)).join(name));
    for name in names("csv") {
        if name.starts_with("figure") || name == "statistics.csv" {
            assert!(read("csv", &name).unwrap() == read("npy", &name).unwrap(), "{name} differs");
        }
    }
    let (status, out, err) = lieflow(&["verify", &folder.path("npy"), "--rows", "40"]);
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("40 trajectories computed again"), "{out}");
    let parts = ["npy3", "npy1", "npy2"].map(|part| folder.path(part));
    let merge = ["merge", &parts[0], &parts[1], &parts[2], "--quiet", "--out"];
    let merged = lieflow(&[&merge[..], &[&folder.path("merged")]].concat());
    assert_eq!(merged.0, 0, "{merged:?}");
    for name in names("npy").iter().filter(|n| n.ends_with(".npy") || n.starts_with("figure")) {
        assert!(read("npy", name).unwrap() == read("merged", name).unwrap(), "{name} differs");
    }
    let mixed = ["merge", &parts[0], &parts[1], &folder.path("csv2"), "--out", &folder.path("bad")];
    let (status, _, err) = lieflow(&mixed);
    assert_eq!(status, 2, "{err}");
    assert!(err.contains("csv2/ensemble.json: another ensemble: found tables in csv"), "{err}");
}

/// Methods are varied like numbers, in a product with a grid, and tables call them by their names.
#[test]
fn methods_vary() {
    let folder = Folder::new("methods");
    let text = PROBLEM.split("[ensemble]").next().unwrap().to_string()
        + "[ensemble]\n[[ensemble.vary]]\nkey = \"initial.omega[3]\"\n\
           grid = { from = 40, to = 60, points = 3 }\n[[ensemble.vary]]\nkey = \"solve.method\"\n\
           list = [\"liemid-ea\", \"rkmk4\"]\n";
    let file = folder.file("methods.toml", &text);
    let out = folder.path("out");
    let (status, _, err) = lieflow(&["ensemble", &file, "--out", &out]);
    assert_eq!(status, 0, "{err}");
    assert!(err.contains("6 trajectories: 3 of initial.omega[3] × 2 of solve.method"), "{err}");
    let table = std::fs::read_to_string(Path::new(&out).join("final.csv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0][..3], ["index", "initial.omega[3]", "solve.method"]);
    assert_eq!(rows.len(), 7);
    let energy = rows[0].iter().position(|name| *name == "energy").unwrap();
    for row in &rows[1..] {
        let omega = format!("initial.omega=[0,0,{}]", row[1]);
        let one = json(&["run", &file, "--method", row[2], "--set", &omega, "--json"]);
        let right = one["invariants"]["energy"]["final"].as_f64().unwrap();
        assert_eq!(row[energy].parse::<f64>().unwrap().to_bits(), right.to_bits(), "{row:?}");
    }
    let (status, _, err) = lieflow(&["verify", &out, "--rows", "6"]);
    assert_eq!(status, 0, "{err}");
    let page = std::fs::read_to_string(Path::new(&out).join("report.html")).unwrap();
    assert!(page.contains("solve.method (0 = liemid-ea, 1 = rkmk4)"), "no names on the page");
    // One that does not fit is found before anything is computed, whichever it is.
    let file = folder.file("wrong.toml", &text.replace("rkmk4", "rkmk5"));
    let (status, _, err) = lieflow(&["ensemble", &file]);
    assert_eq!(status, 2, "{err}");
    assert!(err.contains("rkmk5") && err.contains("did you mean"), "{err}");
    let file = folder.file("wrong.toml", &text.replace("[\"liemid-ea\", \"rkmk4\"]", "[1, 2]"));
    let (status, _, err) = lieflow(&["ensemble", &file]);
    assert_eq!(status, 2, "{err}");
    assert!(err.contains("a list of methods"), "{err}");
}

/// The ways to vary a key, and that numbers of one key do not depend on the others.
#[test]
fn ways_to_vary() {
    let folder = Folder::new("vary");
    folder.file("data.csv", "a,b,c\n1.5,2,30\n-0.5,0.25,45\n");
    let vary = |text: &str| {
        let head = PROBLEM.split("[ensemble]").next().unwrap();
        folder.file("vary.toml", &format!("{head}{text}"))
    };
    let rows = |file: &str| -> Vec<Vec<String>> {
        let out = folder.path("out");
        let _ = std::fs::remove_dir_all(&out);
        let (status, _, err) = lieflow(&["ensemble", file, "--out", &out, "--quiet"]);
        assert_eq!(status, 0, "{err}");
        let table = std::fs::read_to_string(Path::new(&out).join("final.csv")).unwrap();
        table.lines().skip(1).map(|l| l.split(',').map(String::from).collect()).collect()
    };
    let csv = rows(&vary(
        "[ensemble]\n[[ensemble.vary]]\nkey = \"initial.omega\"\ncsv = \"data.csv\"\ncolumns = [\"a\", \"b\", \"c\"]\n",
    ));
    assert_eq!(csv.len(), 2);
    assert_eq!(csv[1][..4], ["1", "-0.5", "0.25", "45.0"]);
    let grid = rows(&vary(
        "[ensemble]\n[[ensemble.vary]]\nkey = \"initial.omega[3]\"\ngrid = [30, 40, 50]\n\
         [[ensemble.vary]]\nkey = \"parameters.potential.strength\"\ngrid = { from = 10, to = 20, points = 2 }\n",
    ));
    let pairs: Vec<[&str; 2]> = grid.iter().map(|r| [r[1].as_str(), r[2].as_str()]).collect();
    assert_eq!(
        pairs,
        [
            ["30.0", "10.0"],
            ["30.0", "20.0"],
            ["40.0", "10.0"],
            ["40.0", "20.0"],
            ["50.0", "10.0"],
            ["50.0", "20.0"]
        ]
    );
    let list = rows(&vary(
        "[ensemble]\ncount = 3\n[[ensemble.vary]]\nkey = \"parameters.potential.strength\"\nlist = [1, 2.5]\n",
    ));
    assert_eq!([&list[0][1], &list[1][1], &list[2][1]], ["1.0", "2.5", "1.0"]);
    let normal = "[[ensemble.vary]]\nkey = \"parameters.potential.strength\"\nnormal = [20, 1]\n";
    let sphere = "[[ensemble.vary]]\nkey = \"initial.rotation.vector\"\nsphere = 0.5\n";
    let alone = rows(&vary(&format!("[ensemble]\ncount = 5\nseed = 9\n{normal}")));
    let both = rows(&vary(&format!("[ensemble]\ncount = 5\nseed = 9\n{sphere}{normal}")));
    for (a, b) in alone.iter().zip(&both) {
        assert_eq!(a[1], b[4], "another varied key changes the numbers of this one");
        let v: Vec<f64> = b[1..4].iter().map(|x| x.parse().unwrap()).collect();
        assert!((v.iter().map(|x| x * x).sum::<f64>().sqrt() - 0.5).abs() < 1e-15);
    }
    let other = rows(&vary(&format!("[ensemble]\ncount = 5\nseed = 10\n{normal}")));
    assert_ne!(alone[0][1], other[0][1], "the seed makes no difference");
}

/// What is wrong is named with its place, what was found and what was expected.
#[test]
fn bad_designs() {
    let folder = Folder::new("bad");
    let cases: [(&str, &str, &[&str]); 12] = [
        (
            "count = 40",
            "count = 0",
            &["bad.toml:19:9: ensemble.count", "the integer 0", "from 1 to"],
        ),
        ("count = 40\n", "", &["ensemble: the key 'count' is missing", "whole number"]),
        ("[ensemble]\ncount = 40\n", "[other]\n", &["other"]),
        (
            "uniform = [[-1, -1, 40], [1, 1, 60]]",
            "uniform = [[-1, 40], [1, 1, 60]]",
            &["uniform", "two bounds"],
        ),
        (
            "uniform = [[-1, -1, 40], [1, 1, 60]]",
            "uniform = [[-1, 40], [1, 60]]",
            &["initial.omega", "a list of 2"],
        ),
        (
            "uniform = [[-1, -1, 40], [1, 1, 60]]",
            "uniforms = [1, 2]",
            &["uniform", "is it meant by 'uniforms'"],
        ),
        (
            "uniform = [[-1, -1, 40], [1, 1, 60]]",
            "csv = \"none.csv\"\ncolumns = [\"a\"]",
            &["csv", "a file to read"],
        ),
        ("\"initial.omega\"", "\"initial.omga\"", &["initial.omga", "omega"]),
        (
            "\"initial.omega\"",
            "\"initial.omega[7]\"",
            &["initial.omega[7]", "an entry of a list that the problem has"],
        ),
        (
            "\"initial.omega\"",
            "\"ensemble.count\"",
            &["ensemble.count", "a key of [parameters], [initial] or [solve]"],
        ),
        ("count = 40", "count = 40\ntimes = [0.2, 0.1]", &["times", "each after the one before"]),
        ("count = 40", "count = 40\nquantiles = [1.5]", &["quantiles", "from 0 to 1"]),
    ];
    for (from, to, said) in cases {
        assert!(PROBLEM.contains(from), "{from}");
        let file = folder.file("bad.toml", &PROBLEM.replace(from, to));
        let (status, _, err) = lieflow(&["ensemble", &file]);
        assert_eq!(status, 2, "{to}: {err}");
        for word in said {
            assert!(err.contains(word), "{to}: {word:?} is not in {err}");
        }
    }
    let file = folder.file("bad.toml", &PROBLEM);
    for (arguments, said) in [
        (["--shard", "4/3"], "K from 1 to N"),
        (["--lanes", "5"], "what this machine has: 1"),
        (["--method", "rkmk5"], "did you mean"),
    ] {
        let (status, _, err) = lieflow(&["ensemble", &file, arguments[0], arguments[1]]);
        assert_eq!(status, 2, "{err}");
        assert!(err.contains(said), "{err}");
    }
    let (status, _, err) = lieflow(&["ensemble", "fast-top"]);
    assert_eq!(status, 2);
    assert!(err.contains("a table [ensemble]"), "{err}");
    // A folder that holds another ensemble is left alone.
    let out = folder.path("out");
    lieflow(&["ensemble", &file, "--out", &out, "--quiet"]);
    let (status, _, err) = lieflow(&["ensemble", &file, "--out", &out, "--set", "ensemble.seed=3"]);
    assert_eq!(status, 2);
    assert!(err.contains("another ensemble (its problem differs)"), "{err}");
}

/// A drawn value that the system can't have fails alone, and says so.
#[test]
fn impossible_draws_fail_alone() {
    let folder = Folder::new("draws");
    let text = PROBLEM
        .replace("\"initial.omega\"", "\"parameters.inertia[1]\"")
        .replace("uniform = [[-1, -1, 40], [1, 1, 60]]", "list = [5.0, -1.0]");
    let file = folder.file("draws.toml", &text);
    let document = json(&["ensemble", &file, "--json"]);
    assert_eq!(document["failed"], 20);
    let first = &document["failures"][0];
    assert_eq!(
        (&first["index"], &first["data"]["parameters.inertia[1]"]),
        (&Json::from(1), &Json::from(-1.0))
    );
    assert!(first["reason"].as_str().unwrap().contains("inertia"), "{first}");
    assert_eq!(document["statistics"][0]["observables"]["energy"]["count"], 20);
}
