//! Global errors and observed orders of every method on four problems, against the values measured
//! in quadruple precision.
use crate::common::*;
use lieflow::action::Multiply;
use lieflow::chart::Chart;
use lieflow::group::Rn;
use lieflow::method::generator::{entries, entries_lifted};
use lieflow::method::rkmk::Rkmk;
use lieflow::method::{Options, Step};
use lieflow::problem::{Generator, Lift, Problem};
use lieflow::tableau;

/// Marks a cell that was not measured.
const NONE: (f64, f64) = (0.0, 0.0);

/// Error at the coarse step and order of the last halving: generic field on SE(3), free body,
/// body in a fluid, heavy top.
#[rustfmt::skip]
const TABLE: [(&str, [(f64, f64); 4]); 34] = [
    ("lie-euler", [(5.979e-02, 0.99), (3.183e-01, 1.03), (2.124e-01, 1.01), (1.831e-01, 1.32)]),
    ("rkmk2-heun", [(7.890e-04, 2.00), (4.947e-03, 2.01), (4.979e-03, 2.01), (4.140e-03, 1.99)]),
    ("rkmk2-midpoint", [(6.141e-04, 2.00), (4.728e-03, 1.98), (3.736e-03, 2.02), (3.191e-03, 2.00)]),
    ("rkmk3", [(1.019e-05, 2.99), (2.800e-04, 2.99), (5.691e-05, 2.98), (7.921e-05, 3.00)]),
    ("rkmk3-trunc1", [(1.079e-05, 2.99), (3.249e-04, 2.99), (7.932e-05, 2.98), (8.529e-05, 3.00)]),
    ("rkmk4", [(7.969e-08, 3.99), (2.628e-06, 4.02), (2.832e-06, 4.00), (1.536e-06, 4.00)]),
    ("rkmk4-trunc2", [(7.970e-08, 3.99), (2.631e-06, 4.02), (2.834e-06, 4.00), (1.536e-06, 4.00)]),
    // One bracket is too few: order three.
    ("rkmk4-trunc1", [(1.634e-06, 3.00), (6.873e-05, 3.01), (4.007e-05, 3.01), (1.093e-05, 3.00)]),
    ("rkmk4-casas-owren", [(9.574e-08, 4.00), (4.883e-06, 4.02), (4.841e-06, 4.00), (2.992e-06, 4.00)]),
    ("rkmk-bs32", [(7.774e-06, 2.99), (2.348e-04, 3.00), (1.077e-04, 2.98), (7.757e-05, 3.00)]),
    ("rkmk-rkf45", [(6.831e-10, 5.00), (6.328e-08, 4.95), (9.945e-09, 5.03), (1.356e-08, 5.00)]),
    ("rkmk-dp54", [(8.089e-11, 4.87), (2.248e-08, 5.10), (4.982e-09, 5.04), (4.076e-09, 5.00)]),
    ("rkmk-dp54-trunc2", [(7.148e-11, 4.86), (3.063e-08, 5.07), (8.053e-09, 5.02), (4.442e-09, 5.00)]),
    ("rkmk-gl2", [(3.958e-04, 2.00), (2.380e-03, 2.00), (2.445e-03, 2.00), (2.096e-03, 2.00)]),
    ("rkmk-gl4", [(2.921e-08, 4.00), (6.038e-07, 4.00), (2.309e-07, 4.01), (1.594e-07, 4.00)]),
    ("rkmk-gl6", [(1.138e-12, 6.00), (5.959e-11, 6.01), (2.775e-11, 6.00), (1.013e-11, 6.00)]),
    ("cg3", [(9.688e-06, 2.99), (9.283e-04, 3.02), (5.072e-04, 2.98), (2.924e-04, 3.00)]),
    ("cg4", [(2.828e-07, 4.00), (1.235e-05, 4.08), (2.284e-05, 3.98), (1.350e-05, 3.99)]),
    ("cf2-heun", [(1.948e-04, 1.97), (9.805e-03, 1.95), (6.967e-03, 2.02), (7.602e-03, 1.99)]),
    ("cf2-midpoint", [(3.724e-04, 1.99), (8.342e-03, 1.96), (4.612e-03, 2.02), (4.933e-03, 1.99)]),
    ("cf3-a", [(3.342e-06, 2.98), (5.846e-04, 3.01), (1.104e-04, 2.98), (1.423e-04, 3.00)]),
    ("cf3-b", [(2.949e-06, 2.98), (5.157e-04, 3.00), (1.046e-04, 2.98), (1.585e-04, 3.00)]),
    ("cf4", [(4.951e-08, 3.99), (5.730e-06, 4.01), (2.017e-06, 3.99), (2.577e-06, 4.00)]),
    ("rkmk4-cayley", [(7.980e-08, 3.99), (4.219e-06, 4.02), NONE, NONE]),
    ("rkmk-dp54-cayley", [(6.147e-11, 4.83), (2.500e-08, 5.07), NONE, NONE]),
    ("rkmk4-ccsk", [(1.956e-07, 4.00), (7.037e-07, 4.01), NONE, NONE]),
    ("rkmk-dp54-ccsk", [(3.715e-10, 5.02), (2.238e-09, 5.28), NONE, NONE]),
    // The comparison solutions of the pairs.
    ("bs32-aux", [(7.66e-05, 2.00), (7.40e-04, 1.92), (3.63e-04, 2.10), (3.17e-04, 2.06)]),
    ("rkf45-aux(order4)", [(1.13e-08, 3.95), (4.84e-07, 4.07), (4.18e-07, 4.02), (2.12e-07, 4.00)]),
    ("dp54-aux", [(8.19e-09, 3.98), (2.67e-07, 4.03), (2.49e-07, 4.01), (1.30e-07, 4.00)]),
    ("cf3-A-aux", [(1.57e-04, 2.00), (4.88e-03, 1.98), (1.62e-03, 2.00), (2.13e-03, 2.00)]),
    ("cf3-B-aux", [(1.49e-04, 2.00), (4.87e-03, 1.99), (1.67e-03, 1.98), (2.34e-03, 2.00)]),
    ("cf4-aux34", [(3.391e-06, 2.98), (7.237e-04, 3.01), (1.580e-04, 2.98), (1.881e-04, 3.00)]),
    ("cf4-auxFSAL", [(1.646e-06, 2.98), (3.949e-04, 3.02), (1.285e-04, 2.97), (1.141e-04, 2.99)]),
];

