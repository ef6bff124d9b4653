//! Matrices moved by congruence, `q m qᵀ` with any square matrix `q` near the identity: what methods
//! for isospectral flows ask of the spaces on which SO(n) acts so.
use super::{Action, CoadjointAction, Conjugate, Symmetric};
use crate::group::{Skew, Son, Square};
use lieflow_kernel::Real;

/// A space of matrices on which rotations act by conjugation.
pub trait Congruence<S: Real, const N: usize>: Action<Group = Son<S, N>> {
    /// `(I + d) y (I + d)ᵀ`, whose difference from `y` is as accurate as `d`.
    fn moved(d: &Square<S, N>, y: &Self::Point) -> Self::Point;
}

/// `d m + d m dᵀ/2`, of which the change of `m` is the sum with its transpose, or for skew `m` the
/// difference.
#[inline]
fn half_change<S: Real, const N: usize>(d: &Square<S, N>, m: &Square<S, N>) -> Square<S, N> {
    let mut p = [[S::zero(); N]; N];
    for i in 0..N {
        for j in 0..N {
            for k in 0..N {
                p[i][j] += d[i][k] * m[k][j];
            }
        }
    }
    let mut out = p;
    for i in 0..N {
        for j in 0..N {
            let mut sum = S::zero();
            for k in 0..N {
                sum += p[i][k] * d[j][k];
            }
            out[i][j] += sum * 0.5;
        }
    }
    out
}

impl<S: Real, const N: usize> Congruence<S, N> for Conjugate<S, N> {
    #[inline]
    fn moved(d: &Square<S, N>, y: &Symmetric<S, N>) -> Symmetric<S, N> {
        let (half, mut m) = (half_change(d, y.matrix()), *y.matrix());
        for i in 0..N {
            for j in 0..N {
                m[i][j] += half[i][j] + half[j][i];
            }
        }
        Symmetric::from_matrix(&m)
    }
}

impl<S: Real, const N: usize> Congruence<S, N> for CoadjointAction<Son<S, N>> {
    #[inline]
    fn moved(d: &Square<S, N>, y: &Skew<S, N>) -> Skew<S, N> {
        let (half, mut m) = (half_change(d, y.matrix()), *y.matrix());
        for i in 0..N {
            for j in 0..N {
                m[i][j] += half[i][j] - half[j][i];
            }
        }
        Skew::from_matrix(&m)
    }
}
