//! The same design gives the same bytes, whoever computes it and in whatever parts.
use crate::open;
use lieflow_ensemble::run::{Job, Outcome, Settings, run};
use lieflow_ensemble::store::{Folder as Files, merge};
use lieflow_ensemble::wide::VectorInstructions;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

pub fn go(text: &str, settings: Settings, dir: Option<&Path>) -> Outcome {
    let (document, design) = open(text, &[]);
    run(&design, document.to_json(), settings, dir, &|_| {}).unwrap_or_else(|e| panic!("{e}"))
}

/// A folder of its own, removed at the end.
pub struct Folder(PathBuf);
impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("lieflow-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }
    pub fn sub(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}
impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// All files of a folder with their bytes.
pub fn bytes(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read(&path).unwrap())
        })
        .collect();
    all.sort();
    all
}

pub fn same(a: &Path, b: &Path, what: &str) {
    let (a, b) = (bytes(a), bytes(b));
    let names = |files: &[(String, Vec<u8>)]| files.iter().map(|f| f.0.clone()).collect::<Vec<_>>();
    assert_eq!(names(&a), names(&b), "{what}: not the same files");
    for ((name, x), (_, y)) in a.iter().zip(&b) {
        assert!(x == y, "{what}: {name} differs");
    }
}

const RIGID: &str = r#"
system = "rigid-body"
[parameters]
inertia = INERTIA
potential = POTENTIAL
[initial]
rotation = { vector = [0.3, 0.1, 0.0] }
omega = [0.0, 0.0, 5.0]
[solve]
method = "METHOD"
step = 0.05
until = 1.0
[ensemble]
count = 21
seed = 5
times = [0.33, 0.5]
[[ensemble.vary]]
key = "initial.omega"
uniform = [[-1, -1, 2], [1, 1, 6]]
[[ensemble.vary]]
key = "parameters.inertia[1]"
normal = [5.0, 0.1]
"#;

pub const TOP: &str = r#"{ kind = "lagrange-top", strength = 20.0 }"#;

pub fn rigid(inertia: &str, potential: &str, method: &str) -> String {
    RIGID.replace("INERTIA", inertia).replace("POTENTIAL", potential).replace("METHOD", method)
}

/// Every system with the numbers of its problem file spread.
pub fn others(method: &str) -> Vec<String> {
    let tail = |vary: &str| {
        format!(
            "[solve]\nmethod = \"{method}\"\nstep = 0.05\nuntil = 1.0\n\
             [ensemble]\ncount = 13\ntimes = [0.52]\n{vary}"
        )
    };
    let momentum = "[[ensemble.vary]]\nkey = \"initial.momentum\"\nsphere = 2.0\n";
    let top = |formulation: &str| {
        format!(
            "system = \"heavy-top\"\n[parameters]\ninertia = [1.0, 1.2, 0.7]\naxis = [0, 0, 1]\n\
             direction = [0, 0, 1]\nstrength = 3.0\nformulation = \"{formulation}\"\n\
             [initial]\nrotation = {{ vector = [0.4, 0.2, 0.1] }}\nmomentum = [1.0, 0.5, 4.0]\n{}",
            tail(momentum)
        )
    };
    let spin = |law: &str| {
        format!(
            "system = \"macrospin\"\n[parameters]\nalpha = 0.05\nb = [0.3, 0, 1]\n{law}\n\
             [initial]\nm = [0.6, 0.0, 0.8]\n{}",
            tail(
                "[[ensemble.vary]]\nkey = \"initial.m\"\nsphere = 1.0\n\
                 [[ensemble.vary]]\nkey = \"parameters.alpha\"\nuniform = [0, 0.1]\n"
            )
        )
    };
    vec![
        top("t-so3"),
        top("se3-dual"),
        format!(
            "system = \"reduced-body\"\n[parameters]\ninertia = [1.0, 2.0, 3.0]\n\
             [initial]\nmomentum = [1.0, 0.5, 4.0]\n{}",
            tail(momentum)
        ),
        format!(
            "system = \"kirchhoff\"\n[parameters]\ninertia = [1.0, 2.0, 3.0, 1.5, 2.5, 0.8]\n\
             [initial]\nmomentum = [1.0, 0.5, 2.0]\nimpulse = [0.3, -0.2, 0.4]\n{}",
            tail(momentum)
        ),
        format!(
            "system = \"kirchhoff\"\n[parameters]\nenergy = {{ formula = \"0.5*square(m) + \
             0.3*square(p) + a*m1*p2*p3\", a = 0.1 }}\n\
             [initial]\nmomentum = [1.0, 0.5, 2.0]\nimpulse = [0.3, -0.2, 0.4]\n{}",
            tail(momentum)
        ),
        spin("D = [0.1, 0.0, -0.6]"),
        spin("field = { formula = \"a*[cos(t), 0, m3]\", a = 0.7 }"),
    ]
}

