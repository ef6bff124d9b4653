//! Conversions from and to nalgebra.
//!
//! nalgebra stores matrices by columns and quaternions as (x, y, z, w); here rows and (w, x, y, z)
//! are kept, and both sides mean the same rotation.
use super::{Mat3, Quat, Vec3};
use crate::linalg::vec3;
use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};

impl From<Vec3<f64>> for Vector3<f64> {
    fn from(v: Vec3<f64>) -> Self {
        Self::new(v.x, v.y, v.z)
    }
}
impl From<Vector3<f64>> for Vec3<f64> {
    fn from(v: Vector3<f64>) -> Self {
        vec3(v.x, v.y, v.z)
    }
}

impl From<Mat3<f64>> for Matrix3<f64> {
    fn from(m: Mat3<f64>) -> Self {
        let [a, b, c] = m.rows;
        Self::new(a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z)
    }
}
impl From<Matrix3<f64>> for Mat3<f64> {
    fn from(m: Matrix3<f64>) -> Self {
        let row = |i| vec3(m[(i, 0)], m[(i, 1)], m[(i, 2)]);
        Self::from_rows(row(0), row(1), row(2))
    }
}
impl From<Rotation3<f64>> for Mat3<f64> {
    fn from(r: Rotation3<f64>) -> Self {
        r.into_inner().into()
    }
}

impl From<Quat<f64>> for Quaternion<f64> {
    fn from(q: Quat<f64>) -> Self {
        Self::new(q.w, q.v.x, q.v.y, q.v.z)
    }
}
impl From<Quaternion<f64>> for Quat<f64> {
    fn from(q: Quaternion<f64>) -> Self {
        Self::new(q.w, q.i, q.j, q.k)
    }
}
/// Scaled to norm one, which a [`Quat`] need not have.
impl From<Quat<f64>> for UnitQuaternion<f64> {
    fn from(q: Quat<f64>) -> Self {
        Self::new_normalize(q.into())
    }
}
impl From<UnitQuaternion<f64>> for Quat<f64> {
    fn from(q: UnitQuaternion<f64>) -> Self {
        q.into_inner().into()
    }
}
