//! Trajectories that a device computes together: tiles of numbers, before and after.
use super::Block;
use super::device::Plans;
use super::setup::Setup;
use super::worker::{System, fill};
use crate::design::{Design, Template};
use crate::table::TrajectoryTable;
use crate::trajectory::integrate;
use crate::wide::{Inputs, Made, RowWriter, TileStarts, TileStates};
use lieflow_device::kernel::{AsNumbers, DONE, TILE};
use lieflow_device::{Answer, Numbers, Work, tiles};
use lieflow_models::run::{Model, ModelSystem, Plan};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The tiles that a thread takes at a time at least: others would look for less than it costs to find it.
const SHARE: usize = 8;

/// What a thread draws and builds with.
pub struct Builder<'a> {
    template: Template<'a>,
    /// A system that takes the numbers of one trajectory after the other, where that can be done.
    scratch: Option<Box<dyn Model>>,
}

impl<'a> Builder<'a> {
    pub fn new(design: &'a Design) -> Self {
        Self { template: design.template(), scratch: None }
    }

    /// The system with these numbers, in the place of the last one.
    fn refill(&mut self, numbers: &[f64]) -> Option<&dyn Model> {
        if self.scratch.is_none() {
            self.scratch = self.template.build(numbers).ok();
        }
        if !self.template.refill(self.scratch.as_mut()?.as_mut(), numbers) {
            self.scratch = None;
        }
        self.scratch.as_deref()
    }
}

/// The builder of this thread.
fn of_this_thread<'b, 'a>(builders: &'b [Mutex<Builder<'a>>]) -> MutexGuard<'b, Builder<'a>> {
    let thread = rayon::current_thread_index().unwrap_or(0) % builders.len();
    builders[thread].lock().unwrap_or_else(PoisonError::into_inner)
}

/// Trajectories that are computed together.
#[derive(Default)]
pub struct Chunk {
    pub blocks: Vec<Block>,
    tiles: Vec<Tile>,
    pub count: usize,
    parameters: Vec<f64>,
    starts: Numbers,
    room: (Numbers, Vec<u32>),
}

