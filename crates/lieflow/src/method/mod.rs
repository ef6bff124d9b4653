//! Methods, one engine per family, and the list of those that fit a face.
//!
//! A method proposes a step and never touches the accepted state; whoever drives it decides. A
//! file here holds the formulas of a family with their source, the engine, and the cards of its
//! members.
use crate::chart::{Chart, OutOfChart};
use crate::problem::Problem;

pub mod casas_owren;
pub mod commutator_free;
pub mod crouch_grossman;
pub mod fixed_point;
pub mod generator;
pub mod gl4_sym;
pub mod implicit;
mod interpolant;
pub mod newton;
pub mod rkmk;
pub mod rkmk_gauss;

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

/// A one-step method for problems of type `P`. Work space lives in `self`.
pub trait Method<P: Problem> {
    /// Proposes the state at `t + h` (`h` may be negative), and for pairs an estimate of its
    /// local error.
    fn step(
        &mut self,
        p: &P,
        t: f64,
        h: f64,
        y: &P::Point,
        out: &mut P::Point,
    ) -> Result<Option<f64>, StepError>;

    /// The last proposal became the state: what was computed at its end may be reused.
    fn accept(&mut self) {}

    /// The next state does not follow from the last proposal: forget what was kept.
    fn reset(&mut self) {}

    /// The state at `t + theta h` inside the step that was proposed last, from `y` to `end`.
    ///
    /// Unless a family has an interpolant, this is a shorter step from `y`: on the manifold and of
    /// full order.
    fn interpolate(
        &mut self,
        p: &P,
        t: f64,
        h: f64,
        y: &P::Point,
        end: &P::Point,
        theta: f64,
        out: &mut P::Point,
    ) -> Result<(), StepError> {
        let _ = end;
        by_shorter_step(self, p, t, theta * h, y, out)
    }

    /// The cost of all steps so far, rejected ones included.
    fn cost(&self) -> Cost;
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

impl Kept {
    /// The proposal was accepted, if there is one.
    fn accept(&mut self) {
        if *self == Self::Proposed {
            *self = Self::Accepted;
        }
    }
}

/// The state at the end of a shorter step, after which the method remembers nothing.
pub(crate) fn by_shorter_step<P: Problem, M: Method<P> + ?Sized>(
    method: &mut M,
    p: &P,
    t: f64,
    h: f64,
    y: &P::Point,
    out: &mut P::Point,
) -> Result<(), StepError> {
    method.reset();
    let step = method.step(p, t, h, y, out);
    method.reset();
    step.map(|_| ())
}

/// How the equations of an implicit step are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Solver {
    /// Newton's method with exact Jacobians, where the system can be lifted to dual numbers;
    /// fixed-point iteration elsewhere.
    #[default]
    Newton,
    /// Fixed-point iteration, for small steps and large systems.
    FixedPoint,
}

/// How pairs measure the difference of their two solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Estimate {
    /// In the algebra for methods that work in a chart, by the numbers of the two states for
    /// products of exponentials.
    #[default]
    Natural,
    /// By the numbers of the two states, matrix entries included: scales with the size of the
    /// state.
    State,
    /// By the logarithm `|log(b^{-1} a)|`, where the states are elements of a group.
    Group,
}

/// Choices that a user may make about a method, where the method has them.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Options {
    /// The coordinates on the group.
    pub chart: Chart,
    /// The solver of implicit steps.
    pub solver: Solver,
    /// The error estimate of pairs.
    pub estimate: Estimate,
}

/// Why a step could not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// An implicit equation was not solved.
    #[error(
        "{equation} did not converge in {iterations} iterations (residual {residual:e}, step {step})"
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
        "a rotation by {angle} rad within one step leaves the domain of the chart (below {limit}); use a smaller step"
    )]
    ChartLeft {
        /// The rotation.
        angle: f64,
        /// The bound.
        limit: f64,
    },
    /// The step has no solution.
    #[error("{reason} (step {step})")]
    NoSolution {
        /// Why, in words.
        reason: &'static str,
        /// The step size.
        step: f64,
    },
    /// A number became infinite or NaN.
    #[error("{what} returned a number that is not finite")]
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

/// The field made a number that is not finite.
pub(crate) const NOT_FINITE: StepError = StepError::NotFinite { what: "the field" };

/// A method that can be made for problems of type `P`.
pub struct Entry<P: Problem> {
    /// Its card.
    pub card: Card,
    /// Makes it, or says why it can't be made with these options.
    pub make: Box<dyn Fn(&P, &Options) -> Result<Box<dyn Method<P>>, OptionError>>,
}

/// An option that a method or a group does not have.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// No Cayley map on this group.
    #[error("the group of this system has no Cayley map; use the chart exp or ccsk")]
    NoCayley,
    /// The method does not work in a chart.
    #[error("the method '{method}' has no chart to choose")]
    NoChart {
        /// The method.
        method: &'static str,
    },
    /// The states are not elements of a group.
    #[error(
        "the states of this system are not elements of a group, so they have no logarithmic \
         distance; use the natural error estimate"
    )]
    NoGroupDistance,
}
