//! Explicit methods with any table, and others, for the field of a system or for one that is forgotten.
//!
//! One engine per space makes fixed steps and those with a tolerance: with fixed steps all lanes have the same time.
use super::dispatch::{Detected, LaneWork, Number, WideMethod, by_shorter_step, copy};
use super::lane_field::LaneField;
use lieflow::method::rkmk::{FirstStage, InExponential, LanePace, LaneStep};
use lieflow::method::{InlineMethod, Inside, Method, Step, StepError, StepResult};
use lieflow::problem::{Generator, Problem};
use lieflow::stepping::EvenSteps;
use lieflow::tableau::Tableau;
use std::mem::{needs_drop, swap};

/// A method on the field of the system whose steps it makes first; another may follow after a reset.
pub struct Tables<P: Problem, Q: Generator, N> {
    make: fn(&P) -> Q,
    field: Option<Q>,
    method: InExponential<Q>,
    spare: Option<P::Point>,
    detected: Detected<N>,
}

impl<P: Problem, Q: Generator, N: Number> Tables<P, Q, N> {
    /// The explicit method with this table in the exponential chart, for fields that are made like this.
    pub fn new(table: &'static Tableau, make: fn(&P) -> Q, detected: Detected<N>) -> Self {
        Self { make, field: None, method: InExponential::new(table), spare: None, detected }
    }
}

/// A step that fails needs no reason: its trajectories are run again, each alone.
fn failed(h: f64) -> StepError {
    StepError::NoSolution { reason: "a step of several trajectories", step: h }
}

impl<P, Q, N> Method<P> for Tables<P, Q, N>
where
    P: Problem,
    Q: Generator<Point = P::Point>,
    N: Number,
{
    lieflow::forwards!(self: P => self.method; set_aside, take_back, cost);

    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let Step { p, t, h, y } = s;
        copy(y, out);
        match self.step_many(p, &EvenSteps { from: t, h, first: 0, count: 1 }, out) {
            1 => Ok(None),
            _ => Err(failed(h)),
        }
    }

    fn step_many(&mut self, p: &P, steps: &EvenSteps, y: &mut P::Point) -> u64 {
        let field = self.field.get_or_insert_with(|| (self.make)(p));
        let spare = self.spare.get_or_insert_with(|| y.clone());
        let method = &mut self.method;
        if const { needs_drop::<P::Point>() } {
            return N::compiled(self.detected, Steps { field, method, steps, y, spare });
        }
        for k in 0..steps.count {
            let pace = LanePace::Common { t: steps.time(k), h: steps.h };
            let step = LaneStep { p: field, pace, y, first: FirstStage::Kept };
            if N::step_lanes(self.detected, method, step, spare).is_none() {
                return k;
            }
            method.accept();
            swap(y, spare);
        }
        steps.count
    }

    fn reset(&mut self) {
        self.method.reset();
        self.field = None;
    }

    fn interpolate(&mut self, at: Inside<'_, P>, out: &mut P::Point) -> Result<(), StepError> {
        let field = self.field.get_or_insert_with(|| (self.make)(at.step.p));
        match N::interpolate(self.detected, &mut self.method, at.of(field), out) {
            Some(done) => done,
            None => by_shorter_step(self, at, out),
        }
    }
}

/// Many steps with numbers on the heap, from one place to the other and back.
struct Steps<'a, Q: Generator> {
    field: &'a Q,
    method: &'a mut InExponential<Q>,
    steps: &'a EvenSteps,
    y: &'a mut Q::Point,
    spare: &'a mut Q::Point,
}

impl<Q: Generator> LaneWork for Steps<'_, Q> {
    /// How many were made.
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self { field, method, steps, y, spare } = self;
        let mut k = 0;
        while k < steps.count {
            if method.step_inline(steps.step(field, k, y), spare).is_err() {
                break;
            }
            method.accept();
            swap(y, spare);
            k += 1;
        }
        k
    }
}

/// Another method on a field that is forgotten.
pub struct OnField<P: Generator, M, N, const SHORT_CUTS: bool> {
    field: Option<LaneField<P::Space, SHORT_CUTS>>,
    method: WideMethod<N, M>,
}

impl<P: Generator, M, N: Number, const SHORT: bool> OnField<P, M, N, SHORT> {
    /// This method.
    pub fn new(method: M, detected: Detected<N>) -> Self {
        Self { field: None, method: WideMethod::new(method, detected) }
    }
}

impl<P, M, N, const SHORT: bool> Method<P> for OnField<P, M, N, SHORT>
where
    P: Generator + Clone + 'static,
    M: InlineMethod<LaneField<P::Space, SHORT>>,
    N: Number,
{
    lieflow::forwards!(self: P => self.method; set_aside, take_back, cost);

    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let field = self.field.get_or_insert_with(|| LaneField::of(s.p));
        self.method.step(Step::new(field, s.t, s.h, s.y), out)
    }
    fn step_many(&mut self, p: &P, steps: &EvenSteps, y: &mut P::Point) -> u64 {
        let field = self.field.get_or_insert_with(|| LaneField::of(p));
        self.method.step_many(field, steps, y)
    }
    fn reset(&mut self) {
        self.method.reset();
        self.field = None;
    }
    fn interpolate(&mut self, at: Inside<'_, P>, out: &mut P::Point) -> Result<(), StepError> {
        let field = self.field.get_or_insert_with(|| LaneField::of(at.step.p));
        self.method.interpolate(at.of(field), out)
    }
}
