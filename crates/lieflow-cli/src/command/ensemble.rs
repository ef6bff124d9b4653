//! `lieflow ensemble`: many trajectories of one problem with varied data.
use crate::error::Failure;
use crate::options::{Changes, Show};
use crate::output::progress::Progress;
use crate::output::table::Columns;
use crate::output::{message, print, print_json, write_report};
use crate::report::ensemble_page;
use crate::source;
use clap::Args;
use lieflow_ensemble::design::Design;
use lieflow_ensemble::run::{Outcome, Settings, run};
use lieflow_ensemble::statistics::Statistics;
use lieflow_ensemble::wide::Vectors;
use serde_json::{Value as Json, json};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// Many trajectories of one problem with varied data.
#[derive(Args, Debug)]
pub struct Ensemble {
    // Not a doc comment: rustdoc would take the brackets for a link.
    #[arg(help = "A problem file with a table [ensemble], or a built-in problem that has one")]
    problem: String,
    #[command(flatten)]
    changes: Changes,
    /// Write final.csv, statistics.csv, report.html and more into this folder; a run that was
    /// interrupted goes on from what is there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Only this part of the trajectories, such as 3/8; `lieflow merge` puts the parts together
    #[arg(long, value_name = "K/N")]
    shard: Option<String>,
    /// Cores to use; all unless given
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Trajectories side by side in a core: 1, or as many as there are lanes unless given. The
    /// results are the same
    #[arg(long, value_name = "N")]
    lanes: Option<usize>,
    #[command(flatten)]
    show: Show,
}

impl Ensemble {
    /// Carries it out. Trajectories that fail are reported and do not stop the others.
    pub fn execute(self) -> Result<(), Failure> {
        let document = source::open(&self.problem, &self.changes.settings()?)?;
        // Files are named relative to the problem file.
        let folder = Path::new(&self.problem).parent().unwrap_or(Path::new(""));
        let design = Design::read(&document, &|name| std::fs::read_to_string(folder.join(name)))?;
        let settings = Settings {
            threads: self.threads.unwrap_or(0),
            lanes: self.lanes.map(read_lanes).transpose()?,
            shard: self.shard.as_deref().map(read_shard).transpose()?,
        };
        let (k, n) = settings.shard.unwrap_or((1, 1));
        let share = (design.count * k / n).max(1) as f64 - (design.count * (k - 1) / n) as f64;
        let progress = RefCell::new(Progress::new(0.0, share, self.show.quiet));
        let told = |done: u64| progress.borrow_mut().now(done as f64);
        let outcome = run(&design, document.to_json(), settings, self.out.as_deref(), &told)?;
        drop(progress);
        let mut json = to_json(&outcome, &design.inputs());
        if let Some(dir) = &self.out {
            let page = ensemble_page(&self.problem, &design, &outcome, document.to_toml());
            let written =
                ["summary.json", "report.html"].map(|f| dir.join(f).display().to_string());
            if let Json::Array(files) = &mut json["files"] {
                files.extend(written.map(Json::from));
            }
            write_report(dir, "summary", &json, &page)?;
        }
        if self.show.json {
            print_json(&json)?;
        } else if !self.show.quiet {
            print(&report(&outcome, &design.inputs()))?;
        }
        if let (Some((index, _, reason)), false) = (outcome.failures.first(), self.show.quiet) {
            message(&format!(
                "warning: {} of {} trajectories failed; the first is {index}: {reason}",
                outcome.failed,
                outcome.range.1 - outcome.range.0 - outcome.resumed
            ));
        }
        Ok(())
    }
}

/// One, or what some vectors of this machine have.
fn read_lanes(n: usize) -> Result<usize, Failure> {
    let mut known = vec![1];
    known.extend(Vectors::found().into_iter().map(Vectors::lanes));
    known.sort_unstable();
    if known.contains(&n) {
        return Ok(n);
    }
    let known: Vec<String> = known.iter().map(usize::to_string).collect();
    Err(Failure::Option {
        option: "--lanes",
        found: n.to_string(),
        expected: format!("what this machine has: {}", known.join(", ")),
    })
}

