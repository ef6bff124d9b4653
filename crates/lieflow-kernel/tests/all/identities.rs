//! Laws of the closed forms at the angles where formulas go wrong: at zero, half a turn, a full
//! turn, and beyond.
//!
//! Differentials are compared with central differences in double-double arithmetic, which are good
//! to 1e-19: no sign or factor can hide there.
use crate::common::{ANGLES, Draw};
use lieflow_kernel::{DoubleDouble as D, Mat3, Real, Vec3, se3, so3, vec3};
use std::f64::consts::{PI, TAU};

type Pair<S> = (Vec3<S>, Vec3<S>);

fn lift(v: Vec3<f64>) -> Vec3<D> {
    Vec3::lift(v)
}
fn gap<S: Real>(a: Vec3<S>, b: Vec3<S>) -> f64 {
    (a - b).magnitude()
}
fn matrix_gap<S: Real>(a: &Mat3<S>, b: &Mat3<S>) -> f64 {
    (*a - *b).norm_squared().sqrt().magnitude()
}
fn pair_gap<S: Real>(a: Pair<S>, b: Pair<S>) -> f64 {
    gap(a.0, b.0).max(gap(a.1, b.1))
}
/// `(R, r)(S, s)`.
fn compose<S: Real>(g: (Mat3<S>, Vec3<S>), h: (Mat3<S>, Vec3<S>)) -> (Mat3<S>, Vec3<S>) {
    (g.0.matmul(&h.0), g.0.apply(h.1) + g.1)
}
fn inverse<S: Real>(g: (Mat3<S>, Vec3<S>)) -> (Mat3<S>, Vec3<S>) {
    (g.0.transpose(), -g.0.apply_transpose(g.1))
}
/// Distance to the nearest full turn other than zero, where dexp is singular.
fn from_pole(angle: f64) -> f64 {
    let turns = (angle / TAU).round().max(1.0);
    (angle - turns * TAU).abs()
}

#[test]
fn exponentials_are_rotations_and_subgroups() {
    let mut draw = Draw::new(1);
    for angle in ANGLES {
        for _ in 0..50 {
            let u = draw.of_norm(angle);
            let r = so3::exp(u);
            assert!(r.orthogonality_error() < 4e-15, "{angle}: {:e}", r.orthogonality_error());
            assert!((r.determinant() - 1.0).abs() < 3e-15);
            assert!(gap(r.apply(u), u) <= 4e-15 * angle, "the axis stays: {angle}");
            let v = draw.vector();
            assert!(gap(r.apply(v), so3::rotate(u, v)) < 4e-15);
            assert!(matrix_gap(&so3::exp(-u), &r.transpose()) < 1e-15);
            let s = draw.between(-2.0, 2.0);
            let split = so3::exp(u * s).matmul(&so3::exp(u * (1.0 - s)));
            assert!(matrix_gap(&split, &r) < 1e-15 * (4.0 + 3.0 * angle), "{angle}");
        }
    }
}

#[test]
fn logarithms_are_principal_and_accurate_at_half_a_turn() {
    let mut draw = Draw::new(2);
    for angle in ANGLES {
        for _ in 0..50 {
            let u = draw.of_norm(angle);
            let r = so3::exp(u);
            let w = so3::log(&r);
            assert!(w.magnitude() <= PI * (1.0 + 1e-15), "{angle}: {}", w.magnitude());
            assert!(matrix_gap(&so3::exp(w), &r) < 2e-14, "{angle}");
            if angle < PI - 1e-9 {
                let bound = 1e-15 * angle.max(if angle < 1e-6 { 0.0 } else { 1.0 });
                assert!(gap(w, u) <= bound.max(4e-16 * angle), "{angle}: {:e}", gap(w, u));
            } else if angle < PI + 1e-9 {
                // Either end of the axis: a turn by pi has two.
                assert!(gap(w, u).min(gap(w, -u)) < 1e-15 + 2.0 * (angle - PI).abs(), "{angle}");
            } else {
                let turns = (angle / TAU).round();
                let want = u * (1.0 - turns * TAU / angle);
                assert!(gap(w, want) < 2e-15 * angle, "{angle}: {:e}", gap(w, want));
            }
        }
    }
}

