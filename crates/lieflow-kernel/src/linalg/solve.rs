//! A small dense linear solver.
use crate::scalar::{Mask, Real};

/// Solves `A x = b` by Gaussian elimination with row exchanges. `a` holds the `n*n` entries by
/// rows and is destroyed; `b` holds the right-hand side and receives the solution. Returns the
/// lanes in which every pivot was different from zero and finite.
///
/// Rows are exchanged lane by lane, so that each lane does just what the `f64` run does. Slices
/// that are too short are reported as unsolvable.
#[inline]
pub fn solve_in_place<S: Real>(n: usize, a: &mut [S], b: &mut [S]) -> S::Mask {
    let mut ok = S::Mask::splat(a.len() >= n * n && b.len() >= n);
    if !ok.all() {
        return ok;
    }
    for k in 0..n {
        // Bring the largest entry of the column up by comparing with each lower row in turn.
        for i in k + 1..n {
            let swap = a[k * n + k].abs().lt(a[i * n + k].abs());
            if swap.any() {
                for j in k..n {
                    let (p, q) = (a[k * n + j], a[i * n + j]);
                    a[k * n + j] = S::select(swap, q, p);
                    a[i * n + j] = S::select(swap, p, q);
                }
                let (p, q) = (b[k], b[i]);
                b[k] = S::select(swap, q, p);
                b[i] = S::select(swap, p, q);
            }
        }
        let pivot = a[k * n + k];
        ok = ok.and(S::zero().lt(pivot.abs())).and(pivot.finite());
        for i in k + 1..n {
            let f = a[i * n + k] / pivot;
            for j in k + 1..n {
                let known = f * a[k * n + j];
                a[i * n + j] -= known;
            }
            let known = f * b[k];
            b[i] -= known;
        }
    }
    for k in (0..n).rev() {
        let mut x = b[k];
        for j in k + 1..n {
            x -= a[k * n + j] * b[j];
        }
        b[k] = x / a[k * n + k];
    }
    ok
}
