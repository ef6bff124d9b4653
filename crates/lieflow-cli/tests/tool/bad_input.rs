//! What is typed wrong is refused with status 2, and the message says where, what and what else.
use crate::common::{file, folder, lieflow, top_with};

fn refuse(name: &str, from: &str, to: &str, texts: &[&str]) {
    lieflow(&["run", &top_with(name, from, to)]).refuses(texts);
}

#[test]
fn unknown_names_come_with_a_suggestion() {
    lieflow(&["run", "mild-tip"]).refuses(&[
        "'mild-tip'",
        "did you mean 'mild-top'?",
        "lieflow list problems",
    ]);
    refuse(
        "system",
        "heavy-top",
        "heavy-tpo",
        &["p.toml:1:10: system", "did you mean 'heavy-top'?"],
    );
    refuse(
        "method",
        "\"rkmk4\"",
        "\"rkmk44\"",
        &["p.toml:14:10: solve.method", "did you mean 'rkmk4'?"],
    );
    lieflow(&["run", "mild-top", "--method", "rkm4"]).refuses(&[
        "--method",
        "did you mean 'rkmk4'?",
        "heavy-top",
    ]);
    refuse(
        "key",
        "strength",
        "strenght",
        &["p.toml:3:1: parameters", "'strength' is missing", "is it meant by 'strenght'?"],
    );
    refuse(
        "extra",
        "step = 0.1",
        "step = 0.1\nstpe = 2",
        &["p.toml:16:1: solve.stpe", "unknown key", "did you mean 'step'?"],
    );
    refuse(
        "table",
        "[solve]",
        "[slove]",
        &["p.toml:13:2: slove", "unknown key", "did you mean 'solve'?"],
    );
    refuse(
        "choice",
        "strength = 1.3",
        "strength = 1.3\nformulation = \"t-so2\"",
        &["p.toml:8:15: parameters.formulation", "t-so3"],
    );
    lieflow(&["run", "fast-top", "--set", "parameters.space=lit"]).refuses(&[
        "--set",
        "parameters.space",
        "'lit'",
        "did you mean 'lift'?",
        "se3, lift",
    ]);
    // The method fits the system, but not the space.
    lieflow(&["run", "fast-top", "--method", "exs", "--set", "parameters.space=lift"]).refuses(&[
        "--method",
        "'exs'",
        "parameters.space = \"se3\"",
        "rkmk4",
    ]);
    lieflow(&["lst"]).refuses(&["list"]);
    lieflow(&["list", "method"]).refuses(&["methods"]);
}

#[test]
fn missing_keys_name_their_table_and_line() {
    refuse(
        "no-inertia",
        "inertia = [0.8, 1.1, 1.7]\n",
        "",
        &["p.toml:3:1: parameters", "'inertia' is missing"],
    );
    refuse(
        "no-until",
        "until = 1.0\n",
        "",
        &["p.toml:13:1: solve", "'until' is missing", "a number"],
    );
    refuse("no-step", "step = 0.1\n", "", &["p.toml:13:1: solve", "'step'", "'tol'"]);
    refuse(
        "no-momentum",
        "momentum = [0.4, -0.7, 1.2]\n",
        "",
        &["p.toml:9:1: initial", "'omega' or 'momentum' or 'spatial_momentum'"],
    );
    lieflow(&["run", &file("no-tables", "system = \"kirchhoff\"\n")])
        .refuses(&["parameters", "'inertia' is missing"]);
    lieflow(&["run", &file("empty", "")]).refuses(&["'system' is missing"]);
}

