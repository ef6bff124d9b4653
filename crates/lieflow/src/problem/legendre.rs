//! The Legendre transform between velocities and momenta, solved by Newton's method with the
//! Hessian from dual numbers.
use crate::group::LieAlgebra;
use crate::group::family::{GroupFamily, SeededPrimal, VectorIn, jacobian};
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

/// Solves `value(x) = target` for `x`, starting at zero, which is the solution of a system at rest.
/// The Hessian is taken without the derivatives that the numbers may carry; those settle in rounds
/// of their own.
pub(super) fn solve<F: GroupFamily, S: Real>(
    function: &'static str,
    target: &VectorIn<F, S>,
    value: impl FnMut(&VectorIn<F, S>) -> VectorIn<F, S>,
    hessian: impl FnMut(&VectorIn<F, SeededPrimal<S>>) -> VectorIn<F, SeededPrimal<S>>,
) -> Result<VectorIn<F, S>, LegendreError> {
    let d = target.dim();
    let (o, zero) = (S::Primal::zero(), S::zero());
    if d <= FIXED {
        let (mut h, mut a, mut b) = ([o; FIXED * FIXED], [zero; FIXED * FIXED], [zero; FIXED]);
        let space = (&mut h[..d * d], &mut a[..d * d], &mut b[..d]);
        solve_with::<F, S>(function, target, value, hessian, space)
    } else {
        let (mut h, mut a, mut b) = (vec![o; d * d], vec![zero; d * d], vec![zero; d]);
        solve_with::<F, S>(function, target, value, hessian, (&mut h, &mut a, &mut b))
    }
}

fn solve_with<F: GroupFamily, S: Real>(
    function: &'static str,
    target: &VectorIn<F, S>,
    mut value: impl FnMut(&VectorIn<F, S>) -> VectorIn<F, S>,
    mut hessian: impl FnMut(&VectorIn<F, SeededPrimal<S>>) -> VectorIn<F, SeededPrimal<S>>,
    (plain, matrix, rest): (&mut [S::Primal], &mut [S], &mut [S]),
) -> Result<VectorIn<F, S>, LegendreError> {
    let d = target.dim();
    let mut x = target.zero_like();
    let mut residual = f64::NAN;
    // Lanes that have settled, each as if it were alone.
    let mut settled = S::Mask::splat(false);
    let mut rounds_left = S::DERIVATIVES;
    for _ in 0..ITERATIONS {
        let mut miss = value(&x);
        miss.axpy(-1.0, target);
        residual = miss.norm();
        jacobian::<F, S::Primal>(&F::cast_vector(&x, S::primal), plain, &mut hessian);
        for (a, h) in matrix.iter_mut().zip(plain.iter()) {
            *a = S::from_primal(*h);
        }
        for i in 0..d {
            rest[i] = miss.coord(i);
        }
        let solved = solve_in_place(d, matrix, rest).all();
        let pivot = smallest_pivot(d, matrix);
        if !solved || pivot < SINGULAR {
            return Err(LegendreError::Singular { function, pivot });
        }
        let finishing = settled.all();
        let (mut change, mut size) = (S::zero(), S::zero());
        for i in 0..d {
            let (old, new) = (x.coord(i), x.coord(i) - rest[i]);
            change += rest[i] * rest[i];
            size += new * new;
            x.set_coord(i, if finishing { new } else { S::select(settled, old, new) });
        }
        // Quadratic convergence: after a change of 1e-10 the next one is below rounding.
        rounds_left -= usize::from(finishing);
        settled = settled.or((size * 1e-20).lt(change).not().and(change.finite()));
        if settled.all() && rounds_left == 0 {
            return Ok(x);
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
