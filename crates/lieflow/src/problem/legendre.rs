//! The Legendre transform between velocities and momenta, solved by Newton's method with the
//! Hessian from dual numbers.
use crate::group::LieAlgebra;
use lieflow_kernel::{Mask, Real, linalg::solve_in_place};

/// Why a momentum has no velocity, or a velocity no momentum.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LegendreError {
    /// The Hessian is singular.
    #[error(
        "the Legendre transform is singular: the smallest pivot of the Hessian of the {function} is {pivot:e} of the largest"
    )]
    Singular {
        /// Which function.
        function: &'static str,
        /// Smallest over largest pivot.
        pivot: f64,
    },
    /// Newton's method did not settle.
    #[error(
        "the Legendre transform of the {function} did not converge in {iterations} iterations (residual {residual:e})"
    )]
    NotConverged {
        /// Which function.
        function: &'static str,
        /// How many iterations were made.
        iterations: u32,
        /// What was left.
        residual: f64,
    },
}

/// A Hessian whose pivots differ by more than this factor is called singular.
const SINGULAR: f64 = 1e-13;
const ITERATIONS: u32 = 50;
/// Up to this many coordinates the solve needs no allocation.
const FIXED: usize = 12;

/// Solves `f(x) = target`, where `linearise(x, column)` gives `f(x)` and fills the matrix of its
/// derivatives by rows. Starts at zero, which is the solution of a system at rest.
pub(super) fn solve<A: LieAlgebra>(
    function: &'static str,
    target: &A,
    linearise: impl FnMut(&A, &mut [A::Scalar]) -> A,
) -> Result<A, LegendreError> {
    let d = target.dim();
    if d <= FIXED {
        let zero = A::Scalar::zero();
        let (mut a, mut b) = ([zero; FIXED * FIXED], [zero; FIXED]);
        solve_with(function, target, linearise, &mut a[..d * d], &mut b[..d])
    } else {
        let zero = A::Scalar::zero();
        solve_with(function, target, linearise, &mut vec![zero; d * d], &mut vec![zero; d])
    }
}

fn solve_with<A: LieAlgebra>(
    function: &'static str,
    target: &A,
    mut linearise: impl FnMut(&A, &mut [A::Scalar]) -> A,
    matrix: &mut [A::Scalar],
    rest: &mut [A::Scalar],
) -> Result<A, LegendreError> {
    let d = target.dim();
    let mut x = target.zero_like();
    let mut residual = f64::NAN;
    let mut rounds_left = None;
    for _ in 0..ITERATIONS {
        let mut value = linearise(&x, matrix);
        value.axpy(-1.0, target);
        residual = value.norm();
        for i in 0..d {
            rest[i] = value.coord(i);
        }
        if !solve_in_place(d, matrix, rest).all() || smallest_pivot(d, matrix) < SINGULAR {
            return Err(LegendreError::Singular { function, pivot: smallest_pivot(d, matrix) });
        }
        let (mut change, mut size) = (0.0, 0.0);
        for i in 0..d {
            let new = x.coord(i) - rest[i];
            change += rest[i].magnitude().powi(2);
            size += new.magnitude().powi(2);
            x.set_coord(i, new);
        }
        // Quadratic convergence: after a change of 1e-10 the next one is below rounding. The layers
        // of derivatives that a number carries need a round each.
        match &mut rounds_left {
            Some(0) => return Ok(x),
            Some(n) => *n -= 1,
            None if change <= 1e-20 * size => {
                if A::Scalar::DERIVATIVES == 0 {
                    return Ok(x);
                }
                rounds_left = Some(A::Scalar::DERIVATIVES - 1);
            }
            None => {}
        }
    }
    Err(LegendreError::NotConverged { function, iterations: ITERATIONS, residual })
}

/// Smallest over largest pivot of a matrix that [`solve_in_place`] has eliminated.
fn smallest_pivot<S: Real>(d: usize, eliminated: &[S]) -> f64 {
    let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
    for i in 0..d {
        let pivot = eliminated[i * d + i].magnitude();
        if pivot.is_nan() {
            return 0.0;
        }
        low = low.min(pivot);
        high = high.max(pivot);
    }
    if high > 0.0 { low / high } else { 0.0 }
}
