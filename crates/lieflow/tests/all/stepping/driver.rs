//! What the driver tells methods, problems and observers, seen from their side.
use super::support::{Body, body, rk4};
use lieflow::action::Turn;
use lieflow::method::{Corrections, Cost, Method, Step, StepResult};
use lieflow::problem::{Generator, Problem};
use lieflow::stepping::{
    Adaptive, Control, EvenSteps, Event, Fixed, Limits, Observer, ObserverResult, Passage,
    RESTORED_EVERY, Rule, Run, SolveError, Tee, Trajectory, find_root, integrate,
};
use lieflow::{Vec3, vec3};
use std::cell::Cell;
use std::ops::ControlFlow;

/// A body that counts how often roundings are taken out of its state.
struct Counted {
    body: Body,
    restored: Cell<u64>,
}

impl Problem for Counted {
    type Point = Vec3<f64>;
    fn start(&self) -> Vec3<f64> {
        self.body.start
    }
    fn restore(&self, _: &mut Vec3<f64>) {
        self.restored.set(self.restored.get() + 1);
    }
}
impl Generator for Counted {
    type Space = Turn<f64>;
    fn field(&self, t: f64, m: &Vec3<f64>) -> Vec3<f64> {
        self.body.field(t, m)
    }
}

/// A method that adds the step to the first number of its state, alone or so many steps at once, and writes
/// down what it is told.
#[derive(Default)]
struct Probe {
    at_once: u64,
    single: u64,
    together: u64,
    accepted: u64,
    corrections: Corrections,
}

impl<P: Problem<Point = Vec3<f64>>> Method<P> for Probe {
    fn step(&mut self, s: Step<'_, P>, out: &mut Vec3<f64>) -> StepResult {
        self.single += 1;
        self.corrections.made += 1;
        *out = *s.y + vec3(s.h, 0.0, 0.0);
        Ok(None)
    }
    fn step_many(&mut self, _: &P, steps: &EvenSteps, y: &mut Vec3<f64>) -> u64 {
        let made = steps.count.min(self.at_once);
        self.together += made;
        self.corrections.made += made;
        *y += vec3(made as f64 * steps.h, 0.0, 0.0);
        made
    }
    fn accept(&mut self) {
        self.accepted += 1;
    }
    fn cost(&self) -> Cost {
        Cost::default()
    }
    fn corrections(&self) -> Option<Corrections> {
        Some(self.corrections)
    }
}

/// What a method makes at once is taken over, one step too; what it leaves is asked for singly; every step is
/// accepted once, and every so many steps roundings are taken out.
#[test]
fn steps_at_once_and_single_ones_add_up() {
    let steps = 3 * RESTORED_EVERY + 5;
    for at_once in [0, 1, 7, u64::MAX] {
        let p = Counted { body: body(), restored: Cell::new(0) };
        let mut probe = Probe { at_once, ..Probe::default() };
        let span = (0.0, steps as f64 / 64.0);
        let end = integrate(&p, &mut probe, &mut Fixed::new(), span, 1.0 / 64.0, &mut ()).unwrap();
        assert_eq!((end.steps, end.t), (steps, span.1), "{at_once}");
        assert!((end.state.x - p.body.start.x - span.1).abs() < 1e-10, "{at_once}");
        assert_eq!(probe.single + probe.together, steps, "{at_once}");
        assert_eq!(probe.accepted, probe.single, "{at_once}");
        assert_eq!(probe.together > 0, at_once > 0, "{at_once}");
        assert_eq!(p.restored.get(), 3, "{at_once}");
    }
    // Whoever looks at every step gets every step.
    let p = Counted { body: body(), restored: Cell::new(0) };
    let mut probe = Probe { at_once: u64::MAX, ..Probe::default() };
    let mut look = |_: f64, _: &Vec3<f64>| {};
    let span = (0.0, steps as f64 / 64.0);
    integrate(&p, &mut probe, &mut Fixed::new(), span, 1.0 / 64.0, &mut look).unwrap();
    assert_eq!((probe.single, probe.accepted, probe.together), (steps, steps, 0));
    assert_eq!(p.restored.get(), 3);
}

#[test]
fn corrections_of_a_run_are_its_own() {
    let p = body();
    let mut probe = Probe::default();
    for _ in 0..3 {
        let end = integrate(&p, &mut probe, &mut Fixed::new(), (0.0, 1.0), 0.125, &mut ());
        let corrections = end.unwrap().method_corrections.unwrap();
        assert_eq!((corrections.made, corrections.skipped), (8, 0));
    }
}

