//! Every method on every built-in problem gives the bits that it gave when the tables of
//! `data/golden/` were written: on every machine, with whatever vectors it has.
//!
//! A line has the problem, the method, a fingerprint of what came out (states at two times between
//! steps and at the end, invariants, distance from the manifold), and what it cost. A method whose
//! equations have no solution has the states up to there, and a `!`.
//! `LIEFLOW_WRITE_GOLDEN=1 cargo test -p lieflow-models-tests golden` writes the tables anew.
use lieflow::method::Card;
use lieflow::stepping::Rule;
use lieflow_models::problem_file::{Document, Setting};
use lieflow_models::problems::{self, PROBLEMS};
use lieflow_models::run::{Model, Pace, Plan, Record, Sink, State};
use lieflow_models::study::fitting;
use lieflow_models::system::SYSTEMS;
use lieflow_testing::golden::{compare, fingerprint};
use std::ops::ControlFlow;

/// Problems whose built-in forms leave engines out: other spaces, and other options.
const VARIANTS: &[(&str, &[&str])] = &[
    ("fast-top", &["parameters.space=lift"]),
    ("probe", &["solve.chart=cayley"]),
    ("probe", &["parameters.space=lift", "solve.chart=ccsk"]),
    ("reduced-body", &["solve.dexpinv=3"]),
    ("mild-top", &["parameters.formulation=se3-dual"]),
    ("mild-top", &["parameters.formulation=quadratic"]),
    ("mild-top", &["solve.solver=fixed-point"]),
    ("mild-top", &["solve.chart=cayley"]),
    ("generic-se3", &["solve.chart=cayley"]),
    ("generic-se3", &["solve.chart=ccsk"]),
    ("generic-se3", &["solve.dexpinv=2"]),
    ("kirchhoff", &["solve.chart=cayley"]),
    ("chain-generic-n5", &["parameters.space=lift"]),
    ("chain-generic-n5", &["solve.chart=stereographic"]),
    ("double-spherical-pendulum", &["solve.chart=stereographic"]),
    ("chain-generic-n5", &["parameters.space=hamiltonian"]),
    ("chain-generic-n5", &["parameters.space=euclidean"]),
    ("dipoles-4x4", &["parameters.space=hamiltonian"]),
    ("vortices", &["solve.isotropy=curvature"]),
    ("macrospin-biaxial", &["solve.conserve=energy"]),
];

/// Keeps the states that are asked for, and does not follow the steps, so that they may be made
/// many at a time.
#[derive(Default)]
struct Seen(Vec<f64>);
impl Sink for Seen {
    fn follows_steps(&self) -> bool {
        false
    }
    fn sample(&mut self, state: &State, _: &[f64]) -> ControlFlow<()> {
        self.0.extend(state.numbers(true));
        ControlFlow::Continue(())
    }
}

/// What came out of a run, as it stands in a line.
fn value(model: &dyn Model, plan: &Plan) -> String {
    let mut seen = Seen::default();
    let (record, mark) = match model.run(plan, &mut seen) {
        Ok(record) => (Some(Box::new(record)), ""),
        Err(failure) => (failure.record, "!"),
    };
    let Some(record) = record else { return format!("{mark}never") };
    let Record { state, invariants, manifold_error, cost, .. } = *record;
    let mut numbers = seen.0;
    numbers.extend(state.numbers(true));
    numbers.extend(invariants.iter().flat_map(|q| [q.initial, q.last, q.max_error]));
    numbers.push(manifold_error);
    format!(
        "{mark}{:016x} {} {} {} {}",
        fingerprint(numbers),
        record.steps,
        cost.field_evaluations,
        cost.exponentials,
        cost.newton_iterations
    )
}

/// The plan of a line: so many steps of the problem's own size, looked at twice on the way.
fn shortened(plan: &Plan, card: &str, step: f64, steps: f64) -> Plan {
    let mut plan = plan.at(card, step);
    let step = step.copysign(plan.until - plan.from);
    plan.until = plan.from + steps * step;
    plan.every = u64::MAX;
    let looks = if steps > 4.0 { [2.3, steps - 1.5] } else { [0.3, steps - 0.5] };
    plan.times = looks.map(|n| plan.from + n * step).to_vec();
    plan
}

/// Lines of a problem, one for each method, and one more for those that can choose their steps.
fn lines(name: &str, document: &Document, lines: &mut Vec<(String, String)>) {
    let (model, plan) = (document.build().unwrap(), document.plan().unwrap());
    let length = (plan.until - plan.from).abs();
    let step = match plan.pace {
        Pace::Fixed { step } => step,
        Pace::Adaptive { first_step, .. } => first_step.unwrap_or(length / 500.0),
    };
    let size = model.start(plan.from).numbers(false).len();
    let steps = match size {
        0..=20 => 20.0,
        21..=60 => 5.0,
        61..=200 => 3.0,
        _ => 1.0,
    };
    let names = fitting(model.as_ref(), &plan);
    // Newton's method for thousands of unknowns takes minutes.
    let fits = |card: &&Card| names.iter().any(|name| *name == card.id);
    for card in model.methods().iter().filter(fits).filter(|card| size < 1000 || !card.implicit) {
        let mut short = shortened(&plan, card.id, step, steps);
        lines.push((format!("{name}:{}", card.id), value(model.as_ref(), &short)));
        if card.estimate_power.is_some() && size < 1000 {
            let (tol, first_step) = (1e-6, Some(0.5 * step));
            short.pace = Pace::Adaptive { tol, first_step, rule: Rule::Pi };
            short.max_steps = 10 * steps as u64;
            lines.push((format!("{name}:{}:adaptive", card.id), value(model.as_ref(), &short)));
        }
    }
}

/// All problems of a system, and their variants.
fn check(system: &str) {
    let mut all = Vec::new();
    for problem in PROBLEMS {
        let (_, document) = problem.open().unwrap();
        if document.system() == system {
            lines(problem.id, &document, &mut all);
        }
    }
    for (problem, settings) in VARIANTS {
        let text = problems::find(problem).unwrap().text;
        let set: Vec<_> = settings.iter().map(|s| Setting::parse("--set", s).unwrap()).collect();
        let document = Document::parse(text, problem, &set).unwrap_or_else(|e| panic!("{e}"));
        if document.system() == system {
            lines(&format!("{problem},{}", settings.join(",")), &document, &mut all);
        }
    }
    assert!(!all.is_empty(), "no problem of the system {system}");
    compare(system, &all);
}

/// One test for each system: they run side by side.
macro_rules! systems {
    ($($test:ident $system:literal)*) => {
        $(#[test]
        fn $test() {
            check($system);
        })*

        #[test]
        fn every_system_has_a_table() {
            let tested = [$($system),*];
            assert!(SYSTEMS.iter().map(|system| system.id).eq(tested), "{tested:?}");
        }
    };
}
systems! {
    rigid_body "rigid-body"
    reduced_body "reduced-body"
    heavy_top "heavy-top"
    kirchhoff "kirchhoff"
    se3_test "se3-test"
    euclidean "euclidean"
    vortices "vortices"
    macrospin "macrospin"
    spin_ring "spin-ring"
    bloch "bloch"
    landau_zener "landau-zener"
    toda "toda"
    so_n_body "so-n-body"
    pendulum_chain "pendulum-chain"
    dipoles "dipoles"
    quadrotors "quadrotors"
    rates "rates"
    custom "custom"
}
