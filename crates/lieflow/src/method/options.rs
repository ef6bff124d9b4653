//! Choices that a user may make about a method, and those that a method does not have.
//!
//! An option that a method would ignore is an error: whoever asks for something is told that it
//! isn't there.
use super::{Card, isotropy, variational};
use crate::chart::Chart;
use crate::problem::LegendreError;

/// How the equations of an implicit step are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Solver {
    /// Newton's method for systems of few dimensions, fixed-point iteration for those of run-time
    /// size and for those that can't be lifted to dual numbers.
    #[default]
    Automatic,
    /// Newton's method with exact derivatives: by elimination for systems of few dimensions, by
    /// products with the Jacobian for those of run-time size.
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
    /// The isotropy part of the generator, on spaces with isotropy.
    pub isotropy: isotropy::Part,
    /// First integrals to conserve by the choice of isotropy.
    pub conserve: Option<isotropy::Conserve>,
    /// The error estimate of pairs.
    pub estimate: Estimate,
    /// The tolerance that steps are to keep, for methods that choose their order by it.
    pub tolerance: Option<f64>,
    /// Whether what states round away is carried from step to step ([`Compensated`](super::Compensated)).
    pub compensated: bool,
}

/// Which solvers a method knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Solvers {
    /// It is explicit.
    None,
    /// Only Newton's method.
    Newton,
    /// Only fixed-point iteration.
    FixedPoint,
    /// Both.
    Both,
}

/// Which options a method has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choices {
    /// Charts, each of which it may still refuse.
    pub chart: bool,
    /// Solvers.
    pub solver: Solvers,
    /// Compensated steps, which it may still refuse.
    pub compensated: bool,
}

impl Choices {
    /// A method of which nothing can be chosen. Those whose equations are solved know Newton's
    /// method only.
    pub fn none(card: &Card) -> Self {
        let solver = if card.implicit { Solvers::Newton } else { Solvers::None };
        Self { chart: false, solver, compensated: false }
    }

    /// A method that is solved by fixed-point iteration, of which nothing else can be chosen.
    pub fn fixed_point() -> Self {
        Self { chart: false, solver: Solvers::FixedPoint, compensated: false }
    }
}

impl Options {
    /// Refuses all choices but that of fixed-point iteration: for methods of one's own that are solved
    /// by it and have nothing to choose.
    pub fn check_fixed_point(&self, card: &Card) -> Result<(), OptionError> {
        self.check(card, Choices::fixed_point())
    }

    /// Refuses what the method with this card would ignore. Pairs have an estimate to choose;
    /// isotropy and conservation are added from outside ([`isotropy::with_isotropy_options`]).
    pub(crate) fn check(&self, card: &Card, has: Choices) -> Result<(), OptionError> {
        let method = card.id;
        if self.chart != Chart::default() && !has.chart {
            return Err(OptionError::NoChart { method });
        }
        match (self.solver, has.solver) {
            (Solver::Automatic, _) | (_, Solvers::Both) => {}
            (Solver::Newton, Solvers::Newton) | (Solver::FixedPoint, Solvers::FixedPoint) => {}
            (_, Solvers::None) => return Err(OptionError::NoSolver { method }),
            (_, Solvers::Newton) => return Err(OptionError::NewtonOnly { method }),
            (_, Solvers::FixedPoint) => return Err(OptionError::FixedPointOnly { method }),
        }
        if self.estimate != Estimate::Natural && card.estimate_power.is_none() {
            return Err(OptionError::NoEstimate { method });
        }
        if self.isotropy != isotropy::Part::Given {
            return Err(OptionError::NoIsotropy { method });
        }
        if self.conserve.is_some() {
            return Err(OptionError::NoConservation { method });
        }
        if self.compensated && !has.compensated {
            return Err(OptionError::NotCompensated { method });
        }
        Ok(())
    }
}

