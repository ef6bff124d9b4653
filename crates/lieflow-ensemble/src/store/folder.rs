//! A folder of files that grow with the run.
use super::check::sound;
use super::manifest::difference;
use super::mark::{BLOCKS, Mark};
use super::note::{Note, PROGRESS};
use super::rows::Rows;
use super::{GROWING, Manifest, OBSERVED, StoreError, read};
use crate::keeper::{Earlier, Keeper};
use crate::run::Block;
use crate::statistics::Statistics;
use lieflow_files::{
    FileError, Hash, Hasher, Kind, MOST_AT_ONCE, ResultFolder, Written, read_plain, replace,
};
use rayon::prelude::*;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Progress is noted about this often: every note waits for the disk.
const NOTE_EVERY: Duration = Duration::from_millis(400);

/// Keeps an ensemble in the files of a folder. A run that was interrupted goes on there.
#[derive(Debug)]
pub struct Folder {
    dir: PathBuf,
    /// Whether more files are to come when the run is over.
    held: bool,
    open: Option<Open>,
    results: Option<ResultFolder>,
    damage: Option<String>,
}

/// The files once the run has begun.
#[derive(Debug)]
struct Open {
    /// The tables, then the marks.
    files: [File; 4],
    hashers: [Hasher; 4],
    lengths: [u64; 4],
    /// The index of the first trajectory that has no rows yet.
    done: u64,
    /// The end of the last block that was marked.
    marked: u64,
    noted: Instant,
    times: Vec<f64>,
    /// Of the manifest.
    words: Vec<Vec<String>>,
    manifest: Hash,
    /// Reused from one window to the next.
    rows: Vec<Rows>,
}

impl Open {
    fn mark(&self, end: u64) -> Mark {
        let [lengths @ .., _] = self.lengths;
        Mark { end, lengths, hashes: [0, 1, 2].map(|k| self.hashers[k].hash()) }
    }

    fn append(&mut self, dir: &Path, k: usize, text: &str) -> Result<(), StoreError> {
        if text.is_empty() {
            return Ok(());
        }
        let written = self.files[k].write_all(text.as_bytes());
        written.map_err(|error| FileError::write(&dir.join(name(k)))(error))?;
        self.hashers[k].add(text.as_bytes());
        self.lengths[k] += text.len() as u64;
        Ok(())
    }

    /// Notes down the checksums at the end of a block.
    fn close_block(&mut self, dir: &Path, end: u64) -> Result<(), StoreError> {
        let line = self.mark(end).line();
        self.marked = end;
        self.append(dir, 3, &line)
    }

    /// Notes that everything so far is complete, after it has reached the disk.
    fn note(&mut self, dir: &Path) -> Result<Note, StoreError> {
        for (k, file) in self.files.iter().enumerate() {
            file.sync_data().map_err(|error| FileError::write(&dir.join(name(k)))(error))?;
        }
        let blocks = (self.lengths[3], self.hashers[3].hash());
        let note = Note { mark: self.mark(self.done), blocks, manifest: self.manifest };
        note.save(dir)?;
        self.noted = Instant::now();
        Ok(note)
    }
}

/// The files that grow: the tables and the marks.
fn name(k: usize) -> &'static str {
    GROWING.get(k).copied().unwrap_or(BLOCKS)
}

impl Folder {
    /// The ensemble will be in this folder, which is made if needed.
    pub fn new(dir: &Path) -> Self {
        Self { dir: dir.into(), held: false, open: None, results: None, damage: None }
    }

    /// The same, but the result is complete only when [`Folder::into_results`] has been committed.
    pub fn held(dir: &Path) -> Self {
        Self { held: true, ..Self::new(dir) }
    }

    /// The folder as the run left it, locked still, for further files.
    pub fn into_results(self) -> Option<ResultFolder> {
        self.results
    }

    /// What was found not to be what had been written, and was computed again.
    pub fn damage(&self) -> Option<&str> {
        self.damage.as_deref()
    }

