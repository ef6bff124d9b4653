//! Two quadrotors and their load.
use super::{Picture, flat, trail};
use crate::parts::{numbers, path, quaternions, rotations, scaled, sum, vectors};
use lieflow_models::run::State;
use lieflow_report::page::{Object, Shape};
use serde_json::Value as Json;

/// Each link runs from a quadrotor to the load; the load has a path to follow.
pub(super) fn picture(parameters: &Json, states: &[State]) -> Option<Picture> {
    let lengths = numbers(parameters.get("lengths")).unwrap_or(vec![0.6, 0.8]);
    let load = path(states, "position")?;
    let mut reach = load.clone();
    let mut objects = Vec::new();
    objects.push(trail("load", &load));
    if let Some(target) = path(states, "target") {
        reach.extend(&target);
        let name = "where the load should be".into();
        objects.push(Object::Trail {
            name,
            positions: flat(&target),
            on_sphere: false,
            target: true,
            stem: false,
        });
    }
    for (k, length) in lengths.iter().take(2).enumerate() {
        let links: Option<Vec<[f64; 3]>> =
            states.iter().map(|state| Some(scaled(*vectors(state, "q")?.get(k)?, -1.0))).collect();
        let links = links?;
        let place = |(y, d): (&[f64; 3], &[f64; 3])| sum(*y, scaled(*d, *length));
        let places: Vec<[f64; 3]> = load.iter().zip(&links).map(place).collect();
        let rotations = rotations(states, ["rotation_1", "rotation_2"][k])?;
        reach.extend(places.iter().flat_map(|p| [p.map(|x| x - 0.3), p.map(|x| x + 0.3)]));
        objects.push(Object::Chain {
            name: format!("link {}", k + 1),
            anchors: flat(&load),
            directions: flat(&links),
            lengths: vec![*length],
            masses: false,
        });
        objects.push(Object::Body {
            name: format!("quadrotor {}", k + 1),
            shape: Shape::Craft,
            half: [0.26, 0.26, 0.05],
            principal: [1.0, 0.0, 0.0, 0.0],
            axis: [0.0, 0.0, 1.0],
            quaternions: quaternions(&rotations).as_flattened().to_vec(),
            positions: flat(&places),
        });
    }
    let mut picture = Picture::new(objects, reach);
    picture.up = [0.0, 0.0, -1.0];
    picture.ground = true;
    picture.near = Some(1.3);
    picture.view = [0.4, 0.2];
    picture.note = "The third axis points down, as is the custom for aircraft; quadrotors are drawn larger than they are.".into();
    Some(picture)
}
