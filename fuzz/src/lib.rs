//! Fuzzing in process: targets that are plain functions, texts that are mutated at random but
//! repeatably, and a count of what was done.
//!
//! A target may answer with an error or with a value; it must not panic, abort, hang, or read back
//! something else than was written. An input that did is kept in `corpus/TARGET/`, from where every
//! later run begins.
//!
//! ```text
//! cargo test -p lieflow-fuzz                       a second for each target
//! cargo test -p lieflow-fuzz --release -- --ignored --nocapture     a minute for each on every core;
//!                                                  LIEFLOW_FUZZ_SEED=7 gives other texts, and
//!                                                  LIEFLOW_FUZZ_SECONDS=300 more of them
//! ```
mod mutate;
mod targets;

pub use mutate::{LONGEST, Mutator, Random};
pub use targets::{Target, targets};

use std::time::{Duration, Instant};

/// What a run of a target did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Texts that were given to the target.
    pub executions: u64,
    /// Those that it took for right.
    pub accepted: u64,
    /// The longest that one of them took.
    pub slowest: Duration,
    /// How many bytes that one has.
    pub bytes: usize,
}

/// What a text may take: a second for each megabyte, and as long as one of the longest texts here
/// if it is shorter, because a short one can ask for a large system.
pub fn allowed(bytes: usize) -> Duration {
    Duration::from_secs_f64(1e-6 * bytes.max(LONGEST) as f64)
}

impl Tally {
    /// Adds what another run of the same target did.
    pub fn add(&mut self, other: &Self) {
        self.executions += other.executions;
        self.accepted += other.accepted;
        self.note(other.slowest, other.bytes);
    }

    fn note(&mut self, took: Duration, bytes: usize) {
        if took > self.slowest {
            (self.slowest, self.bytes) = (took, bytes);
        }
    }
}

/// Gives a target its seeds as they are and mutated ones in turn, until the time or the count is over.
/// The same seed gives the same texts, whatever the time.
pub fn run(target: &Target, seed: u64, time: Duration, most: u64) -> Tally {
    let seeds = target.seeds();
    let mut mutator = Mutator::new(seed, &seeds);
    let mut tally = Tally::default();
    let clock = Instant::now();
    let mut text = String::new();
    while tally.executions < most && clock.elapsed() < time {
        let (turn, mutated) = (tally.executions / 2, tally.executions % 2 == 1);
        match seeds.get(turn as usize) {
            Some(seed) if !mutated => text.clone_from(seed),
            _ => mutator.next(&mut text),
        }
        let begun = Instant::now();
        let accepted = (target.run)(&text);
        let mut took = begun.elapsed();
        // A busy machine makes any text slow; a slow text is slow again, by the time that it is worked on.
        if took > allowed(text.len()) {
            took = took.min(worked(|| (target.run)(&text)));
            if took > allowed(text.len()) {
                eprintln!("{}: {took:?} for these {} bytes:\n{text}", target.name, text.len());
            }
        }
        tally.accepted += u64::from(accepted);
        tally.note(took, text.len());
        tally.executions += 1;
    }
    tally
}

/// How long this thread works on something, or by the clock where the system does not tell.
fn worked(work: impl Fn() -> bool) -> Duration {
    let on_core = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
    };
    let (before, begun) = (on_core(), Instant::now());
    work();
    let clock = begun.elapsed();
    before.zip(on_core()).map_or(clock, |(before, now)| now.saturating_sub(before).min(clock))
}
