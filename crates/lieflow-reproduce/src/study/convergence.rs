//! Errors against the step size, and observed orders.
//!
//! Keys: `against = "step" | "evaluations" | "seconds"` for the horizontal axis; `slopes = [2, 4]`
//! for lines to compare with; `parts = ["attitude", …]` to draw only some errors.
use super::{DataTable, ExperimentError, Outcome, exact, need_steps, problem};
use crate::experiment::StudyTable;
use lieflow_models::problem_file::Warnings;
use lieflow_models::study::order::{Ladder, OrderStudy, Reference};
use lieflow_report::figure::{Figure, Series, Style};

pub(super) fn carry_out(table: &StudyTable, quick: bool) -> Result<Outcome, ExperimentError> {
    need_steps(table, 3)?;
    let warnings = Warnings::default();
    let reader = table.reader(&warnings)?;
    let against = reader.choice_or("against", &["step", "evaluations", "seconds"], "step")?;
    let slopes = if reader.has("slopes") { reader.numbers("slopes")? } else { Vec::new() };
    reader.finish()?;

    let wrap = |source| ExperimentError::Study { study: table.name.clone(), source };
    let steps: Vec<f64> = table.steps.iter().map(|(_, h)| *h).collect();
    let mut reference: Option<Reference> = None;
    let mut ladders: Vec<(String, Ladder)> = Vec::new();
    let mut parts = Vec::new();
    for choice in &table.methods {
        let (model, plan) = problem(table, Some(choice), &[], quick)?;
        let methods = [choice.id.clone()];
        // One reference serves all methods of the study.
        let study = match &reference {
            Some(known) => {
                OrderStudy::against(model.as_ref(), &plan, &methods, &steps, known.clone())
            }
            None => OrderStudy::new(model.as_ref(), &plan, &methods, &steps),
        }
        .map_err(wrap)?;
        reference.get_or_insert_with(|| study.reference().clone());
        parts = study.parts();
        for ladder in study.run(&mut |_| ()).map_err(wrap)? {
            ladders.push((choice.label.clone(), ladder));
        }
    }

    let mut outcome = Outcome::default();
    let mut data = DataTable { name: table.name.clone(), ..DataTable::default() };
    data.head = ["method", "step", "evaluations", "error"].map(String::from).to_vec();
    data.head.extend(parts.iter().map(|p| (*p).to_string()));
    for (label, ladder) in &ladders {
        let path = |rest: &str| format!("{}/{label}/{rest}", table.name);
        if let Some(order) = ladder.order {
            outcome.measured.put(path("order"), order);
        }
        for (part, order) in &ladder.part_orders {
            if let Some(order) = order {
                outcome.measured.put(path(&format!("order/{part}")), *order);
            }
        }
        for point in &ladder.points {
            let name = table.steps.iter().find(|(_, h)| *h == point.step);
            let name = name.map_or_else(|| point.step.to_string(), |(n, _)| n.clone());
            let evaluations = point.field_evaluations as f64;
            outcome.measured.put(path(&format!("{name}/evaluations")), evaluations);
            match &point.outcome {
                Ok(errors) => {
                    outcome.measured.put(path(&format!("{name}/failed")), 0.0);
                    outcome.measured.put(path(&format!("{name}/error")), errors.total);
                    let mut row = vec![
                        label.clone(),
                        exact(point.step),
                        exact(evaluations),
                        exact(errors.total),
                    ];
                    for (part, error) in &errors.parts {
                        outcome.measured.put(path(&format!("{name}/{part}")), *error);
                        row.push(exact(*error));
                    }
                    data.rows.push(row);
                }
                // A step that a method cannot make is a result too.
                Err(_) => outcome.measured.put(path(&format!("{name}/failed")), 1.0),
            }
        }
    }
    let x_label = match against {
        "evaluations" => "evaluations",
        "seconds" => "seconds",
        _ => "step",
    };
    for (k, part) in parts.iter().enumerate() {
        let title =
            if parts.len() == 1 { table.title.clone() } else { format!("{}: {part}", table.title) };
        let mut figure = Figure::new(title, x_label, "error").log_log();
        for (label, ladder) in &ladders {
            let points = ladder.points.iter().filter_map(|p| {
                let error = p.outcome.as_ref().ok()?.parts.get(k)?.1;
                let x = match against {
                    "evaluations" => p.field_evaluations as f64,
                    "seconds" => p.seconds,
                    _ => p.step,
                };
                Some((x, error))
            });
            figure = figure.with(Series::new(label.as_str(), Style::Marked, points));
        }
        for slope in &slopes {
            figure = figure.with_slope(*slope);
        }
        outcome.figures.push(figure);
    }
    outcome.data.push(data);
    Ok(outcome)
}
