//! One trajectory by itself.
use crate::table::{End, Failed, RowError, TrajectoryTable};
use lieflow_models::run::{Ended, Model, Plan, RunError, Sink, State};
use std::ops::ControlFlow;

/// The names of the numbers of a row.
pub fn observables(model: &dyn Model, from: f64) -> Vec<String> {
    let mut names = model.start(from).columns(false);
    for event in model.watchlist().events() {
        names.extend([format!("{}_time", event.name), format!("{}_count", event.name)]);
    }
    names.extend(model.invariants().iter().map(|name| name.to_string()));
    names.extend(model.invariants().iter().map(|name| format!("{name}_error")));
    names
}

/// Writes rows as they come.
struct Writer<'a> {
    table: &'a mut TrajectoryTable,
    trajectory: usize,
    rows: usize,
    /// Which invariants are written, and their values in the last row.
    selected: Vec<usize>,
    values: Vec<f64>,
    /// Why its rows do not fit those of the others.
    mismatch: Option<String>,
}

impl Sink for Writer<'_> {
    fn follows_steps(&self) -> bool {
        false
    }

    fn begin(&mut self, invariants: &[&'static str], _: &State) -> ControlFlow<()> {
        if let Some(selected) = self.table.pick(invariants) {
            self.selected = selected;
            return ControlFlow::Continue(());
        }
        let list = |names: &[&str]| match names {
            [] => "none".into(),
            names => names.join(", "),
        };
        self.mismatch = Some(format!(
            "found the invariants {}, expected those of the first trajectory, {}",
            list(invariants),
            list(&self.table.shape.invariants)
        ));
        ControlFlow::Break(())
    }

    fn sample(&mut self, state: &State, invariants: &[f64]) -> ControlFlow<()> {
        self.values.clear();
        self.values.extend(self.selected.iter().map(|i| invariants[*i]));
        match self.table.set_row(self.rows, self.trajectory, state, &self.values) {
            Ok(()) | Err(RowError::NotFinite) => {
                self.rows += 1;
                ControlFlow::Continue(())
            }
            Err(RowError::Width(found)) => {
                let expected = self.table.shape.width;
                self.mismatch = Some(format!(
                    "found {found} observables, expected {expected} as in the first trajectory"
                ));
                ControlFlow::Break(())
            }
        }
    }
}

/// Integrates one system: the next trajectory of a table.
pub fn integrate(model: &dyn Model, plan: &Plan, table: &mut TrajectoryTable) {
    let trajectory = table.ends.len();
    let (selected, values) = (Vec::new(), Vec::new());
    let mut writer = Writer { table, trajectory, rows: 0, selected, values, mismatch: None };
    let (record, failure) = match model.run(plan, &mut writer) {
        Ok(record) => (Some(record), None),
        Err(failure) => {
            let reason = match *failure.error {
                RunError::Solve { source, .. } => source.to_string(),
                other => other.to_string(),
            };
            let t = failure.record.as_ref().map_or(plan.from, |record| record.state.t);
            let reason = writer.mismatch.take().unwrap_or(reason);
            (failure.record.map(|record| *record), Some(Failed { t, reason }))
        }
    };
    let (mut rows, selected) = (writer.rows, writer.selected);
    let mut end = End { failure, ..End::default() };
    if let Some(record) = record {
        if record.ended == Ended::Event {
            // What an event has ended stays as it was then.
            let last: Vec<f64> = selected.iter().map(|i| record.invariants[*i].last).collect();
            while rows < plan.times.len() {
                if let Err(RowError::Width(_)) =
                    table.set_row(rows, trajectory, &record.state, &last)
                {
                    break;
                }
                rows += 1;
            }
        }
        if !table.shape.events.is_empty() {
            let times = &plan.times[..rows.min(plan.times.len())];
            table.note_events(trajectory, times, plan.until < plan.from, &record.events);
        }
        let initial: Vec<f64> = selected.iter().map(|i| record.invariants[*i].initial).collect();
        table.changes(trajectory, rows, &initial);
        end = End { rows, steps: record.steps, seconds: record.seconds, ..end };
    }
    table.ends.push(end);
}
