//! `lieflow run`: integrates one problem.
use crate::error::Failure;
use crate::options::{Changes, Show};
use crate::output::csv::Csv;
use crate::output::progress::Progress;
use crate::output::table::Columns;
use crate::output::{message, print, print_json};
use crate::report::{Gather, RunReport};
use crate::source;
use clap::Args;
use lieflow::method::Card;
use lieflow::problem::Value;
use lieflow_models::door::{Document, Pace, Plan, Record, Sink, State};
use serde_json::{Value as Json, json};
use std::fs::{File, create_dir_all};
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Integrate one problem.
#[derive(Args, Debug)]
pub struct Run {
    /// A built-in problem (see `lieflow list problems`) or a problem file
    problem: String,
    #[command(flatten)]
    changes: Changes,
    /// Write trajectory.csv, summary.json, figures and report.html into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    show: Show,
}

impl Run {
    /// Carries it out. A run that fails still shows and keeps what it had computed.
    pub fn execute(self) -> Result<(), Failure> {
        let document = source::open(&self.problem, &self.changes.settings()?)?;
        let model = document.build()?;
        let plan = document.plan()?;
        let card = model.check(&plan)?;
        let warnings = document.warnings();
        if !self.show.quiet {
            warnings.iter().for_each(|warning| message(&format!("warning: {warning}")));
        }
        // Files are opened before anything is computed: a bad folder fails at once.
        let mut files = self.out.as_deref().map(|dir| Files::open(dir, &plan)).transpose()?;
        let mut receiver = Receiver {
            progress: Progress::new(plan.from, plan.until, self.show.quiet),
            files: files.as_mut(),
            gathered: Gather::default(),
            names: Vec::new(),
            error: None,
        };
        let outcome = model.run(&plan, &mut receiver);
        let write_error = receiver.error.take();
        let gathered = std::mem::take(&mut receiver.gathered);
        drop(receiver);
        let (mut record, failure) = match outcome {
            Ok(record) => (record, None),
            Err(failure) => match failure.record {
                Some(record) => (*record, Some(*failure.error)),
                None => return Err((*failure.error).into()),
            },
        };
        record.warnings = warnings;
        if let Some(mut files) = files {
            let problem = document.to_json();
            let report = RunReport {
                name: &self.problem,
                problem: &problem,
                text: document.to_toml(),
                record: &record,
                plan: &plan,
                card: &card,
                gathered: &gathered,
            };
            let drawn = files.draw(&report)?;
            record.files = files.names();
            record.files.extend(drawn);
            files.finish(&record, &document)?;
            if let Some(source) = write_error {
                return Err(Failure::Write { path: files.trajectory_path, source });
            }
        }
        if self.show.json {
            print_json(&record.to_json())?;
        } else if !self.show.quiet {
            print(&report(&record, &plan, &card))?;
        }
        failure.map_or(Ok(()), |error| Err(error.into()))
    }
}

/// The files of a run.
struct Files {
    trajectory: Csv<BufWriter<File>>,
    trajectory_path: PathBuf,
    summary: File,
    summary_path: PathBuf,
}

impl Files {
    fn open(dir: &Path, plan: &Plan) -> Result<Self, Failure> {
        create_dir_all(dir).map_err(Failure::writing(dir))?;
        let create = |path: &Path| File::create(path).map_err(Failure::writing(path));
        let trajectory_path = dir.join("trajectory.csv");
        let summary_path = dir.join("summary.json");
        let trajectory = Csv::new(BufWriter::new(create(&trajectory_path)?), plan.matrix);
        let summary = create(&summary_path)?;
        Ok(Self { trajectory, trajectory_path, summary, summary_path })
    }

    fn names(&self) -> Vec<String> {
        [&self.trajectory_path, &self.summary_path].map(|path| path.display().to_string()).into()
    }

    /// Draws the figures and the page; what was written.
    fn draw(&self, report: &RunReport<'_>) -> Result<Vec<String>, Failure> {
        let dir = self.summary_path.parent().unwrap_or(Path::new("."));
        let mut written = Vec::new();
        let mut put = |name: String, text: String| -> Result<(), Failure> {
            let path = dir.join(name);
            std::fs::write(&path, text).map_err(Failure::writing(&path))?;
            written.push(path.display().to_string());
            Ok(())
        };
        for (k, figure) in report.figures().iter().enumerate() {
            put(format!("figure-{}.svg", k + 1), lieflow_report::figure::render(figure))?;
        }
        put("report.html".into(), lieflow_report::page::render(&report.page()))?;
        Ok(written)
    }

