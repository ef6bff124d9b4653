//! The rows of bodies, side by side as their states are.
use super::InLanes;
use super::dispatch::{Detected, DispatchTask, LaneWork, Number, VectorInstructions};
use crate::table::TrajectoryTable;
use lieflow::action::BodyState;
use lieflow::kernel::Mask;
use lieflow::problem::MANIFOLD_BOUND;
use lieflow::{Mat3, Vec3};
use lieflow_device::kernel::{AsNumbers, TILE};
use lieflow_models::run::{AnyPoint, Model};
use lieflow_models::system::rigid_body::{BodyIntegral, Field, LiftedBody, RigidBody};

type Body<S> = RigidBody<S, Field<S>>;

/// The numbers of the state of a body.
const STATE: usize = <Body<f64> as AsNumbers>::STATE;

/// The first integrals of a table, if they are those of a body. With events, there are columns that only runs
/// alone have.
fn integrals_of(table: &TrajectoryTable) -> Option<Vec<BodyIntegral>> {
    let known = table.shape.invariants.iter().map(|name| BodyIntegral::named(name));
    known.collect::<Option<_>>().filter(|_| table.shape.events.is_empty())
}

/// Writes the rows of bodies, of which all have the same first integrals, if every number is finite and every
/// attitude a rotation.
pub fn write<N: Number>(
    body: &Body<N>,
    states: &[(f64, AnyPoint)],
    detected: Detected<N>,
    table: &mut TrajectoryTable,
) -> Option<()> {
    let integrals = &integrals_of(table)?[..];
    let stride = table.shape.block;
    for (time, (_, y)) in states.iter().enumerate() {
        let (start, y, out) = (&body.start, y.get(), table.rows_mut(time));
        let work = Rows { body, start, y, integrals, out, stride };
        N::compiled(detected, work).then_some(())?;
    }
    Some(())
}

/// The states of a tile of a device.
#[derive(Clone, Copy, Debug)]
pub struct TileStates<'n> {
    /// The initial ones.
    pub starts: &'n [f64],
    /// Those at each time, but for the first if that is the beginning.
    pub states: &'n [f64],
    /// Whether the first time is the beginning.
    pub begins: bool,
    /// How many times there are.
    pub rows: usize,
}

/// Makes rows of a tile, if all is well.
pub type TileRows = Box<dyn Fn(&TileStates<'_>, &mut TrajectoryTable) -> Option<()> + Send + Sync>;

/// How rows are made of tiles of systems that differ from this one in their initial states only, if there is a way that
/// is faster than one by one.
pub fn tile_rows(model: &dyn Model) -> Option<TileRows> {
    struct Find<'a>(&'a Body<f64>);
    impl DispatchTask for Find<'_> {
        type Output = Option<TileRows>;
        fn with<N: Number>(self, detected: Detected<N>) -> Self::Output {
            let body = Body::<f64>::pack(&vec![self.0; N::LANES])?;
            Some(Box::new(move |states, table| write_tile::<N>(&body, states, detected, table)))
        }
    }
    let any = model.as_any();
    let lifted = || any.downcast_ref::<LiftedBody<f64, Field<f64>>>().map(|lifted| &lifted.0);
    let body = any.downcast_ref::<Body<f64>>().or_else(lifted)?;
    if !model.watchlist().is_empty() {
        return None;
    }
    VectorInstructions::detect().first()?.dispatch(Find(body))
}

fn write_tile<N: Number>(
    body: &Body<N>,
    tile: &TileStates<'_>,
    detected: Detected<N>,
    table: &mut TrajectoryTable,
) -> Option<()> {
    let integrals = &integrals_of(table)?[..];
    let stride = table.shape.block;
    let skipped = usize::from(tile.begins);
    for time in 0..tile.rows {
        let states = match time.checked_sub(skipped) {
            Some(row) => tile.states.get(row * STATE * TILE..(row + 1) * STATE * TILE)?,
            None => tile.starts,
        };
        let (starts, out) = (tile.starts, table.rows_mut(time));
        let work = Tile { body, starts, states, integrals, out, stride };
        N::compiled(detected, work).then_some(())?;
    }
    Some(())
}

/// The rows of as many bodies as there are lanes, at one time.
struct Rows<'a, N> {
    body: &'a Body<N>,
    start: &'a BodyState<N>,
    y: &'a BodyState<N>,
    integrals: &'a [BodyIntegral],
    /// The first number of the first of them, and what follows.
    out: &'a mut [f64],
    /// From one observable to the next.
    stride: usize,
}

impl<N: Number> LaneWork for Rows<'_, N> {
    /// Whether all numbers are finite and all attitudes rotations.
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { body, start, y, integrals, out, stride } = self;
        let columns = body.columns(y);
        let (values, changes) = (columns.len(), columns.len() + integrals.len());
        if out.len() < (changes + integrals.len() - 1) * stride + N::LANES {
            return false;
        }
        let mut finite = columns[0].finite();
        let mut k = 0;
        while k < columns.len() {
            finite = finite.and(columns[k].finite());
            columns[k].write_lanes(&mut out[k * stride..k * stride + N::LANES]);
            k += 1;
        }
        let mut k = 0;
        while k < integrals.len() {
            let now = body.integral(integrals[k], y);
            finite = finite.and(now.finite());
            let place = (values + k) * stride;
            now.write_lanes(&mut out[place..place + N::LANES]);
            let change = now - body.integral(integrals[k], start);
            let place = (changes + k) * stride;
            change.write_lanes(&mut out[place..place + N::LANES]);
            k += 1;
        }
        finite.all() && y.rotation.orthogonality_error() <= MANIFOLD_BOUND
    }
}

/// The rows of a tile at one time.
struct Tile<'a, N> {
    body: &'a Body<N>,
    starts: &'a [f64],
    states: &'a [f64],
    integrals: &'a [BodyIntegral],
    out: &'a mut [f64],
    stride: usize,
}

impl<N: Number> LaneWork for Tile<'_, N> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { body, starts, states, integrals, out, stride } = self;
        if starts.len().min(states.len()) < STATE * TILE || out.len() < TILE {
            return false;
        }
        let mut first = 0;
        while first < TILE {
            let (start, y) = (&state(starts, first), &state(states, first));
            let out = &mut out[first..];
            if !(Rows { body, start, y, integrals, out, stride }).run() {
                return false;
            }
            first += N::LANES;
        }
        true
    }
}

/// The states of neighbouring trajectories of a tile, from this one on.
#[inline(always)]
fn state<N: Number>(tile: &[f64], first: usize) -> BodyState<N> {
    let mut numbers = [N::zero(); STATE];
    let mut k = 0;
    while k < STATE {
        numbers[k] = N::read_lanes(&tile[k * TILE + first..k * TILE + first + N::LANES]);
        k += 1;
    }
    let [a, b, c, d, e, f, g, h, i, x, y, z] = numbers;
    let rows = [Vec3 { x: a, y: b, z: c }, Vec3 { x: d, y: e, z: f }, Vec3 { x: g, y: h, z: i }];
    BodyState::new(Mat3 { rows }, Vec3 { x, y, z })
}