    /// Begins with what is right of an earlier run; `None` if that is nothing.
    fn earlier(&mut self, manifest: &Manifest) -> Result<Option<(Mark, Open)>, StoreError> {
        let dir = self.dir.clone();
        let note = match Note::load(&dir) {
            Ok(note) => note,
            Err(damage @ StoreError::Changed { .. }) => {
                self.damage = Some(damage.to_string());
                None
            }
            Err(error) => return Err(error),
        };
        let Some(note) = note else { return Ok(None) };
        let found = sound(&dir, manifest, &note)?;
        self.damage = found.damage.map(|damage| damage.to_string());
        let Some(mark) = found.mark else { return Ok(None) };
        let [a, b, c] = mark.lengths;
        let lengths = [a, b, c, found.blocks.len() as u64];
        let [a, b, c] = found.hashers;
        let mut blocks = Hasher::default();
        blocks.add(found.blocks.as_bytes());
        let last = found.blocks.lines().skip(1).last().and_then(Mark::parse);
        let marked = last.map_or(manifest.range.0, |mark| mark.end);
        let headers = manifest.headers();
        let files = grow(&dir, |k| {
            // A table without rows may have been lost with its header.
            let bare = headers.get(k).filter(|header| header.len() as u64 == lengths[k]);
            (lengths[k], bare.map_or("", String::as_str))
        })?;
        let open = Open {
            files,
            hashers: [a, b, c, blocks],
            lengths,
            done: mark.end,
            marked,
            noted: Instant::now(),
            times: manifest.times.clone(),
            words: manifest.words(),
            manifest: manifest.hash(),
            rows: Vec::new(),
        };
        Ok(Some((mark, open)))
    }

    /// Begins with empty tables.
    fn fresh(&self, manifest: &Manifest) -> Result<Open, StoreError> {
        let mut open = Open {
            files: grow(&self.dir, |_| (0, ""))?,
            hashers: Default::default(),
            lengths: [0; 4],
            done: manifest.range.0,
            marked: manifest.range.0,
            noted: Instant::now(),
            times: manifest.times.clone(),
            words: manifest.words(),
            manifest: manifest.hash(),
            rows: Vec::new(),
        };
        for (k, header) in manifest.headers().iter().enumerate() {
            open.append(&self.dir, k, header)?;
        }
        open.append(&self.dir, 3, &Mark::header())?;
        open.note(&self.dir)?;
        Ok(open)
    }

    /// Writes the manifest, unless another ensemble is here.
    fn claim(&self, manifest: &Manifest) -> Result<(), StoreError> {
        let path = self.dir.join("ensemble.json");
        let text = manifest.to_text();
        match read_plain(&path, MOST_AT_ONCE) {
            // An older version could be killed while it wrote the manifest.
            Ok(there) if text.as_bytes().starts_with(&there) => {}
            Ok(there) => {
                let what = difference(&String::from_utf8_lossy(&there), &text);
                return Err(StoreError::Other { path, what });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(StoreError::at(&path)(error)),
        }
        Ok(replace(&path, text.as_bytes())?)
    }
}

/// The growing files, each cut to a length; one that is to hold a bare header is made of it.
fn grow<'a>(dir: &Path, state: impl Fn(usize) -> (u64, &'a str)) -> Result<[File; 4], StoreError> {
    let file = |k: usize| -> Result<File, StoreError> {
        let path = dir.join(name(k));
        let (length, header) = state(k);
        let mut options = OpenOptions::new();
        let options = options.create(true).read(true).write(true).truncate(false);
        let ready = options.open(&path).and_then(|mut file| {
            if header.is_empty() {
                file.set_len(length)?;
            } else {
                file.set_len(0)?;
                file.write_all(header.as_bytes())?;
            }
            file.seek(io::SeekFrom::End(0))?;
            Ok(file)
        });
        Ok(ready.map_err(FileError::write(&path))?)
    };
    Ok([file(0)?, file(1)?, file(2)?, file(3)?])
}

