//! Runs an ensemble on all cores.
use crate::design::{Design, Form};
use crate::statistics::Statistics;
use crate::store::{Manifest, Rows, Store, StoreError};
use crate::tracks::{Shape, Tracks};
use crate::trajectory::{alone, observables};
use crate::wide::{self, Found, Together, Vectors};
use lieflow_models::door::{Model, Plan, RunError, SpecError};
use rayon::prelude::*;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Blocks are collected, written and noted in windows that take about this long.
const WINDOW: Duration = Duration::from_millis(400);

/// The numbers that a window may hold at most: constant memory, however large a state is.
const ROOM: u64 = 1 << 21;

/// The trajectories of a core that a window may hold at most: the numbers of small systems stay in
/// its cache until the statistics have read them.
const LARGEST: u64 = 1 << 11;

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
    let mut form = design.form();
    let mut numbers = Vec::new();
    form.draw(0, &mut numbers);
    let first = form.build(&numbers)?;
    first.check(&design.plan)?;
    let observables = observables(first.as_ref(), design.plan.from);
    let mut vectors = Vectors::found();
    vectors.retain(|v| settings.lanes.is_none_or(|n| v.lanes() == n) && !design.varies_plan());
    let side_by_side = vectors.into_iter().find_map(|vectors| {
        Some((wide::together(first.as_ref(), &design.plan, vectors)?, vectors.lanes()))
    });
    let (together, lanes) = side_by_side.map_or((None, 1), |(how, lanes)| (Some(how), lanes));
    let shape = Arc::new(Shape {
        invariants: first.invariants(),
        width: observables.len(),
        times: design.times.len(),
        block: lanes.max(8),
        alike: design.varies_only("initial"),
    });
    let manifest = Manifest::of(design, problem, observables, range);
    let (mut store, statistics) = match dir {
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
    let mut sums = Sums { steps: 0, failed: 0, failures: Vec::new(), seconds: 0.0, statistics };
    let block = shape.block as u64;
    let least = block * threads as u64;
    let row = (shape.width * shape.times).max(1) as u64;
    let most = (ROOM / row).clamp(least, LARGEST * threads as u64);
    let mut window = (4 * least).min(most);
    // Each worker fills a form of its own, again and again.
    let desks: Vec<Mutex<Desk<'_>>> =
        (0..threads).map(|_| Mutex::new(Desk::new(design, together, store.is_some()))).collect();
    // While one window is computed, the one before is summed up and written.
    let (mut fresh, mut done): (Vec<Block>, Vec<Block>) = (Vec::new(), Vec::new());
    loop {
        let end = (next + window).min(range.1);
        let begun = Instant::now();
        let count = (end - next).div_ceil(block) as usize;
        fresh.resize_with(count.max(fresh.len()), || Block::new(shape.clone(), numbers.len()));
        let (computed, rest) = fresh.split_at_mut(count);
        rest.iter_mut().for_each(Block::clear);
        let compute = |(k, out): (usize, &mut Block)| {
            let start = next + k as u64 * block;
            let worker = rayon::current_thread_index().unwrap_or(0) % desks.len();
            let mut desk = desks[worker].lock().unwrap_or_else(PoisonError::into_inner);
            desk.run(start, (start + block).min(end), out);
        };
        let collect = || -> Result<(), StoreError> {
            if done.is_empty() {
                return Ok(());
            }
            sums.add(&done);
            match &mut store {
                Some(store) => store.add(done.iter().map(|block| &block.rows), next),
                None => Ok(()),
            }
        };
        pool.install(|| {
            let all = || computed.par_iter_mut().enumerate().for_each(compute);
            rayon::join(collect, all).0
        })?;
        if !done.is_empty() {
            told(next - range.0);
        }
        if next >= range.1 {
            break;
        }
        next = end;
        std::mem::swap(&mut fresh, &mut done);
        let taken = begun.elapsed();
        if taken < WINDOW / 2 {
            window = (window * 2).min(most);
        } else if taken > WINDOW * 4 {
            window = (window / 2).max(least);
        }
    }
    let files = match store {
        None => Vec::new(),
        Some(store) => store.finish(&manifest, &sums.statistics)?,
    };
    Ok(Outcome {
        range,
        resumed,
        steps: sums.steps,
        seconds: clock.elapsed().as_secs_f64(),
        integration_seconds: sums.seconds,
        threads,
        lanes,
        statistics: sums.statistics,
        failed: sums.failed,
        failures: sums.failures,
        files,
    })
}

