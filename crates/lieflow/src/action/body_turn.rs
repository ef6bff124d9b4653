//! A free rigid body seen from its own frame, moved by rotations alone:
//!
//! ```text
//! g·(R, P) = (R gᵀ, g P)                        generator (-R û, u × P)
//! ```
//!
//! What is left of [`BodyFrame`](super::BodyFrame) without a torque: the orbits are those of constant
//! spatial momentum `R P`.
use super::body_frame::shift_body;
use super::{Action, BodyState, Ways, turned};
use crate::chart::Chart;
use crate::group::{LieGroup, So3};
use core::marker::PhantomData;
use lieflow_kernel::{Real, Vec3, so3};

/// SO(3) acting on body states.
#[derive(Clone, Copy, Debug)]
pub struct BodyTurn<S>(PhantomData<S>);

impl<S: Real> Action for BodyTurn<S> {
    type Group = So3<S>;
    type Point = BodyState<S>;
    #[inline(always)]
    fn act(g: &So3<S>, y: &BodyState<S>) -> BodyState<S> {
        BodyState::new(turned(&y.rotation, &g.matrix), g.matrix.apply(y.momentum))
    }
    #[inline(always)]
    fn advance(chart: Chart, u: &Vec3<S>, y: &BodyState<S>, out: &mut BodyState<S>) {
        match chart {
            Chart::Exp | Chart::ExpSeries { .. } => {
                let (g, momentum) = so3::exp_with_rotated(*u, y.momentum);
                *out = BodyState::new(turned(&y.rotation, &g), momentum);
            }
            _ => *out = Self::act(&So3::map(chart, u), y),
        }
    }
    const SHIFTS: bool = true;
    fn shift(chart: Chart, u: &Vec3<S>, y: &BodyState<S>, out: &mut BodyState<S>) {
        shift_body(&Ways::in_chart(chart, *u), y, out);
    }
}
