//! Several trajectories side by side, one per lane of a vector.
//!
//! The methods are generic over their numbers, and some `f64` side by side are one of them: eight
//! with AVX2, sixteen with AVX-512. What a system needs to run in lanes is in its file here: how
//! several of it become one (`InLanes::pack`) and which engines are compiled for it. Every lane gives the bits of a run alone; where a block of lanes
//! fails, its trajectories are run alone, so that only those fail that must. With fixed steps all lanes keep the same
//! time; with a tolerance each has its own (`adaptive`).
mod adaptive;
mod body_rows;
mod dispatch;
mod gather;
mod methods;
mod rows;
mod systems;

pub(crate) use body_rows::{TileInputs, TileStates, TileWays, tile_ways};
pub use dispatch::VectorInstructions;
pub(crate) use rows::{Made, RowWriter};

use crate::table::{End, TrajectoryTable};
use gather::lane;
use lieflow::method::Method;
use lieflow::problem::{Lift, Problem};
use lieflow::stepping::{Control, EvenSteps, Fixed, Observer, ObserverResult, Passage, Run};
use lieflow_models::run::{Attention, Model, ModelSystem, Pace, Plan};
use std::ops::ControlFlow;
use std::time::Instant;

use dispatch::{Detected, DispatchTask, Number};

/// The system over lanes.
type Packed<P, N> = <P as Lift>::Over<N>;

/// A system that can run in lanes.
trait InLanes<N: Number>: ModelSystem + Lift<Scalar = f64>
where
    Packed<Self, N>: Lift<Scalar = N, Over<f64> = Self>,
{
    /// Systems side by side, as many as there are lanes, if they differ in their numbers only.
    fn pack(items: &[&Self]) -> Option<Packed<Self, N>>;
    /// The method of a plan with fixed steps, if it is compiled for lanes.
    fn method(plan: &Plan, detected: Detected<N>) -> Option<Box<dyn Method<Packed<Self, N>>>>;
    /// Replaces the state in a lane.
    fn put(states: &mut <Packed<Self, N> as Problem>::Point, lane: usize, state: &Self::Point);
    /// Replaces systems side by side by others that differ from them in their initial states only.
    fn restart(packed: &mut Packed<Self, N>, items: &[&Self]) -> Option<()> {
        *packed = Self::pack(items)?;
        Some(())
    }
    /// Appends the states of all lanes.
    fn unpack(
        packed: &Packed<Self, N>,
        states: &<Packed<Self, N> as Problem>::Point,
        out: &mut Vec<Self::Point>,
    ) {
        out.extend((0..N::LANES).map(|k| packed.lift_point(states, lane(k))));
    }
    /// Writes the rows of all lanes at once, with the invariants of the table, from the states at its times, if it can
    /// and all is well.
    fn write_rows(
        packed: &Packed<Self, N>,
        states: &[(f64, <Packed<Self, N> as Problem>::Point)],
        detected: Detected<N>,
        table: &mut TrajectoryTable,
    ) -> Option<()> {
        let _ = (packed, states, detected, table);
        None
    }
}

/// Runs blocks of systems, one after the other.
pub trait BlockRunner: Send {
    /// Runs a block into an empty table, or declines; the table is of no use then.
    fn run(
        &mut self,
        models: &[&dyn Model],
        plan: &Plan,
        table: &mut TrajectoryTable,
    ) -> Option<()>;
}

/// How systems run in lanes.
pub struct LaneRunner {
    begin: Box<dyn Fn() -> Box<dyn BlockRunner> + Send + Sync>,
    /// Whether a lane goes on with another trajectory of the block when one has ended: a block has as many as
    /// there are lanes otherwise.
    pub refills: bool,
}

impl LaneRunner {
    /// What runs the blocks of one thread.
    pub fn begin(&self) -> Box<dyn BlockRunner> {
        (self.begin)()
    }
}

/// How systems like this one run in lanes under this plan, if they do.
pub fn lane_runner(
    model: &dyn Model,
    plan: &Plan,
    vectors: VectorInstructions,
) -> Option<LaneRunner> {
    struct Find<'a>(&'a dyn Model, &'a Plan);
    impl DispatchTask for Find<'_> {
        type Output = Option<LaneRunner>;
        fn with<N: Number>(self, detected: Detected<N>) -> Self::Output {
            systems::find::<N>(self.0, self.1, detected)
        }
    }
    // Fixed steps are all made at once, and nobody counts them.
    let counted = matches!(plan.pace, Pace::Fixed { .. }) && plan.max_steps < u64::MAX;
    // Each lane would have to end at its own event.
    let events = !model.watchlist().events().is_empty();
    let alone = events || counted || plan.polar.is_some() || plan.options.compensated;
    if alone || plan.extras != Default::default() {
        return None;
    }
    vectors.dispatch(Find(model, plan))
}

/// Runs systems of type `P` with fixed steps, as many as there are lanes at most.
struct FixedSteps<P: InLanes<N>, N: Number>
where
    Packed<P, N>: Lift<Scalar = N, Over<f64> = P>,
{
    detected: Detected<N>,
    /// The systems of the last block.
    packed: Option<Packed<P, N>>,
    writer: RowWriter<P>,
    /// The states of all lanes at the first time, then at the next.
    states: Vec<P::Point>,
}

