//! Writing to the standard streams and to files.
use crate::error::Failure;
use serde_json::Value as Json;
use std::io::{self, ErrorKind, Write};

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
