//! `lieflow reproduce`: runs published figures and tables again.
use crate::error::Failure;
use crate::options::Show;
use crate::output::{message, print, print_json};
use clap::Args;
use lieflow_models::door::{Place, SpecError};
use lieflow_reproduce::run::{Finished, Order, carry_out_all, short};
use lieflow_reproduce::{Source, gallery, sources};
use serde_json::json;
use std::path::PathBuf;

/// Run published figures and tables again.
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

impl Reproduce {
    /// Carries it out. A claim that does not hold is a failure.
    pub fn execute(self) -> Result<(), Failure> {
        let chosen = choose(&self.what)?;
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.unwrap_or_else(cores);
        let order = Order { quick: self.quick, out: self.out.clone(), threads };
        let loud = !self.show.quiet && !self.show.json;
        let told = |e: &Finished| {
            if !self.show.quiet {
                message(&line(e));
            }
        };
        let writing = || Failure::writing(self.out.as_deref().unwrap_or(std::path::Path::new(".")));
        let finished = carry_out_all(&chosen, &order, &told).map_err(writing())?;
        if let Some(out) = &self.out {
            let page = out.join("index.html");
            let text = gallery::render(&finished, self.quick);
            std::fs::write(&page, text).map_err(Failure::writing(&page))?;
        }
        let holds = finished.iter().all(Finished::holds);
        if self.show.json {
            let experiments: Vec<_> = finished.iter().map(Finished::to_json).collect();
            print_json(&json!({ "experiments": experiments, "holds": holds }))?;
        } else if loud {
            print(&report(&finished, self.out.as_ref()))?;
        }
        let bad = finished.iter().filter(|e| !e.holds()).count();
        if holds { Ok(()) } else { Err(Failure::Claims { experiments: bad }) }
    }
}

/// The experiments that a name stands for.
fn choose(what: &str) -> Result<Vec<Source>, Failure> {
    let fits = |s: &&Source| what == "all" || s.folder == what || s.id == what;
    let chosen: Vec<Source> = sources().iter().filter(fits).copied().collect();
    if !chosen.is_empty() {
        return Ok(chosen);
    }
    let mut known: Vec<&str> = sources().iter().flat_map(|s| [s.id, s.folder]).collect();
    known.push("all");
    known.sort_unstable();
    known.dedup();
    let place = Place::whole("argument");
    Err(SpecError::unknown_name(place, "experiment or paper", what, known).into())
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
            let mark = match (c.holds, c.timing) {
                (true, _) => "✓",
                (false, true) => "○",
                (false, false) => "✗",
            };
            text += &format!(
                "  {mark} {} (measured {}, expected {})\n",
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
    text +=
        &format!("{} experiments, {holding} of {} claims hold\n", finished.len(), claims.count());
    if let Some(out) = out {
        text += &format!("wrote {}\n", out.join("index.html").display());
    }
    text
}
