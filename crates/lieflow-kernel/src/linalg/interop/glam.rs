//! Conversions from and to the types of glam with `f64`, which stores matrices by columns.
use crate::linalg::{Mat3, Quat, Vec3, vec3};
use crate::{se2, sim3, so2};
use glam::{DAffine2, DAffine3, DMat2, DMat3, DQuat, DVec2, DVec3};

impl From<Vec3<f64>> for DVec3 {
    fn from(v: Vec3<f64>) -> Self {
        Self::new(v.x, v.y, v.z)
    }
}
impl From<DVec3> for Vec3<f64> {
    fn from(v: DVec3) -> Self {
        vec3(v.x, v.y, v.z)
    }
}

impl From<Mat3<f64>> for DMat3 {
    fn from(m: Mat3<f64>) -> Self {
        Self::from_cols(m.column(0).into(), m.column(1).into(), m.column(2).into())
    }
}
impl From<DMat3> for Mat3<f64> {
    fn from(m: DMat3) -> Self {
        Self::from_columns(m.x_axis.into(), m.y_axis.into(), m.z_axis.into())
    }
}

/// Without scaling: a [`Quat`] need not have norm one, and glam expects that it has.
impl From<Quat<f64>> for DQuat {
    fn from(q: Quat<f64>) -> Self {
        Self::from_xyzw(q.v.x, q.v.y, q.v.z, q.w)
    }
}
impl From<DQuat> for Quat<f64> {
    fn from(q: DQuat) -> Self {
        Self::new(q.w, q.x, q.y, q.z)
    }
}

impl From<so2::Turn<f64>> for DMat2 {
    fn from(g: so2::Turn<f64>) -> Self {
        Self::from_cols(DVec2::new(g.cos, g.sin), DVec2::new(-g.sin, g.cos))
    }
}
impl From<se2::Pose<f64>> for DAffine2 {
    fn from(g: se2::Pose<f64>) -> Self {
        Self::from_mat2_translation(g.rotation.into(), DVec2::from_array(g.position))
    }
}
impl From<sim3::Similarity<f64>> for DAffine3 {
    fn from(g: sim3::Similarity<f64>) -> Self {
        Self::from_mat3_translation(g.rotation.times(g.scale).into(), g.position.into())
    }
}
