//! Chunks on their way through a device: drawn, run, made rows of, handed on.
//!
//! Three threads, each with a stage of its own, and no stage waits for the others but for want of chunks: the number of
//! chunks is fixed, and so is the memory. Rows and draws share the cores of the run; the statistics have threads of
//! their own, because sums in the order of the index are the work of few, who must not wait for their turn behind work
//! that many share.
use super::chunk::{Builder, Chunk};
use super::device::{OnDevice, Plans};
use super::setup::Setup;
use super::windows::{Windows, stop_requested};
use super::{EnsembleError, Tally};
use crate::keeper::Keeper;
use crate::store::StoreError;
use lieflow_device::kernel::TILE;
use lieflow_device::{Device, DeviceError, Running};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

/// The chunks under way on each device: one that is computed, one that waits, one that is copied.
const UNDER_WAY: usize = 3;

/// The chunks elsewhere: two in each of the other stages.
const ELSEWHERE: usize = 4;

/// The trajectories of a chunk at most: enough for all threads of a large GPU, several times.
const LARGEST: usize = 1 << 18;

/// Those of a chunk with so few steps that cores, not the GPU, have the most to do: the tables of shorter chunks are
/// still in their caches when they are handed on.
const LARGEST_QUICK: usize = 1 << 16;

/// So few steps.
const QUICK: u64 = 64;

/// The numbers that the tables and states of a chunk may have at most.
const ROOM: usize = 1 << 24;

/// A chunk should not take longer than this: nobody can stop it.
const LONGEST: f64 = 2.0;

/// What is run, and where.
pub struct Pipeline<'r, 'a> {
    pub windows: &'r Windows<'a>,
    pub setup: &'r Setup<'a>,
    pub plans: &'r Plans<'a>,
    pub devices: &'r [Box<dyn Device>],
}

impl Pipeline<'_, '_> {
    /// Runs from this index on; the index that was reached, and what devices did.
    pub fn run(
        &self,
        begin: u64,
        keeper: &mut dyn Keeper,
        tally: &mut Tally,
        mut report: OnDevice,
    ) -> Result<(u64, OnDevice), EnsembleError> {
        let (pool, design) = (self.windows.pool, self.setup.design);
        let threads = pool.current_num_threads();
        let statistics = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let size = AtomicUsize::new(self.most());
        let mut reached = begin;
        while reached < self.windows.range.end && report.lost.is_none() && !self.windows.stopped() {
            let ended = AtomicBool::new(false);
            let drawer = Drawer {
                setup: self.setup,
                plans: self.plans,
                pool,
                builders: (0..threads).map(|_| Mutex::new(Builder::new(design))).collect(),
                range: reached..self.windows.range.end,
                size: &size,
                stop: (self.windows.stop, &ended),
            };
            let (drawn, for_devices) = sync_channel(1);
            let (spare, for_drawer) = channel();
            let (rows, for_statistics) = sync_channel(1);
            let (handed, progress) = channel();
            for _ in 0..UNDER_WAY * self.devices.len() + ELSEWHERE {
                // Both ends are here.
                let _ = spare.send(Chunk::default());
            }
            let (keeper, tally, statistics) = (&mut *keeper, &mut *tally, &statistics);
            std::thread::scope(|scope| {
                let drawer = &drawer;
                scope.spawn(move || drawer.run(&for_drawer, &drawn));
                let hand_on = move || {
                    let done = Handed { chunks: spare, reached: handed };
                    done.run(&for_statistics, |chunk| {
                        statistics.install(|| {
                            tally.add(&chunk.blocks);
                            keeper.blocks(&chunk.blocks)
                        })
                    })
                };
                let handing = scope.spawn(hand_on);
                let stage = Stage { drawer, progress, rows };
                self.run_chunks(&stage, &for_devices, &mut reached, &mut report);
                // The others end when nothing comes any more.
                ended.store(true, Ordering::Relaxed);
                drop((stage, for_devices));
                handing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })?;
            (self.windows.progress)(reached - self.windows.range.start);
        }
        Ok((reached, report))
    }

