//! The page of a drift study: slopes and block means of every invariant.
use crate::Subject;
use lieflow_models::study::drift::{LongRun, Verdict};
use lieflow_report::figure::{Figure, Series, Style};
use lieflow_report::page::{Chip, Page};
use lieflow_report::table::{Table, Verdict as Mark};

/// The whole page.
pub fn page(subject: &Subject<'_>, runs: &[LongRun]) -> Page {
    Page {
        chips: runs.iter().map(chip).collect(),
        plots: figures(runs),
        tables: if runs.iter().all(|run| run.invariants.is_empty()) {
            vec![]
        } else {
            vec![table(runs)]
        },
        ..subject.page(format!("Drift on {}", subject.called()))
    }
}

/// What became of the invariants of a run.
fn chip(run: &LongRun) -> Chip {
    let drifting: Vec<&str> =
        run.invariants.iter().filter(|d| d.verdict == Verdict::Drifts).map(|d| d.name).collect();
    let failed = run.invariants.iter().any(|d| d.verdict == Verdict::Failed);
    let (words, verdict) = match (failed, drifting.is_empty()) {
        (true, _) => ("failed".into(), Mark::Bad),
        (_, true) if run.invariants.is_empty() => ("no invariants".into(), Mark::Plain),
        (_, true) => ("no drift".into(), Mark::Good),
        _ => (format!("{} drifts", drifting.join(", ")), Mark::Bad),
    };
    Chip { text: format!("{}, {}: {words}", run.method, run.pace()), verdict }
}

/// A row for each invariant of each run.
pub fn table(runs: &[LongRun]) -> Table {
    let heads =
        ["method", ">step", "invariant", ">slope", ">standard error", ">amplitude", "verdict"];
    let mut table = Table::new(heads).titled(
        "Invariants",
        "Slopes per unit of time. An error drifts if its slope is more than five standard errors \
         from zero, and it is no random walk of roundings; standard errors come from block means.",
    );
    for run in runs {
        for d in &run.invariants {
            let mark = match d.verdict {
                Verdict::Kept | Verdict::Bounded | Verdict::Walks => Mark::Good,
                Verdict::Drifts => Mark::Bad,
                Verdict::Failed => Mark::Warn,
            };
            let cells = [
                run.method.clone(),
                run.tol.map_or_else(|| format!("{:?}", run.step), |tol| format!("tol {tol:e}")),
                d.name.to_string(),
                format!("{:+.4e}", d.slope),
                format!("{:.1e}", d.standard_error),
                format!("{:.3e}", d.amplitude),
                d.verdict.word().to_string(),
            ];
            table.judged(cells, mark);
        }
    }
    table
}

/// One figure per invariant, with a curve for each run.
fn figures(runs: &[LongRun]) -> Vec<Figure> {
    let names = runs.first().map_or(Vec::new(), |r| r.invariants.iter().map(|d| d.name).collect());
    let figure = |name: &str| {
        let mut figure = Figure::new(
            format!("Error of {name}, block means"),
            "time",
            format!("{name} − initial"),
        );
        for run in runs {
            if let Some(d) = run.invariants.iter().find(|d| d.name == name) {
                let label = format!("{}, {}", run.method, run.pace());
                figure = figure.with(Series::new(label, Style::Line, d.blocks.iter().copied()));
            }
        }
        figure
    };
    names.into_iter().map(figure).collect()
}
