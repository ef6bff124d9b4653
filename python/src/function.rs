//! Laws that are Python functions, or compiled code that Python has the address of.
use crate::error::{IntegrationError, ProblemError};
use lieflow_models::foreign::{CFunction, Foreign, Function};
use lieflow_models::problem_file::{Kind, Node};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use std::any::Any;
use std::sync::OnceLock;

/// A Python function of time, state and parameters, as arrays. It is called with the lock of Python.
struct PyFunction {
    object: Py<PyAny>,
    name: String,
    /// What it said first. It is not called again then.
    error: OnceLock<PyErr>,
}

impl PyFunction {
    fn filled(&self, t: f64, state: &[f64], parameters: &[f64], out: &mut [f64]) -> PyResult<()> {
        Python::attach(|py| {
            let given = (t, PyArray1::from_slice(py, state), PyArray1::from_slice(py, parameters));
            let answer = self.object.call1(py, given)?;
            let answer: PyReadonlyArray1<'_, f64> = answer.extract(py)?;
            let (found, expected) = (answer.as_slice()?, out.len());
            if found.len() != expected {
                let found = found.len();
                let text = format!("{}: found {found} numbers, expected {expected}", self.name);
                return Err(ProblemError::new_err(text));
            }
            if found.iter().any(|x| x.is_nan()) {
                let text = format!("{}: found nan at t = {t}, expected numbers", self.name);
                return Err(IntegrationError::new_err(text));
            }
            out.copy_from_slice(found);
            Ok(())
        })
    }
}

impl Foreign for PyFunction {
    fn call(&self, t: f64, state: &[f64], parameters: &[f64], out: &mut [f64]) -> bool {
        if self.error.get().is_some() {
            return false;
        }
        // The first counts.
        self.filled(t, state, parameters, out).map_err(|error| self.error.set(error)).is_ok()
    }
    fn name(&self) -> String {
        self.name.clone()
    }
    fn fault(&self) -> Option<String> {
        self.error.get().map(ToString::to_string)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A Python object as a law, if it is one: a `Compiled` of the package, or one that can be called.
pub fn function(value: &Bound<'_, PyAny>) -> PyResult<Option<Function>> {
    if !value.is_callable() {
        return Ok(None);
    }
    let name = value.getattr("__name__").and_then(|name| name.extract());
    let name: String = name.unwrap_or_else(|_| value.to_string());
    let object = value.clone().unbind();
    if value.get_type().fully_qualified_name()? != "lieflow._function.Compiled" {
        return Ok(Some(Function::new(PyFunction { object, name, error: OnceLock::new() })));
    }
    let address = value.getattr("address")?.extract()?;
    // SAFETY: these objects are made by the package alone, from functions whose declared types it has
    // checked, or from an address for which the person who calls vouches: the documentation of
    // `lieflow.System` says what must stand there. The object keeps the code in memory, and is kept here.
    let compiled = unsafe { CFunction::new(address, &name, Box::new(object)) };
    let text = format!("{name}: found the address 0, expected that of a function");
    compiled.map(|f| Some(Function::new(f))).ok_or_else(|| ProblemError::new_err(text))
}

/// The Python object that a law was made of.
pub fn object<'py>(py: Python<'py>, function: &Function) -> Bound<'py, PyAny> {
    let source = function.source().as_any();
    let compiled = source.downcast_ref::<CFunction>().and_then(|f| f.owner().downcast_ref());
    let object = source.downcast_ref::<PyFunction>().map(|f| &f.object).or(compiled);
    object.map_or_else(|| py.None().into_bound(py), |object: &Py<PyAny>| object.bind(py).clone())
}

/// The exception of the first function in a problem that has raised one.
pub fn fault(py: Python<'_>, node: &Node) -> Option<PyErr> {
    match &node.kind {
        Kind::Function(function) => {
            let raised = function.source().as_any().downcast_ref::<PyFunction>()?.error.get()?;
            Some(raised.clone_ref(py))
        }
        Kind::Table(table) => table.entries.iter().find_map(|(.., node)| fault(py, node)),
        _ => None,
    }
}
