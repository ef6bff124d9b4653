//! Methods, one engine per family, and the list of those that fit a trait.
//!
//! A method proposes a step and never touches the accepted state; whoever drives it decides. A
//! file here holds the formulas of a family with their source, the engine, and the cards of its
//! members.
use crate::archive::Archive;
use crate::chart::{Chart, OutOfChart};
use crate::problem::{LegendreError, Problem};
use crate::shown::Shown;
use crate::stepping::EvenSteps;
use core::any::Any;
use lieflow_kernel::Real;

mod anderson;
pub mod casas_owren;
pub mod classical;
pub mod commutator_free;
mod compensated;
pub mod composition;
pub mod cotangent;
pub mod crouch_grossman;
pub mod discrete_gradient;
mod few;
pub mod fixed_point;
mod forward;
mod gauss_family;
pub mod generator;
pub mod gl4_sym;
pub mod gyro;
pub mod implicit;
mod interpolant;
pub mod isospectral;
pub mod isotropy;
pub mod krylov;
pub mod lie_poisson;
pub mod magnus;
pub mod newton;
mod on_field;
mod options;
mod prediction;
pub mod rigid_body;
pub mod rkmk;
pub mod rkmk_gauss;
pub mod spheres;
pub mod spherical;
mod step;
#[cfg(not(target_arch = "nvptx64"))]
pub mod taylor;
pub mod two_storage;
pub mod variational;

pub use compensated::Compensated;
pub use on_field::{OnField, on_field};
pub(crate) use options::{Choices, Solvers};
pub use options::{Estimate, OptionError, Options, Solver};
pub use step::{Inside, Interpolated, Step, StepResult};
pub(crate) use step::{compiled_once, increments, increments_in_chart, remembers};

/// What a list, a report or a citation needs to know of a method.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// The name that people type: lower case, hyphens, stable forever.
    pub id: &'static str,
    /// One line for a listing.
    pub title: &'static str,
    /// The family.
    pub family: &'static str,
    /// Order of convergence.
    pub order: u8,
    /// Whether `step(-h)` undoes `step(h)`.
    pub symmetric: bool,
    /// Whether the step is a symplectic map.
    pub symplectic: bool,
    /// What it conserves, in a few words.
    pub conserves: &'static str,
    /// Whether a step solves equations.
    pub implicit: bool,
    /// Evaluations of the field (or torque) in a step, where that is a fixed number.
    pub evaluations: Option<u32>,
    /// For pairs with an error estimate: one more than the order of the comparison solution, the
    /// power of the step size with which the estimate scales.
    pub estimate_power: Option<u8>,
    /// Key in `references.bib`.
    pub cite: &'static str,
}

impl Card {
    /// A card to be filled in: of an explicit method without an estimate that keeps nothing.
    pub const fn new(
        id: &'static str,
        title: &'static str,
        family: &'static str,
        order: u8,
    ) -> Self {
        Self {
            id,
            title,
            family,
            order,
            symmetric: false,
            symplectic: false,
            conserves: "",
            implicit: false,
            evaluations: None,
            estimate_power: None,
            cite: "",
        }
    }
    /// Whether it can keep a tolerance: by its error estimate, or by reversible steps.
    pub fn keeps_tolerance(&self) -> bool {
        self.estimate_power.is_some() || self.symmetric
    }
    /// What it keeps where the field depends on time. Methods that look at no clock are refused there.
    pub fn when_forced(&self) -> &'static str {
        match (self.family, self.id) {
            ("spheres" | "isotropy", _) | (_, "liemid") => "refused",
            ("classical", _) => "nothing",
            _ if self.symplectic => "symplectic form",
            _ => "manifold",
        }
    }
}

/// What a run has cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Evaluations of the field, force or torque.
    pub field_evaluations: u64,
    /// Exponentials or other chart maps, each with the action that follows it.
    pub exponentials: u64,
    /// Iterations of Newton's method or of a fixed-point iteration.
    pub newton_iterations: u64,
}

