//! A file that grows, and its checksum.
use super::StoreError;
use super::rows::Rows;
use lieflow_files::{FileError, Hash, Hasher};
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Seek as _, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// Bytes that are written at a time: the system takes two thirds of what it takes for 49 kB, the rows of a block of tops.
const BUFFER: usize = 1 << 18;

/// A file that only grows.
#[derive(Debug)]
pub(super) struct Grown {
    path: PathBuf,
    file: BufWriter<Arc<File>>,
    hasher: Hasher,
    length: u64,
}

impl Grown {
    /// A file that holds just this so far.
    pub fn begin(path: PathBuf, head: &[u8]) -> Result<Self, StoreError> {
        let mut grown = Self::go_on(path, 0, Hasher::default())?;
        grown.append(head)?;
        Ok(grown)
    }

    /// A file that is gone on with after so many bytes, which have this checksum.
    pub fn go_on(path: PathBuf, length: u64, hasher: Hasher) -> Result<Self, StoreError> {
        let mut options = OpenOptions::new();
        let options = options.create(true).read(true).write(true).truncate(false);
        let ready = options.open(&path).and_then(|mut file| {
            file.set_len(length)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        });
        let file = Arc::new(ready.map_err(FileError::write(&path))?);
        let file = BufWriter::with_capacity(BUFFER, file);
        Ok(Self { path, file, hasher, length })
    }

    /// How long it is.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The checksum of all of it.
    pub fn hash(&self) -> Hash {
        self.hasher.hash()
    }

    /// Writes what was appended; what is returned waits, wherever it is called, until that has reached the disk.
    pub fn sync(
        &mut self,
    ) -> Result<impl FnOnce() -> Result<(), StoreError> + Send + use<>, StoreError> {
        self.file.flush().map_err(FileError::write(&self.path))?;
        let (file, path) = (self.file.get_ref().clone(), self.path.clone());
        Ok(move || Ok(file.sync_data().map_err(FileError::write(&path))?))
    }

    /// Appends a few bytes.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.file.write_all(bytes).map_err(FileError::write(&self.path))?;
        self.hasher.add(bytes);
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Appends the rows of the table `k`; its length and checksum at each of their cuts. A checksum takes as long as
    /// writing: a core for each.
    pub fn append_rows(&mut self, rows: &[Rows], k: usize) -> Result<Vec<(u64, Hash)>, StoreError> {
        let Self { path, file, hasher, length } = self;
        let write = || rows.iter().try_for_each(|rows| file.write_all(rows.bytes(k)));
        let hash = || {
            let mut cuts = Vec::new();
            for rows in rows {
                let (bytes, mut from) = (rows.bytes(k), 0);
                for (_, to) in &rows.cuts {
                    hasher.add(&bytes[from..to[k]]);
                    cuts.push((*length + to[k] as u64, hasher.hash()));
                    from = to[k];
                }
                hasher.add(&bytes[from..]);
                *length += bytes.len() as u64;
            }
            cuts
        };
        let (written, cuts) = rayon::join(write, hash);
        written.map_err(FileError::write(path))?;
        Ok(cuts)
    }
}
