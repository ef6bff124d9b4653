//! Studies, certificates and published experiments, as the JSON of the tool; and the tool itself.
use crate::attention::attended;
use crate::convert::{Given, built};
use crate::error::{self, ProblemError, exception};
use crate::function::fault;
use lieflow_certify::{Source, certify as certify_method, certify_on};
use lieflow_files::{FileError, Kind, ResultFolder};
use lieflow_models::catalogue;
use lieflow_models::method_names::once_each;
use lieflow_models::run::{Pace, Stop};
use lieflow_models::study::{StudyError, compare, drift, fitting_among, order, suggested};
use lieflow_models::system::Registry;
use lieflow_reproduce::finished::Finished;
use lieflow_reproduce::run::{Options, carry_out_all};
use lieflow_reproduce::stored::write_gallery;
use pyo3::prelude::*;
use serde_json::{Value as Json, json};
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a study yields, unless Python or the study said otherwise.
fn told<E: Display>(
    (outcome, said): (Result<Json, E>, Option<PyErr>),
    is_input: fn(&E) -> bool,
) -> PyResult<String> {
    let failed = |error: E| exception(is_input(&error), &error);
    said.map_or_else(|| Ok(outcome.map_err(failed)?.to_string()), Err)
}

/// One more is done.
fn count(done: &AtomicU64) {
    done.fetch_add(1, Ordering::Relaxed);
}

/// As many as there are, for zero.
fn cores(threads: usize) -> usize {
    match threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        n => n,
    }
}

/// `order`, `drift` or `compare` of a problem.
#[pyfunction]
#[pyo3(signature = (kind, given, methods, steps, all=false, rounds=3, threads=1, progress=None))]
pub fn study(
    py: Python<'_>,
    kind: &str,
    given: Given<'_>,
    methods: Vec<String>,
    steps: Vec<f64>,
    all: bool,
    rounds: u32,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    if let Some(step) = steps.iter().find(|step| !(**step > 0.0 && step.is_finite())) {
        let expected = "finite numbers above zero";
        return Err(ProblemError::new_err(format!("steps: found {step}, expected {expected}")));
    }
    let chosen = given.2.iter().any(|(key, _)| key == "solve.method");
    let (document, model, mut plan) = built(&given)?;
    let (steps, tols) = match plan.pace {
        _ if kind != "drift" || !steps.is_empty() => (steps, Vec::new()),
        Pace::Fixed { step } => (vec![step], Vec::new()),
        Pace::Adaptive { tol, .. } => (Vec::new(), vec![tol]),
    };
    let outcome = attended(py, progress.as_ref(), |flag, done| {
        plan.stop = Stop::when(flag.clone());
        let own = || vec![plan.method.clone()];
        let methods = match kind {
            _ if !methods.is_empty() => methods,
            _ if all => fitting_among(model.as_ref(), &plan, once_each),
            "drift" => own(),
            "order" if chosen => own(),
            _ => suggested(model.as_ref(), &plan),
        };
        let model = model.as_ref();
        let mut begins = |_: &str| count(done);
        Ok(match kind {
            "compare" => {
                compare::compare(model, &plan, &methods, &steps, rounds, &mut begins)?.to_json()
            }
            "drift" => {
                let (ended, threads) = (|_: &drift::LongRun| count(done), cores(threads));
                let mut runs = drift::long_runs(model, &plan, &methods, &steps, threads, &ended)?;
                runs.extend(drift::long_runs_with_tolerances(
                    model, &plan, &methods, &tols, threads, &ended,
                )?);
                drift::to_json(&runs)
            }
            _ => {
                let study = order::OrderStudy::new(model, &plan, &methods, &steps)?;
                study.to_json(&study.run(&mut begins)?)
            }
        })
    });
    let (found, said) = outcome?;
    told((found, said.or_else(|| fault(py, document.root()))), StudyError::is_input)
}

/// The certificate of a method, on a problem if there is one.
#[pyfunction]
pub fn certify(
    py: Python<'_>,
    method: &str,
    problem: Option<(String, String, String)>,
    step: Option<f64>,
) -> PyResult<String> {
    let systems = Registry::default();
    let outcome = attended(py, None, |flag, _| {
        let stop = Stop::when(flag.clone());
        let certificate = match problem {
            None => certify_method(method, &[], step, &stop)?,
            Some((name, origin, text)) => {
                let (systems, settings) = (&systems, Vec::new());
                let source = Source { systems, name, origin, text, settings, stop };
                certify_on(method, &source, step)?
            }
        };
        Ok(certificate.to_json())
    });
    told(outcome?, StudyError::is_input)
}

/// Runs published experiments again; with a folder, files go there, and what is complete there is not
/// computed again.
#[pyfunction]
#[pyo3(signature = (what, quick=false, threads=1, out=None, progress=None))]
pub fn reproduce(
    py: Python<'_>,
    what: &str,
    quick: bool,
    threads: usize,
    out: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let chosen = lieflow_reproduce::chosen(what).map_err(error::spec)?;
    let open = |folder: &PathBuf| ResultFolder::open(folder, Kind::Gallery);
    let folder = out.as_ref().map(open).transpose();
    let mut folder = folder.map_err(|error| exception(false, &error))?;
    let outcome = attended(py, progress.as_ref(), |flag, done| {
        let options = Options { quick, out, threads, stop: Stop::when(flag.clone()) };
        let finished = carry_out_all(&chosen, &options, &|_: &Finished| count(done))?;
        if let Some(folder) = &mut folder {
            write_gallery(folder, &finished, quick)?;
        }
        let holds = finished.len() == chosen.len() && finished.iter().all(Finished::holds);
        let experiments: Vec<_> = finished.iter().map(Finished::to_json).collect();
        Ok(json!({ "experiments": experiments, "holds": holds, "ended": "end" }))
    });
    told(outcome?, |_: &FileError| false)
}

/// All methods: id, title and the systems that they fit.
#[pyfunction]
pub fn methods() -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
    let listed = catalogue::methods().into_iter();
    listed.map(|method| (method.card.id, method.card.title, method.systems)).collect()
}

/// The command-line tool; the name of the program comes first. Gives the exit status.
#[pyfunction]
pub fn tool(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| lieflow_cli::run(arguments))
}
