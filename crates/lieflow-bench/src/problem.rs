//! A problem file, opened once and solved many times.
use crate::BenchError;
use lieflow::problem::Value;
use lieflow_models::problem_file::Document;
use lieflow_models::run::{Model, NullSink, Pace, Plan, Record, State};

/// A system and a plan to be changed.
pub struct Case {
    model: Box<dyn Model>,
    plan: Plan,
}

impl Case {
    /// Opens a problem file.
    pub fn open(text: &str) -> Result<Self, BenchError> {
        let document = Document::parse(text, "workload", &[])?;
        let mut plan = document.plan()?;
        plan.watch = false;
        plan.every = u64::MAX;
        Ok(Self { model: document.build()?, plan })
    }

    /// Solves it with so many equal steps.
    pub fn fixed(&self, method: &str, steps: u64) -> Result<Record, BenchError> {
        let mut plan = self.plan.clone();
        plan.method = method.into();
        plan.pace = Pace::Fixed { step: (plan.until - plan.from) / steps as f64 };
        self.solve(&plan)
    }

    /// Solves it to a tolerance.
    pub fn adaptive(&self, method: &str, tol: f64) -> Result<Record, BenchError> {
        let mut plan = self.plan.clone();
        plan.method = method.into();
        if let Pace::Adaptive { tol: wanted, .. } = &mut plan.pace {
            *wanted = tol;
        }
        self.solve(&plan)
    }

    fn solve(&self, plan: &Plan) -> Result<Record, BenchError> {
        self.model.run(plan, &mut NullSink).map_err(|failure| BenchError::Run(*failure.error))
    }
}

/// The rotation of a state, by rows.
pub fn rotation(state: &State) -> [[f64; 3]; 3] {
    match state.part("rotation") {
        Some(Value::Rotation(r)) => *r,
        _ => [[f64::NAN; 3]; 3],
    }
}

/// A vector of a state.
pub fn vector(state: &State, name: &str) -> [f64; 3] {
    match state.part(name) {
        Some(Value::Vector(v)) => *v,
        _ => [f64::NAN; 3],
    }
}

/// The vectors of a state.
pub fn vectors<'s>(state: &'s State, name: &str) -> &'s [[f64; 3]] {
    match state.part(name) {
        Some(Value::Vectors(list)) => list,
        _ => &[],
    }
}
