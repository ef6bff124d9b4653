//! Carries out a plan with a method that has been made for it.
use super::any_point::AnyPoint;
use super::shaken::scales;
use super::view::{Bound, View, viewed};
use super::{
    Attention, Controller, Ended, EventRecord, Held, ModelSystem, Pace, Plan, Record, RunError,
    RunFailure, Scale, Sink, State,
};
use crate::formulas::{WatchedEvent, Watchlist};
use crate::study::difference;
use lieflow::archive::Archive;
use lieflow::method::{Card, Method, Step};
use lieflow::problem::{Described, Meter, Problem};
use lieflow::stepping::{
    Adaptive, Calibration, Control, Correction, Ending, EvenSteps, Event, Fixed, Observer,
    ObserverResult, Paced, PacedControl, PacedMethod, Passage, Plainly, Reversible, Run,
    SolveError, Summary, Trial, Watch,
};
use std::ops::ControlFlow;
use std::time::Instant;

/// Runs the method over the interval of the plan, from the state that is held if there is one.
pub(super) fn drive<P: ModelSystem>(
    p: &P,
    plan: &Plan,
    watchlist: &Watchlist,
    card: &Card,
    method: &mut dyn Method<P>,
    held: &mut Held,
    sink: &mut dyn Sink,
) -> Result<Record, RunFailure> {
    let mut place = held.take::<P::Point>().map(AnyPoint::new);
    let polar = plan.polar.and_then(P::polar);
    let mut polar = polar.map(|inner| Bound { system: p, inner });
    let meter = plan.without_estimate(card).and_then(|_| p.meter());
    let wanted = meter.is_some() && plan.controller != Some(Controller::Reversible);
    let paced = if wanted { p.paced(card.id) } else { None };
    let (mut method, mut power) = (method, card.estimate_power);
    let adaptive = matches!(plan.pace, Pace::Adaptive { .. });
    // Steps that follow the estimate, or that it watches.
    let by_estimate = adaptive && power.is_none() && paced.is_none();
    let asked = by_estimate && plan.controller != Some(Controller::Reversible);
    let mut estimated = if asked { p.estimated(card.id) } else { None };
    if let Some((inner, grows)) = &mut estimated {
        (method, power) = (inner.as_mut(), Some(*grows));
    }
    let mut meter = meter.map(|inner| Bound { system: p, inner });
    let mut paced = paced.map(|inner| Bound { system: p, inner });
    let task = Task { system: P::SYSTEM, plan, watchlist, card, power };
    let outcome = viewed(p, watchlist, plan.written.positions, method, |view, method| {
        let beside = Beside {
            polar: polar.as_mut().map(|polar| polar as &mut dyn Correction<_>),
            meter: meter.as_mut().map(|meter| meter as &mut dyn Meter<_>),
            paced: paced.as_mut().map(|paced| paced as &mut dyn Paced<_>),
        };
        run(view, &task, method, beside, &mut place, sink)
    });
    if let Some(state) = place {
        held.put(state.get::<P::Point>().clone());
    }
    outcome
}

/// What is to be done, beside the system and its method.
struct Task<'t> {
    system: &'static str,
    plan: &'t Plan,
    watchlist: &'t Watchlist,
    card: &'t Card,
    /// The power of the step with which the error estimate grows, if there is one.
    power: Option<u8>,
}

/// What acts beside the method, if something does: a correction, and what steps without an error estimate follow.
struct Beside<'t, 'v> {
    polar: Option<&'t mut dyn Correction<View<'v>>>,
    meter: Option<&'t mut dyn Meter<AnyPoint>>,
    paced: Option<&'t mut dyn Paced<AnyPoint>>,
}

