//! Result folders that survive a crash.
//!
//! Everything that lieflow writes goes through here:
//!
//! - [`Draft`], [`replace`]: a file is written beside its place, synced, and renamed into it, so that
//!   under its own name it is whole or absent;
//! - [`FolderLock`]: one process at a time writes into a folder;
//! - [`Sums`]: the SHA-256 checksums of a folder, in the form that `sha256sum -c` reads;
//! - [`ResultFolder`]: all files of a result at once, which replace those of the result before;
//! - [`check`]: whether all files of a result are what was written;
//! - [`open_plain`], [`read_plain`]: reading them, whatever somebody has put in their places;
//! - [`write_number`]: numbers in them that read back with the same bits;
//! - [`npy_head`]: what precedes the numbers in a file of NumPy;
//! - [`BUILD`]: which build computed a result.
mod check;
mod draft;
mod error;
mod folder;
mod hash;
mod lock;
mod npy;
mod number;
mod plain;
mod space;
mod sums;

pub use check::{Damage, check};
pub use draft::{DRAFT, Draft, replace, sync_folder};
pub use error::{FileError, is_input};
pub use folder::{Kind, ResultFolder, Written};
pub use hash::{Hash, Hasher};
pub use lock::{FolderLock, LOCK};
pub use npy::{npy_fields, npy_head};
pub use number::write_number;
pub use plain::{MOST_AT_ONCE, is_plain, open_plain, read_plain};
pub use space::free_space;
pub use sums::{SUMS, Sums, UNFINISHED};

/// The version, and a hash of the sources that numbers depend on.
pub const BUILD: &str = concat!(env!("CARGO_PKG_VERSION"), env!("LIEFLOW_SOURCES"));
