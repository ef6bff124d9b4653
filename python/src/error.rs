//! The exceptions: the words of the command line, and a type to catch.
use lieflow_ensemble::run::EnsembleError;
use lieflow_models::problem_file::SpecError;
use lieflow_models::run::RunError;
use lieflow_models::study::StudyError;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::fmt::Display;

pyo3::create_exception!(
    lieflow,
    ProblemError,
    PyValueError,
    "What was given cannot be used: a problem, a method or an option."
);
pyo3::create_exception!(
    lieflow,
    IntegrationError,
    PyRuntimeError,
    "A computation failed. `result` has what there is, or is None."
);

/// Adds the exceptions to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("ProblemError", m.py().get_type::<ProblemError>())?;
    m.add("IntegrationError", m.py().get_type::<IntegrationError>())
}

/// Bad input, or a computation that failed.
fn exception(input: bool, error: &impl Display) -> PyErr {
    let text = error.to_string();
    if input { ProblemError::new_err(text) } else { IntegrationError::new_err(text) }
}

/// A problem that cannot be used.
pub fn spec(error: SpecError) -> PyErr {
    exception(true, &error)
}

/// A plan that does not fit, or a run that failed.
pub fn run(error: &RunError) -> PyErr {
    exception(error.is_input(), error)
}

/// An ensemble that cannot be run.
pub fn ensemble(error: &EnsembleError) -> PyErr {
    let input = match error {
        EnsembleError::Run(error) => error.is_input(),
        EnsembleError::Threads(_) => false,
        _ => true,
    };
    exception(input, error)
}

/// A study that cannot be made.
pub fn study(error: &StudyError) -> PyErr {
    exception(error.is_input(), error)
}
