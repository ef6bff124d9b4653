//! One viewer: its clock, its lanes, what it asks for.
//!
//! The clock goes with real time, times a factor. At every tick each lane is sent on to the time of
//! the clock; the clock waits for those that are late. States that come back go to the page, which
//! draws what is between them.
use crate::config::Config;
use crate::lane::{Lane, Order, Report, Sample};
use crate::message::{self, Ask};
use crate::socket::{Gone, Socket};
use crate::speed::{PICTURES, preferred};
use crate::task::{Begin, Pacing, Show, Task, TaskError};
use crate::view::View;
use lieflow_models::method_names::{once_each, worth_trying};
use lieflow_models::problem_file::harmless;
use lieflow_models::run::RunError;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Between two ticks.
const TICK: Duration = Duration::from_nanos((1e9 / PICTURES) as u64);
/// How long a lane may step before it shows what it has.
const BUDGET: Duration = Duration::from_millis(12);
/// Between two looks at the socket.
const NAP: Duration = Duration::from_millis(2);
/// After a break of the machine the motion goes on where it was.
const LONGEST_TICK: f64 = 0.1;
/// Messages that are read before anything else is done.
const AT_ONCE: usize = 64;
/// Single steps that may wait.
const MOST_STEPS: u32 = 100;
/// Slower or faster is of no use.
const SPEEDS: std::ops::RangeInclusive<f64> = 1e-6..=1e6;
/// A body turns no further than this from one state to the next that is shown, in radians.
const TURN: f64 = 0.28;
/// But not more states in a tick than this.
const MOST_STATES: f64 = 8.0;
/// What the clock says.
const CLOCK: f64 = 1.0;

/// A viewer at work.
pub struct Session {
    show: Arc<Show>,
    socket: Socket,
    views: Vec<View>,
    /// What is done, and what is wanted.
    accepted: Config,
    wanted: Config,
    /// Something is wanted: whether it begins anew.
    dirty: Option<bool>,
    playing: bool,
    speed: f64,
    /// The direction of time.
    sign: f64,
    clock: f64,
    /// Where the clock goes when all lanes are there.
    target: f64,
    /// Single steps that were asked for.
    steps: u32,
    /// The first lane makes one step, and the others follow.
    single: bool,
    ticked: Instant,
    /// When the clock was set.
    arrived: Instant,
    /// The factor that is reached.
    factor: f64,
    /// The length of the interval of the file.
    length: f64,
}

impl Session {
    /// Opens the problem for a viewer.
    pub fn new(show: Arc<Show>, socket: Socket) -> Result<Self, (Socket, String)> {
        let config = match Config::of_file(&show) {
            Ok(config) => config,
            Err(error) => return Err((socket, error.to_string())),
        };
        Ok(Self {
            show,
            socket,
            views: Vec::new(),
            accepted: config.clone(),
            wanted: config,
            dirty: Some(true),
            playing: true,
            speed: 1.0,
            sign: 1.0,
            clock: 0.0,
            target: 0.0,
            steps: 0,
            single: false,
            ticked: Instant::now(),
            arrived: Instant::now(),
            factor: 0.0,
            length: 1.0,
        })
    }

    /// Until the viewer is gone, or all are told to go.
    pub fn run(mut self, closing: &AtomicBool) {
        if self.greet().is_err() {
            return;
        }
        while !closing.load(Ordering::Relaxed) {
            if self.round().is_err() {
                return;
            }
            std::thread::sleep(NAP);
        }
        self.socket.close();
    }

    fn round(&mut self) -> Result<(), Gone> {
        for _ in 0..AT_ONCE {
            let Some(text) = self.socket.receive()? else { break };
            match message::read(&text) {
                Ok(ask) => self.hear(ask)?,
                Err(error) => self.complain(&error)?,
            }
        }
        for k in 0..self.views.len() {
            while let Some(report) = self.views.get(k).and_then(|view| view.lane.report()) {
                self.take(k, report)?;
            }
        }
        self.settle()?;
        if self.ticked.elapsed() >= TICK {
            self.tick()?;
        }
        self.socket.flush()
    }

