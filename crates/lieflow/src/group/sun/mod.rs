//! The special unitary groups SU(n), stored as pairs of real matrices; the algebra su(n) is the
//! skew-Hermitian matrices of trace zero with the commutator.
//!
//! [`Su2`](super::Su2) is the same group for `n = 2`, by quaternions, and faster.
use super::matrix::complex::diagonalise;
use super::matrix::{Matrix, MatrixAlgebra, exponential, logarithm as principal};
use super::unitary::{self, transposes_are_inverses};
use super::{Coadjoint, LieAlgebra, LieGroup};
use crate::action::Flat;
use crate::archive::Archive;
use crate::chart::{Chart, OutOfChart};
use lieflow_kernel::Real;

mod logarithm;

pub use super::matrix::complex::Complex;

/// A unitary matrix of determinant one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sun<S, const N: usize> {
    /// The matrix.
    pub matrix: Complex<S, N>,
}

/// An element of su(n): `u* = -u`, trace zero.
///
/// The first coordinates are the real and then the imaginary parts of the entries below the diagonal,
/// row by row; the last ones are the diagonal in the basis
/// `i sqrt(2/(k(k+1))) diag(1, …, 1, -k, 0, …)`, `k = 1 … n-1`. The dot product of coordinates is
/// `tr(a* b)/2`, which `Ad` keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkewHermitian<S, const N: usize> {
    matrix: Complex<S, N>,
    /// The coordinates of the diagonal, from the second place on. They are what counts, so that
    /// coordinates determine an element to the last bit.
    diagonal: [S; N],
}

impl<S: Real, const N: usize> Flat for Complex<S, N> {
    fn distance_squared(&self, other: &Self) -> f64 {
        Matrix::distance_squared(self, other)
    }
    fn archive(&mut self, archive: &mut Archive) {
        self.re.iter_mut().chain(&mut self.im).for_each(|row| archive.reals(row));
    }
}
impl<S: Real, const N: usize> Flat for Sun<S, N> {
    fn distance_squared(&self, other: &Self) -> f64 {
        Matrix::distance_squared(&self.matrix, &other.matrix)
    }
    fn archive(&mut self, archive: &mut Archive) {
        self.matrix.archive(archive);
    }
}
impl<S: Real, const N: usize> Flat for SkewHermitian<S, N> {
    /// Each coordinate counts once, as in the dot product.
    fn distance_squared(&self, other: &Self) -> f64 {
        0.5 * Matrix::distance_squared(&self.matrix, &other.matrix)
    }
    fn archive(&mut self, archive: &mut Archive) {
        self.matrix.archive(archive);
        archive.reals(&mut self.diagonal);
    }
}

impl<S: Real, const N: usize> SkewHermitian<S, N> {
    /// The zero matrix.
    #[inline]
    pub fn zero() -> Self {
        Self { matrix: Complex::zero(), diagonal: [S::zero(); N] }
    }
    /// The skew-Hermitian part of trace zero of any matrix.
    pub fn from_matrix(m: &Complex<S, N>) -> Self {
        Self::of(m.skew_part())
    }
    /// The matrix.
    #[inline]
    pub fn matrix(&self) -> &Complex<S, N> {
        &self.matrix
    }
    /// How many entries are below the diagonal.
    const BELOW: usize = N * (N - 1) / 2;

    /// Row and column of the entry number `k` below the diagonal.
    #[inline]
    fn place(k: usize) -> (usize, usize) {
        let (mut row, mut left) = (1, k);
        while left >= row {
            left -= row;
            row += 1;
        }
        (row, left)
    }
    /// `sqrt(2/(k(k+1)))`.
    #[inline]
    fn weight(k: usize) -> S {
        S::ratio(2.0, (k * (k + 1)) as f64).sqrt()
    }
    /// Puts the diagonal with these coordinates into the matrix.
    fn with_diagonal(mut matrix: Complex<S, N>, diagonal: [S; N]) -> Self {
        for i in 0..N {
            // Those after i hold a one here, the one of this place -i.
            let mut sum = diagonal[i] * Self::weight(i.max(1)) * -(i as f64);
            for k in i + 1..N {
                sum += diagonal[k] * Self::weight(k);
            }
            matrix.im[i][i] = sum;
        }
        Self { matrix, diagonal }
    }
    /// The largest eigenvalue of `ad` in size: the largest difference of two eigenvalues.
    fn ad_radius(&self) -> S {
        let (mut d, mut v) = (self.matrix, Complex::identity());
        diagonalise(&mut d, &mut v);
        let (mut low, mut high) = (d.im[0][0], d.im[0][0]);
        for i in 1..N {
            low = S::select(d.im[i][i].lt(low), d.im[i][i], low);
            high = S::max(high, d.im[i][i]);
        }
        high - low
    }
}

