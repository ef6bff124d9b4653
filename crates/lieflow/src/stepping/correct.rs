//! Touching an accepted state: the cure for rounding errors that pull a state off its manifold.
//!
//! ```text
//! R <- R (3 I - R^T R)/2        q <- q (3 - q·q)/2        ω <- ω - q (q·ω)
//! ```
//!
//! The first is one step of Newton's method for the polar factor of a nearly orthogonal matrix: an
//! error `|R^T R - I| = e` becomes `3 e^2/4`, so that 1e-13 after many steps falls back to rounding.
//! The others do the same for directions and for velocities of directions.
//!
//! Every driven run does this after each [`RESTORED_EVERY`]-th step
//! ([`Problem::restore`](crate::problem::Problem::restore)). A step multiplies a rotation by an
//! increment that is orthogonal to rounding. Where increments differ their errors are a random walk;
//! where a body spins steadily they are all the same, and `R^T R - I` would grow with every step. A
//! correction after each step would replace that by roundings of its own, which add up in the
//! momentum; one in a thousand steps adds none that can be measured, costs nothing, and leaves
//! shorter runs as they are. It is no step of the motion: methods go on with what they remember.
//!
//! Other [corrections](Correction) are off unless a run asks for them, and the summary counts them.
use crate::action::{BodyState, Link};
use crate::archive::Archive;
use crate::group::{LieGroup, Rn, Se3, So3, Twist};
use crate::problem::{Cotangent, Problem};
use lieflow_kernel::scalar::Apart;
use lieflow_kernel::{Mat3, Real, Vec3};

/// A run takes the roundings out of its state after so many steps, counted from its beginning.
pub const RESTORED_EVERY: u64 = 1024;

/// Changes an accepted state. Closures `|p, t, y: &mut Point| -> bool` are corrections.
pub trait Correction<P: Problem> {
    /// Corrects `y` in place; returns whether it was touched.
    fn correct(&mut self, p: &P, t: f64, y: &mut P::Point) -> bool;

    /// Names what it remembers, so that a run can go on later.
    fn archive(&mut self, archive: &mut Archive) {
        let _ = archive;
    }
}

impl<P: Problem, F: FnMut(&P, f64, &mut P::Point) -> bool> Correction<P> for F {
    fn correct(&mut self, p: &P, t: f64, y: &mut P::Point) -> bool {
        self(p, t, y)
    }
}

/// Restores every rotation in a state after each `k`-th accepted step.
#[derive(Clone, Debug)]
pub struct Polar {
    every: u64,
    calls: u64,
}

impl Polar {
    /// After every `k`-th step; zero counts as one.
    pub fn every(k: u64) -> Self {
        Self { every: k.max(1), calls: 0 }
    }
}

impl<P: Problem> Correction<P> for Polar
where
    P::Point: Rotations,
{
    fn correct(&mut self, _: &P, _: f64, y: &mut P::Point) -> bool {
        self.calls += 1;
        let due = self.calls.is_multiple_of(self.every);
        if due {
            y.restore();
        }
        due
    }

    fn archive(&mut self, archive: &mut Archive) {
        archive.bits(&mut self.calls);
    }
}

/// `R (3 I - R^T R)/2`.
#[inline]
pub fn polar<S: Real>(r: &Mat3<S>) -> Mat3<S> {
    // Whoever drives lanes is not compiled for them.
    if const { S::LANES > 1 } { S::apart(Nearest(*r)) } else { Nearest(*r).run() }
}

struct Nearest<S>(Mat3<S>);

impl<S: Real> Apart for Nearest<S> {
    type Output = Mat3<S>;
    #[inline(always)]
    fn run(self) -> Mat3<S> {
        let r = self.0;
        let defect = Mat3::identity() - r.transpose().matmul(&r);
        r + r.matmul(&defect) * 0.5
    }
}

/// `q (3 - q·q)/2`.
#[inline]
pub fn unit<S: Real>(q: Vec3<S>) -> Vec3<S> {
    q + q.times((S::one() - q.norm_squared()) * 0.5)
}

/// A state with rotations inside, such as a group element or a product with some.
pub trait Rotations {
    /// Replaces every rotation by [`polar`] of it, and every direction by [`unit()`] of it, to which its
    /// velocity becomes tangent. Vectors have none, and stay.
    fn restore(&mut self);
}

impl<S: Real> Rotations for So3<S> {
    fn restore(&mut self) {
        self.matrix = polar(&self.matrix);
    }
}
impl<S: Real> Rotations for Se3<S> {
    fn restore(&mut self) {
        self.rotation = polar(&self.rotation);
    }
}
impl<S: Real> Rotations for BodyState<S> {
    fn restore(&mut self) {
        self.rotation = polar(&self.rotation);
    }
}
impl<S: Real> Rotations for Link<S> {
    fn restore(&mut self) {
        self.q = unit(self.q);
        self.omega -= self.q.times(self.q.dot(self.omega));
    }
}
impl<G: LieGroup + Rotations> Rotations for Cotangent<G> {
    fn restore(&mut self) {
        self.g.restore();
    }
}
impl<S: Real> Rotations for Vec3<S> {
    fn restore(&mut self) {}
}
impl<S: Real> Rotations for Twist<S> {
    fn restore(&mut self) {}
}
impl<S: Real, const N: usize> Rotations for Rn<S, N> {
    fn restore(&mut self) {}
}
impl<A: Rotations, B: Rotations> Rotations for (A, B) {
    fn restore(&mut self) {
        self.0.restore();
        self.1.restore();
    }
}
impl<A: Rotations, const N: usize> Rotations for [A; N] {
    fn restore(&mut self) {
        self.iter_mut().for_each(A::restore);
    }
}
impl<A: Rotations> Rotations for Vec<A> {
    fn restore(&mut self) {
        self.iter_mut().for_each(A::restore);
    }
}
