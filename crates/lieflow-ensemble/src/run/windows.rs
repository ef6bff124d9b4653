//! Blocks on all cores, handed on in windows.
//!
//! While one window is computed, the one before is summed up and kept. A window is sized by the
//! clock, so that progress is noted often and memory stays bounded, however large a state is.
use super::setup::Setup;
use super::worker::Worker;
use super::{Block, Tally};
use crate::keeper::Keeper;
use crate::store::StoreError;
use lieflow_models::run::Plan;
use rayon::ThreadPool;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A window takes about this long.
const WINDOW: Duration = Duration::from_millis(400);

/// The numbers that a window may hold at most.
const ROOM: u64 = 1 << 21;

/// The trajectories of a core that a window may hold at most: the numbers of small systems stay in
/// its cache until the statistics have read them.
const LARGEST: u64 = 1 << 11;

/// A range of trajectories to be computed.
pub struct Windows<'a> {
    pub setup: &'a Setup<'a>,
    pub pool: &'a ThreadPool,
    pub range: Range<u64>,
    pub stop: Option<&'a AtomicBool>,
    pub progress: &'a dyn Fn(u64),
}

/// Whether the run is to be stopped.
pub(super) fn stop_requested(stop: Option<&AtomicBool>, plan: &Plan) -> bool {
    stop.is_some_and(|flag| flag.load(Ordering::Relaxed)) || plan.stop.asked()
}

impl Windows<'_> {
    /// Whether the run is to be stopped.
    pub fn stopped(&self) -> bool {
        stop_requested(self.stop, &self.setup.design.plan)
    }

    /// Computes everything from this index on; the index that was reached.
    pub fn run(
        &self,
        begin: u64,
        keeper: &mut dyn Keeper,
        tally: &mut Tally,
    ) -> Result<u64, StoreError> {
        let shape = &self.setup.shape;
        let block = shape.block as u64;
        let threads = self.pool.current_num_threads();
        let least = block * threads as u64;
        let row = (shape.width * shape.times).max(1) as u64;
        let most = (ROOM / row).clamp(least, LARGEST * threads as u64);
        let mut window = (4 * least).min(most);
        let workers: Vec<_> = (0..threads).map(|_| Mutex::new(Worker::new(self.setup))).collect();
        // Blocks being computed, and those before `next`, which are complete.
        let (mut fresh, mut ready): (Vec<Block>, Vec<Block>) = (Vec::new(), Vec::new());
        let (mut complete, mut next) = (0, begin);
        let (stop, plan) = (self.stop, &self.setup.design.plan);
        let stopped = || stop_requested(stop, plan);
        loop {
            let end = if stopped() { next } else { (next + window).min(self.range.end) };
            let begun = Instant::now();
            let count = (end - next).div_ceil(block) as usize;
            fresh.resize_with(count.max(fresh.len()), || Block::new(shape.clone()));
            fresh.iter_mut().for_each(Block::clear);
            let compute = |(k, out): (usize, &mut Block)| {
                if stopped() {
                    return;
                }
                let start = next + k as u64 * block;
                let worker = rayon::current_thread_index().unwrap_or(0) % workers.len();
                let mut worker = workers[worker].lock().unwrap_or_else(PoisonError::into_inner);
                worker.run(start, (start + block).min(end), out);
                // The flag may have cut its trajectories short.
                if stopped() {
                    out.clear();
                }
            };
            let collect = || match &ready[..complete] {
                [] => Ok(()),
                blocks => {
                    tally.add(blocks);
                    keeper.blocks(blocks)
                }
            };
            self.pool.install(|| {
                let all = || fresh[..count].par_iter_mut().enumerate().for_each(compute);
                rayon::join(collect, all).0
            })?;
            if complete > 0 {
                (self.progress)(next - self.range.start);
            }
            if end == next {
                return Ok(next);
            }
            // All of them, unless the run was stopped: then those before the first that is missing.
            complete = fresh.iter().take_while(|block| !block.ends().is_empty()).count();
            next = fresh[..complete].last().map_or(next, Block::end);
            std::mem::swap(&mut fresh, &mut ready);
            let taken = begun.elapsed();
            if taken < WINDOW / 2 {
                window = (window * 2).min(most);
            } else if taken > WINDOW * 4 {
                window = (window / 2).max(least);
            }
        }
    }
}
