//! Sums over all trajectories so far.
use super::Block;
use crate::statistics::Statistics;
use rayon::prelude::*;

/// How many failures are named in the outcome; a keeper gets all of them.
pub const NAMED: usize = 20;

/// Blocks that a thread sums up at least.
const SHARE: usize = 64;

/// What is known of all trajectories so far.
pub struct Tally {
    pub steps: u64,
    pub failed: u64,
    pub failures: Vec<(u64, Vec<f64>, String)>,
    pub seconds: f64,
    pub statistics: Statistics,
}

impl Tally {
    /// Goes on from the statistics of an earlier run.
    pub fn new(statistics: Statistics) -> Self {
        Self { steps: 0, failed: 0, failures: Vec::new(), seconds: 0.0, statistics }
    }

    /// Adds blocks, which follow those added before.
    pub fn add(&mut self, blocks: &[Block]) {
        let sums: Vec<Sums> = blocks.par_iter().with_min_len(SHARE).map(Sums::of).collect();
        for (block, sums) in blocks.iter().zip(&sums) {
            self.steps += sums.steps;
            self.seconds += sums.seconds;
            self.failed += sums.failed;
            if sums.failed > 0 {
                self.name_failures(block);
            }
        }
        let tables = blocks.iter().zip(&sums).map(|(block, sums)| (&block.table, sums.rows));
        self.statistics.feed(&tables.collect::<Vec<_>>());
    }

    fn name_failures(&mut self, block: &Block) {
        let failed = block.ends().iter().enumerate();
        let failed = failed.filter_map(|(k, end)| Some((k, end.failure.as_ref()?)));
        for (k, failure) in failed.take(NAMED - self.failures.len()) {
            let inputs = block.inputs_of(k).to_vec();
            self.failures.push((block.start() + k as u64, inputs, failure.reason.clone()));
        }
    }
}

/// What the ends of a block add up to.
struct Sums {
    steps: u64,
    seconds: f64,
    failed: u64,
    /// The rows that all its trajectories have.
    rows: usize,
}

impl Sums {
    fn of(block: &Block) -> Self {
        let mut sums = Self { steps: 0, seconds: 0.0, failed: 0, rows: usize::MAX };
        for end in block.ends() {
            sums.steps += end.steps;
            sums.seconds += end.seconds;
            sums.failed += u64::from(end.failure.is_some());
            sums.rows = sums.rows.min(end.rows);
        }
        sums
    }
}
