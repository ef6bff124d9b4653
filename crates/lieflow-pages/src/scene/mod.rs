//! The moving picture of each system, from the parts of its states.
use crate::Film;
use crate::parts::{norm, scaled, sum, vector};
use lieflow_models::run::State;
use lieflow_report::page::{Object, Scene};
use serde_json::Value as Json;

mod body;
mod lattice;
mod levels;
mod links;
mod others;
mod plane;
mod points;
mod quadrotors;
mod so_n_body;

pub(crate) use body::Form;
pub(crate) use so_n_body::halves;

/// What a system hands to the picture.
pub(crate) struct Picture {
    pub objects: Vec<Object>,
    /// Points that must be in view, all of them over time.
    pub reach: Vec<[f64; 3]>,
    pub up: [f64; 3],
    pub view: [f64; 2],
    pub ground: bool,
    /// How far a camera that follows the first path looks.
    pub near: Option<f64>,
    pub note: String,
}

impl Picture {
    /// Seen from the usual place, with the third axis up.
    fn new(objects: Vec<Object>, reach: Vec<[f64; 3]>) -> Self {
        let (up, view) = ([0.0, 0.0, 1.0], [0.65, 0.38]);
        Self { objects, reach, up, view, ground: false, near: None, note: String::new() }
    }
    /// With a ball about the origin in view.
    fn ball(objects: Vec<Object>, radius: f64) -> Self {
        let ends = [[radius, 0.0, 0.0], [0.0, radius, 0.0], [0.0, 0.0, radius]];
        Self::new(objects, ends.into_iter().flat_map(|p| [p, p.map(|x| -x)]).collect())
    }
}

/// The picture of a run. Systems that are not known here show their rotations, directions and paths.
pub(crate) fn scene(system: &str, problem: &Json, film: &Film) -> Option<Scene> {
    let states = film.states.as_slice();
    let parameters = problem.get("parameters").unwrap_or(&Json::Null);
    let known = match system {
        "rigid-body" | "heavy-top" => body::picture(system, parameters, states),
        "pendulum-chain" => links::chain(parameters, states),
        "dipoles" => links::dipoles(parameters, states),
        "vortices" => points::vortices(parameters, states),
        "macrospin" => points::macrospin(parameters, states),
        "bloch" | "landau-zener" => levels::picture(system, parameters, states),
        "toda" => lattice::picture(states),
        "so-n-body" => so_n_body::picture(states),
        "spin-ring" => points::spin_ring(states),
        "reduced-body" => points::reduced_body(parameters, states),
        "kirchhoff" => points::kirchhoff(states),
        "quadrotors" => quadrotors::picture(parameters, states),
        "euclidean" => plane::picture(parameters, states),
        _ => None,
    };
    let picture = known.or_else(|| others::picture(states))?;
    let mut note = picture.note;
    if let Some(because) = film.kept_because {
        note += &format!(" {because}, so the picture is made of the states that were kept.");
    }
    let bounds = bounds(&picture.reach);
    let middle = scaled(sum(bounds[0], bounds[1]), 0.5);
    Some(Scene {
        times: film.times(),
        bounds,
        radius: picture
            .reach
            .iter()
            .map(|p| norm(sum(*p, scaled(middle, -1.0))))
            .fold(0.0, f64::max),
        near: picture.near,
        up: picture.up,
        view: picture.view,
        ground: picture.ground,
        rate: film.rate,
        turn: film.turn(),
        note: note.trim().to_string(),
        objects: picture.objects,
    })
}

/// The smallest box around points, with a little room.
fn bounds(points: &[[f64; 3]]) -> [[f64; 3]; 2] {
    let mut low = [f64::INFINITY; 3];
    let mut high = [f64::NEG_INFINITY; 3];
    for p in points.iter().filter(|p| p.iter().all(|x| x.is_finite())) {
        for k in 0..3 {
            low[k] = low[k].min(p[k]);
            high[k] = high[k].max(p[k]);
        }
    }
    let extent = (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max);
    if !extent.is_finite() {
        return [[-1.0; 3], [1.0; 3]];
    }
    let room = 0.04 * if extent > 0.0 { extent } else { 1.0 };
    [low.map(|x| x - room), high.map(|x| x + room)]
}

/// The points of a list over time as a flat list.
fn flat(points: &[[f64; 3]]) -> Vec<f64> {
    points.iter().flatten().copied().collect()
}

/// Lists of vectors over time as a flat list.
fn flat_rows(rows: &[Vec<[f64; 3]>]) -> Vec<f64> {
    rows.iter().flatten().flatten().copied().collect()
}

/// A path in space.
fn trail(name: impl Into<String>, positions: &[[f64; 3]]) -> Object {
    let (on_sphere, target, stem) = (false, false, false);
    Object::Trail { name: name.into(), positions: flat(positions), on_sphere, target, stem }
}

/// The path of an arrow from the origin.
fn arrow(name: impl Into<String>, positions: &[[f64; 3]], on_sphere: bool) -> Object {
    let (target, stem) = (false, true);
    Object::Trail { name: name.into(), positions: flat(positions), on_sphere, target, stem }
}

/// A path on a sphere.
fn trail_on_sphere(name: impl Into<String>, positions: &[[f64; 3]]) -> Object {
    let (on_sphere, target, stem) = (true, false, false);
    Object::Trail { name: name.into(), positions: flat(positions), on_sphere, target, stem }
}

/// Straight up from a vector of gravity.
fn against(gravity: [f64; 3]) -> [f64; 3] {
    if gravity == [0.0; 3] { [0.0, 0.0, 1.0] } else { scaled(gravity, -1.0) }
}

/// The vectors of a part, frame by frame.
fn rows(states: &[State], part: &str) -> Option<Vec<Vec<[f64; 3]>>> {
    states.iter().map(|state| crate::parts::vectors(state, part)).collect()
}

/// The ends of rods that hang one below the other.
pub(crate) fn joints(anchor: [f64; 3], directions: &[[f64; 3]], lengths: &[f64]) -> Vec<[f64; 3]> {
    let mut at = anchor;
    let ends = directions.iter().zip(lengths).map(|(q, length)| {
        at = sum(at, scaled(*q, *length));
        at
    });
    ends.collect()
}

/// Gravity of a problem, downwards unless given.
fn gravity(parameters: &Json) -> [f64; 3] {
    vector(parameters.get("gravity")).unwrap_or([0.0, 0.0, -9.81])
}
