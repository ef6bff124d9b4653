//! Keeping what is seen.
use super::{Observer, ObserverResult, Passage, SolveError};
use crate::problem::Problem;
use core::ops::ControlFlow;

/// Which moments are kept.
enum Sampling {
    /// The initial state, every so many-th step, the last state, and both sides of a jump.
    Every(u64),
    /// These times.
    At(Vec<f64>),
}

/// Times and states of a run, or something computed from each state.
pub struct Trajectory<
    P: Problem,
    T = <P as Problem>::Point,
    F = fn(&P, f64, &<P as Problem>::Point) -> T,
> {
    sampling: Sampling,
    keep: F,
    /// How many of the given times are past, and whether time runs forwards.
    past: usize,
    forward: bool,
    /// A place for states between steps.
    scratch: Option<P::Point>,
    /// The times.
    pub times: Vec<f64>,
    /// What was kept at these times.
    pub values: Vec<T>,
}

impl<P: Problem> Trajectory<P> {
    /// Keeps the initial state, every `k`-th step (zero counts as one), the last state, and the
    /// states before and after an event that changes the state.
    pub fn every(k: u64) -> Self {
        Self::sampled(Sampling::Every(k.max(1)), |_, _, y| y.clone())
    }

    /// Keeps the states at these times, by dense output; times that the run does not reach are left
    /// out. The run is not changed by it.
    pub fn at(times: impl Into<Vec<f64>>) -> Self {
        Self::sampled(Sampling::At(times.into()), |_, _, y| y.clone())
    }

    /// Keeps `f(p, t, y)` in place of the states.
    pub fn keeping<T, F: FnMut(&P, f64, &P::Point) -> T>(self, f: F) -> Trajectory<P, T, F> {
        Trajectory::sampled(self.sampling, f)
    }
}

impl<P: Problem, T, F: FnMut(&P, f64, &P::Point) -> T> Trajectory<P, T, F> {
    fn sampled(sampling: Sampling, keep: F) -> Self {
        let (times, values) = (Vec::new(), Vec::new());
        Self { sampling, keep, past: 0, forward: true, scratch: None, times, values }
    }

    /// What was kept, with its times.
    pub fn iter(&self) -> impl Iterator<Item = (f64, &T)> {
        self.times.iter().copied().zip(&self.values)
    }

    fn push(&mut self, p: &P, t: f64, y: &P::Point) {
        self.times.push(t);
        self.values.push((self.keep)(p, t, y));
    }

    /// Keeps `y` unless something was kept at this time already.
    fn push_new(&mut self, p: &P, t: f64, y: &P::Point) {
        if self.times.last() != Some(&t) {
            self.push(p, t, y);
        }
    }

    /// The next time to be kept, if the run has reached it at `t`.
    fn due(&mut self, t: f64) -> Option<f64> {
        let Sampling::At(times) = &self.sampling else { return None };
        let due = times.get(self.past).copied()?;
        let reached = if self.forward { due <= t } else { due >= t };
        self.past += usize::from(reached);
        reached.then_some(due)
    }
}

impl<P: Problem, T, F: FnMut(&P, f64, &P::Point) -> T> Observer<P> for Trajectory<P, T, F> {
    fn begin(&mut self, p: &P, (from, until): (f64, f64), y: &P::Point) -> ObserverResult {
        self.times.clear();
        self.values.clear();
        match &mut self.sampling {
            Sampling::Every(_) => self.push(p, from, y),
            Sampling::At(times) => {
                if let Some(&t) = times.iter().find(|t| !t.is_finite()) {
                    return Err(SolveError::NotFinite { t, what: "a time of output" });
                }
                let forward = from <= until;
                sort(times, forward);
                self.past = times.partition_point(|t| if forward { *t < from } else { *t > from });
                self.forward = forward;
                while self.due(from).is_some() {
                    self.push(p, from, y);
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn see(&mut self, passage: &mut Passage<'_, P>) -> ObserverResult {
        if let Sampling::Every(k) = self.sampling {
            if passage.cut || passage.number.is_multiple_of(k) {
                self.push(passage.problem, passage.to, passage.end);
            }
            return Ok(ControlFlow::Continue(()));
        }
        while let Some(t) = self.due(passage.to) {
            let mut y = self.scratch.take().unwrap_or_else(|| passage.end.clone());
            let reached = passage.at(t, &mut y);
            if reached.is_ok() {
                self.push(passage.problem, t, &y);
            }
            self.scratch = Some(y);
            reached?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn jump(&mut self, p: &P, t: f64, y: &P::Point) -> ObserverResult {
        if matches!(self.sampling, Sampling::Every(_)) {
            self.push(p, t, y);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn end(&mut self, p: &P, t: f64, y: &P::Point) {
        if matches!(self.sampling, Sampling::Every(_)) {
            self.push_new(p, t, y);
        }
    }
}

/// In the order of the run; not compiled for each problem.
fn sort(times: &mut [f64], forward: bool) {
    times.sort_by(|a, b| if forward { a.total_cmp(b) } else { b.total_cmp(a) });
}