#[test]
fn wrong_types_say_what_was_found_and_expected() {
    refuse(
        "text",
        "strength = 1.3",
        "strength = \"big\"",
        &["p.toml:7:12: parameters.strength", "found the text \"big\"", "expected a number"],
    );
    refuse(
        "table",
        "momentum = [0.4, -0.7, 1.2]",
        "momentum = { x = 1 }",
        &["p.toml:11:12", "found a table", "a vector of three numbers"],
    );
    refuse(
        "length",
        "[0.4, -0.7, 1.2]",
        "[0.4, -0.7]",
        &["p.toml:11:12: initial.momentum", "found a list of 2"],
    );
    refuse(
        "entry",
        "[0.4, -0.7, 1.2]",
        "[0.4, \"x\", 1.2]",
        &["p.toml:11:18: initial.momentum[2]", "expected a number"],
    );
    refuse(
        "date",
        "until = 1.0",
        "until = 2020-01-01",
        &["p.toml:16:9: solve.until", "found a date"],
    );
    refuse("scalar", "[initial]", "[[initial]]", &["p.toml", "expected a table"]);
    refuse("syntax", "step = 0.1", "step = ", &["p.toml:15:"]);
    refuse(
        "every",
        "until = 1.0",
        "until = 1.0\n[output]\nevery = 0",
        &["p.toml:18:9: output.every", "above zero"],
    );
    refuse(
        "fraction",
        "until = 1.0",
        "until = 1.0\n[output]\nevery = 1.5",
        &["p.toml:18:9: output.every", "whole number"],
    );
}

#[test]
fn steps_must_be_finite_and_positive() {
    for bad in ["0", "0.0", "-0.1", "nan", "inf", "-inf", "1e999", "abc", "[1]"] {
        lieflow(&["run", "mild-top", "--step", bad]).refuses(&["--step: solve.step", "expected"]);
    }
    for bad in ["0", "-1e-6", "nan", "inf", "true"] {
        lieflow(&["run", "mild-top", "--tol", bad]).refuses(&["--tol: solve.tol", "expected"]);
    }
    refuse("nan", "step = 0.1", "step = nan", &["p.toml:15:8: solve.step", "found the number NaN"]);
    lieflow(&["run", "mild-top", "--step", "1e-300"])
        .refuses(&["--step: solve.step", "9e15 steps"]);
    lieflow(&["run", "mild-top", "--until", "nan"]).refuses(&["--until: solve.until", "finite"]);
    lieflow(&["run", "mild-top", "--until", "0"])
        .refuses(&["--until: solve.until", "other than the initial"]);
    lieflow(&["run", "mild-top", "--every", "-3"]).refuses(&["--every: output.every"]);
    lieflow(&["order", "mild-top", "--steps", "0.1,0,0.2"]).refuses(&["--steps", "\"0\""]);
    lieflow(&["order", "mild-top", "--steps", "0.1,0.2"])
        .refuses(&["found 2 step sizes", "at least 3"]);
    for study in ["order", "drift", "compare"] {
        lieflow(&[study, "mild-top", "--steps", "1e-300,1e-301,1e-302"])
            .refuses(&["--steps: found \"1e-300\"", "less than 9e15 of them"]);
    }
    lieflow(&["order", "mild-top", "--methods", "rkmk4,rkmk5x"]).refuses(&["methods", "'rkmk5x'"]);
}

#[test]
fn inertias_must_be_symmetric_and_positive() {
    let inertia = "inertia = [0.8, 1.1, 1.7]";
    for (name, bad) in [
        ("zero", "[0.8, 0.0, 1.7]"),
        ("negative", "[0.8, -1.1, 1.7]"),
        ("skew", "[[1.0, 0.1, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]"),
        ("indefinite", "[[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 1.0]]"),
    ] {
        let texts = ["p.toml:4:11: parameters.inertia", "symmetric positive definite"];
        refuse(name, inertia, &format!("inertia = {bad}"), &texts);
    }
    refuse(
        "short",
        inertia,
        "inertia = [[1.0, 0.0], [0.0, 1.0]]",
        &["parameters.inertia", "three rows"],
    );
}

