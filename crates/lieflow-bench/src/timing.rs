//! Taking times on a machine that others use too.
use std::time::{Duration, Instant};

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Rounds at least.
    pub rounds: usize,
    /// Time at least, for what takes less.
    pub least: Duration,
    /// Whether long cases are left out.
    pub quick: bool,
}

impl Default for Effort {
    fn default() -> Self {
        Self { rounds: 5, least: Duration::from_millis(150), quick: false }
    }
}

impl Effort {
    /// The smallest of the times that `once` returns, in seconds.
    pub fn smallest<E>(&self, mut once: impl FnMut() -> Result<f64, E>) -> Result<f64, E> {
        let begun = Instant::now();
        let (mut best, mut rounds) = (f64::INFINITY, 0);
        while rounds < self.rounds || begun.elapsed() < self.least {
            best = best.min(once()?);
            rounds += 1;
        }
        Ok(best)
    }
}
