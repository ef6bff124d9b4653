//! Writing to the standard streams and to files.
use crate::error::Failure;
use lieflow_report::{figure, page};
use serde_json::Value as Json;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

pub mod csv;
pub mod progress;
pub mod table;

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

/// Writes a line to standard error. If nobody reads that, there is nobody to tell.
pub fn message(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Writes what a study found into a folder: `NAME.json`, the figures, and the page.
pub fn write_report(dir: &Path, name: &str, json: &Json, page: &page::Page) -> Result<(), Failure> {
    std::fs::create_dir_all(dir).map_err(Failure::writing(dir))?;
    let put = |file: String, text: String| {
        let path = dir.join(file);
        std::fs::write(&path, text).map_err(Failure::writing(&path))
    };
    put(format!("{name}.json"), format!("{json:#}\n"))?;
    for (k, plot) in page.plots.iter().enumerate() {
        put(format!("figure-{}.svg", k + 1), figure::render(plot))?;
    }
    put("report.html".into(), page::render(page))
}
