//! Rotations turning vectors: SO(3) on R³, and so on every sphere about the origin.
use super::{Action, Ways};
use crate::chart::Chart;
use crate::group::So3;
use core::marker::PhantomData;
use lieflow_kernel::scalar::Apart;
use lieflow_kernel::{Real, Vec3, so3};

/// `R·q = R q`, with generator `u × q`. The length of `q` is kept.
#[derive(Clone, Copy, Debug)]
pub struct Turn<S>(PhantomData<S>);

impl<S: Real> Action for Turn<S> {
    type Group = So3<S>;
    type Point = Vec3<S>;
    #[inline(always)]
    fn act(g: &So3<S>, q: &Vec3<S>) -> Vec3<S> {
        g.matrix.apply(*q)
    }
    // One vector is turned with fewer operations than it takes to form the matrix.
    #[inline(always)]
    fn advance(chart: Chart, u: &Vec3<S>, q: &Vec3<S>, out: &mut Vec3<S>) {
        if const { !S::CHARTS } {
            *out = so3::rotate(*u, *q);
            return;
        }
        *out = match chart {
            Chart::Exp | Chart::ExpSeries { .. } => so3::rotate(*u, *q),
            Chart::Cayley | Chart::Stereographic => S::apart(Cayley { u: *u, q: *q }),
            Chart::SecondKind => S::apart(SecondKind { u: *u, q: *q }),
        };
    }
    const SHIFTS: bool = true;
    fn shift(chart: Chart, u: &Vec3<S>, q: &Vec3<S>, out: &mut Vec3<S>) {
        *out += Ways::in_chart(chart, *u).way(*q);
    }
}

/// Cayley's chart, apart from the steps in the exponential one.
struct Cayley<S> {
    u: Vec3<S>,
    q: Vec3<S>,
}
impl<S: Real> Apart for Cayley<S> {
    type Output = Vec3<S>;
    #[inline(always)]
    fn run(self) -> Vec3<S> {
        so3::cay_rotate(self.u, self.q)
    }
}

/// The chart of the second kind, likewise.
struct SecondKind<S> {
    u: Vec3<S>,
    q: Vec3<S>,
}
impl<S: Real> Apart for SecondKind<S> {
    type Output = Vec3<S>;
    #[inline(always)]
    fn run(self) -> Vec3<S> {
        so3::second_kind(self.u).apply(self.q)
    }
}