impl Cost {
    /// Both together.
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            field_evaluations: self.field_evaluations + other.field_evaluations,
            exponentials: self.exponentials + other.exponentials,
            newton_iterations: self.newton_iterations + other.newton_iterations,
        }
    }
    /// Names its numbers.
    pub(crate) fn archive(&mut self, archive: &mut Archive) {
        let Self { field_evaluations, exponentials, newton_iterations } = self;
        let all = [field_evaluations, exponentials, newton_iterations];
        all.into_iter().for_each(|n| archive.bits(n));
    }
    /// What was added since `before`.
    pub fn since(&self, before: &Self) -> Self {
        Self {
            field_evaluations: self.field_evaluations - before.field_evaluations,
            exponentials: self.exponentials - before.exponentials,
            newton_iterations: self.newton_iterations - before.newton_iterations,
        }
    }
}

/// A one-step method for problems of type `P`. Work space lives in `self`.
pub trait Method<P: Problem> {
    /// Proposes the state at the end of the step, and for pairs an estimate of its local error.
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult;

    /// Makes these steps from `y`, each accepted, with nothing between them, leaves the state
    /// after them in `y` and says how many were made. What remains after the last one is the same as
    /// after [`Method::step`] and [`Method::accept`]. A step that fails is not made but left to
    /// [`Method::step`]; so are all, unless written.
    fn step_many(&mut self, p: &P, steps: &EvenSteps, y: &mut P::Point) -> u64 {
        let _ = (p, steps, y);
        0
    }

    /// Whether [`Method::step_with_increment`] is written.
    fn has_increments(&self) -> bool {
        false
    }

    /// [`Method::step`], but what is added to `increment` is the way from the state to the proposal, with digits that
    /// their difference does not have: what [`Compensated`] adds up. Where the step fails, `increment` is as it was. The
    /// proposal itself need not be made; `room` is for what a method makes of it. Unless written, it fails.
    fn step_with_increment(
        &mut self,
        s: Step<'_, P>,
        room: &mut P::Point,
        increment: &mut P::Point,
    ) -> StepResult {
        let _ = (room, increment);
        Err(StepError::NoSolution {
            reason: "the increments of the method are not known",
            step: s.h,
        })
    }

    /// [`Method::step_many`] by [`Method::step_with_increment`]: what is carried is added to each step, and what the state
    /// after it rounds away is carried on. Unless written, no step is made.
    fn step_many_carrying(
        &mut self,
        p: &P,
        steps: &EvenSteps,
        y: &mut P::Point,
        carry: &mut P::Point,
    ) -> u64 {
        let _ = (p, steps, y, carry);
        0
    }

    /// Whether what states round away is carried from step to step, so that they are not to be
    /// [restored](Problem::restore).
    fn carries_roundings(&self) -> bool {
        false
    }

    /// The last proposal became the state: what was computed at its end may be reused.
    fn accept(&mut self) {}

    /// The next state does not follow from the last proposal: forget what was kept.
    fn reset(&mut self) {}

    /// A look aside begins: puts what is remembered of the last step where other steps do not touch
    /// it, and remembers nothing. Unless written, nothing is remembered afterwards either, which is
    /// right for methods that remember nothing from one step to the next.
    fn set_aside(&mut self) {
        self.reset();
    }

    /// The look aside is over: remembers what was put aside, and nothing since.
    fn take_back(&mut self) {
        self.reset();
    }

    /// Names all that is remembered from one step to the next, so that a run can go on later with the
    /// same bits; `next` is the step that comes. Unless written, nothing is, which is right for
    /// methods that remember nothing. The cost is not among it.
    fn archive(&mut self, next: Step<'_, P>, archive: &mut Archive) {
        let _ = (next, archive);
    }

