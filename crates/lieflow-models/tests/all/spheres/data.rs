//! The cases of `data/reference/spheres.json`.
use lieflow::Vec3;
use lieflow::action::Link;
use lieflow_models::system::{dipoles::Dipoles, pendulum_chain::PendulumChain};
pub use lieflow_testing::reference::{numbers, vector, vectors};
pub use lieflow_testing::run;
use serde_json::Value;

pub fn reference() -> Value {
    lieflow_testing::reference::public("spheres")
}

pub fn links(q: &Value, w: &Value) -> Vec<Link<f64>> {
    vectors(q).into_iter().zip(vectors(w)).map(|(q, w)| Link::new(q, w)).collect()
}

pub fn flow(data: &Value, name: &str) -> Value {
    let flows = data["flows"].as_array().unwrap();
    flows.iter().find(|f| f["name"] == name).unwrap_or_else(|| panic!("no case {name}")).clone()
}

pub fn start(case: &Value) -> Vec<Link<f64>> {
    links(&case["q0"], &case["w0"])
}

pub fn chain(case: &Value) -> PendulumChain<f64> {
    let p = &case["parameters"];
    PendulumChain::new(numbers(&p["masses"]), numbers(&p["lengths"]), vector(&p["gravity_vector"]))
        .unwrap()
}

pub fn dipoles(case: &Value) -> Dipoles<f64> {
    let p = &case["parameters"];
    let number = |key: &str| p[key].as_f64().unwrap();
    let side = p["grid_side"].as_u64().unwrap() as usize;
    Dipoles::grid(side, side, number("spacing"), number("mass"), number("length"), number("moment"))
        .unwrap()
}

/// The largest Euclidean distance over the links, of directions and angular velocities.
pub fn distance(a: &[Link<f64>], b: &[Link<f64>]) -> f64 {
    assert_eq!(a.len(), b.len());
    let each = a.iter().zip(b).map(|(a, b)| (a.q - b.q).norm().max((a.omega - b.omega).norm()));
    each.fold(0.0, |m, d| if d > m || d.is_nan() { d } else { m })
}

/// Euclidean norms of the differences of all directions and of all angular velocities.
pub fn errors(a: &[Link<f64>], b: &[Link<f64>]) -> (f64, f64) {
    let sum = |part: fn(&Link<f64>) -> Vec3<f64>| {
        a.iter().zip(b).map(|(a, b)| (part(a) - part(b)).norm_squared()).sum::<f64>().sqrt()
    };
    (sum(|l| l.q), sum(|l| l.omega))
}
