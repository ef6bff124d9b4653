//! Drives systems side by side with fixed steps.
//!
//! The loop is compiled for the states of bodies, whose steps are the quickest, and once for all others: systems, their
//! method and, but for those, the type of their states are behind calls, one for many steps.
use super::rows::Made;
use lieflow::method::{Inside, Method, Step, StepError, StepResult};
use lieflow::problem::Problem;
use lieflow::stepping::{Control, EvenSteps, Fixed, Observer, ObserverResult, Passage, Run};
use lieflow_models::run::{AnyPoint, Attention, Pace, Plan};
use std::fmt::Debug;
use std::ops::ControlFlow;
use std::time::Instant;

/// States at times.
pub type States<Y> = Vec<(f64, Y)>;

/// Integrates systems side by side: their states at the times of the plan, and what each of so many has cost. Nothing if a
/// step fails in some lane.
pub fn drive<Q: Problem>(
    system: &Q,
    method: &mut dyn Method<Q>,
    plan: &Plan,
    count: usize,
) -> Option<(States<Q::Point>, Made)> {
    at_once(system, method, plan, count)
        .or_else(|| run::<Q::Point>(&Known(system), &mut Bound { system, method }, plan, count))
}

/// So few steps are made at once: nobody has to be able to stop them, and they leave no roundings to be taken out.
const FEW: u64 = 64;

/// The same for a few steps that are all alike, if only the state at their end is observed: beside them, the copies of
/// states that the loop below makes would be felt.
fn at_once<Q: Problem>(
    system: &Q,
    method: &mut dyn Method<Q>,
    plan: &Plan,
    count: usize,
) -> Option<(States<Q::Point>, Made)> {
    let Pace::Fixed { step } = plan.pace else { return None };
    if plan.times != [plan.until] {
        return None;
    }
    let mut control = Fixed::new();
    control.begin((plan.from, plan.until), step.copysign(plan.until - plan.from)).ok()?;
    let steps = control.even_steps().filter(|steps| steps.count == control.steps())?;
    if steps.count > FEW {
        return None;
    }
    let clock = Instant::now();
    method.reset();
    let mut end = system.start();
    if method.step_many(system, &steps, &mut end) < steps.count {
        return None;
    }
    let seconds = clock.elapsed().as_secs_f64() / count.max(1) as f64;
    Some((vec![(plan.until, end)], Made { steps: steps.count, seconds }))
}

fn run<'v, Y: Clone + Debug>(
    system: &'v dyn Begun<Y>,
    method: &mut dyn Method<Forgotten<'v, Y>>,
    plan: &Plan,
    count: usize,
) -> Option<(States<Y>, Made)> {
    let Pace::Fixed { step } = plan.pace else { return None };
    let points = Vec::with_capacity(plan.times.len());
    let (times, attention) = (plan.times.as_slice(), Attention::new(&plan.stop));
    let mut sampled = SampledStates { times, until: plan.until, points, attention };
    let mut control = Fixed::new();
    let step = step.copysign(plan.until - plan.from);
    let clock = Instant::now();
    let system = Forgotten(system);
    let run = Run::new(&system, (plan.from, plan.until), step);
    let end = run.drive(method, &mut control as &mut dyn Control, &mut sampled);
    let seconds = clock.elapsed().as_secs_f64() / count.max(1) as f64;
    Some((sampled.points, Made { steps: end.ok()?.steps, seconds }))
}

/// The same by a loop that is compiled once for all systems.
pub fn drive_forgotten<Q: Problem<Point: 'static>>(
    system: &Q,
    method: &mut dyn Method<Q>,
    plan: &Plan,
    count: usize,
) -> Option<(States<AnyPoint>, Made)> {
    run::<AnyPoint>(&Unknown(system), &mut BoundForgotten { system, method }, plan, count)
}

/// What the loop asks of systems side by side.
trait Begun<Y> {
    fn start(&self) -> Y;
    fn restore(&self, y: &mut Y);
}

/// A system whose states are known.
struct Known<'a, Q>(&'a Q);

impl<Q: Problem> Begun<Q::Point> for Known<'_, Q> {
    fn start(&self) -> Q::Point {
        self.0.start()
    }
    fn restore(&self, y: &mut Q::Point) {
        self.0.restore(y);
    }
}

