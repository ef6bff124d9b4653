//! The Euclidean group moving a unit vector together with its angular velocity: SE(3) on TS².
//!
//! ```text
//! (R, r)·(q, w) = (R q, R w + r × R q)          generator (u × q, u × w + v × q)
//! ```
//!
//! This is the adjoint action restricted to the pairs with `q·w = 0`; it keeps `|q|` and `q·w`
//! for every group element, so a method that moves by it never leaves TS². Celledoni et al.,
//! section 5.1.
use super::{Action, Ways, stereographic};
use crate::chart::Chart;
use crate::group::{LieGroup, Se3, Twist};
use core::marker::PhantomData;
use lieflow_kernel::wide::Vectors;
use lieflow_kernel::{Real, Vec3, se3};

/// A unit vector `q` and its angular velocity `omega`, orthogonal to it: `q' = omega × q`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link<S> {
    /// Direction.
    pub q: Vec3<S>,
    /// Angular velocity.
    pub omega: Vec3<S>,
}

impl<S: Real> Link<S> {
    /// The pair (direction, angular velocity).
    #[inline(always)]
    pub fn new(q: Vec3<S>, omega: Vec3<S>) -> Self {
        Self { q, omega }
    }
    /// The velocity `omega × q`.
    #[inline(always)]
    pub fn velocity(&self) -> Vec3<S> {
        self.omega.cross(self.q)
    }
}

crate::flat!(Link { q, omega });

/// SE(3) acting on TS².
#[derive(Clone, Copy, Debug)]
pub struct TangentSphere<S>(PhantomData<S>);

impl<S: Real> Action for TangentSphere<S> {
    type Group = Se3<S>;
    type Point = Link<S>;
    #[inline(always)]
    fn act(g: &Se3<S>, y: &Link<S>) -> Link<S> {
        let q = g.rotation.apply(y.q);
        Link::new(q, g.rotation.apply(y.omega) + g.position.cross(q))
    }
    #[inline(always)]
    fn advance(chart: Chart, u: &Twist<S>, y: &Link<S>, out: &mut Link<S>) {
        let (turned, spun, shift) = match chart {
            Chart::Stereographic => {
                *out = stereographic::advance(u, y).0;
                return;
            }
            Chart::Exp | Chart::ExpSeries { .. } => {
                se3::exp_rotate(u.angular, u.linear, y.q, y.omega)
            }
            Chart::Cayley => se3::cay_rotate(u.angular, u.linear, y.q, y.omega),
            Chart::SecondKind => {
                let g = Se3::map(chart, u);
                (g.rotation.apply(y.q), g.rotation.apply(y.omega), g.position)
            }
        };
        *out = Link::new(turned, spun + shift.cross(turned));
    }
    const STEREOGRAPHIC: bool = true;
    #[inline(always)]
    fn pull(chart: Chart, u: &Twist<S>, y: &Link<S>, end: &Link<S>, v: &mut Twist<S>) {
        if chart == Chart::Stereographic {
            stereographic::pull(u, y, end, v);
        } else {
            Se3::pull(chart, u, v);
        }
    }
    const SHIFTS: bool = true;
    fn shift(chart: Chart, u: &Twist<S>, y: &Link<S>, out: &mut Link<S>) {
        if chart == Chart::Stereographic {
            let way = stereographic::way(u, y);
            out.q += way.q;
            out.omega += way.omega;
            return;
        }
        let g = Se3::map(chart, u);
        let turn = Ways::in_chart(chart, u.angular);
        let way = turn.way(y.q);
        out.q += way;
        out.omega += turn.way(y.omega) + g.position.cross(y.q + way);
    }
    #[inline(always)]
    fn advance_each<V: Vectors>(chart: Chart, u: &[Twist<S>], y: &[Link<S>], out: &mut [Link<S>]) {
        let n = u.len().min(y.len()).min(out.len());
        let mut i = 0;
        if chart != Chart::SecondKind {
            while i + S::width::<V>() <= n {
                let (move_by, from) = (Twist::gather::<V>(&u[i..n]), Link::gather::<V>(&y[i..n]));
                let mut to = from;
                TangentSphere::<S::Pack<V>>::advance(chart, &move_by, &from, &mut to);
                Link::scatter::<V>(&to, &mut out[i..n]);
                i += S::width::<V>();
            }
        }
        while i < n {
            Self::advance(chart, &u[i], &y[i], &mut out[i]);
            i += 1;
        }
    }
}
