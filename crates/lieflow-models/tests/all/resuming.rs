//! A run that goes on from a checkpoint comes to the bits of a run that was never interrupted: states,
//! invariants, costs, events, whatever the method remembers.
use lieflow::archive::Archive;
use lieflow_models::problem_file::{Document, Setting};
use lieflow_models::problems;
use lieflow_models::run::{Model, Pace, Plan, Record, RunError, RunFailure, Sink, State};
use lieflow_models::study::fitting;
use std::ops::ControlFlow;

/// Keeps what it is given, the checkpoint before step number `wanted`, counted from zero, and one two
/// steps later.
#[derive(Default)]
struct Keeper {
    rows: Vec<Vec<u64>>,
    steps: u64,
    wanted: u64,
    taken: Option<Vec<u64>>,
    later: Option<Vec<u64>>,
    before: Option<Vec<u64>>,
}

impl Sink for Keeper {
    fn step(&mut self, _: f64, _: &[f64]) -> ControlFlow<()> {
        self.steps += 1;
        ControlFlow::Continue(())
    }
    fn sample(&mut self, state: &State, invariants: &[f64]) -> ControlFlow<()> {
        let numbers = state.numbers(true).into_iter().chain(invariants.iter().copied());
        self.rows.push([state.t].into_iter().chain(numbers).map(f64::to_bits).collect());
        ControlFlow::Continue(())
    }
    fn checkpoint_before(&mut self) -> Option<Vec<u64>> {
        self.before.take()
    }
    fn archive(&mut self, archive: &mut Archive) {
        archive.bits(&mut self.steps);
        archive.list(&mut self.rows, &Vec::new(), |archive, row| {
            archive.list(row, &0, Archive::bits);
        });
    }
    fn takes_checkpoints(&self) -> bool {
        true
    }
    fn checkpoint_due(&mut self, _: bool) -> bool {
        let (first, later) = (self.steps == self.wanted, self.steps == self.wanted + 2);
        (first && self.taken.is_none()) || (later && self.later.is_none())
    }
    fn checkpoint(&mut self, taken: Result<Vec<u64>, &'static str>, _: bool) -> ControlFlow<()> {
        let first = self.steps == self.wanted;
        let place = if first { &mut self.taken } else { &mut self.later };
        *place = Some(taken.unwrap_or_else(|because| panic!("{because}")));
        ControlFlow::Continue(())
    }
}

/// The number of no step.
const NEVER: u64 = u64::MAX / 2;

/// All that a record says, to the bit.
fn told(outcome: Result<Record, RunFailure>) -> String {
    let record = match outcome {
        Ok(record) => record,
        Err(failure) => *failure.record.unwrap_or_else(|| panic!("{}", failure.error)),
    };
    let mut text = format!("{:?} {:?}", record.state, record.invariants);
    let Record { steps, rejected, manifold_error, cost, ended, .. } = &record;
    text += &format!("{steps} {rejected} {manifold_error:?} {cost:?} {ended:?}");
    text += &format!("{:?} {:?}", record.corrections, record.polar_corrections);
    text + &format!("{:?} {:?}", record.events, record.failure)
}

/// Compares a run with one that goes on before step `k`; whether there was such a step.
fn same(model: &dyn Model, plan: &Plan, k: u64, what: &str) -> bool {
    let mut whole = Keeper { wanted: k, ..Keeper::default() };
    let right = told(model.run(plan, &mut whole));
    let Some(taken) = whole.taken else { return false };
    let mut rest = Keeper { wanted: k, before: Some(taken.clone()), ..Keeper::default() };
    let found = told(model.run(plan, &mut rest));
    assert_eq!(right, found, "{what}");
    assert_eq!(whole.rows, rest.rows, "{what}: other rows");
    // The same memory when nothing was done with it, and two steps later.
    assert!(rest.taken == Some(taken), "{what}: another checkpoint");
    assert!(rest.later == whole.later, "{what}: another checkpoint two steps later");
    true
}

fn open(text: &str, name: &str, settings: &[&str]) -> (Box<dyn Model>, Plan) {
    let settings: Vec<_> =
        settings.iter().map(|text| Setting::parse("--set", text).unwrap()).collect();
    let document = Document::parse(text, name, &settings).unwrap_or_else(|e| panic!("{e}"));
    (document.build().unwrap(), document.plan().unwrap())
}

