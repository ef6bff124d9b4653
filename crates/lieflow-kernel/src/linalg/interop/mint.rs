//! Conversions from and to the types of mint, through which most other crates can be reached.
use crate::linalg::{Mat3, Quat, Vec3, vec3};
use mint::{ColumnMatrix3, Quaternion, RowMatrix3, Vector3};

impl From<Vec3<f64>> for Vector3<f64> {
    fn from(v: Vec3<f64>) -> Self {
        v.to_array().into()
    }
}
impl From<Vector3<f64>> for Vec3<f64> {
    fn from(v: Vector3<f64>) -> Self {
        vec3(v.x, v.y, v.z)
    }
}

impl From<Mat3<f64>> for RowMatrix3<f64> {
    fn from(m: Mat3<f64>) -> Self {
        let [a, b, c] = m.rows;
        Self { x: a.into(), y: b.into(), z: c.into() }
    }
}
impl From<RowMatrix3<f64>> for Mat3<f64> {
    fn from(m: RowMatrix3<f64>) -> Self {
        Self::from_rows(m.x.into(), m.y.into(), m.z.into())
    }
}
impl From<Mat3<f64>> for ColumnMatrix3<f64> {
    fn from(m: Mat3<f64>) -> Self {
        Self { x: m.column(0).into(), y: m.column(1).into(), z: m.column(2).into() }
    }
}
impl From<ColumnMatrix3<f64>> for Mat3<f64> {
    fn from(m: ColumnMatrix3<f64>) -> Self {
        Self::from_columns(m.x.into(), m.y.into(), m.z.into())
    }
}

impl From<Quat<f64>> for Quaternion<f64> {
    fn from(q: Quat<f64>) -> Self {
        Self { v: q.v.into(), s: q.w }
    }
}
impl From<Quaternion<f64>> for Quat<f64> {
    fn from(q: Quaternion<f64>) -> Self {
        Self { w: q.s, v: q.v.into() }
    }
}
