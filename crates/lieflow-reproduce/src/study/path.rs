//! Components of the state: as functions of time, or one against another.
//!
//! Keys: `x` and `y` name components (see [`component`](super::component)), `x` is the time unless
//! given; `y` may be a list, each with its own panel; `every = 10` keeps each tenth step; `log`,
//! `equal`; `reference = { method = "exs@rkn6a", finer = 8 }` runs that method with a step so many
//! times smaller, draws it, and measures `rms` and `largest` differences at the same times;
//! `fails = true` lets a run break down. The component `turn` is the angle in degrees since the
//! state kept before. `at = [0.5, 1]` measures at times (which must be kept).
use super::component::component;
use super::{DataTable, ExperimentError, Outcome, exact, failed, need_steps, problem};
use crate::experiment::{MethodChoice, StudyTable, texts};
use lieflow::kernel::so3;
use lieflow::problem::Value;
use lieflow::{Mat3, Vec3};
use lieflow_models::problem_file::Warnings;
use lieflow_models::run::{Pace, Sink, State};
use lieflow_report::figure::{Figure, Series, Style};
use std::ops::ControlFlow;

struct Wish {
    x: String,
    ys: Vec<String>,
    every: u64,
    log: bool,
    equal: bool,
    fails: bool,
    at: Vec<f64>,
    reference: Option<(MethodChoice, u64)>,
}

pub(super) fn carry_out(table: &StudyTable, quick: bool) -> Result<Outcome, ExperimentError> {
    need_steps(table, 1)?;
    let wish = read(table)?;
    let panel = |y: &String| {
        let figure = Figure::new(table.title.as_str(), label(&wish.x), label(y));
        let figure = if wish.log { figure.log_y() } else { figure };
        if wish.equal { figure.equal() } else { figure }
    };
    let figures = wish.ys.iter().map(panel).collect();
    let mut outcome = Outcome { figures, ..Outcome::default() };
    let mut data = DataTable { name: table.name.clone(), ..DataTable::default() };
    data.head = ["method", "step", "t"].map(String::from).to_vec();
    if wish.x != "t" {
        data.head.push(wish.x.clone());
    }
    data.head.extend(wish.ys.iter().cloned());
    let mut drawn_reference = false;
    for choice in &table.methods {
        for (step_name, step) in &table.steps {
            let samples = sample(table, choice, step_name, *step, wish.every, &wish, quick)?;
            let base = format!("{}/{}/{step_name}", table.name, choice.label);
            outcome.measured.put(format!("{base}/failed"), f64::from(u8::from(samples.broke)));
            let name = if table.steps.len() > 1 {
                format!("{}, h = {step_name}", choice.label)
            } else {
                choice.label.clone()
            };
            draw(&mut outcome, &mut data, &samples, &wish, &name, &choice.label, *step);
            measure(&mut outcome, &samples, &wish, &base);
            let Some((method, finer)) = &wish.reference else { continue };
            let fine_step = step / *finer as f64;
            let every = wish.every * finer;
            let fine = sample(table, method, step_name, fine_step, every, &wish, quick)?;
            for (k, y) in wish.ys.iter().enumerate() {
                let pairs = samples.rows.iter().zip(&fine.rows);
                let gaps: Vec<f64> = pairs.map(|(a, b)| (a.1[k] - b.1[k]).abs()).collect();
                let squares = gaps.iter().map(|g| g * g).sum::<f64>() / gaps.len().max(1) as f64;
                outcome.measured.put(format!("{base}/{y}/rms"), squares.sqrt());
                let largest = gaps.iter().copied().fold(0.0, f64::max);
                outcome.measured.put(format!("{base}/{y}/largest"), largest);
            }
            if !drawn_reference {
                draw(&mut outcome, &mut data, &fine, &wish, "reference", "reference", fine_step);
                drawn_reference = true;
            }
        }
    }
    outcome.data.push(data);
    Ok(outcome)
}

fn read(table: &StudyTable) -> Result<Wish, ExperimentError> {
    let warnings = Warnings::default();
    let reader = table.reader(&warnings)?;
    let ys = match reader.optional_text("y") {
        Ok(Some(y)) => vec![y.to_string()],
        _ => texts(&reader, "y")?,
    };
    let reference = match reader.optional_sub("reference")? {
        None => None,
        Some(r) => {
            let id = r.text("method")?.to_string();
            let choice = MethodChoice { label: id.clone(), settings: texts(&r, "set")?, id };
            let finer = r.optional_integer("finer")?.unwrap_or(8).max(1);
            r.finish()?;
            Some((choice, finer))
        }
    };
    let wish = Wish {
        x: reader.optional_text("x")?.unwrap_or("t").into(),
        ys,
        every: reader.optional_integer("every")?.unwrap_or(1).max(1),
        log: reader.boolean_or("log", false)?,
        equal: reader.boolean_or("equal", false)?,
        fails: reader.boolean_or("fails", false)?,
        at: if reader.has("at") { reader.numbers("at")? } else { Vec::new() },
        reference,
    };
    reader.finish()?;
    Ok(wish)
}

