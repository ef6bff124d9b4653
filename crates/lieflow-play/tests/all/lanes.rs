//! A lane makes the steps of `lieflow run`, and goes on where it is when something is switched.
use super::{show, shown};
use lieflow_models::problem_file::{Document, Setting};
use lieflow_models::run::{NullSink, State};
use lieflow_play::{Advanced, Begin, Lane, Order, Pacing, Report, Show, Task};
use lieflow_testing::problems::FALLING_TOP;
use std::sync::Arc;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(60);

fn set(lane: &Lane, task: Task) -> Report {
    assert!(lane.order(Order::Set(task)));
    lane.wait(LONG).unwrap()
}

fn advance(lane: &Lane, to: f64, steps: u64) -> Advanced {
    assert!(lane.order(Order::Advance { to, steps, keep: 4, budget: LONG }));
    match lane.wait(LONG).unwrap() {
        Report::Advanced(advanced) => advanced,
        other => panic!("{other:?}"),
    }
}

fn start(show: &Arc<Show>, task: Task) -> Lane {
    let lane = Lane::start(show.clone()).unwrap();
    assert!(matches!(set(&lane, task), Report::Began(_)));
    lane
}

/// The last state of `lieflow run`, with some keys set.
fn run(show: &Show, keys: &[&str]) -> State {
    let settings: Vec<Setting> =
        keys.iter().map(|key| Setting::parse("--set", key).unwrap()).collect();
    let document = Document::parse(&show.text, "test", &settings).unwrap();
    document.build().unwrap().run(&document.plan().unwrap(), &mut NullSink).unwrap().state
}

/// The state at a time that is a multiple of the step, in pieces of uneven length.
fn live(lane: &Lane, until: f64) -> State {
    let mut t = 0.0;
    let mut last = None;
    while t < until {
        t = f64::min(t + 0.0371, until - 1e-9);
        let advanced = advance(lane, t, u64::MAX);
        last = advanced.samples.last().map(|s| s.state.clone()).or(last);
        if t >= until - 2e-9 {
            break;
        }
    }
    last.unwrap()
}

/// The same bits as a run without anybody looking, for methods of every kind, with and without memory.
#[test]
fn states_are_those_of_a_run() {
    for (problem, method, step) in [
        ("racket", "exs", "0.1"),
        ("fast-top", "liemid-ea", "0.0125"),
        ("mild-top", "rkmk4", "0.05"),
        ("double-spherical-pendulum", "rattle", "0.025"),
        ("kepler", "midpoint-variational", "0.025"),
        ("coupled-bodies", "rkmk4", "0.025"),
        ("chain-generic-n5", "rkmk-gl4", "0.025"),
    ] {
        let show = show(problem);
        let task = Task {
            method: Some(method.into()),
            pacing: Some(Pacing::Step(step.parse().unwrap())),
            ..Task::plain()
        };
        let lane = start(&show, task);
        let seen = live(&lane, 1.0);
        let keys =
            ["solve.until=1", &format!("solve.method={method}"), &format!("solve.step={step}")];
        let expected = run(&show, &keys);
        assert_eq!(seen.parts, expected.parts, "{problem} by {method}");
        assert!((seen.t - expected.t).abs() < 1e-14, "{problem}");
    }
}

#[test]
fn adaptive_steps_are_those_of_a_run() {
    let show = show("mild-top");
    let task = |begin| Task {
        method: Some("rkmk-dp54".into()),
        pacing: Some(Pacing::Tolerance(1e-7)),
        begin,
        ..Task::plain()
    };
    let lane = start(&show, task(Begin::Anew));
    let keys = ["solve.method=rkmk-dp54", "solve.tol=1e-7"];
    // All steps of the run but the last, which ends at its end.
    let settings: Vec<Setting> =
        keys.iter().map(|key| Setting::parse("--set", key).unwrap()).collect();
    let document = Document::parse(&show.text, "test", &settings).unwrap();
    struct Steps(Vec<State>);
    impl lieflow_models::run::Sink for Steps {
        fn sample(&mut self, state: &State, _: &[f64]) -> std::ops::ControlFlow<()> {
            self.0.push(state.clone());
            std::ops::ControlFlow::Continue(())
        }
    }
    let mut steps = Steps(Vec::new());
    let mut plan = document.plan().unwrap();
    (plan.every, plan.times) = (1, Vec::new());
    document.build().unwrap().run(&plan, &mut steps).unwrap();
    for expected in &steps.0[1..steps.0.len() - 1] {
        let advanced = advance(&lane, f64::INFINITY, 1);
        assert_eq!(&advanced.samples[0].state, expected);
    }
}

/// Switching to another method and back keeps the state, and so does another step.
#[test]
fn method_and_step_switch_while_it_runs() {
    let show = show("racket");
    let lane = start(&show, Task::plain());
    let before = live(&lane, 1.0);
    for (method, step) in [("rkmk4", 0.05), ("rk4", 0.05), ("exs", 0.1)] {
        let task = Task {
            method: Some(method.into()),
            pacing: Some(Pacing::Step(step)),
            begin: Begin::Here(vec![]),
            ..Task::plain()
        };
        let Report::Began(began) = set(&lane, task) else { panic!("{method}") };
        assert!(!began.anew && began.card.id == method);
        assert_eq!(began.first.state.parts, before.parts, "{method}");
        assert_eq!(began.first.state.t, before.t, "{method}");
    }
    let after = advance(&lane, before.t + 0.1 - 1e-9, u64::MAX);
    assert_eq!(after.samples.len(), 1);
    assert_ne!(after.samples[0].state.parts, before.parts);
}

