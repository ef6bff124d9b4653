//! The exceptions: the words of the command line, and a type to catch.
use lieflow_models::problem_file::SpecError;
use lieflow_models::run::RunError;
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

/// The exception of an error, with its words: bad input, or a computation that failed.
pub fn exception(input: bool, error: &impl Display) -> PyErr {
    let text = error.to_string();
    if input { ProblemError::new_err(text) } else { IntegrationError::new_err(text) }
}

/// That of a problem that cannot be used.
pub fn spec(error: SpecError) -> PyErr {
    exception(true, &error)
}

/// That of a plan that does not fit, or of a run that failed.
pub fn run(error: RunError) -> PyErr {
    exception(error.is_input(), &error)
}
