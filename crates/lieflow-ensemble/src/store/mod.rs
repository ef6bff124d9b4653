//! The files of an ensemble.
//!
//! | file | holds |
//! | --- | --- |
//! | `ensemble.json` | the problem, what varies, the names of all columns, the range of indices |
//! | `final.csv` | for each trajectory that reached the end: index, varied numbers, `t`, state, invariants and their changes |
//! | `observed.csv` | the same without the varied numbers at the other times, if there are any |
//! | `failures.csv` | for each that did not: index, varied numbers, last good `t`, reason |
//! | `statistics.csv` | of every observable at every time |
//!
//! Rows are in the order of the index, and numbers read back with the same bits. While it grows,
//! `progress.json` says how much of the files is complete; a run that was interrupted goes on from
//! there. The files of a shard are those of its part of the indices, and merged shards have the
//! bytes of one run.
mod folder;
mod manifest;
mod merge;
mod number;
mod read;
mod rows;

pub use folder::Folder;
pub use manifest::Manifest;
pub use merge::{Merged, merge};

use std::io;
use std::path::{Path, PathBuf};

/// The files that grow with the run; arrays over them have this order.
const GROWING: [&str; 3] = ["final.csv", "observed.csv", "failures.csv"];

/// Why files could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The folder holds another ensemble.
    #[error(
        "{path}: the folder holds another ensemble (its {what} differs); choose another folder, or \
         empty this one"
    )]
    Other {
        /// The manifest there.
        path: PathBuf,
        /// What differs.
        what: String,
    },
    /// A file does not hold what was written.
    #[error("{path}: line {line}: found {found:?}, expected {expected}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from one.
        line: u64,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// Shards that do not fit together.
    #[error("{0}")]
    Shards(String),
    /// Another [keeper](crate::keeper::Keeper) than those here failed.
    #[error("{0}")]
    Keeper(Box<dyn std::error::Error + Send + Sync>),
}

impl StoreError {
    fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.into(), source }
    }
}
