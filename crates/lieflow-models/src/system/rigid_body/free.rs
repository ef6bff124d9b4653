//! A body without a field, which rotations alone move: three coordinates in place of six.
use lieflow::action::{Action, BodyState, BodyTurn, Turn};
use lieflow::chart::Chart;
use lieflow::group::{LieGroup, So3};
use lieflow::kernel::rigid::Inertia;
use lieflow::problem::{Generator, Problem, StageOf, free_slope};
use lieflow::{Real, Vec3};

/// A free body and its initial state.
#[derive(Clone, Debug)]
pub(super) struct FreeBody<S> {
    pub inertia: Inertia<S>,
    pub start: BodyState<S>,
}

impl<S: Real> Problem for FreeBody<S> {
    type Point = BodyState<S>;
    fn start(&self) -> BodyState<S> {
        self.start
    }
}

impl<S: Real> Generator for FreeBody<S> {
    type Space = BodyTurn<S>;
    const SHORT_CUTS: bool = true;
    #[inline(always)]
    fn field(&self, _: f64, y: &BodyState<S>) -> Vec3<S> {
        -self.inertia.velocity(y.momentum)
    }
    #[inline(always)]
    fn field_at(&self, at: StageOf<'_, Self>, _: &mut BodyState<S>, out: &mut Vec3<S>) {
        let mut momentum = at.y.momentum;
        Turn::advance(at.chart, at.u, &at.y.momentum, &mut momentum);
        *out = -self.inertia.velocity(momentum);
    }
    #[inline(always)]
    fn slope_at(&self, at: StageOf<'_, Self>, point: &mut BodyState<S>, out: &mut Vec3<S>) {
        if at.chart == Chart::Exp {
            *out = free_slope(&self.inertia, *at.u, at.y.momentum);
            return;
        }
        self.field_at(at, point, out);
        So3::pull(at.chart, at.u, out);
    }
}
