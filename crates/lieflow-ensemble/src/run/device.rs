//! Trajectories on devices: chunks of tiles, several under way.
//!
//! ```text
//! draw and build (all cores) ─▶ device: steps ─▶ rows, invariants (all cores) ─▶ statistics, keeper
//! ```
//!
//! Each stage works on another chunk at the same time. Whatever a device leaves, because a step failed or a
//! system is of another kind, is run alone by this machine, which says why. A device that fails ends
//! this; all chunks that were complete are kept, and the rest is run without it.
use super::setup::Setup;
use super::windows::Windows;
use super::worker::{System, fill};
use super::{Block, EnsembleError, Settings, Tally};
use crate::design::{Design, Template};
use crate::keeper::Keeper;
use crate::store::StoreError;
use crate::table::TrajectoryTable;
use crate::trajectory::integrate;
use crate::wide::{Made, RowWriter};
use lieflow_device::catalogue::{self, Pair, Refusal};
use lieflow_device::kernel::{AsNumbers, DONE, Leg, TILE};
use lieflow_device::schedule::Schedule;
use lieflow_device::{Answer, Device, DeviceError, Running, Work, tiles};
use lieflow_models::run::{Model, ModelSystem, Plan};
use lieflow_models::system::macrospin::Macrospin;
use lieflow_models::system::reduced_body::ReducedBody;
use lieflow_models::system::rigid_body::{LiftedBody, RigidBody};
use rayon::prelude::*;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The chunks under way on each device: one that is computed, one that waits, one that is copied.
const UNDER_WAY: usize = 3;

/// The trajectories of a chunk at most: enough for all threads of a large GPU, several times.
const LARGEST: usize = 1 << 18;

/// The numbers that the tables and states of a chunk may have at most.
const ROOM: usize = 1 << 24;

/// A chunk should not take longer than this: nobody can stop it.
const LONGEST: f64 = 2.0;

/// The systems of chunks are not put side by side here.
const ALONE: Settings = Settings { threads: 0, lanes: Some(1), shard: None };

/// What was computed on devices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OnDevice {
    /// What they are called.
    pub names: Vec<String>,
    /// The trajectories whose steps they made.
    pub trajectories: u64,
    /// Those of their chunks that were run alone by this machine.
    pub alone: u64,
    /// The time that they worked, summed.
    pub seconds: f64,
    /// What they failed with, if they did.
    pub lost: Option<DeviceError>,
}

/// Whether the ensembles of a design run on devices; if not, why.
pub fn check_device(design: &Design) -> Result<(), EnsembleError> {
    let setup = Setup::new(design, ALONE, true)?;
    Plans::new(&setup).map(|_| ())
}

/// What all chunks share.
struct Plans<'a> {
    design: &'a Design,
    pair: &'static Pair,
    schedule: Schedule,
    legs: Arc<[Leg]>,
    /// The functions for the type of the system.
    typed: Typed,
    /// Parameters and initial state of the first trajectory, for all and to fill gaps.
    parameters: Vec<f64>,
    /// The formulas, the same for all.
    program: Arc<[u128]>,
    /// Whether another trajectory has another number there, for each parameter.
    varied: Vec<AtomicBool>,
    first: Box<dyn Model>,
    shared: bool,
}

