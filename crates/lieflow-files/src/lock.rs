//! One process at a time.
use crate::FileError;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::Path;

/// The file that is locked. It stays: a lock that is removed could be taken twice.
pub const LOCK: &str = ".lieflow-lock";

/// The right to write into a folder, for as long as it is kept. The system takes it back from a
/// process that ends, however it ends.
#[derive(Debug)]
pub struct FolderLock {
    file: File,
}

impl FolderLock {
    /// Makes the folder if needed, and locks it.
    pub fn take(dir: &Path) -> Result<Self, FileError> {
        fs::create_dir_all(dir).map_err(FileError::folder(dir))?;
        let mut options = OpenOptions::new();
        let options = options.create(true).read(true).write(true).truncate(false);
        let mut file = options.open(dir.join(LOCK)).map_err(FileError::folder(dir))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                // A pipe in its place would be waited for.
                let mut text = String::new();
                if file.metadata().is_ok_and(|what| what.is_file()) {
                    let _ = (&mut file).take(32).read_to_string(&mut text);
                }
                let holder = text.trim().parse().ok();
                return Err(FileError::Busy { path: dir.into(), holder });
            }
            // A file system without locks must not keep anybody from working.
            Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(FileError::folder(dir)(error)),
        }
        // Who holds it is told to others, and is not needed for the lock itself.
        let _ = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
        Ok(Self { file })
    }
}

impl Drop for FolderLock {
    /// Closing the file is not enough: a process that is being started at this moment by another thread holds it too,
    /// until it becomes another program.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}
