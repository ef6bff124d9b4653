//! The page of a convergence study: observed orders, and errors against the step.
use crate::{Subject, number};
use lieflow_models::study::order::{Ladder, OrderStudy};
use lieflow_report::figure::{Figure, Series, Style};
use lieflow_report::page::{Chip, Fact, Page, Section};
use lieflow_report::table::{Column, Table, Verdict};

/// An order this far below the stated one is worth a look.
const NEAR: f64 = 0.25;

/// The whole page.
pub fn page(subject: &Subject<'_>, study: &OrderStudy<'_>, ladders: &[Ladder]) -> Page {
    let reference = study.reference();
    let fact = |name: &str, value: String| Fact { name: name.into(), value };
    let facts = vec![
        fact("errors at", format!("t = {}", study.until())),
        fact("against", format!("{} with step {:e}", reference.method, reference.step)),
        fact("itself accurate to about", format!("{:.1e}", reference.uncertainty)),
    ];
    let errors = Section {
        title: "All errors".into(),
        plots: vec![],
        tables: ladders.iter().map(|ladder| errors(study, ladder)).collect(),
    };
    Page {
        facts,
        chips: ladders.iter().map(chip).collect(),
        tables: vec![orders(study, ladders)],
        plots: figures(study, ladders),
        sections: vec![errors],
        ..subject.page(format!("Convergence on {}", subject.called()))
    }
}

/// How the observed order stands to the stated one.
fn judge(ladder: &Ladder) -> Verdict {
    match ladder.order {
        Some(order) if order >= f64::from(ladder.stated) - NEAR => Verdict::Good,
        Some(_) => Verdict::Warn,
        None => Verdict::Plain,
    }
}

fn seen(order: Option<f64>) -> String {
    order.map_or("not seen".into(), |order| format!("{order:.2}"))
}

fn chip(ladder: &Ladder) -> Chip {
    Chip {
        text: format!("{}: order {}", ladder.method, seen(ladder.order)),
        verdict: judge(ladder),
    }
}

/// The observed orders, a row for each method.
fn orders(study: &OrderStudy<'_>, ladders: &[Ladder]) -> Table {
    let heads = ["method", "verdict", ">observed", ">stated", ">smallest error"];
    let mut table = Table::new(heads).titled(
        "Observed orders",
        "Least-squares slopes of log error over log step, on points above the rounding floor and in the \
         asymptotic regime. Slopes of the parts of the state are beside.",
    );
    let right = |part: &&str| Column { name: format!("order in {part}"), right: true };
    table.columns.extend(study.parts().iter().map(right));
    for ladder in ladders {
        let totals = ladder.points.iter().filter_map(|p| Some(p.outcome.as_ref().ok()?.total));
        let smallest = totals.fold(f64::INFINITY, f64::min);
        let verdict = judge(ladder);
        let word = match verdict {
            Verdict::Good => "✓ as stated",
            Verdict::Warn => "✗ below",
            _ => "○ not seen",
        };
        let mut row =
            vec![ladder.method.clone(), word.into(), seen(ladder.order), ladder.stated.to_string()];
        row.push(if smallest.is_finite() { format!("{smallest:.2e}") } else { "failed".into() });
        row.extend(ladder.part_orders.iter().map(|(_, order)| seen(*order)));
        table.row(row);
    }
    table
}

/// The errors of one method, a row for each step.
fn errors(study: &OrderStudy<'_>, ladder: &Ladder) -> Table {
    error_table(study, ladder, number).titled(ladder.method.clone(), "")
}

/// The same without a title, with steps as they are shown where it is read.
pub fn error_table(study: &OrderStudy<'_>, ladder: &Ladder, step: fn(f64) -> String) -> Table {
    let mut table = Table::new([">step", ">error", ">rate"]);
    let right = |part: &&str| Column { name: (*part).into(), right: true };
    table.columns.extend(study.parts().iter().map(right));
    for point in &ladder.points {
        let mut row = vec![step(point.step)];
        match &point.outcome {
            Ok(errors) => {
                row.push(format!("{:.3e}", errors.total));
                row.push(point.rate.map_or(String::new(), |r| format!("{r:.2}")));
                row.extend(errors.parts.iter().map(|(_, e)| format!("{e:.3e}")));
            }
            Err(failure) => row.push(failure.to_string()),
        }
        table.row(row);
    }
    table
}

/// One figure per part of the state, with the slopes of the stated orders.
fn figures(study: &OrderStudy<'_>, ladders: &[Ladder]) -> Vec<Figure> {
    let mut stated: Vec<u8> = ladders.iter().map(|ladder| ladder.stated).collect();
    stated.sort_unstable();
    stated.dedup();
    let part = |(k, name): (usize, &&str)| {
        let mut figure = Figure::new(format!("Error in {name}"), "step", "error").log_log();
        for ladder in ladders {
            let points = ladder.points.iter();
            let points =
                points.filter_map(|p| Some((p.step, p.outcome.as_ref().ok()?.parts.get(k)?.1)));
            figure = figure.with(Series::new(ladder.method.as_str(), Style::Marked, points));
        }
        let uncertainty = study.reference().uncertainty;
        let steps = ladders.iter().flat_map(|l| &l.points).map(|p| p.step);
        let (lo, hi) = steps.fold((f64::INFINITY, 0.0f64), |(l, h), s| (l.min(s), h.max(s)));
        let drawn = stated.iter().fold(figure, |figure, order| guided(figure, ladders, k, *order));
        if uncertainty > 0.0 && lo < hi {
            let floor = [(lo, uncertainty), (hi, uncertainty)];
            return drawn.with(Series::new("accuracy of the reference", Style::Guide, floor));
        }
        drawn
    };
    study.parts().iter().enumerate().map(part).collect()
}

/// A line of the stated order through the first error of a method that has it.
fn guided(figure: Figure, ladders: &[Ladder], part: usize, order: u8) -> Figure {
    let alike = ladders.iter().filter(|ladder| ladder.stated == order);
    let points = alike.flat_map(|ladder| &ladder.points);
    let known = points.filter_map(|p| Some((p.step, p.outcome.as_ref().ok()?.parts.get(part)?.1)));
    let known: Vec<(f64, f64)> = known.filter(|(_, e)| *e > 0.0 && e.is_finite()).collect();
    // Below the lowest curve at its coarsest step, so that it hides none.
    let Some((step, error)) = known.iter().copied().max_by(|a, b| a.0.total_cmp(&b.0)) else {
        return figure;
    };
    let smallest = known.iter().map(|(step, _)| *step).fold(step, f64::min);
    let at = |h: f64| (h, 0.5 * error * (h / step).powi(i32::from(order)));
    let floor = known.iter().map(|(_, e)| *e).fold(error, f64::min);
    // A line that would run far below the errors ends where they do.
    let low = step * (0.3 * floor / (0.5 * error)).powf(1.0 / f64::from(order.max(1)));
    let from = smallest.max(low.min(step));
    figure.with(Series::new(format!("slope {order}"), Style::Guide, [at(from), at(step)]))
}
