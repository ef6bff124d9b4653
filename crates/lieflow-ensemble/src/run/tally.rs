//! Sums over all trajectories so far.
use super::Block;
use crate::statistics::Statistics;
use crate::table::TrajectoryTable;

/// How many failures are named in the outcome; a keeper gets all of them.
pub const NAMED: usize = 20;

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
        for block in blocks {
            for (k, end) in block.ends().iter().enumerate() {
                self.steps += end.steps;
                self.seconds += end.seconds;
                let Some(failure) = &end.failure else { continue };
                self.failed += 1;
                if self.failures.len() < NAMED {
                    let index = block.start() + k as u64;
                    let inputs = block.inputs_of(k).to_vec();
                    self.failures.push((index, inputs, failure.reason.clone()));
                }
            }
        }
        let tables: Vec<&TrajectoryTable> = blocks.iter().map(|block| &block.table).collect();
        self.statistics.feed(&tables);
    }
}
