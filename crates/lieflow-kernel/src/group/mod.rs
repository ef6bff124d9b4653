//! Matrix groups of mechanics, estimation and vision, each in a file of its own with the same names:
//! `exp`, `log`, `compose`, `inverse`, `act`, `hat`, `vee`, `adjoint`, `ad`, `dexp` (the left
//! Jacobian), `dexpinv`, and the matrices of the last four.
use crate::linalg::{Mat3, Vec3};
use crate::scalar::Real;

pub mod se2;
pub mod se23;
pub mod se3;
pub mod sim3;
pub mod so2;
pub mod so3;

/// The matrix of a linear map, from the images of the unit vectors.
#[inline]
fn matrix_of<S: Real, const N: usize>(image: impl Fn([S; N]) -> [S; N]) -> [[S; N]; N] {
    let mut m = [[S::zero(); N]; N];
    let mut j = 0;
    while j < N {
        let mut unit = [S::zero(); N];
        unit[j] = S::one();
        let column = image(unit);
        let mut i = 0;
        while i < N {
            m[i][j] = column[i];
            i += 1;
        }
        j += 1;
    }
    m
}

/// The matrix of size `N` with a matrix of three rows in its upper left corner, one column after the
/// other beside it, and zeros below.
#[inline]
fn bordered<S: Real, const N: usize>(corner: &Mat3<S>, columns: &[Vec3<S>]) -> [[S; N]; N] {
    let mut m = [[S::zero(); N]; N];
    let mut i = 0;
    while i < 3 && i < N {
        let mut j = 0;
        while j < N && j < 3 + columns.len() {
            m[i][j] = if j < 3 { corner.get(i, j) } else { columns[j - 3].get(i) };
            j += 1;
        }
        i += 1;
    }
    m
}

/// The corner and column number `j` of such a matrix.
#[inline]
fn corner<S: Real, const N: usize>(m: &[[S; N]; N]) -> Mat3<S> {
    Mat3::from_columns(column(m, 0), column(m, 1), column(m, 2))
}
#[inline]
fn column<S: Real, const N: usize>(m: &[[S; N]; N], j: usize) -> Vec3<S> {
    Vec3::from([m[0][j], m[1][j], m[2][j]])
}

/// Part number `i` of coordinates that are vectors of space one after the other.
#[inline(always)]
fn part<S: Real, const N: usize>(x: &[S; N], i: usize) -> Vec3<S> {
    Vec3::from([x[3 * i], x[3 * i + 1], x[3 * i + 2]])
}

/// The four Jacobians of a group, from those on the left; those on the right are those at `-u`.
macro_rules! jacobians {
    (($($u:ident: $of:ty),+) -> $matrix:ty, $left:expr, $inverse:expr) => {
        /// The matrix of [`dexp`], with `exp(u + v) = exp(J v) exp(u)` to first order in `v`.
        #[doc(alias = "Jl")]
        #[doc(alias = "ljac")]
        #[doc(alias = "dexp_matrix")]
        #[inline]
        pub fn left_jacobian<S: Real>($($u: $of),+) -> $matrix {
            $left
        }
        /// The matrix with `exp(u + v) = exp(u) exp(J v)` to first order in `v`: [`left_jacobian`] at
        /// `-u`.
        #[doc(alias = "Jr")]
        #[doc(alias = "rjac")]
        #[inline]
        pub fn right_jacobian<S: Real>($($u: $of),+) -> $matrix {
            left_jacobian($(super::Negative::negative($u)),+)
        }
        /// The inverse of [`left_jacobian`]: the matrix of [`dexpinv`].
        #[doc(alias = "Jl_inv")]
        #[doc(alias = "ljacinv")]
        #[doc(alias = "dexpinv_matrix")]
        #[inline]
        pub fn left_jacobian_inverse<S: Real>($($u: $of),+) -> $matrix {
            $inverse
        }
        /// The inverse of [`right_jacobian`]: [`left_jacobian_inverse`] at `-u`.
        #[doc(alias = "Jr_inv")]
        #[doc(alias = "rjacinv")]
        #[inline]
        pub fn right_jacobian_inverse<S: Real>($($u: $of),+) -> $matrix {
            left_jacobian_inverse($(super::Negative::negative($u)),+)
        }
    };
}
use jacobians;

/// What has a negative: coordinates of an algebra, however they are grouped.
trait Negative {
    fn negative(self) -> Self;
}
impl<S: Real> Negative for Vec3<S> {
    #[inline(always)]
    fn negative(self) -> Self {
        -self
    }
}
impl<S: Real> Negative for S {
    #[inline(always)]
    fn negative(self) -> Self {
        -self
    }
}
impl<S: Real, const N: usize> Negative for [S; N] {
    #[inline(always)]
    fn negative(mut self) -> Self {
        for x in &mut self {
            *x = -*x;
        }
        self
    }
}