/// Functions for one type of system.
#[derive(Clone, Copy)]
struct Typed {
    /// Writes the initial state of a model into a tile; `false` if it is of another type.
    start: fn(&dyn Model, &mut [f64], usize) -> bool,
    /// Makes rows of the states of a tile; counts what was run alone.
    rows: fn(&Plans<'_>, &Tile, &mut Block, &[f64], &[u32], f64) -> u64,
}

impl<'a> Plans<'a> {
    fn new(setup: &Setup<'a>) -> Result<Self, EnsembleError> {
        let design = setup.design;
        if design.varies_plan() {
            let found = "a key of [solve] that varies";
            return Err(Refusal::new(found, "the same steps for all on a GPU").into());
        }
        let mut template = design.template();
        let mut inputs = Vec::new();
        template.draw(0, &mut inputs);
        let first = template.build(&inputs)?;
        let pair = catalogue::find(first.as_ref(), &design.plan)?;
        let schedule = Schedule::new(&design.plan, pair.looks_inside)?;
        let typed = TYPES.iter().find_map(|typed| typed(first.as_ref())).ok_or_else(|| {
            let found = format!("the system {}", first.system());
            Refusal::new(found, "one whose rows are made from the states of a GPU")
        })?;
        let mut parameters = Vec::new();
        (pair.parameters)(first.as_any(), &mut parameters);
        let program = (pair.program)(first.as_any()).into();
        let (legs, shared) = (schedule.legs.clone().into(), setup.shape.alike);
        let varied = parameters.iter().map(|_| AtomicBool::new(false)).collect();
        Ok(Self { design, pair, schedule, legs, typed, parameters, program, varied, first, shared })
    }
}

impl Plans<'_> {
    /// The parameters of another system, if it is of the same kind and has the same formulas.
    fn reads(&self, model: &dyn Model, parameters: &mut Vec<f64>) -> bool {
        let known = (self.pair.parameters)(model.as_any(), parameters);
        let same = || (self.pair.program)(model.as_any()) == *self.program;
        known && parameters.len() == self.parameters.len() && (self.program.is_empty() || same())
    }

    /// Takes note of which parameters vary, where formulas make use of it.
    fn compare(&self, parameters: &[f64]) {
        if self.program.is_empty() {
            return;
        }
        for ((varied, first), x) in self.varied.iter().zip(&self.parameters).zip(parameters) {
            if first.to_bits() != x.to_bits() {
                varied.store(true, Ordering::Relaxed);
            }
        }
    }

    /// The parameters that do not vary, as far as trajectories were drawn.
    fn same(&self) -> Vec<Option<f64>> {
        let same =
            |(varied, x): (&AtomicBool, &f64)| (!varied.load(Ordering::Relaxed)).then_some(*x);
        self.varied.iter().zip(&self.parameters).map(same).collect()
    }
}

/// The types of systems that [`catalogue::find`] may find a pair for.
const TYPES: &[fn(&dyn Model) -> Option<Typed>] = &[
    typed::<RigidBody<f64>>,
    typed::<LiftedBody<f64>>,
    typed::<ReducedBody<f64>>,
    typed::<Macrospin<f64>>,
];

fn typed<P: ModelSystem + AsNumbers>(model: &dyn Model) -> Option<Typed> {
    model.as_any().downcast_ref::<P>()?;
    Some(Typed { start: write_start::<P>, rows: write_rows::<P> })
}

fn write_start<P: ModelSystem + AsNumbers>(
    model: &dyn Model,
    tile: &mut [f64],
    lane: usize,
) -> bool {
    let Some(system) = model.as_any().downcast_ref::<P>() else { return false };
    tiles::write_state::<P>(tile, lane, &system.start());
    true
}

fn write_rows<P: ModelSystem + AsNumbers>(
    plans: &Plans<'_>,
    tile: &Tile,
    block: &mut Block,
    states: &[f64],
    ends: &[u32],
    seconds: f64,
) -> u64 {
    let plan = &plans.design.plan;
    let made = Made { steps: plans.schedule.steps, seconds };
    let skipped = usize::from(plans.schedule.first_is_start);
    let mut writer = RowWriter::<P>::new();
    let Tile { systems, known } = tile;
    let table = &mut block.table;
    let mut alone = 0;
    for (lane, system) in systems.iter().enumerate() {
        let Ok((model, _)) = system else {
            run_alone(system, plan, table);
            continue;
        };
        let state = |(row, t): (usize, &f64)| match row.checked_sub(skipped) {
            Some(row) => Some((*t, tiles::read_state::<P>(states, row, lane)?)),
            None => Some((*t, model.as_any().downcast_ref::<P>()?.start())),
        };
        let states = plan.times.iter().enumerate().map_while(state);
        let known = known[lane] && ends.get(lane) == Some(&DONE);
        if !known || writer.write(model.as_ref(), plan, states, made, table).is_none() {
            run_alone(system, plan, table);
            alone += 1;
        }
    }
    alone
}

