//! Why files could not be used.
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Why files could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// A folder cannot be used at all.
    #[error("{path}: cannot be written: {source}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process writes there.
    #[error(
        "{path}: {} is at work in this folder; wait until it has ended, or choose another folder",
        holder.map_or("another process".into(), |id| format!("process {id}"))
    )]
    Busy {
        /// The folder.
        path: PathBuf,
        /// The id of the process.
        holder: Option<u32>,
    },
    /// The folder holds what this command must not replace.
    #[error("{path}: the folder holds {found}; choose another folder, or empty this one")]
    Taken {
        /// The folder.
        path: PathBuf,
        /// What it holds.
        found: &'static str,
    },
    /// A file could not be read.
    #[error("{path}: cannot be read: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file could not be written.
    #[error("{path}: cannot be written: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl FileError {
    /// For `map_err` on opening a folder.
    pub fn folder(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Folder { path: path.into(), source }
    }

    /// For `map_err` on reading.
    pub fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Read { path: path.into(), source }
    }

    /// For `map_err` on writing.
    pub fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Write { path: path.into(), source }
    }

    /// Whether another folder has to be named, as against a disk that failed.
    pub fn is_input(&self) -> bool {
        match self {
            Self::Busy { .. } | Self::Taken { .. } => true,
            Self::Folder { source, .. } => is_input(source),
            Self::Read { .. } | Self::Write { .. } => false,
        }
    }
}

/// Whether an error says that a path is wrong, as against a machine that is full or broken.
pub fn is_input(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::NotFound
            | ErrorKind::PermissionDenied
            | ErrorKind::AlreadyExists
            | ErrorKind::NotADirectory
            | ErrorKind::IsADirectory
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::InvalidFilename
            | ErrorKind::InvalidInput
    )
}