/// `3/8`.
fn read_shard(text: &str) -> Result<(u64, u64), Failure> {
    let read = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    read.filter(|(k, n)| (1..=*n).contains(k)).ok_or_else(|| Failure::Option {
        option: "--shard",
        found: format!("{text:?}"),
        expected: "K/N with K from 1 to N, such as 3/8".into(),
    })
}

/// The document of `ensemble --json`.
fn to_json(outcome: &Outcome, inputs: &[String]) -> Json {
    let failure = |(index, numbers, reason): &(u64, Vec<f64>, String)| {
        let data: serde_json::Map<String, Json> =
            inputs.iter().cloned().zip(numbers.iter().map(|x| json!(x))).collect();
        json!({ "index": index, "data": data, "reason": reason })
    };
    json!({
        "count": outcome.range.1 - outcome.range.0,
        "range": [outcome.range.0, outcome.range.1],
        "resumed": outcome.resumed,
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
    })
}

/// The statistics at the end, as people read them.
pub fn statistics_table(statistics: &Statistics) -> (Vec<String>, Vec<Vec<String>>) {
    let mut head: Vec<String> = ["observable", "mean", "deviation", "min"].map(String::from).into();
    head.extend(statistics.wanted.iter().map(|q| format!("{}%", 100.0 * q)));
    head.push("max".into());
    let cell = |x: f64| match x.abs() {
        _ if x.is_nan() => "–".into(),
        size if size == 0.0 || (1e-3..1e6).contains(&size) => format!("{x:.6}"),
        _ => format!("{x:.4e}"),
    };
    let last = statistics.times.len() - 1;
    let row = |(name, c): (&str, &lieflow_ensemble::statistics::Cell)| {
        let m = &c.moments;
        let mut row = vec![name.to_string(), cell(m.mean()), cell(m.deviation()), cell(m.min)];
        row.extend(c.quantiles.at(&statistics.wanted).into_iter().map(cell));
        row.push(cell(m.max));
        row
    };
    (head, statistics.at(last).map(row).collect())
}

fn report(outcome: &Outcome, inputs: &[String]) -> String {
    let count = outcome.range.1 - outcome.range.0;
    let rate = outcome.steps as f64 / outcome.seconds;
    let mut text = format!(
        "{count} trajectories, {} failed, {} steps in {:.3} s: {rate:.3e} trajectory steps per second\n\
         {} cores, {} trajectories side by side in each\n",
        outcome.failed, outcome.steps, outcome.seconds, outcome.threads, outcome.lanes
    );
    if outcome.resumed > 0 {
        text += &format!("{} of them were done before\n", outcome.resumed);
    }
    let statistics = &outcome.statistics;
    let (head, rows) = statistics_table(statistics);
    let head: Vec<String> = head
        .iter()
        .enumerate()
        .map(|(k, h)| if k == 0 { h.clone() } else { format!(">{h}") })
        .collect();
    let mut table = Columns::new(&head.iter().map(String::as_str).collect::<Vec<_>>());
    // A chain of a hundred links is for the files.
    let shown = rows.len().min(40);
    let more = rows.len() - shown;
    rows.into_iter().take(shown).for_each(|row| table.row(row));
    let t = statistics.times.last().copied().unwrap_or(f64::NAN);
    text += &format!("\nat t = {t}\n{}", table.render(0));
    if more > 0 {
        text += &format!("… and {more} more\n");
    }
    for (index, numbers, reason) in outcome.failures.iter().take(5) {
        let data: Vec<String> =
            inputs.iter().zip(numbers).map(|(name, x)| format!("{name} = {x:?}")).collect();
        text += &format!("\ntrajectory {index} failed: {reason}\n  {}\n", data.join(", "));
    }
    for file in &outcome.files {
        text += &format!("wrote {}\n", file.display());
    }
    text
}
