//! Checkpoints while a run goes on.
use super::checkpoint::{Checkpoint, Moment, RUNNING};
use crate::output::message;
use lieflow_files::replace;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Writing checkpoints takes at most one part in so many of the time.
const SHARE: u32 = 20;
/// After one that could not be written, the next one is tried so much later.
const LATER: Duration = Duration::from_secs(600);
/// Looks at the clock are to be about this far apart.
const LOOK: Duration = Duration::from_millis(1);
/// The most steps between two looks.
const MOST_STEPS: u32 = 4096;

/// Takes checkpoints every few seconds, and one before the end.
pub struct Keeping {
    place: PathBuf,
    checkpoint: Checkpoint,
    began: Instant,
    /// What the run had taken before it went on.
    seconds: f64,
    every: Duration,
    next: Instant,
    looked: Instant,
    /// Steps between two looks at the clock, and those left.
    stride: u32,
    left: u32,
    /// No checkpoints can be had, and nobody is told again.
    given_up: bool,
    /// A checkpoint was written.
    pub written: bool,
}

impl Keeping {
    /// For a run in this folder that has not begun, or goes on.
    pub fn new(dir: &Path, checkpoint: Checkpoint, seconds: f64, every: Duration) -> Self {
        let now = Instant::now();
        Self {
            place: dir.join(RUNNING),
            checkpoint,
            began: now,
            seconds,
            every,
            next: now + every,
            looked: now,
            stride: 1,
            left: 1,
            given_up: false,
            written: false,
        }
    }

    /// Whether a checkpoint is wanted before the next step.
    pub fn due(&mut self, last: bool) -> bool {
        !self.given_up && ((last && self.checkpoint.before_end.is_none()) || self.time_has_come())
    }

    fn time_has_come(&mut self) -> bool {
        self.left -= 1;
        if self.left > 0 {
            return false;
        }
        let now = Instant::now();
        let taken = now.duration_since(std::mem::replace(&mut self.looked, now));
        self.stride = match self.stride {
            stride if taken < LOOK / 2 => (stride * 2).min(MOST_STEPS),
            stride if taken > LOOK => (stride / 2).max(1),
            stride => stride,
        };
        self.left = self.stride;
        now >= self.next
    }

    /// A checkpoint at `t`. If it is time, it is written; what it counts on must be on the disk then,
    /// for which `settle` is called.
    pub fn take(
        &mut self,
        taken: Result<Vec<u64>, &'static str>,
        t: f64,
        last: bool,
        settle: impl FnOnce() -> std::io::Result<()>,
    ) {
        let words = match taken {
            Ok(words) => words,
            Err(because) => {
                self.given_up = true;
                message(&format!("warning: this run has no checkpoints: {because}"));
                return;
            }
        };
        let moment = Moment { t, words };
        if last && self.checkpoint.before_end.is_none() {
            self.checkpoint.before_end = Some(moment.clone());
        }
        self.checkpoint.now = Some(moment);
        let before = Instant::now();
        if before < self.next {
            return;
        }
        self.checkpoint.seconds = self.seconds();
        let written = settle()
            .map_err(|error| error.to_string())
            .and_then(|()| self.write().map_err(|error| error.to_string()));
        match written {
            Ok(()) => self.written = true,
            Err(error) => {
                message(&format!("warning: a checkpoint could not be written: {error}"));
                self.next = before + LATER;
                return;
            }
        }
        let now = Instant::now();
        self.next = now + self.every.max(SHARE * now.duration_since(before));
    }

    fn write(&self) -> Result<(), lieflow_files::FileError> {
        replace(&self.place, &self.checkpoint.to_bytes())
    }

    /// The seconds that the run has taken, in all its parts.
    pub fn seconds(&self) -> f64 {
        self.seconds + self.began.elapsed().as_secs_f64()
    }

    /// What had been taken before the run went on.
    pub fn seconds_before(&self) -> f64 {
        self.seconds
    }

    /// The checkpoint of a run that has ended: if it was interrupted, where; else before its end, so
    /// that it is the same whenever checkpoints were taken.
    pub fn last(self, complete: bool, interrupted: bool) -> Option<Checkpoint> {
        let Self { mut checkpoint, given_up, .. } = self;
        checkpoint.complete = complete;
        checkpoint.seconds = 0.0;
        if !interrupted {
            checkpoint.now = None;
        }
        (!given_up).then_some(checkpoint)
    }
}
