//! The files of an ensemble.
//!
//! | file | holds |
//! | --- | --- |
//! | `ensemble.json` | the problem, what varies, the files that were read, the build, the names of all columns, the range of indices |
//! | `final.csv` | for each trajectory that reached the end: index, varied numbers, `t`, state, invariants and their changes |
//! | `observed.csv` | the same without the varied numbers at the other times, if there are any |
//! | `failures.csv` | for each that did not: index, varied numbers, last good `t`, reason |
//! | `blocks.csv` | how long these tables were after every 1024 trajectories, and their checksums |
//! | `statistics.csv` | of every observable at every time |
//! | `progress.json` | how much of the tables is complete, with their checksums and its own |
//! | `SHA256SUMS` | the checksums of all files, when all are complete |
//!
//! With `[output] format = "npy"` the first two are arrays of NumPy, `final.npy` and `observed.npy`, whose fields are the
//! columns; there each trajectory has its rows, and what it did not reach is NaN.
//!
//! Rows are in the order of the index, and numbers read back with the same bits. A run that was
//! interrupted goes on from the note of its progress; where a table is not what was written, from the
//! last block that is. The files of a shard are those of its part of the indices, and merged shards
//! have the bytes of one run.
mod check;
mod folder;
mod grown;
mod manifest;
mod mark;
mod merge;
mod note;
mod notes;
mod read;
mod record;
mod rows;
mod sample;
mod tables;
mod verify;

pub use folder::Folder;
pub use manifest::Manifest;
pub use merge::{Merged, merge, merge_held};
pub use read::first_failures;
pub use rows::{push_columns, push_row};
pub use sample::Sampled;
pub use verify::{Checked, check, compute_again, design_of};

use lieflow_files::FileError;
use std::io;
use std::path::{Path, PathBuf};

/// Why files could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A file could not be read or written, or a folder could not be used.
    #[error("{0}")]
    File(#[from] FileError),
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
    /// The folder holds tables of another format.
    #[error("{path}: another ensemble: found tables in {found}, expected {expected}")]
    Format {
        /// The manifest there.
        path: PathBuf,
        /// The format there.
        found: &'static str,
        /// The format that was asked for, or that other shards have.
        expected: &'static str,
    },
    /// A file does not hold what was written.
    #[error("{path}: {place}: found {found:?}, expected {expected}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where in it.
        place: String,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// A checksum is not that of what was written.
    #[error("{path}: {what} not what was written: the checksum differs")]
    Changed {
        /// The file.
        path: PathBuf,
        /// Which part of it, and a verb.
        what: String,
    },
    /// A row is not what a trajectory gives.
    #[error("{path}: {what} not the same")]
    Again {
        /// The file.
        path: PathBuf,
        /// Which trajectory, and a verb.
        what: String,
    },
    /// There is no ensemble.
    #[error(
        "{path}: no ensemble is there, expected a folder that `lieflow ensemble … --shard K/N --out DIR` has written"
    )]
    Absent {
        /// The folder.
        path: PathBuf,
    },
    /// An ensemble that is not complete.
    #[error(
        "{path}: not complete: it has come to trajectory {done} of {} to {}; run it again to go on",
        range.0, range.1
    )]
    Incomplete {
        /// The folder.
        path: PathBuf,
        /// The first trajectory that is missing.
        done: u64,
        /// The trajectories that were asked for.
        range: (u64, u64),
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

    fn changed(path: &Path, what: impl Into<String>) -> Self {
        Self::Changed { path: path.into(), what: what.into() }
    }

    /// Whether something else has to be asked for, as against a disk or a keeper that failed.
    pub fn is_input(&self) -> bool {
        match self {
            Self::File(error) => error.is_input(),
            Self::Io { .. } | Self::Keeper(_) => false,
            _ => true,
        }
    }
}
