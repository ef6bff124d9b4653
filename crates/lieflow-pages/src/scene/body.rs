//! A rigid body about a fixed point.
use super::{Picture, arrow};
use crate::parts::{dot, norm, path, quaternions, rotations, scaled, sum, turned, vector};
use lieflow::kernel::rigid::Inertia;
use lieflow::{Mat3, Quat};
use lieflow_models::run::State;
use lieflow_report::page::{Object, Shape};
use serde_json::Value as Json;

/// What the parameters of a body say about its form.
pub(crate) struct Form {
    pub half: [f64; 3],
    /// The principal axes, as a quaternion.
    pub principal: [f64; 4],
    /// The axis whose tip is followed, in the body.
    pub axis: [f64; 3],
    pub top: bool,
    /// Straight up, in space.
    pub up: [f64; 3],
}

/// The principal moments and axes of `inertia`, three numbers or a matrix.
fn principal(parameters: &Json) -> ([f64; 3], [f64; 4]) {
    let unknown = ([1.0, 1.0, 1.0], [1.0, 0.0, 0.0, 0.0]);
    let json = parameters.get("inertia");
    if let Some(moments) = vector(json) {
        return (moments, unknown.1);
    }
    let rows: Option<Vec<[f64; 3]>> = json
        .and_then(Json::as_array)
        .and_then(|rows| rows.iter().map(|r| vector(Some(r))).collect());
    let Some(Ok(matrix)) = rows.map(<[[f64; 3]; 3]>::try_from) else { return unknown };
    let inertia = Inertia::full(&Mat3::<f64>::lift(matrix));
    let q = Quat::from_matrix(inertia.frame());
    (inertia.moments().to_array(), [q.w, q.v.x, q.v.y, q.v.z])
}

/// Half edges of the box of uniform mass that has these principal moments.
fn half_edges([a, b, c]: [f64; 3]) -> [f64; 3] {
    let square = |x: f64| x.max(0.02 * (a + b + c)).sqrt();
    let raw = [square(b + c - a), square(c + a - b), square(a + b - c)];
    let largest = raw.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    raw.map(|x| 0.6 * x / largest)
}

impl Form {
    pub(crate) fn of(system: &str, parameters: &Json) -> Self {
        let (moments, principal) = principal(parameters);
        let potential = parameters.get("potential");
        let kind = potential.and_then(|p| p.get("kind")).and_then(Json::as_str);
        let unit = |v: [f64; 3]| (norm(v) > 0.0).then(|| scaled(v, 1.0 / norm(v)));
        let axis = vector(parameters.get("axis")).or_else(|| vector(potential?.get("axis")));
        let axis = axis.and_then(unit).unwrap_or([0.0, 0.0, 1.0]);
        // k Γ₀ points up.
        let strength = parameters.get("strength").and_then(Json::as_f64).unwrap_or(1.0);
        let up = vector(parameters.get("direction")).and_then(|d| unit(scaled(d, strength)));
        // A top is round about its axis.
        let along = axis.iter().position(|x| x.abs() > 0.999);
        let round = along.is_some_and(|k| {
            let (p, q) = (moments[(k + 1) % 3], moments[(k + 2) % 3]);
            (p - q).abs() < 1e-9 * p.abs()
        });
        let top = round && (system == "heavy-top" || kind == Some("lagrange-top"));
        let half = if top { [0.42, 0.42, 0.55] } else { half_edges(moments) };
        let up = if system == "heavy-top" { up } else { None }.unwrap_or([0.0, 0.0, 1.0]);
        Self { half, principal, axis, top, up }
    }
}

/// The body with the path of its axis and its angular momentum.
pub(super) fn picture(system: &str, parameters: &Json, states: &[State]) -> Option<Picture> {
    let form = Form::of(system, parameters);
    let Some(rotations) = rotations(states, "rotation") else {
        return reduced(&form, states);
    };
    let shape = if form.top { Shape::Top } else { Shape::Box };
    let tips: Vec<[f64; 3]> = rotations.iter().map(|r| turned(r, form.axis)).collect();
    let mut objects = vec![
        Object::Sphere { radius: 1.0 },
        Object::Body {
            name: "body".into(),
            shape,
            half: form.half,
            principal: form.principal,
            axis: form.axis,
            quaternions: quaternions(&rotations).as_flattened().to_vec(),
            positions: vec![],
        },
        Object::Tip { name: "path of the axis".into(), body: 0, point: form.axis },
    ];
    if let Some(momentum) = path(states, "spatial_momentum") {
        let largest = momentum.iter().map(|m| norm(*m)).fold(0.0, f64::max);
        if largest > 0.0 {
            let tips: Vec<f64> = momentum.iter().flatten().map(|x| 0.95 * x / largest).collect();
            objects.push(Object::Vector { name: "angular momentum".into(), tips });
        }
    }
    let mut picture = Picture::ball(objects, 1.0);
    picture.up = form.up;
    if form.top && tips.iter().all(|tip| dot(*tip, form.up) > 0.35) {
        // A top that stays up is seen from nearer, on its floor.
        let aside = |tip: &[f64; 3]| norm(sum(*tip, scaled(form.up, -dot(*tip, form.up))));
        let radius = tips.iter().map(aside).fold(form.half[0], f64::max);
        let side = form.up.map(|x| if x.abs() > 0.999 { 0.0 } else { radius });
        let corner = |end: [f64; 3], sign: f64| sum(end, scaled(side, sign));
        picture.reach = [[0.0; 3], form.up]
            .iter()
            .flat_map(|end| [corner(*end, 1.0), corner(*end, -1.0)])
            .collect();
        picture.ground = true;
        picture.objects.remove(0);
    }
    picture.note = if form.top {
        "The stripes of the top turn with it.".into()
    } else {
        "The box has the principal axes of the body and the proportions that a uniform one with its \
         moments of inertia has."
            .into()
    };
    Some(picture)
}

/// The direction of the field in the body, for formulations without an attitude.
fn reduced(form: &Form, states: &[State]) -> Option<Picture> {
    let gamma = path(states, "gamma")?;
    let radius = norm(*gamma.first()?);
    let objects = vec![
        Object::Sphere { radius },
        arrow("direction of the field, in the body", &gamma, true),
        Object::Curve {
            name: "axis".into(),
            points: [scaled(form.axis, -radius), scaled(form.axis, radius)].as_flattened().to_vec(),
        },
    ];
    let mut picture = Picture::ball(objects, radius);
    picture.note = "Seen from the body: this formulation has no attitude in space.".into();
    Some(picture)
}