impl<S: Real, const N: usize> MatrixAlgebra for SkewHermitian<S, N> {
    type Matrix = Complex<S, N>;
    // Eigenvalues sum to zero, and half of the sum of their squares is |u|²: none exceeds
    // sqrt(2) |u|, and no two differ by more than 2 |u|.
    const EXP_LIMIT: f64 = 0.5;
    const AD_LIMIT: f64 = 0.25;
    #[inline]
    fn matrix(&self) -> &Complex<S, N> {
        &self.matrix
    }
    #[inline]
    fn of(matrix: Complex<S, N>) -> Self {
        let mut diagonal = [S::zero(); N];
        let mut before = matrix.im[0][0];
        for k in 1..N {
            let x = matrix.im[k][k];
            diagonal[k] = (before - x * k as f64) * Self::weight(k) * 0.5;
            before += x;
        }
        Self::with_diagonal(matrix, diagonal)
    }
    fn part_of(matrix: &Complex<S, N>) -> Self {
        Self::from_matrix(matrix)
    }
    // Coordinates of the diagonal are changed like the entries, so that nothing is rounded twice.
    fn scaled(&self, a: S) -> Self {
        Self::with_diagonal(self.matrix.each(|x| x * a), self.diagonal.map(|x| x * a))
    }
    fn plus(&self, a: S, x: &Self) -> Self {
        let mut diagonal = self.diagonal;
        for k in 1..N {
            diagonal[k] += x.diagonal[k] * a;
        }
        let sum = Complex::combine(1.0, &self.matrix, 1.0, &x.matrix.each(|x| x * a));
        Self::with_diagonal(sum, diagonal)
    }
    fn choose(mask: S::Mask, a: &Self, b: &Self) -> Self {
        let mut diagonal = a.diagonal;
        for k in 1..N {
            diagonal[k] = S::select(mask, a.diagonal[k], b.diagonal[k]);
        }
        Self::with_diagonal(Complex::select(mask, &a.matrix, &b.matrix), diagonal)
    }
    fn far_log(g: &Complex<S, N>) -> Self {
        logarithm::from_angles(g)
    }
    #[inline]
    fn square(&self) -> S {
        let mut sum = S::zero();
        for i in 0..N {
            for j in 0..i {
                sum += self.matrix.re[i][j].square() + self.matrix.im[i][j].square();
            }
            sum += self.diagonal[i].square();
        }
        sum
    }
}

impl<S: Real, const N: usize> LieAlgebra for SkewHermitian<S, N> {
    type Scalar = S;
    #[inline]
    fn dim(&self) -> usize {
        N * N - 1
    }
    fn coord(&self, k: usize) -> S {
        if k < 2 * Self::BELOW {
            let (row, column) = Self::place(k % Self::BELOW);
            let part = if k < Self::BELOW { &self.matrix.re } else { &self.matrix.im };
            part[row][column]
        } else {
            self.diagonal[k - 2 * Self::BELOW + 1]
        }
    }
    fn set_coord(&mut self, k: usize, value: S) {
        if k < 2 * Self::BELOW {
            let (row, column) = Self::place(k % Self::BELOW);
            if k < Self::BELOW {
                self.matrix.re[row][column] = value;
                self.matrix.re[column][row] = -value;
            } else {
                self.matrix.im[row][column] = value;
                self.matrix.im[column][row] = value;
            }
            return;
        }
        self.diagonal[k - 2 * Self::BELOW + 1] = value;
        *self = Self::with_diagonal(self.matrix, self.diagonal);
    }
    #[inline]
    fn zero_like(&self) -> Self {
        Self::zero()
    }
    #[inline]
    fn assign(&mut self, a: f64, x: &Self) {
        *self = x.scaled(S::lift(a));
    }
    #[inline]
    fn axpy(&mut self, a: f64, x: &Self) {
        *self = self.plus(S::lift(a), x);
    }
    #[inline]
    fn bracket(&self, x: &Self) -> Self {
        // (ab)* = ba for skew a and b, so the commutator is twice the skew part of one product.
        let p = self.matrix.product(&x.matrix);
        Self::of(Complex::combine(1.0, &p, -1.0, &p.adjoint()))
    }
}