/// Below this, rounding spoils the digits.
const FLOOR: f64 = 1e-10;

/// The state at `end` by the method of order eight with many steps.
fn exact<P: Lift<Point: Listed> + 'static>(p: &P, end: f64) -> Vec<f64> {
    let n = 2000;
    run(p, &mut Rkmk::new(&tableau::DOP853, Chart::Exp), end / n as f64, n).list()
}

/// Compares one column; `n` is the coarse number of steps and `m` the one of the last halving.
fn column<P: Lift<Point: Listed> + 'static>(p: &P, end: f64, n: usize, m: usize, which: usize) {
    let want = exact(p, end);
    let error =
        |id: &str, n: usize| distance(&run(p, &mut *named(id, p), end / n as f64, n).list(), &want);
    for (id, cells) in &TABLE {
        let (size, order) = cells[which];
        if cells[which] == NONE {
            continue;
        }
        let coarse = error(id, n);
        let digits = if size > FLOOR { 0.01 } else { 0.1 };
        assert!((coarse / size - 1.0).abs() < digits, "{id}: {coarse:e}, not {size:e}");
        let (e1, e2) = (error(id, m), error(id, 2 * m));
        if e2 > FLOOR {
            let observed = (e1 / e2).log2();
            assert!((observed - order).abs() < 0.012, "{id}: {observed}, not {order}");
        }
    }
}

#[test]
fn generic_field_on_se3() {
    column(&generic_se3(&input(&reference(), "generic-se3")), 2.0, 32, 64, 0);
}
#[test]
fn free_body_seed001() {
    column(&free_body(&input(&reference(), "free-body-seed001")), 4.0, 32, 64, 1);
}
#[test]
fn body_in_a_fluid() {
    column(&kirchhoff(&input(&reference(), "kirchhoff")), 4.0, 32, 64, 2);
}
#[test]
fn heavy_top_on_the_dual() {
    column(&heavy_lp(&input(&reference(), "heavy-top-seed")), 0.1, 256, 256, 3);
}

/// The orders of the cards, on a problem without symmetry, with steps that suit each order.
#[test]
fn orders_of_all_cards() {
    let p = generic_se3(&input(&reference(), "generic-se3"));
    let want = exact(&p, 2.0);
    let want = &want;
    for entry in entries_lifted() {
        let id = entry.card.id;
        let nominal = f64::from(entry.card.order);
        // The largest steps with which the order is visible above rounding.
        let m = if entry.card.order >= 8 {
            3
        } else if entry.card.order > 4 {
            16
        } else {
            64
        };
        let error = |n: usize| {
            let mut method = (entry.make)(&p, &Options::default()).unwrap();
            distance(&run(&p, &mut *method, 2.0 / n as f64, n).list(), want)
        };
        let (e1, e2) = (error(m), error(2 * m));
        assert!(e2 > 1e-13, "{id}: {e2:e} is rounding");
        let observed = (e1 / e2).log2();
        let slack = if nominal > 4.0 { 0.35 } else { 0.05 };
        assert!((observed - nominal).abs() < slack, "{id}: order {observed} ({e1:e}, {e2:e})");
    }
}

