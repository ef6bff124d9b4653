//! One trajectory, alone.
use lieflow_models::door::{Model, Plan, RunError, Sink, State};
use std::ops::ControlFlow;

/// What is kept of a trajectory.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// The rows at the times of the design, as far as it came.
    pub rows: Vec<Row>,
    /// Accepted steps.
    pub steps: u64,
    /// The time that its integration took; its share, where several were integrated together.
    pub seconds: f64,
    /// Where and why it ended before its time.
    pub failure: Option<Failed>,
}

/// The state at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The time.
    pub t: f64,
    /// The numbers of the state, then the invariants, then their changes since the start.
    pub values: Vec<f64>,
}

/// A trajectory that ended before its time.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    /// The time of its last good state.
    pub t: f64,
    /// Why.
    pub reason: String,
}

impl Track {
    /// A trajectory that could not begin.
    pub fn stillborn(from: f64, reason: String) -> Self {
        Self { rows: Vec::new(), steps: 0, seconds: 0.0, failure: Some(Failed { t: from, reason }) }
    }
}

/// The names of the numbers of a row.
pub fn observables(model: &dyn Model, from: f64) -> Vec<String> {
    let mut names = model.start(from).columns(false);
    names.extend(model.invariants().iter().map(|name| name.to_string()));
    names.extend(model.invariants().iter().map(|name| format!("{name}_error")));
    names
}

impl Row {
    /// The row of a state, without the changes of the invariants.
    fn of(state: &State, invariants: &[f64]) -> Self {
        let mut values = state.numbers(false);
        values.extend(invariants);
        Self { t: state.t, values }
    }

    /// The whole row of a state with these invariants, which had these values at the start.
    pub fn with_changes(state: &State, invariants: &[f64], initial: &[f64]) -> Self {
        let mut row = Self::of(state, invariants);
        row.add_changes(initial);
        row
    }

    fn add_changes(&mut self, initial: &[f64]) {
        let first = self.values.len() - initial.len();
        for (k, start) in initial.iter().enumerate() {
            self.values.push(self.values[first + k] - start);
        }
    }
}

#[derive(Default)]
struct Rows(Vec<Row>);

impl Sink for Rows {
    fn follows_steps(&self) -> bool {
        false
    }
    fn sample(&mut self, state: &State, invariants: &[f64]) -> ControlFlow<()> {
        self.0.push(Row::of(state, invariants));
        ControlFlow::Continue(())
    }
}

/// Integrates one system.
pub fn alone(model: &dyn Model, plan: &Plan) -> Track {
    let mut rows = Rows::default();
    let (record, failure) = match model.run(plan, &mut rows) {
        Ok(record) => (Some(record), None),
        Err(failure) => {
            let reason = match *failure.error {
                RunError::Solve { source, .. } => source.to_string(),
                other => other.to_string(),
            };
            let t = failure.record.as_ref().map_or(plan.from, |record| record.state.t);
            (failure.record.map(|record| *record), Some(Failed { t, reason }))
        }
    };
    let Some(record) = record else {
        return Track { rows: Vec::new(), steps: 0, seconds: 0.0, failure };
    };
    let initial: Vec<f64> = record.invariants.iter().map(|q| q.initial).collect();
    rows.0.iter_mut().for_each(|row| row.add_changes(&initial));
    Track { rows: rows.0, steps: record.steps, seconds: record.seconds, failure }
}
