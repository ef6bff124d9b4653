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
use super::dispatch::{Detected, Number};
use super::gather::{ROOM, lane};
use super::rows::{Made, RowWriter};
use super::{BlockRunner, Packed, Refilled, items_of, methods};
use crate::table::TrajectoryTable;
use crate::trajectory::integrate;
use lieflow::method::rkmk::{FirstStage, InExponential, LaneStep};
use lieflow::method::{InlineMethod, Step, StepError};
use lieflow::problem::{FieldOf, GroupOf, Lift, Problem};
use lieflow::stepping::{Adaptive, Control, RESTORED_EVERY, Stride, Verdict};
use lieflow_models::run::{Attention, Model, ModelSystem, Plan};
use std::mem::swap;
use std::time::Instant;

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
        let paths = Flock::<P, N>::new(&items, plan, self.detected)?.run()?;
        let seconds = clock.elapsed().as_secs_f64() / items.len() as f64;
        for (model, path) in models.iter().zip(paths) {
            let written = path.and_then(|Path { steps, states }| {
                let states = plan.times.iter().copied().zip(states);
                self.writer.write(*model, plan, states, Made { steps, seconds }, table)
            });
            if written.is_none() {
                integrate(*model, plan, table);
            }
        }
        Some(())
    }
}

/// What a trajectory has come to.
struct Path<Y> {
    /// Accepted steps.
    steps: u64,
    /// The states at the first times of the plan.
    states: Vec<Y>,
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
}

/// All lanes, and the trajectories of a block that wait for one.
struct Flock<'a, P: Refilled<N>, N: Number>
where
    Packed<P, N>: Lift<Scalar = N, Over<f64> = P>,
{
    items: &'a [&'a P],
    plan: &'a Plan,
    detected: Detected<N>,
    /// The control of a trajectory that begins.
    control: Adaptive,
    lanes: Vec<Lane>,
    /// The trajectories so far; none where one has to be run alone.
    paths: Vec<Option<Path<P::Point>>>,
    packed: Packed<P, N>,
    method: InExponential<Packed<P, N>>,
    /// The states, and where a trial leads.
    y: <Packed<P, N> as Problem>::Point,
    end: <Packed<P, N> as Problem>::Point,
    /// Looks inside the step of a lane.
    inside: InExponential<P>,
    /// Work space for one lane.
    part: FieldOf<P>,
}

