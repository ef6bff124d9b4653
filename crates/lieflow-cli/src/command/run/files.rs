//! The files of a run, written while it goes on.
use super::checkpoint::{Checkpoint, Moment, NAME};
use super::keeping::Keeping;
use super::resume::Resume;
use crate::error::Failure;
use crate::output::progress::Progress;
use crate::output::trajectory::Trajectory;
use crate::output::write_page;
use lieflow::archive::Archive;
use lieflow_files::{BUILD, FileError, Kind, ResultFolder};
use lieflow_models::problem_file::Document;
use lieflow_models::run::{Ended, Plan, Record, Sink, State};
use lieflow_pages::Samples;
use lieflow_report::page::Page;
use serde_json::{Value as Json, json};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The files of a run. Nothing is in its place before all of them are complete; a bad folder fails at
/// once.
pub struct Files {
    results: ResultFolder,
    trajectory: Trajectory,
    trajectory_path: PathBuf,
    keeping: Keeping,
    every: Duration,
    /// Where the run goes on, until it does.
    before: Option<Vec<u64>>,
}

/// A folder for a run.
pub enum Opened {
    /// Its files, and if it does not start at its beginning the time from which it goes on, or why it
    /// does nevertheless.
    Files(Box<Files>, Result<f64, String>),
    /// The run is there, complete.
    Done,
}

impl Files {
    /// Makes the folder and begins the trajectory. A checkpoint is taken every so often.
    pub fn open(
        dir: &Path,
        plan: &Plan,
        document: &Document,
        every: Duration,
    ) -> Result<Self, Failure> {
        let results = ResultFolder::open(dir, Kind::Run)?;
        Self::begin(results, plan, Checkpoint::of(document, plan), every)
    }

    /// Goes on in a folder where the same run has begun, if it has; otherwise begins it.
    pub fn resume(
        dir: &Path,
        plan: &Plan,
        document: &Document,
        every: Duration,
    ) -> Result<Opened, Failure> {
        let results = ResultFolder::open_again(dir, Kind::Run)?;
        let mut checkpoint = Checkpoint::of(document, plan);
        let found = Resume::find(&results, &checkpoint)?;
        let (moment, seconds) = match found {
            Resume::Done => {
                results.clear()?;
                return Ok(Opened::Done);
            }
            Resume::Start(because) => {
                results.clear()?;
                let files = Self::begin(results, plan, checkpoint, every)?;
                return Ok(Opened::Files(Box::new(files), Err(because)));
            }
            Resume::From { moment, seconds, before_end } => {
                checkpoint.before_end = before_end;
                (moment, seconds)
            }
        };
        let Moment { t, words } = moment;
        let trajectory_path = Trajectory::path(dir, plan);
        let trajectory = Trajectory::create(dir, plan, true);
        let trajectory = trajectory.map_err(FileError::write(&trajectory_path))?;
        let keeping = Keeping::new(dir, checkpoint, seconds, every);
        let before = Some(words);
        let files = Self { results, trajectory, trajectory_path, keeping, every, before };
        Ok(Opened::Files(Box::new(files), Ok(t)))
    }

    fn begin(
        results: ResultFolder,
        plan: &Plan,
        checkpoint: Checkpoint,
        every: Duration,
    ) -> Result<Self, Failure> {
        let trajectory_path = Trajectory::path(results.dir(), plan);
        let trajectory = Trajectory::create(results.dir(), plan, false);
        let trajectory = trajectory.map_err(FileError::write(&trajectory_path))?;
        let keeping = Keeping::new(results.dir(), checkpoint, 0.0, every);
        Ok(Self { results, trajectory, trajectory_path, keeping, every, before: None })
    }

    /// Begins from the start after all, where the run could not go on.
    pub fn start_over(self, plan: &Plan, document: &Document) -> Result<Self, Failure> {
        let Self { results, every, .. } = self;
        results.clear()?;
        Self::begin(results, plan, Checkpoint::of(document, plan), every)
    }

    /// The seconds that the run had taken before it went on.
    pub fn seconds_before(&self) -> f64 {
        self.keeping.seconds_before()
    }

    /// The trajectory could not be written. What there is of it is left for a run that goes on.
    pub fn fail(self, source: io::Error) -> Failure {
        if self.keeping.written {
            self.trajectory.leave();
        }
        FileError::write(&self.trajectory_path)(source).into()
    }

