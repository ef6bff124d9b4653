//! A logarithm on SU(n), from the eigenvalues `exp(iθ)`.
//!
//! Angles in `(-π, π]` sum to a multiple of `2π`. As many turns as that are taken from the largest
//! ones, or added to the smallest: of all logarithms with trace zero this is the shortest (the nearest
//! point of a root lattice, by rounding; Conway and Sloane 1982).
use super::{MatrixAlgebra, SkewHermitian};
use crate::group::matrix::Matrix;
use crate::group::matrix::complex::{Complex, diagonalise};
use core::f64::consts::{PI, TAU};
use lieflow_kernel::{Mask, Real};

/// The logarithm, to about eight digits.
pub(super) fn from_angles<S: Real, const N: usize>(g: &Complex<S, N>) -> SkewHermitian<S, N> {
    let (mut d, mut v) = (*g, Complex::identity());
    diagonalise(&mut d, &mut v);
    let mut angle = [S::zero(); N];
    let mut sum = S::zero();
    for i in 0..N {
        angle[i] = d.im[i][i].atan2(d.re[i][i]);
        sum += angle[i];
    }
    // At most N/2 turns are too many or too few.
    for _ in 0..N / 2 + 1 {
        let over = S::lift(PI).lt(sum);
        let under = sum.lt(S::lift(-PI));
        if !over.or(under).any() {
            break;
        }
        let turn = S::select(over, S::lift(-TAU), S::select(under, S::lift(TAU), S::zero()));
        let sign = S::select(over, S::one(), -S::one());
        let mut largest = angle[0] * sign;
        for a in &angle[1..] {
            largest = S::max(largest, *a * sign);
        }
        let mut waiting = S::Mask::splat(true);
        for a in &mut angle {
            let chosen = waiting.and((*a * sign).lt(largest).not());
            *a = S::select(chosen, *a + turn, *a);
            waiting = waiting.and(chosen.not());
        }
        sum += turn;
    }
    let mut diagonal = Complex::zero();
    for i in 0..N {
        diagonal.im[i][i] = angle[i];
    }
    SkewHermitian::part_of(&v.conjugate(&diagonal))
}
