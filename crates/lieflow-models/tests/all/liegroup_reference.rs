//! The systems of the Lie-group methods against reference values: from names and
//! texts to numbers.
use lieflow::problem::Value as Part;
use lieflow_models::problem_file::{Document, Setting};
use lieflow_models::problems;
use lieflow_models::run::{NullSink, Record, Sink};
use lieflow_testing::reference::numbers;
use lieflow_testing::relative;
use serde_json::Value;
use std::ops::ControlFlow;

fn reference() -> Value {
    lieflow_testing::reference::public("liegroup")
}

/// The numbers of some parts of the last state.
fn parts(record: &Record, names: &[&str]) -> Vec<f64> {
    let flat = |name: &&str| match record.state.part(name).unwrap() {
        Part::Vector(v) => v.to_vec(),
        Part::Rotation(r) => r.concat(),
        other => panic!("{other:?}"),
    };
    names.iter().flat_map(flat).collect()
}

fn run(problem: &str, settings: &[(&str, String)], sink: &mut dyn Sink) -> Record {
    let settings: Vec<Setting> =
        settings.iter().map(|(key, value)| Setting::value("test", key, value).unwrap()).collect();
    let text = problems::find(problem).unwrap().text;
    let document = Document::parse(text, problem, &settings).unwrap();
    let plan = document.plan().unwrap();
    document.build().unwrap().run(&plan, sink).unwrap()
}

