//! What helps people at a terminal: listings that fit, names by meaning, verdicts, standard input.
use crate::common::{TOP, command, file, json, lieflow, outcome};
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;

#[test]
fn listings_fit_a_hundred_columns_unless_wide() {
    for what in ["systems", "methods", "problems", "experiments"] {
        let narrow = lieflow(&["list", what]);
        for line in narrow.stdout.lines() {
            assert!(line.chars().count() <= 100, "{what}: {line}");
        }
        let wide = lieflow(&["list", what, "--wide"]);
        assert_eq!(wide.stdout.lines().count(), narrow.stdout.lines().count(), "{what}");
        assert!(!wide.stdout.contains('…') || what == "systems", "{what}");
    }
    let wide = lieflow(&["list", "methods", "--wide"]).stdout;
    assert!(wide.contains("hairervilmart2006") && wide.contains("spin of symmetric tops"));
}

#[test]
fn listings_can_be_chosen_from() {
    let list = |options: &[&str]| {
        let found = json(&[&["list", "methods", "--json"], options].concat());
        found.as_array().unwrap().clone()
    };
    let all = list(&[]);
    let count = |test: &dyn Fn(&Value) -> bool| all.iter().filter(|m| test(m)).count();
    let fits = |m: &Value, system: &str| m["systems"].as_array().unwrap().contains(&system.into());
    assert_eq!(list(&["--adaptive"]).len(), count(&|m| m["adaptive"] == true));
    assert_eq!(list(&["--symplectic"]).len(), count(&|m| m["symplectic"] == true));
    assert_eq!(list(&["--system", "dipoles"]).len(), count(&|m| fits(m, "dipoles")));
    assert_eq!(list(&["--family", "rigid-body"]).len(), count(&|m| m["family"] == "rigid body"));
    let both = list(&["--system", "euclidean", "--symplectic"]);
    assert_eq!(both.len(), count(&|m| fits(m, "euclidean") && m["symplectic"] == true));
    assert!(!both.is_empty());
    let problems = json(&["list", "problems", "--system", "vortices", "--json"]);
    assert_eq!(problems.as_array().unwrap().len(), 4);
    let none = lieflow(&["list", "methods", "--system", "quadrotors", "--symplectic"]);
    assert_eq!((none.status, none.stdout.as_str()), (0, "none\n"));
    lieflow(&["list", "methods", "--system", "dipole"]).refuses(&["--system", "dipoles"]);
    lieflow(&["list", "methods", "--family", "rkm"]).refuses(&["--family", "rkmk"]);
    lieflow(&["list", "problems", "--adaptive"]).refuses(&["--adaptive", "problems"]);
}

#[test]
fn methods_are_found_by_what_others_call_them() {
    for (system, typed, meant) in [
        ("fast-top", "dop853", "rkmk-dop853"),
        ("fast-top", "rk45", "rkmk-dp54"),
        ("fast-top", "RK4", "rkmk4"),
        ("fast-top", "Störmer-Verlet", "exs"),
        ("fast-top", "leapfrog", "exs"),
        ("fast-top", "euler", "lie-euler"),
        ("chain-fig5", "verlet", "rattle"),
        ("chain-fig5", "dmv", "rattle"),
        ("kepler", "stormer", "slgi-theta0.5"),
        ("kepler", "dopri5", "rkmk-dp54"),
        ("macrospin", "rk45", "rkmk-dp54"),
        ("fast-top", "ratle", "rattle"),
    ] {
        let refused = lieflow(&["run", system, "--method", typed]);
        refused.refuses(&[&format!("did you mean '{meant}'?"), "`lieflow list methods --system"]);
        assert!(refused.stderr.chars().count() < 400, "{}", refused.stderr);
    }
    lieflow(&["certify", "dop853"]).refuses(&["rkmk-dop853"]);
}

#[test]
fn every_name_in_the_tables_is_a_method() {
    use lieflow_models::{catalogue, method_names};
    let methods = catalogue::methods();
    let known: Vec<&str> = methods.iter().map(|m| m.card.id).collect();
    for (names, ids) in method_names::SYNONYMS {
        for id in *ids {
            assert!(known.contains(id), "{id}");
        }
        for name in *names {
            assert!(name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()), "{name}");
            let rows = method_names::SYNONYMS.iter().filter(|(n, _)| n.contains(name)).count();
            assert_eq!(rows, 1, "{name}");
        }
    }
    // A card that says it is another one is in the table of such names, and the other way round.
    for m in &methods {
        let said = m.card.title.contains("under another name");
        assert_eq!(said, method_names::SAME.iter().any(|(n, _)| *n == m.card.id), "{}", m.card.id);
    }
    for system in lieflow_models::system::SYSTEMS {
        let fitting: Vec<&str> = (system.methods)().iter().map(|card| card.id).collect();
        let dozen = method_names::worth_trying(&fitting);
        let least = fitting.len().min(8);
        assert!((least..=12).contains(&dozen.len()), "{}: {dozen:?}", system.id);
    }
}

#[test]
fn a_built_in_problem_is_a_template() {
    let shown = lieflow(&["show", "mild-top"]);
    assert_eq!(shown.status, 0);
    let own = file("template", &shown.stdout);
    let same = |problem: &str| json(&["run", problem, "--json", "--quiet"])["state"].clone();
    assert_eq!(same(&own), same("mild-top"));
    lieflow(&["show", "mild-to"]).refuses(&["mild-top"]);
}

