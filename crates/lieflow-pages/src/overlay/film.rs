//! Several runs in one moving picture, from the columns of their files.
use super::Trajectory;
use crate::film::Film;
use crate::parts::{norm, scaled};
use crate::scene;
use lieflow::problem::Value;
use lieflow::{Mat3, Quat, vec3};
use lieflow_models::run::State;
use lieflow_report::page::{Object, Scene};

/// Frames of the picture.
const FRAMES: usize = 900;
/// Numbers that all frames together may have.
const BUDGET: usize = 160_000;
/// More runs than this are a tangle.
const MOST: usize = 4;
/// The parts of states that pictures ask for.
const PARTS: [&str; 14] = [
    "rotation",
    "omega",
    "momentum",
    "spatial_momentum",
    "position",
    "q",
    "p",
    "m",
    "gamma",
    "impulse",
    "rotation_1",
    "rotation_2",
    "target",
    "R",
];

/// The picture of all runs at the same times, if they are of one system that has one.
pub(super) fn scene(runs: &[Trajectory]) -> Option<Scene> {
    let first = runs.first()?;
    let system = first.summary["system"].as_str()?;
    let alike = runs.iter().all(|run| run.summary["system"].as_str() == Some(system));
    let (from, until) = common(runs)?;
    if !alike || runs.len() > MOST {
        return None;
    }
    let width: usize = runs.iter().map(|run| run.columns.len()).sum();
    let count = FRAMES.min(BUDGET / width.max(1)).max(24);
    let times: Vec<f64> =
        (0..=count).map(|k| from + (until - from) * k as f64 / count as f64).collect();
    let mut merged: Option<Scene> = None;
    for run in runs {
        let states: Option<Vec<State>> = times.iter().map(|t| run.state(*t)).collect();
        let film = Film::of(states?);
        let scene = scene::scene(system, &run.summary["problem"], &film)?;
        merged = Some(match merged {
            None => named(scene, &run.name),
            Some(all) => join(all, named(scene, &run.name)),
        });
    }
    let mut scene = merged?;
    scene.note += " Frames are on straight lines between the rows of the files.";
    scene.note = scene.note.trim().to_string();
    Some(scene)
}

/// The time that all runs have.
fn common(runs: &[Trajectory]) -> Option<(f64, f64)> {
    let mut from = f64::NEG_INFINITY;
    let mut until = f64::INFINITY;
    for run in runs {
        let (a, b) = (*run.times.first()?, *run.times.last()?);
        from = from.max(a.min(b));
        until = until.min(a.max(b));
    }
    (from < until).then_some((from, until))
}

impl Trajectory {
    /// The parts of the state at a time, as far as pictures ask for them.
    fn state(&self, t: f64) -> Option<State> {
        let at = |name: String| self.column(&name).and_then(|values| self.at(values, t));
        let vector = |stem: &str| {
            Some([at(format!("{stem}_x"))?, at(format!("{stem}_y"))?, at(format!("{stem}_z"))?])
        };
        let mut parts = Vec::new();
        for name in PARTS {
            let prefix = if name == "rotation" { String::new() } else { format!("{name}_") };
            let quaternion: Option<Vec<f64>> =
                ["qw", "qx", "qy", "qz"].iter().map(|end| at(format!("{prefix}{end}"))).collect();
            if let Some([w, x, y, z]) = quaternion.as_deref() {
                let size = (w * w + x * x + y * y + z * z).sqrt();
                let q = Quat { w: w / size, v: vec3(x / size, y / size, z / size) };
                let matrix: Mat3<f64> = q.to_matrix();
                parts.push((name, Value::Rotation(matrix.rows.map(|row| row.to_array()))));
            } else if let Some(v) = vector(name) {
                parts.push((name, Value::Vector(v)));
            } else if let Some(v) = vector(&format!("{name}_1")) {
                let rest = (2..).map_while(|k| vector(&format!("{name}_{k}")));
                // Directions stay directions.
                let unit = |v: [f64; 3]| {
                    if (norm(v) - 1.0).abs() < 0.2 { scaled(v, 1.0 / norm(v)) } else { v }
                };
                parts.push((
                    name,
                    Value::Vectors(std::iter::once(v).chain(rest).map(unit).collect()),
                ));
            } else if at(format!("{name}_1")).is_some() {
                parts.push((
                    name,
                    Value::Numbers((1..).map_while(|k| at(format!("{name}_{k}"))).collect()),
                ));
            }
        }
        (!parts.is_empty()).then(|| State::new(t, parts))
    }
}

/// The same picture with the name of the run on what moves.
fn named(mut scene: Scene, run: &str) -> Scene {
    for object in &mut scene.objects {
        match object {
            Object::Body { name, .. }
            | Object::Chain { name, .. }
            | Object::Trail { name, .. }
            | Object::Tip { name, .. }
            | Object::Vector { name, .. } => *name = format!("{run}: {name}"),
            Object::Sphere { .. }
            | Object::Arrows { .. }
            | Object::Curve { .. }
            | Object::Marker { .. } => {}
        }
    }
    scene
}

/// Two pictures in one; what stands still is there once.
fn join(mut all: Scene, more: Scene) -> Scene {
    let bodies = all.objects.iter().filter(|o| matches!(o, Object::Body { .. })).count();
    for mut object in more.objects {
        if let Object::Tip { body, .. } = &mut object {
            *body += bodies;
        }
        let still =
            matches!(object, Object::Sphere { .. } | Object::Curve { .. } | Object::Marker { .. });
        if !(still && all.objects.contains(&object)) {
            all.objects.push(object);
        }
    }
    for k in 0..3 {
        all.bounds[0][k] = all.bounds[0][k].min(more.bounds[0][k]);
        all.bounds[1][k] = all.bounds[1][k].max(more.bounds[1][k]);
    }
    all.radius = all.radius.max(more.radius);
    all.rate = all.rate.max(more.rate);
    all.turn = all.turn.max(more.turn);
    all
}
