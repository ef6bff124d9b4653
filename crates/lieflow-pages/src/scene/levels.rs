//! Two levels as a vector on Bloch's sphere, with what it turns about.
use super::{Picture, arrow, flat};
use crate::levels;
use crate::parts::{norm, path, scaled};
use lieflow_models::run::State;
use lieflow_report::page::Object;
use serde_json::Value as Json;

pub(super) fn picture(system: &str, parameters: &Json, states: &[State]) -> Option<Picture> {
    let m = path(states, "m")?;
    let mut objects = vec![Object::Sphere { radius: 1.0 }, arrow("state", &m, true)];
    let field: Option<Vec<[f64; 3]>> =
        states.iter().map(|state| levels::field(system, parameters, state.t)).collect();
    let units =
        field.map(|list| list.iter().map(|b| scaled(*b, 1.0 / norm(*b))).collect::<Vec<_>>());
    if let Some(units) = units.filter(|list| list.iter().flatten().all(|x| x.is_finite())) {
        objects.push(Object::Vector { name: "field".into(), tips: flat(&units) });
    }
    for (name, z) in [("|1⟩", 1.0), ("|2⟩", -1.0)] {
        objects.push(Object::Marker { name: name.into(), place: [0.0, 0.0, z] });
    }
    let mut picture = Picture::ball(objects, 1.06);
    picture.note = "Bloch's sphere: one level above, the other below. The state turns about the \
                    field, whose direction is shown."
        .into();
    Some(picture)
}
