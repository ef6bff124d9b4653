//! What a run is worth, in words: how far each invariant moved, how far a body turns in a step, and
//! whether the step is too large for the result to mean anything.
use crate::output::number::{counted, number, round_down};
use lieflow::archive::Archive;
use lieflow::method::Card;
use lieflow::problem::Value;
use lieflow_models::run::{Pace, Plan, Record, Sink, State};
use serde_json::{Value as Json, json};
use std::ops::ControlFlow;

/// An invariant that moves by this part of its size says that the run means nothing.
const NONSENSE: f64 = 0.1;
/// More than this angle in a step, and a method no longer sees how the body turns. An angle of pi
/// cannot be told from one in the other direction.
const LARGEST_TURN: f64 = 2.0;
/// The angle in a step that is suggested instead.
const GOOD_TURN: f64 = 0.2;
/// The part of its size by which an invariant may move with the step that is suggested.
const GOOD_CHANGE: f64 = 1e-4;

/// Passes on what a run computes, and notes how far bodies turn in a step.
pub struct Watching<'a> {
    pub inner: &'a mut dyn Sink,
    /// The places of angular velocities among the parts of a state.
    turning: Vec<usize>,
    /// The last time, and the longest step since the last state was seen.
    t: f64,
    longest: f64,
    /// The largest angle in a step.
    turn: Option<f64>,
}

impl<'a> Watching<'a> {
    /// For a run that begins at `from`.
    pub fn new(inner: &'a mut dyn Sink, from: f64) -> Self {
        Self { inner, turning: vec![], t: from, longest: 0.0, turn: None }
    }

    /// The largest angle that a body turned by in a step, if anything turns.
    pub fn turn(&self) -> Option<f64> {
        self.turn
    }
}