fn run_alone(system: &System, plan: &Plan, table: &mut TrajectoryTable) {
    match system {
        Ok((model, _)) => integrate(model.as_ref(), plan, table),
        Err(reason) => table.push_unbuilt(plan.from, reason.clone()),
    }
}

/// The systems of a tile.
#[derive(Default)]
struct Tile {
    systems: Vec<System>,
    /// Whether the device knows each system.
    known: Vec<bool>,
}

/// Trajectories that are computed together.
#[derive(Default)]
struct Chunk {
    blocks: Vec<Block>,
    tiles: Vec<Tile>,
    count: usize,
    parameters: Vec<f64>,
    starts: Vec<f64>,
    room: (Vec<f64>, Vec<u32>),
}

impl Chunk {
    /// Draws and builds the trajectories from `start` up to `end`.
    fn fill(
        &mut self,
        plans: &Plans<'_>,
        setup: &Setup<'_>,
        templates: &[Mutex<Template<'_>>],
        start: u64,
        end: u64,
    ) {
        self.count = (end - start) as usize;
        let count = self.count.div_ceil(TILE);
        self.tiles.resize_with(count, Tile::default);
        self.blocks.resize_with(count, || Block::new(setup.shape.clone()));
        let (width, state) = (TILE * plans.parameters.len(), TILE * plans.pair.state);
        self.starts.resize(count * state, 0.0);
        let starts = self.starts.par_chunks_mut(state.max(1));
        let fill = |k: usize, tile: &mut Tile, block: &mut Block, numbers: TileNumbers<'_>| {
            let template = rayon::current_thread_index().unwrap_or(0) % templates.len();
            let mut template = templates[template].lock().unwrap_or_else(PoisonError::into_inner);
            let first = start + (k * TILE) as u64;
            let range = first..(first + TILE as u64).min(end);
            tile.fill(plans, &mut template, range, block, numbers);
        };
        let blocks = self.blocks.par_iter_mut();
        let all = self.tiles.par_iter_mut().zip(blocks).zip(starts).enumerate();
        if plans.shared || plans.parameters.is_empty() {
            self.parameters.clone_from(&plans.parameters);
            all.for_each(|(k, ((tile, block), starts))| {
                fill(k, tile, block, TileNumbers { starts, parameters: None });
            });
        } else {
            self.parameters.resize(count * width, 0.0);
            let parameters = self.parameters.par_chunks_mut(width);
            all.zip(parameters).for_each(|((k, ((tile, block), starts)), parameters)| {
                fill(k, tile, block, TileNumbers { starts, parameters: Some(parameters) });
            });
        }
    }

    /// The work that it is for a device.
    fn work(&mut self, plans: &Plans<'_>) -> Work {
        Work {
            pair: plans.pair,
            count: self.count,
            program: plans.program.clone(),
            parameter_count: plans.parameters.len(),
            parameters: std::mem::take(&mut self.parameters),
            shared: plans.shared || plans.parameters.is_empty(),
            same: plans.same(),
            starts: std::mem::take(&mut self.starts),
            legs: plans.legs.clone(),
            rows: plans.schedule.tile_rows(),
            room: std::mem::take(&mut self.room),
        }
    }

    /// Makes tables of what a device has computed; how many trajectories it had to leave.
    fn read(&mut self, plans: &Plans<'_>, answer: Answer) -> u64 {
        let Answer { work, states, ends, seconds } = answer;
        let alone = AtomicU64::new(0);
        let share = seconds / self.count.max(1) as f64;
        let size = TILE * plans.pair.state * plans.schedule.tile_rows();
        let tiles = self.tiles.par_iter().zip(&mut self.blocks).zip(ends.par_chunks(TILE));
        tiles.enumerate().for_each(|(k, ((tile, block), ends))| {
            let states = states.get(k * size..(k + 1) * size).unwrap_or_default();
            let left = (plans.typed.rows)(plans, tile, block, states, ends, share);
            alone.fetch_add(left, Ordering::Relaxed);
        });
        (self.parameters, self.starts) = (work.parameters, work.starts);
        self.room = (states, ends);
        alone.into_inner()
    }
}

