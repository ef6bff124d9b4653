//! How the equations are solved: lanes, derivatives, predictions, looks aside, failures, memory.
use super::systems::*;
use crate::common::run;
use lieflow::archive::Archive;
use lieflow::method::composition::{SU4, Scheme};
use lieflow::method::spherical::Midpoint::{Collective, Spherical};
use lieflow::method::spherical::{SphericalMidpoint, TurnedVectors};
use lieflow::method::{Method, Step, StepError};
use lieflow::problem::{Generator, Lift, Problem};
use lieflow::{Dual, Lanes, Vec3};
use lieflow_testing::counting::after_the_first;

type L = Lanes<4>;

/// Rings that differ in their numbers, so that lanes need different numbers of sweeps.
fn side_by_side() -> (Ring<L>, Vec<Ring<f64>>) {
    let factors = [0.1, 1.0, 2.5, 0.6];
    let alone: Vec<Ring<f64>> = factors
        .iter()
        .map(|f| {
            let p = ring(4);
            Ring { b: p.b * *f, d: p.d * *f, ..p }
        })
        .collect();
    let gather = |of: &dyn Fn(&Ring<f64>) -> Vec3<f64>| {
        let part = |k: usize| Lanes(std::array::from_fn(|i| of(&alone[i]).get(k)));
        Vec3 { x: part(0), y: part(1), z: part(2) }
    };
    let start = (0..4).map(|i| gather(&|p| p.start[i])).collect();
    let together = Ring { d: gather(&|p| p.d), b: gather(&|p| p.b), turning: 0.0, start };
    (together, alone)
}

#[test]
fn every_lane_has_the_bits_of_the_single_run() {
    let (together, alone) = side_by_side();
    for midpoint in [Spherical, Collective] {
        for scheme in [None, Some(&SU4)] {
            let y = run(&together, &mut rule(midpoint, scheme), 0.1, 160);
            let mut sweeps = Vec::new();
            for (i, p) in alone.iter().enumerate() {
                let mut method = rule(midpoint, scheme);
                let want = run(p, &mut method, 0.1, 160);
                let got: Vec<Vec3<f64>> = y.iter().map(|v| v.lane(i)).collect();
                assert_eq!(got, want, "{midpoint:?}, lane {i}");
                sweeps.push(method.cost().newton_iterations);
            }
            let (least, most) = (sweeps.iter().min().unwrap(), sweeps.iter().max().unwrap());
            assert!(least < most, "the lanes should differ in sweeps: {sweeps:?}");
        }
    }
}

/// Derivatives of a run with predictions against differences of runs.
#[test]
fn derivatives_of_many_steps_are_right() {
    type D = Dual<f64, 1>;
    let p = ring(3);
    let mut lifted = p.lift(D::constant);
    lifted.b.x = D::variable(p.b.x, 0);
    let y = run(&lifted, &mut rule(Spherical, None), 0.05, 40);
    let nearby = |e: f64| {
        let mut q = p.clone();
        q.b.x += e;
        run(&q, &mut rule(Spherical, None), 0.05, 40)
    };
    let (plus, minus) = (nearby(1e-5), nearby(-1e-5));
    for i in 0..3 {
        let want = (plus[i] - minus[i]) * 0.5e5;
        let got = Vec3 { x: y[i].x.eps[0], y: y[i].y.eps[0], z: y[i].z.eps[0] };
        assert!(want.norm() > 0.1);
        assert!((got - want).norm() < 1e-8, "spin {i}: {:e}", (got - want).norm());
    }
}