/// Whether a method is compiled for lanes, the narrowest of the machine or wider ones, as the table of
/// engines says.
fn in_lanes(text: &str, narrowest: bool) -> bool {
    if text.contains("compensated") {
        return false;
    }
    let body = text.contains("rigid-body");
    let products = text.contains("method = \"cf") || text.contains("method = \"cg");
    if products {
        return narrowest && body && !text.contains("\"lift\"");
    }
    narrowest || body
}

/// Lanes, threads: the statistics and rows of all trajectories are the same numbers.
fn alike(text: &str, what: &str) {
    let folder = Folder::new(&what.replace(|c: char| !c.is_ascii_alphanumeric(), "-"));
    let alone = Settings { lanes: Some(1), threads: 1, shard: None };
    let a = folder.sub("alone");
    let one = go(text, alone, Some(&a));
    assert_eq!(one.failed, 0, "{what}: {:?}", one.failures.first());
    assert_eq!(one.lanes, 1);
    // All vectors of the machine, not only the widest.
    let found = VectorInstructions::detect();
    let narrowest = found.iter().map(|v| v.lanes()).min();
    for vectors in found {
        let b = folder.sub(&format!("{} lanes", vectors.lanes()));
        let settings = Settings { threads: 3, lanes: Some(vectors.lanes()), shard: None };
        let many = go(text, settings, Some(&b));
        if in_lanes(text, Some(vectors.lanes()) == narrowest) {
            assert_eq!(many.lanes, vectors.lanes(), "{what}: expected to run in lanes");
        }
        same(&a, &b, what);
    }
}

/// The methods of rigid bodies that lanes have.
pub const BODY_METHODS: [&str; 11] = [
    "liemid-e1",
    "liemid-e2",
    "liemid-ea",
    "mcg",
    "vlv",
    "rattle",
    "exs",
    "exs@bm4",
    "exs@rkn4",
    "exs@rkn6",
    "exs@rkn6a",
];
/// Fields that are not a top.
pub const FIELDS: [&str; 4] = [
    r#"{ kind = "free" }"#,
    r#"{ kind = "soft-wall" }"#,
    r#"{ kind = "linear", strength = 3.0, axis = [0, 0.6, 0.8], direction = [1, 0, 0] }"#,
    r#"{ kind = "attractor", alpha = 0.1, center = { vector = [0.5, 1.0, 0.2] } }"#,
];

#[test]
fn rigid_body_in_lanes() {
    for method in BODY_METHODS {
        alike(&rigid("[5.0, 5.5, 1.0]", TOP, method), &format!("top {method}"));
    }
}

/// Where the driver takes roundings out of the states, all lanes and single runs do so after the same
/// steps, also with times between them.
#[test]
fn beyond_a_thousand_steps() {
    for method in ["rkmk4", "liemid-ea", "exs"] {
        let text = rigid("[5.0, 5.5, 1.0]", TOP, method)
            .replace("step = 0.05", "step = 0.0004")
            .replace("[0.33, 0.5]", "[0.33, 0.4096, 0.40965, 0.5]");
        alike(&text, &format!("long {method}"));
    }
}

#[test]
fn general_methods_in_lanes() {
    for method in ["rkmk4", "rkmk4-casas-owren", "rkmk-dp54", "rkmk-dop853", "cf4", "cg3"] {
        let text = rigid("[5.0, 5.5, 1.0]", TOP, method);
        alike(&text, &format!("top {method}"));
        let lifted = text.replace("[initial]", "space = \"lift\"\n[initial]");
        alike(&lifted, &format!("lifted top {method}"));
        for (k, text) in others(method).iter().enumerate() {
            alike(text, &format!("system {k} {method}"));
        }
    }
}

