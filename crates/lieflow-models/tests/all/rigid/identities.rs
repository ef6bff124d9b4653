//! Relations between the methods, which hold up to rounding: most of the family is one method seen
//! from several sides.
use super::bodies::{self, Body, body, full_probe, probe, steps};
use super::support::errors;
use lieflow::action::BodyState;
use lieflow::kernel::rigid::{Exact, FreeMap, MoserVeselov};
use lieflow::kernel::so3;
use lieflow::method::Step;
use lieflow::problem::{SpinningBody, TorqueField, Watched};
use lieflow::{Mat3, Vec3, vec3};
use lieflow_models::system::rigid_body::Field;

fn close(a: &BodyState<f64>, b: &BodyState<f64>, bound: f64, what: &str) {
    let (er, ep) = errors(a, b);
    assert!(er < bound && ep < bound, "{what}: {er:e} {ep:e}");
}

fn kicked(p: &Body<f64>, c: f64, y: &BodyState<f64>) -> BodyState<f64> {
    BodyState::new(y.rotation, y.momentum + p.torque(0.0, &y.rotation) * c)
}

const H: f64 = 0.2;

#[test]
fn without_torque_the_midpoint_methods_are_one() {
    for p in [probe().freed(), full_probe().freed()] {
        let once = steps(&p, "liemid", &p.start, &[H; 5]);
        for id in ["mcg", "liemid-i", "liemid-e", "liemid-e1", "liemid-e2"] {
            close(&steps(&p, id, &p.start, &[H; 5]), &once, 2e-15, id);
        }
        let halves = steps(&p, "liemid", &p.start, &[0.5 * H; 10]);
        close(&steps(&p, "liemid-ea", &p.start, &[H; 5]), &halves, 3e-15, "liemid-ea");
        let prk = steps(&p, "prk", &p.start, &[H; 5]);
        close(&steps(&p, "akw", &p.start, &[H; 5]), &prk, 3e-15, "akw");
    }
}

#[test]
fn symmetric_methods_undo_themselves_and_e1_undoes_e2() {
    for p in [probe(), full_probe()] {
        for entry in bodies::entries() {
            let id = entry.card.id;
            if id == "liemid" {
                continue;
            }
            let mut method = bodies::method(&p, id);
            let (mut there, mut back) = (p.start, p.start);
            method.step(Step::new(&p, 0.0, H, &p.start), &mut there).unwrap();
            method.reset();
            method.step(Step::new(&p, H, -H, &there), &mut back).unwrap();
            let (er, ep) = errors(&back, &p.start);
            if entry.card.symmetric {
                assert!(er < 1e-13 && ep < 1e-13, "{id}: {er:e} {ep:e}");
            } else {
                assert!(er.max(ep) > 1e-6, "{id} is symmetric after all: {er:e} {ep:e}");
            }
        }
        let there = steps(&p, "liemid-e1", &p.start, &[H]);
        close(&steps(&p, "liemid-e2", &there, &[-H]), &p.start, 2e-15, "adjoint pair");
    }
}

#[test]
fn e1_is_conjugate_to_mcg_by_half_a_kick() {
    let p = probe();
    let start = kicked(&p, -0.5 * H, &p.start);
    let conjugate = kicked(&p, 0.5 * H, &steps(&p, "mcg", &start, &[H; 7]));
    close(&steps(&p, "liemid-e1", &p.start, &[H; 7]), &conjugate, 3e-15, "E1");
    let start = kicked(&p, 0.5 * H, &p.start);
    let conjugate = kicked(&p, -0.5 * H, &steps(&p, "mcg", &start, &[H; 7]));
    close(&steps(&p, "liemid-e2", &p.start, &[H; 7]), &conjugate, 3e-15, "E2");
}