/// What is known of all trajectories so far.
struct Sums {
    steps: u64,
    failed: u64,
    failures: Vec<(u64, Vec<f64>, String)>,
    seconds: f64,
    statistics: Statistics,
}

impl Sums {
    /// Takes in blocks, which follow those taken in before.
    fn add(&mut self, blocks: &[Block]) {
        for block in blocks {
            for (k, end) in block.tracks.ends.iter().enumerate() {
                self.steps += end.steps;
                self.seconds += end.seconds;
                let Some(failure) = &end.failure else { continue };
                self.failed += 1;
                if self.failures.len() < NAMED {
                    let inputs = block.inputs_of(k).to_vec();
                    let index = block.start + k as u64;
                    self.failures.push((index, inputs, failure.reason.clone()));
                }
            }
        }
        let tracks: Vec<&Tracks> = blocks.iter().map(|block| &block.tracks).collect();
        self.statistics.feed(&tracks);
    }
}

/// A few trajectories with neighbouring indices.
struct Block {
    /// The first of them.
    start: u64,
    /// The varied numbers of all.
    inputs: Vec<f64>,
    tracks: Tracks,
    rows: Rows,
}

impl Block {
    /// An empty one, for trajectories with so many varied numbers.
    fn new(shape: Arc<Shape>, inputs: usize) -> Self {
        let (inputs, rows) = (Vec::with_capacity(inputs * shape.block), Rows::default());
        Self { start: 0, inputs, tracks: Tracks::new(shape), rows }
    }

    fn clear(&mut self) {
        self.inputs.clear();
        self.tracks.clear();
        self.rows.clear();
    }

    /// The varied numbers of one of them.
    fn inputs_of(&self, k: usize) -> &[f64] {
        let width = self.inputs.len() / self.tracks.ends.len().max(1);
        &self.inputs[k * width..(k + 1) * width]
    }
}

/// A system with its plan, unless it has that of all; or why there is none.
type System = Result<(Box<dyn Model>, Option<Box<Plan>>), String>;

/// What a worker computes with.
struct Desk<'a> {
    design: &'a Design,
    form: Form<'a>,
    together: Option<(Together, Found)>,
    /// Whether rows are written.
    write: bool,
    systems: Vec<System>,
}

impl<'a> Desk<'a> {
    fn new(design: &'a Design, together: Option<(Together, Found)>, write: bool) -> Self {
        Self { design, form: design.form(), together, write, systems: Vec::new() }
    }

    /// Computes the trajectories from `start` up to `end`.
    fn run(&mut self, start: u64, end: u64, block: &mut Block) {
        block.clear();
        block.start = start;
        for (k, index) in (start..end).enumerate() {
            let first = block.inputs.len();
            self.form.draw(index, &mut block.inputs);
            let numbers = &block.inputs[first..];
            // Where there is a system of the block before, it is used again if it can be.
            let last = self.systems.get_mut(k);
            if let Some(Ok((model, None))) = last
                && self.form.refill(model.as_mut(), numbers)
            {
                continue;
            }
            let model = self.form.build(numbers);
            let system = model.and_then(|model| Ok((model, self.form.plan()?)));
            let system = system.map_err(|error| error.to_string());
            match self.systems.get_mut(k) {
                Some(last) => *last = system,
                None => self.systems.push(system),
            }
        }
        self.systems.truncate((end - start) as usize);
        if self.side_by_side(&mut block.tracks).is_none() {
            block.tracks.clear();
            self.one_by_one(&mut block.tracks);
        }
        if self.write {
            block.rows.push(start, &block.inputs, &self.design.times, &block.tracks);
        }
    }

    fn side_by_side(&self, tracks: &mut Tracks) -> Option<()> {
        let (together, found) = self.together?;
        let mut models: Vec<&dyn Model> = Vec::with_capacity(self.systems.len());
        for system in &self.systems {
            models.push(system.as_ref().ok()?.0.as_ref());
        }
        together(&models, &self.design.plan, found, tracks)
    }

    fn one_by_one(&self, tracks: &mut Tracks) {
        for system in &self.systems {
            match system {
                Ok((model, plan)) => {
                    alone(model.as_ref(), plan.as_deref().unwrap_or(&self.design.plan), tracks);
                }
                Err(reason) => tracks.stillborn(self.design.plan.from, reason.clone()),
            }
        }
    }
}
