//! Chains of rods, and dipoles on a grid.
use super::{Picture, against, flat, flat_rows, gravity, joints, rows, trail};
use crate::motion::lengths;
use lieflow_models::run::State;
use lieflow_report::page::Object;
use serde_json::Value as Json;

/// More arrows than this on a side of a grid are thinned.
const SIDE: usize = 24;

/// A chain with the path of its end.
pub(super) fn chain(parameters: &Json, states: &[State]) -> Option<Picture> {
    let directions = rows(states, "q")?;
    let lengths = lengths(parameters, directions.first()?.len())?;
    let ends: Vec<_> = directions.iter().map(|row| joints([0.0; 3], row, &lengths)).collect();
    let last: Option<Vec<[f64; 3]>> = ends.iter().map(|row| row.last().copied()).collect();
    let mut reach: Vec<[f64; 3]> = ends.concat();
    reach.push([0.0; 3]);
    let name = "end of the chain";
    let objects = vec![
        trail(name, &last?),
        Object::Chain {
            name: "chain".into(),
            anchors: vec![],
            directions: flat_rows(&directions),
            lengths,
            masses: true,
        },
    ];
    let mut picture = Picture::new(objects, reach);
    // Gravity may point anywhere; the picture hangs down.
    picture.up = against(gravity(parameters));
    picture.view = [0.65, 0.22];
    picture.ground = true;
    Some(picture)
}

/// Arrows on their grid.
pub(super) fn dipoles(parameters: &Json, states: &[State]) -> Option<Picture> {
    let whole = |key: &str| Some(parameters.get(key)?.as_u64()? as usize);
    let (rows_of_grid, columns) = (whole("rows")?, whole("columns")?);
    let stride = rows_of_grid.max(columns).div_ceil(SIDE).max(1);
    let shown: Vec<usize> = (0..rows_of_grid * columns)
        .filter(|i| (i % columns).is_multiple_of(stride) && (i / columns).is_multiple_of(stride))
        .collect();
    let middle = |n: usize| 0.5 * ((n - 1) / stride) as f64;
    let place = |i: &usize| {
        let (x, y) = ((i % columns / stride) as f64, (i / columns / stride) as f64);
        [x - middle(columns), y - middle(rows_of_grid), 0.0]
    };
    let places: Vec<[f64; 3]> = shown.iter().map(place).collect();
    let directions = rows(states, "q")?;
    let directions: Option<Vec<Vec<[f64; 3]>>> =
        directions.iter().map(|row| shown.iter().map(|i| row.get(*i).copied()).collect()).collect();
    let (w, h) = (middle(columns) + 0.5, middle(rows_of_grid) + 0.5);
    let objects = vec![Object::Arrows {
        places: flat(&places),
        directions: flat_rows(&directions?),
        length: 0.85,
    }];
    let mut picture = Picture::new(objects, vec![[-w, -h, -0.4], [w, h, 0.4]]);
    picture.view = [0.35, 0.75];
    picture.note = match stride {
        1 => "Lengths are in spacings of the grid; colours show directions.".into(),
        n => format!("One dipole of {} is shown, with its direction as colour.", n * n),
    };
    Some(picture)
}
