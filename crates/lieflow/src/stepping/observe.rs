//! What observes a problem while it is integrated.
use super::{EvenSteps, SolveError};
use crate::archive::Archive;
use crate::method::{Method, Step};
use crate::problem::Problem;
use core::ops::ControlFlow;

/// What an observer answers: go on, end the run here, or an error that ends it.
pub type ObserverResult = Result<ControlFlow<()>, SolveError>;

/// Sees the initial state and every accepted step; may end the run, and never changes it.
///
/// Closures `|t: f64, y: &Point| …` are observers; they return nothing, or a [`ControlFlow`] whose
/// `Break` ends the run, or an [`ObserverResult`]. Several observers are combined by a tuple of
/// references, `&mut (&mut trajectory, &mut watch)`, or by a [`Tee`].
pub trait Observer<P: Problem> {
    /// A run begins over `span` at the state `y`.
    fn begin(&mut self, p: &P, span: (f64, f64), y: &P::Point) -> ObserverResult {
        let _ = (p, span, y);
        Ok(ControlFlow::Continue(()))
    }

    /// A step was accepted.
    fn see(&mut self, passage: &mut Passage<'_, P>) -> ObserverResult;

    /// How many of the steps that come next it need not see, after those `done`. Unless written, it
    /// sees every step.
    fn unobserved(&self, done: u64, steps: &EvenSteps) -> u64 {
        let _ = (done, steps);
        0
    }

    /// An event has changed the state at time `t` to `y`; the passage before ended at the old state.
    fn jump(&mut self, p: &P, t: f64, y: &P::Point) -> ObserverResult {
        let _ = (p, t, y);
        Ok(ControlFlow::Continue(()))
    }

    /// A run goes on from a checkpoint, instead of [`Observer::begin`]; `y` is the state from which it
    /// once began. What it had remembered comes next, by [`Observer::archive`].
    fn resume(&mut self, p: &P, span: (f64, f64), y: &P::Point) -> ObserverResult {
        let _ = (p, span, y);
        Ok(ControlFlow::Continue(()))
    }

    /// Names what it remembers, so that a run can go on later.
    fn archive(&mut self, p: &P, archive: &mut Archive) {
        let _ = (p, archive);
    }

    /// Whether it wants a checkpoint here, before a step; `last` if that leads to the end of the run.
    /// Asked of runs with [checkpoints](super::Run::checkpoints).
    fn checkpoint_due(&mut self, last: bool) -> bool {
        let _ = last;
        false
    }

    /// The checkpoint that it wanted, or why there can be none.
    fn checkpoint(&mut self, taken: Result<Vec<u64>, &'static str>, last: bool) -> ObserverResult {
        let _ = (taken, last);
        Ok(ControlFlow::Continue(()))
    }

    /// The run has ended at `t` in the state `y`, by success or failure.
    fn end(&mut self, p: &P, t: f64, y: &P::Point) {
        let _ = (p, t, y);
    }
}

/// An accepted step as observers see it: both ends, and everything between.
pub struct Passage<'a, P: Problem> {
    /// What is integrated.
    pub problem: &'a P,
    /// The number of this step, from one.
    pub number: u64,
    /// Where it begins.
    pub from: f64,
    /// The state there.
    pub start: &'a P::Point,
    /// Where it ends.
    pub to: f64,
    /// The state there.
    pub end: &'a P::Point,
    /// Whether an event has ended it before its time.
    pub cut: bool,
    pub(super) inside: &'a mut dyn DenseOutput<P>,
}

impl<P: Problem> Passage<'_, P> {
    /// Writes the state at the time `t` of this step to `out`, by the dense output of the method.
    pub fn at(&mut self, t: f64, out: &mut P::Point) -> Result<(), SolveError> {
        let (from, to) = (self.from, self.to);
        if t == to {
            out.clone_from(self.end);
            Ok(())
        } else if t == from {
            out.clone_from(self.start);
            Ok(())
        } else if (from < t && t < to) || (to < t && t < from) {
            self.inside.state(t, out)
        } else {
            Err(SolveError::OutsideStep { t, from, to })
        }
    }
}

