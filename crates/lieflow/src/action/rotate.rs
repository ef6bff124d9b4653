//! SO(n) turning vectors of Rⁿ, and so every sphere about the origin, and turning symmetric
//! matrices.
use super::{Action, Flat};
use crate::archive::Archive;
use crate::group::matrix::real;
use crate::group::{Rn, Son, Square};
use core::marker::PhantomData;
use lieflow_kernel::{Mask, Real};

/// `R·q = R q`. The length of `q` is kept: the orbits are the spheres S^(n-1).
#[derive(Clone, Copy, Debug)]
pub struct Rotate<S, const N: usize>(PhantomData<S>);

impl<S: Real, const N: usize> Action for Rotate<S, N> {
    type Group = Son<S, N>;
    type Point = Rn<S, N>;
    #[inline]
    fn act(g: &Son<S, N>, q: &Rn<S, N>) -> Rn<S, N> {
        Rn(turned(&g.matrix, &q.0))
    }
}

/// Matrix times vector.
#[inline(always)]
pub(super) fn turned<S: Real, const N: usize>(r: &Square<S, N>, q: &[S; N]) -> [S; N] {
    let mut out = [S::zero(); N];
    for i in 0..N {
        for j in 0..N {
            out[i] += r[i][j] * q[j];
        }
    }
    out
}

/// A symmetric matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Symmetric<S, const N: usize> {
    matrix: Square<S, N>,
}

impl<S: Real, const N: usize> Symmetric<S, N> {
    /// The symmetric part `(m + mᵀ)/2` of any matrix.
    pub fn from_matrix(m: &Square<S, N>) -> Self {
        let mut matrix = *m;
        for i in 0..N {
            for j in 0..N {
                matrix[i][j] = (m[i][j] + m[j][i]) * 0.5;
            }
        }
        Self { matrix }
    }
    /// Eigenvalues in the order in which Jacobi's rotations leave them, and eigenvectors as columns.
    /// Axes that nothing connects stay where they are.
    pub fn eigen(&self) -> ([S; N], Square<S, N>) {
        let (mut a, mut v) = (self.matrix, real::identity());
        real::jacobi(&mut a, &mut v, &[[S::Mask::splat(true); N]; N]);
        let mut values = [S::zero(); N];
        for i in 0..N {
            values[i] = a[i][i];
        }
        (values, v)
    }
    /// The matrix, by rows.
    #[inline(always)]
    pub fn matrix(&self) -> &Square<S, N> {
        &self.matrix
    }
}

impl<S: Real, const N: usize> Flat for Symmetric<S, N> {
    fn distance_squared(&self, other: &Self) -> f64 {
        self.matrix.map(Rn).distance_squared(&other.matrix.map(Rn))
    }
    fn archive(&mut self, archive: &mut Archive) {
        self.matrix.iter_mut().for_each(|row| archive.reals(row));
    }
}

/// `R·A = R A Rᵀ`. The eigenvalues of `A` are kept: the setting of isospectral flows.
#[derive(Clone, Copy, Debug)]
pub struct Conjugate<S, const N: usize>(PhantomData<S>);

impl<S: Real, const N: usize> Action for Conjugate<S, N> {
    type Group = Son<S, N>;
    type Point = Symmetric<S, N>;
    #[inline]
    fn act(g: &Son<S, N>, a: &Symmetric<S, N>) -> Symmetric<S, N> {
        // A Rᵀ row by row, then a triangle of R (A Rᵀ): the result is exactly symmetric.
        let mut right = a.matrix;
        for i in 0..N {
            right[i] = turned(&g.matrix, &a.matrix[i]);
        }
        let mut matrix = right;
        for i in 0..N {
            for j in 0..=i {
                let mut sum = S::zero();
                for k in 0..N {
                    sum += g.matrix[i][k] * right[k][j];
                }
                matrix[i][j] = sum;
                matrix[j][i] = sum;
            }
        }
        Symmetric { matrix }
    }
}
