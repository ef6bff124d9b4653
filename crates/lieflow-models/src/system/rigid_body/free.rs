//! A body without a field, which rotations alone move: three coordinates in place of six.
use lieflow::action::{Action, BodyState, BodyTurn, Turn};
use lieflow::chart::Chart;
use lieflow::group::{LieGroup, So3};
use lieflow::kernel::rigid::Inertia;
use lieflow::problem::{Generator, Problem, free_slope};
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
    fn field_at(
        &self,
        chart: Chart,
        _: f64,
        u: &Vec3<S>,
        y: &BodyState<S>,
        _: &mut BodyState<S>,
        out: &mut Vec3<S>,
    ) {
        let mut momentum = y.momentum;
        Turn::advance(chart, u, &y.momentum, &mut momentum);
        *out = -self.inertia.velocity(momentum);
    }
    #[inline(always)]
    fn slope_at(
        &self,
        chart: Chart,
        t: f64,
        u: &Vec3<S>,
        y: &BodyState<S>,
        point: &mut BodyState<S>,
        out: &mut Vec3<S>,
    ) {
        if chart == Chart::Exp {
            *out = free_slope(&self.inertia, *u, y.momentum);
            return;
        }
        self.field_at(chart, t, u, y, point, out);
        So3::pull(chart, u, out);
    }
}
