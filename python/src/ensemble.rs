//! Ensembles as columns: any range of trajectories, and the files of the tool from arrays.
use crate::attention::attended;
use crate::convert::{Given, document};
use crate::error::{self, exception};
use crate::function::fault;
use lieflow_ensemble::design::Design;
use lieflow_ensemble::keeper::Columns;
use lieflow_ensemble::run::{EnsembleError, Job, Settings as How};
use lieflow_ensemble::statistics::Statistics;
use lieflow_ensemble::store::{Manifest, push_columns};
use lieflow_ensemble::trajectory::observables;
use lieflow_models::problem_file::{Document, MOST_TABLE_BYTES, read_text};
use lieflow_models::run::Stop;
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArray2, PyReadonlyArray3};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::Path;
use std::sync::atomic::Ordering;

/// The design of a problem; tables of numbers are read from files in this folder.
fn design(document: &Document, folder: &str) -> PyResult<Design> {
    let open = |name: &str| read_text(&Path::new(folder).join(name), MOST_TABLE_BYTES);
    Design::read(document, &open).map_err(error::spec)
}

/// What an ensemble is: how many trajectories, the head of `final.csv`, names of inputs and observables,
/// times and quantiles. The first trajectory is checked.
#[pyfunction]
pub fn ensemble_layout(given: Given<'_>, folder: &str) -> PyResult<Layout> {
    let document = document(&given)?;
    let design = design(&document, folder)?;
    let mut template = design.template();
    let mut numbers = Vec::new();
    template.draw(0, &mut numbers);
    let first = template.build(&numbers).map_err(error::spec)?;
    first.check(&design.plan).map_err(error::run)?;
    let names = observables(first.as_ref(), design.plan.from);
    let m = Manifest::new(&design, document.to_json(), names, &(0..design.count));
    let head = m.headers()[0].clone();
    Ok((m.count, head, m.inputs, m.observables, m.times, m.quantiles))
}
type Layout = (u64, String, Vec<String>, Vec<String>, Vec<f64>, Vec<f64>);

/// The trajectories of a range: `inputs` (varied, trajectory), `observed` (time, observable,
/// trajectory), `rows` (times reached), `steps`, `failures`; and the exception that stopped it, if
/// one did: then the arrays hold what was complete.
#[pyfunction]
#[pyo3(signature = (given, folder, start, stop, threads=0, lanes=None, progress=None))]
pub fn ensemble_range<'py>(
    py: Python<'py>,
    given: Given<'py>,
    folder: &str,
    start: u64,
    stop: u64,
    threads: usize,
    lanes: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Bound<'py, PyDict>, Option<PyErr>)> {
    let document = document(&given)?;
    let mut design = design(&document, folder)?;
    let mut columns = Columns::default();
    let (outcome, said) = attended(py, progress.as_ref(), |flag, done| {
        design.plan.stop = Stop::when(flag.clone());
        let settings = How { threads, lanes, shard: None };
        let count = |n: u64| done.store(n, Ordering::Relaxed);
        let job = Job::new(&design, document.to_json(), settings).range(start..stop);
        job.progress(&count).run(&mut columns)
    })?;
    outcome.map_err(|error| match error {
        EnsembleError::Run(error) => error::run(error),
        error => exception(!matches!(error, EnsembleError::Threads(_)), &error),
    })?;
    let ends = columns.ends();
    let (width, times) =
        columns.manifest().map_or((0, 0), |m| (m.observables.len(), m.times.len()));
    let (varied, n) = (design.inputs().len(), ends.len());
    let inputs = (0..varied).filter_map(|k| columns.input(k));
    let cells = 0..times * width;
    let observed = cells.filter_map(|cell| columns.observable(cell / width, cell % width));
    let failures: Vec<(u64, f64, &str)> = (start..)
        .zip(ends)
        .filter_map(|(i, end)| end.failure.as_ref().map(|f| (i, f.t, f.reason.as_str())))
        .collect();
    let out = PyDict::new(py);
    out.set_item("inputs", table(py, inputs, vec![varied, n])?)?;
    out.set_item("observed", table(py, observed, vec![times, width, n])?)?;
    out.set_item("rows", PyArray1::from_iter(py, ends.iter().map(|end| end.rows as u32)))?;
    out.set_item("steps", PyArray1::from_iter(py, ends.iter().map(|end| end.steps)))?;
    out.set_item("failures", failures)?;
    Ok((out, said.or_else(|| fault(py, document.root()))))
}

/// Columns of one length as an array.
fn table<'py, 'a>(
    py: Python<'py>,
    columns: impl Iterator<Item = &'a [f64]>,
    shape: Vec<usize>,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let mut numbers = Vec::with_capacity(shape.iter().product());
    columns.for_each(|column| numbers.extend_from_slice(column));
    PyArray1::from_vec(py, numbers).reshape(shape)
}

/// Statistics of arrays as [`ensemble_range`] gives them: `statistics.csv`, and as JSON.
#[pyfunction]
pub fn ensemble_statistics(
    py: Python<'_>,
    times: Vec<f64>,
    names: Vec<String>,
    quantiles: Vec<f64>,
    observed: PyReadonlyArray3<'_, f64>,
    rows: Vec<usize>,
) -> PyResult<(String, String)> {
    let numbers = observed.as_slice()?;
    Ok(py.detach(|| {
        let mut statistics = Statistics::new(times, names, quantiles);
        statistics.feed_columns(numbers, &rows);
        (statistics.to_csv(), statistics.to_json().to_string())
    }))
}

/// The bytes of `final.csv`: trajectories from `first` on, with their last observables at `t`; only
/// those that reached the end have a row.
#[pyfunction]
pub fn ensemble_csv(
    py: Python<'_>,
    head: String,
    first: u64,
    t: f64,
    inputs: PyReadonlyArray2<'_, f64>,
    last: PyReadonlyArray2<'_, f64>,
    reached: Vec<bool>,
) -> PyResult<String> {
    let columns = [inputs.as_slice()?, last.as_slice()?];
    Ok(py.detach(|| {
        let mut text = head;
        push_columns(&mut text, first, t, columns, &reached);
        text
    }))
}
