//! The rows of bodies, side by side as their states are.
use super::InLanes;
use super::dispatch::{Detected, DispatchTask, LaneWork, Number, VectorInstructions};
use super::gather::ROOM;
use crate::table::TrajectoryTable;
use lieflow::action::BodyState;
use lieflow::kernel::Mask;
use lieflow::problem::MANIFOLD_BOUND;
use lieflow::{Mat3, Vec3};
use lieflow_device::kernel::{AsNumbers, TILE};
use lieflow_models::run::Model;
use lieflow_models::system::rigid_body::{BodyIntegral, Field, LiftedBody, MotionKey, RigidBody};

type Body<S> = RigidBody<S, Field<S>>;

/// The numbers of the state of a body.
const STATE: usize = <Body<f64> as AsNumbers>::STATE;

/// The first integrals of a table, if they are those of a body. With events, there are columns that only runs
/// alone have.
fn integrals_of(table: &TrajectoryTable) -> Option<Vec<BodyIntegral>> {
    let known = table.shape.invariants.iter().map(|name| BodyIntegral::named(name));
    known.collect::<Option<_>>().filter(|_| table.shape.events.is_empty())
}

/// Writes the rows of bodies, from this trajectory of the table on, of which all have the same first integrals, if every number is finite and every
/// attitude a rotation.
pub fn write<N: Number>(
    body: &Body<N>,
    states: &[(f64, BodyState<N>)],
    detected: Detected<N>,
    table: &mut TrajectoryTable,
    first: usize,
) -> Option<()> {
    let integrals = &integrals_of(table)?[..];
    let stride = table.shape.block;
    for (time, (_, y)) in states.iter().enumerate() {
        let (start, out) = (&body.start, table.rows_mut(time).get_mut(first..)?);
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

/// Writes initial states of tiles from varied numbers, if all is well; only what varies, if it is asked `again` to write
/// where it has written before.
pub type TileStarts = Box<dyn Fn(&Inputs<'_>, &mut [f64], bool) -> Option<()> + Send + Sync>;

/// The varied numbers of a block.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'n> {
    /// One trajectory after the other.
    pub numbers: &'n [f64],
    /// How many each has.
    pub width: usize,
}

/// How tiles of systems that differ from one in their initial states only are begun and become rows, in lanes.
pub struct TileWays {
    /// Makes rows of states.
    pub rows: TileRows,
    /// Makes initial states of varied numbers, if those are motions.
    pub starts: Option<TileStarts>,
}

/// The ways for systems like this one with these varied keys, each with so many numbers, if there are some that are
/// faster than one by one.
pub fn tile_ways(model: &dyn Model, keys: &[(&str, usize)]) -> Option<TileWays> {
    struct Find<'a>(&'a Body<f64>, Option<Vec<MotionKey>>);
    impl DispatchTask for Find<'_> {
        type Output = Option<TileWays>;
        fn with<N: Number>(self, detected: Detected<N>) -> Self::Output {
            let body = Body::<f64>::pack(&vec![self.0; N::LANES])?;
            let starts = self.1.map(|keys| {
                let body = body.clone();
                let starts = move |inputs: &Inputs<'_>, out: &mut [f64], again: bool| {
                    let work = Starts { body: &body, keys: &keys, inputs: *inputs, out, again };
                    N::compiled(detected, work).then_some(())
                };
                Box::new(starts) as TileStarts
            });
            let rows: TileRows =
                Box::new(move |states, table| write_tile::<N>(&body, states, detected, table));
            Some(TileWays { rows, starts })
        }
    }
    let any = model.as_any();
    let lifted = || any.downcast_ref::<LiftedBody<f64, Field<f64>>>().map(|lifted| &lifted.0);
    let body = any.downcast_ref::<Body<f64>>().or_else(lifted)?;
    if !model.watchlist().is_empty() {
        return None;
    }
    VectorInstructions::detect().first()?.dispatch(Find(body, motions(keys)))
}

/// The initial states of a tile from varied motions.
struct Starts<'a, N> {
    body: &'a Body<N>,
    /// What each three numbers are.
    keys: &'a [MotionKey],
    inputs: Inputs<'a>,
    out: &'a mut [f64],
    /// Whether the attitudes are there.
    again: bool,
}

impl<N: Number> LaneWork for Starts<'_, N> {
    /// Whether all numbers are finite.
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { body, keys, inputs, out, again } = self;
        if out.len() < STATE * TILE {
            return false;
        }
        let [a, b, c] = body.start.rotation.rows;
        let mut first = 0;
        while first < TILE {
            let Some(m) = momenta(body, keys, inputs, first) else { return false };
            let state = [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, m.x, m.y, m.z];
            let mut k = if again { STATE - 3 } else { 0 };
            while k < STATE {
                state[k].write_lanes(&mut out[k * TILE + first..k * TILE + first + N::LANES]);
                k += 1;
            }
            first += N::LANES;
        }
        true
    }
}

/// The initial momenta of as many trajectories as there are lanes, from this one on, if their numbers are finite. The
/// last trajectory fills what is left.
#[inline(always)]
fn momenta<N: Number>(
    body: &Body<N>,
    keys: &[MotionKey],
    inputs: Inputs<'_>,
    first: usize,
) -> Option<Vec3<N>> {
    let Inputs { numbers, width } = inputs;
    if numbers.len() < width || width != 3 * keys.len() {
        return None;
    }
    let last = (numbers.len() / width.max(1)).checked_sub(1)?;
    let mut momentum = body.start.momentum;
    let mut k = 0;
    while k < keys.len() {
        let mut given = [[0.0; ROOM]; 3];
        let mut lane = 0;
        while lane < N::LANES {
            let at = (first + lane).min(last) * width + 3 * k;
            (given[0][lane], given[1][lane]) = (numbers[at], numbers[at + 1]);
            given[2][lane] = numbers[at + 2];
            lane += 1;
        }
        let [x, y, z] = given;
        let v = Vec3 { x: N::read_lanes(&x), y: N::read_lanes(&y), z: N::read_lanes(&z) };
        if !v.x.finite().and(v.y.finite()).and(v.z.finite()).all() {
            return None;
        }
        // Of several keys the last counts, as for one body.
        momentum = keys[k].momentum(v, &body.inertia, &body.start.rotation);
        k += 1;
    }
    Some(momentum)
}

/// Gives bodies side by side other initial motions, those of the trajectories of a block from the `first` on.
pub fn restart<N: Number>(
    body: &mut Body<N>,
    keys: &[MotionKey],
    inputs: Inputs<'_>,
    first: usize,
    detected: Detected<N>,
) -> Option<()> {
    body.start.momentum = N::compiled(detected, Momenta { body, keys, inputs, first })?;
    Some(())
}

struct Momenta<'a, N> {
    body: &'a Body<N>,
    keys: &'a [MotionKey],
    inputs: Inputs<'a>,
    first: usize,
}

impl<N: Number> LaneWork for Momenta<'_, N> {
    type Output = Option<Vec3<N>>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        momenta(self.body, self.keys, self.inputs, self.first)
    }
}

/// The motions that these varied keys with so many numbers each are, if they all are.
pub fn motions(keys: &[(&str, usize)]) -> Option<Vec<MotionKey>> {
    let motion = |(key, width): &(&str, usize)| {
        MotionKey::named(key.strip_prefix("initial.")?).filter(|_| *width == 3)
    };
    keys.iter().map(motion).collect()
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