/// Field evaluations in a substep, on average over these steps.
fn evaluations<P>(p: &P, scheme: Option<&'static Scheme>, h: f64, steps: usize) -> f64
where
    P: Generator<Space: TurnedVectors> + Problem<Point = Vec<Vec3<f64>>>,
{
    let mut method = rule(Spherical, scheme);
    run(p, &mut method, h, steps);
    let substeps = scheme.map_or(1, |scheme| scheme.weights().count());
    method.cost().field_evaluations as f64 / (steps * substeps) as f64
}

/// About two evaluations a step, or a substep, on average: predictions where the step is small, and
/// slopes of the field where it is not.
#[test]
fn predictions_and_slopes_spare_evaluations() {
    let (p, q, v) = (exchange(10), ring(4), vortices());
    let found = [
        ("spins, h = 0.02", 2.4, evaluations(&p, None, 0.02, 1000)),
        ("spins, h = 0.05", 2.3, evaluations(&p, None, 0.05, 1000)),
        ("spins, h = 0.1", 2.4, evaluations(&p, None, 0.1, 1000)),
        ("spins in a field, h = 0.1", 3.3, evaluations(&q, None, 0.1, 1000)),
        ("spins, composed, h = 0.1", 2.4, evaluations(&p, Some(&SU4), 0.1, 400)),
        ("vortices, h = 0.02", 2.0, evaluations(&v, None, 0.02, 1000)),
        ("vortices, composed, h = 0.05", 3.0, evaluations(&v, Some(&SU4), 0.05, 400)),
    ];
    for (name, most, seen) in found {
        assert!(seen < most, "{name}: {seen}, of all {found:?}");
    }
}

/// Late sweeps that slopes do not spare must not be paid twice: vortices that pass each other.
#[test]
fn slopes_that_do_not_help_are_given_back() {
    let seen = evaluations(&vortices(), None, 0.05, 2000);
    assert!(seen < 3.0, "{seen}");
}

/// With slopes the equation holds as well as without, in the middle of a run.
#[test]
fn slopes_change_the_way_and_not_the_solution() {
    for midpoint in [Spherical, Collective] {
        let (p, h) = (exchange(10), 0.1);
        let (mut method, mut y) = (rule(midpoint, None), p.start());
        let mut far: f64 = 0.0;
        for k in 0..400 {
            let (mut next, mut alone) = (y.clone(), y.clone());
            method.step(Step::new(&p, 0.0, h, &y), &mut next).unwrap();
            method.accept();
            if k % 10 == 0 {
                rule(midpoint, None).step(Step::new(&p, 0.0, h, &y), &mut alone).unwrap();
                for (a, b) in next.iter().zip(&alone) {
                    far = far.max((*a - *b).norm());
                }
            }
            y = next;
        }
        let per_step = method.cost().field_evaluations as f64 / 400.0;
        assert!(per_step < 3.0, "{midpoint:?}: {per_step}");
        assert!(far < 6e-16, "{midpoint:?}: {far:e}");
    }
}

/// What is remembered, with slopes, goes through an archive: the run goes on with the same bits.
#[test]
fn slopes_are_kept_in_checkpoints() {
    let (p, h) = (exchange(6), 0.1);
    let (mut method, mut y) = (rule(Spherical, None), p.start());
    let mut next = y.clone();
    let mut walk = |method: &mut SphericalMidpoint<Ring<f64>>, y: &mut Vec<Vec3<f64>>, steps| {
        let before = method.cost().field_evaluations;
        for _ in 0..steps {
            method.step(Step::new(&p, 0.0, h, y), &mut next).unwrap();
            method.accept();
            std::mem::swap(y, &mut next);
        }
        method.cost().field_evaluations - before
    };
    walk(&mut method, &mut y, 100);
    let mut kept = Archive::new();
    method.archive(Step::new(&p, 0.0, h, &y), &mut kept);
    let (bits, mut z, mut other) = (kept.finish().unwrap(), y.clone(), rule(Spherical, None));
    let mut read = Archive::of(bits);
    other.archive(Step::new(&p, 0.0, h, &z), &mut read);
    assert!(read.finish().is_ok());
    let (a, b) = (walk(&mut method, &mut y, 50), walk(&mut other, &mut z, 50));
    assert!(a < 150, "slopes are in use: {a} evaluations");
    assert_eq!((y, a), (z, b));
}

#[test]
fn a_look_aside_changes_nothing() {
    let p = ring(4);
    let (mut plain, mut watched) = (rule(Spherical, None), rule(Spherical, None));
    let (mut y, mut z) = (p.start(), p.start());
    for k in 0..30 {
        let t = 0.05 * f64::from(k);
        let (mut next, mut seen) = (y.clone(), z.clone());
        plain.step(Step::new(&p, t, 0.05, &y), &mut next).unwrap();
        plain.accept();
        watched.step(Step::new(&p, t, 0.05, &z), &mut seen).unwrap();
        watched.accept();
        let mut inside = z.clone();
        let step = Step::new(&p, t, 0.05, &z);
        watched.interpolate(step.inside(&seen, 0.4), &mut inside).unwrap();
        assert_ne!(inside, seen);
        (y, z) = (next, seen);
        assert_eq!(y, z, "step {k}");
    }
}

#[test]
fn a_step_that_turns_too_far_is_refused() {
    // A constant field across the vector: half a turn is reached at `h |f| = 2`.
    let (d, b) = (Vec3 { x: 2.0, y: 2.0, z: 2.0 }, Vec3::unit(2) * 10.0);
    let mut p = Ring { d, b, turning: 0.0, start: vec![Vec3::unit(0)] };
    let y = p.start();
    let mut out = y.clone();
    assert!(rule(Spherical, None).step(Step::new(&p, 0.0, 0.19, &y), &mut out).is_ok());
    let found = rule(Spherical, None).step(Step::new(&p, 0.0, 0.5, &y), &mut out);
    assert!(matches!(found, Err(StepError::TurnsTooFar { limit: 2.0, .. })), "{found:?}");
    p.b.x = f64::NAN;
    let found = rule(Spherical, None).step(Step::new(&p, 0.0, 0.5, &y), &mut out);
    assert!(matches!(found, Err(StepError::NotFinite { .. })), "{found:?}");
}

#[test]
fn no_step_allocates() {
    let p = ring(6);
    for scheme in [None, Some(&SU4)] {
        assert_eq!(after_the_first(&p, &mut rule(Spherical, scheme), 0.1, 80), 0);
    }
}
