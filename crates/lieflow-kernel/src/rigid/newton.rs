//! Newton's method for three equations in three unknowns.
use super::elliptic::extended;
use crate::linalg::{Mat3, Vec3};
use crate::scalar::{Mask, Real};

/// Three equations for a 3-vector.
pub trait Equation<S: Real> {
    /// The residual and its derivative at `x`.
    fn linearise(&self, x: Vec3<S>) -> (Vec3<S>, Mat3<S>);
}

/// What Newton's method found.
#[derive(Clone, Copy, Debug)]
pub struct Root<S: Real> {
    /// The unknown.
    pub x: Vec3<S>,
    /// The lanes in which it solves the equations.
    pub solved: S::Mask,
    /// Iterations of the slowest lane.
    pub iterations: u32,
    /// The residual that was left, where a lane was not solved; otherwise zero.
    pub residual: f64,
}

/// Iterations after which a solve is given up.
const LIMIT: u32 = 50;

/// The iteration has settled when a correction is below this fraction of the unknown: convergence
/// is quadratic, so that the error left is its square. Rules on the residual would depend on the
/// units.
const SETTLED: f64 = 1e-9;

/// Solves an equation from a guess. Lanes that have settled are not touched again; a lane that
/// leaves the finite numbers or does not settle is reported as unsolved.
#[inline(always)]
pub fn newton<S: Real, E: Equation<S>>(equation: &E, guess: Vec3<S>) -> Root<S> {
    let mut x = guess;
    let mut open = S::Mask::splat(true);
    let mut solved = S::Mask::splat(false);
    let mut iterations = 0;
    while open.any() && iterations < LIMIT {
        let (residual, derivative) = equation.linearise(x);
        let correction = derivative.solve(residual);
        x = Vec3::select(open, x - correction, x);
        iterations += 1;
        let limit = x.norm_squared() * (SETTLED * SETTLED);
        let settled = limit.lt(correction.norm_squared()).not();
        let finite = correction.finite();
        solved = solved.or(open.and(settled).and(finite));
        open = open.and(settled.not()).and(finite);
    }
    // A derivative settles one iteration after its value, and so do the digits beyond f64.
    let rounds = S::DERIVATIVES + usize::from(extended::<S>());
    let mut polish = 0;
    while polish < rounds {
        let (residual, derivative) = equation.linearise(x);
        x = Vec3::select(solved, x - derivative.solve(residual), x);
        polish += 1;
    }
    let residual = if solved.all() { 0.0 } else { left_over(equation, x) };
    Root { x, solved, iterations, residual }
}

#[cold]
fn left_over<S: Real, E: Equation<S>>(equation: &E, x: Vec3<S>) -> f64 {
    equation.linearise(x).0.magnitude()
}