#[test]
fn converged_runs_meet_the_reference_trajectories() {
    let reference = reference();
    // Problem, settings, step, last time, parts here, names there.
    let so3 = (vec!["rotation", "spatial_momentum", "momentum"], vec!["Q", "pi", "Pi"]);
    let dual = (vec!["momentum", "gamma"], vec!["Pi", "Gamma"]);
    let quadratic = (vec!["rotation", "spatial_momentum", "q"], vec!["Q", "pi", "q"]);
    let mut cases = vec![
        ("kirchhoff", None, 0.02, 20.0, (vec!["momentum", "impulse"], vec!["Pi", "P"])),
        ("generic-se3", None, 0.01, 2.0, (vec!["rotation", "position"], vec!["R", "r"])),
    ];
    let body = (vec!["rotation", "momentum"], vec!["R", "pi"]);
    cases.push(("free-body-seed001", None, 0.05, 100.0, body.clone()));
    cases.push(("free-body-other-axis", None, 0.05, 100.0, body));
    for (problem, step, until) in
        [("mild-top", 0.02, 10.0), ("heavy-top-seed", 1e-4, 1.0), ("heavy-top-steiner", 1e-3, 1.0)]
    {
        cases.push((problem, Some("t-so3"), step, until, so3.clone()));
        cases.push((problem, Some("se3-dual"), step, until, dual.clone()));
        cases.push((problem, Some("quadratic"), step, until, quadratic.clone()));
    }
    let mut compared = 0;
    for (problem, formulation, step, last, (ours, theirs)) in cases {
        let trajectories = reference["trajectories"].as_array().unwrap();
        let case = trajectories.iter().find(|c| c["id"] == problem).unwrap();
        for state in case["states"].as_array().unwrap() {
            let until = state["t"].as_f64().unwrap();
            if until > last {
                continue;
            }
            let mut settings = vec![
                ("solve.method", "rkmk-dop853".to_string()),
                ("solve.step", format!("{step:?}")),
                ("solve.until", format!("{until:?}")),
            ];
            settings.extend(formulation.map(|f| ("parameters.formulation", f.to_string())));
            let record = run(problem, &settings, &mut NullSink);
            for (our, their) in ours.iter().zip(&theirs) {
                let (a, b) = (parts(&record, &[our]), numbers(&state[*their]));
                let error = relative(&a, &b);
                assert!(error < 1e-11, "{problem} {formulation:?} t = {until} {our}: {error:e}");
                compared += 1;
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

/// A method name of the reference file as a method and options here.
fn named(name: &str) -> Option<(String, Vec<(&'static str, String)>)> {
    if name.contains("aux") {
        return None;
    }
    let name = name.replace("(order5)", "").to_lowercase();
    for (suffix, option) in
        [("-cayley", ("solve.chart", "cayley")), ("-ccsk", ("solve.chart", "ccsk"))]
    {
        if let Some(method) = name.strip_suffix(suffix) {
            return Some((method.into(), vec![(option.0, option.1.into())]));
        }
    }
    if let Some((method, brackets)) = name.split_once("-trunc") {
        return Some((method.into(), vec![("solve.dexpinv", brackets.into())]));
    }
    Some((name, Vec::new()))
}

#[test]
fn every_method_lands_on_its_fingerprint() {
    let reference = reference();
    let (mut compared, mut worst) = (0, 0.0f64);
    for case in reference["fingerprints"].as_array().unwrap() {
        let problem = case["case"].as_str().unwrap();
        let kind = case["kind"].as_str().unwrap();
        let (formulation, ours): (Option<&str>, &[&str]) = match (problem, kind) {
            ("generic-se3", "finger") => (None, &["rotation", "position"]),
            ("free-body-seed001" | "free-body-other-axis", "finger") => {
                (None, &["rotation", "momentum"])
            }
            ("kirchhoff", "finger") => (None, &["momentum", "impulse"]),
            ("heavy-top-seed" | "mild-top", "finger") => {
                (Some("t-so3"), &["rotation", "spatial_momentum"])
            }
            ("heavy-top-seed" | "mild-top", "fingerlp") => {
                (Some("se3-dual"), &["momentum", "gamma"])
            }
            _ => continue,
        };
        let (h, steps) = (case["h"].as_f64().unwrap(), case["steps"].as_f64().unwrap());
        for (name, state) in case["states"].as_object().unwrap() {
            let Some((method, options)) = named(name) else { continue };
            let mut settings = vec![
                ("solve.method", method),
                ("solve.step", format!("{h:?}")),
                ("solve.until", format!("{:?}", h * steps)),
            ];
            settings.extend(options);
            settings.extend(formulation.map(|f| ("parameters.formulation", f.to_string())));
            let record = run(problem, &settings, &mut NullSink);
            assert_eq!(record.steps as f64, steps);
            let error = relative(&parts(&record, ours), &numbers(state));
            assert!(error < 1e-12, "{problem} {kind} {name}: {error:e}");
            worst = worst.max(error);
            compared += 1;
        }
    }
    println!("{compared} states, largest relative difference {worst:e}");
    assert!(compared > 190, "{compared}");
}

/// Keeps the lengths of the first steps.
#[derive(Default)]
struct First {
    times: Vec<f64>,
}
impl Sink for First {
    fn step(&mut self, t: f64, _: &[f64]) -> ControlFlow<()> {
        if self.times.len() < 3 {
            self.times.push(t);
        }
        ControlFlow::Continue(())
    }
}

#[test]
fn adaptive_runs_make_the_steps_of_the_reference() {
    let reference = reference();
    let mut compared = 0;
    for case in reference["adaptive"].as_array().unwrap() {
        let problem = case["case"].as_str().unwrap();
        let ours: &[&str] = match problem {
            "free-body-seed001" => &["rotation", "momentum"],
            "kirchhoff" => &["momentum", "impulse"],
            "heavy-top-seed" => &["momentum", "gamma"],
            other => panic!("{other}"),
        };
        for run_case in case["runs"].as_array().unwrap() {
            let pair = run_case["pair"].as_str().unwrap().to_lowercase();
            let method = match pair.as_str() {
                "cf32-a" | "cf3-a" => "cf32-a",
                "cf32-b" | "cf3-b" => "cf32-b",
                "cf4-34" | "cf43-34" | "cf43-eq34" => "cf43-eq34",
                "cf4-fsal" | "cf43-fsal" => "cf43-fsal",
                other => other,
            };
            let text = |key: &str| format!("{:?}", case[key].as_f64().unwrap());
            let mut settings = vec![
                ("solve.method", method.to_string()),
                ("solve.tol", text("tol")),
                ("solve.first_step", text("h0")),
                ("solve.until", text("T")),
                ("solve.controller", format!("{:?}", run_case["controller"].as_str().unwrap())),
            ];
            if problem == "heavy-top-seed" {
                settings.push(("parameters.formulation", "se3-dual".into()));
            }
            let mut first = First::default();
            let record = run(problem, &settings, &mut first);
            let name = format!("{problem} {pair} {}", run_case["controller"]);
            assert_eq!(record.steps, run_case["accepted"].as_u64().unwrap(), "{name}");
            assert_eq!(record.rejected, run_case["rejected"].as_u64().unwrap(), "{name}");
            let lengths =
                [first.times[0], first.times[1] - first.times[0], first.times[2] - first.times[1]];
            let error = relative(&lengths, &numbers(&run_case["first_accepted_steps"]));
            assert!(error < 1e-9, "{name}: {error:e}");
            let error = relative(&parts(&record, ours), &numbers(&run_case["final_state"]));
            assert!(error < 1e-9, "{name}: {error:e}");
            compared += 1;
        }
    }
    assert!(compared >= 40, "{compared}");
}

#[test]
fn values_stated_in_the_text_are_met() {
    let settings = |until: &str, step: &str| {
        vec![
            ("solve.method", "rkmk-dop853".to_string()),
            ("solve.until", until.to_string()),
            ("solve.step", step.to_string()),
        ]
    };
    let close = |a: f64, b: f64| assert!(((a - b) / b).abs() < 1e-12, "{a} {b}");
    let record = run("heavy-top-seed", &settings("1", "1e-4"), &mut NullSink);
    let energy = &record.invariants[0];
    assert_eq!(energy.name, "energy");
    close(energy.initial, 5275.933796782547);
    close(parts(&record, &["rotation"])[1], -0.8637418804792011);
    close(parts(&record, &["spatial_momentum"])[0], -60.78138777065879);
    let record = run("heavy-top-steiner", &settings("1", "1e-3"), &mut NullSink);
    close(record.invariants[0].initial, 5435.696790865547);
    close(parts(&record, &["rotation"])[7], -0.7484907911335813);
    let record = run("mild-top", &settings("2", "0.02"), &mut NullSink);
    close(record.invariants[0].initial, 1.8731266014190682);
    close(parts(&record, &["spatial_momentum"])[0], 0.4814767893152651);
}
