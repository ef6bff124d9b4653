//! Adaptive steps over a varied key, against constant steps of the same number.
//!
//! Keys: `vary = "parameters.count"` with `values = [2, 4]` (settings of the problem; without
//! `vary` one run); `constant = "rkmk-dp54"` runs that method with as many equal steps as were
//! accepted and measures its error; `reference = { method, steps }` the run that errors are
//! measured against; `log = true` for the horizontal axis.
use super::{DataTable, ExperimentError, Outcome, exact, failed, problem};
use crate::experiment::{MethodChoice, StudyTable};
use lieflow_models::problem_file::Warnings;
use lieflow_models::run::{NullSink, Pace};
use lieflow_models::study::difference;
use lieflow_report::figure::{Figure, Series, Style};

pub(super) fn carry_out(table: &StudyTable, quick: bool) -> Result<Outcome, ExperimentError> {
    let warnings = Warnings::default();
    let reader = table.reader(&warnings)?;
    let vary = reader.optional_text("vary")?;
    let values = if reader.has("values") { reader.numbers("values")? } else { vec![f64::NAN] };
    let quick_values =
        if reader.has("quick_values") { reader.numbers("quick_values")? } else { values.clone() };
    let values = if quick { quick_values } else { values };
    let constant = reader.optional_text("constant")?.map(String::from);
    let reference = reader.sub("reference")?;
    let fine = reference.text("method")?.to_string();
    let fine_steps = reference.integer("steps")?.max(1);
    reference.finish()?;
    reader.finish()?;

    let mut outcome = Outcome::default();
    let mut data = DataTable { name: table.name.clone(), ..DataTable::default() };
    data.head =
        ["method", "value", "accepted", "rejected", "error", "constant"].map(String::from).into();
    let x_label = vary.and_then(|v| v.rsplit('.').next()).unwrap_or("run");
    let mut figure = Figure::new(table.title.as_str(), x_label, "error").log_y();
    for choice in &table.methods {
        let (mut variable, mut fixed) = (Vec::new(), Vec::new());
        for value in &values {
            let more: Vec<String> = vary.iter().map(|key| format!("{key}={value}")).collect();
            let run = |choice: &MethodChoice, pace: Option<Pace>| {
                let (model, mut plan) = problem(table, Some(choice), &more, quick)?;
                let name = value.to_string();
                if let Some(pace) = pace {
                    plan.pace = pace;
                }
                let result = model.run(&plan, &mut NullSink);
                result.map(|r| (model, r)).map_err(|f| failed(table, &choice.label, &name, f))
            };
            let by_id =
                |id: &str| MethodChoice { id: id.into(), label: id.into(), settings: Vec::new() };
            let (model, record) = run(choice, None)?;
            let length = (record.until - record.from).abs();
            let (_, truth) =
                run(&by_id(&fine), Some(Pace::Fixed { step: length / fine_steps as f64 }))?;
            let parts = model.error_parts();
            let error = difference(parts, &record.state, &truth.state).total;
            let path = |what: &str| match vary {
                Some(_) => format!("{}/{}/{value}/{what}", table.name, choice.label),
                None => format!("{}/{}/{what}", table.name, choice.label),
            };
            outcome.measured.put(path("accepted"), record.steps as f64);
            outcome.measured.put(path("rejected"), record.rejected as f64);
            outcome.measured.put(path("error"), error);
            variable.push((*value, error));
            let mut row = vec![choice.label.clone(), exact(*value)];
            row.extend([record.steps, record.rejected].map(|n| n.to_string()));
            row.push(exact(error));
            if let Some(id) = &constant {
                let step = length / record.steps.max(1) as f64;
                let (_, even) = run(&by_id(id), Some(Pace::Fixed { step }))?;
                let error = difference(parts, &even.state, &truth.state).total;
                outcome.measured.put(path("constant"), error);
                fixed.push((*value, error));
                row.push(exact(error));
            }
            data.rows.push(row);
        }
        let name = |what: &str| format!("{}, {what}", choice.label);
        figure = figure.with(Series::new(name("variable step"), Style::Marked, variable));
        if !fixed.is_empty() {
            figure = figure.with(Series::new(name("constant step"), Style::Marked, fixed));
        }
    }
    outcome.figures.push(figure);
    outcome.data.push(data);
    Ok(outcome)
}
