//! What is to be shown, and what a lane is to do with it.
use lieflow_models::problem_file::{Document, Setting, SpecError};
use lieflow_models::run::{Model, Pace, Plan, RunError};
use lieflow_models::system::Registry;

/// A problem to be shown.
#[derive(Clone, Debug)]
pub struct Show {
    /// The systems that it may name.
    pub systems: Registry,
    /// The problem file with all settings.
    pub text: String,
    /// What messages and the page call it.
    pub name: String,
    /// A method to be shown beside that of the problem.
    pub beside: Option<String>,
}

/// How long steps are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pacing {
    /// All alike.
    Step(f64),
    /// As an error estimate allows.
    Tolerance(f64),
}

/// Where a motion begins.
#[derive(Clone, Debug, PartialEq)]
pub enum Begin {
    /// At the initial data.
    Anew,
    /// Where it is, after these numbers have been added to parts of the state.
    Here(Vec<(String, Vec<f64>)>),
}

/// What a lane is to do: a problem with changes, a method and its steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Keys and values, in the TOML format, that are laid over the problem.
    pub changes: Vec<(String, String)>,
    /// The method; that of the problem unless given.
    pub method: Option<String>,
    /// The steps; those of the problem unless given.
    pub pacing: Option<Pacing>,
    /// Where it begins.
    pub begin: Begin,
    /// Whether a trial run is made, for the camera.
    pub trial: bool,
}

/// What a task needs, in words for the viewer.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    /// Something typed cannot be used.
    #[error("{0}")]
    Spec(#[from] SpecError),
    /// The method does not fit.
    #[error("{0}")]
    Run(#[from] RunError),
}

/// A task whose problem has been read.
pub struct Prepared {
    pub document: Document,
    pub model: Box<dyn Model>,
    pub plan: Plan,
    pub card: lieflow::method::Card,
    pub begin: Begin,
    pub trial: bool,
}

impl Task {
    /// The problem as it is, from its initial data.
    pub fn plain() -> Self {
        Self { changes: Vec::new(), method: None, pacing: None, begin: Begin::Anew, trial: true }
    }

    /// Reads the problem, with everything laid over it.
    pub fn prepare(&self, show: &Show) -> Result<Prepared, TaskError> {
        let mut settings = self.settings()?;
        match self.prepare_with(show, &settings) {
            // A method may want the system in another space: then it has it.
            Err(TaskError::Run(RunError::NeedsParameter { key, value, .. })) => {
                settings.push(Setting::text("method", key, value)?);
                self.prepare_with(show, &settings)
            }
            other => other,
        }
    }

    fn prepare_with(&self, show: &Show, settings: &[Setting]) -> Result<Prepared, TaskError> {
        let document = Document::parse_with(&show.systems, &show.text, &show.name, settings)?;
        let (model, plan) = (document.build()?, document.plan()?);
        let card = model.check(&plan)?;
        let (begin, trial) = (self.begin.clone(), self.trial);
        Ok(Prepared { document, model, plan, card, begin, trial })
    }

    fn settings(&self) -> Result<Vec<Setting>, SpecError> {
        let mut settings = Vec::new();
        for (key, value) in &self.changes {
            settings.push(Setting::value("slider", key, value)?);
        }
        if let Some(method) = &self.method {
            settings.push(Setting::text("method", "solve.method", method)?);
        }
        match self.pacing {
            Some(Pacing::Step(h)) => {
                settings.push(Setting::value("step", "solve.step", &format!("{h:?}"))?);
            }
            Some(Pacing::Tolerance(tol)) => {
                settings.push(Setting::value("tolerance", "solve.tol", &format!("{tol:?}"))?);
            }
            None => {}
        }
        Ok(settings)
    }
}

/// The steps of a plan.
pub fn pacing(plan: &Plan) -> Pacing {
    match plan.pace {
        Pace::Fixed { step } => Pacing::Step(step),
        Pace::Adaptive { tol, .. } => Pacing::Tolerance(tol),
    }
}
