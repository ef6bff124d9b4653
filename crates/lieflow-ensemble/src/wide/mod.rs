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
mod lane_field;
mod lifted;
mod methods;
mod rows;
mod systems;
mod tables;

pub(crate) use body_rows::{Inputs, TileStarts, TileStates, TileWays, motions, tile_ways};
pub use dispatch::VectorInstructions;
pub(crate) use rows::{Made, RowWriter};

use crate::table::TrajectoryTable;
use gather::lane;
use lieflow::method::Method;
use lieflow::problem::{Generator, Lift, Problem};
use lieflow_models::run::{Model, ModelSystem, Pace, Plan};
use lieflow_models::system::rigid_body::MotionKey;

use dispatch::{Detected, DispatchTask, Number};

/// The system over lanes.
type Packed<P, N> = <P as Lift>::Over<N>;

/// A system that can run in lanes.
trait InLanes<N: Number>: ModelSystem + Lift<Scalar = f64>
where
    Packed<Self, N>: Lift<Scalar = N, Over<f64> = Self>,
{
    /// Whether [`InLanes::write_rows`] is written. The loop over the steps then is compiled for the states as they are: where
    /// trajectories are a few steps long, memory for each would be felt. That of the others is compiled once for all.
    const WRITES_ROWS: bool = false;

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
    /// and all is well; the lanes are the trajectories of the table from the `first` on.
    fn write_rows(
        packed: &Packed<Self, N>,
        states: &[(f64, <Packed<Self, N> as Problem>::Point)],
        detected: Detected<N>,
        table: &mut TrajectoryTable,
        first: usize,
    ) -> Option<()> {
        let _ = (packed, states, detected, table, first);
        None
    }
    /// Gives systems side by side the motions of a block, from its `first` trajectory on, as their initial ones, if it
    /// can.
    fn restart_from(
        packed: &mut Packed<Self, N>,
        keys: &[MotionKey],
        inputs: Inputs<'_>,
        first: usize,
        detected: Detected<N>,
    ) -> Option<()> {
        let _ = (packed, keys, inputs, first, detected);
        None
    }
}

/// A system whose lanes can be filled again one by one, as steps with a tolerance need it.
trait Refilled<N: Number>: InLanes<N>
where
    Packed<Self, N>: Lift<Scalar = N, Over<f64> = Self>,
{
    /// What the engine is compiled for.
    type Field: Generator<
            Space = <Packed<Self, N> as Generator>::Space,
            Point = <Packed<Self, N> as Problem>::Point,
        > + 'static;
    /// It, from systems side by side.
    fn field_of(packed: &Packed<Self, N>) -> Self::Field;
    /// Replaces the state in a lane.
    fn put(states: &mut <Packed<Self, N> as Problem>::Point, lane: usize, state: &Self::Point);
}

/// [`Refilled`] by the field of the system, in an engine for its space: whether its short cuts are taken, and what
/// replaces the state in a lane.
macro_rules! refilled {
    ($($system:ty: $short_cuts:literal, $put:expr;)*) => {
        $(impl<N: Number> Refilled<N> for $system {
            type Field = LaneField<<Packed<Self, N> as lieflow::problem::Generator>::Space, $short_cuts>;
            fn field_of(packed: &Packed<Self, N>) -> Self::Field {
                LaneField::of(packed)
            }
            fn put(
                states: &mut <Packed<Self, N> as lieflow::problem::Problem>::Point,
                lane: usize,
                state: &Self::Point,
            ) {
                $put(states, lane, state);
            }
        })*
    };
}
use refilled;

/// Runs blocks of systems, one after the other.
pub trait BlockRunner: Send {
    /// Runs a block into an empty table, or declines; the table is of no use then.
    fn run(
        &mut self,
        models: &[&dyn Model],
        plan: &Plan,
        table: &mut TrajectoryTable,
    ) -> Option<()>;

    /// Runs a block of systems that differ from those of the last one in their initial motions only, from their
    /// numbers alone, or declines.
    fn run_motions(
        &mut self,
        keys: &[MotionKey],
        inputs: Inputs<'_>,
        plan: &Plan,
        table: &mut TrajectoryTable,
    ) -> Option<()> {
        let _ = (keys, inputs, plan, table);
        None
    }
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
    /// Whether nobody watches them.
    unwatched: bool,
    writer: RowWriter<P>,
    /// The states of all lanes at the first time, then at the next.
    states: Vec<P::Point>,
}

impl<P: InLanes<N>, N: Number> FixedSteps<P, N>
where
    Packed<P, N>: Lift<Scalar = N, Over<f64> = P>,
{
    fn new(detected: Detected<N>) -> Self {
        let (writer, states) = (RowWriter::new(), Vec::new());
        Self { detected, packed: None, unwatched: false, writer, states }
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
        let items = items_of::<P>(models)?;
        if items.len() > N::LANES {
            // Rows are written in the order of the index.
            return models.chunks(N::LANES).try_for_each(|models| self.run(models, plan, table));
        }
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
        let (method, count) = (method.as_mut(), models.len());
        self.states.clear();
        let (times, made): (Vec<f64>, Made);
        // Known while compiling.
        if const { P::WRITES_ROWS } {
            let sampled;
            (sampled, made) = drive::drive(&*packed, method, plan, count)?;
            self.unwatched = models.iter().all(|model| model.watchlist().is_empty());
            let first = table.ends.len();
            if self.unwatched
                && table.shape.alike
                && P::write_rows(packed, &sampled, self.detected, table, first).is_some()
            {
                table.ends.resize(first + count, made.end(sampled.len()));
                return Some(());
            }
            times = sampled.iter().map(|(t, _)| *t).collect();
            sampled.iter().for_each(|(_, y)| P::unpack(packed, y, &mut self.states));
        } else {
            let sampled;
            (sampled, made) = drive::drive_forgotten(&*packed, method, plan, count)?;
            times = sampled.iter().map(|(t, _)| *t).collect();
            sampled.iter().for_each(|(_, y)| P::unpack(packed, y.get(), &mut self.states));
        }
        for (k, model) in models.iter().enumerate() {
            let own = self.states.iter().skip(k).step_by(N::LANES);
            let mut states = times.iter().copied().zip(own.cloned());
            self.writer.write(*model, plan, &mut states, made, table)?;
        }
        Some(())
    }

    fn run_motions(
        &mut self,
        keys: &[MotionKey],
        inputs: Inputs<'_>,
        plan: &Plan,
        table: &mut TrajectoryTable,
    ) -> Option<()> {
        if const { !P::WRITES_ROWS } {
            return None;
        }
        let packed = self.packed.as_mut().filter(|_| self.unwatched)?;
        let mut method = P::method(plan, self.detected)?;
        let count = inputs.numbers.len() / inputs.width.max(1);
        for first in (0..count).step_by(N::LANES) {
            P::restart_from(packed, keys, inputs, first, self.detected)?;
            method.reset();
            let lanes = N::LANES.min(count - first);
            let (sampled, made) = drive::drive(&*packed, method.as_mut(), plan, lanes)?;
            P::write_rows(packed, &sampled, self.detected, table, first)?;
            table.ends.resize(first + lanes, made.end(sampled.len()));
        }
        Some(())
    }
}

/// The systems of a block, if all are of this type.
fn items_of<'m, P: ModelSystem>(models: &[&'m dyn Model]) -> Option<Vec<&'m P>> {
    models.iter().map(|model| model.as_any().downcast_ref::<P>()).collect()
}
