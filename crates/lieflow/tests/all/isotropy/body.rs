//! The updates for the free body: steps, coefficients, runs, exact solution.
use super::data::*;
use lieflow::method::isotropy::{Choice, Exponential, Local, body, sphere};
use lieflow::method::{Options, Step};
use lieflow::vec3;
use serde_json::Value;

#[test]
fn single_steps_and_their_coordinates() {
    let data = reference();
    let steps = data["rigid_body"]["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 228);
    let (mut worst, mut worst_xi, mut worst_dh) = (0.0f64, 0.0f64, 0.0f64);
    for row in steps {
        let p = Body::of(row, "m");
        let (name, map, h) =
            (row["method"].as_str().unwrap(), exponential(&row["Exp"]), number(&row["h"]));
        let id = name.to_lowercase().replace('_', "-");
        let xi = sphere::update(&id).unwrap().coordinates(map, p.a, p.start, h).xi;
        worst_xi = worst_xi.max(distance(xi, vector(&row["xi"])));
        let mut out = p.start;
        made(&p, &id, map).step(Step::new(&p, 0.0, h, &p.start), &mut out).unwrap();
        worst = worst.max(distance(out, vector(&row["m1"])));
        worst_dh = worst_dh.max((p.energy_change(p.start, out) - number(&row["dH"])).abs());
    }
    println!("steps: state {worst:e}, xi {worst_xi:e}, dH {worst_dh:e}");
    assert!(worst < 1e-15 && worst_xi < 1e-15 && worst_dh < 1e-15);
}

#[test]
fn coefficients() {
    let data = reference();
    for row in data["rigid_body"]["sigmas"].as_array().unwrap() {
        let p = Body::of(row, "m");
        let l = Local::at(p.a, p.start);
        let near = |x: f64, key: &str| {
            assert!((x - number(&row[key])).abs() < 1e-15, "{key} {x} {}", row[key]);
        };
        near(p.energy(p.start), "H");
        near(l.curvature(), "sigma_i");
        near(l.heun(Choice::Basic), "sigma_ib_RK2");
        near(l.heun(Choice::Orthogonal), "sigma_io_RK2");
        for (map, word) in [(Exponential::Exp, "exp"), (Exponential::Cayley, "cay")] {
            near(l.taylor4(Choice::Basic, map), &format!("sigma_ib_sy4_{word}"));
            near(l.taylor4(Choice::Orthogonal, map), &format!("sigma_io_sy4_{word}"));
            near(l.rkmk4(Choice::Basic, map), &format!("sigma_ib_RK4_{word}"));
            near(l.rkmk4(Choice::Orthogonal, map), &format!("sigma_io_RK4_{word}"));
        }
        let close = |a, key: &str| assert!(distance(a, vector(&row[key])) < 1e-15, "{key}");
        close(body::field(p.a, p.start), "X");
        close(Choice::Basic.generator(p.a, p.start), "omega_b");
        close(Choice::Orthogonal.generator(p.a, p.start), "omega_o");
    }
}

/// `|value - want|` is within the tolerance of the reference file for energy errors.
fn energy_close(value: f64, want: f64) -> bool {
    (value - want).abs() <= (1e-6 * want).max(1e-14)
}

#[test]
fn a_hundred_steps() {
    let data = reference();
    let rows = data["rigid_body"]["multistep"].as_array().unwrap();
    assert_eq!(rows.len(), 114);
    let mut worst = 0.0f64;
    for row in rows {
        let p = Body::of(row, "m");
        let name = row["method"].as_str().unwrap();
        let (h, n) = (number(&row["h"]), row["n"].as_u64().unwrap() as usize);
        let mut m = method(name, exponential(&row["Exp"]));
        let first = p.energy(p.start);
        let mut dh = 0.0f64;
        let end = run(&p, &mut m, h, n, |y| dh = dh.max((p.energy(*y) - first).abs()));
        worst = worst.max(distance(end, vector(&row["m_n"])));
        let want = number(&row["max_abs_dH"]);
        assert!(energy_close(dh, want), "{name} {}: {dh:e} {want:e}", row["Exp"]);
    }
    println!("multistep: state {worst:e}");
    assert!(worst < 1e-13);
}

#[test]
fn the_exact_motion_is_the_limit() {
    let data = reference();
    for row in data["rigid_body"]["exact"].as_array().unwrap() {
        let p = Body::of(row, "m0");
        let t = number(&row["t"]);
        // Local errors of order five: at this step size the truncation error is below rounding.
        let steps = (t / 0.005).round() as usize;
        let end = run(&p, &mut method("RK4_io", Exponential::Exp), 0.005, steps, |_| {});
        let error = distance(end, vector(&row["m"]));
        assert!(error < 1e-12 * t.max(4.0), "t = {t}: {error:e}");
    }
}

#[test]
fn figures_one_and_two() {
    let data = reference();
    for row in data["figure12"].as_array().unwrap() {
        let p = Body::of(row, "m");
        let h = number(&row["dt"]);
        let steps = (number(&row["interval"]) / h).round() as usize;
        for name in ["Eul_b", "Eul_o", "Eul_i"] {
            let mut m = method(name, exponential(&row["Exp"]));
            let first = p.energy(p.start);
            let mut dh = 0.0f64;
            let end = run(&p, &mut m, h, steps, |y| dh = dh.max((p.energy(*y) - first).abs()));
            let want = number(&row[name]["max_abs_dH"]);
            assert!(table_close(dh, want), "{name} {dh:e} {want:e}");
            let off = distance(end, vector(&row[name]["final"]));
            assert!(off < 1e-11, "{name} {off:e}");
        }
    }
}

/// The tolerance of the reference file for tables of double-precision runs.
pub fn table_close(value: f64, want: f64) -> bool {
    if want > 1e-10 {
        (value / want - 1.0).abs() <= 1e-4
    } else {
        // Round-off: a factor of three either way, and never below the rounding of the energy.
        value <= 3.0 * want.max(1.1e-16) && value >= want / 3.0 - 1.1e-16
    }
}

#[test]
fn a_momentum_of_any_length_moves_like_one_of_length_one_in_its_own_time() {
    let data = reference();
    let row: &Value = &data["rigid_body"]["steps"][0];
    let p = Body::of(row, "m");
    for id in ids() {
        for map in [Exponential::Exp, Exponential::Cayley] {
            let mut unit = p.start;
            made(&p, id, map).step(Step::new(&p, 0.0, 0.3, &p.start), &mut unit).unwrap();
            let long = p.start * 5.0;
            let mut out = long;
            made(&p, id, map).step(Step::new(&p, 0.0, 0.06, &long), &mut out).unwrap();
            assert!(distance(out, unit * 5.0) < 1e-14, "{id}");
        }
    }
}

/// Evaluations are those on the card, and for implicit updates those of every iteration.
#[test]
fn evaluations_are_counted() {
    let p = Body::new(vec3(1.5, 2.0, 3.0), vec3(0.6, 0.0, 0.8));
    for entry in sphere::entries::<Body<f64>>() {
        let mut method = (entry.make)(&p, &Options::default()).unwrap();
        let mut out = p.start;
        method.step(Step::new(&p, 0.0, 0.3, &p.start), &mut out).unwrap();
        let cost = method.cost();
        let want = match entry.card.evaluations {
            Some(n) => u64::from(n),
            // A correction takes one more.
            None => (1 + u64::from(method.corrections().is_some())) * cost.newton_iterations,
        };
        assert_eq!(cost.field_evaluations, want, "{}", entry.card.id);
    }
}
