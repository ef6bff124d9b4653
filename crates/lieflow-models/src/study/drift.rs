//! Long-time behaviour of invariants: does the error drift, or does it only oscillate?
//!
//! A run is cut into blocks. The mean of the error over a block hardly feels the oscillation, and
//! blocks far apart are nearly independent; a straight line through the block means has a slope
//! with an honest standard error, widened by what correlation is left between neighbours. The
//! error *drifts* if the slope is many standard errors away from zero, and is *bounded* otherwise,
//! or if it stays at the level of rounding. The printed slope itself is the least-squares slope over all
//! steps. Everything streams: a run of 10⁹ steps needs no more memory than one of a thousand.
//!
//! Roundings add up to a random walk, and blocks of a walk are not independent: the longer it is, the more
//! standard errors lie between its slope and zero. An error is a walk of roundings, and bounded in that sense, if
//!
//! - after `n` steps its means have come no farther than `√n` times what a step may round away;
//! - what is left of the means beside the line is strongly correlated, as it is in a walk, and not if an
//!   oscillation lies on a drift;
//! - it grows no faster than `√n`: the line changes over the run by no more than a few times what the means change
//!   by from block to block, summed in squares. A drift, however small, changes by eight times that.
use super::StudyError;
use crate::run::{Model, Pace, Plan, RunError, Sink, State};
use lieflow::stepping::Line;
use serde_json::{Map, Value as Json, json};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Blocks of a run.
const BLOCKS: usize = 64;
/// So many standard errors away from zero make a drift.
const FAR: f64 = 5.0;
/// Changes below this, relative to the size of the invariant, are rounding.
const ROUNDING: f64 = 1e-12;
/// So much, relative to the size of the invariant, a step of many stages may round away: 64 units.
const ROUNDED_IN_A_STEP: f64 = 32.0 * f64::EPSILON;
/// A walk changes by so many times the root of the squared changes of its blocks, at most: three standard deviations
/// of what walks do; a drift does by the root of the number of blocks, which is eight.
const WALK: f64 = 4.0;
/// The correlation of neighbouring residuals of a walk, at least; 64 means of walks have 0.8 to 0.9.
const CORRELATED: f64 = 0.6;

/// What the error of an invariant does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It stays at the level of rounding.
    Kept,
    /// It oscillates.
    Bounded,
    /// It is a random walk of roundings.
    Walks,
    /// It grows.
    Drifts,
    /// The run did not get to its end.
    Failed,
}

impl Verdict {
    /// As a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Kept | Self::Bounded | Self::Walks => "bounded",
            Self::Drifts => "drifts",
            Self::Failed => "failed",
        }
    }
}

/// One invariant in one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Drift {
    /// Its name.
    pub name: &'static str,
    /// Its value at the start.
    pub initial: f64,
    /// Least-squares slope of the error over all steps.
    pub slope: f64,
    /// Standard error of the slope.
    pub standard_error: f64,
    /// The largest error.
    pub amplitude: f64,
    /// What it does.
    pub verdict: Verdict,
    /// Means of the error over the blocks: time, mean.
    pub blocks: Vec<(f64, f64)>,
}

/// One method at one step.
#[derive(Clone, Debug, PartialEq)]
pub struct LongRun {
    /// The method.
    pub method: String,
    /// The step; not a number where steps keep a tolerance.
    pub step: f64,
    /// The tolerance, where steps keep one.
    pub tol: Option<f64>,
    /// Steps that were made.
    pub steps: u64,
    /// The invariants.
    pub invariants: Vec<Drift>,
    /// Why it stopped early, if it did.
    pub failure: Option<RunError>,
    /// Wall-clock time.
    pub seconds: f64,
}

impl LongRun {
    /// The step or the tolerance, in a few signs.
    pub fn pace(&self) -> String {
        self.tol.map_or_else(|| format!("h = {}", self.step), |tol| format!("tol = {tol:e}"))
    }
}

/// Runs every method at every step, so many at a time. The order of the results does not depend on
/// the number of threads.
pub fn long_runs(
    model: &dyn Model,
    plan: &Plan,
    methods: &[String],
    steps: &[f64],
    threads: usize,
    told: &(dyn Fn(&LongRun) + Sync),
) -> Result<Vec<LongRun>, StudyError> {
    all(model, methods, steps, |method, step| plan.at(method, step), threads, told)
}

