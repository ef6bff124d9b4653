//! SO(n) turning vectors of Rⁿ, and so every sphere about the origin, and turning symmetric
//! matrices.
use super::Action;
use crate::group::{Son, Square};
use lieflow_kernel::Real;
use std::marker::PhantomData;

/// `R·q = R q`. The length of `q` is kept: the orbits are the spheres S^(n-1).
#[derive(Clone, Copy, Debug)]
pub struct Rotate<S, const N: usize>(PhantomData<S>);

impl<S: Real, const N: usize> Action for Rotate<S, N> {
    type Group = Son<S, N>;
    type Point = [S; N];
    #[inline]
    fn act(g: &Son<S, N>, q: &[S; N]) -> [S; N] {
        let mut out = [S::zero(); N];
        for i in 0..N {
            for j in 0..N {
                out[i] += g.matrix[i][j] * q[j];
            }
        }
        out
    }
}

/// `R·A = R A Rᵀ`. The eigenvalues of `A` are kept: the setting of isospectral flows.
#[derive(Clone, Copy, Debug)]
pub struct Conjugate<S, const N: usize>(PhantomData<S>);

impl<S: Real, const N: usize> Action for Conjugate<S, N> {
    type Group = Son<S, N>;
    type Point = Square<S, N>;
    #[inline]
    fn act(g: &Son<S, N>, a: &Square<S, N>) -> Square<S, N> {
        // Only a triangle is computed, so that a symmetric matrix stays exactly symmetric.
        let mut left = [[S::zero(); N]; N];
        for i in 0..N {
            left[i] = Rotate::act(g, &a[i]);
        }
        let mut out = left;
        for i in 0..N {
            for j in 0..=i {
                let mut sum = S::zero();
                for k in 0..N {
                    sum += g.matrix[i][k] * left[k][j];
                }
                out[i][j] = sum;
                out[j][i] = sum;
            }
        }
        out
    }
}
