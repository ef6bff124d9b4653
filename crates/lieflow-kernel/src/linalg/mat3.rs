//! Matrices of three rows and columns.
use super::vec3::formula;
use super::{Vec3, vec3};
use crate::scalar::Real;
use core::ops::{Add, Mul, Neg, Sub};

/// A 3×3 matrix by rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mat3<S> {
    /// The three rows.
    pub rows: [Vec3<S>; 3],
}

impl<S: Real> Mat3<S> {
    /// A matrix from its rows.
    #[inline(always)]
    pub fn from_rows(a: Vec3<S>, b: Vec3<S>, c: Vec3<S>) -> Self {
        Self { rows: [a, b, c] }
    }
    /// A matrix from its columns.
    #[inline(always)]
    pub fn from_columns(a: Vec3<S>, b: Vec3<S>, c: Vec3<S>) -> Self {
        Self::from_rows(vec3(a.x, b.x, c.x), vec3(a.y, b.y, c.y), vec3(a.z, b.z, c.z))
    }
    /// A matrix of `f64`, row by row, in this scalar.
    #[inline(always)]
    pub fn lift(m: [[f64; 3]; 3]) -> Self {
        Self::from_rows(Vec3::lift(m[0].into()), Vec3::lift(m[1].into()), Vec3::lift(m[2].into()))
    }
    /// The matrix with `f` of each entry.
    #[inline(always)]
    pub fn map<T: Real>(&self, f: fn(S) -> T) -> Mat3<T> {
        let [a, b, c] = self.rows;
        Mat3::from_rows(a.map(f), b.map(f), c.map(f))
    }
    /// The identity.
    #[inline(always)]
    pub fn identity() -> Self {
        Self::diagonal(vec3(S::one(), S::one(), S::one()))
    }
    /// The zero matrix.
    #[inline(always)]
    pub fn zero() -> Self {
        Self { rows: [Vec3::zero(); 3] }
    }
    /// A diagonal matrix.
    #[inline(always)]
    pub fn diagonal(d: Vec3<S>) -> Self {
        let o = S::zero();
        Self::from_rows(vec3(d.x, o, o), vec3(o, d.y, o), vec3(o, o, d.z))
    }
    /// The matrix of `v -> a × v`.
    #[inline(always)]
    pub fn hat(a: Vec3<S>) -> Self {
        let o = S::zero();
        Self::from_rows(vec3(o, -a.z, a.y), vec3(a.z, o, -a.x), vec3(-a.y, a.x, o))
    }
    /// `a bᵀ`.
    #[inline(always)]
    pub fn outer(a: Vec3<S>, b: Vec3<S>) -> Self {
        Self::from_rows(b.times(a.x), b.times(a.y), b.times(a.z))
    }
    /// Twice the axial part, `(m32 - m23, m13 - m31, m21 - m12)`: for skew matrices, `2 vee`.
    #[inline(always)]
    pub fn axial(&self) -> Vec3<S> {
        let [a, b, c] = &self.rows;
        vec3(c.y - b.z, a.z - c.x, b.x - a.y)
    }
    /// Entry in row `i`, column `j` (indices beyond 2 count as 2).
    #[inline(always)]
    pub fn get(&self, i: usize, j: usize) -> S {
        self.rows[if i < 3 { i } else { 2 }].get(j)
    }
    /// Column `j`.
    #[inline(always)]
    pub fn column(&self, j: usize) -> Vec3<S> {
        vec3(self.rows[0].get(j), self.rows[1].get(j), self.rows[2].get(j))
    }
    /// Matrix times vector.
    #[inline(always)]
    pub fn apply(&self, v: Vec3<S>) -> Vec3<S> {
        #[inline(never)]
        fn called<S: Real>(a: &Mat3<S>, v: Vec3<S>) -> Vec3<S> {
            a.apply_inline(v)
        }
        if const { S::CALLED } { called(self, v) } else { self.apply_inline(v) }
    }
    #[inline(always)]
    fn apply_inline(&self, v: Vec3<S>) -> Vec3<S> {
        vec3(self.rows[0].dot(v), self.rows[1].dot(v), self.rows[2].dot(v))
    }
    /// Transpose times vector.
    #[inline(always)]
    pub fn apply_transpose(&self, v: Vec3<S>) -> Vec3<S> {
        #[inline(never)]
        fn called<S: Real>(a: &Mat3<S>, v: Vec3<S>) -> Vec3<S> {
            a.apply_transpose_inline(v)
        }
        if const { S::CALLED } { called(self, v) } else { self.apply_transpose_inline(v) }
    }
    #[inline(always)]
    fn apply_transpose_inline(&self, v: Vec3<S>) -> Vec3<S> {
        self.rows[0].times(v.x) + self.rows[1].times(v.y) + self.rows[2].times(v.z)
    }
    /// Matrix product.
    #[inline(always)]
    pub fn matmul(&self, o: &Self) -> Self {
        #[inline(never)]
        fn called<S: Real>(a: &Mat3<S>, b: &Mat3<S>) -> Mat3<S> {
            a.matmul_inline(b)
        }
        if const { S::CALLED } { called(self, o) } else { self.matmul_inline(o) }
    }
    #[inline(always)]
    fn matmul_inline(&self, o: &Self) -> Self {
        Self::from_rows(
            o.apply_transpose(self.rows[0]),
            o.apply_transpose(self.rows[1]),
            o.apply_transpose(self.rows[2]),
        )
    }
    /// Transpose.
    #[inline(always)]
    pub fn transpose(&self) -> Self {
        Self::from_columns(self.rows[0], self.rows[1], self.rows[2])
    }
    /// Sum of the diagonal.
    #[inline(always)]
    pub fn trace(&self) -> S {
        self.rows[0].x + self.rows[1].y + self.rows[2].z
    }
    /// Determinant.
    #[inline(always)]
    pub fn determinant(&self) -> S {
        self.rows[0].dot(self.rows[1].cross(self.rows[2]))
    }
    /// Inverse by cofactors; entries are not finite if the matrix is singular.
    #[inline(always)]
    pub fn inverse(&self) -> Self {
        formula!((m: &Mat3<S> = self) -> Mat3<S> {
            let [a, b, c] = m.rows;
            let (p, q, r) = (b.cross(c), c.cross(a), a.cross(b));
            let scale = S::one() / a.dot(p);
            Mat3::from_columns(p.times(scale), q.times(scale), r.times(scale))
        })
    }
    /// The `x` with `self x = b`, by cofactors.
    #[inline(always)]
    pub fn solve(&self, b: Vec3<S>) -> Vec3<S> {
        formula!((m: &Mat3<S> = self, b: Vec3<S>) -> Vec3<S> { m.cofactors().solve(b) })
    }
    /// What [`Mat3::solve`] needs of a matrix, for many right-hand sides.
    #[inline(always)]
    pub(crate) fn cofactors(&self) -> Cofactors<S> {
        let [a, b, c] = self.rows;
        let p = b.cross(c);
        Cofactors { p, q: c.cross(a), r: a.cross(b), scale: S::one() / a.dot(p) }
    }
    /// This matrix times a number of its own scalar.
    #[inline(always)]
    pub fn times(self, a: S) -> Self {
        formula!((m: Mat3<S> = self, a: S) -> Mat3<S> {
            Mat3::from_rows(m.rows[0].times(a), m.rows[1].times(a), m.rows[2].times(a))
        })
    }
    /// Square of the Frobenius norm.
    #[inline(always)]
    pub fn norm_squared(&self) -> S {
        self.rows[0].norm_squared() + self.rows[1].norm_squared() + self.rows[2].norm_squared()
    }
    /// `‖MᵀM − I‖` in the Frobenius norm: how far from a rotation or reflection.
    #[inline(always)]
    pub fn orthogonality_error(&self) -> f64 {
        (self.transpose().matmul(self) - Self::identity()).norm_squared().sqrt().magnitude()
    }
    /// `a` where the mask is true, `b` elsewhere.
    #[inline(always)]
    pub fn select(mask: S::Mask, a: Self, b: Self) -> Self {
        Self::from_rows(
            Vec3::select(mask, a.rows[0], b.rows[0]),
            Vec3::select(mask, a.rows[1], b.rows[1]),
            Vec3::select(mask, a.rows[2], b.rows[2]),
        )
    }
}

