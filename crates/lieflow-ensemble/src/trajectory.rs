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
    /// Where and why it ended before its time.
    pub failure: Option<Failed>,
}

/// The state at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The time.
    pub t: f64,
    /// The numbers of the state, then the invariants.
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
        Self { rows: Vec::new(), steps: 0, failure: Some(Failed { t: from, reason }) }
    }
}

impl Row {
    /// The row of a state.
    pub fn of(state: &State, invariants: &[f64]) -> Self {
        let mut values = state.numbers(false);
        values.extend(invariants);
        Self { t: state.t, values }
    }
}

#[derive(Default)]
struct Rows(Vec<Row>);

impl Sink for Rows {
    fn sample(&mut self, state: &State, invariants: &[f64]) -> ControlFlow<()> {
        self.0.push(Row::of(state, invariants));
        ControlFlow::Continue(())
    }
}

/// Integrates one system.
pub fn alone(model: &dyn Model, plan: &Plan) -> Track {
    let mut rows = Rows::default();
    match model.run(plan, &mut rows) {
        Ok(record) => Track { rows: rows.0, steps: record.steps, failure: None },
        Err(failure) => {
            let (t, steps) = failure.record.map_or((plan.from, 0), |r| (r.state.t, r.steps));
            let reason = match *failure.error {
                RunError::Solve { source, .. } => source.to_string(),
                other => other.to_string(),
            };
            Track { rows: rows.0, steps, failure: Some(Failed { t, reason }) }
        }
    }
}
