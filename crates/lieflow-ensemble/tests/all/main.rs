//! Ensembles: the same bits whatever the lanes, threads and shards, and what is written.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use lieflow_ensemble::design::Design;
use lieflow_models::door::{Document, Setting};

mod columns;
mod keeper;
mod same_bits;

/// A problem that reads no file.
fn open(text: &str, settings: &[Setting]) -> (Document, Design) {
    let document = Document::parse(text, "test", settings).unwrap_or_else(|e| panic!("{e}"));
    let none = |name: &str| Err(std::io::Error::other(format!("no file {name}")));
    let design = Design::read(&document, &none).unwrap_or_else(|e| panic!("{e}"));
    (document, design)
}
