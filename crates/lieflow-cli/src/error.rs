//! What can go wrong in a command, and which exit status it has.
use lieflow_ensemble::run::EnsembleError;
use lieflow_ensemble::store::StoreError;
use lieflow_files::{FileError, SUMS, is_input};
use lieflow_models::problem_file::SpecError;
use lieflow_models::run::RunError;
use lieflow_play::ServerError;
use std::io;
use std::path::{Path, PathBuf};

/// A command that did not succeed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Something typed cannot be used.
    #[error("{0}")]
    Spec(#[from] SpecError),
    /// A plan does not fit, or a computation failed.
    #[error("{0}")]
    Run(#[from] RunError),
    /// A file cannot be read.
    #[error("{path}: cannot be read: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A result cannot be written.
    #[error("{0}")]
    File(#[from] FileError),
    /// Standard output cannot be written, for another reason than that its reader is gone.
    #[error("standard output cannot be written: {0}")]
    Output(io::Error),
    /// An option has a value that cannot be used.
    #[error("{option}: found {found}, expected {expected}")]
    Option {
        /// The option.
        option: &'static str,
        /// Its value.
        found: String,
        /// What it may be.
        expected: String,
    },
    /// A study cannot be made.
    #[error("{0}")]
    Study(#[from] lieflow_models::study::StudyError),
    /// An ensemble cannot be run, or its files cannot be used.
    #[error("{0}")]
    Ensemble(#[from] EnsembleError),
    /// The trajectory of a run cannot be used.
    #[error("{path}: {source}")]
    Trajectory {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: lieflow_pages::overlay::OverlayError,
    },
    /// A folder is not one that a run has written.
    #[error(
        "{folder}: found no {missing}, expected a folder that `lieflow run … --out DIR` has written"
    )]
    NoRun {
        /// The folder.
        folder: PathBuf,
        /// What is not there.
        missing: &'static str,
    },
    /// The live viewer cannot be served.
    #[error("{0}")]
    Play(#[from] ServerError),
    /// A workload cannot be run.
    #[error("{0}")]
    Bench(#[from] lieflow_bench::BenchError),
    /// Published claims that do not hold, or experiments that could not be run.
    #[error("{experiments} experiment(s) did not hold")]
    Claims {
        /// How many.
        experiments: usize,
    },
    /// No trajectory of an ensemble reached its end.
    #[error("all {count} trajectories failed")]
    AllFailed {
        /// How many.
        count: u64,
    },
    /// A signal ended a command before its time.
    #[error("interrupted: {0}")]
    Interrupted(String),
    /// A result is not what was written, or not complete.
    #[error("{0}")]
    Damaged(String),
    /// There is no result to verify.
    #[error(
        "{path}: no result of lieflow is there (found no {SUMS}), expected a folder that `--out` has written"
    )]
    NoResult {
        /// The folder.
        path: PathBuf,
    },
    /// A run whose result means nothing, where that was to count as a failure.
    #[error("the result means nothing: {reasons}")]
    Nonsense {
        /// Why.
        reasons: String,
    },
    /// A disk that does not take what a run would write.
    #[error(
        "{path}: found {found}, expected one that fits on the disk, which has {free} left; keep fewer states (--every, --interval), or choose another folder"
    )]
    NoSpace {
        /// The folder.
        path: PathBuf,
        /// What would be written.
        found: String,
        /// What the disk has left.
        free: String,
    },
    /// A run that is to go on in a folder where another one has begun.
    #[error(
        "{path}: the folder holds another run: {key} is another one there; give the same problem, choose another folder, or leave --resume out to compute this one"
    )]
    OtherRun {
        /// The folder.
        path: PathBuf,
        /// The first key that differs.
        key: String,
    },
    /// Whoever read our output is gone.
    #[error("the output was closed")]
    Closed,
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        EnsembleError::from(error).into()
    }
}

impl Failure {
    /// The exit status: 1 for a computation that failed, 2 for bad input.
    pub fn status(&self) -> u8 {
        match self {
            Self::Run(error) if !error.is_input() => 1,
            Self::Study(error) if !error.is_input() => 1,
            Self::Ensemble(EnsembleError::Run(error)) if !error.is_input() => 1,
            Self::Ensemble(EnsembleError::Store(error)) if !error.is_input() => 1,
            Self::Ensemble(EnsembleError::Threads(_)) => 1,
            Self::File(error) if !error.is_input() => 1,
            Self::Read { source, .. } if !is_input(source) => 1,
            Self::Play(ServerError::Token(_)) => 1,
            Self::Bench(_) | Self::Output(_) | Self::Claims { .. } | Self::Nonsense { .. } => 1,
            Self::AllFailed { .. } | Self::Interrupted(_) | Self::Damaged(_) => 1,
            _ => 2,
        }
    }

    /// For `map_err` on reading.
    pub fn reading(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Read { path: path.into(), source }
    }
}
