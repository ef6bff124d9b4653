//! The report of a run on a terminal.
use lieflow::method::Card;
use lieflow::problem::Value;
use lieflow_models::run::{Pace, Plan, Record};
use lieflow_report::table::Table;

/// The most lines of one part of a state: a chain of a hundred links is for the files.
const LINES: usize = 12;

/// What people read.
pub fn report(record: &Record, plan: &Plan, card: &Card) -> String {
    let pace = match plan.pace {
        Pace::Fixed { step } => format!("step {step:?}"),
        Pace::Adaptive { tol, .. } => format!("tolerance {tol:e}"),
    };
    let mut text = format!(
        "{} with {} ({}, order {}), {pace}\n",
        record.system, record.method, card.title, card.order
    );
    let rejected =
        if record.rejected > 0 { format!(", {} rejected", record.rejected) } else { String::new() };
    text += &format!(
        "{} steps{rejected} from t = {} to {} in {:.3} s\n\nstate at t = {}\n",
        record.steps, record.from, record.state.t, record.seconds, record.state.t
    );
    for (name, value) in &record.state.parts {
        text += &part(name, value);
    }
    if !record.invariants.is_empty() {
        let mut table = Table::new(["invariant", ">initial", ">final", ">max error", ">slope"]);
        for q in &record.invariants {
            table.row([
                q.name.to_string(),
                format!("{:?}", q.initial),
                format!("{:?}", q.last),
                format!("{:.3e}", q.max_error),
                format!("{:.3e}", q.slope()),
            ]);
        }
        text += &format!("\n{}", table.to_text(0));
    }
    text += &format!("\nmanifold error {:.3e}\n", record.manifold_error);
    let cost = &record.cost;
    text += &format!(
        "cost {} field evaluations, {} exponentials, {} Newton iterations\n",
        cost.field_evaluations, cost.exponentials, cost.newton_iterations
    );
    if let Some(count) = record.polar_corrections {
        text += &format!("polar corrections {count} made\n");
    }
    if let Some(count) = &record.corrections {
        text += &format!("corrections {} made, {} skipped\n", count.made, count.skipped);
    }
    for file in &record.files {
        text += &format!("wrote {file}\n");
    }
    text
}

/// One part of a state.
fn part(name: &str, value: &Value) -> String {
    let row = |v: &[f64]| v.iter().map(|x| format!("{x:>24?}")).collect::<Vec<_>>().join(" ");
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
