//! Methods for systems of run-time size, compiled once for all systems on a space.
//!
//! The system is behind one call for each evaluation of its field, which is compiled for the lanes, and so are the maps
//! of the space; states are on the heap, where nothing is lost by calls.
use super::dispatch::{Detected, LaneWork, Number};
use lieflow::Real;
use lieflow::action::Action;
use lieflow::group::ScalarOf;
use lieflow::kernel::scalar::Apart;
use lieflow::method::rkmk::InExponential;
use lieflow::method::{Cost, InlineMethod, Inside, Method, Step, StepError, StepResult};
use lieflow::problem::{AnyTangent, FieldOf, Generator, GroupOf, Problem};
use lieflow::stepping::EvenSteps;
use lieflow::tableau::Tableau;
use std::mem::swap;

/// A method on the field of the system whose steps it makes first; another may follow after a reset.
pub struct OnSpace<A: Action, N> {
    field: Option<AnyTangent<A>>,
    method: InExponential<AnyTangent<A>>,
    spare: Option<A::Point>,
    detected: Detected<N>,
}

impl<A: Action, N: Number> OnSpace<A, N> {
    /// The explicit method with this table in the exponential chart.
    pub fn new(table: &'static Tableau, detected: Detected<N>) -> Self {
        Self { field: None, method: InExponential::new(table), spare: None, detected }
    }
}

/// The field of a system.
fn forgotten<P: Generator + Clone + 'static>(p: &P) -> AnyTangent<P::Space> {
    AnyTangent::new(Box::new(ForLanes(p.clone())))
}

impl<P: Generator + Clone + 'static, N: Number> Method<P> for OnSpace<P::Space, N> {
    /// One step ahead. Those that fail need no reason: their trajectories are run again, each alone.
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let Step { p, t, h, y } = s;
        out.clone_from(y);
        match self.step_many(p, &EvenSteps { from: t, h, first: 0, count: 1 }, out) {
            1 => Ok(None),
            _ => Err(StepError::NoSolution { reason: "a step of several trajectories", step: h }),
        }
    }

    fn step_many(&mut self, p: &P, steps: &EvenSteps, y: &mut P::Point) -> u64 {
        let field = self.field.get_or_insert_with(|| forgotten(p));
        let spare = self.spare.get_or_insert_with(|| y.clone());
        let method = &mut self.method;
        N::compiled(self.detected, Steps { field, method, steps, y, spare })
    }

    fn reset(&mut self) {
        self.method.reset();
        self.field = None;
    }
    fn set_aside(&mut self) {
        self.method.set_aside();
    }
    fn take_back(&mut self) {
        self.method.take_back();
    }

    fn interpolate(&mut self, at: Inside<'_, P>, out: &mut P::Point) -> Result<(), StepError> {
        let field = self.field.get_or_insert_with(|| forgotten(at.step.p));
        match N::interpolate(self.detected, &mut self.method, at.of(field), out) {
            Some(done) => done,
            None => at.by_shorter_step(self, out),
        }
    }

    fn cost(&self) -> Cost {
        self.method.cost()
    }
}

/// Many steps, from one place to the other and back.
struct Steps<'a, A: Action> {
    field: &'a AnyTangent<A>,
    method: &'a mut InExponential<AnyTangent<A>>,
    steps: &'a EvenSteps,
    y: &'a mut A::Point,
    spare: &'a mut A::Point,
}

impl<A: Action> LaneWork for Steps<'_, A> {
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

/// A system whose field is compiled for its lanes, in one place.
struct ForLanes<P>(P);

impl<P: Problem> Problem for ForLanes<P> {
    type Point = P::Point;
    fn start(&self) -> P::Point {
        self.0.start()
    }
}

impl<P: Generator> Generator for ForLanes<P> {
    type Space = P::Space;
    fn field(&self, t: f64, y: &P::Point) -> FieldOf<P> {
        self.0.field(t, y)
    }
    fn field_into(&self, t: f64, y: &P::Point, out: &mut FieldOf<P>) {
        ScalarOf::<GroupOf<P>>::apart(FieldWork { p: &self.0, t, y, out });
    }
}

/// One evaluation.
struct FieldWork<'a, P: Generator> {
    p: &'a P,
    t: f64,
    y: &'a P::Point,
    out: &'a mut FieldOf<P>,
}

impl<P: Generator> Apart for FieldWork<'_, P> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.p.field_into(self.t, self.y, self.out);
    }
}