/// The reference trajectories of an independent method.
#[test]
fn reference_trajectories() {
    let data = reference();
    let state = |id: &str, t: f64, keys: [&str; 2]| -> Vec<f64> {
        let all = data["trajectories"].as_array().unwrap();
        let one = all.iter().find(|x| x["id"] == id).unwrap();
        let state = one["states"].as_array().unwrap().iter().find(|s| s["t"] == t).unwrap();
        let flat = |v: &serde_json::Value| -> Vec<f64> {
            match v[0].as_array() {
                Some(_) => v.as_array().unwrap().iter().flat_map(numbers).collect(),
                None => numbers(v),
            }
        };
        keys.iter().flat_map(|k| flat(&state[*k])).collect()
    };
    let p = generic_se3(&input(&data, "generic-se3"));
    assert!(distance(&exact(&p, 2.0), &state("generic-se3", 2.0, ["R", "r"])) < 1e-13);
    let p = free_body(&input(&data, "free-body-seed001"));
    assert!(distance(&exact(&p, 9.0), &state("free-body-seed001", 9.0, ["R", "pi"])) < 1e-13);
    let p = kirchhoff(&input(&data, "kirchhoff"));
    assert!(distance(&exact(&p, 4.0), &state("kirchhoff", 4.0, ["Pi", "P"])) < 1e-13);
    let p = heavy_lp(&input(&data, "heavy-top-seed"));
    assert!(distance(&exact(&p, 0.1), &state("heavy-top-seed", 0.1, ["Pi", "Gamma"])) < 1e-11);
    let p = heavy_tso3(&input(&data, "mild-top"));
    assert!(distance(&exact(&p, 2.0), &state("mild-top", 2.0, ["Q", "pi"])) < 1e-13);
}

/// Estimates of pairs scale with the power on their cards.
#[test]
fn estimates_scale_with_the_power_on_the_card() {
    let p = generic_se3(&input(&reference(), "generic-se3"));
    let y = p.start();
    let mut pairs = 0;
    for entry in entries_lifted() {
        let Some(power) = entry.card.estimate_power else { continue };
        pairs += 1;
        let h = if power > 5 { 0.2 } else { 0.05 };
        let estimate = |h: f64| {
            let mut method = (entry.make)(&p, &Options::default()).unwrap();
            method.step(Step::new(&p, 0.0, h, &y), &mut y.clone()).unwrap().unwrap()
        };
        let observed = (estimate(h) / estimate(0.5 * h)).log2();
        // Steps small enough for the last tenth would bring the square of `e` to rounding level.
        let slack = if power > 5 { 0.2 } else { 0.1 };
        assert!((observed - f64::from(power)).abs() < slack, "{}: {observed}", entry.card.id);
    }
    assert_eq!(pairs, 8);
}

/// `x' = -sin(3 t) x`, whose solution is `exp((cos(3 t) - 1)/3)`: all other problems here do not
/// depend on time.
struct Driven;
impl Problem for Driven {
    type Point = Rn<f64, 1>;
    fn start(&self) -> Rn<f64, 1> {
        Rn([1.0])
    }
}
impl Generator for Driven {
    type Space = Multiply<Rn<f64, 1>>;
    fn field(&self, t: f64, y: &Rn<f64, 1>) -> Rn<f64, 1> {
        Rn([-(3.0 * t).sin() * y.0[0]])
    }
}

#[test]
fn orders_on_a_driven_problem() {
    let exact = ((3.0f64.cos() - 1.0) / 3.0).exp();
    for entry in entries::<Driven>() {
        let id = entry.card.id;
        // Coarse enough to stay above rounding.
        let m = match entry.card.order {
            8.. => 4,
            6.. => 8,
            _ => 32,
        };
        let error = |n: usize| {
            let mut method = (entry.make)(&Driven, &Options::default()).unwrap();
            (run(&Driven, &mut *method, 1.0 / n as f64, n).0[0] - exact).abs()
        };
        let observed = (error(m) / error(2 * m)).log2();
        let nominal = f64::from(entry.card.order);
        // A wrong node would bring the order down to one; on a scalar problem it may be higher.
        assert!(observed > nominal - 0.2, "{id}: order {observed}");
    }
}