/// Where compensated steps are to be had.
const COMPENSATED: &str = "rigid bodies by all rigid-body methods, and for systems moved by rotations, motions and \
     translations of space by methods in a chart (RKMK, Gauss) and products of exponentials \
     (commutator-free, Crouch-Grossman)";

/// An option that a method or a group does not have.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// No Cayley map on this group.
    #[error("the group of this system has no Cayley map; use the chart exp or ccsk")]
    NoCayley,
    /// No stereographic projection of this space.
    #[error(
        "only directions with angular velocities or momenta (chains of pendulums, dipoles) have the stereographic chart; use exp, cayley or ccsk"
    )]
    NoStereographic,
    /// The chart chooses the isotropy.
    #[error(
        "the stereographic chart chooses the isotropy itself; leave out {option}, or use another chart"
    )]
    IsotropyOfChart {
        /// What was asked for.
        option: &'static str,
    },
    /// The method has no generator to choose.
    #[error("the method '{method}' does not let its isotropy be chosen")]
    NoIsotropy {
        /// The method.
        method: &'static str,
    },
    /// A quantity that can't be conserved by the choice of isotropy.
    #[error("'{name}' can't be conserved by the choice of isotropy here; these can: {}", known.join(", "))]
    NotConservable {
        /// The quantity.
        name: &'static str,
        /// Those that can.
        known: Vec<&'static str>,
    },
    /// The formulas of the method hold for two charts only.
    #[error("the method '{method}' works with the exponential exp or cayley only")]
    ExpOrCayley {
        /// The method.
        method: &'static str,
    },
    /// The method knows no torque.
    #[error(
        "the method '{method}' is for free motion, but a torque acts on this body; use {method}-ea or another rigid-body method"
    )]
    FreeMotionOnly {
        /// The method.
        method: &'static str,
    },
    /// The method does not work in a chart.
    #[error("the method '{method}' has no chart to choose")]
    NoChart {
        /// The method.
        method: &'static str,
    },
    /// The field depends on the state.
    #[error("the method '{method}' cannot be used here: {}", super::magnus::NOT_LINEAR)]
    NotLinear {
        /// The method.
        method: &'static str,
    },
    /// The method solves no equations.
    #[error("the method '{method}' is explicit, so it has no solver to choose")]
    NoSolver {
        /// The method.
        method: &'static str,
    },
    /// Newton's method needs derivatives that are not there.
    #[error(
        "the method '{method}' is solved by fixed-point iteration only here, because the field \
         can't be differentiated; use the solver fixed-point"
    )]
    FixedPointOnly {
        /// The method.
        method: &'static str,
    },
    /// The increments of the steps are not known with more digits than the states have.
    #[error(
        "the method '{method}' has no compensated steps here: they are there for {COMPENSATED}"
    )]
    NotCompensated {
        /// The method.
        method: &'static str,
    },
    /// The method does not estimate its error.
    #[error("the method '{method}' has no error estimate to choose")]
    NoEstimate {
        /// The method.
        method: &'static str,
    },
    /// The terms of the motion are not known.
    #[error(
        "the method '{method}' needs the motion as a power series, which this system does not have"
    )]
    NoSeries {
        /// The method.
        method: &'static str,
    },
    /// The method can't be corrected by an element of the isotropy.
    #[error("the method '{method}' does not conserve integrals by the choice of isotropy here")]
    NoConservation {
        /// The method.
        method: &'static str,
    },
    /// The method solves its equations by Newton's method.
    #[error("the method '{method}' is solved by Newton's method only")]
    NewtonOnly {
        /// The method.
        method: &'static str,
    },
    /// The system does not have what a variational method needs.
    #[error(transparent)]
    Legendre(#[from] LegendreError),
    /// A family has no such member.
    #[error(transparent)]
    Scheme(#[from] variational::SchemeError),
    /// The states are not elements of a group.
    #[error(
        "the states of this system are not elements of a group, so they have no logarithmic \
         distance; use the natural error estimate"
    )]
    NoGroupDistance,
}