    /// Runs chunks on devices, and makes rows of them, until all are done or something ends it.
    fn run_chunks(
        &self,
        stage: &Stage<'_>,
        drawn: &Receiver<Chunk>,
        reached: &mut u64,
        report: &mut OnDevice,
    ) {
        let Self { windows, plans, devices, .. } = *self;
        let mut waiting: VecDeque<(Chunk, Box<dyn Running>)> = VecDeque::new();
        let (mut turn, mut failed) = (0, None);
        loop {
            let may_begin = failed.is_none() && !windows.stopped();
            if may_begin
                && waiting.len() < UNDER_WAY * devices.len()
                && let Ok(mut chunk) = drawn.recv()
            {
                match devices[turn % devices.len()].begin(chunk.work(plans)) {
                    Ok(running) => waiting.push_back((chunk, running)),
                    Err(error) => failed = Some(error),
                }
                turn += 1;
                continue;
            }
            let Some((mut chunk, running)) = waiting.pop_front() else { break };
            // A stop is quick: what is not complete is not waited for longer than it takes to end it.
            let answer = match running.wait() {
                Ok(answer) if failed.is_none() && !windows.stopped() => answer,
                Ok(_) => continue,
                Err(error) => {
                    failed.get_or_insert(error);
                    continue;
                }
            };
            report.seconds += answer.seconds;
            if answer.seconds > LONGEST {
                let size = stage.drawer.size.load(Ordering::Relaxed);
                stage.drawer.size.store((size / 2).max(TILE * 128).min(size), Ordering::Relaxed);
            }
            let builders = &stage.drawer.builders;
            let alone = windows.pool.install(|| chunk.read(plans, builders, answer));
            *reached += chunk.count as u64;
            report.alone += alone;
            report.trajectories += chunk.count as u64 - alone;
            // Files that cannot be written end it; whoever writes them says why.
            if stage.rows.send(chunk).is_err() {
                break;
            }
            if let Some(end) = stage.progress.try_iter().last() {
                (windows.progress)(end - windows.range.start);
            }
        }
        waiting.drain(..).for_each(|(_, running)| drop(running.wait()));
        if let Some(error) = failed {
            self.make_smaller(error, stage.drawer.size, report);
        }
    }

    /// The trajectories of a chunk at most.
    fn most(&self) -> usize {
        let shape = &self.setup.shape;
        let plans = self.plans;
        let each = shape.width * shape.times
            + plans.pair.state * (1 + plans.schedule.tile_rows())
            + plans.parameters.len();
        let largest = if plans.schedule.steps <= QUICK { LARGEST_QUICK } else { LARGEST };
        (ROOM / each.max(1)).clamp(TILE, largest) / TILE * TILE
    }

    /// Chunks are smaller from now on, where a device has too little memory. Otherwise it is lost.
    fn make_smaller(&self, error: DeviceError, size: &AtomicUsize, report: &mut OnDevice) {
        let before = size.load(Ordering::Relaxed);
        match error {
            DeviceError::OutOfMemory { .. } if before > TILE => {
                size.store((before / 2).max(TILE) / TILE * TILE, Ordering::Relaxed);
            }
            error => report.lost = Some(error),
        }
    }
}

/// What the stage of devices has of the others.
struct Stage<'s> {
    drawer: &'s Drawer<'s>,
    /// How far the statistics have come.
    progress: Receiver<u64>,
    /// Chunks with rows.
    rows: SyncSender<Chunk>,
}

/// The stage that draws.
struct Drawer<'s> {
    setup: &'s Setup<'s>,
    plans: &'s Plans<'s>,
    pool: &'s rayon::ThreadPool,
    builders: Vec<Mutex<Builder<'s>>>,
    range: Range<u64>,
    size: &'s AtomicUsize,
    /// The flag that stops the run, and the one that ends this.
    stop: (Option<&'s AtomicBool>, &'s AtomicBool),
}

impl Drawer<'_> {
    /// Draws one chunk after the other, as long as there are spare ones and somebody takes them.
    fn run(&self, spare: &Receiver<Chunk>, out: &SyncSender<Chunk>) {
        let Range { mut start, end } = self.range;
        let plan = &self.setup.design.plan;
        while start < end {
            let Ok(mut chunk) = spare.recv() else { return };
            if stop_requested(self.stop.0, plan) || self.stop.1.load(Ordering::Relaxed) {
                return;
            }
            let next = (start + self.size.load(Ordering::Relaxed) as u64).min(end);
            self.pool.install(|| chunk.fill(self.plans, self.setup, &self.builders, start..next));
            if out.send(chunk).is_err() {
                return;
            }
            start = next;
        }
    }
}

/// The stage that hands chunks on.
struct Handed {
    /// Where they go then.
    chunks: Sender<Chunk>,
    reached: Sender<u64>,
}

impl Handed {
    fn run(
        &self,
        rows: &Receiver<Chunk>,
        mut hand_on: impl FnMut(&Chunk) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        for chunk in rows {
            hand_on(&chunk)?;
            let end = chunk.blocks.last().map_or(0, |block| block.end());
            // At the end nobody asks for them any more.
            let _ = (self.reached.send(end), self.chunks.send(chunk));
        }
        Ok(())
    }
}