    /// What the page must know to begin with.
    fn greet(&mut self) -> Result<(), Gone> {
        let Ok(prepared) = Task::plain().prepare(&self.show) else { return Err(Gone) };
        self.sign = (prepared.plan.until - prepared.plan.from).signum();
        self.length = (prepared.plan.until - prepared.plan.from).abs();
        self.speed = preferred(self.length, 0.0);
        let cards = prepared.model.methods();
        let mut ids: Vec<&str> = cards.iter().map(|card| card.id).collect();
        let first: Vec<&str> = worth_trying(&ids);
        ids = once_each(&ids);
        let mut methods: Vec<Json> = ids
            .iter()
            .filter_map(|id| cards.iter().find(|card| card.id == *id))
            .map(|card| {
                json!({ "id": card.id, "title": card.title, "family": card.family, "order": card.order,
                        "adaptive": card.keeps_tolerance(), "first": first.contains(&card.id) })
            })
            .collect();
        // Methods without geometry belong to another space of the same system.
        for (card, _) in &lieflow::method::classical::MEMBERS {
            if ids.contains(&card.id) {
                continue;
            }
            let mut plan = prepared.plan.at(card.id, self.accepted.step);
            plan = plan.plain();
            let elsewhere = prepared.model.check(&plan).err();
            if matches!(elsewhere, Some(RunError::NeedsParameter { .. })) {
                methods.push(json!({ "id": card.id, "title": card.title, "family": card.family,
                    "order": card.order, "adaptive": card.keeps_tolerance(), "first": true }));
            }
        }
        let hello = json!({
            "type": "hello", "name": self.show.name, "title": prepared.document.title(),
            "system": prepared.model.system(), "methods": methods, "length": self.length,
            "version": env!("CARGO_PKG_VERSION"),
        });
        self.socket.text(hello.to_string())?;
        self.socket.text(self.accepted.to_json().to_string())
    }

    /// Does what the page asks for.
    fn hear(&mut self, ask: Ask) -> Result<(), Gone> {
        match ask {
            Ask::Play => {
                (self.playing, self.steps) = (true, 0);
                (self.ticked, self.arrived) = (Instant::now(), Instant::now());
                self.factor = self.speed;
                self.send_clock()?;
            }
            Ask::Pause => {
                self.playing = false;
                self.send_clock()?;
            }
            Ask::Step => {
                self.playing = false;
                self.steps = self.steps.saturating_add(1).min(MOST_STEPS);
                self.send_clock()?;
            }
            Ask::Restart => self.want(true),
            Ask::Reset => match Config::of_file(&self.show) {
                Ok(file) => {
                    self.wanted.take_numbers(file);
                    self.want(true);
                }
                Err(error) => self.complain(&error.to_string())?,
            },
            Ask::Speed { factor } if SPEEDS.contains(&factor.abs()) && factor > 0.0 => {
                self.speed = factor;
            }
            Ask::Speed { factor } => {
                let (least, most) = (SPEEDS.start(), SPEEDS.end());
                let text =
                    format!("speed: found {factor}, expected a factor from {least:e} to {most:e}");
                self.complain(&text)?;
            }
            Ask::Set { key, numbers, go_on } => match self.wanted.set(&key, &numbers) {
                Ok(()) => self.want(!go_on),
                Err(error) => self.complain(&error)?,
            },
            Ask::Method { lane, id } => match self.wanted.methods.get_mut(lane) {
                Some(method) => {
                    *method = id;
                    self.want(false);
                }
                None => self.complain(&format!("lane: found {lane}, but there are fewer"))?,
            },
            Ask::Pace { step, tol } => {
                let legal = |x: &f64| *x > 0.0 && x.is_finite();
                match (step, tol) {
                    (Some(step), None) if legal(&step) => {
                        self.wanted.step = step;
                        self.wanted.pacing = Pacing::Step(step);
                        self.want(false);
                    }
                    (None, Some(tol)) if legal(&tol) => {
                        self.wanted.pacing = Pacing::Tolerance(tol);
                        self.want(false);
                    }
                    _ => self.complain(
                        "steps: expected one finite number above zero, a step or a tolerance",
                    )?,
                }
            }
            Ask::Beside { id } => {
                self.wanted.methods.truncate(1);
                self.wanted.methods.extend(id);
                // Both from the same start.
                self.want(true);
            }
        }
        Ok(())
    }