    /// Completes the trajectory and writes the summary.
    fn finish(&mut self, record: &Record, document: &Document) -> Result<(), Failure> {
        self.trajectory.flush().map_err(Failure::writing(&self.trajectory_path))?;
        let text = format!("{:#}\n", summary(record, document));
        let written = self.summary.write_all(text.as_bytes()).and_then(|()| self.summary.flush());
        written.map_err(Failure::writing(&self.summary_path))
    }
}

/// The record with all that is needed to repeat the run.
fn summary(record: &Record, document: &Document) -> Json {
    let mut summary = record.to_json();
    if let Json::Object(map) = &mut summary {
        map.insert("version".into(), json!(env!("CARGO_PKG_VERSION")));
        map.insert("problem".into(), document.to_json());
        map.insert(
            "conventions".into(),
            json!({
                "rotation": "maps body coordinates to space coordinates, by rows; quaternions are (w, x, y, z) with w >= 0",
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
struct Receiver<'a> {
    progress: Progress,
    files: Option<&'a mut Files>,
    /// States for the figures, if there are files.
    gathered: Gather,
    names: Vec<&'static str>,
    error: Option<io::Error>,
}

impl Sink for Receiver<'_> {
    fn begin(&mut self, invariants: &[&'static str], start: &State) -> ControlFlow<()> {
        self.names = invariants.to_vec();
        self.gathered.invariant_names = invariants.to_vec();
        let Some(files) = &mut self.files else { return ControlFlow::Continue(()) };
        let written = files.trajectory.header(start, &self.names);
        self.check(written)
    }
    fn step(&mut self, t: f64, _: &[f64]) -> ControlFlow<()> {
        self.progress.reach(t);
        ControlFlow::Continue(())
    }
    fn sample(&mut self, state: &State, invariants: &[f64]) -> ControlFlow<()> {
        let Some(files) = &mut self.files else { return ControlFlow::Continue(()) };
        let written = files.trajectory.state(state, invariants);
        self.gathered.offer(state, invariants);
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

/// The report that people read.
fn report(record: &Record, plan: &Plan, card: &Card) -> String {
    let pace = match plan.pace {
        Pace::Fixed { step } => format!("step {step:?}"),
        Pace::Adaptive { tol, .. } => format!("tolerance {tol:e}"),
    };
    let mut text = format!(
        "{} with {} ({}, order {}), {pace}\n",
        record.system, record.method, card.title, card.order
    );
    let rejected =
        if record.rejected > 0 { format!(", {} rejected", record.rejected) } else { String::new() };
    text += &format!(
        "{} steps{rejected} from t = {} to {} in {:.3} s\n\nstate at t = {}\n",
        record.steps, record.from, record.state.t, record.seconds, record.state.t
    );
    for (name, value) in &record.state.parts {
        text += &show(name, value);
    }
    if !record.invariants.is_empty() {
        let mut table = Columns::new(&["invariant", ">initial", ">final", ">max error", ">slope"]);
        for q in &record.invariants {
            table.row([
                q.name.to_string(),
                format!("{:?}", q.initial),
                format!("{:?}", q.last),
                format!("{:.3e}", q.max_error),
                format!("{:.3e}", q.slope()),
            ]);
        }
        text += &format!("\n{}", table.render(0));
    }
    text += &format!("\nmanifold error {:.3e}\n", record.manifold_error);
    let cost = &record.cost;
    text += &format!(
        "cost {} field evaluations, {} exponentials, {} Newton iterations\n",
        cost.field_evaluations, cost.exponentials, cost.newton_iterations
    );
    if let Some(count) = record.polar_corrections {
        text += &format!("polar corrections {count} made\n");
    }
    if let Some(count) = &record.corrections {
        text += &format!("corrections {} made, {} skipped\n", count.made, count.skipped);
    }
    for file in &record.files {
        text += &format!("wrote {file}\n");
    }
    text
}

fn show(name: &str, value: &Value) -> String {
    let row = |v: &[f64]| v.iter().map(|x| format!("{x:>24?}")).collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = match value {
        Value::Number(x) => vec![row(&[*x])],
        Value::Numbers(x) => x.chunks(3).map(row).collect(),
        Value::Vector(v) => vec![row(v)],
        Value::Vectors(list) => list.iter().map(|v| row(v)).collect(),
        Value::Rotation(r) => r.iter().map(|v| row(v)).collect(),
    };
    // A chain of a hundred links is for the files.
    let shown = lines.len().min(12);
    let mut text = String::new();
    for (i, line) in lines.iter().take(shown).enumerate() {
        text += &format!("  {:<17}{line}\n", if i == 0 { name } else { "" });
    }
    if shown < lines.len() {
        text += &format!("  {:<17}… and {} more\n", "", lines.len() - shown);
    }
    text
}
