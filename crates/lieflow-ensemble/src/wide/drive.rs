//! Drives systems side by side with fixed steps.
//!
//! The loop is compiled once for all systems but the quickest: systems, their number of lanes, their method and the type of
//! their states are behind calls, one for many steps.
use super::rows::Made;
use lieflow::method::{Cost, Inside, Method, Step, StepError, StepResult};
use lieflow::problem::Problem;
use lieflow::stepping::{Control, EvenSteps, Fixed, Observer, ObserverResult, Passage, Run};
use lieflow_models::run::{AnyPoint, Attention, Pace, Plan};
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
    let Pace::Fixed { step } = plan.pace else { return None };
    let points = Vec::with_capacity(plan.times.len());
    let (times, attention) = (plan.times.as_slice(), Attention::new(&plan.stop));
    let mut sampled = SampledStates::<Q> { times, until: plan.until, points, attention };
    let mut control = Fixed::new();
    let step = step.copysign(plan.until - plan.from);
    let clock = Instant::now();
    let run = Run::new(system, (plan.from, plan.until), step);
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
    drive(&Forgotten(system), &mut Bound { system, method }, plan, count)
}

/// What the loop asks of systems side by side.
trait Begun {
    fn start(&self) -> AnyPoint;
    fn restore(&self, y: &mut AnyPoint);
}

impl<Q: Problem<Point: 'static>> Begun for Q {
    fn start(&self) -> AnyPoint {
        AnyPoint::new(Problem::start(self))
    }
    fn restore(&self, y: &mut AnyPoint) {
        Problem::restore(self, y.get_mut());
    }
}

/// Systems side by side whose type is forgotten.
struct Forgotten<'a>(&'a dyn Begun);

impl Problem for Forgotten<'_> {
    type Point = AnyPoint;
    fn start(&self) -> AnyPoint {
        self.0.start()
    }
    fn restore(&self, y: &mut AnyPoint) {
        self.0.restore(y);
    }
}

/// A method with the systems for which it was made.
struct Bound<'a, Q: Problem> {
    system: &'a Q,
    method: &'a mut dyn Method<Q>,
}

impl<'v, Q: Problem<Point: 'static>> Method<Forgotten<'v>> for Bound<'_, Q> {
    fn step(&mut self, s: Step<'_, Forgotten<'v>>, out: &mut AnyPoint) -> StepResult {
        self.method.step(Step::new(self.system, s.t, s.h, s.y.get()), out.get_mut())
    }
    fn step_many(&mut self, _: &Forgotten<'v>, steps: &EvenSteps, y: &mut AnyPoint) -> u64 {
        self.method.step_many(self.system, steps, y.get_mut())
    }
    fn accept(&mut self) {
        self.method.accept();
    }
    fn reset(&mut self) {
        self.method.reset();
    }
    fn set_aside(&mut self) {
        self.method.set_aside();
    }
    fn take_back(&mut self) {
        self.method.take_back();
    }
    fn interpolate(
        &mut self,
        at: Inside<'_, Forgotten<'v>>,
        out: &mut AnyPoint,
    ) -> Result<(), StepError> {
        let Step { t, h, y, .. } = at.step;
        let step = Step::new(self.system, t, h, y.get());
        self.method.interpolate(step.inside(at.end.get(), at.theta), out.get_mut())
    }
    fn cost(&self) -> Cost {
        self.method.cost()
    }
}

/// Keeps the states of all lanes at the times of the plan.
struct SampledStates<'a, Q: Problem> {
    /// The times that are still to come.
    times: &'a [f64],
    until: f64,
    points: States<Q::Point>,
    attention: Attention<'a>,
}

impl<Q: Problem> Observer<Q> for SampledStates<'_, Q> {
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
