//! The kinds of studies that experiments are made of.
//!
//! | kind | what runs | what is measured, after the name of the study |
//! | --- | --- | --- |
//! | `convergence` | every method at every step | `LABEL/STEP/PART` errors, `LABEL/order/PART`, `LABEL/STEP/evaluations` |
//! | `series` | every method at every step | `LABEL/STEP/INVARIANT/max`, `min`, `amplitude`, `slope`, `final`, `at:N`, `exponent` |
//! | `path` | every method at every step | `LABEL/STEP/COMPONENT/min`, `max`, `final`, and against a reference `rms`, `largest` |
//! | `adaptive` | pairs with tolerances, over a varied key | `LABEL/VALUE/accepted`, `rejected`, `error`, `constant` |
//! | `roundings` | every method at every step, from many starts | `LABEL/STEP/QUANTITY/exponent`, `bias`, `final` |
//! | `ensemble` | the free bodies of Lewis and Olver | `LABEL/STEP/mean` of the largest energy errors |
//! | `timing` | every method at the first step | `LABEL/ratio` of the time per step to the first method's |
//! | `landscape` | nothing: the energy at rest | `AXIS/min`, `argmin`, `at:S` |
use crate::experiment::{MethodChoice, StudyTable};
use crate::measure::Measured;
use lieflow_models::problem_file::{Document, Setting, SpecError};
use lieflow_models::problems;
use lieflow_models::run::{Model, Plan, RunFailure};
use lieflow_models::study::StudyError;
use lieflow_report::figure::Figure;

mod adaptive;
mod component;
mod convergence;
mod ensemble;
mod landscape;
mod path;
mod roundings;
mod series;
mod timing;

/// What a study yields.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Named numbers, for claims.
    pub measured: Measured,
    /// What is drawn; figures of one study share a sheet.
    pub figures: Vec<Figure>,
    /// Tables for other tools: a name, the head, and the rows.
    pub data: Vec<DataTable>,
}

/// Columns of numbers for a CSV file.
#[derive(Clone, Debug, Default)]
pub struct DataTable {
    /// Name of the file, without its ending.
    pub name: String,
    /// Column heads.
    pub head: Vec<String>,
    /// Rows of texts and numbers, as they are written.
    pub rows: Vec<Vec<String>>,
}

/// Why a study could not be carried out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The file is wrong.
    #[error("{0}")]
    Spec(#[from] SpecError),
    /// A run failed.
    #[error("study '{study}', {label}, step {step}: {source}")]
    Run {
        /// The study.
        study: String,
        /// The method.
        label: String,
        /// The step.
        step: String,
        /// Why.
        source: RunFailure,
    },
    /// A convergence study failed.
    #[error("study '{study}': {source}")]
    Study {
        /// The study.
        study: String,
        /// Why.
        source: StudyError,
    },
    /// No such kind, or it lacks something.
    #[error("study '{study}': {reason}")]
    Kind {
        /// The study.
        study: String,
        /// What is wrong.
        reason: String,
    },
}

/// Carries out a study.
pub fn carry_out(table: &StudyTable, quick: bool) -> Result<Outcome, ExperimentError> {
    let kind = match table.kind.as_str() {
        "convergence" => convergence::carry_out,
        "series" => series::carry_out,
        "path" => path::carry_out,
        "adaptive" => adaptive::carry_out,
        "ensemble" => ensemble::carry_out,
        "roundings" => roundings::carry_out,
        "timing" => timing::carry_out,
        "landscape" => landscape::carry_out,
        other => {
            let reason = format!(
                "no kind is called '{other}'; there are: convergence, series, path, adaptive, \
                 ensemble, roundings, timing, landscape"
            );
            return Err(ExperimentError::Kind { study: table.name.clone(), reason });
        }
    };
    kind(table, quick)
}

/// The problem of a study with its settings, those of a method, and more.
fn problem(
    table: &StudyTable,
    choice: Option<&MethodChoice>,
    more: &[String],
    quick: bool,
) -> Result<(Box<dyn Model>, Plan), ExperimentError> {
    let Some(builtin) = problems::find(&table.problem) else {
        let reason = format!("no built-in problem is called '{}'", table.problem);
        return Err(ExperimentError::Kind { study: table.name.clone(), reason });
    };
    let quick_settings: &[String] = if quick { &table.quick } else { &[] };
    let mut texts: Vec<String> = table.settings.clone();
    texts.extend_from_slice(quick_settings);
    if let Some(choice) = choice {
        texts.push(format!("solve.method=\"{}\"", choice.id));
        texts.extend(choice.settings.iter().cloned());
    }
    texts.extend_from_slice(more);
    let settings = texts.iter().map(|t| Setting::parse(&table.name, t));
    let settings = settings.collect::<Result<Vec<_>, _>>()?;
    let document = Document::parse(builtin.text, builtin.id, &settings)?;
    let mut plan = document.plan()?;
    plan.stop = table.stop.clone();
    Ok((document.build()?, plan))
}

/// The error of a run.
fn failed(table: &StudyTable, label: &str, step: &str, source: RunFailure) -> ExperimentError {
    ExperimentError::Run {
        study: table.name.clone(),
        label: label.into(),
        step: step.into(),
        source,
    }
}

/// The steps of a study, or none that fit is an error.
fn need_steps(table: &StudyTable, least: usize) -> Result<(), ExperimentError> {
    if table.steps.len() >= least && !table.methods.is_empty() {
        return Ok(());
    }
    let reason = format!("needs methods and at least {least} step(s)");
    Err(ExperimentError::Kind { study: table.name.clone(), reason })
}

/// A number for a file: reading it back gives the same bits.
fn exact(x: f64) -> String {
    format!("{x:?}")
}
