//! A folder of files that grow with the run.
use super::manifest::difference;
use super::rows::Rows;
use super::{GROWING, Manifest, StoreError, read};
use crate::keeper::{Earlier, Keeper};
use crate::run::Block;
use crate::statistics::Statistics;
use rayon::prelude::*;
use serde_json::json;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, Write};
use std::path::{Path, PathBuf};

/// Keeps an ensemble in the files of a folder. A run that was interrupted goes on there.
#[derive(Debug)]
pub struct Folder {
    dir: PathBuf,
    open: Option<Open>,
}

/// The files once the run has begun.
#[derive(Debug)]
struct Open {
    files: [File; 3],
    lengths: [u64; 3],
    times: Vec<f64>,
    /// Reused from one window to the next.
    rows: Vec<Rows>,
}

impl Folder {
    /// The ensemble will be in this folder, which is made if needed.
    pub fn new(dir: &Path) -> Self {
        Self { dir: dir.into(), open: None }
    }

    fn append(&mut self, texts: &[String; 3]) -> Result<(), StoreError> {
        let Some(open) = &mut self.open else { return Ok(()) };
        for (k, text) in texts.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
            let written = open.files[k].write_all(text.as_bytes());
            written.map_err(|error| StoreError::at(&self.dir.join(GROWING[k]))(error))?;
            open.lengths[k] += text.len() as u64;
        }
        Ok(())
    }

    /// Notes that everything before this index is complete. A rename replaces the old note, so that
    /// there is always a whole one.
    fn note(&self, done: u64) -> Result<(), StoreError> {
        let Some(open) = &self.open else { return Ok(()) };
        let note = json!({ "done": done, "lengths": open.lengths });
        let (draft, path) = (self.dir.join("progress.json.new"), self.dir.join("progress.json"));
        std::fs::write(&draft, format!("{note}\n")).map_err(StoreError::at(&draft))?;
        std::fs::rename(&draft, &path).map_err(StoreError::at(&path))
    }

    /// One of the growing files, cut to what the last note of progress says is complete.
    fn grow(&self, k: usize, length: u64, fresh: bool) -> Result<File, StoreError> {
        let path = self.dir.join(GROWING[k]);
        let mut options = OpenOptions::new();
        let options = options.create(true).read(true).write(true).truncate(fresh);
        let ready = options.open(&path).and_then(|mut file| {
            file.set_len(length)?;
            file.seek(io::SeekFrom::End(0))?;
            Ok(file)
        });
        ready.map_err(StoreError::at(&path))
    }
}

impl Keeper for Folder {
    fn begin(&mut self, manifest: &Manifest) -> Result<Option<Earlier>, StoreError> {
        let dir = &self.dir;
        std::fs::create_dir_all(dir).map_err(StoreError::at(dir))?;
        let path = dir.join("ensemble.json");
        let text = format!("{:#}\n", manifest.to_json());
        let begun = match std::fs::read_to_string(&path) {
            Ok(there) if there == text => read::progress(dir)?,
            Ok(there) => return Err(StoreError::Other { path, what: difference(&there, &text) }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(StoreError::at(&path)(error)),
        };
        std::fs::write(&path, text).map_err(StoreError::at(&path))?;
        let fresh = begun.is_none();
        let (done, lengths) = begun.unwrap_or((manifest.range.0, [0; 3]));
        let grow = |k: usize| self.grow(k, lengths[k], fresh);
        let files = [grow(0)?, grow(1)?, grow(2)?];
        let times = manifest.times.clone();
        self.open = Some(Open { files, lengths, times, rows: Vec::new() });
        if fresh {
            self.append(&manifest.headers())?;
            self.note(done)?;
            return Ok(None);
        }
        let statistics = read::statistics(&self.dir, manifest)?;
        Ok(Some(Earlier { done, statistics }))
    }

    fn blocks(&mut self, blocks: &[Block]) -> Result<(), StoreError> {
        let Some(open) = &mut self.open else { return Ok(()) };
        let mut rows = std::mem::take(&mut open.rows);
        rows.resize_with(rows.len().max(blocks.len()), Rows::default);
        // Printing takes about as long as a short run, so all cores share it.
        let printing = rows.par_iter_mut().zip(blocks);
        printing.for_each(|(rows, block)| rows.format(block, &open.times));
        for rows in rows.iter().take(blocks.len()) {
            self.append(&rows.texts)?;
        }
        if let Some(open) = &mut self.open {
            open.rows = rows;
        }
        blocks.last().map_or(Ok(()), |block| self.note(block.end()))
    }

    fn finish(
        &mut self,
        manifest: &Manifest,
        statistics: &Statistics,
    ) -> Result<Vec<PathBuf>, StoreError> {
        let Some(open) = self.open.take() else { return Ok(Vec::new()) };
        let path = self.dir.join("statistics.csv");
        std::fs::write(&path, statistics.to_csv()).map_err(StoreError::at(&path))?;
        let mut paths = vec![self.dir.join("ensemble.json")];
        for (k, name) in GROWING.iter().enumerate() {
            let path = self.dir.join(name);
            open.files[k].sync_all().map_err(StoreError::at(&path))?;
            // Tables of other times and of failures are removed if they have no rows.
            let empty = open.lengths[k] == manifest.headers()[k].len() as u64;
            if empty && k > 0 {
                std::fs::remove_file(&path).map_err(StoreError::at(&path))?;
            } else {
                paths.push(path);
            }
        }
        paths.push(path);
        Ok(paths)
    }
}
