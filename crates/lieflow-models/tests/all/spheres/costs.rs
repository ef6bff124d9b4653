//! What a step costs, the peaks that make steps small, and what is lost without geometry.
use super::data::*;
use super::experiments::*;
use lieflow::action::Link;
use lieflow::chart::Chart;
use lieflow::method::rkmk::Rkmk;
use lieflow::method::{Cost, Method, Options, Step, generator, spheres};
use lieflow::problem::Problem;
use lieflow::problem::spheres::{
    Coordinates, FlatCoordinates, LiftCoordinates, OnSpheres, Se3Coordinates, Slot, SphereSystem,
    length_error, tangency_error,
};
use lieflow::stepping::{Adaptive, integrate};
use lieflow::tableau;

/// The cost of so many steps at `h = 0.01`.
fn cost<M: SphereSystem<Scalar = f64> + 'static, C: Coordinates>(
    m: &M,
    y: &[Link<f64>],
    id: &str,
    steps: usize,
) -> Cost {
    let p = OnSpheres::<M, C>::new(m.clone(), y);
    let mut entries = generator::entries();
    entries.extend(spheres::entries());
    let entry = entries.iter().find(|e| e.card.id == id).unwrap();
    let chart = Chart::ExpSeries { brackets: 2 };
    let options = if C::NAME == LiftCoordinates::NAME {
        Options { chart, ..Options::default() }
    } else {
        Options::default()
    };
    let mut method = (entry.make)(&p, &options).unwrap();
    run(&p, method.as_mut(), 0.01, steps);
    method.cost()
}

/// Evaluations in a step, and sweeps of the implicit method: about 7 for one pendulum, 8 for two, 12
/// for the dipoles.
#[test]
fn evaluations_in_a_step() {
    fn check<M: SphereSystem<Scalar = f64> + 'static>(m: &M, y: &[Link<f64>], sweeps: f64) {
        let steps = 500;
        let n = steps as u64;
        // One more at the start.
        let eln = cost::<M, Se3Coordinates>(m, y, "eln", steps);
        assert!((n..=n + 1).contains(&eln.field_evaluations), "{eln:?}");
        let rattle = cost::<M, Se3Coordinates>(m, y, "rattle", steps);
        assert!((n..=2 * n + 1).contains(&rattle.field_evaluations), "{rattle:?}");
        let rkmk4 = cost::<M, LiftCoordinates>(m, y, "rkmk4", steps);
        assert_eq!(rkmk4.field_evaluations, 4 * n);
        let gauss = cost::<M, LiftCoordinates>(m, y, "rkmk-gl4", steps);
        assert_eq!(gauss.field_evaluations, 2 * gauss.newton_iterations + n);
        let seen = gauss.newton_iterations as f64 / steps as f64;
        println!("{seen:.2} sweeps ({sweeps}), eln {eln:?}, rattle {rattle:?}");
        assert!((seen - sweeps).abs() < 1.5, "{seen} sweeps");
    }
    let data = reference();
    let case = flow(&data, "spherical_pendulum");
    check(&chain(&case), &start(&case), 7.0);
    let case = flow(&data, "double_spherical_pendulum");
    check(&chain(&case), &start(&case), 7.9);
    let case = flow(&data, "dipoles_4x4");
    check(&dipoles(&case), &start(&case), 11.5);
}

