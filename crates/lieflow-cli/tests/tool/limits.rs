//! No input crashes, hangs or eats the machine, and every message is short and harmless.
use crate::common::{command, file, folder, lieflow, outcome, parts};
use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A problem with this line in the table `[initial]`.
fn body(name: &str, line: &str) -> String {
    let text = format!(
        "system = \"rigid-body\"\n[parameters]\ninertia = [1, 2, 3]\n[initial]\n{line}\n\
         [solve]\nmethod = \"rkmk4\"\nstep = 0.1\nuntil = 1\n"
    );
    file(name, &text)
}

/// Quadratic reading would take minutes for these, in an optimised build too.
#[test]
fn long_lines_are_read_in_linear_time() {
    let clock = Instant::now();
    let numbers = "1.0, ".repeat(200_000);
    lieflow(&["run", &body("line", &format!("omega = [{numbers}]"))])
        .refuses(&["line", ":5:9: initial.omega: found a list of 200000, expected a vector"]);
    let pairs: String = (0..40_000).map(|i| format!("a{i}.x = 1, ")).collect();
    let again: String = (0..40_000).map(|i| format!("a{i}.y = 1, ")).collect();
    lieflow(&["run", &body("zigzag", &format!("omega = {{ {pairs}{again} z = 1 }}"))])
        .refuses(&["initial.omega"]);
    let key = "k".repeat(400_000);
    let long = lieflow(&["run", &body("key", &format!("omega = [1, 2, 3]\n{key} = [{numbers}]"))]);
    long.refuses(&["unknown key", "initial.kkkk", "…"]);
    assert!(long.stderr.chars().count() < 1000, "{}", long.stderr.len());
    assert!(clock.elapsed() < Duration::from_secs(30), "{:?}", clock.elapsed());
}

#[test]
fn places_count_characters_wherever_they_stand() {
    let title = "é".repeat(100);
    let line = format!("rotation = {{ vector = [0, 0, 0] }}\nomega = [1, 2, \"{title}\"] # ü");
    lieflow(&["run", &body("column", &line)])
        .refuses(&[":6:16: initial.omega[3]: found the text \"éé", "…"]);
}

#[cfg(unix)]
#[test]
fn what_has_no_end_is_refused_before_it_is_read() {
    lieflow(&["run", "/dev/zero"]).refuses(&["/dev/zero", "device", "plain file"]);
    lieflow(&["run", "/dev/urandom"]).refuses(&["device"]);
    let dir = folder("endless");
    lieflow(&["run", dir.to_str().unwrap()]).refuses(&["folder"]);
    let long = dir.join("long.toml");
    std::fs::File::create(&long).unwrap().set_len(1 << 40).unwrap();
    lieflow(&["run", long.to_str().unwrap()]).refuses(&["1099511627776 bytes", "at most 64 MiB"]);
    let pipe = dir.join("pipe.toml");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if made.is_ok_and(|status| status.success()) {
        lieflow(&["run", pipe.to_str().unwrap()]).refuses(&["pipe", "nobody writes"]);
    }
    let many = "[ensemble]\ncount = 2\n[[ensemble.vary]]\nkey = \"initial.omega\"\n";
    let table = format!("omega = [1, 2, 3]\n{many}csv = \"/dev/zero\"\ncolumns = [\"x\"]");
    lieflow(&["ensemble", &body("csv", &table)]).refuses(&["ensemble.vary[1].csv", "device"]);
}

#[test]
fn standard_input_is_a_problem_too() {
    let text = std::fs::read_to_string(body("stdin", "omega = [1, 2, 3]")).unwrap();
    let run = |text: &str| {
        let mut child = command();
        child.args(["run", "-", "--quiet"]).stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        outcome(child.wait_with_output().unwrap())
    };
    assert_eq!(run(&text).status, 0);
    run(&text.replace("rkmk4", "rkmk")).refuses(&["standard input:7:10: solve.method"]);
}

#[test]
fn messages_are_short_and_steer_no_terminal() {
    let red = "\u{1b}[31mred\u{202e}";
    for outcome in [
        lieflow(&["run", &format!("{red}.toml")]),
        lieflow(&["run", "fast-top", "--set", &format!("initial.\"{red}\"=1")]),
        lieflow(&["run", "fast-top", "--method", &"m".repeat(60_000)]),
        lieflow(&["run", &body("text", &format!("omega = \"{}\"", "x".repeat(100_000)))]),
        lieflow(&["certify", &"m".repeat(60_000)]),
    ] {
        outcome.refuses(&[]);
        assert!(!outcome.stderr.contains(['\u{1b}', '\u{202e}']), "{}", outcome.stderr);
        assert!(outcome.stderr.len() < 8_000, "{}", outcome.stderr.len());
    }
}

