//! A system as the driver of a run sees it: its states, and what is watched and shown of them.
//!
//! The driver is compiled once. The system, its method and the type of its states are behind virtual calls, one
//! for each step.
use super::any_point::AnyPoint;
use super::{ModelSystem, State};
use crate::formulas::Watchlist;
use lieflow::action::Flat;
use lieflow::archive::Archive;
use lieflow::method::{Cost, Inside, Method, Step, StepError, StepResult};
use lieflow::problem::{Described, Meter, Problem, Quantity, Tempo, Value, Watched};
use lieflow::stepping::{Correction, EvenSteps, Pace, Paced};

/// What a driver asks of a system.
trait Viewed {
    fn start(&self) -> AnyPoint;
    fn archive(&self, y: &mut AnyPoint, archive: &mut Archive);
    fn restore(&self, y: &mut AnyPoint);
    fn distance(&self, a: &AnyPoint, b: &AnyPoint) -> f64;
    fn names(&self) -> Vec<&'static str>;
    /// The values of all invariants, in the order of their names.
    fn values(&self, y: &AnyPoint, values: &mut [f64]);
    fn manifold_error(&self, y: &AnyPoint) -> f64;
    fn manifold_bound(&self, y: &AnyPoint) -> f64;
    fn describe(&self, t: f64, y: &AnyPoint) -> Vec<(&'static str, Value)>;
    fn observables(&self, t: f64, y: &AnyPoint) -> Vec<(&'static str, Value)>;
    fn change(&self, y: &mut AnyPoint, part: &str, numbers: &[f64]) -> bool;
    fn breakdown(&self, t: f64, y: &AnyPoint) -> Option<String>;
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

impl<P: ModelSystem> Viewed for WithInvariants<'_, P> {
    fn start(&self) -> AnyPoint {
        AnyPoint::new(self.system.start())
    }
    fn archive(&self, y: &mut AnyPoint, archive: &mut Archive) {
        y.get_mut::<P::Point>().archive(archive);
    }
    fn restore(&self, y: &mut AnyPoint) {
        self.system.restore(y.get_mut());
    }
    fn distance(&self, a: &AnyPoint, b: &AnyPoint) -> f64 {
        a.get::<P::Point>().distance_squared(b.get()).sqrt()
    }
    fn names(&self) -> Vec<&'static str> {
        self.quantities.iter().map(|q| q.name).chain(self.watchlist.invariants()).collect()
    }
    fn values(&self, y: &AnyPoint, values: &mut [f64]) {
        let y = y.get();
        for (value, quantity) in values.iter_mut().zip(&self.quantities) {
            *value = (quantity.eval)(self.system, y);
        }
        if let Some(more) = values.get_mut(self.quantities.len()..)
            && !more.is_empty()
        {
            let state = State::plain(self.system, 0.0, y);
            for (k, value) in more.iter_mut().enumerate() {
                *value = self.watchlist.invariant(k, &state);
            }
        }
    }
    fn manifold_error(&self, y: &AnyPoint) -> f64 {
        self.system.manifold_error(y.get())
    }
    fn manifold_bound(&self, y: &AnyPoint) -> f64 {
        self.system.manifold_bound(y.get())
    }
    fn describe(&self, t: f64, y: &AnyPoint) -> Vec<(&'static str, Value)> {
        self.system.describe(t, y.get())
    }
    fn observables(&self, t: f64, y: &AnyPoint) -> Vec<(&'static str, Value)> {
        let y = y.get();
        let mut list = self.watchlist.observables(|| State::plain(self.system, t, y));
        if self.positions
            && let Some(positions) = self.system.positions(y)
        {
            list.push(("position", Value::Vectors(positions)));
        }
        list
    }
    fn change(&self, y: &mut AnyPoint, part: &str, numbers: &[f64]) -> bool {
        self.system.set_part(y.get_mut(), part, numbers)
    }
    fn breakdown(&self, t: f64, y: &AnyPoint) -> Option<String> {
        self.system.breakdown(t, y.get())
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        self.system.error_parts()
    }
}

/// A system whose type, and that of its states, is forgotten.
pub(super) struct View<'a>(&'a dyn Viewed);

impl Problem for View<'_> {
    type Point = AnyPoint;
    fn start(&self) -> AnyPoint {
        self.0.start()
    }
    fn archive(&self, y: &mut AnyPoint, archive: &mut Archive) {
        self.0.archive(y, archive);
    }
    fn restore(&self, y: &mut AnyPoint) {
        self.0.restore(y);
    }
}

impl Watched for View<'_> {
    fn watched_names(&self) -> Vec<&'static str> {
        self.0.names()
    }
    fn watched_values(&self, _: &[Quantity<Self>], y: &AnyPoint, values: &mut [f64]) {
        self.0.values(y, values);
    }
    fn manifold_error(&self, y: &AnyPoint) -> f64 {
        self.0.manifold_error(y)
    }
    fn manifold_bound(&self, y: &AnyPoint) -> f64 {
        self.0.manifold_bound(y)
    }
}

