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
mod drive;
mod gather;
mod joined;
mod lifted;
mod methods;
mod on_space;
mod rows;
mod systems;

pub(crate) use body_rows::{TileRows, TileStates, tile_rows};
pub use dispatch::VectorInstructions;
pub(crate) use rows::{Made, RowWriter};

use crate::table::{End, TrajectoryTable};
use gather::lane;
use lieflow::method::Method;
use lieflow::problem::{Lift, Problem};
use lieflow_models::run::{AnyPoint, Model, ModelSystem, Pace, Plan};
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
        states: &[(f64, AnyPoint)],
        detected: Detected<N>,
        table: &mut TrajectoryTable,
    ) -> Option<()> {
        let _ = (packed, states, detected, table);
        None
    }
}

/// A system whose lanes can be filled again one by one, as steps with a tolerance need it.
trait Refilled<N: Number>: InLanes<N>
where
    Packed<Self, N>: Lift<Scalar = N, Over<f64> = Self>,
{
    /// Replaces the state in a lane.
    fn put(states: &mut <Packed<Self, N> as Problem>::Point, lane: usize, state: &Self::Point);
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
        let clock = Instant::now();
        let sampled = drive::drive(&*packed, method.as_mut(), plan, step)?;
        let seconds = clock.elapsed().as_secs_f64() / models.len() as f64;
        let made = Made { steps: sampled.steps, seconds };
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
            P::unpack(packed, y.get(), &mut self.states);
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
