//! `lieflow compare`: work against precision.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::{StudyOptions, StudyOutput};
use clap::Args;
use lieflow_models::study::compare::{Comparison, compare};
use lieflow_models::study::fitting;
use lieflow_pages::compare::{page, picks};
use lieflow_report::table::Table;

/// Work-precision: cost and error of all methods that apply, and which one to pick
#[derive(Args, Debug)]
pub struct Compare {
    #[command(flatten)]
    study: StudyOptions,
    /// Times that each run is repeated; the shortest time counts
    #[arg(long, value_name = "N", default_value_t = 3)]
    rounds: u32,
    #[command(flatten)]
    output: StudyOutput,
}

impl Execute for Compare {
    fn execute(self, context: &Context<'_>) -> Result<(), Failure> {
        let show = self.output.show;
        let opened = self.study.open(context, show)?;
        let (model, plan) = (opened.model.as_ref(), &opened.plan);
        let methods = self.study.methods_or(|| fitting(model, plan));
        let mut progress = |method: &str| show.say(&format!("running {method}"));
        let found = compare(model, plan, &methods, &opened.steps, self.rounds, &mut progress)?;
        let subject = self.study.subject(&opened.document, context);
        self.output.deliver(
            "compare",
            &found.to_json(),
            || page(&subject, &found),
            || report(&found),
        )
    }
}

fn report(found: &Comparison) -> String {
    let mut text = format!("errors against {}\n\n", found.reference);
    let mut table = Table::new(["method", ">order", ">step", ">error", ">evaluations", ">seconds"]);
    for ladder in &found.ladders {
        for point in &ladder.points {
            let error = match &point.outcome {
                Ok(errors) => format!("{:.3e}", errors.total),
                Err(_) => "failed".into(),
            };
            table.row([
                ladder.method.clone(),
                ladder.order.map_or(String::new(), |o| format!("{o:.2}")),
                format!("{:?}", point.step),
                error,
                point.field_evaluations.to_string(),
                format!("{:.3e}", point.seconds),
            ]);
        }
    }
    text += &table.to_text(0);
    if found.picks.is_empty() {
        return text + "\nno method reaches an error of 1e-2 at these steps; give smaller ones\n";
    }
    text + "\nwhich one to pick\n" + &picks(found).to_text(0)
}
