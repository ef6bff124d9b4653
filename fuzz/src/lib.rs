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
//!                                                  LIEFLOW_FUZZ_SEED=7 gives other texts
//! ```
mod mutate;
mod targets;

pub use mutate::{Mutator, Random};
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
        tally.accepted += u64::from((target.run)(&text));
        tally.slowest = tally.slowest.max(begun.elapsed());
        tally.executions += 1;
    }
    tally
}
