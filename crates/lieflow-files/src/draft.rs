//! Files that are whole or absent.
use crate::{FileError, Hash, Hasher, is_plain};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The ending of files that are not in their place yet. Those of a process that was killed are removed
/// by the next one.
pub const DRAFT: &str = ".lieflow-draft";

/// Bytes that are written at a time.
const BUFFER: usize = 1 << 16;

/// Where the draft of the file at this place lies.
fn draft_of(place: &Path) -> PathBuf {
    let mut path = place.as_os_str().to_owned();
    path.push(DRAFT);
    path.into()
}

/// A file that is written beside its place. It is removed again unless it is put there.
#[derive(Debug)]
pub struct Draft {
    place: PathBuf,
    path: PathBuf,
    file: Option<BufWriter<File>>,
    /// Whether it is where it belongs, and nothing is left to remove.
    placed: bool,
    hasher: Hasher,
    /// Whether bytes that were counted have changed since.
    patched: bool,
    length: u64,
}

impl Draft {
    /// An empty draft of the file at this place.
    pub fn create(place: &Path) -> Result<Self, FileError> {
        let path = draft_of(place);
        let file = File::create(&path).map_err(FileError::write(place))?;
        let file = Some(BufWriter::with_capacity(BUFFER, file));
        let (hasher, place) = (Hasher::default(), place.into());
        Ok(Self { place, path, file, placed: false, hasher, patched: false, length: 0 })
    }

    /// No draft yet, of the file at this place: nothing can be written to it.
    pub fn none(place: &Path) -> Self {
        let (path, hasher) = (draft_of(place), Hasher::default());
        let place = place.into();
        Self { place, path, file: None, placed: true, hasher, patched: false, length: 0 }
    }

    /// Goes on after the first `length` bytes of the draft that another process left, or else of the
    /// file in its place, which stays as it is; nothing if neither begins with what was written. What
    /// is in `head` counts in place of the same number of bytes.
    pub fn go_on(place: &Path, head: &[u8], length: u64, hash: Hash) -> io::Result<Option<Self>> {
        let path = draft_of(place);
        for source in [path.clone(), place.to_path_buf()] {
            let Some(hasher) = Hasher::of_part(&source, head, length)? else { continue };
            if hasher.hash() != hash {
                continue;
            }
            if source != path {
                fs::copy(&source, &path)?;
            }
            let mut file = OpenOptions::new().write(true).open(&path)?;
            file.write_all(head)?;
            file.set_len(length)?;
            file.seek(SeekFrom::End(0))?;
            let file = Some(BufWriter::with_capacity(BUFFER, file));
            let place = place.into();
            return Ok(Some(Self {
                place,
                path,
                file,
                placed: false,
                hasher,
                patched: false,
                length,
            }));
        }
        Ok(None)
    }

    /// Takes what was written so far to the disk, and goes on.
    pub fn settle(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), |file| {
            file.flush()?;
            file.get_ref().sync_data()
        })
    }

    /// Leaves the draft where it is, for whoever [goes on](Draft::go_on) with it.
    pub fn leave(mut self) -> io::Result<()> {
        self.placed = true;
        self.settle()
    }

    /// Where the file will be.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// The checksum of what was written; after a patch, once it is synced.
    pub fn hash(&self) -> Hash {
        self.hasher.hash()
    }

    /// How much was written.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Writes other bytes in place of the first ones, such as a header that counts rows.
    pub fn patch(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(file) = &mut self.file else {
            return Err(io::Error::other("the file is complete"));
        };
        file.seek(SeekFrom::Start(0))?;
        file.write_all(bytes)?;
        file.seek(SeekFrom::End(0))?;
        self.patched = true;
        self.length = self.length.max(bytes.len() as u64);
        Ok(())
    }

    /// Takes all that was written to the disk.
    pub fn sync(&mut self) -> Result<(), FileError> {
        let Some(mut file) = self.file.take() else { return Ok(()) };
        let synced = file.flush().and_then(|()| file.get_ref().sync_all());
        synced.map_err(FileError::write(&self.place))?;
        if self.patched {
            self.hasher = Hasher::of_file(&self.path).map_err(FileError::write(&self.place))?;
        }
        Ok(())
    }

    /// Puts the file into its place, unless the same is there already.
    pub fn put(mut self) -> Result<(), FileError> {
        self.sync()?;
        if !self.is_there() {
            fs::rename(&self.path, &self.place).map_err(FileError::write(&self.place))?;
            self.placed = true;
        }
        Ok(())
    }

    fn is_there(&self) -> bool {
        fs::metadata(&self.place).is_ok_and(|there| there.len() == self.length)
            && Hash::of_file(&self.place).is_ok_and(|there| there == self.hash())
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(file) = &mut self.file else {
            return Err(io::Error::other("the file is complete"));
        };
        let written = file.write(bytes)?;
        self.hasher.add(&bytes[..written]);
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.placed {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Writes a whole file in place of another one: at no time is there a part of it. What is there
/// already and equal is left alone.
pub fn replace(place: &Path, bytes: &[u8]) -> Result<(), FileError> {
    if is_plain(place, bytes).is_ok_and(|same| same) {
        return Ok(());
    }
    let mut draft = Draft::create(place)?;
    draft.write_all(bytes).map_err(FileError::write(place))?;
    draft.put()?;
    sync_folder(place.parent().unwrap_or(Path::new("")))
}

/// Takes the names in a folder to the disk.
pub fn sync_folder(dir: &Path) -> Result<(), FileError> {
    // Folders cannot be opened as files elsewhere.
    if cfg!(unix) {
        let dir = if dir.as_os_str().is_empty() { Path::new(".") } else { dir };
        let synced = File::open(dir).and_then(|folder| folder.sync_all());
        synced.map_err(FileError::write(dir))?;
    }
    Ok(())
}
