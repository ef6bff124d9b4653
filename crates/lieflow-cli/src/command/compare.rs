//! `lieflow compare`: work against precision.
use crate::command::order;
use crate::error::Failure;
use crate::options::{Changes, Show};
use crate::output::table::Columns;
use crate::output::{message, print, print_json, write_report};
use crate::report::study_page;
use crate::source;
use clap::Args;
use lieflow_models::study::compare::{Comparison, compare};
use lieflow_models::study::fitting;
use lieflow_models::study::order::Point;
use lieflow_report::figure::{Figure, Series, Style};
use lieflow_report::page::{Table, Verdict};
use std::path::PathBuf;

/// Work against precision.
#[derive(Args, Debug)]
pub struct Compare {
    /// A built-in problem (see `lieflow list problems`) or a problem file
    problem: String,
    #[command(flatten)]
    changes: Changes,
    /// Methods to compare; all that fit the system unless given
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    methods: Vec<String>,
    /// Step sizes; five around the step of the problem unless given
    #[arg(long, value_name = "H1,H2,…", value_delimiter = ',', allow_hyphen_values = true)]
    steps: Vec<String>,
    /// Times that each run is repeated; the shortest time counts
    #[arg(long, value_name = "N", default_value_t = 3)]
    rounds: u32,
    /// Write compare.json, figures and report.html into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    show: Show,
}

impl Compare {
    /// Carries it out.
    pub fn execute(self) -> Result<(), Failure> {
        let document = source::open(&self.problem, &self.changes.settings()?)?;
        let model = document.build()?;
        let plan = document.plan()?;
        let steps = order::steps(&self.steps)?;
        let methods = if self.methods.is_empty() {
            fitting(model.as_ref(), &plan)
        } else {
            self.methods.clone()
        };
        let mut told = |method: &str| {
            if !self.show.quiet {
                message(&format!("running {method}"));
            }
        };
        let found = compare(model.as_ref(), &plan, &methods, &steps, self.rounds, &mut told)?;
        let json = found.to_json();
        if let Some(dir) = &self.out {
            let title = format!("Methods on {}", self.problem);
            let page = study_page(title, figures(&found), vec![picks(&found)], document.to_toml());
            write_report(dir, "compare", &json, &page)?;
        }
        if self.show.json {
            print_json(&json)
        } else if self.show.quiet {
            Ok(())
        } else {
            print(&report(&found))
        }
    }
}

fn rows(found: &Comparison) -> Vec<Vec<String>> {
    let row = |p: &lieflow_models::study::compare::Pick| {
        vec![
            format!("{:.0e}", p.target),
            p.method.clone(),
            format!("{:?}", p.step),
            format!("{:.2e}", p.error),
            format!("{:.3e}", p.seconds),
            p.evaluations.to_string(),
            p.reason.clone(),
        ]
    };
    found.picks.iter().map(row).collect()
}

const HEAD: [&str; 7] =
    ["error", "method", ">step", ">reached", ">seconds", ">evaluations", "because"];

fn report(found: &Comparison) -> String {
    let mut text = format!("errors against {}\n\n", found.reference);
    let mut table =
        Columns::new(&["method", ">order", ">step", ">error", ">evaluations", ">seconds"]);
    for ladder in &found.ladders {
        for point in &ladder.points {
            let error = match &point.outcome {
                Ok(errors) => format!("{:.3e}", errors.total),
                Err(_) => "failed".into(),
            };
            table.row([
                ladder.method.clone(),
                ladder.order.map_or(String::new(), |o| format!("{o:.2}")),
                format!("{:?}", point.step),
                error,
                point.field_evaluations.to_string(),
                format!("{:.3e}", point.seconds),
            ]);
        }
    }
    text += &table.render(0);
    if found.picks.is_empty() {
        return text + "\nno method reaches an error of 1e-2 at these steps; give smaller ones\n";
    }
    let mut best = Columns::new(&HEAD);
    rows(found).into_iter().for_each(|row| best.row(row));
    text + "\nwhich one to pick\n" + &best.render(0)
}

fn picks(found: &Comparison) -> Table {
    Table {
        title: "Which one to pick".into(),
        columns: HEAD.map(|h| h.trim_start_matches('>').to_string()).into(),
        rows: rows(found).into_iter().map(|row| (row, Verdict::Plain)).collect(),
        note: format!("Errors against {}. Times are those of this machine.", found.reference),
    }
}

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