#[test]
fn numbers_are_blamed_where_they_stand() {
    lieflow(&["run", "fast-top", "--until", "1e308"])
        .refuses(&["--until: solve.until: found the number 1e308"]);
    lieflow(&["run", "fast-top", "--step", "1e-300"])
        .refuses(&["--step: solve.step", "9e15 steps"]);
    let dipoles = |set: &str| lieflow(&["run", "dipoles-4x4", "--set", set]);
    dipoles("parameters.length=1e-308").refuses(&["parameters.length", "the number 1e-308"]);
    dipoles("parameters.mass=5e-324").refuses(&["parameters.mass", "5e-324"]);
    let quad = |set: &str| lieflow(&["run", "quad-published", "--until", "0.1", "--set", set]);
    quad("initial.velocity=[1e160,0,0]").refuses(&["initial.velocity", "1e100"]);
    quad("parameters.gravity=1e200").refuses(&["parameters.gravity", "1e100"]);
    lieflow(&["run", "ortolan", "--set", "initial.rotation={ vector = [0, 0, 0] }"])
        .refuses(&["initial.rotation", "pole"]);
}

#[test]
fn accuracy_and_work_have_bounds() {
    let pair = ["run", "mild-top", "--method", "rkmk-dp54", "--until", "1"];
    let with = |more: &[&'static str]| lieflow(&[&pair[..], more].concat());
    with(&["--tol", "1e-30"]).refuses(&["--tol: solve.tol", "at least 1e-15"]);
    with(&["--tol", "1e-8", "--set", "solve.max_steps=0"]).refuses(&["solve.max_steps"]);
    let cut = with(&["--tol", "1e-8", "--set", "solve.max_steps=5", "--json"]);
    assert_eq!(cut.status, 1, "{cut:?}");
    assert!(cut.stderr.contains("5 steps were made, as many as allowed (max_steps)"), "{cut:?}");
    assert!(cut.stdout.contains("\"steps\": 5"), "{cut:?}");
}

#[test]
fn a_state_off_its_manifold_is_no_result() {
    let fast = "initial.omega=[-9223372036854775808,-9223372036854775808,-9223372036854775808]";
    for arguments in [
        ["run", "fast-top", "--set", fast, "--until", "0.01", "--json"],
        ["run", "dipoles-4x4", "--set", "parameters.moment=1e8", "--until", "0.05", "--json"],
    ] {
        let (status, stdout, stderr) = parts(&arguments);
        assert_eq!(status, 1, "{stderr}");
        assert!(stderr.contains("away from its manifold (more than 1.0e-6)"), "{stderr}");
        assert!(stdout.contains("manifold_error"), "{stdout}");
    }
    // Classical methods are there to show what they do not keep.
    let flat = ["--set", "parameters.space=euclidean", "--method", "rk4", "--step", "0.05"];
    let flat =
        [&["run", "double-spherical-pendulum", "--until", "2", "--quiet"][..], &flat].concat();
    assert_eq!(lieflow(&flat).status, 0);
}

#[test]
fn threads_and_memory_have_bounds() {
    let tops = |more: &[&'static str]| {
        lieflow(
            &[
                &[
                    "ensemble",
                    "top-ensemble",
                    "--set",
                    "ensemble.count=3",
                    "--set",
                    "ensemble.times=[0.01]",
                    "--until",
                    "0.01",
                ],
                more,
            ]
            .concat(),
        )
    };
    let many = tops(&["--threads", "18446744073709551615", "--json"]);
    assert_eq!(many.status, 0, "{many:?}");
    assert!(many.stderr.contains("--threads") && many.stderr.contains("for each core"), "{many:?}");
    assert!(many.json()["threads"].as_u64().unwrap() < 10_000);
    let times = "ensemble.times={ from = 5e-8, to = 0.01, points = 200000 }";
    let quantiles: Vec<String> = (0..2000).map(|k| format!("{:?}", k as f64 / 2000.0)).collect();
    let quantiles = format!("ensemble.quantiles=[{}]", quantiles.join(","));
    lieflow(&["ensemble", "top-ensemble", "--set", &quantiles])
        .refuses(&["quantiles", "at most 1000"]);
    let huge = ["ensemble", "top-ensemble", "--set", "ensemble.count=1000000000", "--set", times];
    lieflow(&[&huge[..], &["--until", "0.01"]].concat()).refuses(&["GiB", "this machine has left"]);
}