/// One whose states are forgotten.
struct Unknown<'a, Q>(&'a Q);

impl<Q: Problem<Point: 'static>> Begun<AnyPoint> for Unknown<'_, Q> {
    fn start(&self) -> AnyPoint {
        AnyPoint::new(self.0.start())
    }
    fn restore(&self, y: &mut AnyPoint) {
        self.0.restore(y.get_mut());
    }
}

/// Systems side by side whose type is forgotten.
struct Forgotten<'a, Y>(&'a dyn Begun<Y>);

impl<Y: Clone + Debug> Problem for Forgotten<'_, Y> {
    type Point = Y;
    fn start(&self) -> Y {
        self.0.start()
    }
    fn restore(&self, y: &mut Y) {
        self.0.restore(y);
    }
}

/// A method with the systems for which it was made, and with how a state becomes one of theirs.
macro_rules! bound {
    ($name:ident, [$($generics:tt)*], $point:ty, $state:ident => $one:expr, $two:expr) => {
        struct $name<'a, Q: Problem> {
            system: &'a Q,
            method: &'a mut dyn Method<Q>,
        }

        impl<'v, $($generics)*> Method<Forgotten<'v, $point>> for $name<'_, Q> {
            fn step(&mut self, s: Step<'_, Forgotten<'v, $point>>, $state: &mut $point) -> StepResult {
                let out = $two;
                let $state = s.y;
                self.method.step(Step::new(self.system, s.t, s.h, $one), out)
            }
            fn step_many(
                &mut self,
                _: &Forgotten<'v, $point>,
                steps: &EvenSteps,
                $state: &mut $point,
            ) -> u64 {
                self.method.step_many(self.system, steps, $two)
            }
            lieflow::forwards!(self: P => self.method; accept, reset, set_aside, take_back, cost);
            fn interpolate(
                &mut self,
                at: Inside<'_, Forgotten<'v, $point>>,
                $state: &mut $point,
            ) -> Result<(), StepError> {
                let out = $two;
                let Step { t, h, y: $state, .. } = at.step;
                let step = Step::new(self.system, t, h, $one);
                let $state = at.end;
                self.method.interpolate(step.inside($one, at.theta), out)
            }
        }
    };
}
bound!(Bound, [Q: Problem], Q::Point, y => y, y);
bound!(BoundForgotten, [Q: Problem<Point: 'static>], AnyPoint, y => y.get(), y.get_mut());

/// Keeps the states of all lanes at the times of the plan.
struct SampledStates<'a, Y> {
    /// The times that are still to come.
    times: &'a [f64],
    until: f64,
    points: States<Y>,
    attention: Attention<'a>,
}

impl<Q: Problem> Observer<Q> for SampledStates<'_, Q::Point> {
    fn begin(&mut self, _: &Q, (from, _): (f64, f64), y: &Q::Point) -> ObserverResult {
        if self.times.first() == Some(&from) {
            self.times = &self.times[1..];
            self.points.push((from, y.clone()));
        }
        Ok(ControlFlow::Continue(()))
    }

    fn unobserved(&self, _: u64, steps: &EvenSteps) -> u64 {
        self.attention.bound(match self.times {
            [] => steps.count,
            // The state at the end is seen there.
            [time] if *time == self.until => steps.count,
            [time, ..] => steps.before(*time),
        })
    }

    fn end(&mut self, _: &Q, t: f64, y: &Q::Point) {
        if self.times == [t] && t == self.until {
            self.times = &[];
            self.points.push((t, y.clone()));
        }
    }

    fn see(&mut self, passage: &mut Passage<'_, Q>) -> ObserverResult {
        if self.attention.asked() {
            return Ok(ControlFlow::Break(()));
        }
        let forth = passage.to > passage.from;
        while let [time, rest @ ..] = self.times
            && (if forth { *time <= passage.to } else { *time >= passage.to })
        {
            let mut y = passage.end.clone();
            passage.at(*time, &mut y)?;
            self.times = rest;
            self.points.push((*time, y));
        }
        Ok(ControlFlow::Continue(()))
    }
}
