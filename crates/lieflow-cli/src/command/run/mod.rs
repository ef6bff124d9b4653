//! `lieflow run`: integrates one problem.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::{ProblemOptions, Show};
use crate::output::number::DIGITS;
use crate::output::progress::Progress;
use crate::signal;
use clap::Args;
use lieflow_pages::{RunReport, Samples};
use std::path::PathBuf;

mod files;
mod text;
mod verdict;

use files::{Files, Receiver};
use verdict::{Verdict, Watching};

/// Integrate one problem: a built-in one by name, or a problem file
#[derive(Args, Debug)]
pub struct Run {
    #[command(flatten)]
    problem: ProblemOptions,
    /// Write trajectory.csv, summary.json, figures and report.html into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Exit with status 1 if the result means nothing, as with a step that is too large
    #[arg(long)]
    strict: bool,
    /// Digits of the numbers in the report; 17 are all there are
    #[arg(long, value_name = "N", default_value_t = DIGITS)]
    digits: usize,
    #[command(flatten)]
    show: Show,
}

impl Execute for Run {
    /// A run that fails still shows and keeps what it had computed.
    fn execute(self, context: &Context<'_>) -> Result<(), Failure> {
        let document = self.problem.open(context)?;
        let model = document.build()?;
        let mut plan = document.plan()?;
        plan.stop = signal::stop();
        let card = model.check(&plan)?;
        if card.implicit {
            document.warn_of_kinks(model.as_ref(), "implicit methods count on smoothness");
        }
        let warnings = document.warnings();
        self.show.warn(&document);
        let mut files = self.out.as_deref().map(|dir| Files::open(dir, &plan)).transpose()?;
        let mut receiver = Receiver {
            progress: Progress::new(plan.from, plan.until, self.show.quiet),
            files: files.as_mut(),
            samples: Samples::default(),
            error: None,
        };
        let mut watching = Watching::new(&mut receiver, plan.from);
        let outcome = model.run(&plan, &mut watching);
        let turn = watching.turn();
        let Receiver { samples, error: write_error, progress, .. } = receiver;
        // The bar goes before anything is printed.
        drop(progress);
        let (mut record, failure) = match outcome {
            Ok(record) => (record, None),
            Err(failure) => match failure.record {
                Some(record) => (*record, Some(*failure.error)),
                None => return Err((*failure.error).into()),
            },
        };
        record.warnings = warnings;
        if let Some(files) = files {
            // What was cut by a full disk is no result; that of the run before is still there.
            if let Some(source) = write_error {
                return Err(files.fail(source));
            }
            let report = RunReport {
                name: self.problem.name(),
                problem: &document.to_json(),
                text: document.to_toml(),
                record: &record,
                model: model.as_ref(),
                plan: &plan,
                card: &card,
                samples: &samples,
            };
            let page = report.page();
            files.finish(&page, &mut record, &document)?;
        }
        let verdict = Verdict::of(&record, &plan, &card, turn);
        let mut json = record.to_json();
        if !verdict.nonsense.is_empty() {
            json["verdict"] = verdict.to_json();
        }
        let report = text::Report { record: &record, plan: &plan, card: &card, verdict: &verdict };
        self.show.print(&json, || report.text(self.problem.name(), self.digits))?;
        match failure {
            Some(error) => Err(error.into()),
            None if self.strict && !verdict.nonsense.is_empty() => {
                Err(Failure::Nonsense { reasons: verdict.nonsense.join(", ") })
            }
            None => Ok(()),
        }
    }
}
