//! Exponential and its differentials on groups of matrices, by scaling and doubling.
//!
//! ```text
//! exp(2u)     = exp(u)²
//! dexp_{2u}   = (1 + Ad_{exp u})/2 ∘ dexp_u
//! ```
//!
//! The series are summed where all eigenvalues of `ad` are below one in size, so that no digits
//! cancel. The number of doublings is chosen lane by lane.
use super::{Matrix, MatrixAlgebra};
use crate::group::series::dexpinv_summed;
use lieflow_kernel::linalg::solve_in_place;
use lieflow_kernel::{Mask, Real};

/// Halvings never exceed this; beyond, an angle has no digits left anyway.
const MOST: usize = 60;

/// An algebra element after some halvings, which may differ from lane to lane.
struct Halved<A: MatrixAlgebra> {
    u: A,
    /// The lanes that were halved in each round.
    rounds: [<A::Scalar as Real>::Mask; MOST],
    count: usize,
}

impl<A: MatrixAlgebra> Halved<A> {
    /// Halves until `|u|² <= limit` in every lane.
    fn new(u: &A, limit: f64) -> Self {
        let none = <A::Scalar as Real>::Mask::splat(false);
        let mut h = Self { u: *u, rounds: [none; MOST], count: 0 };
        let mut size = u.square();
        while h.count < MOST {
            // Infinite and NaN need no halving, they stay what they are.
            let large = A::Scalar::lift(limit).lt(size).and(size.finite());
            if !large.any() {
                break;
            }
            let factor = A::Scalar::select(large, A::Scalar::lift(0.5), A::Scalar::one());
            h.u = h.u.scaled(factor);
            size = size * factor * factor;
            h.rounds[h.count] = large;
            h.count += 1;
        }
        h
    }
    fn rounds(&self) -> &[<A::Scalar as Real>::Mask] {
        &self.rounds[..self.count]
    }
}

/// `sum_j u^j/j!` for `|u| <= 1`, even and odd powers apart.
fn exp_series<M: Matrix>(u: &M) -> M {
    let w = u.product(u);
    let mut j = M::Scalar::SERIES_TERMS + 1;
    let mut even = M::zero();
    let mut odd = M::zero();
    while j > 0 {
        j -= 1;
        even = even.product(&w).shifted(M::Scalar::inverse_factorial(2 * j));
        odd = odd.product(&w).shifted(M::Scalar::inverse_factorial(2 * j + 1));
    }
    M::combine(1.0, &even, 1.0, &u.product(&odd))
}

/// `exp u`.
pub(in crate::group) fn exp<A: MatrixAlgebra>(u: &A) -> A::Matrix {
    let half = Halved::new(u, A::EXP_LIMIT);
    let mut g = exp_series(half.u.matrix());
    for mask in half.rounds() {
        g = A::Matrix::select(*mask, &g.product(&g), &g);
    }
    g
}

/// `dexp_u v`.
pub(in crate::group) fn dexp<A: MatrixAlgebra>(u: &A, v: &A) -> A {
    let half = Halved::new(u, A::AD_LIMIT);
    let mut sum = *v;
    let mut power = *v;
    for k in 1..2 * A::Scalar::SERIES_TERMS + 2 {
        power = half.u.bracket(&power);
        sum = sum.plus(A::Scalar::inverse_factorial(k + 1), &power);
    }
    doubled(&half, sum)
}

/// Applies `(1 + Ad_{exp u})/2` for the halved `u` and its doubles.
fn doubled<A: MatrixAlgebra>(half: &Halved<A>, mut v: A) -> A {
    if half.count == 0 {
        return v;
    }
    let mut g = exp_series(half.u.matrix());
    for mask in half.rounds() {
        let mut mean = v.turned_by(&g);
        mean.axpy(1.0, &v);
        v = A::choose(*mask, &mean.scaled(A::Scalar::lift(0.5)), &v);
        g = A::Matrix::select(*mask, &g.product(&g), &g);
    }
    v
}

/// Coordinates of the largest algebras whose equations are solved without allocation: so(6), su(4).
const FIXED: usize = 15;

/// `dexp_u^{-1} v`: the doublings are undone by one dense solve, the rest is the Bernoulli series.
pub(in crate::group) fn dexpinv<A: MatrixAlgebra>(u: &A, v: &A) -> A {
    let half = Halved::new(u, A::AD_LIMIT);
    if half.count == 0 {
        return dexpinv_summed(u, v);
    }
    let zero = A::Scalar::zero();
    let d = u.dim();
    let undone = if d <= FIXED {
        undouble(&half, v, &mut [zero; FIXED * FIXED][..d * d], &mut [zero; FIXED][..d])
    } else {
        undouble(&half, v, &mut vec![zero; d * d], &mut vec![zero; d])
    };
    // Every lane that was halved at all was halved in the first round.
    dexpinv_summed(&half.u, &A::choose(half.rounds[0], &undone, v))
}

/// Inverse of [`doubled`]; `a` and `b` are work space.
fn undouble<A: MatrixAlgebra>(
    half: &Halved<A>,
    v: &A,
    a: &mut [A::Scalar],
    b: &mut [A::Scalar],
) -> A {
    let d = b.len();
    let mut e = v.zero_like();
    for j in 0..d {
        e.set_coord(j, A::Scalar::one());
        let column = doubled(half, e);
        e.set_coord(j, A::Scalar::zero());
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
