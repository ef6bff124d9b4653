//! Stage equations of any implicit method in a chart, chosen at run time: engine and solvers are compiled once for
//! both kinds, and each kind of equations once for all solvers.
use super::Step;
use super::gl4_sym::CentredStages;
use super::implicit::{DIRECTIONS, Linear, StageEquations, Stages};
use super::rkmk_gauss::GaussStages;
use crate::chart::{Chart, OutOfChart};
use crate::problem::{Differentiable, Generator};
use crate::tableau::Tableau;

/// Which stage equations an implicit method has.
#[derive(Clone, Copy, Debug)]
pub(super) enum GaussFamily {
    Start(GaussStages),
    Centred(CentredStages),
}

/// The same for both kinds.
macro_rules! either {
    ($self:ident, $equations:ident => $answer:expr) => {
        match $self {
            Self::Start($equations) => $answer,
            Self::Centred($equations) => $answer,
        }
    };
}

impl StageEquations for GaussFamily {
    fn tableau(&self) -> &'static Tableau {
        either!(self, e => e.tableau())
    }
    fn chart(&self) -> Chart {
        either!(self, e => e.chart())
    }
    fn name(&self) -> &'static str {
        either!(self, e => e.name())
    }

    // A call is nothing beside the fields of all stages.
    #[inline(never)]
    fn evaluate<P: Generator>(&self, at: Step<'_, P>, stages: &mut Stages<P>) {
        either!(self, e => e.evaluate(at, stages));
    }

    fn linearise<P: Differentiable<DIRECTIONS>>(&self, system: Linear<'_, P>) {
        either!(self, e => e.linearise(system));
    }

    #[inline(never)]
    fn domain<P: Generator>(&self, h: f64, stages: &mut Stages<P>) -> Result<(), OutOfChart> {
        either!(self, e => e.domain(h, stages))
    }
}
