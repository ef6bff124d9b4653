//! `lieflow compare`: work against precision.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::{Opened, StudyOptions, StudyOutput};
use crate::output::progress::Progress;
use clap::Args;
use lieflow_models::study::compare::{Comparison, TARGETS, cheapest, compare};
use lieflow_models::study::order::Ladder;
use lieflow_pages::compare::page;
use lieflow_report::table::Table;

/// So many methods are printed; the others are in the files and in JSON.
const SHOWN: usize = 12;

/// Work-precision: cost and error of the methods worth trying, and which one to pick
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
        let methods = self.study.methods_or(&opened, Opened::worth_trying);
        let runs = methods.len() as f64 * f64::from(self.rounds.max(1));
        let mut bar = Progress::new(0.0, runs, show.quiet);
        let mut done = 0.0;
        let mut begins = |_: &str| {
            bar.now(done);
            done += 1.0;
        };
        let found = compare(model, plan, &methods, &opened.steps, self.rounds, &mut begins)?;
        drop(bar);
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
    let text = format!("errors against {}\n", found.reference);
    if found.picks.is_empty() {
        return text + "no method reaches an error of 1e-2 at these steps; give smaller ones\n";
    }
    let targets: Vec<f64> = found.picks.iter().map(|pick| pick.target).collect();
    text + "\nseconds to reach an error of\n"
        + &times(found, &targets)
        + "\nwhich one to pick\n"
        + &picks(found)
}

/// What each method takes for each error, the best first.
fn times(found: &Comparison, targets: &[f64]) -> String {
    let mut table = Table::new(["method", ">order"]);
    table.columns.extend(targets.iter().map(|t| format!(">{t:.0e}").as_str().into()));
    let seconds = |ladder: &Ladder, target: f64| cheapest(ladder, target).map(|p| p.seconds);
    let mut ladders: Vec<&Ladder> = found.ladders.iter().collect();
    // By the smallest error that is reached at all, then by what it takes.
    ladders.sort_by(|a, b| {
        let rank = |ladder| {
            let best = TARGETS.iter().rev().find_map(|t| Some((*t, seconds(ladder, *t)?)));
            best.unwrap_or((f64::INFINITY, f64::INFINITY))
        };
        let (a, b) = (rank(a), rank(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    for ladder in ladders.iter().take(SHOWN) {
        let mut row = vec![ladder.method.clone()];
        row.push(ladder.order.map_or("–".into(), |order| format!("{order:.2}")));
        let cell =
            |target: &f64| seconds(ladder, *target).map_or("–".into(), |s| format!("{s:.2e}"));
        row.extend(targets.iter().map(cell));
        table.row(row);
    }
    let more = ladders.len().saturating_sub(SHOWN);
    let rest = if more > 0 {
        format!("… and {more} more: --json or --out has all\n")
    } else {
        String::new()
    };
    table.to_text(0) + &rest
}

/// The winners, and once for each why.
fn picks(found: &Comparison) -> String {
    let heads = ["error", "method", ">step", ">reached", ">evaluations", "next best"];
    let mut table = Table::new(heads);
    let mut reasons: Vec<String> = Vec::new();
    for pick in &found.picks {
        let next = match &pick.runner_up {
            Some((other, ratio)) => format!("{other}, {ratio:.1} times as long"),
            None => "none".into(),
        };
        table.row([
            format!("{:.0e}", pick.target),
            pick.method.clone(),
            format!("{:?}", pick.step),
            format!("{:.2e}", pick.error),
            pick.evaluations.to_string(),
            next,
        ]);
        let reason = format!("{}: {}\n", pick.method, pick.nature);
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    table.to_text(0) + &reasons.concat()
}
