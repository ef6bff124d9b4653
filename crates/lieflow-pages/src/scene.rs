//! The moving picture of each system, from the parts of its states.
use crate::Samples;
use lieflow::problem::Value;
use lieflow::{Mat3, Quat};
use lieflow_models::door::State;
use lieflow_report::page::{Object, Rounded, Scene};
use serde_json::Value as Json;

/// Frames of a picture; more would only make the page larger.
const FRAMES: usize = 600;
/// Numbers that all frames together may have.
const BUDGET: usize = 150_000;

/// The picture of a run, for systems that have one.
pub fn scene(system: &str, problem: &Json, samples: &Samples) -> Option<Scene> {
    let first = samples.states.first()?;
    let per_frame: usize = first.parts.iter().map(|(_, v)| size(v)).sum::<usize>().max(1);
    let most = FRAMES.min(BUDGET / per_frame).max(2);
    let stride = samples.states.len().div_ceil(most).max(1);
    let states: Vec<&State> = samples.states.iter().step_by(stride).collect();
    let parameters = problem.get("parameters").unwrap_or(&Json::Null);
    let up = [0.0, 0.0, 1.0];
    let (objects, extent) = match system {
        "rigid-body" | "heavy-top" => body(parameters, &states)?,
        "pendulum-chain" => chain(parameters, &states)?,
        "dipoles" => dipoles(parameters, &states)?,
        "vortices" => points("q", &states)?,
        "macrospin" | "spin-ring" => points("m", &states)?,
        "reduced-body" => points("momentum", &states)?,
        "quadrotors" => quadrotors(parameters, &states)?,
        _ => return None,
    };
    // Gravity of a chain may point anywhere; the picture hangs down.
    let up = match numbers(parameters.get("gravity")) {
        Some(g) if g.len() == 3 && system == "pendulum-chain" => [-g[0], -g[1], -g[2]],
        _ if system == "quadrotors" => [0.0, 0.0, -1.0],
        _ => up,
    };
    let times = Rounded(states.iter().map(|s| s.t).collect());
    Some(Scene { times, extent, up, objects })
}

fn size(value: &Value) -> usize {
    match value {
        Value::Number(_) => 1,
        Value::Numbers(x) => x.len(),
        Value::Vector(_) => 3,
        Value::Vectors(v) => 3 * v.len(),
        Value::Rotation(_) => 4,
    }
}

fn numbers(json: Option<&Json>) -> Option<Vec<f64>> {
    json?.as_array()?.iter().map(Json::as_f64).collect()
}

fn rotation(state: &State, part: &str) -> Option<[[f64; 3]; 3]> {
    match state.part(part)? {
        Value::Rotation(r) => Some(*r),
        _ => None,
    }
}

fn quaternion(r: [[f64; 3]; 3]) -> [f64; 4] {
    let q = Quat::from_matrix(&Mat3::<f64>::lift(r));
    [q.w, q.v.x, q.v.y, q.v.z]
}

fn vectors(state: &State, part: &str) -> Option<Vec<[f64; 3]>> {
    match state.part(part)? {
        Value::Vector(v) => Some(vec![*v]),
        Value::Vectors(list) => Some(list.clone()),
        _ => None,
    }
}

/// Edges of the box of uniform mass that has these principal moments.
fn half_edges(inertia: &[f64]) -> [f64; 3] {
    let [a, b, c] = inertia else { return [0.45, 0.3, 0.15] };
    let square = |x: f64| x.max(0.02 * (a + b + c)).sqrt();
    let raw = [square(b + c - a), square(c + a - b), square(a + b - c)];
    let largest = raw.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    raw.map(|x| 0.55 * x / largest)
}

/// A body about a fixed point, with the path of its third axis, or of its own axis.
fn body(parameters: &Json, states: &[&State]) -> Option<(Vec<Object>, f64)> {
    let rotations: Option<Vec<_>> = states.iter().map(|s| rotation(s, "rotation")).collect();
    let Some(rotations) = rotations else { return points("gamma", states) };
    let inertia = numbers(parameters.get("inertia")).unwrap_or_default();
    let axis =
        numbers(parameters.get("axis")).filter(|a| a.len() == 3).unwrap_or(vec![0.0, 0.0, 1.0]);
    let tip =
        |r: &[[f64; 3]; 3]| r.map(|row| row[0] * axis[0] + row[1] * axis[1] + row[2] * axis[2]);
    let objects = vec![
        Object::Sphere { radius: 1.0 },
        Object::Body {
            half: half_edges(&inertia),
            quaternions: Rounded(rotations.iter().map(|r| quaternion(*r)).collect()),
            positions: Rounded(vec![]),
        },
        Object::Trail {
            name: "axis".into(),
            positions: Rounded(rotations.iter().map(tip).collect()),
        },
    ];
    Some((objects, 1.15))
}