#[test]
fn a_trajectory_is_that_of_the_last_run() {
    let p = body();
    let mut kept = Trajectory::every(1);
    for until in [1.0, 0.5] {
        integrate(&p, &mut rk4(), &mut Fixed::new(), (0.0, until), 0.25, &mut kept).unwrap();
        assert_eq!(kept.times.len(), kept.values.len());
        assert_eq!(kept.times.len() as f64, 1.0 + until / 0.25);
    }
    assert_eq!(kept.times, [0.0, 0.25, 0.5]);
}

/// An observer that cannot begin.
struct Refuses(f64);
impl Observer<Body> for Refuses {
    fn begin(&mut self, _: &Body, _: (f64, f64), _: &Vec3<f64>) -> ObserverResult {
        Err(SolveError::NotFinite { t: self.0, what: "an observer" })
    }
    fn see(&mut self, _: &mut Passage<'_, Body>) -> ObserverResult {
        Ok(ControlFlow::Continue(()))
    }
}

#[test]
fn the_first_observer_that_fails_is_heard() {
    let (mut one, mut two) = (Refuses(1.0), Refuses(2.0));
    let mut tee = Tee(vec![&mut one, &mut two]);
    let end = integrate(&body(), &mut rk4(), &mut Fixed::new(), (0.0, 1.0), 0.25, &mut tee);
    let error = end.unwrap_err().error;
    assert!(matches!(error, SolveError::NotFinite { t, .. } if t == 1.0), "{error:?}");
}

/// Of the two ends of the last bracket, the one with the smaller value is the answer.
#[test]
fn the_better_end_of_a_bracket_is_the_root() {
    for (zero, sign) in
        [0.21, 0.37, 0.5001, 0.64, 0.93].into_iter().flat_map(|z| [(z, 1.0), (z, -1.0)])
    {
        for tolerance in [0.3, 0.1, 1e-3] {
            let f = |x: f64| sign * (x - zero) * (2.0 + x);
            let mut seen = vec![(0.0, f(0.0)), (1.0, f(1.0))];
            let noted = |x: f64| {
                seen.push((x, f(x)));
                Ok::<f64, ()>(f(x))
            };
            let root = find_root(noted, (0.0, f(0.0)), (1.0, f(1.0)), tolerance).unwrap();
            let below = seen.iter().filter(|p| p.0 <= zero).max_by(|a, b| a.0.total_cmp(&b.0));
            let above = seen.iter().filter(|p| p.0 >= zero).min_by(|a, b| a.0.total_cmp(&b.0));
            let (below, above) = (below.unwrap(), above.unwrap());
            let best = if below.1.abs() <= above.1.abs() { below } else { above };
            assert_eq!(root, *best, "{zero} {sign} {tolerance}: {seen:?}");
            assert!((above.0 - below.0).abs() <= tolerance + 1e-15 || root.1 == 0.0);
        }
    }
}

/// At the end of a step the state of an event is the state itself, bit for bit.
#[test]
fn events_at_the_ends_of_steps_have_their_states() {
    use lieflow::method::commutator_free::ProductMethod;
    let p = body();
    let mut kept = Trajectory::every(1);
    let mut events = [Event::new(|_: &Body, t: f64, _: &Vec3<f64>| t - 0.5)];
    let run = Run::new(&p, (0.0, 1.0), 0.125).events(&mut events);
    let mut method = ProductMethod::new(&lieflow::tableau::CF4);
    run.drive(&mut method, &mut Fixed::new(), &mut kept).unwrap();
    let seen = &events[0].occurrences;
    assert_eq!((seen.len(), seen[0].t), (1, 0.5));
    assert_eq!((kept.times[4], kept.values[4]), (0.5, seen[0].state));
}

/// Rejections in a row are limited, those between accepted steps are not.
#[test]
fn rejections_are_counted_in_a_row() {
    let rejected = |max_rejections: u32, accept_every: usize| {
        let mut control = Adaptive::new(Rule::Elementary, 1e-3, 3);
        control.clip = (0.97, 5.0);
        control.limits = Limits { max_rejections, ..Limits::default() };
        control.begin((0.0, 1e9), 1.0).unwrap();
        let mut count = 0;
        for k in 1..400 {
            let Ok(Some(stride)) = control.propose() else { break };
            let estimate = if k % accept_every == 0 { 0.9e-3 } else { 1.1e-3 };
            match control.judge(&stride, Ok(Some(estimate))) {
                Ok(lieflow::stepping::Verdict::Reject) => count += 1,
                Ok(_) => {}
                Err(error) => return (count, Some(error)),
            }
        }
        (count, None)
    };
    for most in [3, 10] {
        let (count, error) = rejected(most, 1000);
        assert!(count == most && error.is_some(), "{most}: {count} {error:?}");
        // As many as may be before every step that is accepted.
        let (count, error) = rejected(most, most as usize + 1);
        assert!(count > 200 && error.is_none(), "{most}: {count} {error:?}");
    }
}
