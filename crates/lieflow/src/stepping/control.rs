//! What chooses the steps.
use super::SolveError;
use crate::archive::Archive;
use crate::method::{Cost, Step, StepError};
use crate::problem::{Problem, Tempo};

/// One trial: from `t` by `h`, which ends at the time `end`.
///
/// `end` is not always the rounded sum `t + h`: fixed steps end at `t0 + k h` and the last step ends
/// exactly where it should.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stride {
    /// Where it begins.
    pub t: f64,
    /// Its length, negative backwards in time.
    pub h: f64,
    /// Where it ends.
    pub end: f64,
}

/// The fate of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The proposal becomes the state.
    Accept,
    /// The state stays, and another trial is made.
    Reject,
}

/// Chooses steps and judges trials. It owns the clock, and knows neither the method nor the problem.
pub trait Control {
    /// A run begins at `span.0`, towards `span.1`, with `step` as the first step. The driver has
    /// checked that these are finite and agree in direction.
    fn begin(&mut self, span: (f64, f64), step: f64) -> Result<(), SolveError>;

    /// The next trial, or nothing at the end.
    fn propose(&mut self) -> Result<Option<Stride>, SolveError>;

    /// Judges the trial that was proposed last by its error estimate, or by its failure.
    fn judge(
        &mut self,
        stride: &Stride,
        trial: Result<Option<f64>, StepError>,
    ) -> Result<Verdict, SolveError>;

    /// The trial that was accepted last, where it took the trial to find out how long it is.
    fn found(&self) -> Option<Stride> {
        None
    }

    /// The trial accepted last was cut short at `t`, and the motion goes on from there with another
    /// state.
    fn restart(&mut self, t: f64);

    /// Whether it wants to know how fast things happen at the state from which the next step begins. It
    /// is told before it is asked for that step.
    fn wants_tempo(&self) -> bool {
        false
    }

    /// How fast things happen at the state from which the next step begins.
    fn hear(&mut self, tempo: Tempo) -> Result<(), SolveError> {
        let _ = tempo;
        Ok(())
    }

    /// What choosing the steps has cost so far, beside the steps themselves.
    fn cost(&self) -> Cost {
        Cost::default()
    }

    /// Names where it is and what it remembers, after [`Control::begin`], so that a run can go on
    /// later. Unless written, it cannot.
    fn archive(&mut self, archive: &mut Archive) {
        archive.refuse("its steps are chosen by what cannot be kept");
    }

    /// The steps that come next, if they are alike and none of them needs a judgement.
    fn even_steps(&self) -> Option<EvenSteps> {
        None
    }

    /// So many of [these steps](Control::even_steps) were made; the time now.
    fn advance_by(&mut self, steps: u64) -> Option<f64> {
        let _ = steps;
        None
    }
}

/// Steps of one size ahead: number `k` of them leads from `from + (first + k) h` on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvenSteps {
    /// The beginning of the grid.
    pub from: f64,
    /// The step.
    pub h: f64,
    /// The grid points passed.
    pub first: u64,
    /// How many steps there are.
    pub count: u64,
}

impl EvenSteps {
    /// Where step number `k` begins.
    #[inline(always)]
    pub fn time(&self, k: u64) -> f64 {
        self.from + (self.first + k) as f64 * self.h
    }
    /// Step number `k` of a problem, from this state.
    #[inline(always)]
    pub fn step<'a, P: Problem>(&self, p: &'a P, k: u64, y: &'a P::Point) -> Step<'a, P> {
        Step { p, t: self.time(k), h: self.h, y }
    }
    /// How many of the steps surely end before `t`: all but the one that reaches it, or a step
    /// less.
    pub fn before(&self, t: f64) -> u64 {
        let reached = (t - self.from) / self.h - self.first as f64;
        // Never negative, and no more than there are, also where it is not a number.
        ((reached - 1.0).floor().max(0.0) as u64).min(self.count)
    }
}

/// A distance in time below which two moments near `t` are the same to rounding.
pub(super) fn resolution(t: f64) -> f64 {
    4.0 * f64::EPSILON * t.abs() + f64::MIN_POSITIVE
}

/// Time as the unevaluated sum `now + low` of two numbers, so that steps of any size add up exactly
/// to about twice the precision.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    pub(super) now: f64,
    low: f64,
    pub(super) until: f64,
    /// Where the step that was proposed last ends.
    next: (f64, f64),
}

impl Clock {
    pub(super) fn new((from, until): (f64, f64)) -> Self {
        Self { now: from, low: 0.0, until, next: (from, 0.0) }
    }

    /// The step `h` from now, or what is left. A remainder below rounding joins the last step.
    pub(super) fn propose(&mut self, h: f64) -> Option<Stride> {
        let left = self.left();
        if left == 0.0 || self.now == self.until {
            return None;
        }
        let rest = left.abs() - h.abs();
        if rest <= resolution(self.until.abs().max(h.abs())) {
            self.next = (self.until, 0.0);
            return Some(Stride { t: self.now, h: left, end: self.until });
        }
        // Knuth's exact sum, then the old remainder.
        let sum = self.now + h;
        let part = sum - self.now;
        let low = (self.now - (sum - part)) + (h - part) + self.low;
        let end = sum + low;
        self.next = (end, low - (end - sum));
        Some(Stride { t: self.now, h, end })
    }

    /// What is left of the way to the end.
    pub(super) fn left(&self) -> f64 {
        (self.until - self.now) - self.low
    }

    /// Names the time now.
    pub(super) fn archive(&mut self, archive: &mut Archive) {
        archive.number(&mut self.now);
        archive.number(&mut self.low);
    }

    /// The step that was proposed last was made.
    pub(super) fn commit(&mut self) {
        (self.now, self.low) = self.next;
    }
}
