//! Point vortices.
use super::data::*;
use lieflow::Vec3;
use lieflow::kernel::so3;
use lieflow::method::isotropy::{Conserve, Part};
use lieflow::problem::Watched;
use lieflow::vec3;
use lieflow_models::system::vortices::Vortices;

const ALL: [&str; 4] = ["energy", "moment_x", "moment_y", "moment_z"];

fn four() -> (Vortices<f64>, serde_json::Value) {
    let row = reference()["vortices"].clone();
    (Vortices::new(numbers(&row["Gamma"]), vectors(&row["x0"])), row)
}

#[test]
fn steps_and_flow_of_four_vortices() {
    let (p, row) = four();
    assert!((p.energy(&p.start) - number(&row["H"])).abs() < 1e-15);
    assert!((p.moment(&p.start) - vector(&row["M"])).norm() < 1e-14);
    let worst = check_steps(&p, &row["step"]);
    println!("four vortices: steps {worst:e}");
    assert!(worst < 1e-15);
    for part in [Part::Given, Part::Orthogonal, Part::Curvature] {
        let mut m = made(&p, "rkmk4", part, None);
        let end = run(&p, &mut *m, number(&row["T"]), 4000, |_| {});
        let error = off(&end, &vectors(&row["flow_T"]));
        println!("four vortices: flow {part:?} {error:e}");
        assert!(error < 1e-12, "{part:?} {error:e}");
    }
}

#[test]
fn two_vortices_turn_rigidly() {
    let row = reference()["two_vortices"].clone();
    let p = Vortices::new(numbers(&row["Gamma"]), vectors(&row["x0"]));
    let rate = p.pair_rate().unwrap();
    assert!((rate - vector(&row["angular_velocity"])).norm() < 1e-15);
    let until = number(&row["T"]);
    let exact: Vec<Vec3<f64>> = p.start.iter().map(|x| so3::rotate(rate * until, *x)).collect();
    assert!(off(&exact, &vectors(&row["x_T"])) < 1e-14);
    let error = |id: &str, part: Part| {
        off(&run(&p, &mut *made(&p, id, part, None), until, 20, |_| {}), &exact)
    };
    let exactly = error("lie-euler", Part::Curvature);
    println!("two vortices: {exactly:e}");
    assert!(exactly < 1e-14);
    // The figures of the specification for the two others, which are largest components.
    let component = |id: &str| {
        let end = run(&p, &mut *made(&p, id, Part::Orthogonal, None), until, 20, |_| {});
        let all = end.iter().zip(&exact).flat_map(|(a, b)| (*a - *b).to_array());
        all.fold(0.0, |worst: f64, x| worst.max(x.abs()))
    };
    let (euler, rkmk) = (component("lie-euler"), component("rkmk4"));
    println!("two vortices: orthogonal {euler:e} {rkmk:e}");
    assert!((euler / 1.7e-1 - 1.0).abs() < 0.05 && (rkmk / 1.9e-5 - 1.0).abs() < 0.05);
}

#[test]
fn rings_turn_at_their_rate() {
    for row in reference()["vortex_rings"].as_array().unwrap() {
        let n = row["N"].as_u64().unwrap() as usize;
        let (theta, strength) = (number(&row["colatitude"]), number(&row["Gamma"]));
        let pole = row["pole_Gamma"].as_f64();
        let rate = Vortices::ring_rate(n, theta, strength, pole);
        assert!((rate - number(&row["rate"])).abs() < 1e-15 * rate.abs().max(1.0));
        let p = Vortices::ring(n, theta, strength, pole);
        let (until, steps) = (3.0, 30);
        let axis = vec3(0.0, 0.0, rate * until);
        let exact: Vec<Vec3<f64>> = p.start.iter().map(|x| so3::rotate(axis, *x)).collect();
        let mut m = made(&p, "lie-euler", Part::Curvature, None);
        let end = run(&p, &mut *m, until, steps, |_| {});
        let error = off(&end, &exact);
        println!("ring of {n}, pole {pole:?}: {error:e}, {:?}", m.corrections());
        assert!(error < 2e-14, "{error:e}");
        // The vortex at the pole is at rest: left out and counted.
        let skipped = m.corrections().unwrap().skipped;
        assert_eq!(skipped > 0, pole.is_some());
        if n == 5 {
            // Here the given generator is along the axis, and every method is exact.
            for id in ["lie-euler", "cf4", "rkmk-gl4"] {
                let end = run(&p, &mut *made(&p, id, Part::Given, None), until, steps, |_| {});
                assert!(off(&end, &exact) < 2e-14, "{id} {:e}", off(&end, &exact));
            }
        }
    }
}

