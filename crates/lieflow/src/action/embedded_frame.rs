//! Translations of the space around SO(3) × R³: `(A, b)·(R, P) = (R + A, P + b)`.
//!
//! The attitude does not stay a rotation. With it the methods for Lie groups are the ordinary
//! Runge–Kutta methods of R¹², the comparison without geometry.
use super::{Action, BodyState};
use crate::chart::Chart;
use crate::group::Rn;
use core::marker::PhantomData;
use lieflow_kernel::{Mat3, Real, vec3};

/// R¹² moving attitude and momentum of a body: three rows, then the momentum.
#[derive(Clone, Copy, Debug)]
pub struct EmbeddedFrame<S>(PhantomData<S>);

impl<S: Real> Action for EmbeddedFrame<S> {
    type Group = Rn<S, 12>;
    type Point = BodyState<S>;
    #[inline(always)]
    fn act(
        &Rn([a, b, c, d, e, f, g, h, i, x, y, z]): &Rn<S, 12>,
        p: &BodyState<S>,
    ) -> BodyState<S> {
        let shift = Mat3::from_rows(vec3(a, b, c), vec3(d, e, f), vec3(g, h, i));
        BodyState::new(p.rotation + shift, p.momentum + vec3(x, y, z))
    }
    #[inline(always)]
    fn advance(_: Chart, u: &Rn<S, 12>, y: &BodyState<S>, out: &mut BodyState<S>) {
        *out = Self::act(u, y);
    }
    const SHIFTS: bool = true;
    fn shift(_: Chart, u: &Rn<S, 12>, _: &BodyState<S>, out: &mut BodyState<S>) {
        *out = Self::act(u, out);
    }
}
