//! Pages and figures from what a command has computed.
use lieflow::method::Card;
use lieflow_models::door::{Pace, Plan, Record};
use lieflow_report::figure::{Figure, Series, Style};
use lieflow_report::page::{Fact, Page, Table, Verdict};
use serde_json::Value as Json;

mod ensemble;
mod gather;
mod scene;

pub use ensemble::ensemble_page;
pub use gather::Gather;

/// Deviations of an invariant below this, relative to its size, are rounding.
const ROUNDING: f64 = 1e-12;

/// The page of a study: tables and plots, without a moving picture.
pub fn study_page(title: String, plots: Vec<Figure>, tables: Vec<Table>, problem: String) -> Page {
    let command: Vec<String> = std::env::args().skip(1).collect();
    Page {
        title,
        subtitle: String::new(),
        facts: Vec::new(),
        tables,
        plots,
        scene: None,
        problem,
        command: format!("lieflow {}", command.join(" ")),
    }
}

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
    pub gathered: &'a Gather,
}

impl RunReport<'_> {
    /// The figures of a run: the error of every invariant over time.
    pub fn figures(&self) -> Vec<Figure> {
        let times = &self.gathered.times;
        let mut figures = Vec::new();
        for (k, name) in self.gathered.invariant_names.iter().enumerate() {
            let values =
                self.gathered.invariants.iter().map(|row| row.get(k).copied().unwrap_or(f64::NAN));
            let initial = self.gathered.invariants.first().and_then(|row| row.get(k)).copied();
            let initial = initial.unwrap_or(f64::NAN);
            let points = times.iter().copied().zip(values.map(|v| v - initial));
            let figure =
                Figure::new(format!("Error of {name}"), "time", format!("{name} − initial"));
            figures.push(figure.with(Series::new(*name, Style::Line, points)));
        }
        figures.extend(self.gathered.components());
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
            scene: scene::of(record.system, self.problem, self.gathered),
            problem: self.text.clone(),
            command: "lieflow run problem.toml --out DIR".into(),
        }
    }

    fn invariants(&self) -> Table {
        let rows = self.record.invariants.iter().map(|q| {
            let scale = q.initial.abs().max(f64::MIN_POSITIVE);
            let kept = q.max_error <= ROUNDING * scale.max(1.0);
            let verdict = if kept { "kept to rounding" } else { "moves" };
            let cells = vec![
                q.name.to_string(),
                format!("{:?}", q.initial),
                format!("{:?}", q.last),
                format!("{:.3e}", q.max_error),
                format!("{:.3e}", q.slope()),
                verdict.to_string(),
            ];
            (cells, if kept { Verdict::Good } else { Verdict::Plain })
        });
        Table {
            title: "Invariants".into(),
            columns: ["name", "initial", "final", "largest error", "slope", ""]
                .map(String::from)
                .into(),
            rows: rows.collect(),
            note: "The slope is that of a straight line fitted to the error over time; whether it \
                   is a drift or an oscillation is what `lieflow drift` decides."
                .into(),
        }
    }
}