/// All methods of all systems, with fixed steps, between which the run goes on.
#[test]
fn every_method_goes_on() {
    let mut compared = 0;
    for problem in problems::PROBLEMS {
        if problem.id.contains("64x64") {
            continue;
        }
        let (model, plan) = open(problem.text, problem.id, &[]);
        for method in fitting(model.as_ref(), &plan) {
            let mut plan = plan.at(&method, 0.01);
            (plan.from, plan.until) = (0.0, 0.055);
            plan.times.clear();
            (plan.every, plan.watch) = (2, true);
            let what = format!("{} {method}", problem.id);
            compared += u64::from(same(model.as_ref(), &plan, 3, &what));
        }
    }
    assert!(compared > 1000, "{compared}");
}

/// All pairs of all systems, with steps that follow a tolerance.
#[test]
fn every_pair_goes_on() {
    let mut compared = 0;
    for problem in problems::PROBLEMS {
        if problem.id.contains("64x64") {
            continue;
        }
        let (model, plan) = open(problem.text, problem.id, &[]);
        let cards = model.methods();
        for card in cards.iter().filter(|card| card.estimate_power.is_some()) {
            for rule in ["I", "PI"] {
                let mut plan = plan.at(card.id, 0.01);
                let rule = lieflow::stepping::Rule::named(rule).unwrap();
                plan.pace = Pace::Adaptive { tol: 1e-8, first_step: Some(0.1), rule };
                (plan.from, plan.until) = (0.0, 0.2);
                plan.times = vec![0.03, 0.1, 0.11, 0.15, 0.2];
                plan.watch = true;
                let what = format!("{} {}", problem.id, card.id);
                compared += u64::from(same(model.as_ref(), &plan, 2, &what));
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

/// Symmetric methods without an error estimate, with steps that follow the tempo or the energy.
#[test]
fn methods_without_an_estimate_go_on() {
    let mut compared = 0;
    for (name, methods) in [
        ("soft-wall", vec!["exs", "exs@kl6", "exs@rkn6", "liemid-ea", "gl4-sym"]),
        ("ortolan", vec!["exs@rkn6", "liemid-ea"]),
        ("satellite", vec!["exs@rkn6"]),
        ("kepler", vec!["gl4-sym", "galerkin-s2-gauss2"]),
        ("vortices", vec!["spherical-midpoint"]),
        ("coupled-bodies", vec!["rkmk-gl2"]),
    ] {
        for (settings, times) in [(vec![], true), (vec!["solve.first_step=0.01"], false)] {
            let (model, plan) = open(problems::find(name).unwrap().text, name, &[]);
            for method in &methods {
                let mut plan = plan.with_tolerance(method, 1e-7);
                if let (Pace::Adaptive { first_step, .. }, false) =
                    (&mut plan.pace, settings.is_empty())
                {
                    *first_step = Some(0.01);
                }
                (plan.from, plan.until) = (0.0, 0.9);
                plan.times = if times { vec![0.1, 0.33, 0.5, 0.9] } else { Vec::new() };
                plan.watch = true;
                for k in [1, 5, 6, 7] {
                    let what = format!("{name} {method} {settings:?} {k}");
                    compared += u64::from(same(model.as_ref(), &plan, k, &what));
                }
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

/// Events that are noted, that change the state, and that end the run; polar corrections; integrals and
/// isotropy that are chosen; formulas and observables.
#[test]
fn what_else_is_remembered() {
    let bouncing = r#"
system = "custom"
[state]
x = "R3"
v = "R3"
[motion]
field = { x = "v", v = "-9.81*e3" }
[initial]
x = [0.0, 0.0, 1.0]
v = [1.0, 0.0, 0.0]
[[observables]]
name = "height"
formula = "x[3]"
[[events]]
name = "bounce"
formula = "x[3]"
direction = "falling"
change = { v = "[v[1], v[2], -0.8*v[3]]" }
[[events]]
name = "top"
formula = "v[3]"
[solve]
method = "rkmk-dp54"
tol = 1e-9
until = 3.0
"#;
    let (model, mut plan) = open(bouncing, "bouncing", &[]);
    let compared =
        (0..40).filter(|k| same(model.as_ref(), &plan, *k, &format!("bouncing {k}"))).count();
    assert!(compared > 8, "{compared}");
    plan.pace = Pace::Fixed { step: 0.07 };
    for k in [0, 5, 12, 33] {
        assert!(same(model.as_ref(), &plan, k, &format!("bouncing, fixed steps {k}")));
    }
    let settings: [(&str, &[&str]); 4] = [
        ("fast-top", &["solve.polar=3", "solve.until=0.2"]),
        ("vortices", &["solve.conserve=energy", "solve.until=0.3"]),
        ("reduced-body", &["solve.conserve=energy", "solve.until=2"]),
        ("macrospin", &["solve.isotropy=curvature", "solve.until=2"]),
    ];
    for (name, settings) in settings {
        let (model, plan) = open(problems::find(name).unwrap().text, name, settings);
        for k in [0, 1, 7] {
            assert!(same(model.as_ref(), &plan, k, &format!("{name} {settings:?} {k}")));
        }
    }
}

/// The steps are counted on, so that roundings are taken out of the state after the same ones.
#[test]
fn beyond_a_thousand_steps() {
    for (name, step) in [("fast-top", "solve.step=0.0005"), ("generic-se3", "solve.step=0.0005")] {
        let text = problems::find(name).unwrap().text;
        let (model, plan) = open(text, name, &[step, "solve.until=0.8"]);
        for k in [1000, 1023, 1024, 1025] {
            assert!(same(model.as_ref(), &plan, k, &format!("{name} {k}")));
        }
    }
}

/// Takes the checkpoint before the step that leads to the end.
struct Last(Keeper);
impl Sink for Last {
    fn step(&mut self, t: f64, invariants: &[f64]) -> ControlFlow<()> {
        self.0.step(t, invariants)
    }
    fn sample(&mut self, state: &State, invariants: &[f64]) -> ControlFlow<()> {
        self.0.sample(state, invariants)
    }
    fn archive(&mut self, archive: &mut Archive) {
        self.0.archive(archive);
    }
    fn takes_checkpoints(&self) -> bool {
        true
    }
    fn checkpoint_due(&mut self, last: bool) -> bool {
        last && self.0.taken.is_none()
    }
    fn checkpoint(&mut self, taken: Result<Vec<u64>, &'static str>, _: bool) -> ControlFlow<()> {
        self.0.taken = taken.ok();
        ControlFlow::Continue(())
    }
}

/// From the end to a later one: as if that had been asked for at once.
#[test]
fn to_a_later_end() {
    for (name, settings) in [
        ("fast-top", vec!["solve.step=0.01"]),
        ("fast-top", vec!["solve.step=0.013"]),
        ("fast-top", vec!["solve.method=rkmk-dp54", "solve.tol=1e-9", "solve.first_step=0.01"]),
        ("fast-top", vec!["solve.method=liemid-ea", "solve.tol=1e-7"]),
        ("chain-generic-n5", vec!["solve.method=rattle", "solve.step=0.01"]),
    ] {
        let until = |t: f64| {
            let (model, mut plan) = open(problems::find(name).unwrap().text, name, &settings);
            plan.until = t;
            (model, plan)
        };
        let (model, plan) = until(0.25);
        let mut first = Last(Keeper::default());
        told(model.run(&plan, &mut first));
        let (model, plan) = until(0.5);
        let mut whole = Keeper { wanted: NEVER, ..Keeper::default() };
        let right = told(model.run(&plan, &mut whole));
        let mut rest = Keeper { wanted: NEVER, before: first.0.taken, ..Keeper::default() };
        assert!(rest.before.is_some());
        assert_eq!(right, told(model.run(&plan, &mut rest)), "{name} {settings:?}");
        assert_eq!(whole.rows, rest.rows, "{name} {settings:?}");
    }
}

/// A checkpoint of something else is refused, not believed.
#[test]
fn other_runs_are_refused() {
    let (model, plan) = open(problems::find("fast-top").unwrap().text, "fast-top", &[]);
    let mut first = Keeper { wanted: 3, ..Keeper::default() };
    told(model.run(&plan, &mut first));
    let taken = first.taken.unwrap();
    let refused = |model: &dyn Model, plan: &Plan, before: Vec<u64>| {
        let mut rest = Keeper { before: Some(before), ..Keeper::default() };
        let error = *model.run(plan, &mut rest).unwrap_err().error;
        assert!(matches!(error, RunError::Solve { .. }), "{error}");
        let text = error.to_string();
        assert!(text.contains("cannot go on from this checkpoint"), "{text}");
    };
    let mut other = plan.clone();
    other.pace = Pace::Fixed { step: 0.01234 };
    refused(model.as_ref(), &other, taken.clone());
    let mut other = plan.clone();
    other.from = 0.5;
    refused(model.as_ref(), &other, taken.clone());
    refused(model.as_ref(), &plan, taken[..taken.len() - 1].to_vec());
    refused(model.as_ref(), &plan, taken.iter().copied().chain([7]).collect());
    refused(model.as_ref(), &plan, Vec::new());
    // Another divisor of the interval.
    let mut other = plan.clone();
    (other.pace, other.until) = (Pace::Fixed { step: 0.1 }, 0.7);
    let mut first = Keeper { wanted: 3, ..Keeper::default() };
    told(model.run(&other, &mut first));
    other.until = 0.9;
    refused(model.as_ref(), &other, first.taken.unwrap());
}
