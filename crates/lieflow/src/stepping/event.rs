//! Moments at which a function of time and state is zero.
use super::SolveError;
use super::observe::Interior;
use super::root::find_root;
use crate::archive::Archive;
use crate::method::Method;
use crate::problem::Problem;

/// Which crossings count, as the run proceeds (backwards in time for a backward run).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Direction {
    /// Both.
    #[default]
    Either,
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
}

/// An event that happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Occurrence<Y> {
    /// When.
    pub t: f64,
    /// In which state; before the change, where the event makes one.
    pub state: Y,
}

/// A zero of `g(t, y)` to be found, and what to do then: take note, end the run, or change the state
/// and go on.
///
/// Crossings are seen as changes of sign between the ends of a step, and located by the dense output
/// of the method to the rounding of time. A function that crosses zero twice within a step is not
/// noticed unless it is looked at more often, see [`Event::samples_per_step`]. A zero at the very
/// start of a run, or after the event's own change of state, is not an event again.
///
/// Changes that follow each other ever faster, like the bounces of a ball that comes to rest, end in
/// [`SolveError::EventsAccumulate`] before the steps lose sight of them.
pub struct Event<'e, P: Problem> {
    pub(super) name: &'static str,
    function: Box<dyn FnMut(&P, f64, &P::Point) -> f64 + 'e>,
    direction: Direction,
    samples_per_step: u32,
    pub(super) precise: bool,
    stop_after: Option<u64>,
    pub(super) change: Option<Box<dyn FnMut(&P, f64, &mut P::Point) + 'e>>,
    /// The value at the last state; zero where no sign counts yet.
    pub(super) before: f64,
    /// The value at the end of the step that is looked through.
    pub(super) after: f64,
    /// What was changed last, if something was.
    last: Option<Restart>,
    /// What happened so far, in the order of the run.
    pub occurrences: Vec<Occurrence<P::Point>>,
}

/// A crossing inside a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    pub theta: f64,
    pub t: f64,
    pub event: usize,
    /// The sign before.
    pub from: f64,
}

/// A change of state by an event.
#[derive(Clone, Copy, Debug)]
struct Restart {
    t: f64,
    /// The sign before.
    from: f64,
    /// How many changes before this one came soon after each other.
    rapid: u32,
}

/// A start at zero is asked for its sign this fraction of a step later.
const SOON: f64 = 1.0 / 1024.0;
/// After a change that seems to have led to the other side, these are asked too.
const SOONER: [f64; 2] = [SOON * SOON, SOON * SOON * SOON];
/// So many changes soon after each other, and then one that leads to the other side, accumulate.
const RAPID: u32 = 2;

impl<'e, P: Problem> Event<'e, P> {
    /// A zero of `g(p, t, y)` in either direction, of which note is taken.
    pub fn new(g: impl FnMut(&P, f64, &P::Point) -> f64 + 'e) -> Self {
        Self {
            name: "event",
            function: Box::new(g),
            direction: Direction::Either,
            samples_per_step: 1,
            precise: false,
            stop_after: None,
            change: None,
            before: 0.0,
            after: 0.0,
            last: None,
            occurrences: Vec::new(),
        }
    }

    /// Its name in messages.
    pub fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// Only crossings in this direction.
    pub fn direction(mut self, direction: Direction) -> Self {
        self.direction = direction;
        self
    }

    /// Looks at the function at so many places of each step, by dense output.
    pub fn samples_per_step(mut self, n: u32) -> Self {
        self.samples_per_step = n.max(1);
        self
    }

    /// Locates it by shorter steps of the method once its dense output has seen it. This costs a few
    /// steps each time, and pays for methods whose order is above that of their dense output.
    pub fn precise(mut self) -> Self {
        self.precise = true;
        self
    }

    /// Ends the run, exactly there.
    pub fn terminal(self) -> Self {
        self.stop_after(1)
    }

    /// Ends the run at the `n`-th occurrence.
    pub fn stop_after(mut self, n: u64) -> Self {
        self.stop_after = Some(n.max(1));
        self
    }

    /// Changes the state and goes on from there; the method forgets what it kept. The change is not
    /// made at an occurrence that ends the run.
    pub fn then(mut self, change: impl FnMut(&P, f64, &mut P::Point) + 'e) -> Self {
        self.change = Some(Box::new(change));
        self
    }

    /// Whether the number of occurrences so far ends the run.
    pub(super) fn stops(&self) -> bool {
        self.stop_after.is_some_and(|n| self.occurrences.len() as u64 >= n)
    }

    /// `g`, which must be finite.
    pub(super) fn value(&mut self, p: &P, t: f64, y: &P::Point) -> Result<f64, SolveError> {
        let value = (self.function)(p, t, y);
        if value.is_finite() {
            Ok(value)
        } else {
            Err(SolveError::NotFinite { t, what: self.name })
        }
    }

    /// A run begins.
    pub(super) fn begin(&mut self, p: &P, t: f64, y: &P::Point) -> Result<(), SolveError> {
        self.occurrences.clear();
        self.last = None;
        self.before = self.value(p, t, y)?;
        Ok(())
    }

    /// The motion goes on from a state that was changed at `t`, in a step of size `h`; by this
    /// event, if it fired, coming from a value of this sign.
    pub(super) fn restart(
        &mut self,
        p: &P,
        (t, h): (f64, f64),
        fired: Option<f64>,
        y: &P::Point,
    ) -> Result<(), SolveError> {
        self.before = match fired {
            None => self.value(p, t, y)?,
            Some(from) => {
                let soon = |last: &Restart| (t - last.t).abs() <= SOON * h.abs();
                let rapid = self.last.filter(soon).map_or(0, |last| last.rapid + 1);
                self.last = Some(Restart { t, from, rapid });
                // What has just happened does not happen again at the same place.
                0.0
            }
        };
        Ok(())
    }