/// The same with every method at every tolerance.
pub fn long_runs_with_tolerances(
    model: &dyn Model,
    plan: &Plan,
    methods: &[String],
    tols: &[f64],
    threads: usize,
    told: &(dyn Fn(&LongRun) + Sync),
) -> Result<Vec<LongRun>, StudyError> {
    all(model, methods, tols, |method, tol| plan.with_tolerance(method, tol), threads, told)
}

fn all(
    model: &dyn Model,
    methods: &[String],
    sizes: &[f64],
    with: impl Fn(&str, f64) -> Plan,
    threads: usize,
    told: &(dyn Fn(&LongRun) + Sync),
) -> Result<Vec<LongRun>, StudyError> {
    let mut jobs = Vec::new();
    for method in methods {
        for size in sizes {
            let mut plan = with(method, *size);
            model.check(&plan)?;
            plan.watch = true;
            plan.every = u64::MAX;
            jobs.push(plan);
        }
    }
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, LongRun)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, jobs.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let k = next.fetch_add(1, Ordering::Relaxed);
                    let Some(plan) = jobs.get(k) else { break };
                    let run = long_run(model, plan);
                    told(&run);
                    if let Ok(mut done) = done.lock() {
                        done.push((k, run));
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(k, _)| *k);
    Ok(done.into_iter().map(|(_, run)| run).collect())
}

fn long_run(model: &dyn Model, plan: &Plan) -> LongRun {
    let length = plan.until - plan.from;
    let (step, tol, block) = match plan.pace {
        Pace::Fixed { step } => {
            let expected = (length.abs() / step).max(1.0);
            (step, None, Block::Steps((expected / BLOCKS as f64).ceil()))
        }
        // Nobody knows how many steps there will be.
        Pace::Adaptive { tol, .. } => {
            let part = length / BLOCKS as f64;
            (f64::NAN, Some(tol), Block::Time { from: plan.from, part })
        }
    };
    let mut watch = Watch { curves: Vec::new(), block };
    let outcome = model.run(plan, &mut watch);
    let (steps, seconds, failure) = match outcome {
        Ok(record) => (record.steps, record.seconds, None),
        Err(failure) => {
            let (steps, seconds) = failure.record.map_or((0, 0.0), |r| (r.steps, r.seconds));
            (steps, seconds, Some(*failure.error))
        }
    };
    let invariants = watch.curves.into_iter().map(|c| c.judge(failure.is_some())).collect();
    LongRun { method: plan.method.clone(), step, tol, steps, invariants, failure, seconds }
}

struct Curve {
    name: &'static str,
    initial: f64,
    amplitude: f64,
    line: Line,
    blocks: Vec<(f64, f64)>,
    /// Count, sum of times and sum of errors of the block that is being filled.
    filling: (f64, f64, f64),
}

impl Curve {
    fn new(name: &'static str) -> Self {
        Self {
            name,
            initial: f64::NAN,
            amplitude: 0.0,
            line: Line::default(),
            blocks: Vec::new(),
            filling: (0.0, 0.0, 0.0),
        }
    }

    fn push(&mut self, t: f64, value: f64, block: Block) {
        let error = value - self.initial;
        self.amplitude = self.amplitude.max(error.abs());
        self.line.push(t, error);
        let (n, times, errors) = &mut self.filling;
        *n += 1.0;
        *times += t;
        *errors += error;
        let full = match block {
            Block::Steps(count) => *n >= count,
            // The end of the next one, with room for roundings at the last.
            Block::Time { from, part } => {
                (t - from) / part + 1e-9 >= (self.blocks.len() + 1) as f64
            }
        };
        if full {
            self.blocks.push((*times / *n, *errors / *n));
            self.filling = (0.0, 0.0, 0.0);
        }
    }
}

/// When a block is full.
#[derive(Clone, Copy)]
enum Block {
    /// After so many steps.
    Steps(f64),
    /// After a part of the time.
    Time { from: f64, part: f64 },
}

struct Watch {
    curves: Vec<Curve>,
    block: Block,
}

/// The drift of a series of times and values from its initial value, judged by the means of blocks of
/// so many.
pub fn judge(
    name: &'static str,
    initial: f64,
    series: impl IntoIterator<Item = (f64, f64)>,
    per_block: u32,
) -> Drift {
    let mut curve = Curve::new(name);
    curve.initial = initial;
    for (t, value) in series {
        curve.push(t, value, Block::Steps(f64::from(per_block)));
    }
    curve.judge(false)
}

