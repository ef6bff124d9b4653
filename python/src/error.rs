//! The exceptions: the words of the command line, and a type to catch.
use lieflow_ensemble::run::EnsembleError;
use lieflow_files::FileError;
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

/// An error of the crates: bad input, or a computation that failed.
pub trait Sorted: Display {
    fn is_input(&self) -> bool;
}
macro_rules! sorted {
    ($($type:ty, |$e:ident| $input:expr;)+) => {
        $(impl Sorted for $type {
            fn is_input(&self) -> bool {
                let $e = self;
                $input
            }
        })+
    };
}
sorted! {
    SpecError, |_e| true;
    RunError, |e| RunError::is_input(e);
    StudyError, |e| StudyError::is_input(e);
    FileError, |_e| false;
    EnsembleError, |e| match e {
        EnsembleError::Run(e) => e.is_input(),
        EnsembleError::Threads(_) => false,
        _ => true,
    };
}

/// The exception of an error, with its words.
pub fn raised(error: impl Sorted) -> PyErr {
    let text = error.to_string();
    if error.is_input() { ProblemError::new_err(text) } else { IntegrationError::new_err(text) }
}
