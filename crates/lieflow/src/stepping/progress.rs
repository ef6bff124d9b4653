//! Telling how far a run is.
use super::{Observer, ObserverResult, Passage};
use crate::problem::Problem;
use core::ops::ControlFlow;

/// Calls `report(fraction, t)` at the start, about `parts` times on the way, and at the end.
pub struct Progress<F> {
    report: F,
    parts: u32,
    span: (f64, f64),
    /// Parts that were reported.
    done: u32,
}

impl<F: FnMut(f64, f64)> Progress<F> {
    /// A report for each of so many equal parts of the interval.
    pub fn new(parts: u32, report: F) -> Self {
        Self { report, parts: parts.max(1), span: (0.0, 1.0), done: 0 }
    }

    fn fraction(&self, t: f64) -> f64 {
        let (from, until) = self.span;
        if until == from { 1.0 } else { (t - from) / (until - from) }
    }
}

impl<P: Problem, F: FnMut(f64, f64)> Observer<P> for Progress<F> {
    fn begin(&mut self, _: &P, span: (f64, f64), _: &P::Point) -> ObserverResult {
        self.span = span;
        self.done = 0;
        (self.report)(0.0, span.0);
        Ok(ControlFlow::Continue(()))
    }

    fn see(&mut self, passage: &mut Passage<'_, P>) -> ObserverResult {
        let fraction = self.fraction(passage.to);
        let parts = (fraction * f64::from(self.parts)) as u32;
        // The last report is made by `end`.
        if parts > self.done && parts < self.parts {
            self.done = parts;
            (self.report)(fraction, passage.to);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn end(&mut self, _: &P, t: f64, _: &P::Point) {
        let fraction = self.fraction(t);
        (self.report)(fraction, t);
    }
}
