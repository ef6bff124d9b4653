//! What an ensemble has to tell, on the terminal and in its folder.
use crate::error::Failure;
use crate::output::number::counted;
use crate::output::write_page;
use crate::output::written::written;
use lieflow_ensemble::design::Design;
use lieflow_ensemble::run::Outcome;
use lieflow_ensemble::store::Sampled;
use lieflow_files::{FileError, ResultFolder};
use lieflow_models::problem_file::Document;
use lieflow_pages::ensemble::{Rows, distribution, page};
use serde_json::{Value as Json, json};
use std::path::Path;

/// The most observables that are printed.
const SHOWN: usize = 40;

/// Writes the page with its figures and the summary beside the tables, which are complete.
pub fn write(
    results: &mut ResultFolder,
    name: &str,
    document: &Document,
    design: &Design,
    outcome: &Outcome,
    summary: &mut Json,
) -> Result<(), Failure> {
    let written =
        ["summary.json", "report.html"].map(|f| results.dir().join(f).display().to_string());
    if let Json::Array(files) = &mut summary["files"] {
        files.extend(written.map(Json::from));
    }
    let rows = rows(results.dir(), design, outcome)?;
    let title = document.title();
    let page = page(name, title, design, outcome, &rows, document.to_toml());
    write_page(results, &page)?;
    results.write("summary.json", format!("{summary:#}\n").as_bytes())?;
    Ok(results.commit()?)
}

/// Some trajectories for the figures, from the files; tables without rows are not there.
fn rows(dir: &Path, design: &Design, outcome: &Outcome) -> Result<Rows, Failure> {
    let count = outcome.range.1 - outcome.range.0;
    let Sampled([last, observed, failures]) = Sampled::open(dir, Rows::strides(count))?;
    Rows::read(count, design.inputs().len(), last, observed, failures)
        .map_err(|error| FileError::read(dir)(error).into())
}

/// The document of `ensemble --json`.
pub fn to_json(outcome: &Outcome, design: &Design) -> Json {
    let inputs = design.inputs();
    let failure = |(index, numbers, reason): &(u64, Vec<f64>, String)| {
        let value = |(k, x): (usize, &f64)| match design.input_word(k, *x) {
            Some(word) => json!(word),
            None => json!(x),
        };
        let data: serde_json::Map<String, Json> =
            inputs.iter().cloned().zip(numbers.iter().enumerate().map(value)).collect();
        json!({ "index": index, "data": data, "reason": reason })
    };
    let mut document = json!({
        "count": outcome.range.1 - outcome.range.0,
        "range": [outcome.range.0, outcome.range.1],
        "resumed": outcome.resumed,
        "done": outcome.done,
        "ended": if outcome.interrupted { "interrupted" } else { "end" },
        "steps": outcome.steps,
        "seconds": outcome.seconds,
        "integration_seconds": outcome.integration_seconds,
        "trajectory_steps_per_second": outcome.steps as f64 / outcome.seconds,
        "threads": outcome.threads,
        "lanes": outcome.lanes,
        "failed": outcome.failed,
        "failures": outcome.failures.iter().map(failure).collect::<Vec<_>>(),
        "statistics": outcome.statistics.to_json(),
        "files": outcome.files.iter().map(|p| p.display().to_string()).collect::<Vec<_>>(),
    });
    if let Some(device) = &outcome.device {
        document["device"] = json!({
            "names": device.names,
            "trajectories": device.trajectories,
            "alone": device.alone,
            "seconds": device.seconds,
            "lost": device.lost.as_ref().map(ToString::to_string),
        });
    }
    document
}

/// What people read.
pub fn report(outcome: &Outcome, design: &Design, summary: &Json) -> String {
    let inputs = design.inputs();
    let count = outcome.range.1 - outcome.range.0;
    let rate = outcome.steps as f64 / outcome.seconds;
    let mut text = format!(
        "{}, {} failed, {} in {:.3} s: {rate:.3e} trajectory steps per second\n\
         {}, {} side by side in each\n",
        counted(count, "trajectory"),
        outcome.failed,
        counted(outcome.steps, "step"),
        outcome.seconds,
        counted(outcome.threads as u64, "core"),
        counted(outcome.lanes as u64, "trajectory")
    );
    if let Some(device) = &outcome.device {
        text += &format!(
            "{} on {}, {} of its trajectories by the CPU\n",
            counted(device.trajectories, "trajectory"),
            device.names.join(", "),
            device.alone
        );
    }
    if outcome.resumed > 0 {
        text += &format!("{} of them were done before\n", outcome.resumed);
    }
    let mut table = distribution(&outcome.statistics);
    // A chain of a hundred links is for the files.
    let more = table.rows.len().saturating_sub(SHOWN);
    table.rows.truncate(SHOWN);
    let t = outcome.statistics.times.last().copied().unwrap_or(f64::NAN);
    text += &format!("\nat t = {t}\n{}", table.to_text(0));
    if more > 0 {
        text += &format!("… and {more} more\n");
    }
    for (index, numbers, reason) in outcome.failures.iter().take(5) {
        let value = |(k, x): (usize, &f64)| match design.input_word(k, *x) {
            Some(word) => format!("{} = {word}", inputs[k]),
            None => format!("{} = {x:?}", inputs[k]),
        };
        let data: Vec<String> = numbers.iter().enumerate().map(value).collect();
        text += &format!("\ntrajectory {index} failed: {reason}\n  {}\n", data.join(", "));
    }
    let files = summary["files"].as_array().into_iter().flatten().filter_map(Json::as_str);
    text + &written(files)
}
