//! One method at work: a thread that makes steps when it is told to.
//!
//! A lane is one long run of the model, whose sink waits between steps for the next order. So the
//! states are those of any other run with the same steps, in every bit. A new task ends the run, and
//! another one begins where it was, or anew.
use crate::task::{Begin, Prepared, Show, Task};
use lieflow::method::Card;
use lieflow_models::run::{Ended, Held, Model, Pace, Plan, RunError, Scale, Sink, State, Stop};
use serde_json::Value as Json;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::time::{Duration, Instant};

/// A run is begun again after so many steps, so that nothing that it notes grows without end.
const MOST_STEPS: u64 = 1 << 22;
/// A trial run takes no longer.
const TRIAL: Duration = Duration::from_millis(40);
/// States that are kept of it.
const TRIAL_STATES: usize = 48;
/// Orders and reports that may wait.
const WAITING: usize = 16;

/// What a lane is told.
#[derive(Clone, Debug)]
pub enum Order {
    /// Something else to do.
    Set(Task),
    /// On to a time, or by some steps, but no longer than it may take.
    Advance {
        /// The time.
        to: f64,
        /// No more steps than this.
        steps: u64,
        /// How many states are wanted on the way.
        keep: usize,
        /// How long it may take; the step that is begun is finished.
        budget: Duration,
    },
}

/// A state with the invariants.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The state.
    pub state: State,
    /// The values of the invariants.
    pub invariants: Vec<f64>,
}

/// What a task has become.
#[derive(Clone, Debug)]
pub struct Began {
    /// The method.
    pub card: Card,
    /// Its plan.
    pub plan: Plan,
    /// The system.
    pub system: &'static str,
    /// The problem with all changes.
    pub problem: Json,
    /// Its text.
    pub text: String,
    /// The names of the invariants.
    pub invariants: Vec<&'static str>,
    /// By what their changes are measured.
    pub scales: Vec<Scale>,
    /// Where it begins.
    pub first: Sample,
    /// States of the trial run.
    pub trial: Vec<State>,
    /// Whether it has begun anew.
    pub anew: bool,
    /// Why it has begun anew although it was to go on.
    pub because: Option<String>,
}

/// How far a lane has come.
#[derive(Clone, Debug)]
pub struct Advanced {
    /// New states.
    pub samples: Vec<Sample>,
    /// The time of the last one.
    pub reached: f64,
    /// Steps since the lane has begun anew.
    pub steps: u64,
    /// The last step.
    pub step: f64,
    /// Why it goes no further, if so.
    pub ended: Option<String>,
}

/// What a lane says.
#[derive(Clone, Debug)]
pub enum Report {
    /// A task has begun.
    Began(Box<Began>),
    /// A task that cannot be done; what was done before goes on.
    Refused(String),
    /// An answer to [`Order::Advance`].
    Advanced(Advanced),
}

/// A thread with a method at work. It ends when this is dropped.
#[derive(Debug)]
pub struct Lane {
    orders: SyncSender<Order>,
    reports: Receiver<Report>,
    stop: Arc<AtomicBool>,
}

impl Lane {
    /// Starts one; it waits for a task.
    pub fn start(show: Arc<Show>) -> std::io::Result<Self> {
        let (orders, incoming) = sync_channel(WAITING);
        let (outgoing, reports) = sync_channel(WAITING);
        let stop = Arc::new(AtomicBool::new(false));
        let flag = stop.clone();
        let work = move || Worker::new(show, incoming, outgoing, flag).work();
        // Formulas are compiled by recursion.
        std::thread::Builder::new().name("lane".into()).stack_size(STACK).spawn(work)?;
        Ok(Self { orders, reports, stop })
    }

    /// Gives an order; false if the lane is gone, or has too many of them.
    pub fn order(&self, order: Order) -> bool {
        self.orders.try_send(order).is_ok()
    }

    /// What it has said, if anything.
    pub fn report(&self) -> Option<Report> {
        self.reports.try_recv().ok()
    }

    /// What it says next, within a time.
    pub fn wait(&self, time: Duration) -> Option<Report> {
        self.reports.recv_timeout(time).ok()
    }
}