/// `A(s)`: turn by the velocity of the start.
fn forward(p: &Body<f64>, s: f64, y: &BodyState<f64>) -> BodyState<f64> {
    let turn = so3::exp(p.inertia().velocity(y.momentum) * s);
    BodyState::new(y.rotation.matmul(&turn), turn.apply_transpose(y.momentum))
}

#[test]
fn new3_is_conjugate_to_mcg() {
    let p = probe();
    let left = |y: &BodyState<f64>| kicked(&p, 0.5 * H, &forward(&p, 0.5 * H, y));
    // MCG X = X NEW3.
    let first = steps(&p, "mcg", &left(&p.start), &[H; 7]);
    let second = left(&steps(&p, "new3", &p.start, &[H; 7]));
    close(&first, &second, 3e-15, "NEW3");
}

#[test]
fn ea_is_mcg_with_two_free_halves() {
    let p = probe();
    let half = steps(&p.freed(), "liemid", &kicked(&p, 0.5 * H, &p.start), &[0.5 * H; 2]);
    let end = kicked(&p, 0.5 * H, &half);
    close(&steps(&p, "liemid-ea", &p.start, &[H]), &end, 1e-15, "EA");
}

#[test]
fn nmb_is_eln_with_the_exponential() {
    let p = probe();
    let omega = p.inertia().velocity(p.start.momentum);
    let torque = p.torque(0.0, &p.start.rotation);
    let half = p.start.momentum + (p.start.momentum.cross(omega) + torque) * (0.5 * H);
    let x = p.inertia().velocity(half) * H;
    let eln = steps(&p, "eln", &p.start, &[H]);
    let nmb = steps(&p, "nmb", &p.start, &[H]);
    for (y, turn) in [(eln, so3::cay(x)), (nmb, so3::exp(x))] {
        let attitude = p.start.rotation.matmul(&turn);
        assert!((y.rotation - attitude).norm_squared().sqrt() < 1e-15);
        // Both end with the implicit half step.
        let w = p.inertia().velocity(y.momentum);
        let start = y.momentum - (y.momentum.cross(w) + p.torque(H, &attitude)) * (0.5 * H);
        assert!((start - half).norm() < 1e-15);
    }
}

#[test]
fn akw_conserves_energy_and_axial_momentum_when_the_potential_is_linear() {
    let field = Field::Linear {
        strength: 1.7,
        axis: vec3(0.2, -0.4, 0.9),
        direction: vec3(0.3, 0.5, -0.8),
    };
    let p = body([1.2, 2.0, 2.7], field, [0.3, -0.2, 0.5], [0.7, -1.1, 0.9]);
    let mut y = p.start;
    for quantity in p.invariants() {
        let before = (quantity.eval)(&p, &y);
        y = steps(&p, "akw", &p.start, &[H; 200]);
        let change = ((quantity.eval)(&p, &y) - before).abs();
        assert!(change < 2e-13, "{} changes by {change:e}", quantity.name);
        // Not so with another method.
        let other = steps(&p, "eln", &p.start, &[H; 200]);
        assert!(((quantity.eval)(&p, &other) - before).abs() > 1e-6, "{}", quantity.name);
    }
    let top = body(
        [5.0, 5.0, 1.0],
        Field::LagrangeTop { strength: 20.0 },
        [0.05, 0.0, 0.0],
        [0.0, 0.0, 5.0],
    );
    let akw = steps(&top, "akw", &top.start, &[0.05; 20]);
    close(&steps(&top, "tln", &top.start, &[0.05; 20]), &akw, 2e-13, "TLN on a symmetric top");
}

