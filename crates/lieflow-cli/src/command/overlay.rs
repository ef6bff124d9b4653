//! `lieflow overlay`: several runs on one page.
use crate::command::{Context, Execute};
use crate::error::Failure;
use crate::options::Show;
use crate::output::write_page;
use clap::Args;
use lieflow_files::{Kind, ResultFolder, open_plain};
use lieflow_pages::overlay::{Trajectory, page};
use serde_json::{Value as Json, json};
use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};

/// Lay several runs over each other, on one page
#[derive(Args, Debug)]
pub struct Overlay {
    /// Folders that `lieflow run … --out DIR` has written; distances are from the first
    #[arg(required = true, num_args = 1.., value_name = "DIR")]
    runs: Vec<PathBuf>,
    /// Write report.html and its figures into this folder
    #[arg(long, value_name = "DIR", default_value = "overlay")]
    out: PathBuf,
    #[command(flatten)]
    show: Show,
}

impl Execute for Overlay {
    fn execute(self, context: &Context<'_>) -> Result<(), Failure> {
        if self.runs.len() < 2 {
            return Err(Failure::Option {
                option: "DIR",
                found: "one folder".into(),
                expected: "two or more folders of runs".into(),
            });
        }
        let names = names(&self.runs);
        let runs: Vec<Trajectory> = self
            .runs
            .iter()
            .zip(names)
            .map(|(folder, name)| read(folder, name))
            .collect::<Result<_, _>>()?;
        let page = page(&runs, context.line.clone());
        let mut results = ResultFolder::open(&self.out, Kind::Run)?;
        let files = write_page(&mut results, &page)?;
        results.commit()?;
        let files: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
        let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
        let document = json!({ "runs": names, "files": files });
        self.show.print(&document, || {
            let table = page.tables.first().map_or(String::new(), |table| table.to_text(0));
            format!("{table}wrote {}\n", self.out.join("report.html").display())
        })
    }
}

/// What runs are called: the last names of their folders, or the whole paths where those are alike.
fn names(folders: &[PathBuf]) -> Vec<String> {
    let last = |folder: &PathBuf| {
        folder
            .file_name()
            .map_or_else(|| folder.display().to_string(), |n| n.to_string_lossy().into_owned())
    };
    let short: Vec<String> = folders.iter().map(last).collect();
    let alike = (1..short.len()).any(|k| short[..k].contains(&short[k]));
    if alike { folders.iter().map(|folder| folder.display().to_string()).collect() } else { short }
}

fn read(folder: &Path, name: String) -> Result<Trajectory, Failure> {
    let open = |file: &'static str| {
        let path = folder.join(file);
        match open_plain(&path) {
            Ok(opened) => Ok((BufReader::new(opened), path)),
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                Err(Failure::NoRun { folder: folder.into(), missing: file })
            }
            Err(error) => Err(Failure::reading(&path)(error)),
        }
    };
    let (summary, path) = open("summary.json")?;
    let summary: Json =
        serde_json::from_reader(summary).map_err(|error| Failure::reading(&path)(error.into()))?;
    let (csv, path) = open("trajectory.csv")?;
    Trajectory::read(name, summary, csv).map_err(|source| Failure::Trajectory { path, source })
}
