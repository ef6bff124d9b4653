//! One trajectory, as arrays.
use crate::attention::Attention;
use crate::convert::{Settings, document};
use crate::error;
use lieflow::method::Card;
use lieflow::problem::Value;
use lieflow_models::problem_file::Document;
use lieflow_models::run::{Model, Plan, Record, Sink, State};
use lieflow_pages::{RunReport, Samples};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A named array that grows: its shape for one time, and its numbers.
struct Column {
    name: &'static str,
    shape: Vec<usize>,
    numbers: Vec<f64>,
}

impl Column {
    fn new((name, value): &(&'static str, Value)) -> Self {
        let shape = match value {
            Value::Number(_) => vec![],
            Value::Numbers(x) => vec![x.len()],
            Value::Vector(_) => vec![3],
            Value::Vectors(list) => vec![list.len(), 3],
            Value::Rotation(_) => vec![3, 3],
        };
        Self { name, shape, numbers: Vec::new() }
    }

    fn push(&mut self, value: &Value) {
        match value {
            Value::Number(x) => self.numbers.push(*x),
            Value::Numbers(x) => self.numbers.extend_from_slice(x),
            Value::Vector(v) => self.numbers.extend_from_slice(v),
            Value::Vectors(list) => self.numbers.extend_from_slice(list.as_flattened()),
            Value::Rotation(r) => self.numbers.extend_from_slice(r.as_flattened()),
        }
    }
}

/// Puts columns into a dict of arrays with `n` times.
fn arrays<'py>(py: Python<'py>, columns: Vec<Column>, n: usize) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for Column { name, mut shape, numbers } in columns {
        shape.insert(0, n);
        dict.set_item(name, PyArray1::from_vec(py, numbers).reshape(shape)?)?;
    }
    Ok(dict)
}

/// Collects what a run keeps as columns.
struct Columns {
    t: Vec<f64>,
    parts: Vec<Column>,
    observables: Vec<Column>,
    invariants: Vec<Column>,
    samples: Samples,
    attention: Arc<Attention>,
}

impl Sink for Columns {
    fn begin(&mut self, invariants: &[&'static str], start: &State) -> ControlFlow<()> {
        let number = |name: &&'static str| Column::new(&(name, Value::Number(0.0)));
        self.invariants = invariants.iter().map(number).collect();
        self.parts = start.parts.iter().map(Column::new).collect();
        self.observables = start.observables.iter().map(Column::new).collect();
        self.samples.begin(invariants, start)
    }
    fn follows_steps(&self) -> bool {
        self.attention.is_told()
    }
    fn step(&mut self, t: f64, _: &[f64]) -> ControlFlow<()> {
        self.attention.reach(t);
        ControlFlow::Continue(())
    }
    fn sample(&mut self, state: &State, invariants: &[f64]) -> ControlFlow<()> {
        self.t.push(state.t);
        self.parts.iter_mut().zip(&state.parts).for_each(|(c, (_, value))| c.push(value));
        let observed = self.observables.iter_mut().zip(&state.observables);
        observed.for_each(|(c, (_, value))| c.push(value));
        self.invariants.iter_mut().zip(invariants).for_each(|(c, x)| c.numbers.push(*x));
        self.samples.sample(state, invariants)
    }
}

/// A run that is over: what its report is made from.
#[pyclass(frozen, module = "lieflow._lieflow")]
struct Run {
    document: Document,
    model: Box<dyn Model>,
    plan: Plan,
    card: Card,
    record: Record,
    samples: Samples,
}

#[pymethods]
impl Run {
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

/// Integrates one problem: a dict of arrays, and the exception that ended the run early, if one did.
#[pyfunction]
#[pyo3(signature = (problem, origin, settings, watch=true, progress=None))]
fn solve<'py>(
    py: Python<'py>,
    problem: &Bound<'py, PyAny>,
    origin: &str,
    settings: Settings<'py>,
    watch: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Bound<'py, PyDict>, Option<PyErr>)> {
    let document = document(problem, origin, &settings)?;
    let model = document.build().map_err(error::spec)?;
    let mut plan = document.plan().map_err(error::spec)?;
    let card = model.check(&plan).map_err(|e| error::run(&e))?;
    if card.implicit {
        document.warn_of_kinks(model.as_ref(), "implicit methods count on smoothness");
    }
    let attention = Attention::new(progress);
    plan.watch = watch;
    plan.stop = attention.stop(!watch);
    let mut columns = Columns {
        t: Vec::new(),
        parts: Vec::new(),
        observables: Vec::new(),
        invariants: Vec::new(),
        samples: Samples::default(),
        attention: attention.clone(),
    };
    let outcome = py.detach(|| model.run(&plan, &mut columns));
    plan.stop = lieflow_models::run::Stop::default();
    let (mut record, failure) = match outcome {
        Ok(record) => (record, None),
        Err(failure) => match failure.record {
            Some(record) => (*record, Some(error::run(&failure.error))),
            None => return Err(error::run(&failure.error)),
        },
    };
    record.warnings = document.warnings();
    let out = PyDict::new(py);
    let n = columns.t.len();
    out.set_item("t", PyArray1::from_vec(py, columns.t))?;
    out.set_item("parts", arrays(py, columns.parts, n)?)?;
    out.set_item("observables", arrays(py, columns.observables, n)?)?;
    out.set_item("invariants", arrays(py, columns.invariants, n)?)?;
    out.set_item("json", record.to_json().to_string())?;
    let samples = columns.samples;
    out.set_item("run", Bound::new(py, Run { document, model, plan, card, record, samples })?)?;
    Ok((out, attention.error().or(failure)))
}

/// Whether a problem can be run as it is; what is suspicious about it.
#[pyfunction]
fn check(
    problem: &Bound<'_, PyAny>,
    origin: &str,
    settings: Settings<'_>,
) -> PyResult<Vec<String>> {
    let document = document(problem, origin, &settings)?;
    let model = document.build().map_err(error::spec)?;
    let plan = document.plan().map_err(error::spec)?;
    model.check(&plan).map_err(|e| error::run(&e))?;
    Ok(document.warnings().iter().map(ToString::to_string).collect())
}

/// What `lieflow explain` prints.
#[pyfunction]
fn explain(problem: &Bound<'_, PyAny>, origin: &str, settings: Settings<'_>) -> PyResult<String> {
    let document = document(problem, origin, &settings)?;
    Ok(document.explain().map_err(error::spec)?.to_json().to_string())
}

/// Adds the functions to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<Run>()?;
    m.add_function(wrap_pyfunction!(solve, m)?)?;
    m.add_function(wrap_pyfunction!(check, m)?)?;
    m.add_function(wrap_pyfunction!(explain, m)?)
}
