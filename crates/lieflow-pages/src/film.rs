//! Frames of a run at even distances in time.
//!
//! A run keeps the states that its plan asks for, at the ends of steps, which may be few or uneven. So
//! the picture has a run of its own: with fixed steps it takes every so many of the same states, with
//! adaptive steps (or steps that are too long for the eye) it asks the dense output of the method. The
//! first run is not touched by this, not in a bit.
use crate::Samples;
use crate::parts::{angle_between, dot, norm};
use lieflow::problem::Value;
use lieflow_models::run::{Ended, Model, Pace, Plan, Record, Sink, State};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// From one frame to the next a body turns no further than this, in radians, where that is possible.
const TURN: f64 = 16.0 * std::f64::consts::PI / 180.0;
/// Fewer frames than this do not look like a motion.
const FEWEST: usize = 600;
/// More are of no use.
const MOST: usize = 12_000;
/// Numbers that all frames together may have.
const BUDGET: usize = 180_000;
/// A run that took longer, in seconds, is not made again for its picture.
const PATIENCE: f64 = 60.0;

/// States for a picture, in the order of the run.
#[derive(Clone, Debug, Default)]
pub struct Film {
    /// The states.
    pub states: Vec<State>,
    /// The invariants of each.
    pub invariants: Vec<Vec<f64>>,
    /// The names of the invariants.
    pub invariant_names: Vec<&'static str>,
    /// The fastest rotation, in radians per unit of time.
    pub rate: f64,
    /// Why the states are those that the run kept, and not made for the picture.
    pub kept_because: Option<&'static str>,
    /// When frames must be there; a resumed run may be longer than its last part was.
    pub(crate) deadline: Option<Instant>,
    pub(crate) late: bool,
}

impl Film {
    /// Runs the plan again for the picture.
    pub fn shoot(model: &dyn Model, plan: &Plan, record: &Record, samples: &Samples) -> Self {
        let fallback = |because| Self {
            states: samples.states.clone(),
            invariants: samples.invariants.clone(),
            invariant_names: samples.invariant_names.clone(),
            rate: rate(&samples.states),
            kept_because: Some(because),
            ..Self::default()
        };
        let length = (record.state.t - plan.from).abs();
        if record.seconds > PATIENCE {
            return fallback("The run took long");
        }
        if record.ended == Ended::Interrupted {
            return fallback("The run was interrupted");
        }
        if record.steps == 0 || !length.is_finite() || length == 0.0 {
            return fallback("The run made no step");
        }
        let size = samples.states.first().map_or(1, |state| state.parts.iter().map(size).sum());
        let most = (BUDGET / size.max(1)).clamp(24, MOST);
        let wanted = (rate(&samples.states) * length / TURN).ceil();
        let wanted =
            (if wanted.is_finite() { wanted as usize } else { 0 }).clamp(FEWEST, MOST).min(most);
        let mut plan = plan.clone();
        plan.every = u64::MAX;
        plan.watch = false;
        plan.times = times(&plan, record, wanted, most);
        let deadline = Some(Instant::now() + Duration::from_secs_f64(PATIENCE));
        let mut film = Self { deadline, ..Self::default() };
        // A run that fails has been reported; its picture goes as far as it went.
        let _ = model.run(&plan, &mut film);
        if film.late {
            return fallback("The run takes long");
        }
        if film.states.len() < 2 {
            return fallback("The method cannot be asked between such steps");
        }
        let ahead =
            |t: f64| (record.state.t - t) * (plan.until - plan.from).signum() > 1e-9 * length;
        if film.states.last().is_some_and(|last| ahead(last.t)) {
            film.states.push(record.state.clone());
            film.invariants.push(record.invariants.iter().map(|q| q.last).collect());
        }
        film.rate = rate(&film.states);
        film
    }

    /// Frames that are there already.
    pub(crate) fn of(states: Vec<State>) -> Self {
        Self { rate: rate(&states), states, ..Self::default() }
    }

    /// The times of the frames.
    pub fn times(&self) -> Vec<f64> {
        self.states.iter().map(|state| state.t).collect()
    }

    /// The largest turn from one frame to the next, in degrees.
    pub fn turn(&self) -> f64 {
        let gaps = self.states.windows(2).map(|w| (w[1].t - w[0].t).abs());
        (self.rate * gaps.fold(0.0, f64::max)).to_degrees()
    }
}