/// The largest errors of energy and moment of a run to `t = 5`.
fn drifts(p: &Vortices<f64>, id: &str, part: Part, steps: usize) -> (f64, f64) {
    let (h, m) = (p.energy(&p.start), p.moment(&p.start));
    let (mut energy, mut moment) = (0.0f64, 0.0f64);
    run(p, &mut *made(p, id, part, None), 5.0, steps, |x| {
        energy = energy.max((p.energy(x) - h).abs());
        moment = moment.max((p.moment(x) - m).norm());
    });
    (energy, moment)
}

#[test]
fn curvature_of_each_factor_gives_the_energy_an_order() {
    let (p, _) = four();
    // Figures of the specification: 50, 100, 200 steps.
    for (part, want) in
        [(Part::Curvature, [1.5e-4, 3.8e-5, 9.4e-6]), (Part::Orthogonal, [7.7e-2, 3.9e-2, 1.9e-2])]
    {
        for (steps, want) in [50, 100, 200].into_iter().zip(want) {
            let (energy, _) = drifts(&p, "lie-euler", part, steps);
            println!("{part:?} {steps}: {energy:e}");
            assert!((energy / want - 1.0).abs() < 0.05, "{part:?} {steps}: {energy:e} {want:e}");
        }
    }
    // The moment stays of first order: (S²)^N is not full.
    let moments = [200, 400].map(|n| drifts(&p, "lie-euler", Part::Curvature, n).1);
    let order = (moments[0] / moments[1]).log2();
    assert!((order - 1.0).abs() < 0.1, "{order}");
}

/// Vortices without symmetry.
fn scattered(n: usize) -> Vortices<f64> {
    let start = (0..n)
        .map(|k| {
            let z = 0.85 - 1.7 * k as f64 / (n as f64 - 0.7);
            let phi = 2.4 * k as f64 + 0.3 * (k as f64).sin();
            let r = (1.0 - z * z).sqrt();
            vec3(r * phi.cos(), r * phi.sin(), z)
        })
        .collect();
    let strengths = (0..n).map(|k| 1.0 + 0.3 * (1.7 * k as f64).sin()).collect();
    Vortices::new(strengths, start)
}

#[test]
fn four_integrals_of_more_than_four_vortices() {
    for n in [5, 6, 8] {
        let p = scattered(n);
        let exact = run(&p, &mut *made(&p, "rkmk4", Part::Given, None), 2.0, 4000, |_| {});
        for (id, order, steps) in [("lie-euler", 1.0, 200), ("rkmk2-heun", 2.0, 100)] {
            let errors = [steps, 2 * steps].map(|steps| {
                let wanted = Some(Conserve::exactly(&ALL));
                let mut m = made(&p, id, Part::Orthogonal, wanted);
                let mut worst = 0.0f64;
                let first: Vec<f64> =
                    p.invariants().iter().map(|q| (q.eval)(&p, &p.start)).collect();
                let end = run(&p, &mut *m, 2.0, steps, |x| {
                    for (q, first) in p.invariants().iter().zip(&first) {
                        worst = worst.max(((q.eval)(&p, x) - first).abs());
                    }
                });
                let count = m.corrections().unwrap();
                assert_eq!((count.made, count.skipped), (steps as u64, 0), "n = {n}, {id}");
                assert!(worst < 2e-14, "n = {n}, {id}: {worst:e}");
                off(&end, &exact)
            });
            let found = (errors[0] / errors[1]).log2();
            println!("n = {n} {id}: state errors {errors:?}, order {found}");
            assert!((found - order).abs() < 0.2, "n = {n}, {id}: order {found}");
        }
    }
}

#[test]
fn as_many_integrals_as_directions_fail_openly() {
    let (p, _) = four();
    let mut m = made(&p, "lie-euler", Part::Orthogonal, Some(Conserve::exactly(&ALL)));
    let end = run(&p, &mut *m, 5.0, 400, |x| {
        assert!(x.iter().all(|x| x.finite() && (x.norm() - 1.0).abs() < 1e-12));
    });
    let count = m.corrections().unwrap();
    println!("four integrals of four vortices: {count:?}");
    assert!(count.skipped > 0 && count.made + count.skipped == 400);
    assert!(end.iter().all(|x| x.finite()));
    // The energy alone is no trouble.
    let mut m = made(&p, "lie-euler", Part::Orthogonal, Some(Conserve::exactly(&["energy"])));
    let first = p.energy(&p.start);
    let mut worst = 0.0f64;
    run(&p, &mut *m, 5.0, 400, |x| worst = worst.max((p.energy(x) - first).abs()));
    assert_eq!(m.corrections().unwrap().skipped, 0);
    assert!(worst < 1e-14, "{worst:e}");
}
