//! `lieflow run`: integrates one problem.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::{ProblemOptions, Show};
use crate::output::progress::Progress;
use clap::Args;
use lieflow_pages::{RunReport, Samples};
use std::path::PathBuf;

mod files;
mod text;

use files::{Files, Receiver};

/// Integrate one problem: a built-in one by name, or a problem file
#[derive(Args, Debug)]
pub struct Run {
    #[command(flatten)]
    problem: ProblemOptions,
    /// Write trajectory.csv, summary.json, figures and report.html into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    show: Show,
}

impl Execute for Run {
    /// A run that fails still shows and keeps what it had computed.
    fn execute(self, context: &Context<'_>) -> Result<(), Failure> {
        let document = self.problem.open(context)?;
        let model = document.build()?;
        let plan = document.plan()?;
        let card = model.check(&plan)?;
        let warnings = document.warnings();
        self.show.warn(&document);
        let mut files = self.out.as_deref().map(|dir| Files::open(dir, &plan)).transpose()?;
        let mut receiver = Receiver {
            progress: Progress::new(plan.from, plan.until, self.show.quiet),
            files: files.as_mut(),
            samples: Samples::default(),
            error: None,
        };
        let outcome = model.run(&plan, &mut receiver);
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
        if let Some(mut files) = files {
            let report = RunReport {
                name: &self.problem.problem,
                problem: &document.to_json(),
                text: document.to_toml(),
                record: &record,
                model: model.as_ref(),
                plan: &plan,
                card: &card,
                samples: &samples,
            };
            files.draw(&report.page(), &mut record)?;
            files.finish(&record, &document)?;
            if let Some(source) = write_error {
                return Err(Failure::Write { path: files.trajectory_path, source });
            }
        }
        self.show.print(&record.to_json(), || text::report(&record, &plan, &card))?;
        failure.map_or(Ok(()), |error| Err(error.into()))
    }
}