impl Sink for Watch {
    fn begin(&mut self, invariants: &[&'static str], _: &State) -> ControlFlow<()> {
        self.curves = invariants.iter().map(|name| Curve::new(name)).collect();
        ControlFlow::Continue(())
    }
    fn sample(&mut self, _: &State, invariants: &[f64]) -> ControlFlow<()> {
        for (curve, value) in self.curves.iter_mut().zip(invariants) {
            if curve.initial.is_nan() {
                curve.initial = *value;
            }
        }
        ControlFlow::Continue(())
    }
    fn step(&mut self, t: f64, invariants: &[f64]) -> ControlFlow<()> {
        for (curve, value) in self.curves.iter_mut().zip(invariants) {
            curve.push(t, *value, self.block);
        }
        ControlFlow::Continue(())
    }
}

impl Curve {
    fn judge(self, failed: bool) -> Drift {
        let (block_slope, standard_error, correlation) = through(&self.blocks);
        let slope = self.line.slope();
        let length = match (self.blocks.first(), self.blocks.last()) {
            (Some(a), Some(b)) => (b.0 - a.0).abs(),
            _ => 0.0,
        };
        let size = self.initial.abs().max(1.0);
        let verdict = if failed {
            Verdict::Failed
        } else if self.amplitude <= ROUNDING * size {
            Verdict::Kept
        } else if block_slope.abs() > FAR * standard_error && slope.abs() * length > ROUNDING * size
        {
            if correlation > CORRELATED && self.walks(size, slope * length) {
                Verdict::Walks
            } else {
                Verdict::Drifts
            }
        } else {
            Verdict::Bounded
        };
        Drift {
            name: self.name,
            initial: self.initial,
            slope,
            standard_error,
            amplitude: self.amplitude,
            verdict,
            blocks: self.blocks,
        }
    }
}

impl Curve {
    /// Whether an error that changes so much over the run may be a walk of roundings.
    fn walks(&self, size: f64, change: f64) -> bool {
        let steps = self.line.count() as f64;
        let squares: f64 = self.blocks.windows(2).map(|w| (w[1].1 - w[0].1).powi(2)).sum();
        // Without the oscillation, on top of which it may be.
        let far = self.blocks.iter().map(|b| (b.1 - self.blocks[0].1).abs()).fold(0.0, f64::max);
        far <= ROUNDED_IN_A_STEP * size * steps.sqrt() && change.abs() <= WALK * squares.sqrt()
    }
}

/// Slope of a line through points, its standard error, widened by the correlation between neighbouring
/// residuals, and this correlation.
fn through(points: &[(f64, f64)]) -> (f64, f64, f64) {
    let mut line = Line::new();
    points.iter().for_each(|(t, y)| line.push(*t, *y));
    if points.len() < 4 {
        return (line.slope(), f64::INFINITY, 0.0);
    }
    let residuals: Vec<f64> = points.iter().map(|(t, y)| y - line.value(*t)).collect();
    let sum: f64 = residuals.iter().map(|r| r * r).sum();
    let lagged: f64 = residuals.windows(2).map(|w| w[0] * w[1]).sum();
    let correlation = if sum > 0.0 { (lagged / sum).clamp(0.0, 0.95) } else { 0.0 };
    let widened = ((1.0 + correlation) / (1.0 - correlation)).sqrt();
    (line.slope(), line.standard_error() * widened, correlation)
}

/// The document of `drift --json`.
pub fn to_json(runs: &[LongRun]) -> Json {
    let methods = runs.iter().map(|run| {
        let invariants: Map<String, Json> = run
            .invariants
            .iter()
            .map(|d| {
                let entry = json!({
                    "slope": d.slope, "standard_error": d.standard_error,
                    "amplitude": d.amplitude, "initial": d.initial, "verdict": d.verdict.word(),
                });
                (d.name.to_string(), entry)
            })
            .collect();
        json!({
            "method": run.method, "step": run.step, "tol": run.tol, "steps": run.steps,
            "seconds": run.seconds,
            "failure": run.failure.as_ref().map(RunError::to_string),
            "invariants": invariants,
        })
    });
    json!({ "methods": methods.collect::<Vec<_>>() })
}