impl Sink for Watching<'_> {
    fn begin(&mut self, invariants: &[&'static str], start: &State) -> ControlFlow<()> {
        self.turning = angular_velocities(start);
        self.inner.begin(invariants, start)
    }
    fn follows_steps(&self) -> bool {
        true
    }
    fn step(&mut self, t: f64, invariants: &[f64]) -> ControlFlow<()> {
        self.longest = self.longest.max((t - self.t).abs());
        self.t = t;
        self.inner.step(t, invariants)
    }
    fn sample(&mut self, state: &State, invariants: &[f64]) -> ControlFlow<()> {
        if let Some(speed) = fastest(state, &self.turning) {
            let turn = speed * self.longest;
            self.turn = Some(self.turn.map_or(turn, |before| before.max(turn)));
        }
        self.longest = 0.0;
        self.inner.sample(state, invariants)
    }
    fn checkpoint_before(&mut self) -> Option<Vec<u64>> {
        self.inner.checkpoint_before()
    }
    fn resume(&mut self, invariants: &[&'static str], start: &State) -> ControlFlow<()> {
        self.turning = angular_velocities(start);
        self.inner.resume(invariants, start)
    }
    fn archive(&mut self, archive: &mut Archive) {
        archive.number(&mut self.t);
        archive.number(&mut self.longest);
        archive.option(&mut self.turn, &0.0, Archive::number);
        self.inner.archive(archive);
    }
    fn takes_checkpoints(&self) -> bool {
        self.inner.takes_checkpoints()
    }
    fn checkpoint_due(&mut self, last: bool) -> bool {
        self.inner.checkpoint_due(last)
    }
    fn checkpoint(&mut self, taken: Result<Vec<u64>, &'static str>, last: bool) -> ControlFlow<()> {
        self.inner.checkpoint(taken, last)
    }
}

/// The places of angular velocities among the parts of a state: all states of a run have the same parts, and names
/// are looked at once.
fn angular_velocities(state: &State) -> Vec<usize> {
    let named = state.parts.iter().enumerate().filter(|(_, (name, _))| name.contains("omega"));
    named.map(|(place, _)| place).collect()
}

/// The largest of the angular velocities at these places of a state.
fn fastest(state: &State, turning: &[usize]) -> Option<f64> {
    let norm = |v: &[f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let speed = |value: &Value| match value {
        Value::Vector(v) => norm(v),
        Value::Vectors(list) => list.iter().map(norm).fold(0.0, f64::max),
        _ => 0.0,
    };
    let parts = turning.iter().filter_map(|place| state.parts.get(*place));
    parts.map(|(_, value)| speed(value)).reduce(f64::max)
}

/// What a run is worth.
pub struct Verdict {
    /// For each invariant its largest change as a part of its size; none where it has no size.
    pub changes: Vec<(&'static str, Option<f64>)>,
    /// The largest change of those that have no size, if it is more than rounding.
    pub from_zero: Option<(&'static str, f64)>,
    /// The largest angle that a body turned by in a step.
    pub turn: Option<f64>,
    /// Why the result means nothing, if so.
    pub nonsense: Vec<String>,
    /// A step to try instead.
    pub try_step: Option<f64>,
    /// What else is worth knowing.
    pub notes: Vec<String>,
}

impl Verdict {
    /// Judges a run.
    pub fn of(record: &Record, plan: &Plan, card: &Card, turn: Option<f64>) -> Self {
        let measured = || record.invariants.iter().zip(&record.scales);
        let changes = measured().map(|(q, scale)| (q.name, scale.relative(q.max_error))).collect();
        let from_zero = measured()
            .filter(|(q, scale)| scale.size().is_none() && !scale.is_rounding(q.max_error))
            .map(|(q, _)| (q.name, q.max_error))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        let mut verdict =
            Self { changes, from_zero, turn, nonsense: vec![], try_step: None, notes: vec![] };
        verdict.judge_invariants(plan, card);
        if let Pace::Fixed { step } = plan.pace {
            verdict.judge_turn(step, card);
            let length = (plan.until - plan.from).abs();
            if step > length {
                verdict.notes.push(format!(
                    "the step {step:?} is longer than the whole interval: one step of {} was made",
                    number(length, 6)
                ));
            }
        }
        verdict
    }

    fn judge_invariants(&mut self, plan: &Plan, card: &Card) {
        let worst = self.changes.iter().filter_map(|(name, change)| Some((*name, (*change)?)));
        let worst = worst.max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((name, change)) = worst.filter(|(_, change)| *change > NONSENSE) else { return };
        self.nonsense.push(format!("{name} changes by {}", part(change)));
        if let Pace::Fixed { step } = plan.pace {
            // An error of order p falls with the p-th power of the step.
            let factor = (GOOD_CHANGE / change).powf(1.0 / f64::from(card.order.max(1)));
            self.suggest(step * factor.clamp(1e-4, 0.5));
        }
    }

    fn judge_turn(&mut self, step: f64, card: &Card) {
        // Methods that take the free motion from its exact solution see any turn.
        let exact = card.id.starts_with("exs");
        let Some(turn) = self.turn.filter(|turn| *turn > LARGEST_TURN && !exact) else { return };
        self.nonsense.push(format!("a body turns by {} rad in a step", number(turn, 3)));
        self.suggest(step * GOOD_TURN / turn);
    }

    /// The smallest of the steps that are suggested.
    fn suggest(&mut self, step: f64) {
        let step = round_down(step);
        self.try_step = Some(self.try_step.map_or(step, |before| before.min(step)));
    }

    /// For `run --json`, where a result means nothing.
    pub fn to_json(&self) -> Json {
        let changes: serde_json::Map<String, Json> =
            self.changes.iter().map(|(name, change)| ((*name).into(), json!(change))).collect();
        json!({
            "good": self.nonsense.is_empty(), "reasons": self.nonsense,
            "try_step": self.try_step,
            "relative_changes": changes,
            "turn_per_step": self.turn,
        })
    }

    /// In a few lines.
    pub fn text(&self, record: &Record, card: &Card) -> String {
        let mut text = String::new();
        let worst = self.changes.iter().filter_map(|(name, change)| Some((*name, (*change)?)));
        if let Some((name, change)) = worst.max_by(|a, b| a.1.total_cmp(&b.1)) {
            text += &format!("largest relative change of an invariant {} ({name})", part(change));
        }
        if let Some((name, change)) = self.from_zero {
            text += if text.is_empty() { "" } else { "; " };
            text += &format!("{name}, which has no size, changes by {}", number(change, 2));
        }
        if let Some(turn) = self.turn {
            text += if text.is_empty() { "" } else { "; " };
            text += &format!("largest turn in a step {} rad", number(turn, 3));
        }
        if !text.is_empty() {
            text.push('\n');
        }
        if !self.nonsense.is_empty() {
            let reasons = self.nonsense.join(", ");
            let advice = match self.try_step {
                Some(step) => format!("this step is too large, try --step {step:?}"),
                None => "try a smaller tolerance".into(),
            };
            text += &format!("this result means nothing: {reasons}; {advice}\n");
        }
        for note in &self.notes {
            text += &format!("note: {note}\n");
        }
        if self.nonsense.is_empty() && !card.symplectic && record.steps >= 1000 {
            text += &format!(
                "{} is not symplectic: over {} the energy may drift; `lieflow drift` measures it\n",
                record.method,
                counted(record.steps, "step")
            );
        }
        text
    }
}

/// A part of a whole: percent where people think in percent.
fn part(x: f64) -> String {
    match x {
        0.0 => "nothing".into(),
        0.01..10.0 => format!("{} %", number(100.0 * x, 3)),
        _ if x >= 10.0 => format!("{} times its initial size", number(x, 3)),
        _ => number(x, 2),
    }
}
