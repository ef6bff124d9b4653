//! Canonical coordinates of the second kind for any group:
//! `psi(q) = exp(q1 e1) exp(q2 e2) … exp(qd ed)` in the order of the coordinates.
//!
//! Column `j` of the right-trivialised differential is `Ad` of the first `j - 1` factors applied
//! to `e_j`; its inverse is one dense solve.
use crate::group::{AlgebraOf, LieAlgebra, LieGroup, ScalarOf};
use lieflow_kernel::{Real, linalg::solve_in_place};

/// Up to this many coordinates the solve needs no allocation.
const FIXED: usize = 12;

/// `psi(q)`.
pub fn map<G: LieGroup>(q: &AlgebraOf<G>) -> G {
    let mut product = G::identity(q);
    for j in 0..q.dim() {
        product = product.compose(&factor(q, j));
    }
    product
}

/// `exp(q_j e_j)`.
fn factor<G: LieGroup>(q: &AlgebraOf<G>, j: usize) -> G {
    let mut direction = q.zero_like();
    direction.set_coord(j, q.coord(j));
    G::exp(&direction)
}

/// `dpsi_q v = sum_j v_j Ad(first j - 1 factors) e_j`.
pub fn push<G: LieGroup>(q: &AlgebraOf<G>, v: &AlgebraOf<G>) -> AlgebraOf<G> {
    let mut sum = q.zero_like();
    let mut before = G::identity(q);
    for j in 0..q.dim() {
        let mut part = q.zero_like();
        part.set_coord(j, v.coord(j));
        sum.axpy(1.0, &before.adjoint(&part));
        before = before.compose(&factor(q, j));
    }
    sum
}

/// `dpsi_q^{-1} v`. Where the coordinates are singular the result is not finite.
pub fn pull<G: LieGroup>(q: &AlgebraOf<G>, v: &AlgebraOf<G>) -> AlgebraOf<G> {
    let d = q.dim();
    if d <= FIXED {
        let mut a = [ScalarOf::<G>::zero(); FIXED * FIXED];
        let mut b = [ScalarOf::<G>::zero(); FIXED];
        pull_with::<G>(q, v, &mut a[..d * d], &mut b[..d])
    } else {
        let mut a = vec![ScalarOf::<G>::zero(); d * d];
        let mut b = vec![ScalarOf::<G>::zero(); d];
        pull_with::<G>(q, v, &mut a, &mut b)
    }
}

fn pull_with<G: LieGroup>(
    q: &AlgebraOf<G>,
    v: &AlgebraOf<G>,
    a: &mut [ScalarOf<G>],
    b: &mut [ScalarOf<G>],
) -> AlgebraOf<G> {
    let d = q.dim();
    let mut before = G::identity(q);
    for j in 0..d {
        let mut e = q.zero_like();
        e.set_coord(j, ScalarOf::<G>::one());
        let column = before.adjoint(&e);
        for i in 0..d {
            a[i * d + j] = column.coord(i);
        }
        before = before.compose(&factor(q, j));
        b[j] = v.coord(j);
    }
    solve_in_place(d, a, b);
    let mut solution = q.zero_like();
    for j in 0..d {
        solution.set_coord(j, b[j]);
    }
    solution
}