    /// The state at a place inside the step that was proposed last. Drivers ask between
    /// [`Method::accept`] and the next step or reset, as often as they like, and what they get does
    /// not change the steps that follow.
    ///
    /// Unless a family has an interpolant, this is a shorter step from the same state: on the
    /// manifold and of full order.
    fn interpolate(&mut self, at: Inside<'_, P>, out: &mut P::Point) -> Result<(), StepError> {
        at.by_shorter_step(self, out)
    }

    /// The cost of all steps so far, rejected ones included.
    fn cost(&self) -> Cost;

    /// For methods whose proposal is `phi(u)·y`: the chart `phi` and the coordinates `u` of the
    /// last one.
    fn coordinates(&self) -> Option<InChart<'_>> {
        None
    }

    /// For methods that correct their steps or their field: how often they did.
    fn corrections(&self) -> Option<Corrections> {
        None
    }
}

/// A method whose steps can be compiled into their caller, for callers that are compiled for wider
/// vectors than the rest of the program. [`Method::step`] and [`Method::step_many`] are these,
/// compiled once.
pub trait InlineMethod<P: Problem>: Method<P> {
    /// Whether [`InlineMethod::step_many_inline`] leaves steps that [`InlineMethod::step_inline`]
    /// can make.
    const LEAVES_STEPS: bool = false;

    /// Whether states inside a step come from an interpolant of the family; else from a shorter step.
    const INTERPOLATES: bool = false;

    /// [`Method::step`], always inlined.
    fn step_inline(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult;

    /// [`Method::step_many`], always inlined.
    #[inline(always)]
    fn step_many_inline(&mut self, p: &P, steps: &EvenSteps, y: &mut P::Point) -> u64 {
        self.step_singly_inline(p, steps, y)
    }

    /// The same by single steps, where states are plain numbers, which then may stay in registers. On
    /// the heap nothing would be gained.
    #[inline(always)]
    fn step_singly_inline(&mut self, p: &P, steps: &EvenSteps, y: &mut P::Point) -> u64 {
        if const { core::mem::needs_drop::<P::Point>() } {
            return 0;
        }
        let mut state = y.clone();
        let mut k = 0;
        while k < steps.count {
            let mut next = state.clone();
            if self.step_inline(steps.step(p, k, &state), &mut next).is_err() {
                break;
            }
            self.accept();
            state = next;
            k += 1;
        }
        *y = state;
        k
    }

    /// [`Method::interpolate`] by the interpolant of the family, if there is one and the last step is
    /// remembered.
    fn interpolate_inline(&mut self, at: Inside<'_, P>, out: &mut P::Point) -> Interpolated {
        let _ = (at, out);
        None
    }
}

/// Whether [`Method::step_many`] is worth its compilation: for single numbers. Lanes call
/// [`InlineMethod::step_many_inline`] from functions compiled for them, and nobody waits for many
/// steps with derivatives or in extended precision.
pub(crate) const fn worth_step_many<S: Real>() -> bool {
    S::LANES == 1 && S::DERIVATIVES == 0 && S::SERIES_TERMS == <f64 as Real>::SERIES_TERMS
}

/// How a method went from one state to the next: by one element of the group.
#[derive(Clone, Copy, Debug)]
pub struct InChart<'a> {
    /// The chart.
    pub chart: Chart,
    /// The coordinates, an element of the algebra of the system.
    pub u: &'a dyn Any,
}

/// How often a correction was made, and how often it could not be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Corrections {
    /// Steps or stages with the correction.
    pub made: u64,
    /// Steps or stages without it, or without a part of it: where nothing moves, where it has no
    /// effect on what it should correct, or where it would lead elsewhere.
    pub skipped: u64,
}

impl Corrections {
    /// Both together.
    pub fn and(self, other: Self) -> Self {
        Self { made: self.made + other.made, skipped: self.skipped + other.skipped }
    }
}

/// What the work space of a method still holds of the last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// Nothing of use.
    Nothing,
    /// The stages of the last proposal.
    Proposed,
    /// The stages of the last proposal, which was accepted.
    Accepted,
}