impl Described for View<'_> {
    fn describe(&self, t: f64, y: &AnyPoint) -> Vec<(&'static str, Value)> {
        self.0.describe(t, y)
    }
    fn observables(&self, t: f64, y: &AnyPoint) -> Vec<(&'static str, Value)> {
        self.0.observables(t, y)
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        self.0.error_parts()
    }
}

impl View<'_> {
    /// The state `y` without observables.
    pub fn plain(&self, t: f64, y: &AnyPoint) -> State {
        State::new(t, self.0.describe(t, y))
    }
    /// How far two states are from each other, in all their numbers.
    pub fn distance(&self, a: &AnyPoint, b: &AnyPoint) -> f64 {
        self.0.distance(a, b)
    }
    /// Gives a part of a state other numbers, if that can be done.
    pub fn change(&self, y: &mut AnyPoint, part: &str, numbers: &[f64]) -> bool {
        self.0.change(y, part, numbers)
    }
    /// Where a formula of the system breaks down, if one does.
    pub fn breakdown(&self, t: f64, y: &AnyPoint) -> Option<String> {
        self.0.breakdown(t, y)
    }
}

/// Something of a system, such as its method, with the system for which it was made.
pub(super) struct Bound<'a, P, T> {
    pub system: &'a P,
    pub inner: T,
}

impl<'v, P: ModelSystem> Method<View<'v>> for Bound<'_, P, &mut dyn Method<P>> {
    fn step(&mut self, s: Step<'_, View<'v>>, out: &mut AnyPoint) -> StepResult {
        self.inner.step(Step::new(self.system, s.t, s.h, s.y.get()), out.get_mut())
    }
    fn step_many(&mut self, _: &View<'v>, steps: &EvenSteps, y: &mut AnyPoint) -> u64 {
        self.inner.step_many(self.system, steps, y.get_mut())
    }
    lieflow::forwards!(self: View<'v> => self.inner;
        carries_roundings, accept, reset, set_aside, take_back, cost, coordinates, corrections);
    fn archive(&mut self, next: Step<'_, View<'v>>, archive: &mut Archive) {
        self.inner.archive(Step::new(self.system, next.t, next.h, next.y.get()), archive);
    }
    fn interpolate(
        &mut self,
        at: Inside<'_, View<'v>>,
        out: &mut AnyPoint,
    ) -> Result<(), StepError> {
        let Step { t, h, y, .. } = at.step;
        let step = Step::new(self.system, t, h, y.get());
        self.inner.interpolate(step.inside(at.end.get(), at.theta), out.get_mut())
    }
}

impl<'v, P: ModelSystem> Correction<View<'v>> for Bound<'_, P, Box<dyn Correction<P>>> {
    fn correct(&mut self, _: &View<'v>, t: f64, y: &mut AnyPoint) -> bool {
        self.inner.correct(self.system, t, y.get_mut())
    }
    fn archive(&mut self, archive: &mut Archive) {
        self.inner.archive(archive);
    }
}

impl<P: ModelSystem> Meter<AnyPoint> for Bound<'_, P, Box<dyn Meter<P::Point>>> {
    fn tempo(&mut self, t: f64, y: &AnyPoint) -> Tempo {
        self.inner.tempo(t, y.get())
    }
    fn evaluations(&self) -> u64 {
        self.inner.evaluations()
    }
}

impl<P: ModelSystem> Paced<AnyPoint> for Bound<'_, P, Box<dyn Paced<P::Point>>> {
    fn kinetic(&self, y: &AnyPoint) -> f64 {
        self.inner.kinetic(y.get())
    }
    fn set_pace(&mut self, pace: Pace) {
        self.inner.set_pace(pace);
    }
    fn begin(&mut self, y: &AnyPoint) {
        self.inner.begin(y.get());
    }
    fn step(&mut self, s: f64, y: &AnyPoint, out: &mut AnyPoint) -> Result<f64, StepError> {
        self.inner.step(s, y.get(), out.get_mut())
    }
    fn accept(&mut self) {
        self.inner.accept();
    }
    fn cost(&self) -> Cost {
        self.inner.cost()
    }
    fn archive(&mut self, archive: &mut Archive) {
        self.inner.archive(archive);
    }
}

/// A view of a system with its method, for whoever drives it.
pub(super) fn viewed<P: ModelSystem, R>(
    system: &P,
    watchlist: &Watchlist,
    positions: bool,
    method: &mut dyn Method<P>,
    drive: impl for<'v> FnOnce(&View<'v>, &mut dyn Method<View<'v>>) -> R,
) -> R {
    let quantities = Watched::invariants(system);
    let listed = WithInvariants { system, quantities, watchlist, positions };
    drive(&View(&listed), &mut Bound { system, inner: method })
}
