//! The direct product SO(3) × R³ moving the attitude of a body and its angular momentum apart from
//! each other:
//!
//! ```text
//! (g, b)·(R, P) = (R gᵀ, P + b)                 generator (-R û, b)
//! ```
//!
//! With the field `(u, b) = (-I⁻¹P, P × I⁻¹P + torque)` this is Euler's equation, as most people
//! program it: a Lie-group method for the attitude, the Runge–Kutta method below it for the
//! momentum. It costs less than [`BodyFrame`](super::BodyFrame) and keeps `R` a rotation; but
//! the orbit `|P|` of a free body and its spatial momentum `R P`, which every method keeps there,
//! only as well as the method does.
use super::{Action, BodyState, Ways, shifted, turned};
use crate::chart::Chart;
use crate::group::{Rn, So3};
use core::marker::PhantomData;
use lieflow_kernel::{Real, Vec3};

/// SO(3) × R³ acting on body states.
#[derive(Clone, Copy, Debug)]
pub struct LiftedFrame<S>(PhantomData<S>);

impl<S: Real> Action for LiftedFrame<S> {
    type Group = (So3<S>, Rn<S, 3>);
    type Point = BodyState<S>;
    #[inline(always)]
    fn act((g, b): &Self::Group, y: &BodyState<S>) -> BodyState<S> {
        BodyState::new(turned(&y.rotation, &g.matrix), shifted(y.momentum, b))
    }
    const SHIFTS: bool = true;
    fn shift(chart: Chart, (u, b): &(Vec3<S>, Rn<S, 3>), y: &BodyState<S>, out: &mut BodyState<S>) {
        out.rotation = out.rotation + Ways::in_chart(chart, *u).ways(&y.rotation);
        out.momentum = shifted(out.momentum, b);
    }
}