#[test]
fn half_a_turn_has_the_axis_with_the_positive_largest_component() {
    // Half turns that are exact in f64, so that no rounding decides.
    for (axis, want) in [
        (vec3(1.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0)),
        (vec3(-1.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0)),
        (vec3(0.0, -1.0, 0.0), vec3(0.0, 1.0, 0.0)),
        (vec3(0.0, 0.0, -1.0), vec3(0.0, 0.0, 1.0)),
        (vec3(0.0, -0.6, 0.8), vec3(0.0, -0.6, 0.8)),
        (vec3(0.0, 0.6, -0.8), vec3(0.0, -0.6, 0.8)),
    ] {
        let r = Mat3::outer(axis, axis) * 2.0 - Mat3::identity();
        let w = so3::log(&r);
        assert!(gap(w, want * PI) < 1e-15, "{axis:?}: {w:?}");
        let (a, b) = se3::log(&r, vec3(0.3, -0.2, 0.9));
        let (r2, p2) = se3::exp(a, b);
        assert!(matrix_gap(&r, &r2) < 1e-15 && gap(p2, vec3(0.3, -0.2, 0.9)) < 1e-15);
    }
    assert_eq!(so3::log(&Mat3::<f64>::identity()), Vec3::zero());
}

#[test]
fn differentials_invert_each_other() {
    let mut draw = Draw::new(3);
    for angle in ANGLES {
        let condition = (1.0 / from_pole(angle)).max(1.0);
        for _ in 0..50 {
            let (u, w, a, b) = (draw.of_norm(angle), draw.vector(), draw.vector(), draw.vector());
            let bound = 2e-14 * condition;
            assert!(gap(so3::dexpinv(u, so3::dexp(u, a)), a) < bound, "{angle}");
            assert!(gap(so3::dexp(u, so3::dexpinv(u, a)), a) < bound, "{angle}");
            assert!(gap(so3::dcayinv(u, so3::dcay(u, a)), a) < 1e-15 * (4.0 + angle * angle));
            let (p, q) = se3::dexpinv(u, w, a, b);
            let bound = bound * condition;
            assert!(pair_gap(se3::dexp(u, w, p, q), (a, b)) < bound, "{angle}");
            let (p, q) = se3::dcayinv(u, w, a, b);
            let size = 1.0 + angle * angle;
            assert!(pair_gap(se3::dcay(u, w, p, q), (a, b)) < 1e-15 * size * size, "{angle}");
            // Left and right trivialisation differ by the adjoint map.
            assert!(gap(so3::dexp(u, a), so3::exp(u).apply(so3::dexp(-u, a))) < 1e-14);
        }
    }
}

#[test]
fn transposes_are_transposes() {
    let mut draw = Draw::new(4);
    for angle in ANGLES {
        let condition = (1.0 / from_pole(angle)).max(1.0);
        for _ in 0..20 {
            let (u, w) = (draw.of_norm(angle), draw.vector());
            let (x, m) = ((draw.vector(), draw.vector()), (draw.vector(), draw.vector()));
            let pair = |m: Pair<f64>, x: Pair<f64>| m.0.dot(x.0) + m.1.dot(x.1);
            for (name, f, t) in [
                ("ad", se3::ad as fn(_, _, _, _) -> _, se3::ad_transpose as fn(_, _, _, _) -> _),
                ("dexp", se3::dexp, se3::dexp_transpose),
                ("dexpinv", se3::dexpinv, se3::dexpinv_transpose),
            ] {
                let (left, right) = (pair(m, f(u, w, x.0, x.1)), pair(t(u, w, m.0, m.1), x));
                let bound = 2e-14 * condition * condition * (1.0 + angle);
                assert!((left - right).abs() < bound, "{name} at {angle}: {left} {right}");
            }
        }
    }
}

/// `d/de phi(x + e v) phi(x)^{-1}` at `e = 0` by central differences, as an algebra element.
fn difference(phi: fn(Vec3<D>, Vec3<D>) -> (Mat3<D>, Vec3<D>), x: Pair<D>, v: Pair<D>) -> Pair<D> {
    let e = D::lift(1e-10);
    let at = |e: D| phi(x.0 + v.0.times(e), x.1 + v.1.times(e));
    let undo = inverse(phi(x.0, x.1));
    let (plus, minus) = (compose(at(e), undo), compose(at(-e), undo));
    let scale = D::lift(0.5) / e;
    let rotation = (plus.0 - minus.0).times(scale);
    (rotation.axial() * 0.5, (plus.1 - minus.1).times(scale))
}

fn second_kind(u: Vec3<D>, w: Vec3<D>) -> (Mat3<D>, Vec3<D>) {
    (so3::second_kind(u), w)
}

