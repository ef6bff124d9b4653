//! Runs an ensemble on all cores.
use crate::design::{Design, Form};
use crate::statistics::Statistics;
use crate::store::{Manifest, Rows, Store, StoreError};
use crate::trajectory::{Track, alone, observables};
use crate::wide::{self, Found, Together, Vectors};
use lieflow_models::door::{Model, Plan, RunError, SpecError};
use rayon::prelude::*;
use serde_json::Value as Json;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Blocks are collected, written and noted in windows that take about this long.
const WINDOW: Duration = Duration::from_millis(400);

/// The numbers that a window may hold at most: constant memory, however large a state is.
const ROOM: u64 = 1 << 22;

/// How an ensemble is run; nothing here changes its results.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Trajectories at a time; as many as there are cores if zero.
    pub threads: usize,
    /// Trajectories side by side in a core, as many as [some vectors](Vectors::found) have lanes; as
    /// many as the widest have unless given, and one at a time if there are no such vectors.
    pub lanes: Option<usize>,
    /// Which shard, counted from one, of how many; the whole unless given.
    pub shard: Option<(u64, u64)>,
}

/// What an ensemble yields.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The indices that were asked for, the second one not included.
    pub range: (u64, u64),
    /// How many of them were found done in the files of an earlier run.
    pub resumed: u64,
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
    /// Means, extremes and quantiles.
    pub statistics: Statistics,
    /// How many trajectories that were run now failed.
    pub failed: u64,
    /// The first of them: index, varied numbers, reason.
    pub failures: Vec<(u64, Vec<f64>, String)>,
    /// The files.
    pub files: Vec<PathBuf>,
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
}

/// How many failures are named in the outcome; all are in the files.
const NAMED: usize = 20;

/// Runs an ensemble, into a folder if there is one. `told` hears how many are done.
pub fn run(
    design: &Design,
    problem: Json,
    settings: Settings,
    dir: Option<&Path>,
    told: &dyn Fn(u64),
) -> Result<Outcome, EnsembleError> {
    let clock = Instant::now();
    let (k, n) = settings.shard.unwrap_or((1, 1));
    let cut = |k: u64| (u128::from(design.count) * u128::from(k) / u128::from(n)) as u64;
    let range = (cut(k - 1), cut(k));
    // The first trajectory shows whether the plan fits, and what there is to observe.
    let first = design.form().fill(0).1?;
    first.check(&design.plan)?;
    let observables = observables(first.as_ref(), design.plan.from);
    let mut vectors = Vectors::found().into_iter();
    let vectors = vectors.find(|v| settings.lanes.is_none_or(|n| v.lanes() == n));
    let lanes = vectors.map_or(1, Vectors::lanes);
    let shared = !design.vary.iter().any(|v| v.key.starts_with("solve."));
    let together = vectors
        .filter(|_| shared)
        .and_then(|vectors| wide::together(first.as_ref(), &design.plan, vectors));
    let manifest = Manifest::of(design, problem, observables, range);
    let (mut store, mut statistics) = match dir {
        None => (None, manifest.statistics()),
        Some(dir) => {
            let (store, statistics) = Store::open(dir, &manifest)?;
            (Some(store), statistics)
        }
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(settings.threads).build()?;
    let threads = pool.current_num_threads();
    let mut next = store.as_ref().map_or(range.0, Store::done);
    let resumed = next - range.0;
    let (mut steps, mut failed, mut failures, mut integration_seconds) = (0, 0, Vec::new(), 0.0);
    let block = lanes.max(8) as u64;
    let least = block * threads as u64;
    let row = (manifest.observables.len() * design.times.len()).max(1) as u64;
    let most = (ROOM / row).clamp(least, 1 << 16);
    let mut window = (4 * least).min(most);
    while next < range.1 {
        let end = (next + window).min(range.1);
        let begun = Instant::now();
        let starts: Vec<u64> = (next..end).step_by(block as usize).collect();
        // The form is filled again and again by the same worker.
        let write = store.is_some();
        let work = |form: &mut Form<'_>, start: &u64| {
            Block::run(design, form, *start, (*start + block).min(end), together, write)
        };
        let blocks: Vec<Block> =
            pool.install(|| starts.par_iter().map_init(|| design.form(), work).collect());
        let mut index = next;
        for block in &blocks {
            for (inputs, track) in block.inputs.iter().zip(&block.tracks) {
                steps += track.steps;
                integration_seconds += track.seconds;
                if let Some(failure) = &track.failure {
                    failed += 1;
                    if failures.len() < NAMED {
                        failures.push((index, inputs.clone(), failure.reason.clone()));
                    }
                }
                index += 1;
            }
        }
        let groups: Vec<&[Track]> = blocks.iter().map(|block| block.tracks.as_slice()).collect();
        pool.install(|| statistics.feed(&groups));
        next = end;
        if let Some(store) = &mut store {
            store.add(blocks.iter().map(|block| &block.rows), next)?;
        }
        // Many small pieces of memory, which each core gives back faster than one for all.
        pool.install(|| blocks.into_par_iter().for_each(drop));
        told(next - range.0);
        let taken = begun.elapsed();
        if taken < WINDOW / 2 {
            window = (window * 2).min(most);
        } else if taken > WINDOW * 4 {
            window = (window / 2).max(least);
        }
    }
    let files = match store {
        None => Vec::new(),
        Some(store) => store.finish(&manifest, &statistics)?,
    };
    Ok(Outcome {
        range,
        resumed,
        steps,
        seconds: clock.elapsed().as_secs_f64(),
        integration_seconds,
        threads,
        lanes: if together.is_some() { lanes } else { 1 },
        statistics,
        failed,
        failures,
        files,
    })
}

/// A few trajectories with neighbouring indices.
struct Block {
    inputs: Vec<Vec<f64>>,
    tracks: Vec<Track>,
    rows: Rows,
}

impl Block {
    fn run(
        design: &Design,
        form: &mut Form<'_>,
        start: u64,
        end: u64,
        together: Option<(Together, Found)>,
        write: bool,
    ) -> Self {
        let mut inputs = Vec::new();
        let mut systems: Vec<Result<(Box<dyn Model>, Cow<'_, Plan>), String>> = Vec::new();
        for index in start..end {
            let (numbers, model) = form.fill(index);
            inputs.push(numbers);
            let system = model.and_then(|model| Ok((model, form.plan()?)));
            systems.push(system.map_err(|error| error.to_string()));
        }
        let side_by_side = || {
            let (together, found) = together?;
            let models: Option<Vec<&dyn Model>> =
                systems.iter().map(|s| s.as_ref().ok().map(|(model, _)| model.as_ref())).collect();
            together(&models?, &design.plan, found)
        };
        let tracks = side_by_side().unwrap_or_else(|| {
            let track = |system: &Result<(Box<dyn Model>, Cow<'_, Plan>), String>| match system {
                Ok((model, plan)) => alone(model.as_ref(), plan),
                Err(reason) => Track::stillborn(design.plan.from, reason.clone()),
            };
            systems.iter().map(track).collect()
        });
        let mut rows = Rows::default();
        if write {
            for (k, (inputs, track)) in inputs.iter().zip(&tracks).enumerate() {
                rows.push(start + k as u64, inputs, track, design.times.len());
            }
        }
        Self { inputs, tracks, rows }
    }
}
