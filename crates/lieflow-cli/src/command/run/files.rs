//! The files of a run, written while it goes on.
use crate::error::Failure;
use crate::output::progress::Progress;
use crate::output::trajectory::Trajectory;
use crate::output::write_page;
use lieflow_files::{BUILD, FileError, Kind, ResultFolder};
use lieflow_models::problem_file::Document;
use lieflow_models::run::{Plan, Record, Sink, State};
use lieflow_pages::Samples;
use lieflow_report::page::Page;
use serde_json::{Value as Json, json};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// The files of a run. Nothing is in its place before all of them are complete; a bad folder fails at
/// once.
pub struct Files {
    results: ResultFolder,
    trajectory: Trajectory,
    trajectory_path: PathBuf,
}

impl Files {
    /// Makes the folder and begins the trajectory.
    pub fn open(dir: &Path, plan: &Plan) -> Result<Self, Failure> {
        let results = ResultFolder::open(dir, Kind::Run)?;
        let trajectory_path = Trajectory::path(dir, plan);
        let trajectory = Trajectory::create(dir, plan);
        let trajectory = trajectory.map_err(FileError::write(&trajectory_path))?;
        Ok(Self { results, trajectory, trajectory_path })
    }

    /// The trajectory could not be written.
    pub fn fail(&self, source: io::Error) -> Failure {
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
        let Self { mut results, trajectory, trajectory_path } = self;
        for draft in trajectory.into_drafts().map_err(FileError::write(&trajectory_path))? {
            results.take(draft)?;
        }
        let mut paths = vec![trajectory_path, results.dir().join("summary.json")];
        if !record.events.is_empty() {
            paths.push(results.write("events.csv", events(record).as_bytes())?);
        }
        paths.extend(write_page(&mut results, page)?);
        record.files = paths.iter().map(|path| path.display().to_string()).collect();
        let text = format!("{:#}\n", summary(record, document));
        results.write("summary.json", text.as_bytes())?;
        Ok(results.commit()?)
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
}

impl Sink for Receiver<'_> {
    fn begin(&mut self, invariants: &[&'static str], start: &State) -> ControlFlow<()> {
        let Some(files) = &mut self.files else { return ControlFlow::Continue(()) };
        let written = files.trajectory.header(start, invariants);
        self.samples.begin(invariants, start)?;
        self.check(written)
    }
    fn step(&mut self, t: f64, _: &[f64]) -> ControlFlow<()> {
        self.progress.reach(t);
        ControlFlow::Continue(())
    }
    fn sample(&mut self, state: &State, invariants: &[f64]) -> ControlFlow<()> {
        let Some(files) = &mut self.files else { return ControlFlow::Continue(()) };
        let written = files.trajectory.state(state, invariants);
        self.samples.sample(state, invariants)?;
        self.check(written)
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