/// As large as that of the main thread.
const STACK: usize = 8 << 20;

impl Drop for Lane {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// The thread of a lane.
struct Worker {
    show: Arc<Show>,
    orders: Receiver<Order>,
    reports: SyncSender<Report>,
    stop: Arc<AtomicBool>,
    /// The state between two runs.
    held: Held,
    /// The last state, as it is shown.
    last: Option<Sample>,
    /// Steps since it has begun anew.
    steps: u64,
    step: f64,
    /// What comes next.
    next: Option<Prepared>,
    /// What is being carried out.
    advance: Option<Advance>,
}

/// An order to advance, and what has come of it.
struct Advance {
    to: f64,
    steps: u64,
    /// States nearer to the last one that was kept are not.
    gap: f64,
    since: f64,
    until: Instant,
    samples: Vec<Sample>,
}

impl Worker {
    fn new(
        show: Arc<Show>,
        orders: Receiver<Order>,
        reports: SyncSender<Report>,
        stop: Arc<AtomicBool>,
    ) -> Self {
        let held = Held::none();
        Self {
            show,
            orders,
            reports,
            stop,
            held,
            last: None,
            steps: 0,
            step: 0.0,
            next: None,
            advance: None,
        }
    }

    /// Until nobody gives orders any more.
    fn work(mut self) {
        let mut ended = Some("nothing has begun".to_string());
        loop {
            let Some(prepared) = self.next.take() else {
                // At an end: only another task helps.
                match self.orders.recv() {
                    Ok(order) => {
                        let reason = ended.clone().unwrap_or_default();
                        let goes_on = match order {
                            Order::Set(task) => self.consider(&task),
                            Order::Advance { .. } => self.tell(Vec::new(), Some(reason)),
                        };
                        if goes_on.is_break() && self.next.is_none() {
                            return;
                        }
                    }
                    Err(_) => return,
                }
                continue;
            };
            match self.carry_out(prepared) {
                Outcome::Next => {}
                Outcome::Ended(reason) => {
                    // Whoever waits for steps hears that there are no more, and sees the last one.
                    if let Some(advance) = self.advance.take() {
                        let mut samples = advance.samples;
                        samples.extend(self.last.clone().filter(|s| s.state.t != advance.since));
                        if self.tell(samples, Some(reason.clone())).is_break() {
                            return;
                        }
                    }
                    ended = Some(reason);
                }
                Outcome::Gone => return,
            }
        }
    }

    /// Runs until another task has come or the motion is at its end.
    fn carry_out(&mut self, prepared: Prepared) -> Outcome {
        let Prepared { document, model, mut plan, card, begin, trial } = prepared;
        let from = plan.from;
        let because = self.settle(model.as_ref(), &plan, &begin);
        let anew = !self.held.is_some();
        let states = if trial { trial_run(model.as_ref(), &plan) } else { Vec::new() };
        plan.stop = Stop::when(self.stop.clone());
        plan.times.clear();
        plan.every = 1;
        if anew {
            (self.steps, self.step) = (0, 0.0);
        }
        let span = plan.until - from;
        if let Pace::Adaptive { first_step, .. } = &mut plan.pace {
            // As a run over the interval of the file would begin.
            first_step.get_or_insert(0.01 * span.abs());
        }
        let mut first = true;
        loop {
            let start = self.last.as_ref().filter(|_| self.held.is_some());
            let start = start.map_or(from, |last| last.state.t);
            plan.from = start;
            plan.until = start + far(&plan.pace, span);
            plan.max_steps = u64::MAX;
            let told = first.then(|| Telling {
                card: &card,
                plan: &plan,
                model: model.as_ref(),
                problem: document.to_json(),
                text: document.to_toml(),
                trial: &states,
                anew,
                because: because.clone(),
            });
            let mut held = std::mem::take(&mut self.held);
            let mut sink = LaneSink {
                worker: self,
                told,
                scales: vec![],
                made: 0,
                sign: span.signum(),
                gone: false,
            };
            let outcome = model.run_on(&plan, model.watchlist(), &mut held, &mut sink);
            let (gone, made) = (sink.gone, sink.made);
            self.held = held;
            first = false;
            if gone || self.stop.load(Ordering::Relaxed) {
                return Outcome::Gone;
            }
            if self.next.is_some() {
                return Outcome::Next;
            }
            match outcome {
                Err(failure) => match *failure.error {
                    RunError::Stopped { .. } if made >= MOST_STEPS => {}
                    error => return Outcome::Ended(error.to_string()),
                },
                Ok(record) if record.ended == Ended::Event => {
                    let event = record.events.last().map_or("an event", |event| event.name);
                    return Outcome::Ended(format!("{event}, at t = {}", record.state.t));
                }
                Ok(_) => {}
            }
        }
    }

