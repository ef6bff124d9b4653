//! One spin, and rings of spins.
use super::data::*;
use lieflow::Vec3;
use lieflow::kernel::so3;
use lieflow::method::isotropy::{Conserve, Part};
use lieflow::problem::{Problem, Watched};
use lieflow::vec3;
use lieflow_models::system::macrospin::Macrospin;
use lieflow_models::system::spin_ring::SpinRing;
use lieflow_models::system::spins::Material;

fn material(gamma: f64, alpha: f64, b: Vec3<f64>, d: Vec3<f64>) -> Material<f64> {
    Material { gamma, alpha, b, d }
}

/// The four cases of the reference file with a closed solution: name and spin.
fn closed() -> Vec<(&'static str, Macrospin<f64>, Vec3<f64>, f64)> {
    let row = reference()["macrospin"].clone();
    let (gamma, start, until) = (number(&row["gamma"]), vector(&row["m0"]), number(&row["T"]));
    let zero = Vec3::zero();
    ["field_conservative", "uniaxial_conservative", "field_damped", "uniaxial_damped"]
        .into_iter()
        .map(|name| {
            let case = &row[name];
            let alpha = number(&case["alpha"]);
            let law = match case["K"].as_f64() {
                Some(k) => material(gamma, alpha, zero, vec3(0.0, 0.0, -k)),
                None => material(gamma, alpha, vector(&case["b"]), zero),
            };
            (name, Macrospin::new(law, start), vector(&case["m_T"]), until)
        })
        .collect()
}

#[test]
fn one_spin_follows_its_closed_form() {
    for (name, p, want, until) in closed() {
        let exact = p.exact(until).unwrap();
        assert!((exact - want).norm() < 1e-14, "{name} {:e}", (exact - want).norm());
        let conservative = p.material.conservative();
        assert_eq!(p.invariants().len(), usize::from(conservative));
        let error = |id: &str, part: Part, steps: usize| {
            (run(&p, &mut *made(&p, id, part, None), until, steps, |_| {}) - exact).norm()
        };
        if conservative {
            // Circles: the curvature and the given generator are exact, the orthogonal is not.
            for id in ["lie-euler", "rkmk4", "cf4"] {
                assert!(error(id, Part::Given, 20) < 2e-14, "{name} {id}");
            }
            assert!(error("lie-euler", Part::Curvature, 20) < 2e-14, "{name}");
            let end =
                run(&p, &mut *made(&p, "lie-euler", Part::Orthogonal, None), until, 20, |_| {});
            let euler = (end - exact).to_array().map(f64::abs).into_iter().fold(0.0, f64::max);
            println!("{name}: lie-euler with the orthogonal generator {euler:e}");
            // The specification has 0.58 for one of them.
            assert!(euler > 0.5);
        } else {
            for (id, order, steps) in
                [("lie-euler", 1.0, 800), ("cf2-heun", 2.0, 400), ("rkmk4", 4.0, 100)]
            {
                for part in [Part::Given, Part::Orthogonal, Part::Curvature] {
                    let found = (error(id, part, steps) / error(id, part, 2 * steps)).log2();
                    assert!((found - order).abs() < 0.15, "{name} {id} {part:?}: {found}");
                }
            }
            // The energy falls all the way.
            let mut before = p.material.energy(p.start());
            run(&p, &mut *made(&p, "rkmk4", Part::Given, None), until, 200, |m| {
                let now = p.material.energy(*m);
                assert!(now < before);
                before = now;
            });
        }
    }
}

#[test]
fn a_biaxial_spin_without_field_is_a_free_body() {
    use lieflow::Mat3;
    use lieflow_models::system::reduced_body::ReducedBody;
    let d = vec3(0.9, 0.4, 0.2);
    let start = vec3(0.48, -0.6, 0.64);
    let spin = Macrospin::new(material(1.7, 0.0, Vec3::zero(), d), start);
    let inertia = Mat3::diagonal(vec3(1.0, 1.0, 1.0).divided_by(d * 1.7));
    let body = ReducedBody::new(inertia, start);
    for part in [Part::Given, Part::Orthogonal, Part::Curvature] {
        let a = run(&spin, &mut *made(&spin, "rkmk4", part, None), 10.0, 100, |_| {});
        let b = run(&body, &mut *made(&body, "rkmk4", part, None), 10.0, 100, |_| {});
        assert!((a - b).norm() < 1e-13, "{part:?} {:e}", (a - b).norm());
    }
}

/// The largest energy error of a conservative run.
fn energy_error(
    p: &Macrospin<f64>,
    id: &str,
    part: Part,
    wish: Option<Conserve>,
    steps: usize,
) -> f64 {
    let first = p.material.energy(p.start);
    let mut worst = 0.0f64;
    let mut m = made(p, id, part, wish);
    run(p, &mut *m, 50.0, steps, |m| worst = worst.max((p.material.energy(*m) - first).abs()));
    assert_eq!(m.corrections().map_or(0, |c| c.skipped), 0);
    worst
}

