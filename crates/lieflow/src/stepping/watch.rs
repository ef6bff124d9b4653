//! An eye on the invariants: extremes and drift, in constant memory.
use super::{Line, Observer, ObserverResult, Passage, SolveError};
use crate::archive::Archive;
use crate::problem::{Problem, Quantity, Watched};
use core::ops::ControlFlow;

/// What became of an invariant. Errors are differences from the initial value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Invariant {
    /// Its name.
    pub name: &'static str,
    /// Its value at the start.
    pub initial: f64,
    /// Its value at the last state seen.
    pub last: f64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// The largest absolute difference from the initial value.
    pub max_error: f64,
    /// The differences against time, fitted by a line through all steps but the initial point.
    pub line: Line,
}

impl Invariant {
    fn new(name: &'static str, v: f64) -> Self {
        Self { name, initial: v, last: v, min: v, max: v, max_error: 0.0, line: Line::new() }
    }

    fn push(&mut self, t: f64, v: f64) {
        let error = v - self.initial;
        self.last = v;
        self.min = self.min.min(v);
        self.max = self.max.max(v);
        self.max_error = self.max_error.max(error.abs());
        self.line.push(t, error);
    }

    fn archive(&mut self, archive: &mut Archive) {
        let Self { initial, last, min, max, max_error, line, .. } = self;
        archive.same(*initial, "an invariant has another initial value");
        [last, min, max, max_error].into_iter().for_each(|x| archive.number(x));
        line.archive(archive);
    }

    /// The fitted change per unit time.
    pub fn slope(&self) -> f64 {
        self.line.slope()
    }

    /// The standard error of the slope.
    pub fn standard_error(&self) -> f64 {
        self.line.standard_error()
    }
}

/// Watches every invariant of a system and the distance from its manifold at each accepted step. A
/// value that is infinite or NaN ends the run with an error.
pub struct Watch<P: Problem> {
    names: Vec<&'static str>,
    quantities: Vec<Quantity<P>>,
    /// The values at the last state seen, in the order of the names.
    values: Vec<f64>,
    /// The invariants, in the order of the system.
    pub invariants: Vec<Invariant>,
    /// The largest distance from the manifold, the initial state included.
    pub manifold_error: f64,
    /// The time of the last state seen.
    seen: f64,
    /// Whether a state that is off the manifold ends the run.
    strict: bool,
    /// The first state that was off the manifold.
    off_manifold: Option<SolveError>,
}

impl<P: Watched> Watch<P> {
    /// Watches the invariants of `p`.
    pub fn new(p: &P) -> Self {
        let (names, quantities) = (p.watched_names(), p.invariants());
        let invariants = Vec::with_capacity(names.len());
        Self {
            values: vec![0.0; names.len()],
            names,
            quantities,
            invariants,
            manifold_error: 0.0,
            seen: f64::NAN,
            strict: false,
            off_manifold: None,
        }
    }

    /// A state beyond the [bound](Watched::manifold_bound) of the system ends the run with an error.
    pub fn strict(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Why a state that was seen is none of the system, for those who look at the end only.
    pub fn off_manifold(&self) -> Option<&SolveError> {
        self.off_manifold.as_ref()
    }

    /// The invariant with this name.
    pub fn get(&self, name: &str) -> Option<&Invariant> {
        self.invariants.iter().find(|i| i.name == name)
    }

    /// The invariants at a state, in the order of the system.
    pub fn values(&self, p: &P, y: &P::Point) -> Vec<f64> {
        let mut values = vec![0.0; self.names.len()];
        p.watched_values(&self.quantities, y, &mut values);
        values
    }

    fn check_manifold(&mut self, p: &P, t: f64, y: &P::Point) -> Result<(), SolveError> {
        self.seen = t;
        let distance = p.manifold_error(y);
        self.manifold_error = self.manifold_error.max(distance);
        finite(t, "the distance from the manifold", distance)?;
        let bound = p.manifold_bound(y);
        if self.strict && distance > bound {
            let error = SolveError::OffManifold { t, distance, bound };
            self.off_manifold.get_or_insert(error.clone());
            return Err(error);
        }
        Ok(())
    }

    fn push(&mut self, p: &P, t: f64, y: &P::Point) -> Result<(), SolveError> {
        self.check_manifold(p, t, y)?;
        p.watched_values(&self.quantities, y, &mut self.values);
        for (invariant, value) in self.invariants.iter_mut().zip(&self.values) {
            finite(t, invariant.name, *value)?;
            invariant.push(t, *value);
        }
        Ok(())
    }
}

fn finite(t: f64, what: &'static str, value: f64) -> Result<(), SolveError> {
    if value.is_finite() { Ok(()) } else { Err(SolveError::NotFinite { t, what }) }
}

impl<P: Watched> Observer<P> for Watch<P> {
    fn begin(&mut self, p: &P, (t, _): (f64, f64), y: &P::Point) -> ObserverResult {
        self.invariants.clear();
        self.manifold_error = 0.0;
        self.off_manifold = None;
        self.check_manifold(p, t, y)?;
        p.watched_values(&self.quantities, y, &mut self.values);
        for (name, value) in self.names.iter().zip(&self.values) {
            finite(t, name, *value)?;
            self.invariants.push(Invariant::new(name, *value));
        }
        Ok(ControlFlow::Continue(()))
    }

    fn see(&mut self, passage: &mut Passage<'_, P>) -> ObserverResult {
        self.push(passage.problem, passage.to, passage.end)?;
        Ok(ControlFlow::Continue(()))
    }

    fn archive(&mut self, _: &P, archive: &mut Archive) {
        self.invariants.iter_mut().for_each(|invariant| invariant.archive(archive));
        archive.number(&mut self.manifold_error);
        archive.number(&mut self.seen);
    }

    fn end(&mut self, p: &P, t: f64, y: &P::Point) {
        // Behind an `Every` the last step may not have been shown. A value that is not finite has
        // nobody left to stop, and stays out of the statistics.
        if t != self.seen {
            let _ = self.push(p, t, y);
        }
    }
}