    /// Makes ready the state from which the next run begins. If it cannot go on where it is, it
    /// begins anew and says why.
    fn settle(&mut self, model: &dyn Model, plan: &Plan, begin: &Begin) -> Option<String> {
        let Begin::Here(nudges) = begin else {
            self.held = Held::none();
            return None;
        };
        let alike =
            self.last.as_ref().is_some_and(|last| same_shape(&last.state, &model.start(plan.from)));
        if !alike || !model.can_hold(&self.held) {
            self.held = Held::none();
            return Some("begun anew: the state before is none of this system".into());
        }
        for (part, by) in nudges {
            if !model.nudge(&mut self.held, part, by) {
                self.held = Held::none();
                return Some(format!("begun anew: '{part}' of a running motion cannot be changed"));
            }
        }
        None
    }

    /// Reads a task. Only one that can be done takes the place of the one before.
    fn consider(&mut self, task: &Task) -> ControlFlow<()> {
        match task.prepare(&self.show) {
            Ok(prepared) => {
                self.next = Some(prepared);
                ControlFlow::Break(())
            }
            Err(error) => self.say(Report::Refused(error.to_string())),
        }
    }

    fn say(&self, report: Report) -> ControlFlow<()> {
        match self.reports.send(report) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    /// Answers an order to advance.
    fn tell(&mut self, samples: Vec<Sample>, ended: Option<String>) -> ControlFlow<()> {
        self.advance = None;
        let reached = self.last.as_ref().map_or(0.0, |last| last.state.t);
        let (steps, step) = (self.steps, self.step);
        self.say(Report::Advanced(Advanced { samples, reached, steps, step, ended }))
    }
}

/// What a run has come to.
enum Outcome {
    /// There is another task.
    Next,
    /// It goes no further.
    Ended(String),
    /// Nobody gives orders any more.
    Gone,
}

/// So far that nobody sees the end.
fn far(pace: &Pace, span: f64) -> f64 {
    match pace {
        // Not a multiple of the step, which would be rounded to divide the interval.
        Pace::Fixed { step } => (2.0 * MOST_STEPS as f64 + 0.5) * step.copysign(span),
        Pace::Adaptive { .. } => 1e6 * span,
    }
}

/// Whether two states have the same parts, with as many numbers each.
fn same_shape(a: &State, b: &State) -> bool {
    let sizes = |state: &State| -> Vec<(&'static str, usize)> {
        state.parts.iter().map(|(name, value)| (*name, value.numbers().len())).collect()
    };
    sizes(a) == sizes(b)
}

/// What the first state of a run is told with.
struct Telling<'a> {
    card: &'a Card,
    plan: &'a Plan,
    model: &'a dyn Model,
    problem: Json,
    text: String,
    trial: &'a [State],
    anew: bool,
    because: Option<String>,
}

/// Waits between steps.
struct LaneSink<'a> {
    worker: &'a mut Worker,
    told: Option<Telling<'a>>,
    scales: Vec<Scale>,
    /// Steps of this run.
    made: u64,
    /// Of the direction of time.
    sign: f64,
    gone: bool,
}