/// The same, whatever the system is.
fn run<'v>(
    p: &View<'v>,
    task: &Task<'_>,
    method: &mut dyn Method<View<'v>>,
    Beside { polar, mut meter, mut paced }: Beside<'_, 'v>,
    place: &mut Option<AnyPoint>,
    sink: &mut dyn Sink,
) -> Result<Record, RunFailure> {
    let Task { plan, card, watchlist, power, .. } = *task;
    let length = plan.until - plan.from;
    let (before, checkpoints) = (sink.checkpoint_before(), sink.takes_checkpoints());
    let (mut fixed, mut adaptive, mut reversible, mut energetic);
    let plainly = Plainly::default();
    let (control, step): (&mut dyn Control, f64) = match (plan.pace, meter.as_deref_mut()) {
        (Pace::Fixed { step }, _) => {
            fixed = Fixed::new();
            (&mut fixed, step)
        }
        (Pace::Adaptive { tol, first_step, .. }, Some(meter)) => {
            // What a run goes on from knows the length of its steps.
            let evaluations = meter.evaluations();
            let mut found = Calibration { epsilon: 1.0, evaluations, ..Calibration::default() };
            if before.is_none() {
                let start = place.clone().unwrap_or_else(|| p.start());
                let mut trial = Trial {
                    problem: p,
                    method: &mut *method,
                    meter,
                    distance: &|a: &AnyPoint, b: &AnyPoint| p.distance(a, b),
                    start: &start,
                    span: (plan.from, plan.until),
                    order: card.order,
                    follows: paced.is_none(),
                };
                let failed = |source| RunError::Solve { steps: 0, because: None, source };
                let chosen = plan.controller.is_none() && paced.is_none();
                found = match chosen {
                    true => trial.choose(tol, first_step, power.unwrap_or(0)),
                    false => trial.calibrate(tol, first_step),
                }
                .map_err(failed)?;
                if let Some(paced) = paced.as_deref_mut() {
                    let pace = trial.fit(paced, &mut found).map_err(failed)?;
                    paced.set_pace(pace);
                }
            }
            if paced.is_some() {
                energetic = PacedControl::new(found, &plainly);
                (&mut energetic as &mut dyn Control, first_step.unwrap_or(1.0))
            } else {
                reversible = Reversible::calibrated(found);
                (&mut reversible as &mut dyn Control, first_step.unwrap_or(1.0))
            }
        }
        (Pace::Adaptive { tol, rule, .. }, None) => {
            adaptive = Adaptive::new(rule, tol, power.unwrap_or(1));
            (&mut adaptive, plan.first_step())
        }
    };
    let mut observer = RunObserver {
        watch: Watch::new(p).strict(),
        each: plan.watch,
        values: Vec::new(),
        scales: Vec::new(),
        sink,
        every: plan.every.max(1),
        at_times: !plan.times.is_empty(),
        all_times: &plan.times,
        times: &plan.times,
        direction: length.signum(),
        sampled: f64::NAN,
        checkpoints,
        attention: Attention::new(&plan.stop),
    };
    let mut events = events(p, watchlist);
    let run = Run::new(p, (plan.from, plan.until), step.copysign(length));
    let mut run = run.max_steps(plan.max_steps).events(&mut events);
    if let Some(start) = place.take() {
        run = run.from(start);
    }
    if let Some(meter) = meter {
        run = run.meter(meter);
    }
    if plan.watch {
        run = run.guarded();
    }
    if checkpoints {
        run = run.checkpoints();
    }
    if let Some(checkpoint) = before {
        run = run.resume(checkpoint);
    }
    if let Some(polar) = polar {
        run = run.correct(polar);
    }
    let clock = Instant::now();
    let outcome = match paced {
        None => run.drive(method, control, &mut observer),
        Some(paced) => {
            let mut method = PacedMethod::new(method, paced, &plainly);
            run.drive(&mut method as &mut dyn Method<_>, control, &mut observer)
        }
    };
    let seconds = clock.elapsed().as_secs_f64();
    let (end, error) = match outcome {
        Ok(end) => {
            let (t, steps) = (end.t, end.steps);
            let stopped = end.ending == Ending::Observer;
            let stopped = stopped.then_some(RunError::Stopped { t, steps });
            // Where only both ends are watched, nobody has stopped the run.
            let off = observer.watch.off_manifold().cloned();
            let off = off.map(|source| RunError::Solve { steps, because: None, source });
            (end, stopped.or(off))
        }
        Err(failure) => {
            let steps = failure.partial.steps;
            let (t, y) = (failure.partial.t, &failure.partial.state);
            let because = p.breakdown(t, y).or_else(|| watchlist.breakdown(&p.plain(t, y)));
            (*failure.partial, Some(RunError::Solve { steps, because, source: failure.error }))
        }
    };
    *place = Some(end.state.clone());
    let polar_corrections = plan.polar.map(|_| end.corrections);
    let corrections = end.method_corrections;
    let ended = match end.ending {
        Ending::Event(_) => Ended::Event,
        Ending::Observer => Ended::Interrupted,
        Ending::Reached => Ended::End,
    };
    let mut record = observer.record(p, task.system, plan, end, seconds, error.as_ref());
    record.ended = ended;
    record.events = happened(p, watchlist, &events);
    record.polar_corrections = polar_corrections;
    record.corrections = corrections;
    match error {
        None => Ok(record),
        Some(error) => Err(RunFailure { error: Box::new(error), record: Some(Box::new(record)) }),
    }
}

