//! `lieflow run`: integrates one problem.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::{ProblemOptions, Show};
use crate::output::browser;
use crate::output::number::DIGITS;
use crate::output::progress::Progress;
use crate::signal;
use clap::Args;
use lieflow::stepping::SolveError;
use lieflow_files::{MOST_AT_ONCE, read_plain};
use lieflow_models::problem_file::Document;
use lieflow_models::run::{Model, Plan, Record, RunError, RunFailure};
use lieflow_pages::{RunReport, Samples};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

mod checkpoint;
mod files;
mod keeping;
mod resume;
mod space;
mod text;
mod verdict;

use files::{Files, Opened, Receiver};
use verdict::{Verdict, Watching};

/// Integrate one problem: a built-in one by name, or a problem file
#[derive(Args, Debug)]
pub struct Run {
    #[command(flatten)]
    problem: ProblemOptions,
    /// Write trajectory.csv, summary.json, figures and report.html into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Open the page of the run in a browser
    #[arg(long, requires = "out")]
    open: bool,
    /// Go on with the run that has begun in the folder: after an interruption, or to a later end
    #[arg(long, requires = "out")]
    resume: bool,
    /// Seconds between the checkpoints from which --resume goes on
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, requires = "out")]
    checkpoint: f64,
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
        let mut files = match self.open_files(model.as_ref(), &plan, &document)? {
            Some(Opened::Done) => return self.tell_done(&plan),
            Some(Opened::Files(files, _)) => Some(*files),
            None => None,
        };
        let mut carried_out = self.carry_out(model.as_ref(), &plan, files.as_mut());
        if let Some(because) = carried_out.misfit()
            && let Some(begun) = files
        {
            self.say(&format!("computed from the start, because {because}"));
            files = Some(begun.start_over(&plan, &document)?);
            carried_out = self.carry_out(model.as_ref(), &plan, files.as_mut());
        }
        let CarriedOut { outcome, turn, samples, write_error } = carried_out;
        let (mut record, failure) = match outcome {
            Ok(record) => (record, None),
            Err(failure) => match failure.record {
                Some(record) => (*record, Some(*failure.error)),
                None => return Err((*failure.error).into()),
            },
        };
        record.warnings = warnings;
        record.seconds += files.as_ref().map_or(0.0, Files::seconds_before);
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
        let page = self.out.as_ref().filter(|_| self.open).map(|dir| dir.join("report.html"));
        if page.is_some_and(|page| !browser::open(page)) {
            self.show.say(browser::NOTHING);
        }
        match failure {
            Some(error) => Err(error.into()),
            None if self.strict && !verdict.nonsense.is_empty() => {
                Err(Failure::Nonsense { reasons: verdict.nonsense.join(", ") })
            }
            None => Ok(()),
        }
    }
}

/// What came of a run.
struct CarriedOut {
    outcome: Result<Record, RunFailure>,
    /// The largest angle in a step.
    turn: Option<f64>,
    samples: Samples,
    write_error: Option<io::Error>,
}

impl CarriedOut {
    /// Why the run could not go on from its checkpoint, if it could not.
    fn misfit(&self) -> Option<&'static str> {
        match self.outcome.as_ref().err().map(|failure| &*failure.error) {
            Some(RunError::Solve { source: SolveError::Checkpoint { because }, .. }) => {
                Some(because)
            }
            _ => None,
        }
    }
}

impl Run {
    /// The folder, if there is to be one.
    fn open_files(
        &self,
        model: &dyn Model,
        plan: &Plan,
        document: &Document,
    ) -> Result<Option<Opened>, Failure> {
        let Some(dir) = self.out.as_deref() else { return Ok(None) };
        let every = Duration::try_from_secs_f64(self.checkpoint).map_err(|_| Failure::Option {
            option: "--checkpoint",
            found: self.checkpoint.to_string(),
            expected: "a number of seconds, zero or more".into(),
        })?;
        if !self.resume {
            space::check(model, plan, dir, self.show)?;
            let files = Files::open(dir, plan, document, every)?;
            return Ok(Some(Opened::Files(Box::new(files), Ok(plan.from))));
        }
        let opened = Files::resume(dir, plan, document, every)?;
        match &opened {
            Opened::Done => {}
            Opened::Files(_, Ok(t)) => self.say(&format!("goes on from t = {t:?}")),
            Opened::Files(_, Err(because)) => {
                self.say(&format!("computed from the start: {because}"));
                space::check(model, plan, dir, self.show)?;
            }
        }
        Ok(Some(opened))
    }

    /// Says something about the folder on standard error.
    fn say(&self, text: &str) {
        let dir = self.out.as_deref().unwrap_or(Path::new("")).display();
        self.show.say(&format!("{dir}: {text}"));
    }

    /// Nothing is left to do: what was found then is shown again.
    fn tell_done(&self, plan: &Plan) -> Result<(), Failure> {
        let path = self.out.as_deref().unwrap_or(Path::new("")).join("summary.json");
        let text = read_plain(&path, MOST_AT_ONCE).map_err(Failure::reading(&path))?;
        let summary = serde_json::from_slice(&text).unwrap_or_default();
        self.say("the run is complete, nothing is left to do");
        self.show.print(&summary, || {
            format!("complete: from t = {} to {}, in {}\n", plan.from, plan.until, path.display())
        })
    }

    fn carry_out(&self, model: &dyn Model, plan: &Plan, files: Option<&mut Files>) -> CarriedOut {
        let mut receiver = Receiver {
            progress: Progress::new(plan.from, plan.until, self.show.quiet),
            files,
            samples: Samples::default(),
            error: None,
            t: plan.from,
        };
        let mut watching = Watching::new(&mut receiver, plan.from);
        let outcome = model.run(plan, &mut watching);
        let turn = watching.turn();
        // The bar goes before anything is printed.
        let Receiver { samples, error: write_error, .. } = receiver;
        CarriedOut { outcome, turn, samples, write_error }
    }
}
