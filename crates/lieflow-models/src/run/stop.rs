//! Stopping a run from outside.
use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What may stop a run soon: it is asked between steps. Nothing unless given.
#[derive(Clone, Default)]
pub struct Stop(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Stop {
    /// Stops when this flag is set.
    pub fn when(flag: Arc<AtomicBool>) -> Self {
        Self::asking(move || flag.load(Ordering::Relaxed))
    }

    /// Stops when this says so. It is asked after every step that somebody observes, and about every
    /// 50 ms when nobody does.
    pub fn asking(asked: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(asked)))
    }

    /// Whether to stop.
    pub fn asked(&self) -> bool {
        self.0.as_ref().is_some_and(|asked| asked())
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stop({})", if self.0.is_some() { "…" } else { "" })
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
