//! Runs an ensemble, or a part of it, on all cores.
//!
//! A [`Job`] says what to run and how; its trajectories go to a [`Keeper`]. Inside, `worker` computes
//! a [`Block`] of trajectories, and `windows` hand blocks on in the order of the index.
use crate::design::Design;
use crate::keeper::Keeper;
use crate::statistics::Statistics;
use crate::store::{Folder, Manifest, StoreError};
use lieflow_device::Device;
use lieflow_device::catalogue::Refusal;
use lieflow_models::problem_file::SpecError;
use lieflow_models::run::RunError;
use serde_json::Value as Json;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

mod block;
mod chunk;
mod device;
mod pipeline;
mod setup;
mod tally;
mod windows;
mod worker;

pub use block::Block;
pub use device::{OnDevice, check_device};

use setup::Setup;
pub(crate) use tally::NAMED;
use tally::Tally;
use windows::Windows;

/// How an ensemble is run; nothing here changes its results.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Trajectories at a time; as many as there are cores if zero.
    pub threads: usize,
    /// Trajectories side by side in a core, as many as [some
    /// vectors](crate::wide::VectorInstructions::detect) have lanes; as many as the widest have
    /// unless given, and one at a time if there are no such vectors.
    pub lanes: Option<usize>,
    /// Which shard, counted from one, of how many; the whole unless given.
    pub shard: Option<(u64, u64)>,
}

impl Settings {
    /// The indices of the shard of an ensemble of so many trajectories.
    pub fn range(&self, count: u64) -> Range<u64> {
        let (k, n) = self.shard.unwrap_or((1, 1));
        let cut = |k: u64| (u128::from(count) * u128::from(k) / u128::from(n.max(1))) as u64;
        cut(k.saturating_sub(1))..cut(k)
    }
}

/// What an ensemble yields.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The indices that were asked for, the second one not included.
    pub range: (u64, u64),
    /// How many of them were found done by an earlier run.
    pub resumed: u64,
    /// The index of the first one that is still missing; the end of the range if all are done.
    pub done: u64,
    /// Whether the run was stopped before its end.
    pub interrupted: bool,
    /// Accepted steps of all trajectories that were run now.
    pub steps: u64,
    /// Wall-clock time.
    pub seconds: f64,
    /// The time of integration alone, summed over all cores.
    pub integration_seconds: f64,
    /// Cores at work.
    pub threads: usize,
    /// Trajectories side by side in a core.
    pub lanes: usize,
    /// What was computed on devices, if there were any.
    pub device: Option<OnDevice>,
    /// Means, extremes and quantiles.
    pub statistics: Statistics,
    /// How many trajectories that were run now failed.
    pub failed: u64,
    /// The first of them: index, varied numbers, reason.
    pub failures: Vec<(u64, Vec<f64>, String)>,
    /// The files.
    pub files: Vec<PathBuf>,
}

impl Outcome {
    /// Whether trajectories were asked for, and none has reached the end.
    pub fn all_failed(&self) -> bool {
        let last = self.statistics.times.len().saturating_sub(1);
        let reached =
            self.statistics.at(last).next().is_some_and(|(_, cell)| cell.moments.count > 0);
        !self.interrupted && self.range.0 < self.range.1 && !reached
    }
}

