//! Studies, certificates and published experiments, as the JSON of the tool; and the tool itself.
use crate::attention::attended;
use crate::convert::{Settings, document};
use crate::error::{self, IntegrationError, ProblemError};
use lieflow_certify::{Source, certify as certify_method, certify_on};
use lieflow_models::catalogue;
use lieflow_models::method_names::once_each;
use lieflow_models::run::{Pace, Stop};
use lieflow_models::study::{StudyError, compare, drift, fitting_among, order, suggested};
use lieflow_models::system::Registry;
use lieflow_reproduce::finished::Finished;
use lieflow_reproduce::run::{Options, carry_out_all};
use pyo3::prelude::*;
use serde_json::{Value as Json, json};
use std::sync::atomic::Ordering;

/// What a study yields, unless Python or the study said otherwise.
fn told<E>(
    (outcome, said): (Option<Result<Json, E>>, Option<PyErr>),
    exception: impl FnOnce(E) -> PyErr,
) -> PyResult<String> {
    match (said, outcome) {
        (Some(said), _) => Err(said),
        (None, Some(outcome)) => Ok(outcome.map_err(exception)?.to_string()),
        (None, None) => Err(IntegrationError::new_err("the study broke off")),
    }
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
#[pyo3(signature = (kind, problem, origin, settings, methods, steps, all=false, rounds=3, threads=0, progress=None))]
fn study(
    py: Python<'_>,
    kind: &str,
    problem: &Bound<'_, PyAny>,
    origin: &str,
    settings: Settings<'_>,
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
    let chosen = settings.iter().any(|(key, _)| key == "solve.method");
    let document = document(problem, origin, &settings)?;
    let model = document.build().map_err(error::spec)?;
    let mut plan = document.plan().map_err(error::spec)?;
    let steps = match plan.pace {
        _ if kind != "drift" || !steps.is_empty() => steps,
        Pace::Fixed { step } => vec![step],
        Pace::Adaptive { .. } => {
            let text = "steps: found a problem with a tolerance, expected step sizes: drift is \
                        measured with fixed steps";
            return Err(ProblemError::new_err(text));
        }
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
        let count = || done.fetch_add(1, Ordering::Relaxed);
        let mut begins = |_: &str| {
            count();
        };
        Ok(match kind {
            "compare" => {
                compare::compare(model.as_ref(), &plan, &methods, &steps, rounds, &mut begins)?
                    .to_json()
            }
            "drift" => {
                let ended = |_: &drift::LongRun| {
                    count();
                };
                let runs = drift::long_runs(
                    model.as_ref(),
                    &plan,
                    &methods,
                    &steps,
                    cores(threads),
                    &ended,
                )?;
                drift::to_json(&runs)
            }
            _ => {
                let study = order::OrderStudy::new(model.as_ref(), &plan, &methods, &steps)?;
                study.to_json(&study.run(&mut begins)?)
            }
        })
    });
    told(outcome, |error: StudyError| error::study(&error))
}

/// The certificate of a method, on a problem if there is one.
#[pyfunction]
fn certify(
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
    told(outcome, |error: StudyError| error::study(&error))
}

/// Runs published experiments again.
#[pyfunction]
#[pyo3(signature = (what, quick=false, threads=0, progress=None))]
fn reproduce(
    py: Python<'_>,
    what: &str,
    quick: bool,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let chosen = lieflow_reproduce::chosen(what).map_err(error::spec)?;
    let outcome = attended(py, progress.as_ref(), |flag, done| {
        let threads = cores(threads);
        let options = Options { quick, out: None, threads, stop: Stop::when(flag.clone()) };
        let count = |_: &Finished| {
            done.fetch_add(1, Ordering::Relaxed);
        };
        let finished = carry_out_all(&chosen, &options, &count)?;
        let holds = finished.len() == chosen.len() && finished.iter().all(Finished::holds);
        let experiments: Vec<_> = finished.iter().map(Finished::to_json).collect();
        Ok(json!({ "experiments": experiments, "holds": holds, "ended": "end" }))
    });
    told(outcome, |error: lieflow_files::FileError| IntegrationError::new_err(error.to_string()))
}

/// All methods: id, title and the systems that they fit.
#[pyfunction]
fn methods() -> Vec<(&'static str, &'static str, Vec<&'static str>)> {
    let listed = catalogue::methods().into_iter();
    listed.map(|method| (method.card.id, method.card.title, method.systems)).collect()
}

/// The command-line tool; the name of the program comes first. Gives the exit status.
#[pyfunction]
fn tool(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| lieflow_cli::run(arguments))
}

/// Adds the functions to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(study, m)?)?;
    m.add_function(wrap_pyfunction!(certify, m)?)?;
    m.add_function(wrap_pyfunction!(reproduce, m)?)?;
    m.add_function(wrap_pyfunction!(methods, m)?)?;
    m.add_function(wrap_pyfunction!(tool, m)?)
}