#[test]
fn every_field_in_lanes() {
    for (k, field) in FIELDS.iter().enumerate() {
        for method in ["liemid-ea", "exs", "rkmk4"] {
            alike(&rigid("[5.0, 5.5, 1.0]", field, method), &format!("field {k} {method}"));
        }
    }
    // A symmetric body, whose exact motion needs no elliptic functions; and one whose axes are not
    // principal axes, where only the initial velocity varies.
    let fixed = |inertia: &str| {
        let text = rigid(inertia, TOP, "exs@rkn6a");
        text.split("[[ensemble.vary]]\nkey = \"parameters").next().unwrap().to_string()
    };
    alike(&fixed("[5.0, 5.0, 1.0]"), "symmetric");
    alike(&fixed("[[5.0, 0.2, 0.1], [0.2, 4.0, 0.3], [0.1, 0.3, 2.0]]"), "full inertia");
}

/// Lanes that take another way than their neighbours: a top that stands upright has no torque, and
/// a body that turns fast needs other series and more iterations.
#[test]
fn lanes_that_disagree() {
    for method in ["liemid-ea", "rattle", "exs", "exs@rkn6a", "rkmk4", "rkmk4-casas-owren", "cf4"] {
        let text = rigid("[5.0, 5.0, 1.0]", TOP, method);
        let text = text.split("[[ensemble.vary]]").next().unwrap().to_string()
            + "[[ensemble.vary]]\nkey = \"initial.rotation.vector\"\n\
               list = [[0, 0, 0], [0.3, 0, 0], [0, 0, 1], [0, 1e-9, 0], [0, 0, 0]]\n\
               [[ensemble.vary]]\nkey = \"initial.omega[3]\"\n\
               list = [0.0, 5.0, 1e-3, 19.0, 5.0, 0.1, 12.0]\n";
        alike(&text, &format!("disagree {method}"));
    }
}

/// What is carried from step to step is carried for each trajectory by itself: they are not given to lanes, whose
/// steps would forget it.
#[test]
fn compensated_steps_are_made_alone() {
    let folder = Folder::new("compensated");
    for method in ["rkmk4", "exs", "cf4"] {
        let plain = rigid("[5.0, 5.5, 1.0]", TOP, method);
        let text = plain.replace("step = 0.05", "step = 0.005\ncompensated = true");
        alike(&text, &format!("compensated {method}"));
        let outcome = go(&text, Settings::default(), Some(&folder.sub(method)));
        assert_eq!((outcome.lanes, outcome.failed), (1, 0));
        let other = folder.sub(&format!("{method} plain"));
        go(&plain.replace("step = 0.05", "step = 0.005"), Settings::default(), Some(&other));
        let rows = |dir: &Path| std::fs::read(dir.join("final.csv")).unwrap();
        assert!(rows(&other) != rows(&folder.sub(method)), "{method}: as if nothing were carried");
    }
}

/// A system without lanes of its own runs too.
#[test]
fn other_systems_run_alone() {
    let text = r#"
        system = "pendulum-chain"
        [parameters]
        masses = 1.0
        lengths = 1.0
        count = 3
        space = "lift"
        [initial]
        q = [0.7071067811865476, 0.0, 0.7071067811865476]
        omega = [0, 1, 0]
        [solve]
        method = "rkmk-dp54"
        tol = 1e-6
        until = 0.5
        [ensemble]
        count = 9
        [[ensemble.vary]]
        key = "parameters.gravity[3]"
        grid = { from = -9.0, to = -1.0, points = 9 }
    "#
    .replace("lengths = 1.0", "lengths = 1.0\n        gravity = [0, 0, -9.81]");
    let folder = Folder::new("chain");
    let (a, b) = (folder.sub("one"), folder.sub("three"));
    let one = go(&text, Settings { threads: 1, ..Settings::default() }, Some(&a));
    go(&text, Settings { threads: 3, ..Settings::default() }, Some(&b));
    assert_eq!((one.lanes, one.failed), (1, 0));
    same(&a, &b, "chain");
    let table = std::fs::read_to_string(a.join("final.csv")).unwrap();
    assert!(table.starts_with("index,parameters.gravity[3],t,q_1_x,"), "{table}");
    assert!(table.lines().nth(1).unwrap().starts_with("0,-9.0,0.5,"));
    assert!(table.lines().nth(9).unwrap().starts_with("8,-1.0,0.5,"));
}

