//! The options that several commands share.
use crate::error::Failure;
use crate::output::{message, print, print_json, write_report};
use crate::signal;
use clap::Args;
use lieflow_models::problem_file::Document;
use lieflow_report::page::Page;
use serde_json::Value as Json;
use std::io::IsTerminal;
use std::path::PathBuf;

mod changes;
mod device;
mod problem;
mod shard;
mod study;

pub use changes::{Changes, settings};
pub use device::DeviceOption;
pub use problem::{ProblemOptions, problem_text};
pub use shard::Shard;
pub use study::{Opened, StudyOptions};

/// How a command shows what it found.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Show {
    /// One JSON document on standard output, and nothing else there
    #[arg(long)]
    pub json: bool,
    /// No report, progress or warnings; errors only
    #[arg(long)]
    pub quiet: bool,
}

impl Show {
    /// Prints one or the other form of a result to standard output.
    pub fn print(self, json: &Json, text: impl FnOnce() -> String) -> Result<(), Failure> {
        match self {
            Self { json: true, .. } => print_json(json),
            Self { quiet: true, .. } => Ok(()),
            _ => print(&text()),
        }
    }

    /// Prints one or the other form of what a command is asked for, also if it is to be quiet.
    pub fn print_always(self, json: &Json, line: &str) -> Result<(), Failure> {
        match self.json {
            true => print_json(json),
            false => print(&format!("{line}\n")),
        }
    }

    /// Whether somebody looks on.
    pub fn on_terminal(self) -> bool {
        !self.quiet && std::io::stderr().is_terminal()
    }

    /// Says something on standard error, unless asked to be quiet.
    pub fn say(self, text: &str) {
        if !self.quiet {
            message(text);
        }
    }

    /// Says what is suspicious about a problem.
    pub fn warn(self, document: &Document) {
        document.warnings().iter().for_each(|warning| self.say(&format!("warning: {warning}")));
    }
}

/// Where the results of a study go.
#[derive(Args, Debug)]
pub struct StudyOutput {
    /// Write COMMAND.json, figures and report.html into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    pub show: Show,
}

impl StudyOutput {
    /// Writes the files, if there is a folder for them, and shows the result.
    pub fn deliver(
        &self,
        command: &str,
        json: &Json,
        page: impl FnOnce() -> Page,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if let Some(dir) = &self.out {
            write_report(dir, command, json, &page())?;
        }
        self.show.print(json, text)?;
        match signal::stop().asked() {
            true => Err(Failure::Interrupted("what was computed until then is kept".into())),
            false => Ok(()),
        }
    }
}

/// More threads than this for each core only wait for each other.
const THREADS_PER_CORE: usize = 4;

/// As many as there are cores, unless given; more than a few for each core are cut, with a word.
pub fn threads(given: Option<usize>, show: Show) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let most = THREADS_PER_CORE * cores;
    match given {
        Some(n) if n > most => {
            show.say(&format!(
                "warning: --threads: {n} threads would only wait for each other; taking {most}, {THREADS_PER_CORE} for each core"
            ));
            most
        }
        Some(0) | None => cores,
        Some(n) => n,
    }
}
