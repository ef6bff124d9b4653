//! The loop: the method proposes, the control disposes, the observer looks on.
use super::observe::Interior;
use super::scan::{Cut, Scan};
use super::{Control, Correction, Event, Observer, Passage, RESTORED_EVERY, SolveError, Verdict};
use crate::archive::Archive;
use crate::method::{Corrections, Cost, Method, Step, StepError};
use crate::problem::{Meter, Problem, Watched};
use core::fmt;
use core::mem::swap;

/// What ended a run that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The end of the interval.
    Reached,
    /// An observer.
    Observer,
    /// A terminal event, by its place in the list.
    Event(usize),
}

/// Where a run has come to, and what it took.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary<Y> {
    /// The time of the last accepted state.
    pub t: f64,
    /// The last accepted state.
    pub state: Y,
    /// Accepted steps.
    pub steps: u64,
    /// Rejected trials.
    pub rejected: u64,
    /// Accepted states that a correction has touched.
    pub corrections: u64,
    /// Steps or stages that the method itself has corrected, if it does that.
    pub method_corrections: Option<Corrections>,
    /// What the method has computed in this run, dense output and rejected trials included.
    pub cost: Cost,
    /// What ended the run; for a failed run, what would have if it had not failed.
    pub ending: Ending,
}

/// A run that failed, with what it had.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure<Y> {
    /// Why.
    pub error: SolveError,
    /// How far it came.
    pub partial: Box<Summary<Y>>,
}

impl<Y> fmt::Display for Failure<Y> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<Y: fmt::Debug> core::error::Error for Failure<Y> {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        core::error::Error::source(&self.error)
    }
}

/// Integrates `p` from its start over `span` with `step` as the (first) step.
///
/// This is [`Run`] without extras. The span may lead backwards; the step then is negative.
pub fn integrate<P: Problem, M: Method<P> + ?Sized>(
    p: &P,
    method: &mut M,
    control: &mut dyn Control,
    span: (f64, f64),
    step: f64,
    observer: &mut dyn Observer<P>,
) -> Result<Summary<P::Point>, Failure<P::Point>> {
    Run::new(p, span, step).drive(method, control, observer)
}

/// A run to be made.
pub struct Run<'a, 'e, P: Problem> {
    problem: &'a P,
    span: (f64, f64),
    step: f64,
    start: Option<P::Point>,
    events: &'a mut [Event<'e, P>],
    correction: Option<&'a mut dyn Correction<P>>,
    meter: Option<&'a mut dyn Meter<P::Point>>,
    sound: Option<fn(&P, &P::Point) -> bool>,
    max_steps: u64,
    checkpoints: bool,
    resume: Option<Vec<u64>>,
    /// What the run had taken where it goes on, and the method before it.
    spent: Spent,
    before: Spent,
}

/// Whoever remembers something between two steps.
struct Memory<'m, 's, 'e, P: Problem, M: ?Sized> {
    method: &'m mut M,
    control: &'m mut dyn Control,
    observer: &'m mut dyn Observer<P>,
    scan: &'m mut Scan<'s, 'e, P>,
    now: &'m mut Summary<P::Point>,
}

/// What a run has taken before it went on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Spent {
    cost: Cost,
    corrections: Corrections,
}

impl Spent {
    /// What a method has taken since it was made.
    fn by<P: Problem>(method: &(impl Method<P> + ?Sized)) -> Self {
        let corrections = method.corrections().unwrap_or_default();
        Self { cost: method.cost(), corrections }
    }

    fn archive(&mut self, archive: &mut Archive) {
        self.cost.archive(archive);
        let Corrections { made, skipped } = &mut self.corrections;
        [made, skipped].into_iter().for_each(|n| archive.bits(n));
    }
}

impl<'a, 'e, P: Problem> Run<'a, 'e, P> {
    /// From the start of `problem`, over `span`, with `step` as the (first) step.
    pub fn new(problem: &'a P, span: (f64, f64), step: f64) -> Self {
        Self {
            problem,
            span,
            step,
            start: None,
            events: &mut [],
            correction: None,
            meter: None,
            sound: None,
            max_steps: u64::MAX,
            checkpoints: false,
            resume: None,
            spent: Spent::default(),
            before: Spent::default(),
        }
    }