impl Sink for Film {
    fn begin(&mut self, invariants: &[&'static str], _: &State) -> ControlFlow<()> {
        self.invariant_names = invariants.to_vec();
        ControlFlow::Continue(())
    }
    fn follows_steps(&self) -> bool {
        false
    }
    fn sample(&mut self, state: &State, invariants: &[f64]) -> ControlFlow<()> {
        self.states.push(state.clone());
        self.invariants.push(invariants.to_vec());
        self.late = self.deadline.is_some_and(|deadline| Instant::now() > deadline);
        if self.late { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// When frames are taken: of fixed steps the ends, so that nothing is between; else round times.
fn times(plan: &Plan, record: &Record, wanted: usize, most: usize) -> Vec<f64> {
    // An event may have ended the run before its time.
    let end = record.state.t;
    let forth = (end - plan.from).signum();
    let length = (end - plan.from).abs();
    let inside = |t: &f64| (end - t) * forth > 1e-9 * length;
    let mut list: Vec<f64> = match plan.pace {
        Pace::Fixed { step } if record.steps as usize >= wanted => {
            let steps = record.steps as usize;
            let every = (steps / wanted).max(steps.div_ceil(most)).max(1);
            (0..=steps / every)
                .map(|k| plan.from + (k * every) as f64 * step.copysign(forth))
                .collect()
        }
        Pace::Fixed { step } => {
            let step = step.min(length);
            let least = wanted.div_ceil(record.steps.max(1) as usize);
            // So that times have few digits.
            let parts = [
                1, 2, 4, 5, 8, 10, 16, 20, 25, 32, 40, 50, 64, 80, 100, 125, 160, 200, 250, 500,
                1000,
            ];
            let parts = parts.into_iter().find(|n| *n >= least).unwrap_or(least);
            let count = (length / step * parts as f64).ceil() as usize;
            let part = step.copysign(forth) / parts as f64;
            (0..=count.min(MOST)).map(|k| plan.from + k as f64 * part).collect()
        }
        Pace::Adaptive { .. } => {
            // The next round number where there would be too many.
            let fine = round_below(length / wanted as f64);
            let gap = [1.0, 2.0, 4.0, 5.0, 10.0].map(|k| k * fine);
            let gap = gap
                .into_iter()
                .find(|gap| length / gap <= most as f64)
                .unwrap_or(length / most as f64);
            let count = (length / gap).ceil() as usize;
            (0..=count).map(|k| plan.from + k as f64 * gap * forth).collect()
        }
    };
    list.retain(inside);
    list.push(end);
    list
}

/// The largest of 1, 2, 2.5 and 5 times a power of ten that is not above `x`.
fn round_below(x: f64) -> f64 {
    let power = 10f64.powf(x.log10().floor());
    let unit = [5.0, 2.5, 2.0, 1.0].into_iter().find(|unit| unit * power <= x).unwrap_or(1.0);
    unit * power
}

/// How many numbers a part of a state has in the picture, which shows where things are.
fn size((name, value): &(&'static str, Value)) -> usize {
    if name.contains("omega") || name.contains("momentum") || *name == "velocity" {
        return 0;
    }
    match value {
        Value::Number(_) => 1,
        Value::Numbers(x) => x.len(),
        Value::Vector(_) => 3,
        Value::Vectors(v) => 3 * v.len(),
        Value::Rotation(_) => 4,
    }
}

/// The fastest rotation: what angular velocities say, and what is seen between two states.
fn rate(states: &[State]) -> f64 {
    let mut rate: f64 = 0.0;
    for state in states {
        for (_, value) in state.parts.iter().filter(|(name, _)| name.contains("omega")) {
            let fastest = match value {
                Value::Vector(v) => norm(*v),
                Value::Vectors(list) => list.iter().map(|v| norm(*v)).fold(0.0, f64::max),
                _ => 0.0,
            };
            rate = rate.max(fastest);
        }
    }
    for pair in states.windows(2) {
        let gap = (pair[1].t - pair[0].t).abs().max(f64::MIN_POSITIVE);
        for ((_, a), (_, b)) in pair[0].parts.iter().zip(&pair[1].parts) {
            let turn = match (a, b) {
                (Value::Rotation(a), Value::Rotation(b)) => angle_between(a, b),
                (Value::Vectors(a), Value::Vectors(b)) => {
                    a.iter().zip(b).map(|(a, b)| direction_turn(*a, *b)).fold(0.0, f64::max)
                }
                (Value::Vector(a), Value::Vector(b)) => direction_turn(*a, *b),
                _ => 0.0,
            };
            rate = rate.max(turn / gap);
        }
    }
    rate
}

/// The angle between two unit vectors; other vectors are not directions.
fn direction_turn(a: [f64; 3], b: [f64; 3]) -> f64 {
    let unit = |v: [f64; 3]| (norm(v) - 1.0).abs() < 1e-6;
    if unit(a) && unit(b) { dot(a, b).clamp(-1.0, 1.0).acos() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_numbers_are_below() {
        for (x, below) in [(0.0067, 0.005), (0.3, 0.25), (2.4, 2.0), (1.0, 1.0), (70.0, 50.0)] {
            assert!((round_below(x) / below - 1.0).abs() < 1e-12, "{x}");
        }
    }
}
