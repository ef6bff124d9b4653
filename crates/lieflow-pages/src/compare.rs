//! The page of a comparison: what an error costs with each method.
use crate::Subject;
use lieflow_models::study::compare::Comparison;
use lieflow_models::study::order::Point;
use lieflow_report::figure::{Figure, Series, Style};
use lieflow_report::page::Page;
use lieflow_report::table::Table;

/// The whole page.
pub fn page(subject: &Subject<'_>, found: &Comparison) -> Page {
    Page { plots: figures(found), tables: vec![picks(found)], ..subject.page(format!("Methods on {}", subject.called())) }
}

/// The cheapest method for each error.
pub fn picks(found: &Comparison) -> Table {
    let heads = ["error", "method", ">step", ">reached", ">seconds", ">evaluations", "because"];
    let mut table = Table::new(heads).titled(
        "Which one to pick",
        format!("Errors against {}. Times are those of this machine.", found.reference),
    );
    for p in &found.picks {
        table.row([
            format!("{:.0e}", p.target),
            p.method.clone(),
            format!("{:?}", p.step),
            format!("{:.2e}", p.error),
            format!("{:.3e}", p.seconds),
            p.evaluations.to_string(),
            p.reason.clone(),
        ]);
    }
    table
}

/// Errors against two measures of cost.
fn figures(found: &Comparison) -> Vec<Figure> {
    let figure = |title: &str, label: &str, cost: fn(&Point) -> f64| {
        let mut figure = Figure::new(title, label, "error").log_log();
        for ladder in &found.ladders {
            let points = ladder.points.iter();
            let points = points.filter_map(|p| Some((cost(p), p.outcome.as_ref().ok()?.total)));
            figure = figure.with(Series::new(ladder.method.as_str(), Style::Marked, points));
        }
        figure
    };
    vec![
        figure("Error against time", "seconds", |p| p.seconds),
        figure("Error against evaluations", "field evaluations", |p| p.field_evaluations as f64),
    ]
}
