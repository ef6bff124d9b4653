//! The page of a run: its film, the curves of the motion, the errors of what should stay.
use crate::motion::Motion;
use crate::{Film, Samples, number, scene};
use lieflow::method::Card;
use lieflow_models::run::{Ended, EventRecord, Model, Pace, Plan, ROUNDING, Record, Scale};
use lieflow_report::figure::{Figure, Series, Style};
use lieflow_report::page::{Chip, Column, Columns, Event, Fact, Page, Section};
use lieflow_report::table::{Table, Verdict};
use serde_json::Value as Json;

/// More invariants than this that are all kept are one chip.
const CHIPS: usize = 4;

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
    /// What was run: the picture is a run of its own.
    pub model: &'a dyn Model,
    /// How it was solved.
    pub plan: &'a Plan,
    /// By which method.
    pub card: &'a Card,
    /// The states that were kept for drawing.
    pub samples: &'a Samples,
}

impl RunReport<'_> {
    /// An invariant at the states that the run itself kept, less its initial value.
    fn error_of(&self, k: usize) -> impl Iterator<Item = f64> {
        let value = move |row: &Vec<f64>| row.get(k).copied().unwrap_or(f64::NAN);
        // The first state that was kept need not be the initial one.
        let initial = self.record.invariants.get(k).map_or(f64::NAN, |q| q.initial);
        self.samples.invariants.iter().map(move |row| value(row) - initial)
    }

    /// Errors of all invariants in one figure, relative to their size, and each by itself.
    fn errors(&self) -> (Vec<Figure>, Vec<Figure>) {
        let times = || self.samples.times.iter().copied();
        let mut all =
            Figure::new("Relative errors of the invariants", "time", "|error| / size").log_y();
        let (mut exact, mut zero, mut single) = (Vec::new(), Vec::new(), Vec::new());
        for (k, name) in self.samples.invariant_names.iter().enumerate() {
            let errors: Vec<f64> = self.error_of(k).collect();
            if errors.iter().all(|e| *e == 0.0) {
                exact.push(*name);
                continue;
            }
            match self.record.scales.get(k).and_then(Scale::size) {
                Some(size) => {
                    let relative = |e: &f64| if *e == 0.0 { f64::NAN } else { (e / size).abs() };
                    let points = times().zip(errors.iter().map(relative));
                    all = all.with(Series::new(*name, Style::Line, points));
                }
                None => zero.push(*name),
            }
            let figure =
                Figure::new(format!("Error of {name}"), "time", format!("{name} − initial"));
            single.push(figure.with(Series::new(*name, Style::Line, times().zip(errors))));
        }
        let mut note = String::new();
        if !zero.is_empty() {
            note = format!("Not here, for it is zero or as good as zero: {}. ", zero.join(", "));
        }
        if !exact.is_empty() {
            note += &format!("Kept to the last bit: {}.", exact.join(", "));
        }
        all = if note.is_empty() { all } else { all.noted(note.trim()) };
        (if all.series.is_empty() { vec![] } else { vec![all] }, single)
    }

    /// The sizes of adaptive steps, means of as many as lie between two states that were kept.
    fn step_sizes(&self) -> Option<Figure> {
        if !matches!(self.plan.pace, Pace::Adaptive { .. }) || !self.plan.times.is_empty() {
            return None;
        }
        let many = self.plan.every.max(1).saturating_mul(self.samples.every());
        let times = &self.samples.times;
        // The last state may come after fewer.
        let rest = match self.record.steps % many {
            0 => many,
            rest => rest,
        };
        let count = |k: usize| if k + 2 == times.len() { rest } else { many };
        let size = |(k, w): (usize, &[f64])| (w[1], (w[1] - w[0]).abs() / count(k) as f64);
        let mut sizes: Vec<(f64, f64)> = times.windows(2).enumerate().map(size).collect();
        // From the first time to the last, as all other curves.
        if let (Some(from), Some((_, first))) = (times.first(), sizes.first().copied()) {
            sizes.insert(0, (*from, first));
        }
        let figure = Figure::new("Step size", "time", "step").log_y();
        (sizes.len() > 2).then(|| figure.with(Series::new("step", Style::Line, sizes)))
    }

    /// The errors as columns, at the ends of steps.
    fn error_columns(&self) -> Columns {
        let column = |(k, name): (usize, &&str)| Column {
            name: format!("error of {name}"),
            values: self.error_of(k).collect(),
        };
        let columns = self.samples.invariant_names.iter().enumerate().map(column).collect();
        Columns {
            title: "errors at the ends of steps".into(),
            times: self.samples.times.clone(),
            columns,
        }
    }

    /// The whole page.
    pub fn page(&self) -> Page {
        let record = self.record;
        let film = Film::shoot(self.model, self.plan, record, self.samples);
        let motion = Motion::of(record.system, self.problem, &film);
        let (mut plots, mut more) = motion.figures();
        let (errors, single) = self.errors();
        plots.splice(plots.len().min(2)..plots.len().min(2), errors);
        more.extend(self.step_sizes());
        // A file of one curve is not worth a fold.
        if more.len() == 1 {
            plots.append(&mut more);
        }
        let (attitudes, columns) = motion.into_columns();
        let section = |title: &str, plots: Vec<Figure>| {
            (!plots.is_empty()).then(|| Section { title: title.into(), plots, tables: vec![] })
        };
        let sections = [
            section("More curves of the motion", more),
            section("Errors of single invariants", single),
        ];
        Page {
            title: self.problem.get("title").and_then(Json::as_str).unwrap_or(self.name).into(),
            subtitle: format!(
                "{} · {} · {} · {}",
                self.name,
                record.system,
                record.method,
                self.pace()
            ),
            chips: self.chips(),
            facts: self.facts(),
            tables: if record.invariants.is_empty() { vec![] } else { vec![self.invariants()] },
            plots,
            attitudes,
            columns: [columns, self.error_columns()]
                .into_iter()
                .filter(|c| !c.columns.is_empty())
                .collect(),
            events: self.events(),
            scene: scene::scene(record.system, self.problem, &film),
            sections: sections.into_iter().flatten().collect(),
            problem: self.text.clone(),
            command: "lieflow run problem.toml --out DIR".into(),
        }
    }

    /// What happened when.
    fn events(&self) -> Vec<Event> {
        let event = |e: &EventRecord| Event { name: e.name.to_string(), t: e.state.t };
        self.record.events.iter().map(event).collect()
    }

    fn pace(&self) -> String {
        let record = self.record;
        match self.plan.pace {
            Pace::Fixed { step } => format!("{} of {step}", counted(record.steps, "step")),
            Pace::Adaptive { tol, .. } => {
                let steps = counted(record.steps, "step");
                format!("{steps}, {} rejected, tolerance {tol:e}", record.rejected)
            }
        }
    }

    /// Whether the run came to its end, and what became of the invariants.
    fn chips(&self) -> Vec<Chip> {
        let record = self.record;
        let mut chips = Vec::new();
        if let Some(failure) = &record.failure {
            chips.push(Chip { text: format!("stopped early: {failure}"), verdict: Verdict::Bad });
        }
        if let (Ended::Event, Some(event)) = (record.ended, record.events.last()) {
            let text =
                format!("ended by the event {} at t = {}", event.name, number(event.state.t));
            chips.push(Chip { text, verdict: Verdict::Plain });
        }
        let measured = || record.invariants.iter().zip(&record.scales);
        let kept = measured().filter(|(q, scale)| scale.is_rounding(q.max_error)).count();
        let all_kept = kept == record.invariants.len() && kept > CHIPS;
        if all_kept {
            let text = format!("all {kept} invariants kept to rounding");
            chips.push(Chip { text, verdict: Verdict::Good });
        }
        for (q, scale) in measured().filter(|_| !all_kept) {
            let (text, verdict) = match scale.relative(q.max_error) {
                _ if scale.is_rounding(q.max_error) => {
                    (format!("{} kept to rounding", q.name), Verdict::Good)
                }
                None => (format!("{} within {:.1e}", q.name, q.max_error), Verdict::Plain),
                Some(part) => {
                    let verdict = if part > 0.1 { Verdict::Warn } else { Verdict::Plain };
                    (format!("{} within {part:.1e} of its size", q.name), verdict)
                }
            };
            chips.push(Chip { text, verdict });
        }
        for warning in &record.warnings {
            chips.push(Chip { text: warning.to_string(), verdict: Verdict::Warn });
        }
        chips
    }

    fn facts(&self) -> Vec<Fact> {
        let record = self.record;
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
            fact("steps", self.pace()),
            fact("field evaluations", record.cost.field_evaluations.to_string()),
            fact("exponentials", record.cost.exponentials.to_string()),
            fact("Newton iterations", record.cost.newton_iterations.to_string()),
            fact("largest manifold error", format!("{:.2e}", record.manifold_error)),
        ];
        if let Some(count) = &record.corrections {
            let value = format!("{} made, {} skipped", count.made, count.skipped);
            facts.push(fact("isotropy corrections", value));
        }
        facts
    }

    fn invariants(&self) -> Table {
        let heads = ["name", ">initial", ">final", ">largest error", ">relative", ">slope", ""];
        let mut table = Table::new(heads).titled(
            "Invariants",
            format!(
                "The slope is that of a straight line fitted to the error over time; whether it is a \
                 drift or an oscillation is what `lieflow drift` decides. Rounding: below {ROUNDING:e} of \
                 the size, or of the terms whose sum it is. Components of a vector are compared with its \
                 length; what is zero, or as good as zero, has no relative error."
            ),
        );
        for (q, scale) in self.record.invariants.iter().zip(&self.record.scales) {
            let kept = scale.is_rounding(q.max_error);
            let relative = scale.relative(q.max_error);
            let cells = [
                q.name.to_string(),
                number(q.initial),
                number(q.last),
                format!("{:.3e}", q.max_error),
                relative.map_or("–".into(), |part| format!("{part:.1e}")),
                format!("{:.3e}", q.slope()),
                if kept { "✓ kept to rounding" } else { "○ moves" }.to_string(),
            ];
            table.judged(cells, if kept { Verdict::Good } else { Verdict::Plain });
        }
        table
    }
}

fn counted(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}