impl Keeper for Folder {
    fn begin(&mut self, manifest: &Manifest) -> Result<Option<Earlier>, StoreError> {
        let results = ResultFolder::open(&self.dir, Kind::Ensemble)?;
        self.claim(manifest)?;
        let complete = Note::load(&self.dir)
            .is_ok_and(|note| note.is_some_and(|note| note.mark.end == manifest.range.1));
        if !complete {
            results.reopen()?;
        }
        self.results = Some(results);
        let found = self.earlier(manifest)?;
        if complete && self.damage.is_some() {
            self.results.as_ref().map_or(Ok(()), ResultFolder::reopen)?;
        }
        let Some((mark, mut open)) = found else {
            self.open = Some(self.fresh(manifest)?);
            return Ok(None);
        };
        if self.damage.is_some() {
            // The old note counts rows that are gone now.
            open.note(&self.dir)?;
        }
        let mut statistics = manifest.statistics();
        read::feed(&self.dir, manifest, &mark, &mut statistics)?;
        self.open = Some(open);
        Ok(Some(Earlier { done: mark.end, statistics }))
    }

    fn blocks(&mut self, blocks: &[Block]) -> Result<(), StoreError> {
        let Some(open) = &mut self.open else { return Ok(()) };
        let mut rows = std::mem::take(&mut open.rows);
        rows.resize_with(rows.len().max(blocks.len()), Rows::default);
        // Printing takes about as long as a short run, so all cores share it.
        let printing = rows.par_iter_mut().zip(blocks);
        printing.for_each(|(rows, block)| rows.format(block, &open.times, &open.words));
        for (rows, block) in rows.iter().zip(blocks) {
            let mut from = [0; 3];
            for (end, to) in &rows.cuts {
                for k in 0..3 {
                    open.append(&self.dir, k, &rows.texts[k][from[k]..to[k]])?;
                }
                from = *to;
                open.close_block(&self.dir, *end)?;
            }
            for k in 0..3 {
                open.append(&self.dir, k, &rows.texts[k][from[k]..])?;
            }
            open.done = block.end();
        }
        open.rows = rows;
        if open.noted.elapsed() >= NOTE_EVERY {
            open.note(&self.dir)?;
        }
        Ok(())
    }

    fn pause(&mut self) -> Result<(), StoreError> {
        self.close(|_, _| Ok(()))
    }

    fn finish(
        &mut self,
        manifest: &Manifest,
        statistics: &Statistics,
    ) -> Result<Vec<PathBuf>, StoreError> {
        if let Some(open) = self.open.as_mut().filter(|open| open.marked < open.done) {
            open.close_block(&self.dir, open.done)?;
        }
        let dir = self.dir.clone();
        let mut paths = vec![dir.join("ensemble.json")];
        self.close(|open, results| {
            for (k, header) in manifest.headers().iter().enumerate() {
                let path = dir.join(name(k));
                // A table of other times is removed if it has no rows.
                if k == OBSERVED && header.len() as u64 == open.lengths[k] {
                    std::fs::remove_file(&path).map_err(FileError::write(&path))?;
                    results.forget(name(k));
                } else {
                    paths.push(path);
                }
            }
            paths.push(results.write("statistics.csv", statistics.to_csv().as_bytes())?);
            Ok(())
        })?;
        Ok(paths)
    }
}

impl Folder {
    /// Notes down what is complete, and lists all files with their checksums.
    fn close(
        &mut self,
        more: impl FnOnce(&Open, &mut ResultFolder) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let (Some(mut open), Some(results)) = (self.open.take(), &mut self.results) else {
            return Ok(());
        };
        let note = open.note(&self.dir)?;
        let mut keep = |name: &str, hash: Hash| results.keep(Written { name: name.into(), hash });
        keep("ensemble.json", open.manifest);
        keep(PROGRESS, Hash::of(note.to_text().as_bytes()));
        (0..4).for_each(|k| keep(name(k), open.hashers[k].hash()));
        more(&open, results)?;
        if !self.held {
            results.commit()?;
        }
        Ok(())
    }
}