#[test]
fn energy_of_a_biaxial_spin_in_a_field() {
    let law = material(1.0, 0.0, vec3(0.3, 0.1, 0.2), vec3(0.4, 0.0, -1.1));
    let p = Macrospin::new(law, vec3(0.48, -0.6, 0.64));
    let order = |id: &str, part: Part, wish: Option<Conserve>| {
        let [a, b] = [500, 1000].map(|n| energy_error(&p, id, part, wish, n));
        println!("{id} {part:?} {wish:?}: {a:e} {b:e}");
        (a / b).log2()
    };
    assert!((order("lie-euler", Part::Curvature, None) - 2.0).abs() < 0.2);
    let linear = Some(Conserve::linearly(&["energy"]));
    assert!(order("lie-euler", Part::Orthogonal, linear) > 1.7);
    assert!(order("cf2-heun", Part::Orthogonal, linear) > 2.7);
    assert!(order("rkmk4", Part::Orthogonal, linear) > 4.5);
    let exactly = Some(Conserve::exactly(&["energy"]));
    for id in ["lie-euler", "cf2-heun", "rkmk4", "cf4", "cg4", "rkmk-gl4"] {
        for part in [Part::Given, Part::Orthogonal, Part::Curvature] {
            let worst = energy_error(&p, id, part, exactly, 500);
            assert!(worst < 1e-14, "{id} {part:?} {worst:e}");
        }
    }
}

#[test]
fn spin_waves_turn_rigidly() {
    let row = reference()["spin_ring"]["spin_wave"].clone();
    let n = row["N"].as_u64().unwrap() as usize;
    let q = row["mode"].as_u64().unwrap() as usize;
    let (theta, j, until) = (number(&row["theta"]), number(&row["J"]), number(&row["T"]));
    let p = SpinRing::wave(n, q, theta, 1.0, j);
    assert!(off(&p.start, &vectors(&row["x0"])) < 1e-15);
    let rate = SpinRing::wave_rate(n, q, theta, 1.0, j);
    assert!((rate - number(&row["rate"])).abs() < 1e-15);
    let axis = vec3(0.0, 0.0, rate * until);
    let exact: Vec<_> = p.start.iter().map(|m| so3::rotate(axis, *m)).collect();
    assert!(off(&exact, &vectors(&row["x_T"])) < 1e-14);
    for (id, part) in [("lie-euler", Part::Curvature), ("rkmk-dp54", Part::Given)] {
        let end = run(&p, &mut *made(&p, id, part, None), until, 60, |_| {});
        let error = off(&end, &exact);
        println!("spin wave {id} {part:?}: {error:e}");
        assert!(error < if id == "lie-euler" { 2e-14 } else { 1e-6 });
    }
}

#[test]
fn steps_and_flow_of_a_damped_ring() {
    let row = reference()["spin_ring"]["generic"].clone();
    let data = &row["params"];
    let p = SpinRing {
        material: material(
            number(&data["gamma"]),
            number(&data["alpha"]),
            vector(&data["b"]),
            vector(&data["D"]),
        ),
        coupling: number(&data["J"]),
        start: vectors(&row["x0"]),
        law: None,
    };
    let worst = check_steps(&p, &row["step"]);
    println!("ring: steps {worst:e}");
    assert!(worst < 1e-15);
    let mut m = made(&p, "rkmk4", Part::Given, None);
    let end = run(&p, &mut *m, number(&row["T"]), 8000, |_| {});
    let error = off(&end, &vectors(&row["flow_T"]));
    println!("ring: flow {error:e}");
    assert!(error < 1e-12);
    assert!(p.invariants().is_empty());
}

#[test]
fn the_integrals_of_an_isotropic_ring() {
    let mut p = SpinRing::wave(8, 2, 0.6, 1.3, 0.7);
    // Disturb the wave.
    p.start[3] = vec3(0.48, -0.6, 0.64);
    let names: Vec<_> = p.invariants().iter().map(|q| q.name).collect();
    assert_eq!(names, ["energy", "spin_x", "spin_y", "spin_z"]);
    let exact = run(&p, &mut *made(&p, "rkmk4", Part::Given, None), 2.0, 4000, |_| {});
    let first: Vec<f64> = p.invariants().iter().map(|q| (q.eval)(&p, &p.start)).collect();
    let errors = [100, 200].map(|steps| {
        let wish = Some(Conserve::exactly(&["energy", "spin_x", "spin_y", "spin_z"]));
        let mut m = made(&p, "lie-euler", Part::Orthogonal, wish);
        let mut worst = 0.0f64;
        let end = run(&p, &mut *m, 2.0, steps, |x| {
            for (q, first) in p.invariants().iter().zip(&first) {
                worst = worst.max(((q.eval)(&p, x) - first).abs());
            }
        });
        println!("isotropic ring: {worst:e}, {:?}", m.corrections());
        assert!(worst < 2e-14);
        off(&end, &exact)
    });
    let order = (errors[0] / errors[1]).log2();
    assert!((order - 1.0).abs() < 0.2, "{order} {errors:?}");
}
