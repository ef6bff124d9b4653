//! Newton's method for the equations of an implicit step.
//!
//! Jacobians are exact, so convergence is quadratic: once a change is below 1e-10 of the solution,
//! what is left is below rounding. Each lane stops on its own, as it would if it were alone, and
//! each layer of derivatives that a number carries gets a round more after the value has settled.
use crate::method::StepError;
use lieflow_kernel::{Mask, Real, linalg::solve_in_place};

/// Rounds before giving up.
const ITERATIONS: u32 = 25;
/// Square of the relative change after which the solution is settled.
const SETTLED: f64 = 1e-20;
/// A residual below this part of its own terms is rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// What names the equations in an error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Equation {
    /// In words.
    pub name: &'static str,
    /// The step size.
    pub step: f64,
}

/// Solves `r(x) = 0` from the guess in `x`. `linearise(x, r, matrix)` fills the residual and its
/// derivatives by rows, and returns the size of the terms whose sum is the residual, for each lane. Returns the
/// number of rounds.
pub(crate) fn newton<S: Real>(
    equation: Equation,
    x: &mut [S],
    r: &mut [S],
    matrix: &mut [S],
    mut linearise: impl FnMut(&[S], &mut [S], &mut [S]) -> Result<S, StepError>,
) -> Result<u32, StepError> {
    let n = x.len();
    let mut settled = S::Mask::splat(false);
    let mut rounds_left = S::DERIVATIVES;
    let mut residual = f64::NAN;
    for iteration in 1..=ITERATIONS {
        let terms = linearise(x, r, matrix)?;
        let small = (terms * ROUNDING) * (terms * ROUNDING);
        let rest = square(r);
        residual = rest.sqrt().magnitude();
        let solved = solve_in_place(n, matrix, r);
        let change = square(r);
        if !solved.and(change.finite()).or(settled).all() {
            return Err(not_converged(equation, iteration, residual));
        }
        let finishing = settled.all();
        for i in 0..n {
            let new = x[i] - r[i];
            x[i] = if finishing { new } else { S::select(settled, x[i], new) };
        }
        if finishing {
            rounds_left -= 1;
        } else {
            let done = (square(x) * SETTLED).lt(change).not().or(small.lt(rest).not());
            settled = settled.or(done);
        }
        if settled.all() && rounds_left == 0 {
            return Ok(iteration);
        }
    }
    Err(not_converged(equation, ITERATIONS, residual))
}

fn not_converged(equation: Equation, iterations: u32, residual: f64) -> StepError {
    StepError::NotConverged { equation: equation.name, iterations, residual, step: equation.step }
}

fn square<S: Real>(x: &[S]) -> S {
    let mut sum = S::zero();
    for v in x {
        sum += *v * *v;
    }
    sum
}