#[test]
fn parameters_change_and_states_are_nudged_while_it_runs() {
    let show = show("racket");
    let lane = start(&show, Task::plain());
    let before = live(&lane, 1.0);
    let change = |key: &str, value: &str, nudges: Vec<(String, Vec<f64>)>| Task {
        changes: vec![(key.into(), value.into())],
        begin: Begin::Here(nudges),
        ..Task::plain()
    };
    let task = change("parameters.inertia", "[1.0, 2.5, 3.0]", vec![]);
    let Report::Began(began) = set(&lane, task) else { panic!() };
    assert!(!began.anew);
    assert_eq!(began.first.state.part("rotation"), before.part("rotation"));
    assert_eq!(began.first.state.part("momentum"), before.part("momentum"));
    assert_ne!(began.first.invariants, [0.0; 4]);
    let nudge = vec![("omega".to_string(), vec![0.0, 0.0, 1.0])];
    let task = change("parameters.inertia", "[1.0, 2.0, 3.0]", nudge);
    let Report::Began(began) = set(&lane, task) else { panic!() };
    let omega = |state: &State| state.part("omega").unwrap().numbers();
    let (old, new) = (omega(&before), omega(&began.first.state));
    assert!((new[2] - old[2] - 1.0).abs() < 1e-12, "{old:?} {new:?}");
    // What cannot be nudged begins anew, with a reason.
    let task = change("initial.rotation.vector", "[1.0, 0.0, 0.0]", vec![("no".into(), vec![1.0])]);
    let Report::Began(began) = set(&lane, task) else { panic!() };
    assert!(began.anew && began.because.is_some());
}

/// A state of other length or kind is never taken for one of this system.
#[test]
fn a_state_that_does_not_fit_begins_anew() {
    let show = show("double-spherical-pendulum");
    let lane = start(&show, Task::plain());
    live(&lane, 0.5);
    let space = |name: &str| Task {
        changes: vec![("parameters.space".into(), name.into())],
        method: Some("rkmk4".into()),
        begin: Begin::Here(vec![]),
        ..Task::plain()
    };
    let Report::Began(began) = set(&lane, space("lift")) else { panic!() };
    assert!(!began.anew);
    let Report::Began(began) = set(&lane, space("hamiltonian")) else { panic!() };
    assert!(began.anew && began.because.is_some());
}

#[test]
fn what_cannot_be_done_is_refused_and_the_motion_goes_on() {
    let show = show("racket");
    let lane = start(&show, Task::plain());
    live(&lane, 0.5);
    for task in [
        Task { method: Some("nothing".into()), ..Task::plain() },
        Task { pacing: Some(Pacing::Step(-1.0)), ..Task::plain() },
        // Neither an estimate of its error nor symmetric.
        Task {
            method: Some("rkmk4".into()),
            pacing: Some(Pacing::Tolerance(1e-8)),
            ..Task::plain()
        },
        Task { changes: vec![("parameters.inertia".into(), "[1,2]".into())], ..Task::plain() },
        Task { changes: vec![("no.such.key".into(), "1".into())], ..Task::plain() },
    ] {
        let Report::Refused(text) = set(&lane, task.clone()) else { panic!("{task:?}") };
        assert!(text.len() > 10, "{text}");
    }
    assert_eq!(advance(&lane, 1.0 - 1e-9, u64::MAX).steps, 5);
}

/// An event that stops a run stops the lane, with its name; a new task begins again.
#[test]
fn events_end_a_motion() {
    let show = shown(FALLING_TOP);
    let lane = start(&show, Task::plain());
    let advanced = advance(&lane, 30.0, u64::MAX);
    assert!(advanced.ended.clone().unwrap().contains("falls over"), "{advanced:?}");
    assert!(advanced.reached < 10.0 && !advanced.samples.is_empty());
    assert!(advance(&lane, 31.0, 1).ended.is_some());
    assert!(matches!(set(&lane, Task::plain()), Report::Began(_)));
    assert!(advance(&lane, 0.1, u64::MAX).ended.is_none());
}

/// The classical method loses what the others keep.
#[test]
fn the_racket_drifts_without_geometry() {
    let show = show("racket");
    let lane = start(&show, Task { method: Some("rk4".into()), ..Task::plain() });
    let advanced = advance(&lane, 20.0, u64::MAX);
    let energy = |k: usize| advanced.samples[k].invariants[0];
    let drift = (energy(advanced.samples.len() - 1) / energy(0) - 1.0).abs();
    assert!(drift > 1e-4, "{drift}");
    let lane = start(&show, Task::plain());
    let advanced = advance(&lane, 20.0, u64::MAX);
    let energy = |k: usize| advanced.samples[k].invariants[0];
    let drift = (energy(advanced.samples.len() - 1) / energy(0) - 1.0).abs();
    assert!(drift < 1e-12, "{drift}");
}