impl Sink for LaneSink<'_> {
    fn measured_by(&mut self, scales: &[Scale]) {
        self.scales = scales.to_vec();
    }
    fn sample(&mut self, state: &State, invariants: &[f64]) -> ControlFlow<()> {
        let sample = || Sample { state: state.clone(), invariants: invariants.to_vec() };
        let before = self.worker.last.replace(sample()).map(|before| before.state.t);
        if let Some(told) = self.told.take() {
            let began = Began {
                card: told.card.clone(),
                plan: told.plan.clone(),
                system: told.model.system(),
                problem: told.problem,
                text: told.text,
                invariants: told.model.invariants(),
                scales: std::mem::take(&mut self.scales),
                first: sample(),
                trial: told.trial.to_vec(),
                anew: told.anew,
                because: told.because,
            };
            if self.worker.say(Report::Began(Box::new(began))).is_break() {
                self.gone = true;
                return ControlFlow::Break(());
            }
        } else if let Some(before) = before.filter(|before| *before != state.t) {
            self.made += 1;
            self.worker.steps += 1;
            self.worker.step = (state.t - before).abs();
        }
        if let Some(advance) = &mut self.worker.advance {
            let reached = (state.t - advance.to) * self.sign >= 0.0;
            advance.steps = advance.steps.saturating_sub(1);
            let done = reached || advance.steps == 0 || Instant::now() >= advance.until;
            if done || (state.t - advance.since).abs() >= advance.gap {
                advance.since = state.t;
                advance.samples.push(sample());
            }
            if done {
                let samples = std::mem::take(&mut advance.samples);
                if self.worker.tell(samples, None).is_break() {
                    self.gone = true;
                    return ControlFlow::Break(());
                }
            }
        }
        // A fresh run for what is to come.
        if self.made >= MOST_STEPS {
            return ControlFlow::Break(());
        }
        self.listen(state)
    }
}

impl LaneSink<'_> {
    /// Goes on with what is to be done, or waits for it.
    fn listen(&mut self, state: &State) -> ControlFlow<()> {
        loop {
            let order = match &self.worker.advance {
                Some(_) => match self.worker.orders.try_recv() {
                    Ok(order) => order,
                    Err(TryRecvError::Empty) => return ControlFlow::Continue(()),
                    Err(TryRecvError::Disconnected) => break,
                },
                None => match self.worker.orders.recv() {
                    Ok(order) => order,
                    Err(_) => break,
                },
            };
            match order {
                Order::Set(task) => {
                    if self.worker.consider(&task).is_break() {
                        self.gone = self.worker.next.is_none();
                        // An order that was being carried out is answered: its states are old.
                        if self.worker.advance.is_some()
                            && self.worker.tell(vec![], None).is_break()
                        {
                            break;
                        }
                        return ControlFlow::Break(());
                    }
                }
                Order::Advance { to, steps, keep, budget } => {
                    if (state.t - to) * self.sign >= 0.0 || steps == 0 {
                        if self.worker.tell(Vec::new(), None).is_break() {
                            break;
                        }
                        continue;
                    }
                    let gap = (to - state.t).abs() / keep.max(1) as f64 * (1.0 - 1e-9);
                    let until = Instant::now() + budget;
                    let (since, samples) = (state.t, Vec::new());
                    self.worker.advance = Some(Advance { to, steps, gap, since, until, samples });
                    return ControlFlow::Continue(());
                }
            }
        }
        self.gone = true;
        ControlFlow::Break(())
    }
}

/// States of the whole motion, as far as it can be computed in a moment.
fn trial_run(model: &dyn Model, plan: &Plan) -> Vec<State> {
    struct Trial {
        states: Vec<State>,
        every: usize,
        seen: usize,
    }
    impl Sink for Trial {
        fn sample(&mut self, state: &State, _: &[f64]) -> ControlFlow<()> {
            if self.seen.is_multiple_of(self.every) {
                self.states.push(state.clone());
            }
            self.seen += 1;
            if self.states.len() >= 2 * TRIAL_STATES {
                // Half as many, twice as far apart.
                let mut keep = false;
                self.states.retain(|_| {
                    keep = !keep;
                    keep
                });
                self.every *= 2;
            }
            ControlFlow::Continue(())
        }
    }
    let end = Instant::now() + TRIAL;
    let mut plan = plan.clone();
    (plan.every, plan.watch) = (1, false);
    plan.times.clear();
    plan.stop = Stop::asking(move || Instant::now() >= end);
    let mut trial = Trial { states: Vec::new(), every: 1, seen: 0 };
    // A motion that fails will say so when it is shown.
    let _ = model.run(&plan, &mut trial);
    trial.states
}