#[test]
fn a_problem_can_come_from_standard_input() {
    let piped = |text: &str, arguments: &[&str]| {
        let mut child = command()
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        outcome(child.wait_with_output().unwrap())
    };
    let run = piped(TOP, &["run", "-", "--json"]).json();
    assert_eq!(run["system"], "heavy-top");
    let steps = ["order", "-", "--methods", "rkmk4", "--steps", "0.1,0.05,0.025", "--json"];
    assert_eq!(piped(TOP, &steps).json()["methods"][0]["method"], "rkmk4");
    piped("system = 3", &["run", "-"]).refuses(&["standard input:1", "system"]);
    piped("", &["run", "-"]).refuses(&["standard input", "system"]);
}

#[test]
fn an_unknown_problem_is_answered_with_a_few() {
    let all = "`lieflow list problems`";
    lieflow(&["show", "top"]).refuses(&["'top' (did you mean 'fast-top'?)", "slow-top", all]);
    lieflow(&["run", "heavy-top"]).refuses(&["did you mean 'mild-top'?", "heavy-top-seed", all]);
    lieflow(&["run", "rigid-body"]).refuses(&["did you mean 'fast-top'?", "racket", all]);
    let many = lieflow(&["run", "nothing"]);
    many.refuses(&["'nothing'; there are: fast-top", all]);
    assert!(many.stderr.len() < 240, "{}", many.stderr);
    lieflow(&["list", "methods", "--system", "chain"]).refuses(&["did you mean 'pendulum-chain'?"]);
}

#[test]
fn a_run_says_what_it_is_worth() {
    let good = lieflow(&["run", "fast-top"]);
    for text in ["relative", "largest turn in a step 0.195 rad", "lieflow run fast-top --out DIR"] {
        assert!(good.stdout.contains(text), "{text:?} not in {}", good.stdout);
    }
    assert!(!good.stdout.contains("means nothing"));
    // A momentum that is zero changes by rounding, whatever part of zero that is.
    let ring = lieflow(&["run", "toda", "--strict"]);
    assert!(ring.status == 0 && !ring.stdout.contains("means nothing"), "{}", ring.stdout);
    assert!(ring.stdout.contains("momentum      2.22045e-16"), "{}", ring.stdout);
    // Six digits for people, all of them in JSON and on request.
    assert!(good.stdout.contains(" 0.602513 ") && !good.stdout.contains("0.602513033"));
    let all = lieflow(&["run", "fast-top", "--digits", "17"]);
    assert!(all.stdout.contains("0.60251303312152"));
    for bad in [
        &["fast-top", "--method", "eln", "--step", "0.5"][..],
        &["fast-top", "--method", "lie-euler", "--step", "5"],
        &["kepler", "--set", "initial.p=[0,0]"],
    ] {
        let told = lieflow(&[&["run"], bad].concat());
        assert_eq!(told.status, 0);
        assert!(told.stdout.contains("this step is too large, try --step"), "{}", told.stdout);
        let strict = lieflow(&[&["run"], bad, &["--strict"]].concat());
        assert_eq!(strict.status, 1);
        let json = json(&[&["run"], bad, &["--json"]].concat());
        assert_eq!(json["verdict"]["good"], false);
        assert!(json["verdict"]["try_step"].is_number());
    }
    let one = lieflow(&["run", "free", "--step", "100", "--until", "0.01"]);
    assert!(one.stdout.contains("1 step from") && one.stdout.contains("longer than the whole"));
    assert_eq!(lieflow(&["run", "fast-top", "--strict", "--quiet"]).status, 0);
}

#[test]
fn the_step_that_is_suggested_is_good() {
    let bad = ["run", "fast-top", "--method", "eln", "--step", "0.5", "--json"];
    let step = json(&bad)["verdict"]["try_step"].to_string();
    let again = json(&["run", "fast-top", "--method", "eln", "--step", &step, "--json"]);
    assert!(again["verdict"].is_null(), "{again}");
}

#[test]
fn a_comparison_is_short() {
    let steps = ["--steps", "0.1,0.05,0.025", "--rounds", "1", "--until", "0.5"];
    let found = lieflow(&[&["compare", "mild-top"][..], &steps].concat());
    assert_eq!(found.status, 0, "{found:?}");
    assert!(found.stdout.lines().count() <= 30, "{}", found.stdout);
    assert!(found.stdout.contains("which one to pick"), "{}", found.stdout);
    let all = json(&[&["compare", "slow-top", "--all", "--json"][..], &steps].concat());
    let names: Vec<&str> =
        all["methods"].as_array().unwrap().iter().map(|m| m["method"].as_str().unwrap()).collect();
    assert!(names.len() > 100 && names.contains(&"rattle"));
    assert!(!names.contains(&"dmv") && !names.contains(&"lgvi"));
}

#[test]
fn shells_complete() {
    for shell in ["bash", "zsh", "fish"] {
        let script = lieflow(&["completions", shell]);
        assert_eq!(script.status, 0);
        for word in ["compare", "symplectic", "strict"] {
            assert!(script.stdout.contains(word), "{shell}: {word}");
        }
    }
    lieflow(&["completions", "dos"]).refuses(&["bash"]);
}

#[test]
fn small_mistakes_get_a_way_out() {
    let list = lieflow(&["run", "fast-top", "--set", "initial.omega=1,2,3"]);
    list.refuses(&["initial.omega=[1,2,3]"]);
    let drift = lieflow(&["drift", "quad-full", "--until", "0.01"]);
    assert!(drift.stdout.contains("no invariants"), "{drift:?}");
}
