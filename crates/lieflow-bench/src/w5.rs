//! ELN on arrays of magnetic dipoles (Ortolan, section 7.2.3): time per step.
//!
//! The grid is solved twice: as a grid, and with its positions written out, which are treated like
//! any others. The error is the largest difference of a direction from a run with 64 times smaller
//! steps.
use crate::problem::{Case, vectors};
use crate::{BenchError, Effort, Row};
use std::fmt::Write as _;

const STEP: f64 = 0.001;
const SPACING: f64 = 0.024;

fn problem(side: u64, steps: u64, positions: bool) -> String {
    let place = if positions {
        let mut list = String::from("positions = [");
        for i in 0..side * side {
            let at = |k: u64| SPACING * k as f64;
            let _ = write!(list, "[{:?}, {:?}, 0.0],", at(i % side), at(i / side));
        }
        list + "]"
    } else {
        format!("rows = {side}\ncolumns = {side}\nspacing = {SPACING}")
    };
    format!(
        r#"
system = "dipoles"
[parameters]
{place}
mass = 0.05
length = 0.02
moment = 0.1
[initial]
q = [1.0, 0.0, 0.0]
omega = [0.0, 0.0, 0.0]
overrides = [
  {{ index = 1, omega = [0.0, 0.5, 0.0] }},
  {{ index = {last}, q = [0.353508623948073, 0.353608626387662, -0.866021126843087] }},
]
[solve]
method = "eln"
step = {STEP}
until = {until:?}
"#,
        last = side * side,
        until = STEP * steps as f64
    )
}

/// Milliseconds per step.
pub fn run(effort: &Effort, emit: &mut dyn FnMut(Row)) -> Result<(), BenchError> {
    for (side, steps) in [(16, 200), (64, 20)] {
        let fine = Case::open(&problem(side, steps, false))?;
        let truth = fine.fixed("eln", 64 * steps)?;
        for (kind, positions) in [("grid", false), ("any positions", true)] {
            let case = Case::open(&problem(side, steps, positions))?;
            let record = case.fixed("eln", steps)?;
            let pairs = vectors(&record.state, "q").iter().zip(vectors(&truth.state, "q"));
            let apart = pairs.flat_map(|(a, b)| (0..3).map(move |k| (a[k] - b[k]).abs()));
            let error = apart.fold(0.0, f64::max);
            let time = effort.smallest(|| case.fixed("eln", steps).map(|r| r.seconds))?;
            emit(Row {
                id: "w5",
                case: format!("{side}×{side}, {kind}"),
                method: "eln".into(),
                metric: "time per step",
                value: 1e3 * time / steps as f64,
                unit: "ms",
                error,
                more: vec![("manifold_error", record.manifold_error), ("steps", steps as f64)],
            });
        }
    }
    Ok(())
}
