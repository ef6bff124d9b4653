//! How much a run will write, told before it starts.
use crate::error::Failure;
use crate::options::Show;
use lieflow_files::free_space;
use lieflow_models::run::{Format, Model, Pace, Plan};
use std::path::Path;

/// Bytes of a number in a table with its comma: at least, and as a rule.
const LEAST: f64 = 4.0;
const USUAL: f64 = 19.0;
/// Bytes of a number in an array.
const BINARY: f64 = 8.0;

/// Refuses a run whose trajectory surely does not fit on the disk, and warns where it hardly will.
pub fn check(model: &dyn Model, plan: &Plan, dir: &Path, show: Show) -> Result<(), Failure> {
    let Some(rows) = rows(plan) else { return Ok(()) };
    let Some(free) = free_space(dir) else { return Ok(()) };
    let start = model.start(plan.from);
    let columns = 1 + start.columns(plan.matrix).len() + model.invariants().len();
    let (least, usual) = match plan.written.format {
        Format::Csv => (LEAST, USUAL),
        Format::Npy => (BINARY, BINARY),
    };
    let (numbers, free) = (rows * columns as f64, free as f64);
    let found = |bytes: f64| {
        format!("a trajectory of {rows:.3e} states in {columns} columns, about {}", size(bytes))
    };
    if numbers * least > free {
        return Err(Failure::NoSpace {
            path: dir.into(),
            found: found(numbers * usual),
            free: size(free),
        });
    }
    if numbers * usual > free {
        let (found, free) = (found(numbers * usual), size(free));
        let dir = dir.display();
        show.say(&format!("warning: {dir}: {found}, may not fit: the disk has {free} left"));
    }
    Ok(())
}

/// The states that are kept, where that is known before.
fn rows(plan: &Plan) -> Option<f64> {
    match plan.pace {
        _ if !plan.times.is_empty() => Some(plan.times.len() as f64),
        Pace::Fixed { step } => {
            Some(2.0 + (plan.until - plan.from).abs() / step / plan.every as f64)
        }
        Pace::Adaptive { .. } => None,
    }
}

/// So many bytes, in a unit that reads well.
fn size(bytes: f64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"];
    let mut amount = bytes / 1024.0;
    let mut unit = 0;
    while amount >= 1024.0 && unit + 1 < units.len() {
        amount /= 1024.0;
        unit += 1;
    }
    if amount < 1e6 {
        format!("{amount:.1} {}", units[unit])
    } else {
        format!("{amount:.1e} {}", units[unit])
    }
}
