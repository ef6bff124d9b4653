//! The cases of `data/reference/spheres.json`.
use lieflow::Vec3;
use lieflow::action::Link;
use lieflow::method::Method;
use lieflow::problem::Problem;
use lieflow_models::system::{dipoles::Dipoles, pendulum_chain::PendulumChain};
use serde_json::Value;

pub fn reference() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/reference/spheres.json");
    let text = std::fs::read_to_string(path).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["public"].clone()
}

pub fn numbers(v: &Value) -> Vec<f64> {
    v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

pub fn vector(v: &Value) -> Vec3<f64> {
    let x = numbers(v);
    Vec3 { x: x[0], y: x[1], z: x[2] }
}

pub fn vectors(v: &Value) -> Vec<Vec3<f64>> {
    v.as_array().unwrap().iter().map(vector).collect()
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

/// The state after `steps` steps of size `h`.
pub fn run<P: Problem, M: Method<P> + ?Sized>(
    p: &P,
    method: &mut M,
    h: f64,
    steps: usize,
) -> P::Point {
    let mut y = p.start();
    let mut out = y.clone();
    for k in 0..steps {
        method.step(p, k as f64 * h, h, &y, &mut out).unwrap();
        method.accept();
        std::mem::swap(&mut y, &mut out);
    }
    y
}
