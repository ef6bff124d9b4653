//! One trajectory, as arrays.
use crate::attention::Attention;
use crate::convert::{Given, built, document};
use crate::error::raised;
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
        let (shape, axes, _) = seen(value);
        Self { name, shape: shape[..axes].to_vec(), numbers: Vec::new() }
    }
}

/// The shape of a value, how many axes of it there are, and its numbers.
fn seen(value: &Value) -> ([usize; 2], usize, &[f64]) {
    match value {
        Value::Number(x) => ([1, 1], 0, std::slice::from_ref(x)),
        Value::Numbers(x) => ([x.len(), 1], 1, x),
        Value::Vector(v) => ([3, 1], 1, v),
        Value::Vectors(list) => ([list.len(), 3], 2, list.as_flattened()),
        Value::Rotation(r) => ([3, 3], 2, r.as_flattened()),
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

/// Collects what a run keeps as columns: parts of the state, observables, invariants.
struct Columns {
    t: Vec<f64>,
    kept: [Vec<Column>; 3],
    samples: Samples,
    attention: Arc<Attention>,
}

impl Sink for Columns {
    fn begin(&mut self, invariants: &[&'static str], start: &State) -> ControlFlow<()> {
        let number = |name: &&'static str| Column::new(&(name, Value::Number(0.0)));
        let values = [&start.parts, &start.observables];
        let [parts, observables] = values.map(|list| list.iter().map(Column::new).collect());
        self.kept = [parts, observables, invariants.iter().map(number).collect()];
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
        let [parts, observables, watched] = &mut self.kept;
        for (columns, values) in [(parts, &state.parts), (observables, &state.observables)] {
            for (column, (_, value)) in columns.iter_mut().zip(values) {
                column.numbers.extend_from_slice(seen(value).2);
            }
        }
        watched.iter_mut().zip(invariants).for_each(|(c, x)| c.numbers.push(*x));
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

/// Integrates one problem: times, dicts of arrays of parts, observables and invariants, the record and
/// the run; and the exception that ended the run early, if one did.
#[pyfunction]
#[pyo3(signature = (given, watch=true, progress=None))]
pub fn solve<'py>(
    py: Python<'py>,
    given: Given<'py>,
    watch: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Bound<'py, PyDict>, Option<PyErr>)> {
    let (document, model, mut plan) = built(&given)?;
    let card = model.check(&plan).map_err(raised)?;
    if card.implicit {
        document.warn_of_kinks(model.as_ref(), "implicit methods count on smoothness");
    }
    let attention = Attention::new(progress);
    plan.watch = watch;
    plan.stop = attention.stop(!watch);
    let (samples, attending) = (Samples::default(), attention.clone());
    let mut columns =
        Columns { t: Vec::new(), kept: Default::default(), samples, attention: attending };
    let outcome = py.detach(|| model.run(&plan, &mut columns));
    plan.stop = lieflow_models::run::Stop::default();
    let (mut record, failure) = match outcome {
        Ok(record) => (record, None),
        Err(failure) => match failure.record {
            Some(record) => (*record, Some(raised(failure.error))),
            None => return Err(raised(failure.error)),
        },
    };
    record.warnings = document.warnings();
    let (out, n) = (PyDict::new(py), columns.t.len());
    out.set_item("t", PyArray1::from_vec(py, columns.t))?;
    for (name, kept) in ["parts", "observables", "invariants"].into_iter().zip(columns.kept) {
        out.set_item(name, arrays(py, kept, n)?)?;
    }
    out.set_item("json", record.to_json().to_string())?;
    let samples = columns.samples;
    out.set_item("run", Bound::new(py, Run { document, model, plan, card, record, samples })?)?;
    Ok((out, attention.error(py).or(failure)))
}

/// Whether a problem can be run as it is; what is suspicious about it.
#[pyfunction]
pub fn check(given: Given<'_>) -> PyResult<Vec<String>> {
    let (document, model, plan) = built(&given)?;
    model.check(&plan).map_err(raised)?;
    Ok(document.warnings().iter().map(ToString::to_string).collect())
}

/// What `lieflow explain` prints.
#[pyfunction]
pub fn explain(given: Given<'_>) -> PyResult<String> {
    Ok(document(&given)?.explain().map_err(raised)?.to_json().to_string())
}