/// Times, and the components at each.
#[derive(Default)]
struct Samples {
    rows: Vec<(f64, Vec<f64>)>,
    /// Abscissas, where they are not the time.
    xs: Vec<f64>,
    broke: bool,
}

struct Keep<'a> {
    wish: &'a Wish,
    samples: Samples,
    before: Option<State>,
}

impl Sink for Keep<'_> {
    fn sample(&mut self, state: &State, _: &[f64]) -> ControlFlow<()> {
        let value = |name: &str| {
            let found = match (name, &self.before) {
                ("turn", Some(before)) => turn(before, state),
                _ => component(state, name),
            };
            found.unwrap_or(f64::NAN)
        };
        self.samples.rows.push((state.t, self.wish.ys.iter().map(|y| value(y)).collect()));
        self.samples.xs.push(value(&self.wish.x));
        if self.wish.ys.iter().any(|y| y == "turn") {
            self.before = Some(state.clone());
        }
        ControlFlow::Continue(())
    }
}

/// The angle in degrees by which a body has turned between two kept states, beyond half a turn
/// too: then the shorter way round is against the angular velocity.
fn turn(before: &State, now: &State) -> Option<f64> {
    let rotation = |state: &State| match state.part("rotation") {
        Some(Value::Rotation(r)) => Some(Mat3::<f64>::lift(*r)),
        _ => None,
    };
    let velocity = |state: &State| match state.part("omega") {
        Some(Value::Vector(v)) => Some(Vec3::from(*v)),
        _ => None,
    };
    let shorter = so3::log(&rotation(before)?.transpose().matmul(&rotation(now)?));
    let degrees = shorter.norm().to_degrees();
    let along = shorter.dot(velocity(before)? + velocity(now)?) >= 0.0;
    Some(if along { degrees } else { 360.0 - degrees })
}

fn sample(
    table: &StudyTable,
    choice: &MethodChoice,
    step_name: &str,
    step: f64,
    every: u64,
    wish: &Wish,
    quick: bool,
) -> Result<Samples, ExperimentError> {
    let (model, mut plan) = problem(table, Some(choice), &[], quick)?;
    plan.pace = Pace::Fixed { step };
    plan.every = every;
    let mut keep = Keep { wish, samples: Samples::default(), before: None };
    let result = model.run(&plan, &mut keep);
    keep.samples.broke = result.is_err();
    if let Err(failure) = result
        && (!wish.fails || failure.error.is_input())
    {
        return Err(failed(table, &choice.label, step_name, failure));
    }
    // A component that is nowhere is a mistake in the file.
    for (k, name) in wish.ys.iter().enumerate() {
        if keep.samples.rows.iter().all(|(_, values)| values[k].is_nan()) {
            let reason = format!("the state has no component '{name}'");
            return Err(ExperimentError::Kind { study: table.name.clone(), reason });
        }
    }
    Ok(keep.samples)
}

fn draw(
    outcome: &mut Outcome,
    data: &mut DataTable,
    samples: &Samples,
    wish: &Wish,
    name: &str,
    method: &str,
    step: f64,
) {
    let style = if name == "reference" { Style::Guide } else { Style::Line };
    for (k, figure) in outcome.figures.iter_mut().enumerate() {
        let shown = |y: f64| if wish.log { y.abs() } else { y };
        let points = samples.xs.iter().zip(&samples.rows).map(|(x, (_, ys))| (*x, shown(ys[k])));
        figure.series.push(Series::new(name, style, points));
    }
    for (x, (t, ys)) in samples.xs.iter().zip(&samples.rows) {
        let mut row = vec![method.to_string(), exact(step), exact(*t)];
        if wish.x != "t" {
            row.push(exact(*x));
        }
        row.extend(ys.iter().map(|y| exact(*y)));
        data.rows.push(row);
    }
}

fn measure(outcome: &mut Outcome, samples: &Samples, wish: &Wish, base: &str) {
    for (k, y) in wish.ys.iter().enumerate() {
        let values = samples.rows.iter().map(|(_, ys)| ys[k]);
        let fold = |start: f64, f: fn(f64, f64) -> f64| values.clone().fold(start, f);
        outcome.measured.put(format!("{base}/{y}/min"), fold(f64::INFINITY, f64::min));
        outcome.measured.put(format!("{base}/{y}/max"), fold(f64::NEG_INFINITY, f64::max));
        let largest = values.clone().map(f64::abs).fold(0.0, f64::max);
        outcome.measured.put(format!("{base}/{y}/amplitude"), largest);
        if let Some((_, last)) = samples.rows.last() {
            outcome.measured.put(format!("{base}/{y}/final"), last[k]);
        }
        for time in &wish.at {
            let near =
                samples.rows.iter().find(|(t, _)| (t - time).abs() <= 1e-9 * time.abs().max(1.0));
            if let Some((_, ys)) = near {
                outcome.measured.put(format!("{base}/{y}/at:{time}"), ys[k]);
            }
        }
    }
}

/// What an axis says.
fn label(component: &str) -> &str {
    if component == "t" { "time" } else { component }
}
