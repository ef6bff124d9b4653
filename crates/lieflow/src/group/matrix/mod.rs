//! Groups of matrices whose inverse is the adjoint: what SO(n) and SU(n) share.
//!
//! The algebra holds the skew matrices of the group. Exponential, differentials and logarithm are
//! written once, for matrices of real and of complex numbers.
use super::LieAlgebra;
use lieflow_kernel::Real;

pub(super) mod complex;
pub(super) mod exponential;
pub(super) mod logarithm;
pub(crate) mod real;

pub use real::Square;

/// A square matrix.
pub(super) trait Matrix: Copy {
    /// The real numbers of its entries.
    type Scalar: Real;
    fn zero() -> Self;
    fn product(&self, b: &Self) -> Self;
    /// The transpose, of complex matrices with conjugate entries.
    fn adjoint(&self) -> Self;
    /// `p a + q b`.
    fn combine(p: f64, a: &Self, q: f64, b: &Self) -> Self;
    /// `self + x I`.
    fn shifted(self, x: Self::Scalar) -> Self;
    /// The same change to each real number of it.
    fn each(self, change: impl Fn(Self::Scalar) -> Self::Scalar) -> Self;
    /// `a` where the mask is true, `b` elsewhere.
    fn select(mask: <Self::Scalar as Real>::Mask, a: &Self, b: &Self) -> Self;
    /// The part with `m* = -m`, exactly.
    fn skew_part(&self) -> Self;
    /// `sum (1 - cos θ)` over the eigenvalues `exp(iθ)` of an element of the group.
    fn turned(&self) -> Self::Scalar;
    /// Sum of the squared differences of the entries, over the largest lane of each.
    fn distance_squared(&self, other: &Self) -> f64;

    /// The identity.
    #[inline]
    fn identity() -> Self {
        Self::zero().shifted(Self::Scalar::one())
    }
    /// `self b self*`.
    #[inline]
    fn conjugate(&self, b: &Self) -> Self {
        self.product(b).product(&self.adjoint())
    }
    /// How far `m* m` is from the identity, in the Frobenius norm.
    fn orthogonality_error(&self) -> f64 {
        self.adjoint().product(self).distance_squared(&Self::identity()).sqrt()
    }
}

/// An algebra of skew matrices.
pub(super) trait MatrixAlgebra: LieAlgebra + Copy {
    /// Elements of the algebra and of the group.
    type Matrix: Matrix<Scalar = Self::Scalar>;
    /// With this bound on the squared norm all eigenvalues of the matrix are at most one in size.
    const EXP_LIMIT: f64;
    /// The same for the eigenvalues of `ad`.
    const AD_LIMIT: f64;

    /// The matrix.
    fn matrix(&self) -> &Self::Matrix;
    /// The element with this matrix, which is one of the algebra.
    fn of(matrix: Self::Matrix) -> Self;
    /// The part of any matrix that is in the algebra.
    fn part_of(matrix: &Self::Matrix) -> Self;
    /// A logarithm from the eigenvalues, to about six digits, without derivatives.
    fn far_log(g: &Self::Matrix) -> Self;
    /// Sum of the squares of the coordinates, lane by lane.
    fn square(&self) -> Self::Scalar;

    /// This element times a number of its own scalar.
    #[inline]
    fn scaled(&self, a: Self::Scalar) -> Self {
        Self::of(self.matrix().each(|x| x * a))
    }
    /// `self + a x` with a number of its own scalar.
    #[inline]
    fn plus(&self, a: Self::Scalar, x: &Self) -> Self {
        Self::of(Self::Matrix::combine(1.0, self.matrix(), 1.0, x.scaled(a).matrix()))
    }
    /// `a` where the mask is true, `b` elsewhere.
    #[inline]
    fn choose(mask: <Self::Scalar as Real>::Mask, a: &Self, b: &Self) -> Self {
        Self::of(Self::Matrix::select(mask, a.matrix(), b.matrix()))
    }
    /// `Ad_g self`.
    #[inline]
    fn turned_by(&self, g: &Self::Matrix) -> Self {
        Self::part_of(&g.conjugate(self.matrix()))
    }
}