/// Why an ensemble could not be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EnsembleError {
    /// The problem or its design is wrong.
    #[error("{0}")]
    Spec(#[from] SpecError),
    /// Its plan does not fit its system.
    #[error("{0}")]
    Run(#[from] RunError),
    /// Files cannot be used.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// Threads could not be started.
    #[error("threads could not be started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// It does not run on a device.
    #[error("{0}")]
    Refused(#[from] Refusal),
    /// Trajectories that the ensemble does not have.
    #[error("found the range of trajectories {found:?}, expected a part of 0..{count}")]
    Range {
        /// The range.
        found: Range<u64>,
        /// How many trajectories there are.
        count: u64,
    },
}

/// An ensemble to be run.
#[derive(Clone)]
pub struct Job<'a> {
    design: &'a Design,
    problem: Json,
    settings: Settings,
    range: Range<u64>,
    stop: Option<&'a AtomicBool>,
    progress: &'a dyn Fn(u64),
    devices: &'a [Box<dyn Device>],
}

impl<'a> Job<'a> {
    /// The shard of the settings; `problem` is the document of the design, for the manifest.
    pub fn new(design: &'a Design, problem: Json, settings: Settings) -> Self {
        let range = settings.range(design.count);
        Self { design, problem, settings, range, stop: None, progress: &|_| {}, devices: &[] }
    }

    /// Only these trajectories, in place of the shard.
    pub fn range(self, range: Range<u64>) -> Self {
        Self { range, ..self }
    }

    /// Stops soon after the flag is set, with all blocks handed over that were complete. A flag in the
    /// plan of the design does the same, and breaks off blocks that take long.
    pub fn stop(self, flag: &'a AtomicBool) -> Self {
        Self { stop: Some(flag), ..self }
    }

    /// Hears now and then how many trajectories are done.
    pub fn progress(self, progress: &'a dyn Fn(u64)) -> Self {
        Self { progress, ..self }
    }

    /// The steps are made by these devices, the rest by this machine. [`check_device`] says whether they
    /// can make them; if a device fails, this machine goes on by itself.
    pub fn devices(self, devices: &'a [Box<dyn Device>]) -> Self {
        Self { devices, ..self }
    }

    /// Runs it and hands all trajectories to the keeper.
    pub fn run(self, keeper: &mut dyn Keeper) -> Result<Outcome, EnsembleError> {
        let clock = Instant::now();
        let Self { design, settings, range, .. } = self;
        if range.start > range.end || range.end > design.count {
            return Err(EnsembleError::Range { found: range, count: design.count });
        }
        let setup = Setup::new(design, settings, false)?;
        let manifest = Manifest::new(design, self.problem, setup.observables.clone(), &range);
        let (begin, statistics) = match keeper.begin(&manifest)? {
            Some(earlier) => (earlier.done.clamp(range.start, range.end), earlier.statistics),
            None => (range.start, manifest.statistics()),
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads).build()?;
        let mut tally = Tally::new(statistics);
        let windows = Windows {
            setup: &setup,
            pool: &pool,
            range: range.clone(),
            stop: self.stop,
            progress: self.progress,
        };
        let (mut reached, mut device) = (begin, None);
        if !self.devices.is_empty() {
            let on_device;
            (reached, on_device) = device::run(&windows, self.devices, begin, keeper, &mut tally)?;
            device = Some(on_device);
        }
        let done = windows.run(reached, keeper, &mut tally)?;
        let interrupted = done < range.end;
        let files = if interrupted {
            keeper.pause()?;
            Vec::new()
        } else {
            keeper.finish(&manifest, &tally.statistics)?
        };
        Ok(Outcome {
            range: (range.start, range.end),
            resumed: begin - range.start,
            done,
            interrupted,
            steps: tally.steps,
            seconds: clock.elapsed().as_secs_f64(),
            integration_seconds: tally.seconds,
            threads: pool.current_num_threads(),
            lanes: setup.lanes,
            device,
            statistics: tally.statistics,
            failed: tally.failed,
            failures: tally.failures,
            files,
        })
    }
}

/// Runs an ensemble, into a folder if there is one. `progress` hears how many are done.
pub fn run(
    design: &Design,
    problem: Json,
    settings: Settings,
    dir: Option<&Path>,
    progress: &dyn Fn(u64),
) -> Result<Outcome, EnsembleError> {
    let job = Job::new(design, problem, settings).progress(progress);
    match dir {
        None => job.run(&mut ()),
        Some(dir) => job.run(&mut Folder::new(dir)),
    }
}
