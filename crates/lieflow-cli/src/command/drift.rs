//! `lieflow drift`: long-time behaviour of every invariant.
use crate::command::order;
use crate::error::Failure;
use crate::options::{Changes, Show};
use crate::output::table::Columns;
use crate::output::{message, print, print_json, write_report};
use crate::report::study_page;
use crate::source;
use clap::Args;
use lieflow_models::door::Pace;
use lieflow_models::study::drift::{LongRun, Verdict, long_runs, to_json};
use lieflow_report::figure::{Figure, Series, Style};
use lieflow_report::page::{Table, Verdict as Mark};
use std::path::PathBuf;

/// Long-time behaviour of every invariant.
#[derive(Args, Debug)]
pub struct Drift {
    /// A built-in problem (see `lieflow list problems`) or a problem file
    problem: String,
    #[command(flatten)]
    changes: Changes,
    /// Methods to compare; the one of the problem unless given
    #[arg(long, value_name = "A,B,…", value_delimiter = ',')]
    methods: Vec<String>,
    /// Step sizes; the one of the problem unless given
    #[arg(long, value_name = "H1,H2,…", value_delimiter = ',', allow_hyphen_values = true)]
    steps: Vec<String>,
    /// Runs at a time; as many as there are cores unless given
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Write drift.json, figures and report.html into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    show: Show,
}

impl Drift {
    /// Carries it out.
    pub fn execute(self) -> Result<(), Failure> {
        let document = source::open(&self.problem, &self.changes.settings()?)?;
        let model = document.build()?;
        let plan = document.plan()?;
        let mut steps = order::steps(&self.steps)?;
        if steps.is_empty() {
            match plan.pace {
                Pace::Fixed { step } => steps.push(step),
                Pace::Adaptive { .. } => {
                    return Err(Failure::Option {
                        option: "--steps",
                        found: "a problem with a tolerance".into(),
                        expected: "step sizes: drift is measured with fixed steps".into(),
                    });
                }
            }
        }
        let methods =
            if self.methods.is_empty() { vec![plan.method.clone()] } else { self.methods.clone() };
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.unwrap_or_else(cores);
        let told = |run: &LongRun| {
            if !self.show.quiet {
                message(&format!("{}, step {}: {:.1} s", run.method, run.step, run.seconds));
            }
        };
        let runs = long_runs(model.as_ref(), &plan, &methods, &steps, threads, &told)?;
        let json = to_json(&runs);
        if let Some(dir) = &self.out {
            let title = format!("Drift on {}", self.problem);
            let page = study_page(title, figures(&runs), vec![table(&runs)], document.to_toml());
            write_report(dir, "drift", &json, &page)?;
        }
        if self.show.json {
            print_json(&json)?;
        } else if !self.show.quiet {
            print(&report(&runs))?;
        }
        let failed = runs.iter().find_map(|run| run.failure.clone());
        failed.map_or(Ok(()), |error| Err(error.into()))
    }
}

fn cells(runs: &[LongRun]) -> Vec<(Vec<String>, Verdict)> {
    let mut rows = Vec::new();
    for run in runs {
        for d in &run.invariants {
            let row = vec![
                run.method.clone(),
                format!("{:?}", run.step),
                d.name.to_string(),
                format!("{:+.4e}", d.slope),
                format!("{:.1e}", d.standard_error),
                format!("{:.3e}", d.amplitude),
                d.verdict.word().to_string(),
            ];
            rows.push((row, d.verdict));
        }
    }
    rows
}

const HEAD: [&str; 7] =
    ["method", ">step", "invariant", ">slope", ">standard error", ">amplitude", "verdict"];

fn report(runs: &[LongRun]) -> String {
    let mut columns = Columns::new(&HEAD);
    cells(runs).into_iter().for_each(|(row, _)| columns.row(row));
    format!("{}\nslopes are per unit of time\n", columns.render(0))
}

fn table(runs: &[LongRun]) -> Table {
    let mark = |v| match v {
        Verdict::Kept | Verdict::Bounded => Mark::Good,
        Verdict::Drifts => Mark::Bad,
        Verdict::Failed => Mark::Warn,
    };
    Table {
        title: "Invariants".into(),
        columns: HEAD.map(|h| h.trim_start_matches('>').to_string()).into(),
        rows: cells(runs).into_iter().map(|(row, v)| (row, mark(v))).collect(),
        note: "Slopes per unit of time. An error drifts if its slope is more than five standard \
               errors from zero; standard errors come from block means."
            .into(),
    }
}

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
                let label = format!("{}, h = {}", run.method, run.step);
                figure = figure.with(Series::new(label, Style::Line, d.blocks.iter().copied()));
            }
        }
        figure
    };
    names.into_iter().map(figure).collect()
}
