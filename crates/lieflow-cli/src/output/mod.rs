//! Writing to the standard streams and to files.
use crate::error::Failure;
use lieflow_files::{Kind, ResultFolder};
use lieflow_models::problem_file::harmless;
use lieflow_report::{figure, page};
use serde_json::Value as Json;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

pub mod browser;
pub mod csv;
pub mod npy;
pub mod number;
pub mod progress;
pub mod trajectory;
pub mod written;

/// Writes a text to standard output.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Failure::Closed),
        other => other.map_err(Failure::Output),
    }
}

/// Writes a JSON document to standard output.
pub fn print_json(document: &Json) -> Result<(), Failure> {
    print(&format!("{document:#}\n"))
}

/// Writes a line to standard error. If nobody reads that, there is nobody to tell. Names of files and
/// words of other programs may be in it, so nothing in it steers the terminal.
pub fn message(text: &str) {
    let text: String = text.lines().map(|line| harmless(line) + "\n").collect();
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Writes what a study found into a folder: `NAME.json`, the figures, and the page.
pub fn write_report(dir: &Path, name: &str, json: &Json, page: &page::Page) -> Result<(), Failure> {
    let mut results = ResultFolder::open(dir, Kind::Run)?;
    results.write(&format!("{name}.json"), format!("{json:#}\n").as_bytes())?;
    write_page(&mut results, page)?;
    Ok(results.commit()?)
}

/// Writes a page and its figures; the files.
pub fn write_page(results: &mut ResultFolder, page: &page::Page) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for (k, plot) in page.plots.iter().enumerate() {
        let name = format!("figure-{}.svg", k + 1);
        files.push(results.write(&name, figure::render(plot).as_bytes())?);
    }
    files.push(results.write("report.html", page::render(page).as_bytes())?);
    Ok(files)
}