#[test]
fn differentials_are_the_derivatives_of_their_maps() {
    let mut draw = Draw::new(5);
    for angle in ANGLES {
        // The second kind reads the vector as three angles and is singular at cos q2 = 0.
        for _ in 0..5 {
            let x = (lift(draw.of_norm(angle)), lift(draw.vector()));
            let v = (lift(draw.vector()), lift(draw.vector()));
            let tall = (1.0 + angle) * (1.0 + angle);
            let slope = difference(se3::exp, x, v);
            assert!(pair_gap(slope, se3::dexp(x.0, x.1, v.0, v.1)) < 1e-18 * tall, "{angle}");
            assert!(gap(slope.0, so3::dexp(x.0, v.0)) < 1e-18 * tall, "{angle}");
            assert!(gap(slope.0, so3::dexp_matrix(x.0).apply(v.0)) < 1e-18 * tall, "{angle}");
            let slope = difference(se3::cay, x, v);
            assert!(pair_gap(slope, se3::dcay(x.0, x.1, v.0, v.1)) < 1e-18 * tall, "{angle}");
            assert!(gap(slope.0, so3::dcay_matrix(x.0).apply(v.0)) < 1e-18 * tall, "{angle}");
            if x.0.y.sin_cos().1.magnitude() > 0.1 {
                let still = (v.0, Vec3::zero());
                let slope = difference(second_kind, x, still).0;
                let back = so3::second_kind_dinv(x.0, slope);
                assert!(gap(back, v.0) < 1e-16 * tall, "{angle}: {:e}", gap(back, v.0));
            }
        }
    }
}

#[test]
fn cayley_is_the_exponential_of_another_angle() {
    let mut draw = Draw::new(6);
    for size in [1e-12, 1e-4, 0.3, 1.0, 5.0, 1e3] {
        let u = draw.of_norm(size);
        let angle = 2.0 * (0.5 * size).atan();
        assert!(matrix_gap(&so3::cay(u), &so3::exp(u * (angle / size))) < 2e-15, "{size}");
        let back = so3::cay_inverse(&so3::cay(u));
        // Near half a turn the inverse is ill conditioned by its square.
        assert!(gap(back, u) < 4e-16 * size * (2.0 + size * size), "{size}");
        let w = draw.vector();
        let (r, p) = se3::cay(u, w);
        let (a, b) = se3::cay_inverse(&r, p);
        assert!(pair_gap((a, b), (u, w)) < 1e-15 * (1.0 + size).powi(3), "{size}");
        // (I - A/2) cay = I + A/2 on homogeneous matrices, translational column.
        assert!(gap(p - u.cross(p) * 0.5, w) < 1e-15 * (1.0 + size), "{size}");
    }
}

#[test]
fn se3_logarithms_undo_exponentials() {
    let mut draw = Draw::new(7);
    for angle in ANGLES.into_iter().filter(|a| *a < PI - 1e-9) {
        for _ in 0..20 {
            let (u, w) = (draw.of_norm(angle), draw.vector());
            let (r, p) = se3::exp(u, w);
            let (a, b) = se3::log(&r, p);
            assert!(pair_gap((a, b), (u, w)) < 6e-15, "{angle}: {:e}", pair_gap((a, b), (u, w)));
        }
    }
}

#[test]
fn a_polar_correction_restores_a_rotation() {
    let mut draw = Draw::new(8);
    for angle in ANGLES {
        let r = so3::exp(draw.of_norm(angle));
        let noise = Mat3::from_rows(draw.vector(), draw.vector(), draw.vector()) * 1e-9;
        let mended = so3::polar_correction(&(r + noise));
        assert!(mended.orthogonality_error() < 4e-15, "{:e}", mended.orthogonality_error());
        assert!(matrix_gap(&mended, &r) < 4e-9);
    }
}

/// Each entry of a matrix counts alike in its norm, and each column in the distance from rotations.
#[test]
fn norms_of_matrices_count_every_entry() {
    let entry = |i, j| Mat3::<f64>::outer(Vec3::unit(i), Vec3::unit(j));
    for i in 0..3 {
        for j in 0..3 {
            assert_eq!((entry(i, j) * 2.0).norm_squared(), 4.0, "entry {i}, {j}");
        }
        let longer = Mat3::identity() + entry(i, i);
        assert_eq!(longer.orthogonality_error(), 3.0, "column {i}");
    }
}
