//! What the tool prints and writes.
use crate::common::{TOP, command, file, folder, lieflow, outcome, top_with};
use serde_json::Value;
use std::process::Stdio;

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn a_run_as_json_has_the_promised_shape() {
    let json = lieflow(&["run", "mild-top", "--json"]).json();
    // More may follow.
    assert_eq!(
        keys(&json)[..11],
        [
            "system",
            "method",
            "from",
            "until",
            "steps",
            "rejected",
            "state",
            "invariants",
            "manifold_error",
            "cost",
            "files"
        ]
    );
    assert_eq!(json["system"], "heavy-top");
    assert_eq!(json["steps"], 40);
    assert_eq!(keys(&json["state"])[0], "t");
    assert_eq!(json["state"]["t"], 2.0);
    assert_eq!(json["state"]["rotation"].as_array().unwrap().len(), 3);
    assert_eq!(json["state"]["rotation"][0].as_array().unwrap().len(), 3);
    for name in ["momentum", "spatial_momentum"] {
        assert_eq!(json["state"][name].as_array().unwrap().len(), 3, "{name}");
    }
    for (_, invariant) in json["invariants"].as_object().unwrap() {
        assert_eq!(keys(invariant), ["initial", "final", "max_error", "slope"]);
    }
    assert_eq!(
        keys(&json["cost"]),
        ["field_evaluations", "exponentials", "newton_iterations", "seconds"]
    );
    assert_eq!(json["cost"]["field_evaluations"], 160);
    assert!(json["manifold_error"].as_f64().unwrap() < 1e-14);
    assert_eq!(json["files"].as_array().unwrap().len(), 0);
}

#[test]
fn numbers_read_back_with_the_same_bits() {
    // The same run, once through JSON text and once through the CSV file, must agree in all bits.
    let out = folder("bits");
    let outcome = lieflow(&["run", "mild-top", "--json", "--out", out.to_str().unwrap()]);
    let json = outcome.json();
    let text = std::fs::read_to_string(out.join("trajectory.csv")).unwrap();
    let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let last: Vec<f64> =
        text.lines().last().unwrap().split(',').map(|x| x.parse().unwrap()).collect();
    let column = |name: &str| last[header.iter().position(|h| *h == name).unwrap()];
    for (i, axis) in ["x", "y", "z"].iter().enumerate() {
        let a = json["state"]["spatial_momentum"][i].as_f64().unwrap();
        assert_eq!(a.to_bits(), column(&format!("spatial_momentum_{axis}")).to_bits());
    }
    let energy = json["invariants"]["energy"]["final"].as_f64().unwrap();
    assert_eq!(energy.to_bits(), column("energy").to_bits());
    // And printing what was read gives the same text.
    let again: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(format!("{again:#}\n"), outcome.stdout);
}

#[test]
fn files_hold_the_trajectory_and_all_that_is_needed_to_repeat_it() {
    let out = folder("files").join("deeper");
    let path = out.to_str().unwrap();
    let run = lieflow(&["run", &file("files", TOP), "--out", path, "--every", "4"]);
    assert_eq!(run.status, 0, "{run:?}");
    let text = std::fs::read_to_string(out.join("trajectory.csv")).unwrap();
    let mut lines = text.lines();
    assert_eq!(
        lines.next().unwrap(),
        "t,qw,qx,qy,qz,omega_x,omega_y,omega_z,momentum_x,momentum_y,momentum_z,\
         spatial_momentum_x,spatial_momentum_y,spatial_momentum_z,energy,momentum_dot_direction"
    );
    // The first state, every fourth of ten, and the last.
    let times: Vec<f64> = lines.map(|l| l.split(',').next().unwrap().parse().unwrap()).collect();
    assert_eq!(times, [0.0, 0.4, 0.8, 1.0]);
    let summary: Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("summary.json")).unwrap()).unwrap();
    for key in ["system", "state", "version", "problem", "conventions", "files"] {
        assert!(!summary[key].is_null(), "{key}");
    }
    assert_eq!(summary["problem"]["output"]["every"], 4);
    assert_eq!(summary["problem"]["initial"]["momentum"][2], 1.2);
    let files = summary["files"].as_array().unwrap();
    assert!(files.iter().all(|f| std::path::Path::new(f.as_str().unwrap()).is_file()), "{files:?}");
    assert!(files.len() >= 2);
}

