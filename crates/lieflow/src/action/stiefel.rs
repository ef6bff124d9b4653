//! SO(n) turning orthonormal frames of k vectors in Rⁿ: the Stiefel manifolds.
use super::{Action, Flat, rotate::turned};
use crate::archive::Archive;
use crate::group::{Rn, Son};
use core::marker::PhantomData;
use lieflow_kernel::Real;

/// A frame of `K` vectors of Rⁿ, each of them one row here; on the Stiefel manifold they are
/// orthonormal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame<S, const N: usize, const K: usize> {
    /// The vectors.
    pub vectors: [[S; N]; K],
}

impl<S: Real, const N: usize, const K: usize> Frame<S, N, K> {
    /// The first `K` axes.
    pub fn axes() -> Self {
        let mut vectors = [[S::zero(); N]; K];
        for k in 0..K.min(N) {
            vectors[k][k] = S::one();
        }
        Self { vectors }
    }
    /// The largest difference of a product of two vectors from one or zero.
    pub fn orthogonality_error(&self) -> f64 {
        let mut worst: f64 = 0.0;
        for (a, x) in self.vectors.iter().enumerate() {
            for (b, y) in self.vectors.iter().enumerate() {
                let mut sum = if a == b { -S::one() } else { S::zero() };
                for i in 0..N {
                    sum += x[i] * y[i];
                }
                worst = worst.max(sum.magnitude());
            }
        }
        worst
    }
}

impl<S: Real, const N: usize, const K: usize> Flat for Frame<S, N, K> {
    fn distance_squared(&self, other: &Self) -> f64 {
        self.vectors.map(Rn).distance_squared(&other.vectors.map(Rn))
    }
    fn archive(&mut self, archive: &mut Archive) {
        self.vectors.iter_mut().for_each(|row| archive.reals(row));
    }
}

/// `R·(q_1, …, q_k) = (R q_1, …, R q_k)`. Products of the vectors are kept, so frames stay
/// orthonormal: the orbit is St(n, k).
#[derive(Clone, Copy, Debug)]
pub struct Stiefel<S, const N: usize, const K: usize>(PhantomData<S>);

impl<S: Real, const N: usize, const K: usize> Action for Stiefel<S, N, K> {
    type Group = Son<S, N>;
    type Point = Frame<S, N, K>;
    #[inline]
    fn act(g: &Son<S, N>, y: &Frame<S, N, K>) -> Frame<S, N, K> {
        let mut out = *y;
        for (to, from) in out.vectors.iter_mut().zip(&y.vectors) {
            *to = turned(&g.matrix, from);
        }
        out
    }
}
