//! A system as the driver of a run sees it: its states, and what is watched and shown of them.
//!
//! The driver is compiled once for each type of states. The system and its method are behind virtual
//! calls, one for each step.
use super::{ModelSystem, State};
use crate::formulas::Watchlist;
use lieflow::action::Flat;
use lieflow::archive::Archive;
use lieflow::method::{Corrections, Cost, InChart, Inside, Method, Step, StepError, StepResult};
use lieflow::problem::{Described, Problem, Quantity, Value, Watched};
use lieflow::stepping::{Correction, EvenSteps};
use std::fmt::Debug;

/// What a driver asks of a system with states `Y`.
trait Viewed<Y> {
    fn start(&self) -> Y;
    fn archive(&self, y: &mut Y, archive: &mut Archive);
    fn restore(&self, y: &mut Y);
    fn distance(&self, a: &Y, b: &Y) -> f64;
    fn names(&self) -> Vec<&'static str>;
    /// The value of the invariant number `k`.
    fn value(&self, k: usize, y: &Y) -> f64;
    fn manifold_error(&self, y: &Y) -> f64;
    fn manifold_bound(&self, y: &Y) -> f64;
    fn describe(&self, t: f64, y: &Y) -> Vec<(&'static str, Value)>;
    fn observables(&self, t: f64, y: &Y) -> Vec<(&'static str, Value)>;
    fn change(&self, y: &mut Y, part: &str, numbers: &[f64]) -> bool;
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])];
}

/// A system with its invariants listed once, and what a file asks to be watched.
struct WithInvariants<'a, P: Problem> {
    system: &'a P,
    quantities: Vec<Quantity<P>>,
    watchlist: &'a Watchlist,
    /// Whether the positions of links are shown too.
    positions: bool,
}

impl<P: ModelSystem> Viewed<P::Point> for WithInvariants<'_, P> {
    fn start(&self) -> P::Point {
        self.system.start()
    }
    fn archive(&self, y: &mut P::Point, archive: &mut Archive) {
        y.archive(archive);
    }
    fn restore(&self, y: &mut P::Point) {
        self.system.restore(y);
    }
    fn distance(&self, a: &P::Point, b: &P::Point) -> f64 {
        a.distance_squared(b).sqrt()
    }
    fn names(&self) -> Vec<&'static str> {
        self.quantities.iter().map(|q| q.name).chain(self.watchlist.invariants()).collect()
    }
    fn value(&self, k: usize, y: &P::Point) -> f64 {
        match self.quantities.get(k) {
            Some(quantity) => (quantity.eval)(self.system, y),
            None => {
                let state = State::plain(self.system, 0.0, y);
                self.watchlist.invariant(k - self.quantities.len(), &state)
            }
        }
    }
    fn manifold_error(&self, y: &P::Point) -> f64 {
        self.system.manifold_error(y)
    }
    fn manifold_bound(&self, y: &P::Point) -> f64 {
        self.system.manifold_bound(y)
    }
    fn describe(&self, t: f64, y: &P::Point) -> Vec<(&'static str, Value)> {
        self.system.describe(t, y)
    }
    fn observables(&self, t: f64, y: &P::Point) -> Vec<(&'static str, Value)> {
        let mut list = self.watchlist.observables(&State::plain(self.system, t, y));
        if self.positions
            && let Some(positions) = self.system.positions(y)
        {
            list.push(("position", Value::Vectors(positions)));
        }
        list
    }
    fn change(&self, y: &mut P::Point, part: &str, numbers: &[f64]) -> bool {
        self.system.set_part(y, part, numbers)
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        self.system.error_parts()
    }
}

/// A system with states `Y`.
pub(super) struct View<'a, Y>(&'a dyn Viewed<Y>);

impl<Y: Clone + Debug> Problem for View<'_, Y> {
    type Point = Y;
    fn start(&self) -> Y {
        self.0.start()
    }
    fn archive(&self, y: &mut Y, archive: &mut Archive) {
        self.0.archive(y, archive);
    }
    fn restore(&self, y: &mut Y) {
        self.0.restore(y);
    }
}

