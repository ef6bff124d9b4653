//! Systems that are not known here: rotations as boxes, directions as points on a sphere, paths.
use super::{Picture, arrow, flat, points, rows, trail};
use crate::parts::{norm, path, quaternions, rotations};
use lieflow::problem::Value;
use lieflow_models::run::State;
use lieflow_report::page::{Object, Shape};

pub(super) fn picture(states: &[State]) -> Option<Picture> {
    let first = states.first()?;
    let positions = path(states, "position");
    let bodies = first.parts.iter().filter(|(_, v)| matches!(v, Value::Rotation(_))).count();
    let mut objects = Vec::new();
    let mut reach = Vec::new();
    for (name, value) in &first.parts {
        match value {
            Value::Rotation(_) => {
                let rotations = rotations(states, name)?;
                let before = objects.iter().filter(|o| matches!(o, Object::Body { .. })).count();
                // Several bodies that are nowhere stand side by side.
                let beside = 2.2 * (before as f64 - 0.5 * (bodies as f64 - 1.0));
                let places = match &positions {
                    Some(places) => places.clone(),
                    None if bodies > 1 => vec![[beside, 0.0, 0.0]; states.len()],
                    None => vec![],
                };
                // A body that travels is drawn at the scale of its path.
                let size = match &positions {
                    Some(places) => extent(places).map_or(1.0, |e| (0.25 * e).max(1e-9)),
                    None => 1.0,
                };
                let half = [0.5 * size, 0.3 * size, 0.16 * size];
                let room = if positions.is_some() { 0.5 * size } else { 1.0 };
                let centres = if places.is_empty() { &[[0.0; 3]][..] } else { &places };
                reach.extend(
                    centres.iter().flat_map(|p| [p.map(|x| x - room), p.map(|x| x + room)]),
                );
                objects.push(Object::Body {
                    name: (*name).into(),
                    shape: Shape::Box,
                    half,
                    principal: [1.0, 0.0, 0.0, 0.0],
                    axis: [0.0, 0.0, 1.0],
                    quaternions: quaternions(&rotations).as_flattened().to_vec(),
                    positions: flat(&places),
                });
                if positions.is_none() {
                    let name = format!("third axis of {name}");
                    objects.push(Object::Tip { name, body: before, point: [0.0, 0.0, 1.0] });
                }
            }
            Value::Vector(_) if *name == "position" => {
                let places = positions.clone()?;
                reach.extend(&places);
                objects.push(trail(*name, &places));
            }
            Value::Vector(v) if (norm(*v) - 1.0).abs() < 1e-9 => {
                let sphere = Object::Sphere { radius: 1.0 };
                if !objects.contains(&sphere) {
                    objects.push(sphere);
                }
                objects.push(arrow(*name, &path(states, name)?, true));
                reach.extend([[-1.0; 3], [1.0; 3]]);
            }
            Value::Vectors(list) if list.iter().all(|v| (norm(*v) - 1.0).abs() < 1e-9) => {
                let all = rows(states, name)?;
                objects.extend(points::on_sphere(&all, &|k| format!("{name} {}", k + 1)).objects);
                reach.extend([[-1.0; 3], [1.0; 3]]);
            }
            Value::Numbers(x) if x.len() >= 2 && objects.is_empty() => {
                let at = |state: &State| match state.part(name)? {
                    Value::Numbers(x) => Some([x[0], x[1], x.get(2).copied().unwrap_or(0.0)]),
                    _ => None,
                };
                let places: Option<Vec<[f64; 3]>> = states.iter().map(at).collect();
                reach.extend(places.as_ref()?);
                objects.push(trail(*name, &places?));
            }
            _ => {}
        }
    }
    // The first of other vectors, if there is nothing better; the next may be its velocity.
    if objects.is_empty() {
        let (name, _) = first.parts.iter().find(|(_, v)| matches!(v, Value::Vector(_)))?;
        let places = path(states, name)?;
        reach.extend(&places);
        objects.push(trail(*name, &places));
    }
    (!objects.is_empty()).then(|| Picture::new(objects, reach))
}

/// The largest side of the box around some points.
fn extent(points: &[[f64; 3]]) -> Option<f64> {
    let [low, high] = super::bounds(points);
    (points.len() > 1).then(|| (0..3).map(|k| high[k] - low[k]).fold(0.0, f64::max))
}
