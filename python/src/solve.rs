//! One trajectory, as arrays.
use crate::attention::Attention;
use crate::convert::{Given, built, document};
use crate::error;
use crate::function::fault;
use lieflow::method::Card;
use lieflow_models::problem_file::Document;
use lieflow_models::run::{Array, Arrays, Model, Plan, Record, Sink, State, Stop};
use lieflow_pages::{RunReport, Samples};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Arrays as a dict, with `n` times.
fn dict<'py>(py: Python<'py>, arrays: Vec<Array>, n: usize) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for Array { name, mut shape, numbers } in arrays {
        shape.insert(0, n);
        dict.set_item(name, PyArray1::from_vec(py, numbers).reshape(shape)?)?;
    }
    Ok(dict)
}

/// Keeps what a run computes, as arrays and for its report.
struct Kept {
    arrays: Arrays,
    samples: Samples,
    attention: Arc<Attention>,
}

impl Sink for Kept {
    fn begin(&mut self, invariants: &[&'static str], start: &State) -> ControlFlow<()> {
        self.arrays.begin(invariants, start)?;
        self.samples.begin(invariants, start)
    }
    fn follows_steps(&self) -> bool {
        self.attention.progress.is_some()
    }
    fn step(&mut self, t: f64, _: &[f64]) -> ControlFlow<()> {
        self.attention.reach(t);
        ControlFlow::Continue(())
    }
    fn sample(&mut self, state: &State, invariants: &[f64]) -> ControlFlow<()> {
        self.arrays.sample(state, invariants)?;
        self.samples.sample(state, invariants)
    }
}

/// A run that is over: what its report is made from.
#[pyclass(frozen, module = "lieflow._lieflow")]
pub struct Run {
    document: Document,
    model: Box<dyn Model>,
    plan: Plan,
    card: Card,
    record: Record,
    samples: Samples,
}

#[pymethods]
impl Run {
    /// The record, as `lieflow run --json` prints it.
    fn json(&self) -> String {
        self.record.to_json().to_string()
    }
    /// The interactive page. The picture is a run of its own.
    fn html(&self, py: Python<'_>, name: &str) -> String {
        py.detach(|| {
            let report = RunReport {
                name,
                problem: &self.document.to_json(),
                text: self.document.to_toml(),
                record: &self.record,
                model: self.model.as_ref(),
                plan: &self.plan,
                card: &self.card,
                samples: &self.samples,
            };
            lieflow_report::page::render(&report.page())
        })
    }
}

/// Integrates one problem: times, dicts of arrays of parts, observables and invariants, and the run;
/// and the exception that ended the run early, if one did.
#[pyfunction]
#[pyo3(signature = (given, watch=true, progress=None))]
pub fn solve<'py>(
    py: Python<'py>,
    given: Given<'py>,
    watch: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Bound<'py, PyDict>, Option<PyErr>)> {
    let (document, model, mut plan) = built(&given)?;
    let card = model.check(&plan).map_err(error::run)?;
    if card.implicit {
        document.warn_of_kinks(model.as_ref(), "implicit methods count on smoothness");
    }
    let attention = Attention::new(progress);
    plan.watch = watch;
    plan.stop = attention.stop(!watch);
    let (arrays, samples) = (Arrays::default(), Samples::default());
    let mut kept = Kept { arrays, samples, attention: attention.clone() };
    let outcome = py.detach(|| model.run(&plan, &mut kept));
    plan.stop = Stop::default();
    let (mut record, failure) = match outcome {
        Ok(record) => (record, None),
        Err(failure) => match failure.record {
            Some(record) => (*record, Some(error::run(*failure.error))),
            None => return Err(error::run(*failure.error)),
        },
    };
    record.warnings = document.warnings();
    let raised = fault(py, document.root());
    let Kept { arrays, samples, .. } = kept;
    let (out, n) = (PyDict::new(py), arrays.t.len());
    out.set_item("t", PyArray1::from_vec(py, arrays.t))?;
    out.set_item("parts", dict(py, arrays.parts, n)?)?;
    out.set_item("observables", dict(py, arrays.observables, n)?)?;
    out.set_item("invariants", dict(py, arrays.invariants, n)?)?;
    out.set_item("run", Bound::new(py, Run { document, model, plan, card, record, samples })?)?;
    let said = attention.error.get().map(|error| error.clone_ref(py));
    Ok((out, said.or(raised).or(failure)))
}

/// Whether a problem can be run as it is; what is suspicious about it.
#[pyfunction]
pub fn check(given: Given<'_>) -> PyResult<Vec<String>> {
    let (document, model, plan) = built(&given)?;
    model.check(&plan).map_err(error::run)?;
    Ok(document.warnings().iter().map(ToString::to_string).collect())
}

/// What `lieflow explain` prints.
#[pyfunction]
pub fn explain(given: Given<'_>) -> PyResult<String> {
    Ok(document(&given)?.explain().map_err(error::spec)?.to_json().to_string())
}