impl<P: InLanes<N>, N: Number> FixedSteps<P, N>
where
    Packed<P, N>: Lift<Scalar = N, Over<f64> = P>,
{
    fn new(detected: Detected<N>) -> Self {
        Self { detected, packed: None, writer: RowWriter::new(), states: Vec::new() }
    }
}

impl<P: InLanes<N>, N: Number> BlockRunner for FixedSteps<P, N>
where
    Packed<P, N>: Lift<Scalar = N, Over<f64> = P> + Send,
    P::Point: Send,
{
    fn run(
        &mut self,
        models: &[&dyn Model],
        plan: &Plan,
        table: &mut TrajectoryTable,
    ) -> Option<()> {
        let Pace::Fixed { step } = plan.pace else { return None };
        let items = items_of::<P>(models)?;
        let last = *items.last()?;
        // A block at the end may be short: its last system fills it.
        let mut all = items;
        all.resize(N::LANES, last);
        let packed = match &mut self.packed {
            Some(packed) if table.shape.alike => {
                P::restart(packed, &all)?;
                packed
            }
            packed => packed.insert(P::pack(&all)?),
        };
        let mut method = P::method(plan, self.detected)?;
        let points = Vec::with_capacity(plan.times.len());
        let (times, attention) = (plan.times.as_slice(), Attention::new(&plan.stop));
        let mut sampled = SampledStates::<P, N> { times, until: plan.until, points, attention };
        let mut control = Fixed::new();
        let step = step.copysign(plan.until - plan.from);
        let clock = Instant::now();
        let end = Run::new(&*packed, (plan.from, plan.until), step).drive(
            method.as_mut(),
            &mut control as &mut dyn Control,
            &mut sampled,
        );
        let seconds = clock.elapsed().as_secs_f64() / models.len() as f64;
        let made = Made { steps: end.ok()?.steps, seconds };
        let unwatched = models.iter().all(|model| model.watchlist().is_empty());
        if unwatched
            && table.shape.alike
            && P::write_rows(packed, &sampled.points, self.detected, table).is_some()
        {
            let end = End { rows: sampled.points.len(), steps: made.steps, seconds, failure: None };
            table.ends.resize(models.len(), end);
            return Some(());
        }
        self.states.clear();
        for (_, y) in &sampled.points {
            P::unpack(packed, y, &mut self.states);
        }
        for (k, model) in models.iter().enumerate() {
            let own = self.states.iter().skip(k).step_by(N::LANES);
            let states = sampled.points.iter().map(|(t, _)| *t).zip(own.cloned());
            self.writer.write(*model, plan, states, made, table)?;
        }
        Some(())
    }
}

/// The systems of a block, if all are of this type.
fn items_of<'m, P: ModelSystem>(models: &[&'m dyn Model]) -> Option<Vec<&'m P>> {
    models.iter().map(|model| model.as_any().downcast_ref::<P>()).collect()
}

/// The states of all lanes at the times of the plan.
struct SampledStates<'a, P: InLanes<N>, N: Number>
where
    Packed<P, N>: Lift<Scalar = N, Over<f64> = P>,
{
    /// The times that are still to come.
    times: &'a [f64],
    until: f64,
    points: Vec<(f64, <Packed<P, N> as Problem>::Point)>,
    attention: Attention<'a>,
}

impl<P: InLanes<N>, N: Number> Observer<Packed<P, N>> for SampledStates<'_, P, N>
where
    Packed<P, N>: Lift<Scalar = N, Over<f64> = P>,
{
    fn begin(
        &mut self,
        _: &Packed<P, N>,
        (from, _): (f64, f64),
        y: &<Packed<P, N> as Problem>::Point,
    ) -> ObserverResult {
        if self.times.first() == Some(&from) {
            self.times = &self.times[1..];
            self.points.push((from, y.clone()));
        }
        Ok(ControlFlow::Continue(()))
    }

    fn unobserved(&self, _: u64, steps: &EvenSteps) -> u64 {
        self.attention.bound(match self.times {
            [] => steps.count,
            // The state at the end is seen there.
            [time] if *time == self.until => steps.count,
            [time, ..] => steps.before(*time),
        })
    }

    fn end(&mut self, _: &Packed<P, N>, t: f64, y: &<Packed<P, N> as Problem>::Point) {
        if self.times == [t] && t == self.until {
            self.times = &[];
            self.points.push((t, y.clone()));
        }
    }

    fn see(&mut self, passage: &mut Passage<'_, Packed<P, N>>) -> ObserverResult {
        if self.attention.asked() {
            return Ok(ControlFlow::Break(()));
        }
        let forth = passage.to > passage.from;
        while let [time, rest @ ..] = self.times
            && (if forth { *time <= passage.to } else { *time >= passage.to })
        {
            let mut y = passage.end.clone();
            passage.at(*time, &mut y)?;
            self.times = rest;
            self.points.push((*time, y));
        }
        Ok(ControlFlow::Continue(()))
    }
}
