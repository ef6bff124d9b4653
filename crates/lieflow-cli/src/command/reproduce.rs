//! `lieflow reproduce`: runs published figures and tables again.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::{Show, threads};
use crate::output::number::counted;
use crate::signal;
use clap::Args;
use lieflow_files::{Kind, ResultFolder};
use lieflow_reproduce::chosen;
use lieflow_reproduce::claim::short;
use lieflow_reproduce::finished::Finished;
use lieflow_reproduce::run::{Options, carry_out_all};
use lieflow_reproduce::stored::write_gallery;
use serde_json::json;
use std::path::PathBuf;

/// Run published figures and tables again: data, pictures, and each claim checked
#[derive(Args, Debug)]
pub struct Reproduce {
    /// An experiment (see `lieflow list experiments`), a paper by its key, or `all`
    what: String,
    /// Write data, figures and the gallery page (index.html) into this folder; a run that was
    /// interrupted goes on from there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Shorter horizons, and only the claims that still make sense then
    #[arg(long)]
    quick: bool,
    /// Experiments at a time; as many as there are cores unless given
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    show: Show,
}

impl Execute for Reproduce {
    /// A claim that does not hold is a failure.
    fn execute(self, _: &Context<'_>) -> Result<(), Failure> {
        let chosen = chosen(&self.what)?;
        let stop = signal::stop();
        let options = Options {
            quick: self.quick,
            out: self.out.clone(),
            threads: threads(self.threads, self.show),
            stop: stop.clone(),
        };
        let progress = |e: &Finished| self.show.say(&line(e));
        let open = |dir: &PathBuf| ResultFolder::open(dir, Kind::Gallery);
        let mut results = self.out.as_ref().map(open).transpose()?;
        let finished = carry_out_all(&chosen, &options, &progress)?;
        if let Some(results) = &mut results {
            write_gallery(results, &finished, self.quick)?;
        }
        let interrupted = finished.len() < chosen.len();
        let failed = finished.iter().filter(|e| !e.holds()).count();
        let experiments: Vec<_> = finished.iter().map(Finished::to_json).collect();
        let ended = if interrupted { "interrupted" } else { "end" };
        let holds = failed == 0 && !interrupted;
        let json = json!({ "experiments": experiments, "holds": holds, "ended": ended });
        self.show.print(&json, || report(&finished, self.out.as_ref()))?;
        if interrupted {
            let (done, all) = (finished.len(), chosen.len());
            let text = format!("{done} of {all} experiments are complete; run it again to go on");
            return Err(Failure::Interrupted(text));
        }
        if failed == 0 { Ok(()) } else { Err(Failure::Claims { experiments: failed }) }
    }
}

fn line(e: &Finished) -> String {
    let held = e.claims.iter().filter(|c| c.holds).count();
    let mark = if e.holds() { "✓" } else { "✗" };
    format!(
        "{mark} {} ({}): {held} of {} claims, {:.1} s",
        e.id,
        e.number,
        e.claims.len(),
        e.seconds
    )
}

fn report(finished: &[Finished], out: Option<&PathBuf>) -> String {
    let mut text = String::new();
    for e in finished {
        text += &format!("{} · {}\n  {}\n", e.id, e.number, e.title);
        if let Some(failure) = &e.failure {
            text += &format!("  ✗ could not be run: {failure}\n");
        }
        for c in &e.claims {
            text += &format!(
                "  {} {} (measured {}, expected {})\n",
                c.mark(),
                c.text,
                short(c.measured),
                c.expected
            );
            if let Some(says) = &c.paper_says {
                text += &format!("      the paper says: {says}\n");
            }
        }
    }
    let claims = finished.iter().flat_map(|e| &e.claims);
    let holding = claims.clone().filter(|c| c.holds).count();
    let experiments = counted(finished.len() as u64, "experiment");
    text +=
        &format!("{experiments}, {holding} of {} hold\n", counted(claims.count() as u64, "claim"));
    if let Some(out) = out {
        text += &format!("wrote {}\n", out.join("index.html").display());
    }
    text
}
