//! Invariants over time: how far they move, and whether they drift.
//!
//! Keys: `invariants = ["energy"]`; `relative = true` divides by the initial value; `per_square =
//! true` divides by the square of the step; `at = [1, 10]` measures after so many steps; `log =
//! true` draws absolute values on a logarithmic axis; `panels = true` draws each step apart; `fails = true` lets a run break down, which
//! is then measured as `failed = 1`; `growth = true` draws the largest error so far on two logarithmic axes, and measures
//! `exponent`, the power of the time with which it grows from a hundred steps on.
use super::{DataTable, ExperimentError, Outcome, exact, failed, need_steps, problem};
use crate::experiment::StudyTable;
use lieflow::stepping::Line;
use lieflow_models::problem_file::Warnings;
use lieflow_models::run::{Pace, Sink, State};
use lieflow_report::figure::{Figure, Series, Style};
use std::ops::ControlFlow;

/// Points that a curve keeps, at most; extremes survive thinning.
const KEPT: usize = 4000;

/// The step from which growth is followed, and how many times it is looked at while their number grows tenfold.
const FIRST: u64 = 100;
const LOOKS: f64 = 20.0;

pub(super) fn carry_out(table: &StudyTable, quick: bool) -> Result<Outcome, ExperimentError> {
    need_steps(table, 1)?;
    let warnings = Warnings::default();
    let reader = table.reader(&warnings)?;
    let names = match reader.optional("invariants") {
        Some(_) => crate::experiment::texts(&reader, "invariants")?,
        None => vec!["energy".to_string()],
    };
    let relative = reader.boolean_or("relative", false)?;
    let per_square = reader.boolean_or("per_square", false)?;
    let log = reader.boolean_or("log", false)?;
    let growth = reader.boolean_or("growth", false)?;
    let may_fail = reader.boolean_or("fails", false)?;
    // One panel for each step, instead of all curves in one.
    let panels = reader.boolean_or("panels", false)?;
    let at: Vec<u64> = match reader.optional("at") {
        Some(_) => reader.numbers("at")?.iter().map(|n| *n as u64).collect(),
        None => Vec::new(),
    };
    reader.finish()?;

    let mut outcome = Outcome::default();
    let rows = if panels { table.steps.len() } else { 1 };
    let mut figures: Vec<Figure> = names
        .iter()
        .flat_map(|name| (0..rows).map(move |row| (name, row)))
        .map(|(name, row)| {
            let what = match (growth, log) {
                (true, _) => format!("largest error of {name} so far"),
                (_, true) => format!("|error of {name}|"),
                _ => format!("error of {name}"),
            };
            let what = if relative { format!("relative {what}") } else { what };
            let what = if per_square { format!("{what} / h²") } else { what };
            let title = match table.steps.get(row) {
                Some((step, _)) if panels => format!("h = {step}"),
                _ => table.title.clone(),
            };
            let figure = Figure::new(title, "time", what);
            match (growth, log) {
                (true, _) => figure.log_log(),
                (_, true) => figure.log_y(),
                _ => figure,
            }
        })
        .collect();
    let mut data = DataTable { name: table.name.clone(), ..DataTable::default() };
    data.head = ["method", "step", "invariant", "t", "error"].map(String::from).to_vec();
    for choice in &table.methods {
        for (row, (step_name, step)) in table.steps.iter().enumerate() {
            let (model, mut plan) = problem(table, Some(choice), &[], quick)?;
            plan.pace = Pace::Fixed { step: *step };
            plan.every = u64::MAX;
            let length = (plan.until - plan.from).abs() / step;
            let mut sink = Curves::new(&names, length, at.clone());
            sink.growth = growth.then_some(FIRST as f64);
            let result = model.run(&plan, &mut sink);
            let base = format!("{}/{}/{step_name}", table.name, choice.label);
            outcome.measured.put(format!("{base}/failed"), f64::from(u8::from(result.is_err())));
            if let Err(failure) = result
                && (!may_fail || failure.error.is_input())
            {
                return Err(failed(table, &choice.label, step_name, failure));
            }
            for (k, curve) in sink.curves.iter().enumerate() {
                let mut unit = if relative { curve.initial } else { 1.0 };
                if per_square {
                    unit *= step * step;
                }
                let path = |what: &str| format!("{base}/{}/{what}", curve.name);
                outcome.measured.put(path("max"), curve.range(unit).1);
                outcome.measured.put(path("min"), curve.range(unit).0);
                let (lo, hi) = curve.range(unit);
                outcome.measured.put(path("amplitude"), lo.abs().max(hi.abs()));
                outcome.measured.put(path("slope"), curve.line.slope() / unit);
                outcome.measured.put(path("final"), curve.last / unit);
                if growth {
                    outcome.measured.put(path("exponent"), curve.exponent());
                }
                for (n, value) in &curve.at {
                    outcome.measured.put(path(&format!("at:{n}")), value / unit);
                }
                let label = if table.steps.len() > 1 && !panels {
                    format!("{}, h = {step_name}", choice.label)
                } else {
                    choice.label.clone()
                };
                let shown = |y: f64| if log || growth { (y / unit).abs() } else { y / unit };
                let points = curve.points.iter().map(|(t, y)| (*t, shown(*y)));
                if let Some(figure) = figures.get_mut(k * rows + if panels { row } else { 0 }) {
                    figure.series.push(Series::new(label, Style::Line, points));
                }
                for (t, y) in &curve.points {
                    data.rows.push(vec![
                        choice.label.clone(),
                        exact(*step),
                        curve.name.clone(),
                        exact(*t),
                        exact(y / unit),
                    ]);
                }
            }
        }
    }
    outcome.figures = figures;
    outcome.data.push(data);
    Ok(outcome)
}

