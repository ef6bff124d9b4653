//! No option is ignored in silence: with each of them, every method of every kind of system takes
//! another step or says that it has no such choice.
use lieflow_models::problem_file::{Document, Setting};
use lieflow_models::problems;
use lieflow_models::run::{NullSink, Record};

/// A few steps of a built-in problem with settings.
fn run(problem: &str, settings: &[String]) -> Result<Record, String> {
    let text = problems::find(problem).unwrap().text;
    let settings: Vec<_> = settings.iter().map(|s| Setting::parse("--set", s).unwrap()).collect();
    let document = Document::parse(text, problem, &settings).unwrap();
    let plan = document.plan().map_err(|e| e.to_string())?;
    let model = document.build().map_err(|e| e.to_string())?;
    model.check(&plan).map_err(|e| e.to_string())?;
    model.run(&plan, &mut NullSink).map_err(|e| format!("failed: {e}"))
}

/// What a user can see of a run.
fn seen(record: &Record) -> String {
    format!(
        "{:?} {} {} {:?} {:?} {:?}",
        record.state,
        record.steps,
        record.rejected,
        record.cost,
        record.corrections,
        record.polar_corrections
    )
}

const PROBLEMS: [(&str, f64); 11] = [
    ("probe", 0.05),
    ("mild-top", 0.05),
    ("reduced-body", 0.05),
    ("kirchhoff", 0.05),
    ("generic-se3", 0.05),
    ("henon-heiles", 0.1),
    ("vortices", 0.01),
    ("macrospin-biaxial", 0.05),
    ("chain-fig5", 0.01),
    ("dipoles-4x4", 0.01),
    ("quad-published", 0.01),
];

/// Options with what a refusal names. Each must change the steps of a method that accepts it.
const OPTIONS: [(&str, &[&str]); 12] = [
    ("chart=cayley", &["Cayley", "no chart", "exp or cayley"]),
    ("chart=ccsk", &["no chart", "exp or cayley"]),
    ("chart=stereographic", &["stereographic", "no chart", "exp or cayley"]),
    ("dexpinv=1", &["no chart", "exp or cayley"]),
    ("solver=fixed-point", &["explicit", "Newton's method only"]),
    ("solver=newton", &["explicit", "fixed-point iteration only"]),
    ("isotropy=orthogonal", &["isotropy"]),
    ("isotropy=curvature", &["isotropy"]),
    ("conserve=energy", &["conserve", "there are", "invariants"]),
    ("polar=1", &["no polar correction"]),
    ("controller=PI", &["the step is fixed"]),
    ("compensated=true", &["no compensated steps here"]),
];

/// Where an accepted option rightly changes nothing.
fn same_by_nature(problem: &str, method: &str, option: &str, implicit: bool) -> bool {
    match option {
        // All charts of a vector space are one.
        "chart=cayley" | "chart=ccsk" => problem == "henon-heiles",
        // Euler's rule evaluates the field where the differential is the identity, and the midpoint
        // rule applies it to the direction in which it is.
        "dexpinv=1" => matches!(method, "lie-euler" | "rkmk-gl2") || problem == "henon-heiles",
        // The solver that is taken anyway.
        "solver=newton" | "solver=fixed-point" => {
            implicit || matches!(problem, "chain-fig5" | "dipoles-4x4")
        }
        // The given generator may be orthogonal already.
        "isotropy=orthogonal" => true,
        // In a few steps nothing may be lost that counts.
        "compensated=true" => true,
        _ => false,
    }
}

