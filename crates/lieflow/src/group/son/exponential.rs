//! Exponential and its differentials on SO(n), by scaling and doubling.
//!
//! ```text
//! exp(2u)     = exp(u)²
//! dexp_{2u}   = (1 + Ad_{exp u})/2 ∘ dexp_u
//! ```
//!
//! The series are summed where all eigenvalues of `ad` are below one in size, so that no digits
//! cancel. The number of doublings is chosen lane by lane.
use super::matrix::{self, Square};
use super::{LieAlgebra, LieGroup, Skew, Son};
use crate::group::series::dexpinv_summed;
use lieflow_kernel::linalg::solve_in_place;
use lieflow_kernel::{Mask, Real};

/// Halvings never exceed this; beyond, an angle has no digits left anyway.
const MOST: usize = 60;

/// An algebra element after some halvings, which may differ from lane to lane.
struct Halved<S: Real, const N: usize> {
    u: Skew<S, N>,
    /// The lanes that were halved in each round.
    rounds: [S::Mask; MOST],
    count: usize,
}

impl<S: Real, const N: usize> Halved<S, N> {
    /// Halves until `|u|² <= limit` in every lane.
    fn new(u: &Skew<S, N>, limit: f64) -> Self {
        let mut h = Self { u: *u, rounds: [S::Mask::splat(false); MOST], count: 0 };
        let mut size = u.square();
        while h.count < MOST {
            // Infinite and NaN need no halving, they stay what they are.
            let large = S::lift(limit).lt(size).and(size.finite());
            if !large.any() {
                break;
            }
            let factor = S::select(large, S::lift(0.5), S::one());
            h.u = h.u.times(factor);
            size = size * factor * factor;
            h.rounds[h.count] = large;
            h.count += 1;
        }
        h
    }
    fn rounds(&self) -> &[S::Mask] {
        &self.rounds[..self.count]
    }
}

/// `sum_j u^j/j!` for `|u| <= 1`, even and odd powers apart.
fn exp_series<S: Real, const N: usize>(u: &Square<S, N>) -> Square<S, N> {
    let w = matrix::product(u, u);
    let mut j = S::SERIES_TERMS + 1;
    let mut even = matrix::zero();
    let mut odd = matrix::zero();
    while j > 0 {
        j -= 1;
        even = matrix::shifted(matrix::product(&even, &w), S::inverse_factorial(2 * j));
        odd = matrix::shifted(matrix::product(&odd, &w), S::inverse_factorial(2 * j + 1));
    }
    matrix::combine(1.0, &even, 1.0, &matrix::product(u, &odd))
}

/// `exp u`.
pub(super) fn exp<S: Real, const N: usize>(u: &Skew<S, N>) -> Square<S, N> {
    let half = Halved::new(u, 1.0);
    let mut g = exp_series(half.u.matrix());
    for mask in half.rounds() {
        g = matrix::select(*mask, &matrix::product(&g, &g), &g);
    }
    g
}

/// The eigenvalues of `ad_u` are sums of two rotation angles, at most `sqrt(2) |u|`: with this
/// bound on `|u|²` they are below one.
const AD_LIMIT: f64 = 0.5;

/// `dexp_u v`.
pub(super) fn dexp<S: Real, const N: usize>(u: &Skew<S, N>, v: &Skew<S, N>) -> Skew<S, N> {
    let half = Halved::new(u, AD_LIMIT);
    let mut sum = *v;
    let mut power = *v;
    for k in 1..2 * S::SERIES_TERMS + 2 {
        power = half.u.bracket(&power);
        sum.add_times(S::inverse_factorial(k + 1), &power);
    }
    doubled(&half, sum)
}

/// Applies `(1 + Ad_{exp u})/2` for the halved `u` and its doubles.
fn doubled<S: Real, const N: usize>(half: &Halved<S, N>, mut v: Skew<S, N>) -> Skew<S, N> {
    if half.count == 0 {
        return v;
    }
    let mut g = exp_series(half.u.matrix());
    for mask in half.rounds() {
        let mut mean = Son { matrix: g }.adjoint(&v);
        mean.axpy(1.0, &v);
        v = Skew::select(*mask, &mean.times(S::lift(0.5)), &v);
        g = matrix::select(*mask, &matrix::product(&g, &g), &g);
    }
    v
}

/// Coordinates of the largest algebra whose equations are solved without allocation, so(6).
const FIXED: usize = 15;

/// `dexp_u^{-1} v`: the doublings are undone by one dense solve, the rest is the Bernoulli series.
pub(super) fn dexpinv<S: Real, const N: usize>(u: &Skew<S, N>, v: &Skew<S, N>) -> Skew<S, N> {
    let half = Halved::new(u, AD_LIMIT);
    if half.count == 0 {
        return dexpinv_summed(u, v);
    }
    let d = u.dim();
    let undone = if d <= FIXED {
        undouble(&half, v, &mut [S::zero(); FIXED * FIXED][..d * d], &mut [S::zero(); FIXED][..d])
    } else {
        undouble(&half, v, &mut vec![S::zero(); d * d], &mut vec![S::zero(); d])
    };
    // Every lane that was halved at all was halved in the first round.
    dexpinv_summed(&half.u, &Skew::select(half.rounds[0], &undone, v))
}

/// Inverse of [`doubled`]; `a` and `b` are work space.
fn undouble<S: Real, const N: usize>(
    half: &Halved<S, N>,
    v: &Skew<S, N>,
    a: &mut [S],
    b: &mut [S],
) -> Skew<S, N> {
    let d = b.len();
    let mut e = v.zero_like();
    for j in 0..d {
        e.set_coord(j, S::one());
        let column = doubled(half, e);
        e.set_coord(j, S::zero());
        for i in 0..d {
            a[i * d + j] = column.coord(i);
        }
        b[j] = v.coord(j);
    }
    solve_in_place(d, a, b);
    for j in 0..d {
        e.set_coord(j, b[j]);
    }
    e
}