    fn want(&mut self, anew: bool) {
        self.dirty = Some(self.dirty.unwrap_or(false) || anew);
    }

    /// Sets the lanes to what is wanted, once they have taken up what was wanted before.
    fn settle(&mut self) -> Result<(), Gone> {
        if self.dirty.is_none() || self.views.iter().any(|view| view.setting || view.busy) {
            return Ok(());
        }
        let Some(anew) = self.dirty.take() else { return Ok(()) };
        if let Err(error) = self.give_tasks(anew) {
            // Nothing has stopped; the page takes its numbers back.
            self.wanted = self.accepted.clone();
            self.complain(&error)?;
            return self.socket.text(self.accepted.to_json().to_string());
        }
        self.socket.text(self.accepted.to_json().to_string())
    }

    fn give_tasks(&mut self, anew: bool) -> Result<(), String> {
        let words = |error: TaskError| error.to_string();
        let first = self.views.is_empty();
        let nudges = self.wanted.nudges(&self.accepted);
        let rebase = !self.wanted.same_numbers(&self.accepted);
        let tasks = (0..self.wanted.methods.len()).map(|k| {
            // A lane that is not there yet has nowhere to go on.
            let begin = if anew || first { Begin::Anew } else { Begin::Here(nudges.clone()) };
            let trial = (first || self.views.len() <= k) && k == 0;
            self.wanted.task(&self.show, k, begin, trial)
        });
        let tasks: Vec<_> = tasks.collect::<Result<_, _>>().map_err(words)?;
        self.views.truncate(tasks.len());
        for (k, task) in tasks.into_iter().enumerate() {
            if self.views.len() <= k {
                let lane = Lane::start(self.show.clone());
                let lane = lane.map_err(|error| format!("no thread could be started: {error}"))?;
                self.views.push(View::new(lane, k));
            }
            let view = &mut self.views[k];
            view.rebase |= rebase;
            view.setting = view.lane.order(Order::Set(task));
        }
        self.accepted = self.wanted.clone();
        Ok(())
    }

    /// Takes up what a lane says.
    fn take(&mut self, k: usize, report: Report) -> Result<(), Gone> {
        let Some(view) = self.views.get_mut(k) else { return Ok(()) };
        match report {
            Report::Refused(text) => {
                view.setting = false;
                self.complain(&text)
            }
            Report::Began(began) => {
                let opened = k == 0 && !began.trial.is_empty();
                let words = view.begin(&began);
                if k == 0 && (began.anew || opened) {
                    self.clock = began.first.state.t;
                    self.target = self.clock;
                    self.ticked = Instant::now();
                }
                if opened {
                    self.speed = preferred(self.length, view.rate);
                    let speed = json!({ "type": "speed", "factor": self.speed });
                    self.socket.text(speed.to_string())?;
                }
                self.socket.text(words.to_string())?;
                self.send_frames(k, std::slice::from_ref(&began.first))?;
                self.send_clock()
            }
            Report::Advanced(advanced) => {
                let was = view.ended.is_some();
                view.advance(&advanced);
                let ended = view.ended.clone().filter(|_| !was);
                if !advanced.samples.is_empty() {
                    self.send_frames(k, &advanced.samples)?;
                }
                if let Some(reason) = ended {
                    let text = json!({ "type": "ended", "lane": k, "text": harmless(&reason) });
                    self.socket.text(text.to_string())?;
                }
                if self.views.iter().all(|view| !view.busy) {
                    self.arrive()?;
                }
                Ok(())
            }
        }
    }