#[test]
fn rattle_solves_the_other_forms_of_its_equation() {
    let p = probe();
    let (inertia, m, h) = (p.inertia(), p.start.momentum, 0.7);
    let turn = MoserVeselov.turn(inertia, h, m);
    // Moser and Veselov: F D - D F^T = h hat(m), D = tr(J)/2 - J.
    let half = 0.5 * inertia.matrix().trace();
    let d = Mat3::diagonal(vec3(half, half, half)) - *inertia.matrix();
    let f = turn.rotation;
    let defect = f.matmul(&d) - d.matmul(&f.transpose()) - Mat3::hat(m * h);
    assert!(defect.norm_squared().sqrt() < 2e-15);
    // Energy-momentum form: x = h (1 + x²/4) J^{-1} (m + m')/2.
    let x = so3::cay_inverse(&f);
    let mean = inertia.velocity(m + turn.momentum) * 0.5;
    let defect = x - mean * (h * (1.0 + 0.25 * x.norm_squared()));
    assert!(defect.norm() < 2e-15);
    // Quaternion form: h m/2 = e0 J e + e × J e.
    let scale = 1.0 / (1.0 + 0.25 * x.norm_squared()).sqrt();
    let (e0, e) = (scale, x * (0.5 * scale));
    let je = inertia.momentum(e);
    assert!((je * e0 + e.cross(je) - m * (0.5 * h)).norm() < 2e-15);
}

#[test]
fn full_inertia_matrices_turn_with_the_body() {
    // The same body described in a turned frame: R Q, Q^T m.
    let q = so3::exp(vec3(0.4, 1.1, -0.7));
    let (plain, turned) = (probe().freed(), full_probe().freed());
    let start = BodyState::new(plain.start.rotation, q.apply_transpose(plain.start.momentum));
    for entry in bodies::entries() {
        let id = entry.card.id;
        if id.starts_with("sp") {
            continue;
        }
        let a = steps(&turned, id, &plain.start, &[H; 3]);
        let b = steps(&plain, id, &start, &[H; 3]);
        // R F against R (Q F' Q^T).
        let relative = plain.start.rotation.transpose().matmul(&b.rotation);
        let relative = q.matmul(&relative).matmul(&q.transpose());
        let b = BodyState::new(plain.start.rotation.matmul(&relative), q.apply(b.momentum));
        close(&a, &b, 2e-14, id);
    }
}

#[test]
fn closed_forms_are_the_derivatives_of_the_energy() {
    use lieflow::problem::{torque_by_duals, torque_derivative_by_duals};
    let fields = [
        Field::Free,
        Field::LagrangeTop { strength: 20.0 },
        bodies::soft_wall(false),
        bodies::soft_wall(true),
        bodies::attractor(),
        Field::Linear {
            strength: -1.3,
            axis: vec3(0.1, 0.7, -0.4),
            direction: vec3(1.0, 2.0, -0.5),
        },
    ];
    for field in fields {
        for v in [[0.3, -0.2, 0.5], [1.0, 2.0, -0.4], [-0.1, 0.05, 0.02]] {
            let r = so3::exp(Vec3::from(v));
            let (torque, duals) = (field.torque(0.0, &r), torque_by_duals(&field, 0.0, &r));
            let scale = 1.0 + torque.norm();
            assert!((torque - duals).norm() < 1e-14 * scale, "{field:?}: {torque:?} {duals:?}");
            let (slope, duals) =
                (field.torque_derivative(0.0, &r), torque_derivative_by_duals(&field, 0.0, &r));
            let scale = 1.0 + slope.norm_squared().sqrt();
            assert!((slope - duals).norm_squared().sqrt() < 1e-13 * scale, "{field:?}");
        }
    }
}

#[test]
fn a_splitting_with_exact_motion_is_exact_without_torque() {
    for p in [probe().freed(), full_probe().freed()] {
        let turn = Exact.turn(p.inertia(), 2.0, p.start.momentum);
        let end = BodyState::new(p.start.rotation.matmul(&turn.rotation), turn.momentum);
        for id in ["exs", "exsd", "exs@tj6", "exs@bm4", "exs@rkn4", "exs@rkn6", "exs@rkn6a"] {
            close(&steps(&p, id, &p.start, &[0.5; 4]), &end, 2e-14, id);
        }
    }
}
