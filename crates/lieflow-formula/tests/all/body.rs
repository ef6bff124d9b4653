//! Rigid bodies.
use lieflow_formula::Kind;
use lieflow_formula::body::{self, BodyPotential, BodyTorque, Frame};
use lieflow_kernel::{Mat3, so3, vec3};

const J: [f64; 9] = [5.0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 1.0];

fn numbers(more: &[f64]) -> Vec<f64> {
    J.iter().chain(more).copied().collect()
}

#[test]
fn a_top_has_the_torque_of_the_textbook() {
    let names = body::names().unwrap().parameter("k", Kind::Number).unwrap();
    let program = body::potential(names, "potential", "k*R33").unwrap();
    let top = BodyPotential::new(program, numbers(&[20.0])).unwrap();
    let r = so3::exp(vec3(0.4, -0.3, 1.0));
    let g = r.rows[2];
    // -k e3 × G.
    assert_eq!(top.torque(0.0, &r), vec3(20.0 * g.y, -(20.0 * g.x), 0.0));
    assert_eq!(top.torque_of_row(0.0, g), Some(top.torque(0.0, &r)));
    assert_eq!(top.energy(0.0, &r), 20.0 * g.z);
    assert_eq!((top.row(), top.is_timed()), (Some(2), false));
    // DT = -k hat(e3) hat(G).
    let want = -Mat3::hat(vec3(0.0, 0.0, 20.0)).matmul(&Mat3::hat(g));
    let got = top.torque_derivative(0.0, &r);
    assert!((got - want).norm_squared() < 1e-28, "{got:?} {want:?}");
    let cost = top.formula().program().cost(1).unwrap();
    assert!(cost.instructions <= 3 && cost.registers == 8, "{cost:?}");
}

#[test]
fn time_and_the_inertia_are_known() {
    let names = body::names().unwrap().parameter("n", Kind::Number).unwrap();
    let text = "1.5*n^2*dot(R'*o, J*(R'*o))";
    let names = names.define("o", "definitions.o", "[cos(n*t), sin(n*t), 0]").unwrap();
    let program = body::potential(names, "potential", text).unwrap();
    assert!(program.reads(1, "t"));
    let u = BodyPotential::new(program, numbers(&[2.0])).unwrap();
    let (s, c) = 0.6f64.sin_cos();
    let r = so3::exp(vec3(0.1, 0.2, 0.3));
    let o = r.apply_transpose(vec3(c, s, 0.0));
    // Gravity gradient: 3 n² o × J o.
    let want = o.cross(vec3(5.0 * o.x, 5.0 * o.y, o.z)).times(12.0);
    let got = u.torque(0.3, &r);
    assert!((got - want).norm() < 1e-13, "{got:?} {want:?}");
}

#[test]
fn torques_in_either_frame() {
    let text = "-c*w + 0.1*P";
    let names = body::moving_names().unwrap().parameter("c", Kind::Number).unwrap();
    let make = |frame| {
        let program = body::torque(names.clone(), "torque", text, frame).unwrap();
        BodyTorque::new(program, numbers(&[0.5])).unwrap()
    };
    let r = so3::exp(vec3(0.4, -0.3, 1.0));
    let (w, p) = (vec3(1.0, 2.0, 3.0), vec3(0.3, 0.2, 0.1));
    let given = w.times(-0.5) + p.times(0.1);
    assert!((make(Frame::Body).torque(0.0, &r, w, p) - given).norm() < 1e-15);
    let space = make(Frame::Space);
    assert!((space.torque(0.0, &r, w, p) - r.apply_transpose(given)).norm() < 1e-15);
    assert!(space.is_moving());
    let error = body::torque(names, "torque", " dot(w, P) ", Frame::Body).unwrap_err();
    assert_eq!(
        error.render(),
        "torque: column 2: the formula must give a vector, and this is a number\n   dot(w, P) \n   ^^^^^^^^^"
    );
}