/// Work space and memory of a method while it looks aside. The second space is made when it is
/// first needed.
#[derive(Debug)]
pub(crate) struct Aside<W> {
    work: Option<W>,
    kept: Kept,
}

impl<W> Aside<W> {
    pub(crate) const fn new() -> Self {
        Self { work: None, kept: Kept::Nothing }
    }
    /// The other work space, with what is kept in it.
    fn exchange(&mut self, work: &mut Option<W>, kept: &mut Kept) {
        core::mem::swap(&mut self.work, work);
        core::mem::swap(&mut self.kept, kept);
    }
}

impl Kept {
    /// Names it.
    pub(crate) fn archive(&mut self, archive: &mut Archive) {
        let mut bits = match self {
            Self::Nothing => 0,
            Self::Proposed => 1,
            Self::Accepted => 2,
        };
        archive.bits(&mut bits);
        *self = match bits {
            0 => Self::Nothing,
            1 => Self::Proposed,
            _ => Self::Accepted,
        };
    }
    /// The proposal was accepted, if there is one.
    fn accept(&mut self) {
        if *self == Self::Proposed {
            *self = Self::Accepted;
        }
    }
}

/// Why a step could not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// An implicit equation was not solved.
    #[error(
        "{equation} did not converge in {iterations} iterations (residual {residual:e}, step {})",
        Shown(*.step)
    )]
    NotConverged {
        /// Which equation.
        equation: &'static str,
        /// How many iterations were made.
        iterations: u32,
        /// What was left.
        residual: f64,
        /// The step size.
        step: f64,
    },
    /// A stage left the domain of its chart.
    #[error(
        "a rotation by {} rad within one step leaves the domain of the chart (below {}); use a smaller step",
        Shown(*.angle), Shown(*.limit)
    )]
    ChartLeft {
        /// The rotation.
        angle: f64,
        /// The bound.
        limit: f64,
    },
    /// The step has no solution.
    #[error(
        "{reason} (step {})",
        Shown(*.step)
    )]
    NoSolution {
        /// Why, in words.
        reason: &'static str,
        /// The step size.
        step: f64,
    },
    /// A velocity has no momentum, or a momentum no velocity.
    #[error(transparent)]
    Legendre(#[from] LegendreError),
    /// The body turns too far in one step for the equations to have a solution.
    #[error(
        "{equation} has no solution: h|ω| = {} in one step of {}, and it must stay below {}; use a smaller step",
        Shown(*.spin), Shown(*.step), Shown(*.limit)
    )]
    TurnsTooFar {
        /// Which equation.
        equation: &'static str,
        /// The step size times the angular velocity.
        spin: f64,
        /// Its bound for a rotation about a principal axis.
        limit: f64,
        /// The step size.
        step: f64,
    },
    /// A number became infinite or NaN.
    #[error("{what} is not finite: a number became infinite or NaN")]
    NotFinite {
        /// Where.
        what: &'static str,
    },
}

impl From<OutOfChart> for StepError {
    fn from(out: OutOfChart) -> Self {
        // A rotation that is not a number has left no chart: the field that made it is to blame.
        if out.angle.is_finite() {
            Self::ChartLeft { angle: out.angle, limit: out.limit }
        } else {
            NOT_FINITE
        }
    }
}

/// Lanes would have to go different ways.
pub(crate) const LANES_DIVERGE: StepError =
    StepError::NoSolution { reason: "several trajectories side by side", step: f64::NAN };

/// The field made a number that is not finite.
pub(crate) const NOT_FINITE: StepError = StepError::NotFinite { what: "the field" };

/// A method that can be made for problems of type `P`.
pub struct Entry<P: Problem> {
    /// Its card.
    pub card: Card,
    /// Makes it, or says why it can't be made with these options.
    pub make: Box<dyn Fn(&P, &Options) -> Result<Box<dyn Method<P>>, OptionError>>,
}
