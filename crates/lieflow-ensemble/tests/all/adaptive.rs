//! Adaptive steps in lanes: every trajectory has the steps, states and failures of a run alone.
use crate::same_bits::{FIELDS, Folder, TOP, go, others, rigid, same};
use lieflow_ensemble::run::{Outcome, Settings};
use lieflow_ensemble::wide::VectorInstructions;

const PAIRS: [&str; 4] = ["rkmk-bs32", "rkmk-rkf45", "rkmk-dp54", "rkmk-dop853"];

/// Bodies that turn slowly and fast, so that neighbours need a few steps and hundreds, and times that lie
/// inside steps, at their ends and close together.
fn bodies(potential: &str, method: &str, solve: &str) -> String {
    let text = rigid("[5.0, 5.5, 1.0]", potential, method);
    let head = text.split("[[ensemble.vary]]").next().unwrap();
    let head = head.replace("step = 0.05", solve).replace("count = 21", "count = 37");
    head.replace("[0.33, 0.5]", "[0.0, 0.013, 0.33, 0.330001, 0.5, 0.77]")
        + "[[ensemble.vary]]\nkey = \"initial.omega\"\n\
           list = [[0, 0, 0.1], [1, -2, 60], [0.3, 0.1, 5], [0, 0, 0], [0, 3, 25], [9, 8, -7]]\n\
           [[ensemble.vary]]\nkey = \"parameters.inertia[1]\"\nnormal = [5.0, 0.1]\n"
}

/// The same in the words of a formula.
fn by_formulas(law: &str, method: &str, solve: &str) -> String {
    bodies("{ formula = \"0\" }", method, solve).replace("potential = { formula = \"0\" }", law)
}

/// Runs it alone and in all lanes of the machine that have it, and compares all files and the steps. The first
/// outcome, and how many lanes the narrowest vectors had.
fn alike(text: &str, what: &str) -> (Outcome, usize) {
    let folder = Folder::new(&what.replace(|c: char| !c.is_ascii_alphanumeric(), "-"));
    let a = folder.sub("alone");
    let one = go(text, Settings { lanes: Some(1), threads: 1, shard: None }, Some(&a));
    let mut narrowest = 1;
    for vectors in VectorInstructions::detect() {
        let b = folder.sub(&format!("{} lanes", vectors.lanes()));
        let settings = Settings { threads: 2, lanes: Some(vectors.lanes()), shard: None };
        let many = go(text, settings, Some(&b));
        assert_eq!((one.steps, one.failed), (many.steps, many.failed), "{what}: steps, failures");
        same(&a, &b, what);
        narrowest = many.lanes;
    }
    (one, narrowest)
}

/// The same, and that they do run in lanes, where the machine has any.
fn in_lanes(text: &str, what: &str) -> Outcome {
    let (one, lanes) = alike(text, what);
    assert!(lanes > 1 || VectorInstructions::detect().is_empty(), "{what}: not in lanes");
    one
}

#[test]
fn every_pair_at_every_tolerance() {
    for method in PAIRS {
        for tol in ["1e-3", "1e-6", "1e-9", "1e-12"] {
            if (method, tol) == ("rkmk-bs32", "1e-12") {
                continue;
            }
            let text = bodies(TOP, method, &format!("tol = {tol}"));
            let one = in_lanes(&text, &format!("adaptive {method} {tol}"));
            assert_eq!(one.failed, 0, "{method} {tol}");
        }
    }
}

#[test]
fn every_field() {
    for (k, field) in FIELDS.iter().enumerate() {
        for method in ["rkmk-dp54", "rkmk-dop853"] {
            in_lanes(&bodies(field, method, "tol = 1e-7"), &format!("adaptive field {k} {method}"));
        }
    }
    let full = bodies(TOP, "rkmk-dp54", "tol = 1e-7")
        .replace("[5.0, 5.5, 1.0]", "[[5.0, 0.1, 0.2], [0.1, 5.5, 0.3], [0.2, 0.3, 1.0]]");
    in_lanes(full.rsplit_once("[[ensemble.vary]]").unwrap().0, "adaptive full inertia");
}

#[test]
fn every_kind_of_formula() {
    for (k, law) in [
        r#"potential = { formula = "k*R[3,3]^2 + 3*sin(R[3,3])", k = 7.0 }"#,
        r#"potential = { formula = "k*R[3,3] + atan2(R[1,2], 2 + R[2,2])", k = 7.0 }"#,
        r#"torque = { formula = "[sin(R[1,1]), c*R[2,3], abs(R[3,2])]", c = 0.3 }"#,
        r#"torque = { formula = "-c*w + P*R[3,3]*0.01", c = 0.3 }"#,
        // Lanes are at different times.
        r#"potential = { formula = "(k + sin(9*t))*R[3,3]", k = 7.0 }"#,
        r#"potential = { formula = "k*R[3,3] + atan2(R[1,2], 2 + R[2,2])*exp(-t)", k = 7.0 }"#,
        r#"torque = { formula = "[sin(30*t), 0.3*R[2,3], R[3,2]]" }"#,
    ]
    .iter()
    .enumerate()
    {
        for method in ["rkmk-dp54", "rkmk-dop853"] {
            let text = by_formulas(law, method, "tol = 1e-7");
            in_lanes(&text, &format!("adaptive formula {k} {method}"));
            let lifted = text.replace("[initial]", "space = \"lift\"\n[initial]");
            in_lanes(&lifted, &format!("adaptive lifted formula {k} {method}"));
        }
    }
}

