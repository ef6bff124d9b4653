//! Tolerances for symmetric methods: which steps they get, what is refused, and what does not drift.
use lieflow_models::problem_file::{Document, Setting};
use lieflow_models::problems;
use lieflow_models::run::{Model, NullSink, Plan, Record, RunError};
use lieflow_models::study::drift::{LongRun, Verdict, long_runs_with_tolerances};

fn open(name: &str, settings: &[&str]) -> (Box<dyn Model>, Plan) {
    let settings: Vec<_> =
        settings.iter().map(|text| Setting::parse("--set", text).unwrap()).collect();
    let text = problems::find(name).unwrap().text;
    let document = Document::parse(text, name, &settings).unwrap_or_else(|e| panic!("{e}"));
    (document.build().unwrap(), document.plan().unwrap())
}

fn run(name: &str, settings: &[&str]) -> Record {
    let (model, plan) = open(name, settings);
    model.run(&plan, &mut NullSink).unwrap_or_else(|e| panic!("{name} {settings:?}: {e}"))
}

fn refused(name: &str, settings: &[&str]) -> RunError {
    let (model, plan) = open(name, settings);
    let error = model.check(&plan).unwrap_err();
    assert!(error.is_input());
    error
}

fn drift(name: &str, settings: &[&str], method: &str, tols: &[f64]) -> Vec<LongRun> {
    let (model, plan) = open(name, settings);
    let methods = [method.to_string()];
    long_runs_with_tolerances(model.as_ref(), &plan, &methods, tols, 2, &|_| {}).unwrap()
}

/// The largest difference of two final states.
fn apart(a: &Record, b: &Record) -> f64 {
    let (a, b) = (a.state.numbers(true), b.state.numbers(true));
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn symmetric_methods_of_many_systems_keep_tolerances() {
    for (name, method) in [
        ("kepler", "rkmk-gl4"),
        ("pendulum", "galerkin-s2-gauss2"),
        ("fast-top", "exs@kl6"),
        ("slow-top", "liemid-ea@su4"),
        ("soft-wall", "exs@rkn6"),
        ("mild-top", "rkmk-gl4"),
        ("reduced-body", "rkmk-gl4"),
        ("vortices", "spherical-midpoint@su4"),
        ("macrospin-biaxial", "spherical-midpoint@su4"),
        ("coupled-bodies", "rkmk-gl4"),
    ] {
        let method = format!("solve.method={method}");
        let with =
            |tol: &str| run(name, &[&method, &format!("solve.tol={tol}"), "solve.until=0.5"]);
        let (coarse, fine, finest) = (with("1e-4"), with("1e-7"), with("1e-10"));
        let (far, near) = (apart(&coarse, &finest), apart(&fine, &finest));
        assert!(near < 1e-4 && near < 0.3 * far + 1e-11, "{name} {method}: {far:e} {near:e}");
        assert!(fine.steps >= coarse.steps && fine.cost.field_evaluations > 0);
    }
}

#[test]
fn a_method_is_told_which_steps_to_take() {
    let with = |controller: &str, method: &str| {
        let (controller, method) =
            (format!("solve.controller={controller}"), format!("solve.method={method}"));
        run("soft-wall", &[&method, &controller, "solve.tol=1e-6", "solve.until=2"])
    };
    let (paced, followed) = (with("symplectic", "exs@kl6"), with("reversible", "exs@kl6"));
    let unasked = run("soft-wall", &["solve.method=exs@kl6", "solve.tol=1e-6", "solve.until=2"]);
    assert_eq!(paced.state, unasked.state);
    assert!(paced.state != followed.state && apart(&paced, &followed) < 1e-2);
    assert!(followed.rejected == 0 && paced.rejected <= 1);
}

#[test]
fn what_cannot_be_kept_is_refused() {
    let tol = "solve.tol=1e-6";
    let message = |name: &str, settings: &[&str]| refused(name, settings).to_string();
    let rk4 = message("fast-top", &["solve.method=rkmk4", tol]);
    assert!(rk4.contains("no error estimate") && rk4.contains("reversible"), "{rk4}");
    let settings = ["solve.method=rkmk4", tol, "solve.controller=reversible"];
    let error = refused("fast-top", &settings);
    assert!(matches!(error, RunError::NotSymmetric { .. }), "{error}");
    assert!(error.to_string().contains("is not symmetric"), "{error}");
    let estimate = message("fast-top", &["solve.method=exs", tol, "solve.controller=PI"]);
    assert!(estimate.contains("no error estimate"), "{estimate}");
    let chain = refused("chain-fig5", &["solve.method=rattle", tol]);
    assert!(matches!(chain, RunError::NoTempo { .. }), "{chain}");
    for method in ["rattle", "exs@rkn6"] {
        let method = format!("solve.method={method}");
        let error = refused("fast-top", &[&method, tol, "solve.controller=symplectic"]);
        assert!(matches!(error, RunError::NotPaced { .. }), "{error}");
    }
}

#[test]
fn the_energy_of_an_orbit_does_not_drift() {
    let settings =
        ["initial.q=[0.1, 0.0]", "initial.p=[0.0, 4.358898943540674]", "solve.until=300"];
    for run in drift("kepler", &settings, "rkmk-gl4", &[1e-4, 1e-6]) {
        assert!(run.failure.is_none() && run.step.is_nan() && run.tol.is_some());
        assert_eq!(run.invariants[0].verdict, Verdict::Bounded, "{run:?}");
        assert!(run.invariants[0].blocks.len() >= 63, "{}", run.invariants[0].blocks.len());
    }
}

#[test]
fn the_energy_of_a_motion_without_symmetry_does_not_drift() {
    for run in drift("ortolan", &["solve.until=2000"], "exs@su4", &[1e-3, 1e-5]) {
        let verdict = run.invariants[0].verdict;
        assert!(matches!(verdict, Verdict::Bounded | Verdict::Kept), "{run:?}");
    }
}

/// A hundred thousand periods at five tolerances.
#[test]
#[ignore = "slow: minutes"]
fn nothing_drifts_in_a_hundred_thousand_periods() {
    let tols = [1e-3, 1e-5, 1e-7, 1e-9, 1e-12];
    let until = "solve.until=1000000";
    for run in drift("ortolan", &[until], "exs@kl6", &tols) {
        assert!(run.invariants[0].verdict != Verdict::Drifts, "{run:?}");
    }
}
