//! Several trajectories side by side have the bits of single ones.
use crate::common::*;
use lieflow::group::Twist;
use lieflow::method::generator::entries_lifted;
use lieflow::method::{Options, Solver};
use lieflow::problem::Problem;
use lieflow::{Lanes, Vec3, vec3};

const N: usize = 4;
type L = Lanes<N>;

fn lane(v: Vec3<L>, i: usize) -> Vec3<f64> {
    vec3(v.x.0[i], v.y.0[i], v.z.0[i])
}

/// Bodies in a fluid whose stages converge in different numbers of iterations, and whose rotations
/// in a step are on both sides of one radian, where the coefficients change their formula.
fn bodies() -> Kirchhoff<L> {
    let wide = |x: [f64; N]| Lanes(x);
    let all = |x: f64| Lanes([x; N]);
    Kirchhoff {
        j: vec3(wide([1.0, 0.7, 1.3, 0.2]), all(1.5), wide([2.2, 2.0, 1.0, 0.5])),
        m: vec3(all(1.0), wide([1.8, 0.9, 0.4, 3.0]), all(2.5)),
        start: Twist::new(
            vec3(wide([0.4, 0.01, 1.4, 0.9]), wide([-0.3, 0.02, 0.6, 0.0]), all(0.8)),
            vec3(all(0.9), wide([0.2, -0.4, 0.7, 0.0]), all(-0.5)),
        ),
    }
}

fn single(p: &Kirchhoff<L>, i: usize) -> Kirchhoff<f64> {
    Kirchhoff {
        j: lane(p.j, i),
        m: lane(p.m, i),
        start: Twist::new(lane(p.start.angular, i), lane(p.start.linear, i)),
    }
}

fn check(id: &str, solver: Solver) {
    let p = bodies();
    let options = Options { solver, ..Options::default() };
    let (h, n) = (0.3, 40);
    let mut together = method(&entries_lifted(), id, &p, &options);
    let y = run(&p, &mut *together, h, n);
    let mut iterations = Vec::new();
    for i in 0..N {
        let q = single(&p, i);
        let mut alone = method(&entries_lifted(), id, &q, &options);
        let want = run(&q, &mut *alone, h, n);
        let got = Twist::new(lane(y.angular, i), lane(y.linear, i));
        assert_ne!(got, q.start());
        assert_eq!(got, want, "{id}, lane {i}");
        iterations.push(alone.cost().newton_iterations);
    }
    if together.cost().newton_iterations > 0 {
        let (least, most) = (iterations.iter().min().unwrap(), iterations.iter().max().unwrap());
        assert!(least < most, "the lanes should differ in iterations: {iterations:?}");
    }
}

#[test]
fn explicit_methods() {
    for id in ["rkmk4", "rkmk4-casas-owren", "cf4", "cg3", "rkmk-dop853"] {
        check(id, Solver::Newton);
    }
}
#[test]
fn newton() {
    check("rkmk-gl4", Solver::Newton);
    check("gl4-sym", Solver::Newton);
}
#[test]
fn fixed_point() {
    check("rkmk-gl4", Solver::FixedPoint);
}