    /// Completes the trajectory, draws the page with its figures, writes the summary, and puts all
    /// files into their places. They are named in the record.
    pub fn finish(
        self,
        page: &Page,
        record: &mut Record,
        document: &Document,
    ) -> Result<(), Failure> {
        let Self { mut results, trajectory, trajectory_path, keeping, .. } = self;
        for draft in trajectory.into_drafts().map_err(FileError::write(&trajectory_path))? {
            results.take(draft)?;
        }
        let mut paths = vec![trajectory_path, results.dir().join("summary.json")];
        if !record.events.is_empty() {
            paths.push(results.write("events.csv", events(record).as_bytes())?);
        }
        paths.extend(write_page(&mut results, page)?);
        let interrupted = record.ended == Ended::Interrupted;
        if let Some(checkpoint) = keeping.last(record.failure.is_none(), interrupted) {
            paths.push(results.write(NAME, &checkpoint.to_bytes())?);
        }
        record.files = paths.iter().map(|path| path.display().to_string()).collect();
        let text = format!("{:#}\n", summary(record, document));
        results.write("summary.json", text.as_bytes())?;
        results.commit()?;
        // The checkpoint of the way here is of no more use.
        Ok(results.clear()?)
    }
}

/// The table of events: name and state of each, in the order of the run.
fn events(record: &Record) -> String {
    let columns = record.state.columns(false).join(",");
    let mut text = format!("event,t,{columns}\n");
    for event in &record.events {
        text += &format!("{},{:?}", event.name, event.state.t);
        for x in event.state.numbers(false) {
            text += &format!(",{x:?}");
        }
        text.push('\n');
    }
    text
}

/// The record with all that is needed to repeat the run.
fn summary(record: &Record, document: &Document) -> Json {
    let mut summary = record.to_json();
    if let Json::Object(map) = &mut summary {
        map.insert("version".into(), json!(env!("CARGO_PKG_VERSION")));
        map.insert("build".into(), json!(BUILD));
        map.insert("problem".into(), document.to_json());
        map.insert(
            "conventions".into(),
            json!({
                "rotation": "maps body coordinates to space coordinates, by rows; quaternions are (w, x, y, z) with w >= 0, unless output.quaternions says that they are continuous",
                "omega": "angular velocity in the body frame (of links: in space)",
                "momentum": "in the body frame; spatial_momentum = rotation · momentum",
                "invariants": "max_error is the largest absolute deviation from the initial value over all steps, slope its least-squares slope over time",
                "manifold_error": "largest distance from the manifold over all steps",
                "numbers": "IEEE double, printed so that reading them back gives the same bits; null where not finite",
            }),
        );
    }
    summary
}

/// Takes what the run computes to the files and the progress bar.
pub struct Receiver<'a> {
    pub progress: Progress,
    pub files: Option<&'a mut Files>,
    /// States for the figures, if there are files.
    pub samples: Samples,
    /// Why the trajectory could not be written; the run stops then.
    pub error: Option<io::Error>,
    /// How far the run has come.
    pub t: f64,
}

impl Sink for Receiver<'_> {
    fn begin(&mut self, invariants: &[&'static str], start: &State) -> ControlFlow<()> {
        let Some(files) = &mut self.files else { return ControlFlow::Continue(()) };
        let written = files.trajectory.header(start, invariants);
        self.samples.begin(invariants, start)?;
        self.check(written)
    }
    fn step(&mut self, t: f64, _: &[f64]) -> ControlFlow<()> {
        self.t = t;
        self.progress.reach(t);
        ControlFlow::Continue(())
    }
    fn sample(&mut self, state: &State, invariants: &[f64]) -> ControlFlow<()> {
        let Some(files) = &mut self.files else { return ControlFlow::Continue(()) };
        let written = files.trajectory.state(state, invariants);
        self.samples.sample(state, invariants)?;
        self.check(written)
    }
    fn checkpoint_before(&mut self) -> Option<Vec<u64>> {
        self.files.as_mut()?.before.take()
    }
    fn resume(&mut self, invariants: &[&'static str], start: &State) -> ControlFlow<()> {
        let Some(files) = &mut self.files else { return ControlFlow::Continue(()) };
        let named = files.trajectory.header(start, invariants);
        self.samples.resume(invariants, start)?;
        self.check(named)
    }
    fn archive(&mut self, archive: &mut Archive) {
        archive.number(&mut self.t);
        self.samples.archive(archive);
        if let Some(files) = &mut self.files {
            files.trajectory.archive(archive);
        }
    }
    fn takes_checkpoints(&self) -> bool {
        self.files.is_some()
    }
    fn checkpoint_due(&mut self, last: bool) -> bool {
        self.files.as_mut().is_some_and(|files| files.keeping.due(last))
    }
    fn checkpoint(&mut self, taken: Result<Vec<u64>, &'static str>, last: bool) -> ControlFlow<()> {
        if let Some(Files { keeping, trajectory, .. }) = self.files.as_deref_mut() {
            keeping.take(taken, self.t, last, || trajectory.settle());
        }
        ControlFlow::Continue(())
    }
}

impl Receiver<'_> {
    fn check(&mut self, written: io::Result<()>) -> ControlFlow<()> {
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.error = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}