/// One invariant as it is seen step by step.
struct Curve {
    name: String,
    index: Option<usize>,
    initial: f64,
    last: f64,
    lo: f64,
    hi: f64,
    line: Line,
    at: Vec<(u64, f64)>,
    points: Vec<(f64, f64)>,
    /// The extremes of the bucket that is being filled.
    bucket: Vec<(f64, f64)>,
}

impl Curve {
    fn range(&self, unit: f64) -> (f64, f64) {
        let (a, b) = (self.lo / unit, self.hi / unit);
        (a.min(b), a.max(b))
    }
    /// The largest error so far.
    fn largest(&self) -> f64 {
        self.hi.max(-self.lo)
    }
    /// The power of the time with which the largest error grows; a rounding counts as none at all.
    fn exponent(&self) -> f64 {
        let least = 2.0 * f64::EPSILON * self.initial.abs();
        let mut line = Line::default();
        for (t, y) in self.points.iter().filter(|(t, _)| *t > 0.0) {
            line.push(t.ln(), y.max(least).ln());
        }
        line.slope()
    }
    /// Keeps the lowest and the highest point of the bucket, in their order.
    fn flush(&mut self) {
        let by = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let (Some(lo), Some(hi)) = (self.bucket.iter().min_by(by), self.bucket.iter().max_by(by))
        else {
            return;
        };
        let (first, second) = if lo.0 <= hi.0 { (*lo, *hi) } else { (*hi, *lo) };
        self.points.push(first);
        if second != first {
            self.points.push(second);
        }
        self.bucket.clear();
    }
}

struct Curves {
    curves: Vec<Curve>,
    wanted: Vec<u64>,
    step: u64,
    /// Steps in a bucket of the drawn curve.
    bucket: u64,
    /// The number of steps after which the growth is looked at next, if it is.
    growth: Option<f64>,
}

impl Curves {
    fn new(names: &[String], steps: f64, wanted: Vec<u64>) -> Self {
        let curves = names.iter().map(|name| Curve {
            name: name.clone(),
            index: None,
            initial: f64::NAN,
            last: 0.0,
            lo: 0.0,
            hi: 0.0,
            line: Line::default(),
            at: Vec::new(),
            points: Vec::new(),
            bucket: Vec::new(),
        });
        let bucket = (2.0 * steps / KEPT as f64).ceil().max(1.0) as u64;
        Self { curves: curves.collect(), wanted, step: 0, bucket, growth: None }
    }
}

impl Sink for Curves {
    fn begin(&mut self, invariants: &[&'static str], _: &State) -> ControlFlow<()> {
        for curve in &mut self.curves {
            curve.index = invariants.iter().position(|n| *n == curve.name);
        }
        ControlFlow::Continue(())
    }
    fn sample(&mut self, state: &State, invariants: &[f64]) -> ControlFlow<()> {
        if self.step == 0 {
            for curve in &mut self.curves {
                if let Some(value) = curve.index.and_then(|i| invariants.get(i)) {
                    curve.initial = *value;
                    curve.points.push((state.t, 0.0));
                }
            }
        }
        ControlFlow::Continue(())
    }
    fn step(&mut self, t: f64, invariants: &[f64]) -> ControlFlow<()> {
        self.step += 1;
        let look = self.growth.is_some_and(|next| self.step as f64 >= next);
        for curve in &mut self.curves {
            let Some(value) = curve.index.and_then(|i| invariants.get(i)) else { continue };
            let error = value - curve.initial;
            curve.last = error;
            curve.lo = curve.lo.min(error);
            curve.hi = curve.hi.max(error);
            curve.line.push(t, error);
            if self.wanted.contains(&self.step) {
                curve.at.push((self.step, error));
            }
            if self.growth.is_some() {
                if look {
                    let largest = curve.largest();
                    curve.points.push((t, largest));
                }
                continue;
            }
            curve.bucket.push((t, error));
            if self.step.is_multiple_of(self.bucket) {
                curve.flush();
            }
        }
        if look {
            self.growth = self.growth.map(|next| next * 10f64.powf(1.0 / LOOKS));
        }
        ControlFlow::Continue(())
    }
}
