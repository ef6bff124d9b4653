//! Conversions to nalgebra, and nalgebra as an independent judge of SO(3).
use crate::common::Draw;
use lieflow_kernel::{Mat3, Quat, Vec3, se2, se3, sim3, so2, so3};
use nalgebra::{
    Isometry2, Isometry3, Matrix3, Matrix4, Point2, Point3, Quaternion, Rotation3, Similarity3,
    Translation3, UnitComplex, UnitQuaternion, Vector3,
};

#[test]
fn conversions_go_there_and_back() {
    let mut draw = Draw::new(1);
    for _ in 0..20 {
        let v = draw.vector();
        assert_eq!(Vec3::from(Vector3::from(v)), v);
        let m = Mat3::from_rows(draw.vector(), draw.vector(), draw.vector());
        let n = Matrix3::from(m);
        assert_eq!(Mat3::from(n), m);
        assert_eq!(n[(0, 1)], m.get(0, 1), "rows stay rows");
        assert!((Vec3::from(n * Vector3::from(v)) - m.apply(v)).norm_squared() < 1e-30);
        let q = Quat::new(draw.number(), v.x, v.y, v.z);
        assert_eq!(Quat::from(Quaternion::from(q)), q);
        // The same rotation on both sides, also for a quaternion of another norm.
        let unit = UnitQuaternion::from(q);
        let theirs = Mat3::from(unit.to_rotation_matrix());
        assert!((theirs - q.to_matrix()).norm_squared() < 1e-29);
        let back = Quat::from(unit);
        assert!((back.norm_squared() - 1.0).abs() < 1e-15);
    }
}

#[test]
fn rotations_agree() {
    let mut draw = Draw::new(2);
    for angle in [1e-9, 1e-4, 0.1, 1.0, 2.0, 3.0, 3.1, 4.0, 6.0] {
        for _ in 0..50 {
            let u = draw.of_norm(angle);
            let theirs = Rotation3::from_scaled_axis(Vector3::from(u));
            let ours = so3::exp(u);
            assert!((Mat3::from(theirs) - ours).norm_squared().sqrt() < 4e-15, "{angle}");
            let quaternion = UnitQuaternion::from_scaled_axis(Vector3::from(u));
            let turned = Mat3::from(quaternion.to_rotation_matrix());
            assert!((turned - ours).norm_squared().sqrt() < 4e-15, "{angle}");
            // Theirs goes through acos or the like: only good to half the digits near pi.
            let log = Vec3::from(quaternion.scaled_axis());
            assert!((log - so3::log(&ours)).norm_squared().sqrt() < 2e-14, "{angle}");
            let q = Quat::from_matrix(&ours);
            let dot = Quaternion::from(q).dot(quaternion.quaternion()).abs();
            assert!((dot - 1.0).abs() < 1e-15, "{angle}");
        }
    }
}

#[test]
fn motions_compose_like_isometries() {
    let mut draw = Draw::new(3);
    for _ in 0..100 {
        let (a, b) = (draw.of_norm(2.0), draw.of_norm(1.0));
        let ((r, p), (s, q)) = (se3::exp(a, draw.vector()), se3::exp(b, draw.vector()));
        let isometry = |r: Mat3<f64>, p: Vec3<f64>| {
            let turn = UnitQuaternion::from(Quat::from_matrix(&r));
            Isometry3::from_parts(Translation3::from(Vector3::from(p)), turn)
        };
        let theirs = isometry(r, p) * isometry(s, q);
        let ours = (r.matmul(&s), r.apply(q) + p);
        let rotation = Mat3::from(theirs.rotation.to_rotation_matrix());
        assert!((rotation - ours.0).norm_squared() < 1e-29);
        assert!((Vec3::from(theirs.translation.vector) - ours.1).norm_squared() < 1e-29);
    }
}

#[test]
fn the_exponential_of_motions_is_that_of_matrices() {
    let mut draw = Draw::new(4);
    for angle in [1e-8, 0.3, 1.2, 3.0, 5.0] {
        let (u, w) = (draw.of_norm(angle), draw.vector());
        let mut x = Matrix4::zeros();
        x.fixed_view_mut::<3, 3>(0, 0).copy_from(&Matrix3::from(Mat3::hat(u)));
        x.fixed_view_mut::<3, 1>(0, 3).copy_from(&Vector3::from(w));
        let g = x.exp();
        let (r, p) = se3::exp(u, w);
        let rotation = Mat3::from(g.fixed_view::<3, 3>(0, 0).into_owned());
        assert!((rotation - r).norm_squared().sqrt() < 1e-14, "{angle}");
        let position = Vec3::from(g.fixed_view::<3, 1>(0, 3).into_owned());
        assert!((position - p).norm_squared().sqrt() < 1e-14, "{angle}");
        // Cayley's map of the homogeneous matrix.
        let one = Matrix4::identity();
        let g = (one - x * 0.5).try_inverse().unwrap() * (one + x * 0.5);
        let (r, p) = se3::cay(u, w);
        let rotation = Mat3::from(g.fixed_view::<3, 3>(0, 0).into_owned());
        assert!((rotation - r).norm_squared().sqrt() < 1e-14, "{angle}");
        let position = Vec3::from(g.fixed_view::<3, 1>(0, 3).into_owned());
        assert!((position - p).norm_squared().sqrt() < 1e-14, "{angle}");
    }
}

#[test]
fn other_groups_move_points_alike() {
    let mut draw = Draw::new(5);
    for angle in [1e-6, 0.4, 3.0, 5.0] {
        let v = draw.vector();
        let g = se2::exp([angle, v.x, v.y]);
        let theirs = Isometry2::from(g) * Point2::new(v.y, v.z);
        let ours = se2::act(&g, [v.y, v.z]);
        assert!((theirs.x - ours[0]).abs() + (theirs.y - ours[1]).abs() < 1e-15, "{angle}");
        assert_eq!(se2::Pose::from(Isometry2::from(g)), g);
        assert_eq!(so2::Turn::from(UnitComplex::from(g.rotation)), g.rotation);

        let (u, w) = (draw.of_norm(angle), draw.vector());
        let g = sim3::exp([u.x, u.y, u.z, w.x, w.y, w.z, 0.7]);
        let theirs = Similarity3::from(g) * Point3::from(Vector3::from(v));
        let gap = (Vec3::from(theirs.coords) - sim3::act(&g, v)).norm_squared();
        assert!(gap < 1e-29, "{angle}: {gap:e}");
        let back = sim3::Similarity::from(Similarity3::from(g));
        assert!((back.rotation - g.rotation).norm_squared() < 1e-29 && back.scale == g.scale);
        assert_eq!(back.position, g.position);
    }
}
