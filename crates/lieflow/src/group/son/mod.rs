//! The rotation groups SO(n), stored as matrices; the algebra so(n) is the skew matrices with the
//! commutator.
//!
//! For `n = 3` everything agrees with [`So3`](super::So3), which is faster.
use super::matrix::{Matrix, MatrixAlgebra, Square, exponential, logarithm as principal, real};
use super::unitary::{self, transposes_are_inverses};
use super::{Coadjoint, LieAlgebra, LieGroup};
use crate::action::Flat;
use crate::archive::Archive;
use crate::chart::{Chart, OutOfChart};
use lieflow_kernel::{Mask, Real};

mod logarithm;

/// A rotation of Rⁿ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Son<S, const N: usize> {
    /// The orthogonal matrix of determinant one, by rows.
    pub matrix: Square<S, N>,
}

/// An element of so(n): a skew matrix.
///
/// The coordinate that belongs to the plane of the axes `i < j` (counted from zero) is
/// `(-1)^(i+j+1)` times the entry in row `j`, column `i`; planes come in the order
/// `(n-2, n-1), (n-3, n-1), (n-3, n-2), …, (0, 1)`, from the last to the first. So for `n = 3` the
/// coordinates are those of the rotation vector, `vee`, and in general the first coordinates are
/// those of SO(n-1) on the last axes. The dot product of coordinates is `tr(aᵀb)/2`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skew<S, const N: usize> {
    matrix: Square<S, N>,
}

impl<S: Real, const N: usize> Flat for Skew<S, N> {
    /// Each coordinate counts once, not both of its entries.
    fn distance_squared(&self, other: &Self) -> f64 {
        0.5 * real::distance_squared(&self.matrix, &other.matrix)
    }
    fn archive(&mut self, archive: &mut Archive) {
        self.matrix.iter_mut().for_each(|row| archive.reals(row));
    }
}
impl<S: Real, const N: usize> Flat for Son<S, N> {
    fn distance_squared(&self, other: &Self) -> f64 {
        real::distance_squared(&self.matrix, &other.matrix)
    }
    fn archive(&mut self, archive: &mut Archive) {
        self.matrix.iter_mut().for_each(|row| archive.reals(row));
    }
}

impl<S: Real, const N: usize> Skew<S, N> {
    /// The zero matrix.
    #[inline]
    pub fn zero() -> Self {
        Self { matrix: real::zero() }
    }
    /// The skew part `(m - mᵀ)/2` of any matrix.
    #[inline]
    pub fn from_matrix(m: &Square<S, N>) -> Self {
        Self { matrix: real::skew_part(m) }
    }
    /// The skew matrix.
    #[inline]
    pub fn matrix(&self) -> &Square<S, N> {
        &self.matrix
    }
    /// This element times a number of its own scalar.
    #[inline]
    pub fn times(&self, a: S) -> Self {
        self.scaled(a)
    }
    /// The largest eigenvalue of `ad` in size: the sum of the two largest rotation angles. An angle
    /// near zero, the root of a rounded square, may come out as 1e-7.
    fn ad_radius(&self) -> S {
        let mut squares = real::product(&real::transpose(&self.matrix), &self.matrix);
        real::jacobi(&mut squares, &mut real::identity(), &[[S::Mask::splat(true); N]; N]);
        // Squared angles, each twice: the largest three hold two different planes.
        let mut top = [S::zero(); 3];
        for i in 0..N {
            let mut x = squares[i][i];
            for t in &mut top {
                let larger = t.lt(x);
                (*t, x) = (S::select(larger, x, *t), S::select(larger, *t, x));
            }
        }
        top[0].sqrt() + top[2].sqrt()
    }
    /// Row and column of the entry that is coordinate `k`.
    #[inline]
    fn place(k: usize) -> (usize, usize) {
        // Planes that contain the axis i and later ones number N - 1 - i, for i = N-2, N-3, …
        let (mut i, mut left) = (N.saturating_sub(2), k);
        while i > 0 && left >= N - 1 - i {
            left -= N - 1 - i;
            i -= 1;
        }
        let j = N - 1 - left;
        if (i + j) % 2 == 1 { (j, i) } else { (i, j) }
    }
}

impl<S: Real, const N: usize> MatrixAlgebra for Skew<S, N> {
    type Matrix = Square<S, N>;
    const EXP_LIMIT: f64 = 1.0;
    // The eigenvalues of ad are sums of two rotation angles, at most sqrt(2) |u|.
    const AD_LIMIT: f64 = 0.5;
    #[inline]
    fn matrix(&self) -> &Square<S, N> {
        &self.matrix
    }
    #[inline]
    fn of(matrix: Square<S, N>) -> Self {
        Self { matrix }
    }
    #[inline]
    fn part_of(matrix: &Square<S, N>) -> Self {
        Self::from_matrix(matrix)
    }
    fn far_log(g: &Square<S, N>) -> Self {
        logarithm::planes(g)
    }
    #[inline]
    fn square(&self) -> S {
        let mut sum = S::zero();
        for i in 0..N {
            for j in 0..i {
                sum += self.matrix[i][j].square();
            }
        }
        sum
    }
}

