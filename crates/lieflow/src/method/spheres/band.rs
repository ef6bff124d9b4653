//! The linear systems of the multipliers: diagonal, tridiagonal or dense, as the mass matrix says.
use crate::problem::spheres::Coupling;
use lieflow_kernel::scalar::Apart;
use lieflow_kernel::{Mask, Real, linalg::solve_in_place};

/// `A x = b` with the pattern of an inverse mass matrix, in memory that is reused.
pub(super) struct Band<S> {
    coupling: Coupling,
    n: usize,
    /// Tridiagonal: rows of (left, middle, right). Dense: the whole matrix by rows.
    a: Vec<S>,
    /// The right-hand side, then the solution.
    pub x: Vec<S>,
}

impl<S: Real> Band<S> {
    /// Room for `n` unknowns.
    pub fn new(coupling: Coupling, n: usize) -> Self {
        let entries = match coupling {
            Coupling::Diagonal => n,
            Coupling::Neighbours => 3 * n,
            Coupling::Dense => n * n,
        };
        Self { coupling, n, a: vec![S::zero(); entries], x: vec![S::zero(); n] }
    }

    /// Replaces the entry `(i, j)`, which must be one of the pattern.
    #[inline(always)]
    pub fn set(&mut self, i: usize, j: usize, value: S) {
        let k = match self.coupling {
            Coupling::Diagonal => i,
            Coupling::Neighbours => 3 * i + 1 + j - i,
            Coupling::Dense => i * self.n + j,
        };
        self.a[k] = value;
    }

    /// Replaces `x` by the solution and destroys the matrix; says whether all of it is finite.
    ///
    /// The tridiagonal elimination starts from the last row and does not exchange rows: the
    /// matrices here are symmetric positive definite or close to that.
    pub fn solve(&mut self) -> bool {
        S::apart(Solve(self))
    }
}

/// The solution, in one function for each scalar.
struct Solve<'a, S>(&'a mut Band<S>);

impl<S: Real> Apart for Solve<'_, S> {
    type Output = bool;
    #[inline(always)]
    fn run(self) -> bool {
        let Band { coupling, n, a, x } = self.0;
        let n = *n;
        match coupling {
            Coupling::Diagonal => {
                for i in 0..n {
                    x[i] = x[i] / a[i];
                }
            }
            Coupling::Neighbours => {
                for i in (0..n.saturating_sub(1)).rev() {
                    let f = a[3 * i + 2] / a[3 * i + 4];
                    let (d, r) = (f * a[3 * i + 3], f * x[i + 1]);
                    a[3 * i + 1] -= d;
                    x[i] -= r;
                }
                for i in 0..n {
                    let before = if i > 0 { a[3 * i] * x[i - 1] } else { S::zero() };
                    x[i] = (x[i] - before) / a[3 * i + 1];
                }
            }
            Coupling::Dense => {
                solve_in_place(n, a, x);
            }
        }
        let mut finite = true;
        for x in x {
            finite &= x.finite().all();
        }
        finite
    }
}