    /// All lanes have answered: the clock goes on as far as they are.
    fn arrive(&mut self) -> Result<(), Gone> {
        let before = self.clock;
        if self.single {
            self.single = false;
            self.clock = self.views.first().map_or(self.clock, |view| view.reached);
            self.target = self.clock;
            for view in self.views.iter_mut().skip(1).filter(|view| view.ended.is_none()) {
                view.busy = view.lane.order(advance(self.clock, u64::MAX, 1));
            }
        } else {
            let going = self.views.iter().filter(|view| view.ended.is_none());
            let least = going.map(|view| view.reached * self.sign).fold(f64::INFINITY, f64::min);
            self.clock = (self.target * self.sign).min(least) * self.sign;
            if !least.is_finite() {
                self.playing = false;
                self.clock = self.views.first().map_or(before, |view| view.reached);
            }
        }
        let real = self.arrived.elapsed().as_secs_f64().max(1e-4);
        self.arrived = Instant::now();
        self.factor += 0.1 * ((self.clock - before) * self.sign / real - self.factor);
        self.send_clock()
    }

    /// Sends the lanes on.
    fn tick(&mut self) -> Result<(), Gone> {
        let waiting = self.views.iter().any(|view| view.busy || view.setting);
        if waiting || self.views.is_empty() || self.dirty.is_some() {
            return Ok(());
        }
        let dt = self.ticked.elapsed().as_secs_f64();
        self.ticked = Instant::now();
        if self.steps > 0 {
            self.steps -= 1;
            let Some(view) = self.views.first_mut().filter(|view| view.ended.is_none()) else {
                return Ok(());
            };
            // Steps may be longer than what was shown: then the end of the last one is next.
            let ahead = (view.reached - self.clock) * self.sign > 0.0;
            let steps = if ahead { 0 } else { 1 };
            view.busy = view.lane.order(advance(f64::INFINITY * self.sign, steps, 1));
            self.single = view.busy;
            return Ok(());
        }
        if !self.playing {
            self.factor = 0.0;
            return Ok(());
        }
        // The page is drawn no faster than it takes what is sent.
        if !self.socket.is_free() {
            return Ok(());
        }
        let by = self.speed * dt.min(LONGEST_TICK);
        self.target = self.clock + by * self.sign;
        let rate = self.views.iter().map(|view| view.rate).fold(0.0, f64::max);
        let keep = (rate * by / TURN).ceil().clamp(1.0, MOST_STATES) as usize;
        for view in self.views.iter_mut().filter(|view| view.ended.is_none()) {
            view.busy = view.lane.order(advance(self.target, u64::MAX, keep));
        }
        if self.views.iter().all(|view| view.ended.is_some()) {
            self.playing = false;
            self.send_clock()?;
        }
        Ok(())
    }

    fn send_frames(&mut self, k: usize, samples: &[Sample]) -> Result<(), Gone> {
        let Some(view) = self.views.get_mut(k) else { return Ok(()) };
        let (layout, numbers) = view.frames(samples);
        if let Some(layout) = layout {
            self.socket.text(layout.to_string())?;
        }
        self.socket.numbers(&numbers)
    }

    /// `1, clock, factor, playing, speed`, then for each lane `reached, steps, step, ended`.
    fn send_clock(&mut self) -> Result<(), Gone> {
        let mut out = vec![CLOCK, self.clock, self.factor];
        out.extend([f64::from(u8::from(self.playing)), self.speed]);
        for view in &self.views {
            let ended = f64::from(u8::from(view.ended.is_some()));
            out.extend([view.reached, view.steps as f64, view.step, ended]);
        }
        self.socket.numbers(&out)
    }

    /// Says on the page what cannot be done.
    fn complain(&mut self, text: &str) -> Result<(), Gone> {
        self.socket.text(json!({ "type": "error", "text": harmless(text) }).to_string())
    }
}

fn advance(to: f64, steps: u64, keep: usize) -> Order {
    Order::Advance { to, steps, keep, budget: BUDGET }
}