    /// From this state.
    pub fn from(mut self, start: P::Point) -> Self {
        self.start = Some(start);
        self
    }

    /// With these events, which keep their occurrences.
    pub fn events(mut self, events: &'a mut [Event<'e, P>]) -> Self {
        self.events = events;
        self
    }

    /// With this correction after each accepted step.
    pub fn correct(mut self, correction: &'a mut dyn Correction<P>) -> Self {
        self.correction = Some(correction);
        self
    }

    /// With a measure of how fast things happen, for a control that wants to know.
    pub fn meter(mut self, meter: &'a mut dyn Meter<P::Point>) -> Self {
        self.meter = Some(meter);
        self
    }

    /// A proposal for which `sound` is false counts as a failed step, and is never accepted.
    pub fn guard(mut self, sound: fn(&P, &P::Point) -> bool) -> Self {
        self.sound = Some(sound);
        self
    }

    /// At most so many accepted steps.
    pub fn max_steps(mut self, n: u64) -> Self {
        self.max_steps = n;
        self
    }

    /// With checkpoints before steps, where the observer [wants](Observer::checkpoint_due) them.
    pub fn checkpoints(mut self) -> Self {
        self.checkpoints = true;
        self
    }

    /// Goes on from a checkpoint of a run that was the same but perhaps for its end, to the same bits.
    /// One that does not fit is a [`SolveError::Checkpoint`].
    pub fn resume(mut self, checkpoint: Vec<u64>) -> Self {
        self.resume = Some(checkpoint);
        self
    }

    /// Makes the run.
    pub fn drive<M: Method<P> + ?Sized>(
        mut self,
        method: &mut M,
        control: &mut dyn Control,
        observer: &mut dyn Observer<P>,
    ) -> Result<Summary<P::Point>, Failure<P::Point>> {
        self.before = Spent::by(method);
        let state = self.start.clone().unwrap_or_else(|| self.problem.start());
        let mut now = Summary {
            t: self.span.0,
            state,
            steps: 0,
            rejected: 0,
            corrections: 0,
            method_corrections: None,
            cost: Cost::default(),
            ending: Ending::Reached,
        };
        let problem = self.problem;
        // Observers see nothing of a run that cannot begin.
        let begun = self.check().and_then(|()| control.begin(self.span, self.step));
        if let Err(error) = begun {
            return Err(Failure { error, partial: Box::new(now) });
        }
        let outcome = self.advance(method, control, observer, &mut now);
        observer.end(problem, now.t, &now.state);
        let all = self.taken(method);
        now.cost = all.cost.plus(&control.cost());
        now.method_corrections = method.corrections().map(|_| all.corrections);
        match outcome {
            Ok(ending) => Ok(Summary { ending, ..now }),
            Err(error) => Err(Failure { error, partial: Box::new(now) }),
        }
    }

    fn check(&self) -> Result<(), SolveError> {
        let ((from, until), step) = (self.span, self.step);
        // The difference is finite only if both ends are.
        if !(until - from).is_finite() {
            return Err(SolveError::BadSpan { from, until });
        }
        let leads = from == until || (step > 0.0) == (until > from);
        if !step.is_finite() || step == 0.0 || !leads {
            return Err(SolveError::BadStep { step, from, until });
        }
        Ok(())
    }

    /// The loop. `now` is always the last accepted state.
    fn advance<M: Method<P> + ?Sized>(
        &mut self,
        method: &mut M,
        control: &mut dyn Control,
        observer: &mut dyn Observer<P>,
        now: &mut Summary<P::Point>,
    ) -> Result<Ending, SolveError> {
        let p = self.problem;
        let begun = match self.resume {
            None => observer.begin(p, self.span, &now.state),
            Some(_) => observer.resume(p, self.span, &now.state),
        };
        if begun?.is_break() {
            return Ok(Ending::Observer);
        }
        let mut scan = Scan::new(core::mem::take(&mut self.events));
        scan.begin(p, now.t, &now.state)?;
        method.reset();
        if let Some(checkpoint) = self.resume.take() {
            let mut state = now.state.clone();
            let mut memory = Memory { method, control, observer, scan: &mut scan, now };
            let mut archive = Archive::of(checkpoint);
            self.archive(&mut memory, &mut state, &mut archive);
            archive.finish().map_err(|because| SolveError::Checkpoint { because })?;
            now.state = state;
        }
        // Two places: the state is in one of them, the next proposal goes to the other, and references
        // to them are exchanged, not the states.
        let mut places = [now.state.clone(), now.state.clone()];
        let mut at = 0;
        let outcome =
            self.step_loop(method, control, observer, &mut scan, &mut places, &mut at, now);
        swap(&mut now.state, &mut places[at]);
        outcome
    }

    /// What the run has taken so far, with what it had taken where it went on.
    fn taken<M: Method<P> + ?Sized>(&self, method: &M) -> Spent {
        let Spent { cost, corrections } = Spent::by(method);
        Spent {
            cost: self.spent.cost.plus(&cost.since(&self.before.cost)),
            corrections: self.spent.corrections.and(Corrections {
                made: corrections.made - self.before.corrections.made,
                skipped: corrections.skipped - self.before.corrections.skipped,
            }),
        }
    }

    /// Names all that a run remembers between two steps. Whoever writes files comes last, when all
    /// else has fitted.
    fn archive<M: Method<P> + ?Sized>(
        &mut self,
        memory: &mut Memory<'_, '_, 'e, P, M>,
        state: &mut P::Point,
        archive: &mut Archive,
    ) {
        let Memory { method, control, observer, scan, now } = memory;
        let p = self.problem;
        archive.same(self.span.0, "it begins at another time");
        archive
            .same(self.step, "its first step is another one, a part of the interval unless given");
        archive.number(&mut now.t);
        if (self.span.1 - now.t) * (self.span.1 - self.span.0) <= 0.0 {
            archive.refuse("it has come to the end, or beyond it");
        }
        archive.bits(&mut now.steps);
        archive.bits(&mut now.rejected);
        archive.bits(&mut now.corrections);
        let mut taken = self.taken(*method);
        taken.archive(archive);
        if archive.is_read() {
            self.spent = taken;
        }
        p.archive(state, archive);
        control.archive(archive);
        scan.archive(p, state, archive);
        if let Some(correction) = &mut self.correction {
            correction.archive(archive);
        }
        method.archive(Step::new(p, now.t, self.step, state), archive);
        if archive.is_read() {
            self.before = Spent::by(*method);
        }
        observer.archive(p, archive);
    }

    fn step_loop<M: Method<P> + ?Sized>(
        &mut self,
        method: &mut M,
        control: &mut dyn Control,
        observer: &mut dyn Observer<P>,
        scan: &mut Scan<'_, 'e, P>,
        places: &mut [P::Point; 2],
        at: &mut usize,
        now: &mut Summary<P::Point>,
    ) -> Result<Ending, SolveError> {
        let p = self.problem;
        let [first, second] = places;
        let (mut state, mut other) = (first, second);
        // The state at an event, used only where there are events.
        let mut spare = (!scan.events.is_empty()).then(|| state.clone());
        // Events and corrections have to do with every step.
        let may_step_many = spare.is_none() && self.correction.is_none();
        let mut single = 0;
        loop {
            if may_step_many && single == 0 {
                single = self
                    .step_unobserved(method, control, observer, &mut state, &mut other, at, now);
            }
            if control.wants_tempo() {
                let Some(meter) = &mut self.meter else { return Err(SolveError::NoTempo) };
                control.hear(meter.tempo(now.t, state))?;
            }
            let Some(mut stride) = control.propose()? else { break };
            let last = stride.end == self.span.1;
            if self.checkpoints && observer.checkpoint_due(last) {
                let mut memory = Memory { method, control, observer, scan, now };
                let mut archive = Archive::new();
                self.archive(&mut memory, state, &mut archive);
                if observer.checkpoint(archive.finish(), last)?.is_break() {
                    return Ok(Ending::Observer);
                }
            }
            single = u64::saturating_sub(single, 1);
            if now.steps >= self.max_steps {
                return Err(SolveError::TooManySteps { t: now.t, steps: now.steps });
            }
            let mut trial = method.step(Step::new(p, stride.t, stride.h, state), other);
            if let (Ok(_), Some(sound)) = (&trial, self.sound)
                && !sound(p, other)
            {
                trial = Err(StepError::NotFinite { what: "the step" });
            }
            if control.judge(&stride, trial)? == Verdict::Reject {
                now.rejected += 1;
                continue;
            }
            stride = control.found().unwrap_or(stride);
            method.accept();
            let mut cut = None;
            if let Some(spare) = &mut spare {
                let (t, h, start, end) = (stride.t, stride.h, &*state, &*other);
                let mut step = Interior { problem: p, method, t, h, start, end };
                cut = scan.search(&mut step, stride.end, spare)?;
            }
            now.steps += 1;
            now.t = cut.as_ref().map_or(stride.end, |cut| cut.t);
            // From here on the old state is in `before`, and the end of the whole step in `whole`.
            match (&cut, &mut spare) {
                (Some(_), Some(spare)) => swap(state, spare),
                _ => {
                    swap(&mut state, &mut other);
                    *at = 1 - *at;
                }
            }
            if now.steps.is_multiple_of(RESTORED_EVERY) && !method.carries_roundings() {
                p.restore(state);
            }
            let mut touched = false;
            if let Some(correction) = &mut self.correction {
                touched = correction.correct(p, now.t, state);
                now.corrections += u64::from(touched);
            }
            let (before, whole) = match (&cut, &spare) {
                (Some(_), Some(spare)) => (spare, &*other),
                _ => (&*other, &*state),
            };
            let mut inside = Interior {
                problem: p,
                method: &mut *method,
                t: stride.t,
                h: stride.h,
                start: before,
                end: whole,
            };
            let seen = observer.see(&mut Passage {
                problem: p,
                number: now.steps,
                from: stride.t,
                start: before,
                to: now.t,
                end: state,
                cut: cut.is_some(),
                inside: &mut inside,
            })?;
            if touched || cut.is_some() {
                method.reset();
            }
            if let Some(Cut { stop: Some(event), .. }) = cut {
                return Ok(Ending::Event(event));
            }
            if seen.is_break() {
                return Ok(Ending::Observer);
            }
            if let Some(cut) = cut {
                scan.change(p, cut.t, stride.h, state)?;
                control.restart(cut.t);
                if observer.jump(p, cut.t, state)?.is_break() {
                    return Ok(Ending::Observer);
                }
            }
        }
        Ok(Ending::Reached)
    }

    /// Makes the next steps that nobody observes, as far as the method makes them at once, and
    /// says how many steps are to be made singly before this is tried again.
    fn step_unobserved<'s, M: Method<P> + ?Sized>(
        &self,
        method: &mut M,
        control: &mut dyn Control,
        observer: &dyn Observer<P>,
        state: &mut &'s mut P::Point,
        other: &mut &'s mut P::Point,
        at: &mut usize,
        now: &mut Summary<P::Point>,
    ) -> u64 {
        /// The steps at a time when the end of them is looked at.
        const GUARDED: u64 = 256;
        /// The single steps after those that were not made at once, and otherwise.
        const RARELY: u64 = 64;
        const OFTEN: u64 = 1;
        let p = self.problem;
        loop {
            let Some(mut steps) = control.even_steps() else {
                return if control.wants_tempo() { OFTEN } else { RARELY };
            };
            let room = self.max_steps.saturating_sub(now.steps);
            let room = room.min(RESTORED_EVERY - now.steps % RESTORED_EVERY);
            steps.count = observer.unobserved(now.steps, &steps).min(room);
            if steps.count == 0 {
                return OFTEN;
            }
            if self.sound.is_some() {
                steps.count = steps.count.min(GUARDED);
            }
            other.clone_from(state);
            let made = method.step_many(p, &steps, other);
            if made == 0 {
                return RARELY;
            }
            // What is not finite stays so: one look at the end is enough to find that a step has to
            // be found.
            if self.sound.is_some_and(|sound| !sound(p, other)) {
                method.reset();
                return made + 1;
            }
            let Some(t) = control.advance_by(made) else { return RARELY };
            swap(state, other);
            *at = 1 - *at;
            now.steps += made;
            now.t = t;
            if now.steps.is_multiple_of(RESTORED_EVERY) && !method.carries_roundings() {
                p.restore(state);
            }
            if made < steps.count {
                return OFTEN;
            }
        }
    }
}

impl<P: Watched> Run<'_, '_, P> {
    /// A proposal whose distance from the manifold is not finite counts as a failed step.
    pub fn guarded(self) -> Self {
        self.guard(|p, y| p.manifold_error(y).is_finite())
    }
}
