//! Why runs fail, in the words of the tool.
use super::{Plan, Record};
use crate::method_names::few;
use crate::problem_file::{Place, Shown};
use lieflow::method::{OptionError, StepError};
use lieflow::stepping::SolveError;

/// Why a plan could not be carried out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// No such method for this system.
    #[error(
        "{place}: no method called '{}' fits the system '{system}'{}; it can use: {}",
        Shown(method),
        suggestion.map_or(String::new(), |n| format!(" (did you mean '{n}'?)")), few(known, system)
    )]
    UnknownMethod {
        /// Where the method was named.
        place: Place,
        /// Its name.
        method: String,
        /// The system.
        system: &'static str,
        /// A method of nearly this name.
        suggestion: Option<&'static str>,
        /// All methods that fit.
        known: Vec<&'static str>,
    },
    /// A method that cannot take what the formulas of the problem ask for.
    #[error("{place}: the method '{method}' cannot be used here: {reason}; use one of: {}", known.join(", "))]
    Refused {
        /// Where the method was named.
        place: Place,
        /// Its name.
        method: String,
        /// Why.
        reason: String,
        /// Methods that can.
        known: Vec<&'static str>,
    },
    /// A method for the same system with another parameter.
    #[error(
        "{place}: the method '{method}' fits the system '{system}' only with {key} = \"{value}\"{}; \
         set that, or use one of: {}",
        suggestion.map_or(String::new(), |n| format!(" (did you mean '{n}'?)")), few(known, system)
    )]
    NeedsParameter {
        /// Where the method was named.
        place: Place,
        /// Its name.
        method: String,
        /// The system.
        system: &'static str,
        /// The parameter.
        key: &'static str,
        /// The value that the method needs.
        value: &'static str,
        /// A method that is nearly the same, and fits.
        suggestion: Option<&'static str>,
        /// All methods that fit as things are.
        known: Vec<&'static str>,
    },
    /// The method does not have an option.
    #[error("{place}: {source}")]
    Option {
        /// Where the option was given.
        place: Place,
        /// Why not.
        source: OptionError,
    },
    /// An option of other families.
    #[error("{place}: the method '{method}' has no option '{option}'")]
    NoSuchOption {
        /// Where it was given.
        place: Place,
        /// The method.
        method: &'static str,
        /// The option.
        option: &'static str,
    },
    /// A polar correction of a system that does not offer it.
    #[error("{place}: the system '{system}' has no polar correction of its states")]
    NoPolar {
        /// Where it was given.
        place: Place,
        /// The system.
        system: &'static str,
    },
    /// Compensated steps of a size that is found by other means than an error estimate.
    #[error(
        "{place}: compensated steps are fixed or follow an error estimate, and those of '{method}' with a tolerance \
         follow the motion; give a step"
    )]
    CompensatedSteps {
        /// Where they were asked for.
        place: Place,
        /// The method.
        method: &'static str,
    },
    /// Positions of links of a system that has none.
    #[error("{place}: the system '{system}' has no links whose positions could be written")]
    NoPositions {
        /// Where they were asked for.
        place: Place,
        /// The system.
        system: &'static str,
    },
    /// Something to conserve that is no invariant of the system.
    #[error(
        "{place}: found '{}', expected invariants of the system with commas between them{}; there are: {}",
        Shown(found),
        suggestion.map_or(String::new(), |n| format!("; did you mean '{n}'?")), known.join(", ")
    )]
    UnknownInvariant {
        /// Where it was given.
        place: Place,
        /// What was given.
        found: String,
        /// An invariant of nearly this name.
        suggestion: Option<&'static str>,
        /// All invariants.
        known: Vec<&'static str>,
    },
    /// A tolerance for a method that cannot keep one.
    #[error(
        "{place}: the method '{method}' has no error estimate, so it cannot keep a tolerance; \
         give a step, or use one of: {}{}", pairs.join(", "),
        if symmetric.is_empty() { String::new() } else {
            format!("; or, with reversible steps, one of: {}", few(symmetric, system))
        }
    )]
    NoEstimate {
        /// Where the tolerance was given.
        place: Place,
        /// The method.
        method: &'static str,
        /// Methods for this system that have one.
        pairs: Vec<&'static str>,
        /// The system.
        system: &'static str,
        /// Methods for this system that are symmetric.
        symmetric: Vec<&'static str>,
    },
    /// Reversible steps for a method that is not symmetric.
    #[error(
        "{place}: the method '{method}' is not symmetric, so reversible steps keep nothing for it; \
         use one of: {}",
        few(symmetric, system)
    )]
    NotSymmetric {
        /// Where the steps were asked for.
        place: Place,
        /// The method.
        method: &'static str,
        /// The system.
        system: &'static str,
        /// Methods for this system that are symmetric.
        symmetric: Vec<&'static str>,
    },
    /// Symplectic steps for a method that has none here.
    #[error(
        "{place}: the method '{method}' has no symplectic steps of changing size here: they are for 'exs', \
         'exs@bm4' and its compositions such as 'exs@kl6', on a rigid body in a potential that does not depend on time; use \
         the controller 'reversible'"
    )]
    NotPaced {
        /// Where the steps were asked for.
        place: Place,
        /// The method.
        method: &'static str,
    },
    /// Reversible steps for a system whose tempo is not known.
    #[error(
        "{place}: the method '{method}' could keep a tolerance by reversible steps only, and the \
         system '{system}' does not say here how fast things happen in it, as no law that depends on time does; give a step{}",
        if pairs.is_empty() { String::new() } else { format!(", or use one of: {}", pairs.join(", ")) }
    )]
    NoTempo {
        /// Where the tolerance was given.
        place: Place,
        /// The method.
        method: &'static str,
        /// The system.
        system: &'static str,
        /// Methods for this system that have an error estimate.
        pairs: Vec<&'static str>,
    },
    /// The computation failed.
    #[error("{source}{} (after {steps} accepted steps)", because.as_ref().map_or(String::new(), |b| format!(": {b}")))]
    Solve {
        /// The steps made before.
        steps: u64,
        /// Where a formula broke down, if one did.
        because: Option<String>,
        /// Where and why.
        source: SolveError,
    },
    /// Whoever receives the states wants no more, or somebody outside has stopped it.
    #[error("at t = {t}: interrupted (after {steps} accepted steps)")]
    Stopped {
        /// Where.
        t: f64,
        /// The steps made before.
        steps: u64,
    },
}

impl RunError {
    /// The first step of a plan failed.
    pub fn first_step(plan: &Plan, source: StepError) -> Self {
        let source = SolveError::Step { t: plan.from, h: plan.pace.first_step(), source };
        Self::Solve { steps: 0, because: None, source }
    }
    /// Whether what was typed is wrong, as against a computation that failed.
    pub fn is_input(&self) -> bool {
        match self {
            Self::Stopped { .. } => false,
            Self::Solve { source, .. } => matches!(
                source,
                SolveError::BadSpan { .. }
                    | SolveError::BadStep { .. }
                    | SolveError::BadSetting { .. }
                    | SolveError::NoEstimate
                    | SolveError::NoTempo
            ),
            _ => true,
        }
    }
}

/// A run that did not reach its end, with what it had computed.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct RunFailure {
    /// Why.
    pub error: Box<RunError>,
    /// What there is up to the last accepted step.
    pub record: Option<Box<Record>>,
}

impl From<RunError> for RunFailure {
    fn from(error: RunError) -> Self {
        Self { error: Box::new(error), record: None }
    }
}
