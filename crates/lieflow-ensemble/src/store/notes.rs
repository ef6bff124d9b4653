//! Notes of progress beside the run: each waits for the disk, and the run does not.
use super::StoreError;
use super::note::Note;
use std::path::{Path, PathBuf};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// Progress is noted about this often, or as often as the disk can.
const EVERY: Duration = Duration::from_millis(400);

/// The notes of a run in a folder.
#[derive(Debug)]
pub(super) struct Notes {
    dir: PathBuf,
    begun: Instant,
    /// The one that is made now.
    under_way: Option<JoinHandle<Result<(), StoreError>>>,
}

impl Notes {
    pub fn new(dir: &Path) -> Self {
        Self { dir: dir.into(), begun: Instant::now(), under_way: None }
    }

    /// Whether it is time for the next one.
    pub fn are_due(&self) -> bool {
        let busy = self.under_way.as_ref().is_some_and(|thread| !thread.is_finished());
        !busy && self.begun.elapsed() >= EVERY
    }

    /// Makes a note once `synced` has brought what it counts to the disk.
    pub fn make(
        &mut self,
        note: Note,
        synced: impl FnOnce() -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.wait()?;
        synced()?;
        note.save(&self.dir)
    }

    /// The same beside the run; says what became of the one before.
    pub fn begin(
        &mut self,
        note: Note,
        synced: impl FnOnce() -> Result<(), StoreError> + Send + 'static,
    ) -> Result<(), StoreError> {
        self.wait()?;
        let mut one = Self::new(&self.dir);
        let thread = Builder::new().spawn(move || one.make(note, synced));
        // Where no thread can be started a later note may be made.
        (self.begun, self.under_way) = (Instant::now(), thread.ok());
        Ok(())
    }

    /// Until no note is under way: nobody else may write it then.
    pub fn wait(&mut self) -> Result<(), StoreError> {
        let ended = self.under_way.take().map(JoinHandle::join);
        ended.map_or(Ok(()), |ended| ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    }
}

impl Drop for Notes {
    /// The folder is given back only when nobody writes to it any more.
    fn drop(&mut self) {
        let _ = self.wait();
    }
}
