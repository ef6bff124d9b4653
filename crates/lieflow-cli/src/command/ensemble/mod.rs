//! `lieflow ensemble`: many trajectories of one problem with varied data.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::{DeviceOption, ProblemOptions, Shard, Show, threads};
use crate::output::progress::Progress;
use crate::signal;
use clap::Args;
use lieflow_ensemble::design::Design;
use lieflow_ensemble::memory;
use lieflow_ensemble::run::{Job, Settings, check_device};
use lieflow_ensemble::store::Folder;
use lieflow_ensemble::wide::VectorInstructions;
use lieflow_models::problem_file::{MOST_TABLE_BYTES, read_text};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

pub(super) mod result;

/// Many trajectories of one problem with varied data, on all cores and SIMD lanes
#[derive(Args, Debug)]
#[command(mut_arg("problem", |arg| {
    arg.help("A problem file with a table [ensemble], or a built-in problem that has one")
}))]
pub struct Ensemble {
    #[command(flatten)]
    problem: ProblemOptions,
    /// Write final.csv, statistics.csv, report.html and more into this folder; a run that was
    /// interrupted goes on from what is there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Only this part of the trajectories, such as 3/8; `lieflow merge` puts the parts together. `auto`
    /// asks the launcher (srun, mpirun, a job array), and writes to a folder of its own below --out
    #[arg(long, value_name = "K/N|auto")]
    shard: Option<String>,
    /// Cores to use; all unless given
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Trajectories side by side in a core: 1, or as many as there are lanes unless given. The
    /// results are the same
    #[arg(long, value_name = "N")]
    lanes: Option<usize>,
    #[command(flatten)]
    device: DeviceOption,
    #[command(flatten)]
    show: Show,
}

impl Execute for Ensemble {
    /// Trajectories that fail are reported and do not stop the others.
    fn execute(self, context: &Context<'_>) -> Result<(), Failure> {
        let document = self.problem.open(context)?;
        let name = &self.problem.problem;
        // Files are named relative to the problem file.
        let folder = Path::new(name).parent().unwrap_or(Path::new(""));
        let mut design =
            Design::read(&document, &|name| read_text(&folder.join(name), MOST_TABLE_BYTES))?;
        let needed = memory::check(&design)?;
        if needed > 1 << 30 {
            let size = needed as f64 / f64::from(1u32 << 30);
            self.show.say(&format!("the statistics take about {size:.1} GiB of memory"));
        }
        if let axes @ [_, _, ..] = design.axes().as_slice() {
            let points: Vec<String> = axes.iter().map(|(key, n)| format!("{n} of {key}")).collect();
            self.show.say(&format!("{} trajectories: {}", design.count, points.join(" × ")));
        }
        design.plan.stop = signal::stop();
        let variable = |name: &str| std::env::var(name).ok();
        let shard = self.shard.as_deref().map(|text| Shard::read(text, &variable)).transpose()?;
        let launched = shard.as_ref().filter(|shard| !shard.told_by.is_empty());
        if let Some(Shard { number, of, told_by }) = launched {
            self.show.say(&format!("part {number} of {of} ({})", told_by.join(", ")));
        }
        // All processes are given the same folder; each has one of its own in it.
        let out = match (&self.out, launched) {
            (Some(dir), Some(shard)) => Some(dir.join(shard.folder())),
            (dir, _) => dir.clone(),
        };
        let settings = Settings {
            threads: threads(self.threads, self.show),
            lanes: self.lanes.map(read_lanes).transpose()?,
            shard: shard.as_ref().map(|shard| (shard.number, shard.of)),
        };
        let range = settings.range(design.count);
        let count = (range.end - range.start).max(1);
        let bar = RefCell::new(Progress::new(0.0, count as f64, self.show.quiet));
        let progress = |done: u64| bar.borrow_mut().now(done as f64);
        let devices = self.device.find(|| check_device(&design), self.show)?;
        let job = Job::new(&design, document.to_json(), settings);
        let job = job.progress(&progress).devices(&devices);
        let (outcome, results) = match &out {
            None => (job.run(&mut ())?, None),
            Some(dir) => {
                let mut folder = Folder::held(dir);
                let outcome = job.run(&mut folder)?;
                if let Some(damage) = folder.damage() {
                    self.show.say(&format!("warning: {damage}; computed again from there"));
                }
                (outcome, folder.into_results())
            }
        };
        drop(bar);
        if let Some(lost) = outcome.device.as_ref().and_then(|device| device.lost.as_ref()) {
            self.show.say(&format!("warning: {lost}; the CPU went on from there"));
        }
        let mut json = result::to_json(&outcome, &design);
        if let Some(mut results) = results {
            result::write(&mut results, name, &document, &design, &outcome, &mut json)?;
        }
        self.show.print(&json, || result::report(&outcome, &design, &json))?;
        if let Some((index, _, reason)) = outcome.failures.first() {
            self.show.say(&format!(
                "warning: {} of {} trajectories failed; the first is {index}: {reason}",
                outcome.failed,
                outcome.range.1 - outcome.range.0 - outcome.resumed
            ));
        }
        if outcome.interrupted {
            let (done, end) = (outcome.done, outcome.range.1);
            let text = format!("trajectories {done} to {end} are missing; run it again to go on");
            return Err(Failure::Interrupted(text));
        }
        match outcome.all_failed() {
            true => Err(Failure::AllFailed { count: outcome.range.1 - outcome.range.0 }),
            false => Ok(()),
        }
    }
}

/// One, or what some vectors of this machine have.
fn read_lanes(n: usize) -> Result<usize, Failure> {
    let mut known = vec![1];
    known.extend(VectorInstructions::detect().into_iter().map(VectorInstructions::lanes));
    known.sort_unstable();
    if known.contains(&n) {
        return Ok(n);
    }
    let known: Vec<String> = known.iter().map(usize::to_string).collect();
    Err(Failure::Option {
        option: "--lanes",
        found: n.to_string(),
        expected: format!("what this machine has: {}", known.join(", ")),
    })
}