impl<S: Real, const N: usize> LieAlgebra for Skew<S, N> {
    type Scalar = S;
    #[inline]
    fn dim(&self) -> usize {
        N * (N - 1) / 2
    }
    #[inline]
    fn coord(&self, k: usize) -> S {
        let (row, column) = Self::place(k);
        self.matrix[row][column]
    }
    #[inline]
    fn set_coord(&mut self, k: usize, value: S) {
        let (row, column) = Self::place(k);
        self.matrix[row][column] = value;
        self.matrix[column][row] = -value;
    }
    #[inline]
    fn zero_like(&self) -> Self {
        Self::zero()
    }
    #[inline]
    fn assign(&mut self, a: f64, x: &Self) {
        *self = x.times(S::lift(a));
    }
    #[inline]
    fn axpy(&mut self, a: f64, x: &Self) {
        *self = self.plus(S::lift(a), x);
    }
    #[inline]
    fn bracket(&self, x: &Self) -> Self {
        // (ab)ᵀ = ba for skew a and b, so the commutator is twice the skew part of one product.
        let p = real::product(&self.matrix, &x.matrix);
        Self { matrix: real::combine(1.0, &p, -1.0, &real::transpose(&p)) }
    }
}

impl<S: Real, const N: usize> Son<S, N> {
    /// The identity.
    #[inline]
    pub fn unit() -> Self {
        Self { matrix: real::identity() }
    }
    /// `‖RᵀR − I‖` in the Frobenius norm.
    pub fn orthogonality_error(&self) -> f64 {
        Matrix::orthogonality_error(&self.matrix)
    }
}

impl<S: Real, const N: usize> LieGroup for Son<S, N> {
    type Algebra = Skew<S, N>;
    const HAS_CAYLEY: bool = true;

    #[inline]
    fn identity(_: &Skew<S, N>) -> Self {
        Self::unit()
    }
    #[inline]
    fn compose(&self, g: &Self) -> Self {
        Self { matrix: real::product(&self.matrix, &g.matrix) }
    }
    #[inline]
    fn inverse(&self) -> Self {
        Self { matrix: real::transpose(&self.matrix) }
    }
    /// To rounding, for any angle.
    fn exp(u: &Skew<S, N>) -> Self {
        Self { matrix: exponential::exp(u) }
    }
    /// The principal logarithm: every plane turns by at most `pi`. Its condition is that of
    /// `dexp^{-1}`: it is unbounded where two planes turn by nearly half a turn each.
    fn log(&self) -> Skew<S, N> {
        principal::log(&self.matrix)
    }
    #[inline]
    fn adjoint(&self, v: &Skew<S, N>) -> Skew<S, N> {
        Skew::from_matrix(&real::conjugate(&self.matrix, &v.matrix))
    }
    fn dexp(u: &Skew<S, N>, v: &Skew<S, N>) -> Skew<S, N> {
        exponential::dexp(u, v)
    }
    /// To rounding; singular where the sum or difference of two rotation angles is a multiple of
    /// `2 pi` other than zero.
    fn dexpinv(u: &Skew<S, N>, v: &Skew<S, N>) -> Skew<S, N> {
        exponential::dexpinv(u, v)
    }
    /// `(I - u/2)^{-1} (I + u/2)`; `I - u/2` is regular for every skew `u`.
    fn cay(u: &Skew<S, N>) -> Self {
        let unit = real::identity();
        let minus = real::combine(1.0, &unit, -0.5, &u.matrix);
        Self { matrix: real::solve(&minus, &real::transpose(&minus)) }
    }
    /// `(I - u/2) v (I + u/2)`.
    #[inline]
    fn dcayinv(u: &Skew<S, N>, v: &Skew<S, N>) -> Skew<S, N> {
        let minus = real::combine(1.0, &real::identity(), -0.5, &u.matrix);
        Skew::from_matrix(&real::conjugate(&minus, &v.matrix))
    }
    /// The exponential: where two planes together turn by less than `2 pi` (for `n = 3` one plane).
    fn domain(chart: Chart, u: &Skew<S, N>) -> Result<(), OutOfChart> {
        match chart {
            // SO(2) is commutative.
            // The sum of two angles is at most sqrt(2) |u|.
            Chart::Exp | Chart::ExpSeries { .. } if N > 2 => {
                unitary::domain(u.square() * 2.0, u.finite(), || u.ad_radius())
            }
            _ => Ok(()),
        }
    }
}

// `Ad` is orthogonal in these coordinates, so transposes are inverses.
impl<S: Real, const N: usize> Coadjoint for Son<S, N> {
    #[inline]
    fn adjoint_transpose(&self, m: &Skew<S, N>) -> Skew<S, N> {
        self.inverse().adjoint(m)
    }
    transposes_are_inverses!();
    #[inline]
    fn coadjoint(&self, m: &Skew<S, N>) -> Skew<S, N> {
        self.adjoint(m)
    }
}
