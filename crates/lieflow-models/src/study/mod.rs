//! Questions asked of many runs of one problem.
//!
//! A study takes a [`Model`] and a [`Plan`], changes method
//! and step, and compares what comes out. It prints nothing: what it found is plain data with a
//! `to_json`.
use crate::method_names::worth_trying;
use crate::problem_file::{Shown, SpecError};
use crate::run::{Model, Plan, RunError, RunFailure};

pub mod compare;
mod difference;
pub mod drift;
pub mod order;

pub use difference::{Difference, difference, size};

/// The methods that fit a system with the options of a plan.
pub fn fitting(model: &dyn Model, plan: &Plan) -> Vec<String> {
    let cards = model.methods();
    let fit = cards.iter().filter(|card| model.check(&plan.at(card.id, 1.0)).is_ok());
    fit.map(|card| card.id.to_string()).collect()
}

/// The methods that fit, chosen among by name.
pub fn fitting_among(
    model: &dyn Model,
    plan: &Plan,
    choose: for<'a> fn(&[&'a str]) -> Vec<&'a str>,
) -> Vec<String> {
    let fitting = fitting(model, plan);
    let names: Vec<&str> = fitting.iter().map(String::as_str).collect();
    choose(&names).into_iter().map(String::from).collect()
}

/// A dozen methods worth trying, the one of the plan among them.
pub fn suggested(model: &dyn Model, plan: &Plan) -> Vec<String> {
    let mut chosen = fitting_among(model, plan, worth_trying);
    let own = &plan.method;
    let step = 1.0;
    if !chosen.contains(own) && model.check(&plan.at(own, step)).is_ok() {
        chosen.insert(0, own.clone());
    }
    chosen
}

/// Why a study cannot be made or finished.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// A method does not fit, or the reference run failed.
    #[error("{0}")]
    Run(RunError),
    /// What was typed about the problem is wrong.
    #[error("{0}")]
    Spec(SpecError),
    /// No problem for certificates fits the method.
    #[error(
        "no problem for certificates fits a method called '{}'{}; see `lieflow list methods`",
        Shown(method),
        suggestion.as_ref().map_or(String::new(), |n| format!(" (did you mean '{n}'?)"))
    )]
    NoCertificate {
        /// The method.
        method: String,
        /// One of nearly this name.
        suggestion: Option<String>,
    },
    /// A problem that is none for certificates.
    #[error(
        "the problem '{}' is none of those on which certificates are measured: {}",
        Shown(problem),
        known.join(", ")
    )]
    NoTestProblem {
        /// The problem.
        problem: String,
        /// Those for certificates.
        known: Vec<&'static str>,
    },
    /// Too few step sizes to see an order.
    #[error("found {found} step sizes, expected at least {expected} different ones")]
    TooFewSteps {
        /// How many there are.
        found: usize,
        /// How many it takes.
        expected: usize,
    },
    /// Steps that a study cannot vary.
    #[error("no study over steps for the system '{system}': {reason}")]
    FixedSteps {
        /// The system.
        system: &'static str,
        /// What fixes them, and what can be varied.
        reason: &'static str,
    },
    /// No run is accurate enough to compare with.
    #[error(
        "no reference: the best two runs ({method}, step {step:e} and half of it) still differ by {difference:e}"
    )]
    NoReference {
        /// The method of the reference.
        method: String,
        /// The larger of the two steps.
        step: f64,
        /// How far the two are apart.
        difference: f64,
    },
}

impl StudyError {
    /// Whether what was typed is wrong, as against a computation that failed.
    pub fn is_input(&self) -> bool {
        match self {
            Self::Run(error) => error.is_input(),
            Self::Spec(_)
            | Self::TooFewSteps { .. }
            | Self::FixedSteps { .. }
            | Self::NoCertificate { .. }
            | Self::NoTestProblem { .. } => true,
            Self::NoReference { .. } => false,
        }
    }
}

impl From<RunFailure> for StudyError {
    fn from(failure: RunFailure) -> Self {
        Self::Run(*failure.error)
    }
}
impl From<RunError> for StudyError {
    fn from(error: RunError) -> Self {
        Self::Run(error)
    }
}
