//! The direct product SO(3) × R³ moving a unit vector and its angular velocity apart from each
//! other:
//!
//! ```text
//! (R, a)·(q, w) = (R q, w + a)                  generator (u × q, a)
//! ```
//!
//! It keeps `|q|`, but the tangency `q·w = 0` only as well as the method does; compare
//! [`TangentSphere`](super::TangentSphere), which keeps both.
use super::{Action, Link, Turn};
use crate::chart::Chart;
use crate::group::{Rn, So3};
use core::marker::PhantomData;
use lieflow_kernel::{Real, Vec3, vec3};

/// SO(3) × R³ acting on pairs (direction, angular velocity).
#[derive(Clone, Copy, Debug)]
pub struct Lifted<S>(PhantomData<S>);

impl<S: Real> Action for Lifted<S> {
    type Group = (So3<S>, Rn<S, 3>);
    type Point = Link<S>;
    #[inline(always)]
    fn act((g, a): &Self::Group, y: &Link<S>) -> Link<S> {
        Link::new(Turn::act(g, &y.q), shifted(y.omega, a))
    }
    #[inline(always)]
    fn advance(chart: Chart, (u, a): &(Vec3<S>, Rn<S, 3>), y: &Link<S>, out: &mut Link<S>) {
        Turn::advance(chart, u, &y.q, &mut out.q);
        out.omega = shifted(y.omega, a);
    }
    const SHIFTS: bool = true;
    fn shift(chart: Chart, (u, a): &(Vec3<S>, Rn<S, 3>), y: &Link<S>, out: &mut Link<S>) {
        Turn::shift(chart, u, &y.q, &mut out.q);
        out.omega = shifted(out.omega, a);
    }
}

/// A vector moved by a translation.
#[inline(always)]
pub(crate) fn shifted<S: Real>(w: Vec3<S>, &Rn([x, y, z]): &Rn<S, 3>) -> Vec3<S> {
    w + vec3(x, y, z)
}