/// The cofactors of a matrix and the inverse of its determinant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cofactors<S> {
    p: Vec3<S>,
    q: Vec3<S>,
    r: Vec3<S>,
    scale: S,
}

impl<S: Real> Cofactors<S> {
    /// The `x` with `m x = b`.
    #[inline(always)]
    pub(crate) fn solve(&self, b: Vec3<S>) -> Vec3<S> {
        (self.p.times(b.x) + self.q.times(b.y) + self.r.times(b.z)).times(self.scale)
    }
}

impl<S: Real> Add for Mat3<S> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        formula!((m: Mat3<S> = self, o: Mat3<S>) -> Mat3<S> {
            let ([a, b, c], [d, e, f]) = (m.rows, o.rows);
            Mat3::from_rows(a + d, b + e, c + f)
        })
    }
}
impl<S: Real> Sub for Mat3<S> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        formula!((m: Mat3<S> = self, o: Mat3<S>) -> Mat3<S> {
            let ([a, b, c], [d, e, f]) = (m.rows, o.rows);
            Mat3::from_rows(a - d, b - e, c - f)
        })
    }
}
impl<S: Real> Neg for Mat3<S> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let [a, b, c] = self.rows;
        Self::from_rows(-a, -b, -c)
    }
}
impl<S: Real> Mul<f64> for Mat3<S> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, a: f64) -> Self {
        let [p, q, r] = self.rows;
        Self::from_rows(p * a, q * a, r * a)
    }
}