/// Two links turn over in a jerk, at which adaptive steps become small.
#[test]
fn peaks_of_two_links_and_the_steps_there() {
    let data = reference();
    let case = flow(&data, "chain_fig8_N2");
    let (m, y0) = (chain(&case), start(&case));
    // Time and size of the largest acceleration and angular velocity of each link.
    let mut peaks = [[(0.0, 0.0); 2]; 2];
    let h = 1e-3;
    walk_in(&m, &y0, RKMK4_SE3, h, 3000, &mut |k, y| {
        let mut a = y.to_vec();
        m.acceleration(y, &mut a);
        for i in 0..2 {
            let t = f64::from(k) * h;
            for (peak, size) in peaks[i].iter_mut().zip([a[i].second().norm(), y[i].omega.norm()]) {
                if size > peak.1 {
                    *peak = (t, size);
                }
            }
        }
    })
    .unwrap();
    println!("{peaks:.3?}");
    let want = [[(2.250, 76.6), (2.275, 9.67)], [(2.299, 103.3), (2.275, 12.22)]];
    for i in 0..2 {
        for k in 0..2 {
            let ((t, size), (when, large)) = (peaks[i][k], want[i][k]);
            assert!((size - large).abs() < 0.006 * large, "{i} {k}: {size}");
            // The two peaks of the velocity are near the time that is given for both.
            let slack = if k == 0 { 0.0016 } else { 0.02 };
            assert!((t - when).abs() < slack, "{i} {k}: {t}");
        }
    }
    let p = OnSpheres::<_, Se3Coordinates>::new(m, &y0);
    let mut times = vec![0.0];
    let mut note = |t: f64, _: &Vec<Link<f64>>| times.push(t);
    let mut method = Rkmk::new(&tableau::DP54, Chart::Exp);
    let mut control = Adaptive::plain(1e-6, 0.25);
    control.theta = 0.85;
    integrate(&p, &mut method, &mut control, (0.0, 3.0), 0.03, &mut note).unwrap();
    // Without the last step, which ends where the run does.
    let steps: Vec<_> =
        times.windows(2).map(|w| (w[0], w[1] - w[0])).filter(|s| s.1 > 0.0).collect();
    let inner = &steps[..steps.len() - 1];
    let largest = inner.iter().map(|s| s.1).fold(0.0, f64::max);
    let smallest =
        inner.iter().copied().fold((0.0, f64::INFINITY), |a, b| if b.1 < a.1 { b } else { a });
    println!("steps from {largest:.2e} to {smallest:?}");
    assert!((largest - 6.3e-2).abs() < 0.05e-2, "{largest:e}");
    assert!(
        (smallest.1 - 4.8e-3).abs() < 0.05e-3 && (smallest.0 - 2.29).abs() < 0.01,
        "{smallest:?}"
    );
}

/// The pair of Dormand and Prince on the numbers of the state, with the control of MATLAB's `ode45`
/// (the error relative to the state, factors 0.8, 5 and 0.1, at most a tenth of the time). Largest
/// errors of lengths and tangency, and the number of steps.
fn without_geometry(relative: f64) -> (f64, f64, usize) {
    let data = reference();
    let case = flow(&data, "chain_fig5_N2");
    let p = OnSpheres::<_, FlatCoordinates>::new(chain(&case), &start(&case));
    let size = |y: &[Link<f64>]| {
        let squares = y.iter().map(|l| l.q.norm_squared() + l.omega.norm_squared());
        squares.sum::<f64>().sqrt()
    };
    let mut method = Rkmk::new(&tableau::DP54, Chart::Exp);
    let (mut t, mut h, until) = (0.0f64, 0.01f64, 5.0);
    let (mut y, mut worst, mut steps) = (p.start(), (0.0f64, 0.0f64), 0);
    let mut next = y.clone();
    while until - t > 1e-12 {
        h = h.min(0.1 * until).min(until - t);
        let estimate = method.step(Step::new(&p, t, h, &y), &mut next).unwrap().unwrap();
        let error = estimate / size(&y).max(size(&next));
        let factor = 0.8 * (relative / error).powf(0.2);
        if error > relative {
            method.reset();
            h *= factor.max(0.1);
            continue;
        }
        method.accept();
        worst = (worst.0.max(length_error(&next)), worst.1.max(tangency_error(&next)));
        std::mem::swap(&mut y, &mut next);
        (t, steps) = (t + h, steps + 1);
        h *= factor.min(5.0);
    }
    (worst.0, worst.1, steps)
}

/// As orders of magnitude, because the weights of the original are not known: tangency within a
/// factor of three, lengths (which depend on them much more) within eight.
#[test]
fn adaptive_steps_without_geometry_leave_the_manifold() {
    for (relative, length, tangency) in
        [(1e-3, 1.2e-2, 1.4e-2), (1e-6, 7.5e-6, 1.4e-5), (1e-10, 1.2e-10, 3.1e-10)]
    {
        let (q, w, steps) = without_geometry(relative);
        println!("{relative:e}: {q:.1e} ({length:.1e}) {w:.1e} ({tangency:.1e}), {steps} steps");
        assert!(q > length / 8.0 && q < 8.0 * length, "{relative:e}: |q| {q:e}");
        assert!(w > tangency / 3.0 && w < 3.0 * tangency, "{relative:e}: q·w {w:e}");
    }
}