#[test]
fn the_matrix_of_a_rotation_is_written_on_request_and_agrees_with_the_quaternion() {
    let out = folder("matrix");
    lieflow(&["run", "generic-se3", "--out", out.to_str().unwrap(), "--set", "output.matrix=true"]);
    let text = std::fs::read_to_string(out.join("trajectory.csv")).unwrap();
    let (header, rows) = text.split_once('\n').unwrap();
    assert!(
        header.starts_with("t,qw,qx,qy,qz,r11,r12,r13,r21,r22,r23,r31,r32,r33,position_x"),
        "{header}"
    );
    for row in rows.lines() {
        let x: Vec<f64> = row.split(',').map(|x| x.parse().unwrap()).collect();
        let [w, x1, y, z] = [x[1], x[2], x[3], x[4]];
        assert!(w >= 0.0);
        // The entries of a rotation from its unit quaternion, by rows.
        let want = [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x1 * y - w * z),
            2.0 * (x1 * z + w * y),
            2.0 * (x1 * y + w * z),
            1.0 - 2.0 * (x1 * x1 + z * z),
            2.0 * (y * z - w * x1),
            2.0 * (x1 * z - w * y),
            2.0 * (y * z + w * x1),
            1.0 - 2.0 * (x1 * x1 + y * y),
        ];
        for (got, want) in x[5..14].iter().zip(want) {
            assert!((got - want).abs() < 1e-14, "{row}");
        }
    }
}

#[test]
fn a_failed_run_exits_with_one_and_keeps_what_it_had() {
    // The angular velocity overflows in a few steps of this size.
    let path = top_with("fails", "[0.4, -0.7, 1.2]", "[1e150, -0.7e150, 1e150]");
    let out = folder("fails-out");
    let run = lieflow(&["run", &path, "--json", "--out", out.to_str().unwrap()]);
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stderr.contains("at t = "), "{run:?}");
    assert!(run.stderr.contains("accepted steps"), "{run:?}");
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(json["failure"].as_str().unwrap().contains("at t = "));
    let text = std::fs::read_to_string(out.join("trajectory.csv")).unwrap();
    assert!(text.lines().count() >= 2, "{text}");
    let summary: Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("summary.json")).unwrap()).unwrap();
    assert_eq!(summary["failure"], json["failure"]);
}

#[test]
fn a_step_that_has_no_solution_says_where_and_keeps_the_trajectory() {
    let out = folder("newton");
    let arguments =
        ["run", "heavy-top-seed", "--method", "rkmk-gl6", "--step", "0.5", "--until", "10"];
    let run =
        lieflow(&[&arguments[..], &["--every", "1", "--out", out.to_str().unwrap()]].concat());
    assert_eq!(run.status, 1, "{run:?}");
    assert!(run.stderr.starts_with("error: at t = "), "{run:?}");
    assert!(run.stderr.contains("step 5e-1"), "{run:?}");
    assert!(run.stdout.contains("state at t = "), "{run:?}");
    let text = std::fs::read_to_string(out.join("trajectory.csv")).unwrap();
    assert!(text.lines().nth(1).unwrap().starts_with("0.0,1.0,0.0,0.0,0.0,"), "{text}");
}

#[test]
fn adaptive_steps_keep_a_tolerance_and_count_rejections() {
    let arguments = ["run", "kirchhoff", "--method", "rkmk-dp54", "--json"];
    let run = |tol: &str| lieflow(&[&arguments[..], &["--tol", tol]].concat()).json();
    let (coarse, fine) = (run("1e-5"), run("1e-10"));
    assert!(fine["steps"].as_u64().unwrap() > 4 * coarse["steps"].as_u64().unwrap());
    let error = |json: &Value| json["invariants"]["energy"]["max_error"].as_f64().unwrap();
    assert!(
        error(&fine) < 1e-8 && error(&fine) < 1e-3 * error(&coarse),
        "{} {}",
        error(&coarse),
        error(&fine)
    );
    assert_eq!(fine["state"]["t"], 20.0);
}

