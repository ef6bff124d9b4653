//! `lieflow order`: convergence study.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::{Opened, StudyOptions, StudyOutput};
use crate::output::progress::Progress;
use clap::Args;
use lieflow_models::study::order::{Ladder, OrderStudy};
use lieflow_pages::order::{error_table, page};

/// Convergence study: error against step size for several methods, observed orders
#[derive(Args, Debug)]
pub struct Order {
    #[command(flatten)]
    study: StudyOptions,
    #[command(flatten)]
    output: StudyOutput,
}

impl Execute for Order {
    fn execute(self, context: &Context<'_>) -> Result<(), Failure> {
        let show = self.output.show;
        let opened = self.study.open(context, show)?;
        let (model, plan) = (opened.model.as_ref(), &opened.plan);
        let methods = match self.study.problem.changes.method() {
            Some(method) if self.study.methods.is_empty() && !self.study.all => vec![method.into()],
            _ => self.study.methods_or(&opened, Opened::worth_trying),
        };
        let study = OrderStudy::new(model, plan, &methods, &opened.steps)?;
        let mut bar = Progress::new(0.0, methods.len() as f64, show.quiet);
        let mut done = 0.0;
        let ladders = study.run(&mut |_| {
            bar.now(done);
            done += 1.0;
        })?;
        drop(bar);
        let subject = self.study.subject(&opened.document, context);
        self.output.deliver(
            "order",
            &study.to_json(&ladders),
            || page(&subject, &study, &ladders),
            || report(&study, &ladders),
        )
    }
}

fn report(study: &OrderStudy<'_>, ladders: &[Ladder]) -> String {
    let reference = study.reference();
    let mut text = format!(
        "errors at t = {} against {} with step {:e}, itself accurate to about {:.1e}\n",
        study.until(),
        reference.method,
        reference.step,
        reference.uncertainty
    );
    for ladder in ladders {
        let order = |o: Option<f64>| o.map_or("not seen".into(), |o| format!("{o:.2}"));
        let why = ladder.unseen.map_or(String::new(), |why| format!("; {}", why.reason()));
        text += &format!(
            "\n{}: observed order {} (stated {}{why})\n",
            ladder.method,
            order(ladder.order),
            ladder.stated
        );
        let step = |step| format!("{step:?}");
        text += &error_table(study, ladder, step).to_text(2);
    }
    text
}