    /// Names what it remembers; `like` is any state.
    pub(super) fn archive(&mut self, p: &P, like: &P::Point, archive: &mut Archive) {
        archive.number(&mut self.before);
        let nothing = Restart { t: 0.0, from: 0.0, rapid: 0 };
        archive.option(&mut self.last, &nothing, |archive, Restart { t, from, rapid }| {
            archive.number(t);
            archive.number(from);
            archive.small(rapid);
        });
        let nothing = Occurrence { t: 0.0, state: like.clone() };
        archive.list(&mut self.occurrences, &nothing, |archive, seen| {
            archive.number(&mut seen.t);
            p.archive(&mut seen.state, archive);
        });
    }

    /// Looks for crossings in a step that ends at the time `end`, and adds them to `found`.
    pub(super) fn search<M: Method<P> + ?Sized>(
        &mut self,
        event: usize,
        step: &mut Interior<'_, P, M>,
        end: f64,
        scratch: &mut P::Point,
        found: &mut Vec<Crossing>,
    ) -> Result<(), SolveError> {
        let (p, t, h) = (step.problem, step.t, step.h);
        let look = Look {
            event,
            name: self.name,
            direction: self.direction,
            samples: self.samples_per_step,
            precise: self.precise,
            step: (t, h, end),
            before: self.before,
            last: self.last,
        };
        let mut value = |precise: bool, theta: f64| {
            if theta == 1.0 {
                return self.value(p, end, step.end);
            }
            step.locate(precise, theta, scratch)?;
            self.value(p, t + theta * h, scratch)
        };
        self.after = look.search(&mut value, found)?;
        Ok(())
    }
}

/// The value of an event at a fraction of a step, by dense output or by a shorter step.
type Value<'v> = dyn FnMut(bool, f64) -> Result<f64, SolveError> + 'v;

/// What a search through a step needs to know, whatever the problem is: compiled once for all.
struct Look {
    event: usize,
    name: &'static str,
    direction: Direction,
    samples: u32,
    precise: bool,
    /// Start, size and end of the step.
    step: (f64, f64, f64),
    before: f64,
    last: Option<Restart>,
}

impl Look {
    fn counts(&self, from: f64) -> bool {
        match self.direction {
            Direction::Either => true,
            Direction::Rising => from < 0.0,
            Direction::Falling => from > 0.0,
        }
    }

    /// Adds the crossings of the step to `found`, and returns the value at its end.
    fn search(&self, value: &mut Value<'_>, found: &mut Vec<Crossing>) -> Result<f64, SolveError> {
        let (t, h, end) = self.step;
        let resolution = f64::EPSILON * t.abs().max(end.abs());
        let mut a = (0.0, self.before);
        if a.1 == 0.0 {
            let scale = 1.0 / f64::from(self.samples);
            a = (SOON * scale, value(false, SOON * scale)?);
            let through = |a: f64, from: f64| a != 0.0 && (a > 0.0) != (from > 0.0);
            if let Some(last) = self.last.filter(|last| last.t == t && through(a.1, last.from)) {
                // Unless it went back first, for a shorter time.
                for sooner in SOONER {
                    let b = (sooner * scale, value(false, sooner * scale)?);
                    if b.1 != 0.0 && !through(b.1, last.from) {
                        a = b;
                        break;
                    }
                }
                if through(a.1, last.from) && last.rapid >= RAPID {
                    return Err(SolveError::EventsAccumulate { t, event: self.name });
                }
            }
        }
        for look in 1..=self.samples {
            let theta = f64::from(look) / f64::from(self.samples);
            let b = (theta, value(false, theta)?);
            let crossed = a.1 != 0.0 && (b.1 == 0.0 || (a.1 > 0.0) != (b.1 > 0.0));
            if crossed && self.counts(a.1) {
                let fine = resolution / h.abs();
                let (mut theta, _) = if b.1 == 0.0 {
                    b
                } else {
                    find_root(|theta| value(false, theta), a, b, fine)?
                };
                if self.precise && theta < 1.0 {
                    let precise = |theta| value(true, theta);
                    theta = refined(precise, theta, (a, b), fine)?.unwrap_or(theta);
                }
                let time = t + theta * h;
                let last = (time - end).abs() <= 2.0 * resolution;
                let (theta, t) = if last { (1.0, end) } else { (theta, time) };
                found.push(Crossing { theta, t, event: self.event, from: a.1 });
            }
            a = b;
        }
        Ok(a.1)
    }
}

/// A zero near another one of nearly the same function, between `a` and `b`; nothing if there is no
/// change of sign near it.
fn refined(
    mut f: impl FnMut(f64) -> Result<f64, SolveError>,
    near: f64,
    (a, b): ((f64, f64), (f64, f64)),
    tolerance: f64,
) -> Result<Option<f64>, SolveError> {
    for distance in [1e-4, 1e-2, 1.0] {
        let (low, high) = (near - distance, near + distance);
        let low = if low <= a.0 { a } else { (low, f(low)?) };
        let high = if high >= b.0 { b } else { (high, f(high)?) };
        if low.1 != 0.0 && high.1 != 0.0 && (low.1 > 0.0) != (high.1 > 0.0) {
            return Ok(Some(find_root(&mut f, low, high, tolerance)?.0));
        }
    }
    Ok(None)
}