#[test]
fn a_run_backwards_undoes_a_run_forwards() {
    let there = lieflow(&["run", "mild-top", "--json", "--step", "1e-3"]).json();
    let state = &there["state"];
    let back = lieflow(&[
        "run",
        "mild-top",
        "--json",
        "--step",
        "1e-3",
        "--set",
        "solve.from=2.0",
        "--until",
        "0",
        "--set",
        &format!("initial.rotation={{matrix={}, project=true}}", state["rotation"]),
        "--set",
        &format!("initial.spatial_momentum={}", state["spatial_momentum"]),
    ])
    .json();
    assert_eq!(back["state"]["t"], 0.0);
    for (i, want) in [0.4, -0.7, 1.2].iter().enumerate() {
        let got = back["state"]["spatial_momentum"][i].as_f64().unwrap();
        assert!((got - want).abs() < 1e-12, "{got} {want}");
    }
}

#[test]
fn the_report_for_people_names_the_essentials() {
    let run = lieflow(&["run", "mild-top"]);
    assert_eq!(run.status, 0);
    assert_eq!(run.stderr, "");
    for text in [
        "heavy-top with rkmk4",
        "40 steps",
        "state at t = 2",
        "rotation",
        "energy",
        "slope",
        "field evaluations",
    ] {
        assert!(run.stdout.contains(text), "{text:?} not in {}", run.stdout);
    }
    let quiet = lieflow(&["run", "mild-top", "--quiet"]);
    assert_eq!((quiet.status, quiet.stdout.as_str(), quiet.stderr.as_str()), (0, "", ""));
}

#[test]
fn lists_have_a_line_each_and_json_arrays() {
    for what in ["systems", "methods", "problems", "experiments"] {
        let text = lieflow(&["list", what]);
        let json = lieflow(&["list", what, "--json"]).json();
        let items = json.as_array().unwrap();
        assert_eq!(text.stdout.lines().count(), items.len() + 1, "{what}");
        for item in items {
            assert!(item["id"].is_string() && item["title"].is_string(), "{item}");
        }
    }
    let methods = lieflow(&["list", "methods", "--json"]).json();
    for method in methods.as_array().unwrap() {
        for key in ["family", "order", "symmetric", "symplectic", "conserves", "implicit", "source"]
        {
            assert!(!method[key].is_null(), "{key} of {method}");
        }
    }
}

#[test]
fn every_built_in_problem_runs() {
    let problems = lieflow(&["list", "problems", "--json"]).json();
    for problem in problems.as_array().unwrap() {
        let id = problem["id"].as_str().unwrap();
        // Three steps tell whether everything fits together.
        let first = lieflow(&["run", id, "--json", "--until", "1e-3", "--step", "5e-4", "--quiet"]);
        assert_eq!(first.status, 0, "{id}: {first:?}");
        assert_eq!(first.json()["system"], problem["system"], "{id}");
    }
}

#[test]
fn an_order_study_has_the_promised_shape() {
    let json = lieflow(&[
        "order",
        "generic-se3",
        "--methods",
        "rkmk4",
        "--steps",
        "0.25,0.125,0.0625",
        "--json",
    ])
    .json();
    let method = &json["methods"][0];
    assert_eq!(method["method"], "rkmk4");
    assert!((method["order"].as_f64().unwrap() - 4.0).abs() < 0.1);
    let points = method["points"].as_array().unwrap();
    assert_eq!(points.len(), 3);
    for point in points {
        for key in ["step", "error", "attitude", "position"] {
            assert!(point[key].is_number(), "{key} of {point}");
        }
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_tool_quietly() {
    let mut child = command()
        .args(["list", "methods", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let outcome = outcome(child.wait_with_output().unwrap());
    assert_eq!((outcome.status, outcome.stderr.as_str()), (0, ""), "{outcome:?}");
}