/// The inside of a step, with the type of the method forgotten.
pub(super) trait DenseOutput<P: Problem> {
    fn state(&mut self, t: f64, out: &mut P::Point) -> Result<(), SolveError>;
}

/// The step that a method has proposed last.
pub(super) struct Interior<'a, P: Problem, M: ?Sized> {
    pub problem: &'a P,
    pub method: &'a mut M,
    pub t: f64,
    pub h: f64,
    pub start: &'a P::Point,
    pub end: &'a P::Point,
}

impl<P: Problem, M: Method<P> + ?Sized> Interior<'_, P, M> {
    /// The state at `t + theta h`.
    pub fn at_fraction(&mut self, theta: f64, out: &mut P::Point) -> Result<(), SolveError> {
        let Interior { problem, t, h, start, end, .. } = *self;
        self.method
            .interpolate(Step::new(problem, t, h, start).inside(end, theta), out)
            .map_err(|source| SolveError::Step { t, h, source })
    }

    /// The same, by a shorter step if it is to be precise.
    pub fn locate(
        &mut self,
        precise: bool,
        theta: f64,
        out: &mut P::Point,
    ) -> Result<(), SolveError> {
        if !precise {
            return self.at_fraction(theta, out);
        }
        let Interior { problem, t, h, start, end, .. } = *self;
        Step::new(problem, t, h, start)
            .inside(end, theta)
            .by_shorter_step(self.method, out)
            .map_err(|source| SolveError::Step { t, h: theta * h, source })
    }
}

impl<P: Problem, M: Method<P> + ?Sized> DenseOutput<P> for Interior<'_, P, M> {
    fn state(&mut self, t: f64, out: &mut P::Point) -> Result<(), SolveError> {
        self.at_fraction((t - self.t) / self.h, out)
    }
}

/// What a closure that observes may return.
pub trait IntoObserverResult {
    /// The same as an [`ObserverResult`].
    fn into_observer_result(self) -> ObserverResult;
}

impl IntoObserverResult for () {
    fn into_observer_result(self) -> ObserverResult {
        Ok(ControlFlow::Continue(()))
    }
}

impl IntoObserverResult for ControlFlow<()> {
    fn into_observer_result(self) -> ObserverResult {
        Ok(self)
    }
}

impl IntoObserverResult for ObserverResult {
    fn into_observer_result(self) -> ObserverResult {
        self
    }
}

impl<P, F, R> Observer<P> for F
where
    P: Problem,
    F: FnMut(f64, &P::Point) -> R,
    R: IntoObserverResult,
{
    fn begin(&mut self, _: &P, span: (f64, f64), y: &P::Point) -> ObserverResult {
        self(span.0, y).into_observer_result()
    }
    fn see(&mut self, passage: &mut Passage<'_, P>) -> ObserverResult {
        self(passage.to, passage.end).into_observer_result()
    }
}

/// Nobody observes.
impl<P: Problem> Observer<P> for () {
    fn see(&mut self, _: &mut Passage<'_, P>) -> ObserverResult {
        Ok(ControlFlow::Continue(()))
    }
    fn unobserved(&self, _: u64, steps: &EvenSteps) -> u64 {
        steps.count
    }
}

