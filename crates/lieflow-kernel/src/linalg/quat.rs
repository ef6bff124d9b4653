//! Unit quaternions `(w, x, y, z)`, for input, output and the logarithm.
use super::{Mat3, Vec3, vec3};
use crate::scalar::{Mask, Real, stumpff};

/// A quaternion, scalar part first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quat<S> {
    /// Scalar part.
    pub w: S,
    /// Vector part.
    pub v: Vec3<S>,
}

impl<S: Real> Quat<S> {
    /// The quaternion `(w, x, y, z)`.
    #[inline]
    pub fn new(w: S, x: S, y: S, z: S) -> Self {
        Self { w, v: vec3(x, y, z) }
    }
    /// The unit quaternion of the rotation by the vector `u`.
    #[inline(always)]
    pub fn exp(u: Vec3<S>) -> Self {
        let half = u * 0.5;
        let (c0, c1) = stumpff::two::<S, 0, 1>(half.norm_squared());
        Self { w: c0, v: half.times(c1) }
    }
    /// The unit quaternion of the rotation that Cayley's map makes of `u`.
    #[inline(always)]
    pub fn cay(u: Vec3<S>) -> Self {
        let half = u * 0.5;
        let w = S::one() / (S::one() + half.norm_squared()).sqrt();
        Self { w, v: half.times(w) }
    }
    /// The product `self q`, which stands for the product of the rotations.
    #[inline(always)]
    pub fn times(self, q: Self) -> Self {
        Self {
            w: self.w * q.w - self.v.dot(q.v),
            v: q.v.times(self.w) + self.v.times(q.w) + self.v.cross(q.v),
        }
    }
    /// `v` turned by the inverse of the rotation that this quaternion stands for, which need not
    /// have norm one.
    #[inline(always)]
    pub fn rotate_back(self, v: Vec3<S>) -> Vec3<S> {
        let a = self.v.cross(v);
        v + (self.v.cross(a) - a.times(self.w)).times(S::lift(2.0) / self.norm_squared())
    }
    /// `v` turned by the inverse of the rotation of this quaternion, whose norm is one to rounding;
    /// see [`Quat::unit_to_matrix`].
    #[inline(always)]
    pub fn unit_rotate_back(self, v: Vec3<S>) -> Vec3<S> {
        let a = self.doubled().cross(v);
        v + (self.v.cross(a) - a.times(self.w))
    }
    /// `2 v/|q|²` where the norm is one to rounding. Near two numbers are twice as far apart above as below, and
    /// `2/|q|²`, rounded, would be too small in the mean: momenta would lose 1e-20 of themselves in each turn. So
    /// what is missing to the norm, which has digits enough in this form, is added to the vector.
    #[inline(always)]
    fn doubled(self) -> Vec3<S> {
        let one = S::one();
        let missing = (one - self.w) * (one + self.w) - self.v.norm_squared();
        let v = self.v * 2.0;
        v + v.times(missing)
    }
    /// Square of the norm.
    #[inline(always)]
    pub fn norm_squared(self) -> S {
        self.w * self.w + self.v.norm_squared()
    }
    /// The rotation that this quaternion stands for, which need not have norm one.
    #[inline(always)]
    pub fn to_matrix(self) -> Mat3<S> {
        self.matrix_with(self.v.times(S::lift(2.0) / self.norm_squared()))
    }
    /// The rotation of a quaternion whose norm is one to rounding, which is done away with, so that
    /// products of many such rotations stay orthogonal: `2/|q|² = 4 - 2|q|²` then.
    #[inline(always)]
    pub fn unit_to_matrix(self) -> Mat3<S> {
        self.matrix_with(self.v.times(S::lift(4.0) - self.norm_squared() * 2.0))
    }
    /// The same for a matrix that turns a momentum too, whose length must not be biased.
    #[inline(always)]
    pub fn unit_to_even_matrix(self) -> Mat3<S> {
        self.matrix_with(self.doubled())
    }
    /// The matrix with `s = 2 v/|q|²`.
    #[inline(always)]
    fn matrix_with(self, s: Vec3<S>) -> Mat3<S> {
        let Vec3 { x, y, z } = self.v;
        let one = S::one();
        let (xx, yy, zz) = (s.x * x, s.y * y, s.z * z);
        let (xy, xz, yz) = (s.x * y, s.x * z, s.y * z);
        let Vec3 { x: wx, y: wy, z: wz } = s.times(self.w);
        Mat3::from_rows(
            vec3(one - (yy + zz), xy - wz, xz + wy),
            vec3(xy + wz, one - (xx + zz), yz - wx),
            vec3(xz - wy, yz + wx, one - (xx + yy)),
        )
    }
    /// The quaternion of a rotation, with `w >= 0`, by Shepperd's choice: divide by the largest of
    /// the four components, so that no angle loses digits. At half a turn, where the axis has no
    /// sign, the one with the positive largest component is returned.
    #[inline(always)]
    pub fn from_matrix(m: &Mat3<S>) -> Self {
        let one = S::one();
        let [a, b, c] = m.rows;
        let (p, q, r) = (a.x, b.y, c.z);
        // Four times the square of each component.
        let w2 = one + p + q + r;
        let x2 = one + p - q - r;
        let y2 = one - p + q - r;
        let z2 = one - p - q + r;
        let axial = m.axial();
        let (xy, xz, yz) = (a.y + b.x, a.z + c.x, b.z + c.y);
        let mut best = w2;
        let mut quat = Self { w: w2, v: axial };
        let along_x = best.lt(x2);
        best = S::select(along_x, x2, best);
        quat = Self::select(along_x, Self { w: axial.x, v: vec3(x2, xy, xz) }, quat);
        let along_y = best.lt(y2);
        best = S::select(along_y, y2, best);
        quat = Self::select(along_y, Self { w: axial.y, v: vec3(xy, y2, yz) }, quat);
        let along_z = best.lt(z2);
        best = S::select(along_z, z2, best);
        quat = Self::select(along_z, Self { w: axial.z, v: vec3(xz, yz, z2) }, quat);
        let scale = S::lift(0.5) / best.sqrt();
        let scale = S::select(quat.w.lt(S::zero()), -scale, scale);
        Self { w: quat.w * scale, v: quat.v.times(scale) }
    }
    /// `a` where the mask is true, `b` elsewhere.
    #[inline(always)]
    pub fn select(mask: S::Mask, a: Self, b: Self) -> Self {
        Self { w: S::select(mask, a.w, b.w), v: Vec3::select(mask, a.v, b.v) }
    }
    /// The rotation vector, `angle * axis` with the angle in `[0, pi]` (for `w >= 0`).
    #[inline]
    pub fn rotation_vector(self) -> Vec3<S> {
        let n2 = self.v.norm_squared();
        // angle/|v| = 2 atan2(|v|, w)/|v|; near zero by the series of the arc tangent in |v|/w,
        // which has no square root and so is smooth for dual numbers.
        let small = n2.lt(self.w * self.w * 1e-4);
        let t = n2 / S::select(small, self.w * self.w, n2);
        // Below 1e-4 five terms reach 1e-21, and each further one four digits more.
        let mut j = S::SERIES_TERMS - 4;
        let mut sum = S::ratio(1.0, (2 * j + 1) as f64);
        while j > 0 {
            j -= 1;
            sum = S::ratio(1.0, (2 * j + 1) as f64) - t * sum;
        }
        let series = S::lift(2.0) / S::select(small, self.w, S::one()) * sum;
        if small.all() {
            return self.v.times(series);
        }
        let n = S::select(small, S::one(), n2).sqrt();
        let closed = n.atan2(self.w) * 2.0 / n;
        self.v.times(S::select(small, series, closed))
    }
}