#[test]
fn every_option_is_honoured_or_refused() {
    let (mut accepted, mut refused, mut ignored) = (0, 0, Vec::new());
    for (problem, step) in PROBLEMS {
        let text = problems::find(problem).unwrap().text;
        let model = Document::parse(text, problem, &[]).unwrap().build().unwrap();
        for card in model.methods() {
            let mut base = vec![
                format!("solve.method={}", card.id),
                format!("solve.step={step}"),
                format!("solve.until={}", 3.0 * step),
            ];
            if text.contains("isotropy =") {
                base.push("solve.isotropy=given".into());
            }
            // Some need free motion.
            let Ok(plain) = run(problem, &base) else { continue };
            for (option, words) in OPTIONS {
                let mut settings = base.clone();
                settings.push(format!("solve.{option}"));
                let what = format!("{problem} {} {option}", card.id);
                match run(problem, &settings) {
                    Ok(record) => {
                        accepted += 1;
                        if seen(&record) == seen(&plain)
                            && !same_by_nature(problem, card.id, option, card.implicit)
                        {
                            ignored.push(what);
                        }
                    }
                    // A failure has tried what was asked.
                    Err(message) if message.starts_with("failed") => accepted += 1,
                    Err(message) => {
                        refused += 1;
                        let key = option.split('=').next().unwrap();
                        assert!(message.contains(&format!("solve.{key}")), "{what}: {message}");
                        assert!(words.iter().any(|w| message.contains(w)), "{what}: {message}");
                    }
                }
            }
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(ignored.is_empty(), "ignored: {ignored:#?}");
    assert!(accepted > 500 && refused > 1000);
}

/// Compensated steps are other steps than plain ones, but for roundings, on all systems that have them.
#[test]
fn compensated_steps_differ_by_roundings() {
    let cases = [
        ("probe", "exs@rkn6a", 0.05),
        ("probe", "rkmk-gl4", 0.05),
        ("fast-top", "rattle", 0.001),
        ("mild-top", "cg3", 0.05),
        ("reduced-body", "rkmk4", 0.05),
        ("kirchhoff", "cf4", 0.05),
        ("quad-published", "rkmk4", 0.01),
        ("henon-heiles", "rkmk4", 0.1),
        ("macrospin-biaxial", "rkmk4", 0.05),
        ("spin-ring", "cf4", 0.01),
        ("vortices", "rkmk-dp54", 0.01),
        ("chain-fig5", "cf4", 0.001),
    ];
    for (problem, method, step) in cases {
        let mut settings = vec![
            format!("solve.method={method}"),
            format!("solve.step={step}"),
            format!("solve.until={}", 60.0 * step),
        ];
        let plain = run(problem, &settings).unwrap();
        settings.push("solve.compensated=true".into());
        let compensated = run(problem, &settings).unwrap();
        assert_eq!(compensated.steps, 60, "{problem} {method}");
        assert_ne!(seen(&plain), seen(&compensated), "{problem} {method}");
        let (a, b) = (plain.state.numbers(true), compensated.state.numbers(true));
        let error = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(error < 1e-11, "{problem} {method}: {error:e}");
    }
    let both = ["solve.compensated=true".to_string(), "solve.polar=3".into()];
    assert!(run("probe", &both).unwrap_err().contains("forget what they carry"));
    let settings = ["solve.compensated=true", "solve.method=exs", "solve.tol=1e-6"];
    let followed = run("probe", &settings.map(String::from)).unwrap_err();
    assert!(
        followed.contains("solve.compensated") && followed.contains("give a step"),
        "{followed}"
    );
}

#[test]
fn both_solvers_are_there_for_implicit_methods_in_charts() {
    for problem in ["mild-top", "chain-fig5", "dipoles-4x4"] {
        for method in ["rkmk-gl2", "rkmk-gl4", "rkmk-gl6", "gl4-sym"] {
            let with = |solver: &str| {
                let settings = [
                    format!("solve.method={method}"),
                    "solve.step=0.01".into(),
                    "solve.until=0.05".into(),
                    format!("solve.solver={solver}"),
                ];
                run(problem, &settings).unwrap()
            };
            let (newton, sweeps) = (with("newton"), with("fixed-point"));
            assert!(newton.cost != sweeps.cost, "{problem} {method}");
            assert!(newton.cost.newton_iterations < sweeps.cost.newton_iterations);
        }
    }
}

#[test]
fn keys_of_adaptive_steps_belong_to_a_tolerance() {
    let with = |problem: &str, settings: &[&str]| {
        let settings: Vec<String> = settings.iter().map(|s| s.to_string()).collect();
        run(problem, &settings)
    };
    for key in ["first_step=0.1", "controller=I", "estimate=state"] {
        let message = with("chain-fig5", &[&format!("solve.{key}")]).unwrap_err();
        assert!(message.contains("no effect") && message.contains("tol"), "{message}");
    }
    let pair = ["solve.method=rkmk-dp54", "solve.tol=1e-6"];
    let message = with("chain-fig5", &[pair[0], pair[1], "solve.exponent=0.2"]).unwrap_err();
    assert!(message.contains("plain"), "{message}");
    // A step on the command line takes the place of the tolerance in the file, with its first step.
    assert!(with("chain-fig8", &["solve.step=0.01", "solve.until=0.1"]).is_ok());
    let message = with("chain-fig8", &["solve.step=0.01", "solve.first_step=0.1"]).unwrap_err();
    assert!(message.contains("no effect"), "{message}");
    // With a tolerance they matter.
    let seen_with = |key: &str| {
        let settings = [pair[0], pair[1], "solve.until=1", key];
        seen(&with("chain-fig5", &settings).unwrap())
    };
    let plain = seen_with("solve.from=0");
    for key in ["solve.first_step=0.1", "solve.controller=PI", "solve.estimate=state"] {
        assert!(seen_with(key) != plain, "{key}");
    }
    // Pairs only; others have no estimate.
    let message = with("chain-fig5", &["solve.method=rkmk4", "solve.tol=1e-6"]).unwrap_err();
    assert!(message.contains("no error estimate"), "{message}");
}