impl<S: Real, const N: usize> Sun<S, N> {
    /// The identity.
    #[inline]
    pub fn unit() -> Self {
        Self { matrix: Complex::identity() }
    }
    /// `‖U*U − I‖` in the Frobenius norm.
    pub fn unitarity_error(&self) -> f64 {
        self.matrix.orthogonality_error()
    }
}

impl<S: Real, const N: usize> LieGroup for Sun<S, N> {
    type Algebra = SkewHermitian<S, N>;
    /// The determinant of Cayley's map is one for `n = 2` only.
    const HAS_CAYLEY: bool = N == 2;

    #[inline]
    fn identity(_: &SkewHermitian<S, N>) -> Self {
        Self::unit()
    }
    #[inline]
    fn compose(&self, g: &Self) -> Self {
        Self { matrix: self.matrix.product(&g.matrix) }
    }
    #[inline]
    fn inverse(&self) -> Self {
        Self { matrix: self.matrix.adjoint() }
    }
    /// To rounding, for any angle.
    fn exp(u: &SkewHermitian<S, N>) -> Self {
        Self { matrix: exponential::exp(u) }
    }
    /// The shortest logarithm.
    fn log(&self) -> SkewHermitian<S, N> {
        principal::log(&self.matrix)
    }
    #[inline]
    fn adjoint(&self, v: &SkewHermitian<S, N>) -> SkewHermitian<S, N> {
        v.turned_by(&self.matrix)
    }
    fn dexp(u: &SkewHermitian<S, N>, v: &SkewHermitian<S, N>) -> SkewHermitian<S, N> {
        exponential::dexp(u, v)
    }
    /// To rounding; singular where two eigenvalues differ by a multiple of `2 pi i` other than zero.
    fn dexpinv(u: &SkewHermitian<S, N>, v: &SkewHermitian<S, N>) -> SkewHermitian<S, N> {
        exponential::dexpinv(u, v)
    }
    /// `(I - u/2)^{-1} (I + u/2)`, which is `((1 - |u|²/4) I + u)/(1 + |u|²/4)` for `n = 2`.
    fn cay(u: &SkewHermitian<S, N>) -> Self {
        let quarter = u.square() * 0.25;
        let scale = S::one() / (S::one() + quarter);
        Self { matrix: u.matrix.shifted(S::one() - quarter).each(|x| x * scale) }
    }
    /// `(I - u/2) v (I + u/2)`.
    fn dcayinv(u: &SkewHermitian<S, N>, v: &SkewHermitian<S, N>) -> SkewHermitian<S, N> {
        v.turned_by(&u.matrix.each(|x| x * -0.5).shifted(S::one()))
    }
    /// The exponential: where no two eigenvalues differ by `2 pi i` or more.
    fn domain(chart: Chart, u: &SkewHermitian<S, N>) -> Result<(), OutOfChart> {
        match chart {
            Chart::Exp | Chart::ExpSeries { .. } => {
                unitary::domain(u.square() * 4.0, u.finite(), || u.ad_radius())
            }
            _ => Ok(()),
        }
    }
}

// `Ad` is orthogonal in these coordinates, so transposes are inverses.
impl<S: Real, const N: usize> Coadjoint for Sun<S, N> {
    #[inline]
    fn adjoint_transpose(&self, m: &SkewHermitian<S, N>) -> SkewHermitian<S, N> {
        self.inverse().adjoint(m)
    }
    transposes_are_inverses!();
}