/// The events of a file, as the driver looks for them.
fn events<'e, 'v: 'e>(_: &View<'v>, watchlist: &'e Watchlist) -> Vec<Event<'e, View<'v>>> {
    let event = |watched: &'e WatchedEvent| {
        let value = move |p: &View<'v>, t: f64, y: &AnyPoint| {
            watchlist.event_value(watched, &p.plain(t, y))
        };
        let mut event = Event::new(value)
            .named(watched.name)
            .direction(watched.direction)
            .samples_per_step(watched.looks)
            // What is noted, and where the motion goes on, has the accuracy of the method.
            .precise();
        if let Some(n) = watched.stop_after {
            event = event.stop_after(n);
        }
        if watched.changes_state() {
            event = event.then(move |p: &View<'v>, t, y: &mut AnyPoint| {
                for (part, numbers) in watchlist.changes(watched, &p.plain(t, y)) {
                    p.change(y, part, &numbers);
                }
            });
        }
        event
    };
    watchlist.events().iter().map(event).collect()
}

/// What happened, in the order of the run.
fn happened<'v>(
    p: &View<'v>,
    watchlist: &Watchlist,
    events: &[Event<'_, View<'v>>],
) -> Vec<EventRecord> {
    let mut list = Vec::new();
    for (watched, event) in watchlist.events().iter().zip(events) {
        for seen in &event.occurrences {
            let state = State::of(p, seen.t, &seen.state);
            list.push(EventRecord { name: watched.name, state });
        }
    }
    // Backward runs go down in time.
    if !list.is_sorted_by(|a, b| a.state.t <= b.state.t) {
        list.sort_by(|a, b| a.state.t.total_cmp(&b.state.t));
    }
    list
}

/// How far a step back misses the initial state from which a step forth was made.
pub(super) fn symmetric_defect<P: ModelSystem>(
    p: &P,
    plan: &Plan,
    method: &mut dyn Method<P>,
) -> Result<f64, RunError> {
    fn there_and_back<'v>(
        p: &View<'v>,
        plan: &Plan,
        method: &mut dyn Method<View<'v>>,
    ) -> Result<f64, RunError> {
        let h = plan.pace.first_step();
        let failed = |source| RunError::first_step(plan, source);
        let start = p.start();
        let (mut there, mut back) = (start.clone(), start.clone());
        method.step(Step::new(p, plan.from, h, &start), &mut there).map_err(failed)?;
        method.reset();
        method.step(Step::new(p, plan.from + h, -h, &there), &mut back).map_err(failed)?;
        let state = |y| State::of(p, plan.from, y);
        Ok(difference(p.error_parts(), &state(&start), &state(&back)).total)
    }
    let nothing = Watchlist::new();
    viewed(p, &nothing, false, method, |view, method| there_and_back(view, plan, method))
}

/// Watches the invariants and hands the states on.
struct RunObserver<'a, 'v> {
    watch: Watch<View<'v>>,
    /// Whether the watch sees every step, or only both ends.
    each: bool,
    values: Vec<f64>,
    scales: Vec<Scale>,
    sink: &'a mut dyn Sink,
    every: u64,
    /// Whether the plan names the times of the states that are kept.
    at_times: bool,
    /// These times, all of them.
    all_times: &'a [f64],
    /// The times that are still to come.
    times: &'a [f64],
    /// The sign of the direction of time.
    direction: f64,
    /// The time of the last state handed on.
    sampled: f64,
    /// Whether the run can go on from where somebody stops it: that is before a step then.
    checkpoints: bool,
    attention: Attention<'a>,
}

