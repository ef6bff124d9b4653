//! The page of an ensemble: how every observable is distributed, and how that changes in time.
use crate::command::statistics_table;
use lieflow_ensemble::design::Design;
use lieflow_ensemble::run::Outcome;
use lieflow_models::door::Pace;
use lieflow_report::figure::{Figure, Series, Style};
use lieflow_report::page::{Fact, Page, Table, Verdict};

/// More observables than this are not drawn.
const DRAWN: usize = 24;

/// The whole page.
pub fn ensemble_page(name: &str, design: &Design, outcome: &Outcome, problem: String) -> Page {
    let count = outcome.range.1 - outcome.range.0;
    let fact = |name: &str, value: String| Fact { name: name.into(), value };
    let pace = match design.plan.pace {
        Pace::Fixed { step } => format!("step {step}"),
        Pace::Adaptive { tol, .. } => format!("tolerance {tol:e}"),
    };
    let mut facts = vec![
        fact("trajectories", format!("{count}, {} failed", outcome.failed)),
        fact("varied", design.vary.iter().map(|v| v.key.as_str()).collect::<Vec<_>>().join(", ")),
        fact("seed", design.seed.to_string()),
        fact("method", format!("{}, {pace}", design.plan.method)),
        fact("interval", format!("{} to {}", design.plan.from, design.plan.until)),
        fact("steps of all", outcome.steps.to_string()),
        fact("cores, lanes", format!("{}, {}", outcome.threads, outcome.lanes)),
    ];
    if let Some((index, _, reason)) = outcome.failures.first() {
        facts.insert(1, fact("first failure", format!("trajectory {index}: {reason}")));
    }
    let (columns, rows) = statistics_table(&outcome.statistics);
    let t = outcome.statistics.times.last().copied().unwrap_or(f64::NAN);
    let statistics = Table {
        title: format!("Distribution at t = {t}"),
        columns,
        rows: rows.into_iter().map(|row| (row, Verdict::Plain)).collect(),
        note:
            "Quantiles are exact up to 2048 trajectories, and within 0.1 % of rank for a million."
                .into(),
    };
    let mut tables = vec![statistics];
    if !outcome.failures.is_empty() {
        let mut columns = vec!["trajectory".to_string()];
        columns.extend(design.inputs());
        columns.push("reason".into());
        let row = |(index, numbers, reason): &(u64, Vec<f64>, String)| {
            let mut row = vec![index.to_string()];
            row.extend(numbers.iter().map(|x| format!("{x:?}")));
            row.push(reason.clone());
            (row, Verdict::Bad)
        };
        tables.push(Table {
            title: "Trajectories that failed".into(),
            columns,
            rows: outcome.failures.iter().map(row).collect(),
            note: format!("{} in all; every one is in failures.csv.", outcome.failed),
        });
    }
    Page {
        title: name.into(),
        subtitle: format!("ensemble of {count} · {} · {pace}", design.plan.method),
        facts,
        tables,
        plots: plots(outcome),
        scene: None,
        problem,
        command: "lieflow ensemble problem.toml --out DIR".into(),
    }
}

/// Bands over time where there are several times, and the distribution at the end.
fn plots(outcome: &Outcome) -> Vec<Figure> {
    let statistics = &outcome.statistics;
    let last = statistics.times.len() - 1;
    let mut figures = Vec::new();
    if last >= 2 {
        for (k, name) in statistics.names.iter().enumerate().take(DRAWN) {
            let mut figure = Figure::new(format!("{name} over time"), "time", name.clone());
            let at = |i: usize| statistics.at(i).nth(k).map(|(_, cell)| cell);
            for (j, q) in statistics.wanted.iter().enumerate() {
                let value = |i: usize| {
                    at(i).map_or(f64::NAN, |cell| cell.quantiles.at(&statistics.wanted)[j])
                };
                let points = statistics.times.iter().enumerate().map(|(i, t)| (*t, value(i)));
                let label = format!("{}% of trajectories below", 100.0 * q);
                figure = figure.with(Series::new(label, Style::Line, points));
            }
            let mean = |i: usize| at(i).map_or(f64::NAN, |cell| cell.moments.mean());
            let points = statistics.times.iter().enumerate().map(|(i, t)| (*t, mean(i)));
            figures.push(figure.with(Series::new("mean", Style::Guide, points)));
        }
    }
    let fractions: Vec<f64> = (0..=200).map(|k| f64::from(k) / 200.0).collect();
    for (name, cell) in statistics.at(last).take(DRAWN) {
        let title = format!("Distribution of {name} at t = {}", statistics.times[last]);
        let points = cell.quantiles.at(&fractions).into_iter().zip(fractions.iter().copied());
        let figure = Figure::new(title, name, "share of trajectories not above");
        figures.push(figure.with(Series::new(name, Style::Line, points)));
    }
    figures
}
