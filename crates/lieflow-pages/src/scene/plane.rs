//! Particles in one and two dimensions.
use super::{Picture, flat, trail};
use lieflow::problem::Value;
use lieflow_models::run::State;
use lieflow_report::page::Object;
use serde_json::Value as Json;

/// A pendulum as a rod, other motion along a line on its potential, motion in the plane as an orbit.
pub(super) fn picture(parameters: &Json, states: &[State]) -> Option<Picture> {
    let q: Option<Vec<&Vec<f64>>> = states
        .iter()
        .map(|state| match state.part("q")? {
            Value::Numbers(q) => Some(q),
            _ => None,
        })
        .collect();
    let q = q?;
    let kind = parameters.get("problem").and_then(Json::as_str).unwrap_or("");
    match (kind, q.first()?.as_slice()) {
        ("pendulum", [_]) => Some(pendulum(&q)),
        (_, [_]) => Some(on_potential(kind, &q)),
        (_, [_, _, ..]) => Some(orbit(kind, &q)),
        _ => None,
    }
}

fn pendulum(q: &[&Vec<f64>]) -> Picture {
    let rods: Vec<[f64; 3]> = q.iter().map(|q| [q[0].sin(), 0.0, -q[0].cos()]).collect();
    let objects = vec![
        trail("mass", &rods),
        Object::Chain {
            name: "pendulum".into(),
            anchors: vec![],
            directions: flat(&rods),
            lengths: vec![1.0],
            masses: true,
        },
    ];
    let mut reach = rods;
    reach.extend([[0.0; 3], [0.3, 0.0, -1.0], [-0.3, 0.0, 0.0]]);
    let mut picture = Picture::new(objects, reach);
    picture.view = [0.0, 0.0];
    picture.note = "Angle q from the vertical, rod of length one.".into();
    picture
}

fn on_potential(kind: &str, q: &[&Vec<f64>]) -> Picture {
    let height = |x: f64| match kind {
        "harmonic" => 0.5 * x * x,
        "double-well" => 0.25 * (x * x - 1.0) * (x * x - 1.0),
        _ => 0.0,
    };
    let points: Vec<[f64; 3]> = q.iter().map(|q| [q[0], 0.0, height(q[0])]).collect();
    let range = points
        .iter()
        .fold([f64::INFINITY, f64::NEG_INFINITY], |r, p| [r[0].min(p[0]), r[1].max(p[0])]);
    let room = 0.25 * (range[1] - range[0]).max(0.1);
    let curve: Vec<[f64; 3]> = (0..=200)
        .map(|k| {
            let x = range[0] - room + f64::from(k) / 200.0 * (range[1] - range[0] + 2.0 * room);
            [x, 0.0, height(x)]
        })
        .collect();
    let objects = vec![
        Object::Curve { name: "potential".into(), points: flat(&curve) },
        trail("particle", &points),
    ];
    let mut picture = Picture::new(objects, curve);
    picture.view = [0.0, 0.0];
    picture.note = "Across: q. Upwards: the potential energy at q.".into();
    picture
}

/// Seen from above; a third coordinate is drawn if there is one.
fn orbit(kind: &str, q: &[&Vec<f64>]) -> Picture {
    let space = |q: &&Vec<f64>| [q[0], q[1], q.get(2).copied().unwrap_or(0.0)];
    let points: Vec<[f64; 3]> = q.iter().map(space).collect();
    let mut objects = vec![trail("orbit", &points)];
    let mut reach = points.clone();
    if kind == "kepler" {
        objects.push(Object::Marker { name: "centre".into(), place: [0.0; 3] });
        reach.push([0.0; 3]);
    }
    if kind == "henon-heiles" {
        // Beyond this triangle the motion is unbounded.
        let corners = [
            [0.0, 1.0, 0.0],
            [-0.75f64.sqrt(), -0.5, 0.0],
            [0.75f64.sqrt(), -0.5, 0.0],
            [0.0, 1.0, 0.0],
        ];
        objects.push(Object::Curve { name: "separatrix".into(), points: flat(&corners) });
    }
    let mut picture = Picture::new(objects, reach);
    if q.first().is_some_and(|q| q.len() == 2) {
        picture.view = [0.0, std::f64::consts::FRAC_PI_2];
    }
    picture
}
