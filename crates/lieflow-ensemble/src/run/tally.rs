//! Sums over all trajectories so far.
use super::Block;
use crate::statistics::Statistics;

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
            let sums = &block.sums;
            self.steps += sums.steps;
            self.seconds += sums.seconds;
            self.failed += sums.failed;
            if sums.failed > 0 {
                self.name_failures(block);
            }
        }
        let tables = blocks.iter().map(|block| (&block.table, block.sums.rows));
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
