//! The principal logarithm on groups of matrices.
//!
//! Near the identity, `(g - g*)/2 = sinh u` is inverted by the series of the inverse hyperbolic
//! sine, which keeps the relative accuracy of small rotations. Elsewhere the group gives a first
//! guess from the eigenvalues, which is improved by Newton's method on the group,
//! `u <- u + dexp_u^{-1} log(g exp(-u))`, whose remaining logarithm is small. This also carries
//! derivatives: the guess is found without them.
use super::exponential::{dexpinv, exp};
use super::{Matrix, MatrixAlgebra};
use lieflow_kernel::{Mask, Real};

/// A logarithm of an element of the group.
pub(in crate::group) fn log<A: MatrixAlgebra>(g: &A::Matrix) -> A {
    // 1/16 allows angles up to a quarter radian.
    let near = g.turned().lt(A::Scalar::lift(0.0625));
    let small = log_near::<A>(g);
    if near.all() {
        return small;
    }
    let mut u = A::far_log(&g.each(|x| x.frozen()));
    // Two rounds take an error of 1e-6 beyond f64; more digits or derivatives need more.
    let mut rounds = 2 + (A::Scalar::SERIES_TERMS - <f64 as Real>::SERIES_TERMS) / 2;
    while rounds > 0 {
        rounds -= 1;
        let back = exp(&u).adjoint();
        let rest = log_near::<A>(&g.product(&back));
        let step = dexpinv(&u, &rest);
        // Where the equation is singular, as between two planes that turn by half a turn: keep what
        // there is.
        let size = step.square();
        let sound = size.finite().and(size.lt(A::Scalar::lift(1e-2)));
        let mut next = u;
        next.axpy(1.0, &step);
        u = A::choose(sound, &next, &u);
    }
    A::choose(near, &small, &u)
}

/// `asinh K = sum_j (-1)^j (2j)!/(4^j (j!)² (2j + 1)) K^(2j+1)`, for `|K| <= 1/4`.
fn log_near<A: MatrixAlgebra>(g: &A::Matrix) -> A {
    let k = g.skew_part();
    let w = k.product(&k);
    // Nested from the inside out: sum_j = 1/(2j+1) - (2j+1)/(2j+2) w sum_{j+1}. Terms fall by a
    // factor of sixteen, two for each of a series that falls by factorials.
    let mut sum = A::Matrix::zero();
    let mut j = 2 * A::Scalar::SERIES_TERMS;
    while j > 0 {
        j -= 1;
        let odd = (2 * j + 1) as f64;
        let ratio = -A::Scalar::ratio(odd, odd + 1.0);
        sum = sum.product(&w).each(|x| x * ratio).shifted(A::Scalar::ratio(1.0, odd));
    }
    A::part_of(&k.product(&sum))
}