#[test]
fn shards_merge_to_the_same_bytes() {
    let text = rigid("[5.0, 5.5, 1.0]", TOP, "liemid-ea");
    let folder = Folder::new("shards");
    let whole = folder.sub("whole");
    go(&text, Settings::default(), Some(&whole));
    for n in [1, 2, 5] {
        let parts: Vec<PathBuf> = (1..=n)
            .rev()
            .map(|k| {
                let dir = folder.sub(&format!("{k}of{n}"));
                go(&text, Settings { shard: Some((k, n)), ..Settings::default() }, Some(&dir));
                dir
            })
            .collect();
        let out = folder.sub(&format!("merged{n}"));
        let merged = merge(&parts, &out).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(merged.manifest.count, 21);
        same(&whole, &out, &format!("{n} shards"));
    }
    // A shard that is missing is noticed, and so is one of another ensemble.
    let error = merge(&[folder.sub("1of2")], &folder.sub("bad")).unwrap_err().to_string();
    assert!(error.contains("end at trajectory 10, expected 21"), "{error}");
    let other = folder.sub("other");
    let text = text.replace("seed = 5", "seed = 6");
    go(&text, Settings { shard: Some((2, 2)), ..Settings::default() }, Some(&other));
    let error = merge(&[folder.sub("1of2"), other], &folder.sub("bad")).unwrap_err().to_string();
    assert!(error.contains("another ensemble (its problem differs)"), "{error}");
}

/// A run that was cut short goes on where it stopped, even in the middle of a row.
#[test]
fn resumes_to_the_same_bytes() {
    let text = rigid("[5.0, 5.5, 1.0]", TOP, "rkmk4").replace("count = 21", "count = 700");
    let folder = Folder::new("resume");
    let (whole, cut) = (folder.sub("whole"), folder.sub("cut"));
    go(&text, Settings::default(), Some(&whole));
    let (document, design) = open(&text, &[]);
    let flag = AtomicBool::new(false);
    let stop = |_: u64| flag.store(true, Ordering::Relaxed);
    let job = Job::new(&design, document.to_json(), Settings::default());
    let first = job.stop(&flag).progress(&stop).run(&mut Files::new(&cut)).unwrap();
    assert!(first.interrupted && first.done > 0);
    // Rows that no note counts, and half a row.
    for name in ["final.csv", "observed.csv"] {
        let mut bytes = std::fs::read(cut.join(name)).unwrap();
        bytes.extend_from_within(100..350);
        std::fs::write(cut.join(name), bytes).unwrap();
    }
    let outcome = go(&text, Settings::default(), Some(&cut));
    assert_eq!(outcome.resumed, first.done);
    same(&whole, &cut, "resumed");
    // Once more: nothing is left to do, and nothing changes.
    let again = go(&text, Settings::default(), Some(&cut));
    assert_eq!((again.resumed, again.steps), (700, 0));
    same(&whole, &cut, "resumed twice");
}

/// Trajectories that fail are reported with their data; the others are as without them.
#[test]
fn failures_do_not_stop_the_others() {
    // MOSER–VESELOV has no solution for a body that turns too far in one step.
    let text = rigid("[1.0, 1.5, 2.0]", TOP, "rattle")
        .replace(
            "uniform = [[-1, -1, 2], [1, 1, 6]]",
            "list = [[0, 0, 1], [0, 0, 400], [0.1, 0, 2]]",
        )
        .replace("normal = [5.0, 0.1]", "normal = [1.0, 0.01]");
    let folder = Folder::new("failures");
    let (a, b) = (folder.sub("alone"), folder.sub("lanes"));
    let one = go(&text, Settings { lanes: Some(1), ..Settings::default() }, Some(&a));
    let many = go(&text, Settings::default(), Some(&b));
    assert_eq!((one.failed, many.failed), (7, 7));
    same(&a, &b, "failures");
    let (index, data, reason) = &many.failures[0];
    assert_eq!((*index, data[2]), (1, 400.0));
    assert!(reason.contains("must stay below"), "{reason}");
    let failures = std::fs::read_to_string(b.join("failures.csv")).unwrap();
    assert!(failures.starts_with("index,initial.omega[1],initial.omega[2],initial.omega[3],"));
    assert_eq!(failures.lines().count(), 8);
    assert_eq!(std::fs::read_to_string(b.join("final.csv")).unwrap().lines().count(), 15);
}
