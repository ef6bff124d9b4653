//! `lieflow drift`: long-time behaviour of every invariant.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::{StudyOptions, StudyOutput, threads};
use clap::Args;
use lieflow_models::problem_file::quoted;
use lieflow_models::run::{LEAST_TOLERANCE, Pace};
use lieflow_models::study::drift::{LongRun, long_runs, long_runs_with_tolerances, to_json};
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
    /// Tolerances in place of step sizes, each for every method
    #[arg(
        long,
        value_name = "T1,T2,…",
        value_delimiter = ',',
        allow_hyphen_values = true,
        conflicts_with = "steps"
    )]
    tols: Vec<String>,
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
        let tols = read_tolerances(&self.tols)?;
        let methods = self.study.methods_or(&opened, |opened| vec![opened.plan.method.clone()]);
        let progress = |run: &LongRun| {
            show.say(&format!("{}, {}: {:.1} s", run.method, run.pace(), run.seconds));
        };
        let threads = threads(self.threads, self.output.show);
        let model = opened.model.as_ref();
        let with_steps =
            |steps: &[f64]| long_runs(model, plan, &methods, steps, threads, &progress);
        let with_tols = |tols: &[f64]| {
            long_runs_with_tolerances(model, plan, &methods, tols, threads, &progress)
        };
        let runs = match plan.pace {
            _ if !tols.is_empty() => with_tols(&tols),
            _ if !opened.steps.is_empty() => with_steps(&opened.steps),
            Pace::Fixed { step } => with_steps(&[step]),
            Pace::Adaptive { tol, .. } => with_tols(&[tol]),
        }?;
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

/// Tolerances as they were typed.
fn read_tolerances(texts: &[String]) -> Result<Vec<f64>, Failure> {
    let read = |text: &String| match text.trim().parse::<f64>() {
        Ok(tol) if tol >= LEAST_TOLERANCE && tol.is_finite() => Ok(tol),
        _ => {
            let expected = format!("numbers of at least {LEAST_TOLERANCE:e}, separated by commas");
            Err(Failure::Option { option: "--tols", found: quoted(text), expected })
        }
    };
    texts.iter().map(read).collect()
}
