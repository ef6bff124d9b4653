//! The page of a run: its record, the error of every invariant over time, a moving picture.
use crate::{Samples, scene};
use lieflow::method::Card;
use lieflow_models::run::{Pace, Plan, Record};
use lieflow_report::figure::{Figure, Series, Style};
use lieflow_report::page::{Fact, Page};
use lieflow_report::table::{Table, Verdict};
use serde_json::Value as Json;

/// Deviations of an invariant below this, relative to its size, are rounding.
const ROUNDING: f64 = 1e-12;

/// What the page of a run is made from.
pub struct RunReport<'a> {
    /// The problem, by name or file.
    pub name: &'a str,
    /// The problem as JSON.
    pub problem: &'a Json,
    /// The problem file with all settings.
    pub text: String,
    /// The outcome.
    pub record: &'a Record,
    /// How it was solved.
    pub plan: &'a Plan,
    /// By which method.
    pub card: &'a Card,
    /// The states that were kept for drawing.
    pub samples: &'a Samples,
}

impl RunReport<'_> {
    /// The error of every invariant over time, then the components of the state.
    fn figures(&self) -> Vec<Figure> {
        let times = &self.samples.times;
        let mut figures = Vec::new();
        for (k, name) in self.samples.invariant_names.iter().enumerate() {
            let values =
                self.samples.invariants.iter().map(|row| row.get(k).copied().unwrap_or(f64::NAN));
            let initial = self.samples.invariants.first().and_then(|row| row.get(k)).copied();
            let initial = initial.unwrap_or(f64::NAN);
            let points = times.iter().copied().zip(values.map(|v| v - initial));
            let figure =
                Figure::new(format!("Error of {name}"), "time", format!("{name} − initial"));
            figures.push(figure.with(Series::new(*name, Style::Line, points)));
        }
        figures.extend(self.samples.components());
        figures
    }

    /// The whole page.
    pub fn page(&self) -> Page {
        let record = self.record;
        let pace = match self.plan.pace {
            Pace::Fixed { step } => format!("{} steps of {step}", record.steps),
            Pace::Adaptive { tol, .. } => {
                format!("{} steps, {} rejected, tolerance {tol:e}", record.steps, record.rejected)
            }
        };
        let fact = |name: &str, value: String| Fact { name: name.into(), value };
        let yes = |b: bool| if b { "yes" } else { "no" };
        let mut facts = vec![
            fact("system", record.system.into()),
            fact("method", format!("{} — {}", record.method, self.card.title)),
            fact("order", self.card.order.to_string()),
            fact(
                "symmetric, symplectic",
                format!("{}, {}", yes(self.card.symmetric), yes(self.card.symplectic)),
            ),
            fact("interval", format!("{} to {}", record.from, record.state.t)),
            fact("steps", pace.clone()),
            fact("field evaluations", record.cost.field_evaluations.to_string()),
            fact("exponentials", record.cost.exponentials.to_string()),
            fact("Newton iterations", record.cost.newton_iterations.to_string()),
            fact("largest manifold error", format!("{:.2e}", record.manifold_error)),
        ];
        if let Some(count) = &record.corrections {
            let value = format!("{} made, {} skipped", count.made, count.skipped);
            facts.push(fact("isotropy corrections", value));
        }
        if let Some(failure) = &record.failure {
            facts.insert(0, fact("stopped early", failure.clone()));
        }
        for warning in &record.warnings {
            facts.push(fact("warning", warning.to_string()));
        }
        Page {
            title: self.name.into(),
            subtitle: format!("{} · {} · {pace}", record.system, record.method),
            facts,
            tables: if record.invariants.is_empty() { vec![] } else { vec![self.invariants()] },
            plots: self.figures(),
            scene: scene(record.system, self.problem, self.samples),
            problem: self.text.clone(),
            command: "lieflow run problem.toml --out DIR".into(),
        }
    }

    fn invariants(&self) -> Table {
        let heads = ["name", ">initial", ">final", ">largest error", ">slope", ""];
        let mut table = Table::new(heads).titled(
            "Invariants",
            "The slope is that of a straight line fitted to the error over time; whether it is a \
             drift or an oscillation is what `lieflow drift` decides.",
        );
        for q in &self.record.invariants {
            let kept = q.max_error <= ROUNDING * q.initial.abs().max(1.0);
            let cells = [
                q.name.to_string(),
                format!("{:?}", q.initial),
                format!("{:?}", q.last),
                format!("{:.3e}", q.max_error),
                format!("{:.3e}", q.slope()),
                if kept { "kept to rounding" } else { "moves" }.to_string(),
            ];
            table.judged(cells, if kept { Verdict::Good } else { Verdict::Plain });
        }
        table
    }
}
