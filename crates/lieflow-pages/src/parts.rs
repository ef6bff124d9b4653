//! The parts of states as lists over time, and the numbers of a problem.
use lieflow::problem::Value;
use lieflow::{Mat3, Quat};
use lieflow_models::run::State;
use serde_json::Value as Json;

/// Matrices whose volume differs so much from one are no rotations.
const OFF: f64 = 1e-6;

/// A list of numbers of a problem.
pub(crate) fn numbers(json: Option<&Json>) -> Option<Vec<f64>> {
    json?.as_array()?.iter().map(Json::as_f64).collect()
}

/// So many numbers, or one that holds for all.
pub(crate) fn numbers_or_one(json: Option<&Json>, count: usize) -> Option<Vec<f64>> {
    match json?.as_f64() {
        Some(x) => Some(vec![x; count]),
        None => numbers(json).filter(|list| list.len() == count),
    }
}

/// A vector of a problem.
pub(crate) fn vector(json: Option<&Json>) -> Option<[f64; 3]> {
    numbers(json)?.try_into().ok()
}

/// The vectors of a part, one or several.
pub(crate) fn vectors(state: &State, part: &str) -> Option<Vec<[f64; 3]>> {
    match state.part(part)? {
        Value::Vector(v) => Some(vec![*v]),
        Value::Vectors(list) => Some(list.clone()),
        _ => None,
    }
}

/// The numbers of a part that is a list of them.
pub(crate) fn list<'a>(state: &'a State, part: &str) -> Option<&'a [f64]> {
    match state.part(part)? {
        Value::Numbers(list) => Some(list),
        _ => None,
    }
}

/// One vector part, over all states.
pub(crate) fn path(states: &[State], part: &str) -> Option<Vec<[f64; 3]>> {
    states.iter().map(|state| vectors(state, part)?.first().copied()).collect()
}

/// A rotation part, over all states.
pub(crate) fn rotations(states: &[State], part: &str) -> Option<Vec<[[f64; 3]; 3]>> {
    let rotation = |state: &State| match state.part(part)? {
        Value::Rotation(r) => Some(*r),
        _ => None,
    };
    states.iter().map(rotation).collect()
}

/// Quaternions (w, x, y, z) without jumps of the sign: of length one, unless a method without geometry
/// has made the matrix larger or smaller than a rotation. Then the picture of the body is so, too.
pub(crate) fn quaternions(rotations: &[[[f64; 3]; 3]]) -> Vec<[f64; 4]> {
    let mut list: Vec<[f64; 4]> = Vec::with_capacity(rotations.len());
    for r in rotations {
        let q = Quat::from_matrix(&Mat3::<f64>::lift(*r));
        let mut q = [q.w, q.v.x, q.v.y, q.v.z];
        let volume = dot(r[0], cross(r[1], r[2]));
        if (volume - 1.0).abs() > OFF {
            let scale = volume.abs().cbrt().sqrt() / q.iter().map(|x| x * x).sum::<f64>().sqrt();
            q = q.map(|x| x * scale);
        }
        let along = list.last().map_or(1.0, |p| p.iter().zip(&q).map(|(a, b)| a * b).sum::<f64>());
        list.push(if along < 0.0 { q.map(|x| -x) } else { q });
    }
    list
}

/// The angle of the rotation from one attitude to another, in radians.
pub(crate) fn angle_between(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> f64 {
    let trace: f64 = a.as_flattened().iter().zip(b.as_flattened()).map(|(x, y)| x * y).sum();
    (0.5 * (trace - 1.0)).clamp(-1.0, 1.0).acos()
}

/// `R v`.
pub(crate) fn turned(r: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    r.map(|row| dot(row, v))
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn norm(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

pub(crate) fn scaled(a: [f64; 3], k: f64) -> [f64; 3] {
    a.map(|x| k * x)
}

pub(crate) fn sum(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