/// The numbers of a tile for the device; parameters only if they vary.
struct TileNumbers<'n> {
    starts: &'n mut [f64],
    parameters: Option<&'n mut [f64]>,
}

impl Tile {
    /// Draws and builds the trajectories of this range, and writes their numbers.
    fn fill(
        &mut self,
        plans: &Plans<'_>,
        template: &mut Template<'_>,
        range: Range<u64>,
        block: &mut Block,
        TileNumbers { starts, mut parameters }: TileNumbers<'_>,
    ) {
        let Self { systems, known } = self;
        block.clear();
        block.start = range.start;
        known.clear();
        systems.truncate((range.end - range.start) as usize);
        let mut numbers = plans.parameters.clone();
        for (lane, index) in range.enumerate() {
            let first = block.inputs.len();
            template.draw(index, &mut block.inputs);
            fill(template, systems, lane, &block.inputs[first..]);
            let model = systems[lane].as_ref().ok().map(|(model, _)| model.as_ref());
            let same =
                |model: &&dyn Model| parameters.is_none() || plans.reads(*model, &mut numbers);
            let model = model.filter(same);
            known.push(model.is_some_and(|model| (plans.typed.start)(model, starts, lane)));
            if !known[lane] {
                // The device computes something in its place, of which nobody hears.
                numbers.clone_from(&plans.parameters);
                (plans.typed.start)(plans.first.as_ref(), starts, lane);
            }
            if let Some(tile) = &mut parameters {
                plans.compare(&numbers);
                tiles::write_parameters(tile, lane, &numbers);
            }
        }
    }
}

/// Computes on devices from this index on; the index that was reached, and what they did.
pub fn run(
    windows: &Windows<'_>,
    devices: &[Box<dyn Device>],
    begin: u64,
    keeper: &mut dyn Keeper,
    tally: &mut Tally,
) -> Result<(u64, OnDevice), EnsembleError> {
    let setup = Setup::new(windows.setup.design, ALONE, true)?;
    let plans = Plans::new(&setup)?;
    let names = devices.iter().map(|device| device.name()).collect();
    let report = OnDevice { names, ..OnDevice::default() };
    let run = DeviceRun { windows, setup: &setup, plans: &plans, devices };
    run.run(begin, keeper, tally, report)
}

struct DeviceRun<'r, 'a> {
    windows: &'r Windows<'a>,
    setup: &'r Setup<'a>,
    plans: &'r Plans<'a>,
    devices: &'r [Box<dyn Device>],
}

