//! Points and arrows on spheres: vortices, spins, momenta.
use super::{Picture, arrow, flat, flat_rows, rows, trail_on_sphere};
use crate::parts::{cross, norm, numbers, path, scaled, sum, vector};
use lieflow_models::run::State;
use lieflow_report::page::Object;
use serde_json::Value as Json;

/// More trails than this are a tangle.
const TRAILS: usize = 12;

/// Vortices on the unit sphere.
pub(super) fn vortices(parameters: &Json, states: &[State]) -> Option<Picture> {
    let all = rows(states, "q")?;
    let strengths = numbers(parameters.get("strengths")).unwrap_or_default();
    let name = |k: usize| match strengths.get(k) {
        Some(s) => format!("vortex {}, strength {s}", k + 1),
        None => format!("vortex {}", k + 1),
    };
    Some(on_sphere(&all, &name))
}

/// Points on a sphere with their paths.
pub(super) fn on_sphere(all: &[Vec<[f64; 3]>], name: &dyn Fn(usize) -> String) -> Picture {
    let first = all.first().map_or(&[][..], Vec::as_slice);
    let radius = first.iter().map(|v| norm(*v)).fold(f64::MIN_POSITIVE, f64::max);
    let mut objects = vec![Object::Sphere { radius }];
    for k in 0..first.len().min(TRAILS) {
        let path: Vec<_> =
            all.iter().map(|row| row.get(k).copied().unwrap_or([f64::NAN; 3])).collect();
        objects.push(trail_on_sphere(name(k), &path));
    }
    Picture::ball(objects, radius)
}

/// One spin, its path, and the field.
pub(super) fn macrospin(parameters: &Json, states: &[State]) -> Option<Picture> {
    let m = path(states, "m")?;
    let mut objects = vec![Object::Sphere { radius: 1.0 }, arrow("spin", &m, true)];
    if let Some(b) = vector(parameters.get("b")).filter(|b| norm(*b) > 0.0) {
        let unit = scaled(b, 1.0 / norm(b));
        let points = flat(&[scaled(unit, -1.0), unit]);
        objects.push(Object::Curve { name: "field".into(), points });
        objects.push(Object::Marker { name: "field".into(), place: unit });
    }
    Some(Picture::ball(objects, 1.0))
}

/// Spins on their ring.
pub(super) fn spin_ring(states: &[State]) -> Option<Picture> {
    let all = rows(states, "m")?;
    let n = all.first()?.len();
    // Neighbours are a little more than an arrow apart.
    let radius = if n < 2 { 0.0 } else { 0.6 / (std::f64::consts::PI / n as f64).sin() };
    let on_ring = |share: f64| {
        let (sin, cos) = (std::f64::consts::TAU * share).sin_cos();
        [radius * cos, radius * sin, 0.0]
    };
    let places: Vec<[f64; 3]> = (0..n).map(|k| on_ring(k as f64 / n as f64)).collect();
    let ring: Vec<[f64; 3]> = (0..=96).map(|k| on_ring(f64::from(k) / 96.0)).collect();
    let objects = vec![
        Object::Curve { name: "ring".into(), points: flat(&ring) },
        Object::Arrows { places: flat(&places), directions: flat_rows(&all), length: 1.0 },
    ];
    let half = radius + 0.5;
    let mut picture = Picture::new(objects, vec![[-half, -half, -0.5], [half, half, 0.5]]);
    picture.view = [0.35, 0.6];
    Some(picture)
}

/// The momentum on its sphere, with the curves on which the energy is constant.
pub(super) fn reduced_body(parameters: &Json, states: &[State]) -> Option<Picture> {
    let m = path(states, "momentum")?;
    let radius = norm(*m.first()?);
    let mut objects = vec![Object::Sphere { radius }, arrow("momentum in the body", &m, true)];
    if let Some(inertia) = vector(parameters.get("inertia")) {
        let points = energy_curves(inertia, radius);
        objects.push(Object::Curve { name: "curves of constant energy".into(), points });
    }
    let mut picture = Picture::ball(objects, radius);
    picture.note =
        "Thin curves: the sphere of constant momentum cut by ellipsoids of constant energy.".into();
    Some(picture)
}

/// Where ellipsoids of constant energy cut the sphere: orbits of Euler's equations `m' = m × J⁻¹m`.
fn energy_curves(inertia: [f64; 3], radius: f64) -> Vec<f64> {
    let field = |m: [f64; 3]| cross(m, [m[0] / inertia[0], m[1] / inertia[1], m[2] / inertia[2]]);
    let spread = inertia.iter().fold(0.0, |a: f64, i| a.max(1.0 / i))
        - inertia.iter().fold(f64::INFINITY, |a, i| a.min(1.0 / i));
    // Steps of about a fiftieth of the radius.
    let h = 0.04 / (spread * radius).max(1e-12);
    let mut points = Vec::new();
    for angle in [0.2f64, 0.6, 1.1] {
        for (a, b, sign) in [
            (0, 2, 1.0),
            (0, 2, -1.0),
            (2, 0, -1.0),
            (0, 1, 1.0),
            (0, 1, -1.0),
            (2, 1, 1.0),
            (2, 1, -1.0),
        ] {
            let mut m = [0.0; 3];
            m[a] = sign * radius * angle.cos();
            m[b] = radius * angle.sin();
            let start = m;
            for n in 0..400 {
                points.extend(m);
                let middle = sum(m, scaled(field(m), 0.5 * h));
                m = sum(m, scaled(field(middle), h));
                m = scaled(m, radius / norm(m));
                if n > 8 && norm(sum(m, scaled(start, -1.0))) < 0.025 * radius {
                    points.extend(start);
                    break;
                }
            }
            points.extend([f64::NAN; 3]);
        }
    }
    points
}

/// Momentum and impulse of a body in a fluid, seen from the body.
pub(super) fn kirchhoff(states: &[State]) -> Option<Picture> {
    let (momentum, impulse) = (path(states, "momentum")?, path(states, "impulse")?);
    let radius = norm(*impulse.first()?);
    let reach = momentum.iter().map(|m| norm(*m)).fold(radius, f64::max);
    let objects = vec![
        Object::Sphere { radius },
        arrow("impulse", &impulse, true),
        arrow("angular momentum", &momentum, false),
    ];
    let mut picture = Picture::ball(objects, reach);
    picture.note = "Seen from the body: impulse on its sphere, angular momentum about it.".into();
    Some(picture)
}