#[test]
fn an_inertia_of_no_body_is_a_warning_not_an_error() {
    let path = top_with("triangle", "inertia = [0.8, 1.1, 1.7]", "inertia = [0.4, 1.1, 1.7]");
    let outcome = lieflow(&["run", &path]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    assert!(outcome.stderr.contains("warning: "), "{outcome:?}");
    assert!(outcome.stderr.contains("p.toml:4:11: parameters.inertia: no rigid body"));
    assert_eq!(lieflow(&["run", &path, "--quiet"]).stderr, "");
    let json = lieflow(&["run", &path, "--json", "--quiet"]).json();
    assert_eq!(json["warnings"].as_array().unwrap().len(), 1);
    // A flat body is the limit, and legal.
    let flat = top_with("flat", "inertia = [0.8, 1.1, 1.7]", "inertia = [0.5, 1.2, 1.7]");
    assert_eq!(lieflow(&["run", &flat]).stderr, "");
}

#[test]
fn rotations_and_unit_vectors_are_never_corrected_silently() {
    let rotation = "rotation = { vector = [0.3, -0.2, 0.5] }";
    let bad = "matrix = [[1.0, 1e-6, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]";
    let texts = ["p.toml:10:23: initial.rotation.matrix", "expected a rotation", "project = true"];
    refuse("matrix", rotation, &format!("rotation = {{ {bad} }}"), &texts);
    let fixed = top_with("project", rotation, &format!("rotation = {{ {bad}, project = true }}"));
    assert_eq!(lieflow(&["run", &fixed]).status, 0);
    let mirror = "rotation = { matrix = [[1, 0, 0], [0, 1, 0], [0, 0, -1]], project = true }";
    refuse("mirror", rotation, mirror, &["determinant -1"]);
    refuse(
        "quaternion",
        rotation,
        "rotation = { quaternion = [1, 0, 0, 0.1] }",
        &["initial.rotation.quaternion", "length one", "project = true"],
    );
    refuse(
        "zero",
        rotation,
        "rotation = { quaternion = [0, 0, 0, 0], project = true }",
        &["not zero"],
    );
    refuse(
        "two",
        rotation,
        "rotation = { vector = [0, 0, 0], quaternion = [1, 0, 0, 0] }",
        &["'vector' and 'quaternion'", "only one"],
    );
    refuse("none", rotation, "rotation = { angle = 3 }", &["'vector' or 'matrix' or 'quaternion'"]);
    refuse(
        "axis",
        "axis = [0.6, 0.0, 0.8]",
        "axis = [0.6, 0.0, 0.81]",
        &["p.toml:5:8: parameters.axis", "length one", "project = true"],
    );
    let scaled = "axis = { vector = [0.6, 0.0, 0.81], project = true }";
    assert_eq!(lieflow(&["run", &top_with("scaled", "axis = [0.6, 0.0, 0.8]", scaled)]).status, 0);
}

#[test]
fn projection_gives_the_nearest_rotation() {
    let rotation = "rotation = { vector = [0.3, -0.2, 0.5] }";
    // A rotation about z with a stretch along it: the stretch goes, the rotation stays.
    let stretched = "rotation = { matrix = [[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.5]], project = true }";
    let path = top_with("nearest", rotation, stretched);
    let out = folder("nearest-out");
    let outcome =
        lieflow(&["run", &path, "--out", out.to_str().unwrap(), "--set", "output.matrix=true"]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
    let text = std::fs::read_to_string(out.join("trajectory.csv")).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let (header, first) = (lines.next().unwrap(), lines.next().unwrap());
    let column = |name: &str| -> f64 {
        first[header.iter().position(|h| *h == name).unwrap()].parse().unwrap()
    };
    for (name, want) in [("r11", 0.6), ("r12", -0.8), ("r21", 0.8), ("r33", 1.0), ("r13", 0.0)] {
        assert!((column(name) - want).abs() < 1e-15, "{name}");
    }
}

#[test]
fn numbers_that_are_not_finite_are_refused_everywhere() {
    refuse("parameter", "strength = 1.3", "strength = inf", &["parameters.strength", "finite"]);
    refuse("initial", "[0.4, -0.7, 1.2]", "[0.4, nan, 1.2]", &["initial.momentum[2]", "finite"]);
    refuse("huge", "strength = 1.3", "strength = 1e400", &["parameters.strength", "1.8e308"]);
    refuse("long", "strength = 1.3", &format!("strength = 1{}", "0".repeat(400)), &["1.8e308"]);
    // Beyond 64 bits but below the largest number: fine as a number.
    let path = top_with("large", "strength = 1.3", "strength = 100000000000000000000");
    assert_ne!(lieflow(&["run", &path, "--until", "1e-12", "--step", "1e-12"]).status, 2);
}

#[test]
fn contradictions_are_named() {
    refuse(
        "both",
        "step = 0.1",
        "step = 0.1\ntol = 1e-6",
        &["p.toml:13:1: solve", "'step' and 'tol' are both given"],
    );
    refuse(
        "two-momenta",
        "momentum = [0.4, -0.7, 1.2]",
        "momentum = [0.4, -0.7, 1.2]\nomega = [1, 0, 0]",
        &["'omega' and 'momentum'"],
    );
    lieflow(&["run", "mild-top", "--step", "0.1", "--tol", "1e-6"]).refuses(&["'step' and 'tol'"]);
    // The command line has the last word over the file.
    let outcome = lieflow(&["run", "mild-top", "--set", "initial.momentum=[1,0,0]"]);
    assert_eq!(outcome.status, 0, "{outcome:?}");
}

#[test]
fn a_tolerance_needs_a_method_with_an_estimate() {
    lieflow(&["run", "mild-top", "--method", "rkmk4", "--tol", "1e-6"])
        .refuses(&["--tol: solve.tol", "'rkmk4' has no error estimate"]);
}

#[test]
fn options_that_a_method_does_not_have_are_refused() {
    lieflow(&["run", "mild-top", "--isotropy", "curvature"])
        .refuses(&["--isotropy: solve.isotropy", "'rkmk4' has no option 'isotropy'"]);
    lieflow(&["run", "mild-top", "--set", "solve.chart=polar"]).refuses(&["solve.chart", "cayley"]);
    lieflow(&["run", "mild-top", "--set", "solve.dexpinv=many"])
        .refuses(&["solve.dexpinv", "brackets"]);
    lieflow(&["run", "mild-top", "--set", "solve.chart=cayley", "--set", "solve.dexpinv=2"])
        .refuses(&["solve.dexpinv", "only the chart exp"]);
}

#[test]
fn settings_must_have_a_key_and_a_value() {
    lieflow(&["run", "mild-top", "--set", "initial.omega"]).refuses(&["--set", "KEY=VALUE"]);
    lieflow(&["run", "mild-top", "--set", "=3"]).refuses(&["--set", "the key \"\""]);
    lieflow(&["run", "mild-top", "--set", "solve.until.x=3"])
        .refuses(&["--set: solve.until.x", "a table there"]);
    lieflow(&["run", "mild-top", "--set", "initial.omgea=[1,0,0]"])
        .refuses(&["--set: initial.omgea", "did you mean 'omega'?"]);
    lieflow(&["run", "mild-top", "--set", "initial.momentum=[1,0"])
        .refuses(&["--set: initial.momentum"]);
    lieflow(&["run", "mild-top", "--set", "a b = 1"]).refuses(&["--set", "the key"]);
}

#[test]
fn files_that_cannot_be_read_or_written_are_named() {
    lieflow(&["run", "nowhere/p.toml"]).refuses(&["nowhere/p.toml", "cannot be read"]);
    let dir = folder("a-folder");
    lieflow(&["run", dir.to_str().unwrap()]).refuses(&["a-folder", "cannot be read"]);
    let binary = folder("binary").join("p.toml");
    std::fs::write(&binary, [0xff, 0xfe, 0x00, 0x80]).unwrap();
    lieflow(&["run", binary.to_str().unwrap()]).refuses(&["p.toml", "cannot be read"]);
    let occupied = folder("occupied").join("file");
    std::fs::write(&occupied, "x").unwrap();
    lieflow(&["run", "mild-top", "--out", occupied.to_str().unwrap()])
        .refuses(&["file", "cannot be written"]);
}

#[test]
fn deep_and_strange_files_do_no_harm() {
    let deep = format!("system = {}1{}", "[".repeat(20_000), "]".repeat(20_000));
    lieflow(&["run", &file("deep", &deep)]).refuses(&["p.toml:1:"]);
    let dotted = format!("{} = 1", vec!["a"; 20_000].join("."));
    lieflow(&["run", &file("dotted", &dotted)]).refuses(&["p.toml:1:"]);
    lieflow(&["run", &file("nul", "system = \"a\u{0}b\"")]).refuses(&["p.toml:1:"]);
    let long = format!("system = \"{}\"", "x".repeat(100_000));
    lieflow(&["run", &file("long-name", &long)]).refuses(&["p.toml:1:10: system"]);
    lieflow(&["run", &file("twice", "system = \"kirchhoff\"\nsystem = \"heavy-top\"")])
        .refuses(&["p.toml:2:1"]);
    lieflow(&["run", &file("number", "system = 3")])
        .refuses(&["p.toml:1:10: system", "found the integer 3"]);
}
