//! `lieflow drift`: long-time behaviour of every invariant.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::{StudyOptions, StudyOutput, threads};
use clap::Args;
use lieflow_models::run::Pace;
use lieflow_models::study::drift::{LongRun, long_runs, to_json};
use lieflow_pages::drift::{page, table};

/// Long-time behaviour of every invariant: slope, amplitude, and whether it drifts
#[derive(Args, Debug)]
#[command(
    mut_arg("methods", |arg| arg.help("Methods to compare; the one of the problem unless given")),
    mut_arg("steps", |arg| arg.help("Step sizes; the one of the problem unless given")),
)]
pub struct Drift {
    #[command(flatten)]
    study: StudyOptions,
    /// Runs at a time; as many as there are cores unless given
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    output: StudyOutput,
}

impl Execute for Drift {
    fn execute(self, context: &Context<'_>) -> Result<(), Failure> {
        let show = self.output.show;
        let opened = self.study.open(context, show)?;
        let plan = &opened.plan;
        let steps = match plan.pace {
            _ if !opened.steps.is_empty() => opened.steps.clone(),
            Pace::Fixed { step } => vec![step],
            Pace::Adaptive { .. } => {
                return Err(Failure::Option {
                    option: "--steps",
                    found: "a problem with a tolerance".into(),
                    expected: "step sizes: drift is measured with fixed steps".into(),
                });
            }
        };
        let methods = self.study.methods_or(&opened, |opened| vec![opened.plan.method.clone()]);
        let progress = |run: &LongRun| {
            show.say(&format!("{}, step {:?}: {:.1} s", run.method, run.step, run.seconds));
        };
        let threads = threads(self.threads, self.output.show);
        let runs = long_runs(opened.model.as_ref(), plan, &methods, &steps, threads, &progress)?;
        let subject = self.study.subject(&opened.document, context);
        self.output.deliver(
            "drift",
            &to_json(&runs),
            || page(&subject, &runs),
            || report(&runs),
        )?;
        let failed = runs.iter().find_map(|run| run.failure.clone());
        failed.map_or(Ok(()), |error| Err(error.into()))
    }
}

fn report(runs: &[LongRun]) -> String {
    if runs.iter().all(|run| run.invariants.is_empty() && run.failure.is_none()) {
        return "this system has no invariants that could drift\n".into();
    }
    format!("{}\nslopes are per unit of time\n", table(runs).to_text(0))
}