#[test]
fn every_system() {
    for method in PAIRS {
        let mut all = others(method);
        all.push(all[4].replace("a*m1*p2*p3", "a*m1*p2*p3*cos(5*t)"));
        for (k, text) in all.iter().enumerate() {
            let text = text.replace("step = 0.05", "tol = 1e-8");
            in_lanes(&text, &format!("adaptive system {k} {method}"));
        }
    }
}

/// All rules, a first step that turns bodies too far, and a way back in time.
#[test]
fn every_control() {
    for (k, solve) in [
        "tol = 1e-6\ncontroller = \"PI\"",
        "tol = 1e-6\ncontroller = \"plain\"\nexponent = 0.2",
        "tol = 1e-6\nfirst_step = 0.9",
        "tol = 1e-2\nfirst_step = 1e-9",
    ]
    .iter()
    .enumerate()
    {
        in_lanes(&bodies(TOP, "rkmk-dp54", solve), &format!("adaptive control {k}"));
    }
    let back = bodies(TOP, "rkmk-dop853", "tol = 1e-6")
        .replace("until = 1.0", "until = -1.0")
        .replace("0.013, 0.33, 0.330001, 0.5, 0.77", "-0.013, -0.33, -0.330001, -0.5, -0.77");
    in_lanes(&back, "adaptive backwards");
}

/// Where roundings are taken out of the states.
#[test]
fn beyond_a_thousand_steps() {
    for method in ["rkmk-bs32", "rkmk-rkf45"] {
        let text = bodies(TOP, method, "tol = 1e-9").replace("until = 1.0", "until = 2.0");
        let one = in_lanes(&text, &format!("adaptive long {method}"));
        assert!(one.steps > 1100 * 37 / 6, "{method}: only {} steps", one.steps);
    }
}

/// A trajectory that fails is reported as if it were alone, and its neighbours do not notice.
#[test]
fn lanes_that_fail() {
    let broken = r#"potential = { formula = "20*R[3,3]" }
        torque = { formula = "[0, 0, sqrt(0.4 + R[3,3])]" }"#;
    for method in ["rkmk-dp54", "rkmk-dop853"] {
        let one = in_lanes(&by_formulas(broken, method, "tol = 1e-6"), &format!("broken {method}"));
        assert!(one.failed > 0 && one.failed < 37, "{method}: {} of 37 failed", one.failed);
        let few = bodies(TOP, method, "tol = 1e-8\nmax_steps = 40");
        let one = in_lanes(&few, &format!("few steps {method}"));
        assert!(one.failed > 0 && one.failed < 37, "{method}: {} of 37 failed", one.failed);
        assert!(one.failures[0].2.contains("as many as allowed"), "{}", one.failures[0].2);
    }
}

/// Long blocks, short ones and shards.
#[test]
fn any_parts() {
    let text = bodies(TOP, "rkmk-dp54", "tol = 1e-6").replace("count = 37", "count = 301");
    let folder = Folder::new("adaptive-parts");
    let whole = folder.sub("whole");
    go(&text, Settings { threads: 1, ..Settings::default() }, Some(&whole));
    for threads in [2, 7] {
        let other = folder.sub(&format!("{threads} threads"));
        go(&text, Settings { threads, ..Settings::default() }, Some(&other));
        same(&whole, &other, "threads");
    }
    let parts: Vec<_> = (1..=3)
        .map(|k| {
            let dir = folder.sub(&format!("{k} of 3"));
            go(&text, Settings { shard: Some((k, 3)), ..Settings::default() }, Some(&dir));
            dir
        })
        .collect();
    let merged = folder.sub("merged");
    lieflow_ensemble::store::merge(&parts, &merged).unwrap();
    same(&whole, &merged, "shards");
}

/// What lanes do not have runs alone: other charts, estimates and controls.
#[test]
fn others_run_alone() {
    for (what, text) in [
        ("cayley", bodies(TOP, "rkmk-dp54", "tol = 1e-6\nchart = \"cayley\"")),
        ("estimate", bodies(TOP, "rkmk-dp54", "tol = 1e-6\nestimate = \"state\"")),
        ("reversible", bodies(TOP, "liemid-ea", "tol = 1e-3")),
    ] {
        assert_eq!(alike(&text, &format!("adaptive {what}")).1, 1, "{what}");
    }
}
