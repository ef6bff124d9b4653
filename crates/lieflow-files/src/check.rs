//! Whether a folder is what was written.
use crate::{FileError, SUMS, Sums, UNFINISHED};
use std::path::{Path, PathBuf};

/// Why a folder is not what was written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// A file has other bytes, or is gone.
    #[error("{path}: {what}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: &'static str,
    },
    /// The folder was not completed.
    #[error("{path}: not complete: its files were being written; run the command again")]
    Unfinished {
        /// The folder.
        path: PathBuf,
    },
    /// A file could not be read.
    #[error("{0}")]
    Unreadable(#[from] FileError),
}

/// Checks all files that a folder lists, and those of the folders in it; how many there are.
pub fn check(dir: &Path) -> Result<usize, Damage> {
    let sums = Sums::load(dir, SUMS)?;
    let Some(sums) = sums.filter(|_| !dir.join(UNFINISHED).exists()) else {
        return Err(Damage::Unfinished { path: dir.into() });
    };
    if sums.0.is_empty() {
        return Err(Damage::File { path: dir.join(SUMS), what: "is not what was written" });
    }
    if let Some((name, what)) = sums.damage(dir)? {
        return Err(Damage::File { path: dir.join(name), what });
    }
    let mut count = sums.0.len();
    for inner in sums.0.keys().filter_map(|name| name.strip_suffix(SUMS)?.strip_suffix('/')) {
        count += check(&dir.join(inner))?;
    }
    Ok(count)
}