impl DeviceRun<'_, '_> {
    fn run(
        &self,
        begin: u64,
        keeper: &mut dyn Keeper,
        tally: &mut Tally,
        mut report: OnDevice,
    ) -> Result<(u64, OnDevice), EnsembleError> {
        let Self { windows, setup, plans, devices } = *self;
        let pool = windows.pool;
        let threads = pool.current_num_threads();
        let templates: Vec<_> = (0..threads).map(|_| Mutex::new(setup.design.template())).collect();
        let mut size = self.most();
        let mut waiting: VecDeque<(Chunk, Box<dyn Running>)> = VecDeque::new();
        // Chunks to be used again, and the one whose tables are complete but not yet handed on.
        let (mut spare, mut complete): (Vec<Chunk>, Option<Chunk>) = (Vec::new(), None);
        // The next chunk, where it was drawn already, and where it ends.
        let mut ready: Option<(Chunk, u64)> = None;
        let (mut next, mut reached, mut turn) = (begin, begin, 0);
        loop {
            let may_begin = next < windows.range.end && !windows.stopped() && report.lost.is_none();
            if may_begin && waiting.len() < UNDER_WAY * devices.len() {
                let (mut chunk, end) = ready.take().unwrap_or_else(|| {
                    let mut chunk = spare.pop().unwrap_or_default();
                    let end = (next + size as u64).min(windows.range.end);
                    pool.install(|| chunk.fill(plans, setup, &templates, next, end));
                    (chunk, end)
                });
                let device = &devices[turn % devices.len()];
                match device.begin(chunk.work(plans)) {
                    Ok(running) => {
                        waiting.push_back((chunk, running));
                        (next, turn) = (end, turn + 1);
                    }
                    Err(error) => match self.smaller(error, size, &mut report) {
                        Some(less) => size = less,
                        None => continue,
                    },
                }
                continue;
            }
            let Some((mut chunk, running)) = waiting.pop_front() else { break };
            // A stop is quick: what is not complete is not waited for longer than it takes to end it.
            let answer = match running.wait() {
                Ok(answer) if report.lost.is_none() && !windows.stopped() => answer,
                Ok(_) => continue,
                Err(error) => {
                    if report.lost.is_none()
                        && let Some(less) = self.smaller(error, size, &mut report)
                    {
                        // Everything after it is begun again, in smaller chunks.
                        size = less;
                        waiting.drain(..).for_each(|(_, running)| drop(running.wait()));
                        (next, ready) = (reached, None);
                    }
                    continue;
                }
            };
            report.seconds += answer.seconds;
            if answer.seconds > LONGEST {
                size = (size / 2).max(TILE * 128).min(size);
            }
            // All three at once: the chunk before goes on, this one becomes rows, and the next is drawn.
            let end = (next + size as u64).min(windows.range.end);
            let mut drawn =
                (next < end && !windows.stopped()).then(|| spare.pop().unwrap_or_default());
            let draw = || {
                let Some(chunk) = &mut drawn else { return };
                chunk.fill(plans, setup, &templates, next, end);
            };
            let hand_on = || hand_on(complete.as_ref(), keeper, tally);
            let read = || chunk.read(plans, answer);
            let (handed, (alone, ())) =
                pool.install(|| rayon::join(hand_on, || rayon::join(read, draw)));
            ready = drawn.map(|chunk| (chunk, end));
            handed?;
            reached += chunk.count as u64;
            report.alone += alone;
            report.trajectories += chunk.count as u64 - alone;
            let before = complete.replace(chunk);
            if let Some(last) = before.as_ref().and_then(|chunk| chunk.blocks.last()) {
                (windows.progress)(last.end() - windows.range.start);
            }
            spare.extend(before);
        }
        pool.install(|| hand_on(complete.as_ref(), keeper, tally))?;
        if complete.is_some() {
            (windows.progress)(reached - windows.range.start);
        }
        Ok((reached, report))
    }

    /// The trajectories of a chunk at most.
    fn most(&self) -> usize {
        let shape = &self.setup.shape;
        let plans = self.plans;
        let each = shape.width * shape.times
            + plans.pair.state * (1 + plans.schedule.tile_rows())
            + plans.parameters.len();
        (ROOM / each.max(1)).clamp(TILE, LARGEST) / TILE * TILE
    }

    /// The size of smaller chunks, where a device has too little memory. Otherwise it is lost.
    fn smaller(&self, error: DeviceError, size: usize, report: &mut OnDevice) -> Option<usize> {
        match error {
            DeviceError::OutOfMemory { .. } if size > TILE => {
                Some((size / 2).max(TILE) / TILE * TILE)
            }
            error => {
                report.lost = Some(error);
                None
            }
        }
    }
}

/// Adds the tables of a chunk to the statistics and gives them to the keeper.
fn hand_on(
    chunk: Option<&Chunk>,
    keeper: &mut dyn Keeper,
    tally: &mut Tally,
) -> Result<(), StoreError> {
    let Some(chunk) = chunk else { return Ok(()) };
    tally.add(&chunk.blocks);
    keeper.blocks(&chunk.blocks)
}
