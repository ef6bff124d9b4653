//! Where the trajectories of a run go.
//!
//! A run hands over what it computes as numbers, block by block in the order of the index. The
//! files of a [folder](crate::store::Folder) are one keeper, [`Columns`] in memory are another, and
//! `()` keeps nothing: the statistics are taken in any case.
use crate::run::Block;
use crate::statistics::Statistics;
use crate::store::{Manifest, StoreError};
use std::path::PathBuf;

mod columns;

pub use columns::Columns;

/// What a keeper has of an earlier run that was interrupted.
#[derive(Clone, Debug)]
pub struct Earlier {
    /// The index of the first trajectory that is still to be computed.
    pub done: u64,
    /// The statistics of those before.
    pub statistics: Statistics,
}

/// Keeps the trajectories of a run.
pub trait Keeper: Send {
    /// The run begins; what there is of it already.
    fn begin(&mut self, _manifest: &Manifest) -> Result<Option<Earlier>, StoreError> {
        Ok(None)
    }

    /// Trajectories in the order of the index, which follow those of the call before.
    fn blocks(&mut self, _blocks: &[Block]) -> Result<(), StoreError> {
        Ok(())
    }

    /// The run was stopped before its end; all that was computed has been handed over.
    fn pause(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    /// The run is complete; the files that were made.
    fn finish(
        &mut self,
        _manifest: &Manifest,
        _statistics: &Statistics,
    ) -> Result<Vec<PathBuf>, StoreError> {
        Ok(Vec::new())
    }
}

impl Keeper for () {}
