//! The report of a run on a terminal.
use super::verdict::Verdict;
use crate::output::number::{counted, number};
use crate::output::written::written;
use lieflow::method::Card;
use lieflow::problem::Value;
use lieflow_models::run::{Pace, Plan, Record};
use lieflow_report::table::Table;

/// The most lines of one part of a state: a chain of a hundred links is for the files.
const LINES: usize = 12;

/// What a run has to say.
pub struct Report<'a> {
    pub record: &'a Record,
    pub plan: &'a Plan,
    pub card: &'a Card,
    pub verdict: &'a Verdict,
}

impl Report<'_> {
    /// What people read, with so many digits.
    pub fn text(&self, problem: &str, digits: usize) -> String {
        let Self { record, plan, card, verdict } = self;
        let pace = match plan.pace {
            Pace::Fixed { step } => format!("step {step:?}"),
            Pace::Adaptive { tol, .. } => format!("tolerance {tol:e}"),
        };
        let mut text = format!(
            "{} with {} ({}, order {}), {pace}\n",
            record.system, record.method, card.title, card.order
        );
        let rejected = match record.rejected {
            0 => String::new(),
            rejected => format!(", {rejected} rejected"),
        };
        text += &format!(
            "{}{rejected} from t = {} to {} in {:.3} s\n\nstate at t = {}\n",
            counted(record.steps, "step"),
            record.from,
            record.state.t,
            record.seconds,
            record.state.t
        );
        for (name, value) in &record.state.parts {
            text += &part(name, value, digits);
        }
        for (name, value) in &record.state.observables {
            text += &part(name, value, digits);
        }
        text += &self.invariants(digits);
        text += &self.events(digits);
        text += &format!("\nmanifold error {:.3e}\n", record.manifold_error);
        let cost = &record.cost;
        text += &format!(
            "cost {}, {}, {}\n",
            counted(cost.field_evaluations, "field evaluation"),
            counted(cost.exponentials, "exponential"),
            counted(cost.newton_iterations, "Newton iteration")
        );
        if let Some(count) = record.polar_corrections {
            text += &format!("polar corrections {count} made\n");
        }
        if let Some(count) = &record.corrections {
            text += &format!("corrections {} made, {} skipped\n", count.made, count.skipped);
        }
        text += &format!("\n{}", verdict.text(record, card));
        text += &written(record.files.iter().map(String::as_str));
        if record.files.is_empty() {
            text += &format!(
                "for the trajectory, figures and a page to look at: lieflow run {} --out DIR\n",
                if problem.contains(' ') { "-" } else { problem }
            );
        }
        text
    }

    /// The first events, and how many there are.
    fn events(&self, digits: usize) -> String {
        let events = &self.record.events;
        if events.is_empty() {
            return String::new();
        }
        let mut table = Table::new(["event", ">t"]);
        for event in events.iter().take(LINES) {
            table.row([event.name.to_string(), number(event.state.t, digits)]);
        }
        let more = match events.len().saturating_sub(LINES) {
            0 => String::new(),
            more => format!("… and {more} more\n"),
        };
        format!("\n{}{more}", table.to_text(0))
    }

    fn invariants(&self, digits: usize) -> String {
        if self.record.invariants.is_empty() {
            return String::new();
        }
        let heads = ["invariant", ">initial", ">final", ">max error", ">relative", ">slope"];
        let mut table = Table::new(heads);
        for (q, (_, change)) in self.record.invariants.iter().zip(&self.verdict.changes) {
            table.row([
                q.name.to_string(),
                number(q.initial, digits),
                number(q.last, digits),
                format!("{:.3e}", q.max_error),
                change.map_or("–".into(), |change| format!("{change:.1e}")),
                format!("{:.3e}", q.slope()),
            ]);
        }
        format!("\n{}", table.to_text(0))
    }
}

/// One part of a state.
fn part(name: &str, value: &Value, digits: usize) -> String {
    // Room for the digits, a sign, a point and an exponent.
    let width = digits.min(17) + 7;
    let cell = |x: &f64| format!("{:>width$}", number(*x, digits));
    let row = |v: &[f64]| v.iter().map(cell).collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = match value {
        Value::Number(x) => vec![row(&[*x])],
        Value::Numbers(x) => x.chunks(3).map(row).collect(),
        Value::Vector(v) => vec![row(v)],
        Value::Vectors(list) => list.iter().map(|v| row(v)).collect(),
        Value::Rotation(r) => r.iter().map(|v| row(v)).collect(),
    };
    let shown = lines.len().min(LINES);
    let mut text = String::new();
    for (i, line) in lines.iter().take(shown).enumerate() {
        text += &format!("  {:<17}{line}\n", if i == 0 { name } else { "" });
    }
    if shown < lines.len() {
        text += &format!("  {:<17}… and {} more\n", "", lines.len() - shown);
    }
    text
}
