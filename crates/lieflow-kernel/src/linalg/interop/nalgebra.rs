//! Conversions from and to nalgebra, which stores matrices by columns and quaternions as (x, y, z, w).
use crate::linalg::{Mat3, Quat, Vec3, vec3};
use crate::{se2, sim3, so2};
use nalgebra::{
    Isometry2, Matrix3, Quaternion, Rotation3, Similarity3, Translation2, Translation3,
    UnitComplex, UnitQuaternion, Vector3,
};

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

impl From<so2::Turn<f64>> for UnitComplex<f64> {
    fn from(g: so2::Turn<f64>) -> Self {
        Self::from_cos_sin_unchecked(g.cos, g.sin)
    }
}
impl From<UnitComplex<f64>> for so2::Turn<f64> {
    fn from(g: UnitComplex<f64>) -> Self {
        Self { cos: g.re, sin: g.im }
    }
}
impl From<se2::Pose<f64>> for Isometry2<f64> {
    fn from(g: se2::Pose<f64>) -> Self {
        let [x, y] = g.position;
        Self::from_parts(Translation2::new(x, y), g.rotation.into())
    }
}
impl From<Isometry2<f64>> for se2::Pose<f64> {
    fn from(g: Isometry2<f64>) -> Self {
        Self { rotation: g.rotation.into(), position: [g.translation.x, g.translation.y] }
    }
}
impl From<sim3::Similarity<f64>> for Similarity3<f64> {
    fn from(g: sim3::Similarity<f64>) -> Self {
        let turn = UnitQuaternion::from(Quat::from_matrix(&g.rotation));
        Self::from_parts(Translation3::from(Vector3::from(g.position)), turn, g.scale)
    }
}
impl From<Similarity3<f64>> for sim3::Similarity<f64> {
    fn from(g: Similarity3<f64>) -> Self {
        Self {
            scale: g.scaling(),
            rotation: g.isometry.rotation.to_rotation_matrix().into(),
            position: g.isometry.translation.vector.into(),
        }
    }
}