fn chain(parameters: &Json, states: &[&State]) -> Option<(Vec<Object>, f64)> {
    let count = vectors(states.first()?, "q")?.len();
    let lengths = match parameters.get("lengths") {
        Some(Json::Number(l)) => vec![l.as_f64()?; count],
        other => numbers(other)?,
    };
    let mut joints = Vec::new();
    for state in states {
        let mut at = [0.0; 3];
        let mut row = vec![at];
        for (q, length) in vectors(state, "q")?.iter().zip(&lengths) {
            for (x, q) in at.iter_mut().zip(q) {
                *x += length * q;
            }
            row.push(at);
        }
        joints.push(row);
    }
    let tip = joints.iter().filter_map(|row| row.last().copied()).collect();
    let extent = 1.08 * lengths.iter().sum::<f64>();
    let objects = vec![
        Object::Trail { name: "end".into(), positions: Rounded(tip) },
        Object::Chain { joints: Rounded(joints) },
    ];
    Some((objects, extent))
}

fn dipoles(parameters: &Json, states: &[&State]) -> Option<(Vec<Object>, f64)> {
    let whole = |key: &str| Some(parameters.get(key)?.as_u64()? as usize);
    let (rows, columns) = (whole("rows")?, whole("columns")?);
    let middle = |n: usize| 0.5 * (n as f64 - 1.0);
    let place = |i: usize| {
        [(i % columns) as f64 - middle(columns), (i / columns) as f64 - middle(rows), 0.0]
    };
    let directions: Option<Vec<_>> = states.iter().map(|s| vectors(s, "q")).collect();
    let objects = vec![Object::Arrows {
        places: Rounded((0..rows * columns).map(place).collect()),
        directions: Rounded(directions?),
        length: 0.85,
    }];
    Some((objects, 0.62 * rows.max(columns) as f64 + 0.6))
}

/// Points on a sphere, each with its path.
fn points(part: &str, states: &[&State]) -> Option<(Vec<Object>, f64)> {
    let all: Option<Vec<_>> = states.iter().map(|s| vectors(s, part)).collect();
    let all = all?;
    let norm = |v: &[f64; 3]| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    let radius = all.first()?.iter().map(norm).fold(f64::MIN_POSITIVE, f64::max);
    let mut objects = vec![Object::Sphere { radius }];
    for k in 0..all.first()?.len() {
        let path = all.iter().map(|row| row.get(k).copied().unwrap_or([f64::NAN; 3])).collect();
        objects.push(Object::Trail { name: format!("{part} {}", k + 1), positions: Rounded(path) });
    }
    Some((objects, 1.12 * radius))
}

/// Two quadrotors and their load: each link runs from a quadrotor to the load.
fn quadrotors(parameters: &Json, states: &[&State]) -> Option<(Vec<Object>, f64)> {
    let lengths = match parameters.get("lengths").or_else(|| parameters.get("link_lengths")) {
        Some(json) => numbers(Some(json))?,
        None => vec![0.6, 0.8],
    };
    let mut load = Vec::new();
    let mut craft: Vec<Vec<[f64; 3]>> = vec![Vec::new(); 2];
    let mut attitude: Vec<Vec<[f64; 4]>> = vec![Vec::new(); 2];
    let mut links = Vec::new();
    for state in states {
        let y = *vectors(state, "position").or_else(|| vectors(state, "y"))?.first()?;
        let q = vectors(state, "q")?;
        for (k, q) in q.iter().take(2).enumerate() {
            let l = lengths.get(k).copied().unwrap_or(1.0);
            craft[k].push([y[0] - l * q[0], y[1] - l * q[1], y[2] - l * q[2]]);
            let name = if k == 0 { "rotation_1" } else { "rotation_2" };
            attitude[k].push(quaternion(rotation(state, name)?));
        }
        links.push(vec![*craft[0].last()?, y, *craft[1].last()?]);
        load.push(y);
    }
    // The picture follows the middle of the path.
    let centre = |k: usize| {
        0.5 * (load.iter().map(|y| y[k]).fold(f64::INFINITY, f64::min)
            + load.iter().map(|y| y[k]).fold(f64::NEG_INFINITY, f64::max))
    };
    let middle = [centre(0), centre(1), centre(2)];
    let shift = |p: &[f64; 3]| [p[0] - middle[0], p[1] - middle[1], p[2] - middle[2]];
    let reach =
        load.iter().map(|y| shift(y).map(f64::abs)).flat_map(|p| p.into_iter()).fold(0.0, f64::max);
    let mut objects = vec![
        Object::Trail { name: "load".into(), positions: Rounded(load.iter().map(shift).collect()) },
        Object::Chain {
            joints: Rounded(
                links.iter().map(|row: &Vec<[f64; 3]>| row.iter().map(shift).collect()).collect(),
            ),
        },
    ];
    for (positions, quaternions) in craft.iter().zip(attitude) {
        objects.push(Object::Body {
            half: [0.22, 0.22, 0.05],
            quaternions: Rounded(quaternions),
            positions: Rounded(positions.iter().map(shift).collect()),
        });
    }
    Some((objects, reach + 1.2))
}
