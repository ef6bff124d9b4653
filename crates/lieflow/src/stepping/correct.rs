//! Touching an accepted state: the cure for rounding errors that pull a state off its manifold.
//!
//! ```text
//! R <- R (3 I - R^T R)/2
//! ```
//!
//! is one step of Newton's method for the polar factor of a nearly orthogonal matrix: an error
//! `|R^T R - I| = e` becomes `3 e^2/4`, so that 1e-13 after many steps falls back to rounding.
//! Corrections are off unless a run asks for them, and the summary counts them.
use crate::action::BodyState;
use crate::archive::Archive;
use crate::group::{Rn, Se3, So3, Twist};
use crate::problem::Problem;
use lieflow_kernel::{Mat3, Real, Vec3};

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
    let defect = Mat3::identity() - r.transpose().matmul(r);
    *r + r.matmul(&defect) * 0.5
}

/// A state with rotations inside, such as a group element or a product with some.
pub trait Rotations {
    /// Replaces every rotation by [`polar`] of it. Vectors have none, and stay.
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