impl<'a, P: Refilled<N>, N: Number> Flock<'a, P, N>
where
    Packed<P, N>: Lift<Scalar = N, Over<f64> = P>,
{
    fn new(items: &'a [&'a P], plan: &'a Plan, detected: Detected<N>) -> Option<Self> {
        let (mut control, step, table) = methods::adaptive(plan)?;
        control.begin((plan.from, plan.until), step).ok()?;
        let first = items.first()?;
        let idle = |k: usize| Lane {
            trajectory: None,
            system: k.min(items.len() - 1),
            control: control.clone(),
            stride: Stride { t: plan.from, h: 0.0, end: plan.from },
            follows: false,
        };
        let lanes: Vec<Lane> = (0..N::LANES).map(idle).collect();
        let systems: Vec<&P> = lanes.iter().map(|lane| items[lane.system]).collect();
        let packed = P::pack(&systems)?;
        let y = packed.start();
        let end = y.clone();
        let part = first.field(plan.from, &first.start());
        Some(Self {
            items,
            plan,
            detected,
            control,
            lanes,
            paths: Vec::with_capacity(items.len()),
            packed,
            method: InExponential::new(table),
            y,
            end,
            inside: InExponential::new(table),
            part,
        })
    }

    /// Runs all trajectories, or none if they do not fit together.
    fn run(mut self) -> Option<Vec<Option<Path<P::Point>>>> {
        let attention = Attention::new(&self.plan.stop);
        while self.propose()? {
            if attention.asked() {
                return None;
            }
            let (errors, failed) = self.try_all()?;
            self.judge(errors, failed);
        }
        Some(self.paths)
    }

    /// The next trial of every lane; whether there is any.
    fn propose(&mut self) -> Option<bool> {
        let (mut begun, mut idle) = (0_u32, 0_u32);
        for k in 0..N::LANES {
            let was_idle = self.lanes[k].trajectory.is_none();
            loop {
                let lane = &mut self.lanes[k];
                let Some(i) = lane.trajectory else {
                    if self.paths.len() == self.items.len() {
                        lane.stride.h = 0.0;
                        idle |= u32::from(!was_idle) << k;
                        break;
                    }
                    self.begin(k);
                    begun |= 1 << k;
                    continue;
                };
                let steps = self.paths[i].as_ref().map_or(0, |path| path.steps);
                match lane.control.propose() {
                    Ok(Some(stride)) if steps < self.plan.max_steps => {
                        lane.stride = stride;
                        break;
                    }
                    Ok(None) => lane.trajectory = None,
                    _ => self.leave(k),
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
        let mut states = Vec::with_capacity(self.plan.times.len());
        if self.plan.times.first() == Some(&self.plan.from) {
            states.push(self.items[i].start());
        }
        self.paths.push(Some(Path { steps: 0, states }));
        let (control, stride) = (self.control.clone(), self.lanes[k].stride);
        self.lanes[k] = Lane { trajectory: Some(i), system: i, control, stride, follows: false };
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
        for k in 0..N::LANES {
            if idle >> k & 1 == 1 {
                self.lanes[k].system = self.lanes[some].system;
            }
        }
        let systems: Vec<&P> = self.lanes.iter().map(|lane| self.items[lane.system]).collect();
        self.packed = P::pack(&systems)?;
        for k in 0..N::LANES {
            if begun >> k & 1 == 1 {
                P::put(&mut self.y, k, &systems[k].start());
            }
        }
        for k in 0..N::LANES {
            if idle >> k & 1 == 1 {
                self.lanes[k].follows = false;
                let state = self.packed.lift_point(&self.y, lane(some));
                P::put(&mut self.y, k, &state);
            }
        }
        Some(())
    }

    /// Makes a trial in all lanes; the estimates of their errors, and the bits of those where it failed. Nothing if
    /// it cannot even be made without them.
    fn try_all(&mut self) -> Option<(N, u32)> {
        let [mut t, mut h, mut follows] = [[0.0; ROOM]; 3];
        for (k, lane) in self.lanes.iter().enumerate() {
            (t[k], h[k]) = (lane.stride.t, lane.stride.h);
            follows[k] = f64::from(u8::from(lane.follows));
        }
        let mut first = FirstStage::Follows(N::read_lanes(&follows));
        let mut failed = 0;
        loop {
            let (p, y) = (&mut self.packed, &self.y);
            let step = LaneStep { p, t: N::read_lanes(&t), h: N::read_lanes(&h), y, first };
            let made = N::step_lanes(self.detected, &mut self.method, step, &mut self.end);
            if let Some(errors) = made {
                return Some((errors, failed));
            }
            let before = failed;
            for (k, h) in h.iter_mut().enumerate().take(N::LANES) {
                if self.method.is_outside::<GroupOf<P>>(k, &mut self.part) {
                    // Not even where it stands.
                    if *h == 0.0 {
                        return None;
                    }
                    *h = 0.0;
                    failed |= 1 << k;
                }
            }
            if failed == before {
                return None;
            }
            first = FirstStage::Again;
        }
    }

    /// Judges the trials, and moves on where they are accepted.
    fn judge(&mut self, errors: N, failed: u32) {
        let [mut e, mut first, mut second] = [[0.5; ROOM]; 3];
        errors.write_lanes(&mut e);
        for (k, lane) in self.lanes.iter().enumerate() {
            // The errors of the others may be none, and have no logarithms.
            if lane.trajectory.is_some() && failed >> k & 1 == 0 {
                [first[k], second[k]] = lane.control.bases(e[k]);
            }
        }
        // All lanes at once: beside a step in lanes, powers of single numbers would cost much.
        let raise = |bases: &mut [f64; ROOM], exponent: f64| {
            N::power(self.detected, N::read_lanes(bases), exponent).write_lanes(bases);
        };
        let [a, b] = self.control.exponents();
        raise(&mut first, a);
        if b != 0.0 {
            raise(&mut second, b);
        }
        for k in 0..N::LANES {
            let Some(i) = self.lanes[k].trajectory else { continue };
            let trial = match failed >> k & 1 {
                0 => Ok(Some(e[k])),
                _ => Err(StepError::NotFinite { what: "a step of several trajectories" }),
            };
            let lane = &mut self.lanes[k];
            let verdict = lane.control.judge_with(&lane.stride, trial, [first[k], second[k]]);
            lane.follows = verdict == Ok(Verdict::Accept);
            if lane.follows {
                if self.accept(k, i).is_none() {
                    self.leave(k);
                }
                continue;
            }
            let state = self.packed.lift_point(&self.y, super::gather::lane(k));
            P::put(&mut self.end, k, &state);
            if verdict.is_err() {
                self.leave(k);
            }
        }
        swap(&mut self.y, &mut self.end);
    }

    /// The trial of a lane is a step of its trajectory, whose states are kept at the times of the plan.
    fn accept(&mut self, k: usize, i: usize) -> Option<()> {
        let path = self.paths[i].as_mut()?;
        let item = self.items[i];
        path.steps += 1;
        if path.steps.is_multiple_of(RESTORED_EVERY) {
            let mut state = self.packed.lift_point(&self.end, lane(k));
            item.restore(&mut state);
            P::put(&mut self.end, k, &state);
        }
        let Stride { t: from, h, end: to } = self.lanes[k].stride;
        let direction = (self.plan.until - self.plan.from).signum();
        let mut ends = None;
        while let Some(time) = self.plan.times.get(path.states.len())
            && (to - time) * direction >= 0.0
        {
            let (start, end) = ends.get_or_insert_with(|| {
                let start = self.packed.lift_point(&self.y, lane(k));
                let step = Step::new(item, from, h, &start);
                self.inside.remember_lane(&self.method, k, step);
                (start, self.packed.lift_point(&self.end, lane(k)))
            });
            let mut state = end.clone();
            if *time == from {
                state = start.clone();
            } else if *time != to {
                let theta = (time - from) / h;
                let place = Step::new(item, from, h, start).inside(end, theta);
                self.inside.interpolate_inline(place, &mut state)?.ok()?;
            }
            path.states.push(state);
        }
        Some(())
    }
}