impl<Y: Clone + Debug> Watched for View<'_, Y> {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        Vec::new()
    }
    fn watched_names(&self) -> Vec<&'static str> {
        self.0.names()
    }
    fn watched_value(&self, k: usize, _: &[Quantity<Self>], y: &Y) -> f64 {
        self.0.value(k, y)
    }
    fn manifold_error(&self, y: &Y) -> f64 {
        self.0.manifold_error(y)
    }
    fn manifold_bound(&self, y: &Y) -> f64 {
        self.0.manifold_bound(y)
    }
}

impl<Y: Clone + Debug> Described for View<'_, Y> {
    fn describe(&self, t: f64, y: &Y) -> Vec<(&'static str, Value)> {
        self.0.describe(t, y)
    }
    fn observables(&self, t: f64, y: &Y) -> Vec<(&'static str, Value)> {
        self.0.observables(t, y)
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        self.0.error_parts()
    }
}

impl<Y: Clone + Debug> View<'_, Y> {
    /// The state `y` without observables.
    pub fn plain(&self, t: f64, y: &Y) -> State {
        State::new(t, self.0.describe(t, y))
    }
    /// How far two states are from each other, in all their numbers.
    pub fn distance(&self, a: &Y, b: &Y) -> f64 {
        self.0.distance(a, b)
    }
    /// Gives a part of a state other numbers, if that can be done.
    pub fn change(&self, y: &mut Y, part: &str, numbers: &[f64]) -> bool {
        self.0.change(y, part, numbers)
    }
}

/// A method bound to the system for which it was made.
pub(super) struct BoundMethod<'a, P: Problem> {
    system: &'a P,
    method: &'a mut dyn Method<P>,
}

impl<'v, P: Problem> Method<View<'v, P::Point>> for BoundMethod<'_, P> {
    fn step(&mut self, s: Step<'_, View<'v, P::Point>>, out: &mut P::Point) -> StepResult {
        self.method.step(s.of(self.system), out)
    }
    fn step_many(&mut self, _: &View<'v, P::Point>, steps: &EvenSteps, y: &mut P::Point) -> u64 {
        self.method.step_many(self.system, steps, y)
    }
    fn carries_roundings(&self) -> bool {
        self.method.carries_roundings()
    }
    fn accept(&mut self) {
        self.method.accept();
    }
    fn reset(&mut self) {
        self.method.reset();
    }
    fn set_aside(&mut self) {
        self.method.set_aside();
    }
    fn take_back(&mut self) {
        self.method.take_back();
    }
    fn archive(&mut self, next: Step<'_, View<'v, P::Point>>, archive: &mut Archive) {
        self.method.archive(next.of(self.system), archive);
    }
    fn interpolate(
        &mut self,
        at: Inside<'_, View<'v, P::Point>>,
        out: &mut P::Point,
    ) -> Result<(), StepError> {
        self.method.interpolate(at.of(self.system), out)
    }
    fn cost(&self) -> Cost {
        self.method.cost()
    }
    fn coordinates(&self) -> Option<InChart<'_>> {
        self.method.coordinates()
    }
    fn corrections(&self) -> Option<Corrections> {
        self.method.corrections()
    }
}

/// A correction bound to its system.
pub(super) struct BoundCorrection<'a, P: Problem> {
    pub system: &'a P,
    pub correction: Box<dyn Correction<P>>,
}

impl<'v, P: Problem> Correction<View<'v, P::Point>> for BoundCorrection<'_, P> {
    fn correct(&mut self, _: &View<'v, P::Point>, t: f64, y: &mut P::Point) -> bool {
        self.correction.correct(self.system, t, y)
    }
    fn archive(&mut self, archive: &mut Archive) {
        self.correction.archive(archive);
    }
}

/// A view of a system with its method, for whoever drives it.
pub(super) fn viewed<P: ModelSystem, R>(
    system: &P,
    watchlist: &Watchlist,
    positions: bool,
    method: &mut dyn Method<P>,
    drive: impl FnOnce(&View<'_, P::Point>, &mut BoundMethod<'_, P>) -> R,
) -> R {
    let quantities = Watched::invariants(system);
    let listed = WithInvariants { system, quantities, watchlist, positions };
    drive(&View(&listed), &mut BoundMethod { system, method })
}