impl Chunk {
    /// Draws and builds the trajectories of this range.
    pub fn fill(
        &mut self,
        plans: &Plans<'_>,
        setup: &Setup<'_>,
        builders: &[Mutex<Builder<'_>>],
        Range { start, end }: Range<u64>,
    ) {
        self.count = (end - start) as usize;
        let count = self.count.div_ceil(TILE);
        self.tiles.resize_with(count, Tile::default);
        self.blocks.resize_with(count, || Block::new(setup.shape.clone()));
        let (width, state) = (TILE * plans.parameters.len(), TILE * plans.pair.state);
        let answers = count * state * plans.schedule.tile_rows();
        for (numbers, length) in [(&mut self.starts, count * state), (&mut self.room.0, answers)] {
            if numbers.len() < length {
                *numbers = plans.memory.numbers(length);
                self.tiles.iter_mut().for_each(|tile| tile.begun = false);
            }
        }
        let starts = self.starts.par_chunks_mut(state.max(1));
        let fill = |k: usize, tile: &mut Tile, block: &mut Block, numbers: TileNumbers<'_>| {
            let first = start + (k * TILE) as u64;
            let range = first..(first + TILE as u64).min(end);
            tile.fill(plans, &mut of_this_thread(builders), range, block, numbers);
        };
        let blocks = self.blocks.par_iter_mut();
        let all = self.tiles.par_iter_mut().zip(blocks).zip(starts).enumerate().with_min_len(SHARE);
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
    pub fn work(&mut self, plans: &Plans<'_>) -> Work {
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
    pub fn read(
        &mut self,
        plans: &Plans<'_>,
        builders: &[Mutex<Builder<'_>>],
        answer: Answer,
    ) -> u64 {
        let Answer { work, states, ends, seconds } = answer;
        let alone = AtomicU64::new(0);
        let share = seconds / self.count.max(1) as f64;
        let state = TILE * plans.pair.state;
        let size = state * plans.schedule.tile_rows();
        let tiles = self.tiles.par_iter_mut().zip(&mut self.blocks).zip(ends.par_chunks(TILE));
        tiles.enumerate().with_min_len(SHARE).for_each(|(k, ((tile, block), ends))| {
            let starts = work.starts.get(k * state..(k + 1) * state).unwrap_or_default();
            let states = states.get(k * size..(k + 1) * size).unwrap_or_default();
            let computed = Computed { starts, states, ends, seconds: share };
            if tile.together {
                if write_together(plans, tile, block, &computed).is_some() {
                    return block.add_up();
                }
                tile.build(&mut of_this_thread(builders).template, block);
            }
            let left = (plans.typed.rows)(plans, tile, block, &computed);
            alone.fetch_add(left, Ordering::Relaxed);
            block.add_up();
        });
        (self.parameters, self.starts) = (work.parameters, work.starts);
        self.room = (states, ends);
        alone.into_inner()
    }
}

/// What a device has computed of a tile.
pub struct Computed<'n> {
    /// The initial states that it had.
    starts: &'n [f64],
    /// The states at each time.
    states: &'n [f64],
    ends: &'n [u32],
    /// The time that each trajectory took.
    seconds: f64,
}

/// The numbers of a tile for the device; parameters only if they vary.
struct TileNumbers<'n> {
    starts: &'n mut [f64],
    parameters: Option<&'n mut [f64]>,
}

/// The systems of a tile.
#[derive(Default)]
pub struct Tile {
    count: usize,
    /// None, where rows are made without them.
    systems: Vec<System>,
    /// Whether the device knows each system.
    known: Vec<bool>,
    /// Whether rows are made of all states together.
    together: bool,
    /// Whether its initial states were written together, in the place where they are written the next time.
    begun: bool,
}

impl Tile {
    /// Draws and builds the trajectories of this range, and writes their numbers.
    fn fill(
        &mut self,
        plans: &Plans<'_>,
        builder: &mut Builder<'_>,
        range: Range<u64>,
        block: &mut Block,
        TileNumbers { starts, mut parameters }: TileNumbers<'_>,
    ) {
        self.count = (range.end - range.start) as usize;
        block.clear();
        block.start = range.start;
        builder.template.draw_all(range, &mut block.inputs);
        let width = (block.inputs.len() / self.count.max(1)).max(1);
        let inputs = Inputs { numbers: &block.inputs, width };
        self.together = plans.together.as_ref().is_some_and(|ways| {
            let again = std::mem::take(&mut self.begun);
            let write = |write: &TileStarts| write(&inputs, starts, again).is_some();
            self.begun = ways.starts.as_ref().is_some_and(write);
            self.begun
                || block.inputs.chunks_exact(width).enumerate().all(|(lane, inputs)| {
                    let system = builder.refill(inputs);
                    system.is_some_and(|system| (plans.typed.start)(system, starts, lane))
                })
        });
        self.known.clear();
        if self.together {
            self.known.resize(self.count, true);
            return;
        }
        self.build(&mut builder.template, block);
        let mut numbers = plans.parameters.clone();
        for (lane, system) in self.systems.iter().enumerate() {
            let model = system.as_ref().ok().map(|(model, _)| model.as_ref());
            let same =
                |model: &&dyn Model| parameters.is_none() || plans.reads(*model, &mut numbers);
            let model = model.filter(same);
            self.known.push(model.is_some_and(|model| (plans.typed.start)(model, starts, lane)));
            if !self.known[lane] {
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

    /// The varied numbers of a trajectory.
    fn inputs<'b>(&self, block: &'b Block, lane: usize) -> &'b [f64] {
        let width = block.inputs.len() / self.count.max(1);
        &block.inputs[lane * width..(lane + 1) * width]
    }

    /// Builds the systems of a block whose numbers are drawn.
    fn build(&mut self, template: &mut Template<'_>, block: &Block) {
        let mut systems = std::mem::take(&mut self.systems);
        systems.truncate(self.count);
        for lane in 0..self.count {
            fill(template, &mut systems, lane, self.inputs(block, lane));
        }
        self.systems = systems;
    }
}

/// Makes rows of all states at once, if all trajectories came to their end and all is well.
fn write_together(
    plans: &Plans<'_>,
    tile: &Tile,
    block: &mut Block,
    computed: &Computed<'_>,
) -> Option<()> {
    let Computed { starts, states, ends, seconds } = *computed;
    let rows = plans.design.plan.times.len();
    if ends.get(..tile.count)?.iter().any(|end| *end != DONE) {
        return None;
    }
    let states = TileStates { starts, states, begins: plans.schedule.first_is_start, rows };
    (plans.together.as_ref()?.rows)(&states, &mut block.table)?;
    let made = Made { steps: plans.schedule.steps, seconds };
    block.table.ends.resize(tile.count, made.end(rows));
    Some(())
}

/// Makes rows of the states of a tile, one after the other; counts what was run alone.
pub fn write_rows<P: ModelSystem + AsNumbers>(
    plans: &Plans<'_>,
    tile: &Tile,
    block: &mut Block,
    computed: &Computed<'_>,
) -> u64 {
    let plan = &plans.design.plan;
    let made = Made { steps: plans.schedule.steps, seconds: computed.seconds };
    let skipped = usize::from(plans.schedule.first_is_start);
    let mut writer = RowWriter::<P>::new();
    let table = &mut block.table;
    let mut alone = 0;
    for (lane, system) in tile.systems.iter().enumerate() {
        let Ok((model, _)) = system else {
            run_alone(system, plan, table);
            continue;
        };
        let state = |(row, t): (usize, &f64)| match row.checked_sub(skipped) {
            Some(row) => Some((*t, tiles::read_state::<P>(computed.states, row, lane)?)),
            None => Some((*t, model.as_any().downcast_ref::<P>()?.start())),
        };
        let mut states = plan.times.iter().enumerate().map_while(state);
        let known = tile.known[lane] && computed.ends.get(lane) == Some(&DONE);
        if !known || writer.write(model.as_ref(), plan, &mut states, made, table).is_none() {
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
