//! Conversions to glam and mint go there and back, and mean the same.
use crate::common::Draw;
use glam::{DAffine2, DAffine3, DMat2, DMat3, DQuat, DVec2, DVec3};
use lieflow_kernel::{Mat3, Quat, Vec3, se2, sim3, so3};
use mint::{ColumnMatrix3, Quaternion, RowMatrix3, Vector3};

#[test]
fn glam() {
    let mut draw = Draw::new(1);
    for angle in [1e-6, 0.4, 3.0, 5.0] {
        let (u, v) = (draw.of_norm(angle), draw.vector());
        assert_eq!(Vec3::from(DVec3::from(v)), v);
        let r = so3::exp(u);
        assert_eq!(Mat3::from(DMat3::from(r)), r);
        assert!((Vec3::from(DMat3::from(r) * DVec3::from(v)) - r.apply(v)).norm_squared() < 1e-30);
        let q = Quat::exp(u);
        assert_eq!(Quat::from(DQuat::from(q)), q);
        let turned = Vec3::from(DQuat::from(q) * DVec3::from(v));
        assert!((turned - r.apply(v)).norm_squared() < 1e-29, "{angle}");
        let g = se2::exp([angle, v.x, v.y]);
        let point = DAffine2::from(g).transform_point2(DVec2::new(v.y, v.z));
        let want = se2::act(&g, [v.y, v.z]);
        assert!((point.x - want[0]).abs() + (point.y - want[1]).abs() < 1e-15, "{angle}");
        let turned = DMat2::from(g.rotation) * DVec2::new(1.0, 0.0);
        assert_eq!((turned.x, turned.y), (g.rotation.cos, g.rotation.sin));
        let g = sim3::exp([u.x, u.y, u.z, v.x, v.y, v.z, -0.4]);
        let point = Vec3::from(DAffine3::from(g).transform_point3(v.into()));
        assert!((point - sim3::act(&g, v)).norm_squared() < 1e-29, "{angle}");
    }
}

#[test]
fn mint() {
    let mut draw = Draw::new(2);
    let (u, v) = (draw.of_norm(2.0), draw.vector());
    let r = so3::exp(u);
    assert_eq!(Vec3::from(Vector3::from(v)), v);
    assert_eq!(Mat3::from(RowMatrix3::from(r)), r);
    assert_eq!(Mat3::from(ColumnMatrix3::from(r)), r);
    assert_eq!(RowMatrix3::from(r).x.y, r.get(0, 1), "rows stay rows");
    assert_eq!(ColumnMatrix3::from(r).x.y, r.get(1, 0), "columns become columns");
    let q = Quat::exp(u);
    let theirs = Quaternion::from(q);
    assert_eq!((Quat::from(theirs), theirs.s), (q, q.w));
}
