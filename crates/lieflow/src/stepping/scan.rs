//! Looking through an accepted step for events, and carrying them out in their order.
use super::control::resolution;
use super::event::Crossing;
use super::observe::Interior;
use super::{Event, Occurrence, SolveError};
use crate::archive::Archive;
use crate::method::Method;
use crate::problem::Problem;

/// Restarts at one and the same time after which a run gives up.
const RESTARTS: u32 = 100;

/// The events of a run.
pub(super) struct Scan<'a, 'e, P: Problem> {
    pub events: &'a mut [Event<'e, P>],
    /// Crossings in the step at hand.
    found: Vec<Crossing>,
    /// Events that happen where the step is cut.
    fired: Vec<Crossing>,
    /// Times of the step at hand that are nearer than this are one.
    instant: f64,
    /// The last restart, and how many there were at that time.
    restarts: (f64, u32),
}

/// Where a step ends early.
pub(super) struct Cut {
    pub t: f64,
    /// The event that ends the run there.
    pub stop: Option<usize>,
}

impl<'a, 'e, P: Problem> Scan<'a, 'e, P> {
    pub fn new(events: &'a mut [Event<'e, P>]) -> Self {
        let (found, fired) = (Vec::new(), Vec::new());
        Self { events, found, fired, instant: 0.0, restarts: (f64::NAN, 0) }
    }

    /// A run begins.
    pub fn begin(&mut self, p: &P, t: f64, y: &P::Point) -> Result<(), SolveError> {
        for event in self.events.iter_mut() {
            event.begin(p, t, y)?;
        }
        Ok(())
    }

    /// Finds and records the events of a step that ends at the time `end`. If one of them ends the
    /// step early, `state` is the state there.
    pub fn search<M: Method<P> + ?Sized>(
        &mut self,
        step: &mut Interior<'_, P, M>,
        end: f64,
        state: &mut P::Point,
    ) -> Result<Option<Cut>, SolveError> {
        self.instant = resolution(step.t.abs().max(end.abs()));
        self.found.clear();
        for (i, event) in self.events.iter_mut().enumerate() {
            event.search(i, step, end, state, &mut self.found)?;
        }
        by_time(&mut self.found);
        self.fired.clear();
        let mut cut: Option<Cut> = None;
        for crossing in &self.found {
            match &cut {
                // Events at the time of the cut happen with it, later ones not yet.
                Some(cut) if (crossing.t - cut.t).abs() > self.instant => break,
                Some(_) => {}
                None if crossing.theta == 1.0 => state.clone_from(step.end),
                None => {
                    let precise = self.events[crossing.event].precise;
                    step.locate(precise, crossing.theta, state)?;
                }
            }
            let event = &mut self.events[crossing.event];
            event.occurrences.push(Occurrence { t: crossing.t, state: state.clone() });
            let stop = event.stops().then_some(crossing.event);
            match &mut cut {
                Some(cut) => cut.stop = cut.stop.or(stop),
                None if stop.is_some() || event.change.is_some() => {
                    cut = Some(Cut { t: crossing.t, stop });
                }
                None => {}
            }
        }
        match &cut {
            Some(cut) => {
                let near = |c: &&Crossing| (c.t - cut.t).abs() <= self.instant;
                self.fired.extend(self.found.iter().filter(near));
                // At one moment the order is that of the list, whatever rounding says.
                by_place(&mut self.fired);
            }
            None => {
                for event in self.events.iter_mut() {
                    event.before = event.after;
                }
            }
        }
        Ok(cut)
    }

    /// Names what is remembered of the events; `like` is any state.
    pub fn archive(&mut self, p: &P, like: &P::Point, archive: &mut Archive) {
        for event in self.events.iter_mut() {
            event.archive(p, like, archive);
        }
        let (t, count) = &mut self.restarts;
        archive.number(t);
        archive.small(count);
    }

    /// Carries out the changes of the events that cut a step of size `h` at `t`.
    pub fn change(&mut self, p: &P, t: f64, h: f64, y: &mut P::Point) -> Result<(), SolveError> {
        let (last, count) = self.restarts;
        let again = (t - last).abs() <= self.instant;
        self.restarts = (t, if again { count + 1 } else { 0 });
        for crossing in &self.fired {
            let event = &mut self.events[crossing.event];
            if self.restarts.1 > RESTARTS {
                return Err(SolveError::EventsAccumulate { t, event: event.name });
            }
            if let Some(change) = &mut event.change {
                change(p, t, y);
            }
        }
        for (i, event) in self.events.iter_mut().enumerate() {
            let fired = self.fired.iter().find(|c| c.event == i).map(|c| c.from);
            event.restart(p, (t, h), fired, y)?;
        }
        Ok(())
    }
}

/// In the order of time, at one time in that of the list; like the next, not compiled for each problem.
fn by_time(found: &mut [Crossing]) {
    found.sort_unstable_by(|a, b| a.theta.total_cmp(&b.theta).then(a.event.cmp(&b.event)));
}

/// In the order of the list.
fn by_place(fired: &mut [Crossing]) {
    fired.sort_unstable_by_key(|c| c.event);
}
