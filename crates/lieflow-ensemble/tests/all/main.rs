//! Ensembles: the same bits whatever the lanes, threads and shards, and what is written.
//!
//! Files with tests of their own are taken in here by their paths: as unit tests they would compile
//! all engines of the crate once more.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use lieflow_ensemble::design::Design;
use lieflow_models::problem_file::{Document, Setting};

#[allow(dead_code)]
#[path = "../../src/statistics/abreast.rs"]
mod abreast;
mod adaptive;
mod columns;
mod device;
mod golden;
mod keeper;
mod lanes;
#[allow(dead_code)]
#[path = "../../src/statistics/moments.rs"]
mod moments;
mod motions;
mod npy;
#[allow(dead_code)]
#[path = "../../src/philox.rs"]
mod philox;
#[allow(dead_code)]
#[path = "../../src/statistics/places.rs"]
mod places;
#[allow(dead_code)]
#[path = "../../src/statistics/quantiles.rs"]
mod quantiles;
mod same_bits;
#[path = "../../src/statistics/sort.rs"]
mod sort;
mod trust;

// What they find beside them in the crate.
use moments::Moments;

/// A problem that reads no file.
fn open(text: &str, settings: &[Setting]) -> (Document, Design) {
    let document = Document::parse(text, "test", settings).unwrap_or_else(|e| panic!("{e}"));
    let none = |name: &str| Err(std::io::Error::other(format!("no file {name}")));
    let design = Design::read(&document, &none).unwrap_or_else(|e| panic!("{e}"));
    (document, design)
}
