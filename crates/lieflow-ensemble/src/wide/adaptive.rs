//! Adaptive steps side by side.
//!
//! Every lane has a trajectory with its own time, step and control. All make a trial at once; each is
//! judged by its own estimate, as in a run alone, and a lane whose trial is rejected keeps its state and
//! tries again while the others go on. A lane whose trajectory has ended takes up the next of the
//! block; when there is none, it repeats the state of another without moving.
//!
//! What a trial cannot do in some lane, because it turns too far or meets numbers that are not
//! finite, it does for the others once more without that lane, so that no lane computes beside nonsense. A
//! trajectory that fails is run alone, which says why.
//!
//! Who has which trajectory, and who is judged how, is compiled once for all systems; what lanes hold is in [`seats`].
use super::dispatch::{Detected, Number};
use super::gather::ROOM;
use super::rows::{Made, RowWriter};
use super::{BlockRunner, Packed, Refilled, items_of, methods};
use crate::table::TrajectoryTable;
use crate::trajectory::integrate;
use lieflow::method::StepError;
use lieflow::problem::Lift;
use lieflow::stepping::{Adaptive, Control, RESTORED_EVERY, Stride};
use lieflow_models::run::{Attention, Model, ModelSystem, Plan};
use seats::{Seats, SeatsOf};
use std::time::Instant;

mod seats;

/// Runs blocks of any length with a tolerance.
pub struct WithTolerance<P: ModelSystem, N: Number> {
    pub detected: Detected<N>,
    pub writer: RowWriter<P>,
}

impl<P: Refilled<N>, N: Number> BlockRunner for WithTolerance<P, N>
where
    Packed<P, N>: Lift<Scalar = N, Over<f64> = P>,
{
    fn run(
        &mut self,
        models: &[&dyn Model],
        plan: &Plan,
        table: &mut TrajectoryTable,
    ) -> Option<()> {
        let items = items_of::<P>(models)?;
        let clock = Instant::now();
        let (control, step, tableau) = methods::adaptive(plan)?;
        let mut seats =
            SeatsOf::<P, N>::new((&items, table.shape.alike), plan, tableau, self.detected)?;
        let paths = Flock::new(plan, (control, step), N::LANES, items.len(), &mut seats)?.run()?;
        let seconds = clock.elapsed().as_secs_f64() / items.len() as f64;
        for ((model, steps), states) in models.iter().zip(paths).zip(seats.states) {
            let written = steps.and_then(|steps| {
                let mut states = plan.times.iter().copied().zip(states);
                self.writer.write(*model, plan, &mut states, Made { steps, seconds }, table)
            });
            if written.is_none() {
                integrate(*model, plan, table);
            }
        }
        Some(())
    }
}

/// A lane and the trajectory in it.
struct Lane {
    /// The trajectory, by its place in the block; none if the lane idles.
    trajectory: Option<usize>,
    /// The place of the system whose numbers it has.
    system: usize,
    control: Adaptive,
    /// The trial.
    stride: Stride,
    /// Whether the state is the end of the last trial.
    follows: bool,
    /// Accepted steps.
    steps: u64,
    /// The next time of the plan at which its state is kept; beyond all if there is none.
    due: f64,
}

/// Accepted steps of the trajectories that have ended; none where one has to be run alone.
type Paths = Vec<Option<u64>>;

/// All lanes, and the trajectories of a block that wait for one.
struct Flock<'a> {
    plan: &'a Plan,
    /// How many trajectories the block has.
    count: usize,
    /// The control of a trajectory that begins.
    control: Adaptive,
    lanes: Vec<Lane>,
    paths: Paths,
    seats: &'a mut dyn Seats,
}

impl<'a> Flock<'a> {
    fn new(
        plan: &'a Plan,
        (mut control, step): (Adaptive, f64),
        lanes: usize,
        count: usize,
        seats: &'a mut dyn Seats,
    ) -> Option<Self> {
        control.begin((plan.from, plan.until), step).ok()?;
        let idle = |k: usize| Lane {
            trajectory: None,
            system: k.min(count - 1),
            control: control.clone(),
            stride: Stride { t: plan.from, h: 0.0, end: plan.from },
            follows: false,
            steps: 0,
            due: f64::INFINITY,
        };
        let lanes: Vec<Lane> = (0..lanes).map(idle).collect();
        Some(Self { plan, count, control, lanes, paths: Vec::with_capacity(count), seats })
    }

    /// Runs all trajectories, or none if they do not fit together.
    fn run(mut self) -> Option<Paths> {
        let attention = Attention::new(&self.plan.stop);
        while self.propose()? {
            if attention.asked() {
                return None;
            }
            let [mut t, mut h, mut follows] = [[0.0; ROOM]; 3];
            for (k, lane) in self.lanes.iter().enumerate() {
                (t[k], h[k]) = (lane.stride.t, lane.stride.h);
                follows[k] = f64::from(u8::from(lane.follows));
            }
            let (errors, failed) = self.seats.attempt(&t, &mut h, &follows)?;
            self.judge(errors, failed);
        }
        Some(self.paths)
    }