impl<'v> RunObserver<'_, 'v> {
    /// Begins to watch the invariants, whose names these are.
    fn watch(
        &mut self,
        p: &View<'v>,
        span: (f64, f64),
        y: &AnyPoint,
    ) -> Result<Vec<&'static str>, SolveError> {
        let _ = self.watch.begin(p, span, y)?;
        self.note();
        let names: Vec<&'static str> = self.watch.invariants.iter().map(|i| i.name).collect();
        self.scales = scales(p, y, &names, &self.values, self.each);
        self.sink.measured_by(&self.scales);
        Ok(names)
    }

    fn note(&mut self) {
        self.values.clear();
        self.values.extend(self.watch.invariants.iter().map(|i| i.last));
    }

    fn sample(&mut self, p: &View<'v>, t: f64, y: &AnyPoint) -> ControlFlow<()> {
        self.keep(&State::of(p, t, y))
    }

    fn keep(&mut self, state: &State) -> ControlFlow<()> {
        self.sampled = state.t;
        self.sink.sample(state, &self.values)
    }

    /// Hands on the states at the times of the plan that lie in this step.
    fn times_of(&mut self, passage: &mut Passage<'_, View<'v>>) -> ObserverResult {
        let mut inside = None;
        while let [time, rest @ ..] = self.times
            && (passage.to - time) * self.direction >= 0.0
        {
            let y = inside.get_or_insert_with(|| passage.end.clone());
            passage.at(*time, y)?;
            self.values = self.watch.values(passage.problem, y);
            self.times = rest;
            if self.sample(passage.problem, *time, y).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Names how many of the times have passed, and the last of them.
    fn archive_times(&mut self, archive: &mut Archive) {
        let all = self.all_times;
        let mut passed = (all.len() - self.times.len()) as u64;
        archive.bits(&mut passed);
        self.times = all.get(passed as usize..).unwrap_or_default();
        let last = all[..all.len() - self.times.len()].last().copied();
        archive.same(last.unwrap_or(f64::NAN), "its states are kept at other times");
    }

    fn record(
        self,
        p: &View<'v>,
        system: &'static str,
        plan: &Plan,
        end: Summary<AnyPoint>,
        seconds: f64,
        error: Option<&RunError>,
    ) -> Record {
        Record {
            system,
            method: plan.method.clone(),
            from: plan.from,
            until: plan.until,
            steps: end.steps,
            rejected: end.rejected,
            state: State::of(p, end.t, &end.state),
            ended: Ended::End,
            events: Vec::new(),
            invariants: self.watch.invariants,
            scales: self.scales,
            manifold_error: self.watch.manifold_error,
            cost: end.cost,
            corrections: None,
            polar_corrections: None,
            seconds,
            files: Vec::new(),
            warnings: Vec::new(),
            failure: error.map(RunError::to_string),
        }
    }
}

impl<'v> Observer<View<'v>> for RunObserver<'_, 'v> {
    fn begin(&mut self, p: &View<'v>, span: (f64, f64), y: &AnyPoint) -> ObserverResult {
        let names = self.watch(p, span, y)?;
        let state = State::of(p, span.0, y);
        if self.sink.begin(&names, &state).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        match self.times {
            [time, rest @ ..] if *time == span.0 => self.times = rest,
            _ if self.at_times => return Ok(ControlFlow::Continue(())),
            _ => {}
        }
        Ok(self.keep(&state))
    }

    fn see(&mut self, passage: &mut Passage<'_, View<'v>>) -> ObserverResult {
        if self.each {
            let _ = self.watch.see(passage)?;
            self.note();
        }
        let stopped = !self.checkpoints && self.attention.asked();
        if self.sink.step(passage.to, &self.values).is_break() || stopped {
            return Ok(ControlFlow::Break(()));
        }
        if self.at_times {
            return self.times_of(passage);
        }
        if passage.number.is_multiple_of(self.every) {
            if !self.each {
                self.values = self.watch.values(passage.problem, passage.end);
            }
            return Ok(self.sample(passage.problem, passage.to, passage.end));
        }
        Ok(ControlFlow::Continue(()))
    }

    fn unobserved(&self, done: u64, steps: &EvenSteps) -> u64 {
        if self.each || self.sink.follows_steps() {
            return 0;
        }
        let count = match (self.at_times, self.times) {
            (true, [time, ..]) => steps.before(*time),
            (true, []) => steps.count,
            (false, _) => steps.count.min(self.every - done % self.every - 1),
        };
        self.attention.bound(count)
    }

    fn resume(&mut self, p: &View<'v>, span: (f64, f64), y: &AnyPoint) -> ObserverResult {
        let names = self.watch(p, span, y)?;
        Ok(self.sink.resume(&names, &State::of(p, span.0, y)))
    }

    fn archive(&mut self, p: &View<'v>, archive: &mut Archive) {
        self.watch.archive(p, archive);
        archive.number(&mut self.sampled);
        self.archive_times(archive);
        self.note();
        self.sink.archive(archive);
    }

    fn checkpoint_due(&mut self, last: bool) -> bool {
        self.sink.checkpoint_due(last) || self.attention.asked()
    }

    fn checkpoint(&mut self, taken: Result<Vec<u64>, &'static str>, last: bool) -> ObserverResult {
        let kept = self.sink.checkpoint(taken, last);
        Ok(if self.attention.asked() { ControlFlow::Break(()) } else { kept })
    }

    /// The last state is kept, whatever ended the run, unless the plan names times.
    fn end(&mut self, p: &View<'v>, t: f64, y: &AnyPoint) {
        self.watch.end(p, t, y);
        self.note();
        if t != self.sampled && !self.at_times {
            let _ = self.sample(p, t, y);
        }
    }
}
