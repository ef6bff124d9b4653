//! Stopping a run from outside.
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A flag that stops a run soon after it is set; none unless given.
#[derive(Clone, Debug, Default)]
pub struct Stop(Option<Arc<AtomicBool>>);

impl Stop {
    /// Stops when this flag is set.
    pub fn when(flag: Arc<AtomicBool>) -> Self {
        Self(Some(flag))
    }

    /// Whether to stop.
    pub fn asked(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// Who may stop a run is no part of what it computes.
impl PartialEq for Stop {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The least number of steps at a time.
const LEAST: u64 = 256;
/// Steps that nobody observes take about this long between two looks at the flag.
const PATIENCE: Duration = Duration::from_millis(50);

/// Looks at a flag between steps, and often enough when many are made at once.
#[derive(Debug)]
pub struct Attention<'a> {
    stop: &'a Stop,
    batch: Cell<u64>,
    looked: Cell<Instant>,
}

impl<'a> Attention<'a> {
    /// For one run.
    pub fn new(stop: &'a Stop) -> Self {
        Self { stop, batch: Cell::new(LEAST), looked: Cell::new(Instant::now()) }
    }

    /// Whether to stop here.
    pub fn asked(&self) -> bool {
        self.stop.asked()
    }

    /// How many of these steps may be made before the next look.
    pub fn bound(&self, steps: u64) -> u64 {
        if self.stop.0.is_none() || steps <= LEAST {
            return steps;
        }
        if self.asked() {
            return 0;
        }
        let now = Instant::now();
        let taken = now.duration_since(self.looked.replace(now));
        let batch = match self.batch.get() {
            batch if taken < PATIENCE / 4 => batch.saturating_mul(2),
            batch if taken > PATIENCE => (batch / 2).max(LEAST),
            batch => batch,
        };
        self.batch.set(batch);
        steps.min(batch)
    }
}