    /// The next trial of every lane; whether there is any.
    fn propose(&mut self) -> Option<bool> {
        let (mut begun, mut idle) = (0_u32, 0_u32);
        for k in 0..self.lanes.len() {
            let was_idle = self.lanes[k].trajectory.is_none();
            loop {
                let lane = &mut self.lanes[k];
                let Some(i) = lane.trajectory else {
                    if self.paths.len() == self.count {
                        lane.stride.h = 0.0;
                        idle |= u32::from(!was_idle) << k;
                        break;
                    }
                    self.begin(k);
                    begun |= 1 << k;
                    continue;
                };
                match lane.control.next_stride() {
                    Some(stride) if lane.steps < self.plan.max_steps => {
                        lane.stride = stride;
                        break;
                    }
                    Some(_) => self.leave(k),
                    None => {
                        lane.trajectory = None;
                        self.paths[i] = Some(lane.steps);
                    }
                }
            }
        }
        let Some(some) = self.lanes.iter().position(|lane| lane.trajectory.is_some()) else {
            return Some(false);
        };
        if begun | idle != 0 {
            self.fill(begun, idle, some)?;
        }
        Some(true)
    }

    /// The next trajectory of the block begins in a lane.
    fn begin(&mut self, k: usize) {
        let i = self.paths.len();
        let observed = self.plan.times.first() == Some(&self.plan.from);
        self.seats.begin(observed, self.plan.times.len());
        self.paths.push(None);
        let (control, stride) = (self.control.clone(), self.lanes[k].stride);
        let due = self.due(usize::from(observed));
        let (trajectory, system, follows, steps) = (Some(i), i, false, 0);
        self.lanes[k] = Lane { trajectory, system, control, stride, follows, steps, due };
    }

    /// The time of the plan with this number, or what is beyond all.
    fn due(&self, number: usize) -> f64 {
        let Plan { from, until, times, .. } = self.plan;
        times.get(number).copied().unwrap_or(f64::INFINITY.copysign(until - from))
    }

    /// The trajectory of a lane has to be run alone.
    fn leave(&mut self, k: usize) {
        if let Some(i) = self.lanes[k].trajectory.take() {
            self.paths[i] = None;
        }
    }

    /// Puts systems and states into the lanes of these bits: those where one has begun, and those that
    /// will idle, beside `some` lane that does not.
    fn fill(&mut self, begun: u32, idle: u32, some: usize) -> Option<()> {
        let other = self.lanes[some].system;
        for (k, lane) in self.lanes.iter_mut().enumerate() {
            if idle >> k & 1 == 1 {
                (lane.system, lane.follows) = (other, false);
            }
        }
        let mut systems = [0; ROOM];
        for (system, lane) in systems.iter_mut().zip(&self.lanes) {
            *system = lane.system;
        }
        self.seats.fill(&systems[..self.lanes.len()], begun, idle, some)
    }

    /// Judges the trials, and moves on where they are accepted.
    fn judge(&mut self, e: [f64; ROOM], failed: u32) {
        let [mut first, mut second] = [[0.5; ROOM]; 2];
        for (k, lane) in self.lanes.iter().enumerate() {
            // The errors of the others may be none, and have no logarithms.
            if lane.trajectory.is_some() && failed >> k & 1 == 0 {
                [first[k], second[k]] = lane.control.bases(e[k]);
            }
        }
        // All lanes at once: beside a step in lanes, powers of single numbers would cost much.
        let [a, b] = self.control.exponents();
        self.seats.raise(&mut first, a);
        if b != 0.0 {
            self.seats.raise(&mut second, b);
        }
        let forth = self.plan.until > self.plan.from;
        for k in 0..self.lanes.len() {
            let lane = &mut self.lanes[k];
            let Some(i) = lane.trajectory else { continue };
            let fails = failed >> k & 1 == 1;
            lane.follows = !fails && lane.control.accepts(e[k]);
            if !lane.follows {
                self.reject(k, (!fails).then_some(e[k]));
                continue;
            }
            lane.control.accept_with(&lane.stride, e[k], [first[k], second[k]]);
            lane.steps += 1;
            if lane.steps.is_multiple_of(RESTORED_EVERY) {
                self.seats.restore(k, i);
            }
            let (end, due) = (lane.stride.end, lane.due);
            let reached = if forth { end >= due } else { end <= due };
            if reached {
                self.keep(k, i);
            }
        }
        self.seats.move_on();
    }

    /// The trial of a lane is not accepted, with this estimate or none.
    #[cold]
    fn reject(&mut self, k: usize, e: Option<f64>) {
        self.seats.stay(k);
        let failure = StepError::NotFinite { what: "a step of several trajectories" };
        let lane = &mut self.lanes[k];
        if lane.control.judge(&lane.stride, e.map(Some).ok_or(failure)).is_err() {
            self.leave(k);
        }
    }

    /// Keeps the states of trajectory `i`, in lane `k`, at the times of the plan that its step has reached.
    fn keep(&mut self, k: usize, i: usize) {
        match self.seats.keep(k, i, &self.lanes[k].stride) {
            Some(kept) => self.lanes[k].due = self.due(kept),
            None => self.leave(k),
        }
    }
}
