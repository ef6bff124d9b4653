//! Translations of the space around TS²: `(u, a)·(q, w) = (q + u, w + a)`.
//!
//! It keeps neither `|q|` nor `q·w`. With it the methods for Lie groups are the ordinary
//! Runge–Kutta methods of R⁶, the comparison without geometry.
use super::{Action, Link};
use crate::chart::Chart;
use crate::group::Rn;
use core::marker::PhantomData;
use lieflow_kernel::{Real, vec3};

/// R⁶ moving pairs (direction, angular velocity).
#[derive(Clone, Copy, Debug)]
pub struct Embedded<S>(PhantomData<S>);

impl<S: Real> Action for Embedded<S> {
    type Group = Rn<S, 6>;
    type Point = Link<S>;
    #[inline(always)]
    fn act(&Rn([a, b, c, d, e, f]): &Rn<S, 6>, y: &Link<S>) -> Link<S> {
        Link::new(y.q + vec3(a, b, c), y.omega + vec3(d, e, f))
    }
    #[inline(always)]
    fn advance(_: Chart, u: &Rn<S, 6>, y: &Link<S>, out: &mut Link<S>) {
        *out = Self::act(u, y);
    }
    const SHIFTS: bool = true;
    fn shift(_: Chart, u: &Rn<S, 6>, _: &Link<S>, out: &mut Link<S>) {
        *out = Self::act(u, out);
    }
}