/// Both answers in one: errors before breaks before going on.
fn both(a: ObserverResult, b: ObserverResult) -> ObserverResult {
    match (a?, b?) {
        (ControlFlow::Continue(()), ControlFlow::Continue(())) => Ok(ControlFlow::Continue(())),
        _ => Ok(ControlFlow::Break(())),
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),+))*) => {$(
        /// Each observer sees everything, also when another one ends the run.
        impl<P: Problem, $($name: Observer<P> + ?Sized),+> Observer<P> for ($(&mut $name,)+) {
            fn begin(&mut self, p: &P, span: (f64, f64), y: &P::Point) -> ObserverResult {
                let mut look = Ok(ControlFlow::Continue(()));
                $(look = both(look, self.$index.begin(p, span, y));)+
                look
            }
            fn see(&mut self, passage: &mut Passage<'_, P>) -> ObserverResult {
                let mut look = Ok(ControlFlow::Continue(()));
                $(look = both(look, self.$index.see(passage));)+
                look
            }
            fn unobserved(&self, done: u64, steps: &EvenSteps) -> u64 {
                let mut least = steps.count;
                $(least = least.min(self.$index.unobserved(done, steps));)+
                least
            }
            fn jump(&mut self, p: &P, t: f64, y: &P::Point) -> ObserverResult {
                let mut look = Ok(ControlFlow::Continue(()));
                $(look = both(look, self.$index.jump(p, t, y));)+
                look
            }
            fn end(&mut self, p: &P, t: f64, y: &P::Point) {
                $(self.$index.end(p, t, y);)+
            }
        }
    )*};
}
tuples! { (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) }

/// As many observers as there are at run time. Each sees everything.
pub struct Tee<'a, P: Problem>(pub Vec<&'a mut dyn Observer<P>>);

impl<P: Problem> Tee<'_, P> {
    fn each(
        &mut self,
        mut f: impl FnMut(&mut dyn Observer<P>) -> ObserverResult,
    ) -> ObserverResult {
        let mut look = Ok(ControlFlow::Continue(()));
        for o in &mut self.0 {
            look = both(look, f(&mut **o));
        }
        look
    }
}

impl<P: Problem> Observer<P> for Tee<'_, P> {
    fn begin(&mut self, p: &P, span: (f64, f64), y: &P::Point) -> ObserverResult {
        self.each(|o| o.begin(p, span, y))
    }
    fn see(&mut self, passage: &mut Passage<'_, P>) -> ObserverResult {
        self.each(|o| o.see(passage))
    }
    fn unobserved(&self, done: u64, steps: &EvenSteps) -> u64 {
        self.0.iter().map(|o| o.unobserved(done, steps)).fold(steps.count, u64::min)
    }
    fn jump(&mut self, p: &P, t: f64, y: &P::Point) -> ObserverResult {
        self.each(|o| o.jump(p, t, y))
    }
    fn end(&mut self, p: &P, t: f64, y: &P::Point) {
        for o in &mut self.0 {
            o.end(p, t, y);
        }
    }
}

/// Shows an observer every `k`-th step only, besides the beginning, the end and the jumps.
pub struct Every<O> {
    /// The observer.
    pub inner: O,
    every: u64,
}

impl<O> Every<O> {
    /// Every `k`-th step; zero counts as one.
    pub fn new(k: u64, inner: O) -> Self {
        Self { inner, every: k.max(1) }
    }
}

impl<P: Problem, O: Observer<P>> Observer<P> for Every<O> {
    fn begin(&mut self, p: &P, span: (f64, f64), y: &P::Point) -> ObserverResult {
        self.inner.begin(p, span, y)
    }
    fn see(&mut self, passage: &mut Passage<'_, P>) -> ObserverResult {
        if passage.number.is_multiple_of(self.every) {
            self.inner.see(passage)
        } else {
            Ok(ControlFlow::Continue(()))
        }
    }
    fn unobserved(&self, done: u64, steps: &EvenSteps) -> u64 {
        steps.count.min(self.every - done % self.every - 1)
    }
    fn jump(&mut self, p: &P, t: f64, y: &P::Point) -> ObserverResult {
        self.inner.jump(p, t, y)
    }
    fn end(&mut self, p: &P, t: f64, y: &P::Point) {
        self.inner.end(p, t, y);
    }
}
