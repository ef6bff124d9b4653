//! A folder of files that grow with the run.
use super::check::sound;
use super::grown::Grown;
use super::manifest::other;
use super::mark::{BLOCKS, Mark};
use super::note::{Note, PROGRESS};
use super::notes::Notes;
use super::rows::Rows;
use super::tables::{OBSERVED, Tables};
use super::{Manifest, StoreError, read};
use crate::keeper::{Earlier, Keeper};
use crate::run::Block;
use crate::statistics::Statistics;
use lieflow_files::{
    FileError, Hash, Hasher, Kind, MOST_AT_ONCE, ResultFolder, Written, read_plain, replace,
};
use rayon::prelude::*;
use std::io;
use std::path::{Path, PathBuf};

/// So many numbers of each core are made rows of at a time: they are in its cache until they are written and counted.
const AT_ONCE: usize = 1 << 15;

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
    grown: [Grown; 3],
    marks: Grown,
    /// The index of the first trajectory that has no rows yet.
    done: u64,
    /// The end of the last block that was marked.
    marked: u64,
    notes: Notes,
    tables: Tables,
    manifest: Hash,
    /// Reused from one window to the next.
    rows: Vec<Rows>,
}

impl Open {
    /// Nothing is done yet.
    fn new(
        dir: &Path,
        manifest: &Manifest,
        tables: Tables,
        grown: [Grown; 3],
        marks: Grown,
    ) -> Self {
        Self {
            grown,
            marks,
            done: manifest.range.0,
            marked: manifest.range.0,
            notes: Notes::new(dir),
            tables,
            manifest: manifest.hash(),
            rows: Vec::new(),
        }
    }

    fn mark(&self, end: u64) -> Mark {
        let lengths = self.grown.each_ref().map(Grown::length);
        Mark { end, lengths, hashes: self.grown.each_ref().map(Grown::hash) }
    }

    /// Appends the rows of blocks, which follow those before.
    fn append(&mut self, blocks: &[Block]) -> Result<(), StoreError> {
        let Self { grown, tables, rows, .. } = self;
        rows.resize_with(rows.len().max(blocks.len()), Rows::default);
        let rows = &mut rows[..blocks.len()];
        // Printing takes about as long as a short run, so all cores share it.
        rows.par_iter_mut().zip(blocks).for_each(|(rows, block)| rows.fill(block, tables));
        let appended =
            grown.par_iter_mut().enumerate().map(|(k, grown)| grown.append_rows(rows, k));
        let cuts = appended.collect::<Result<Vec<_>, _>>()?;
        let ends: Vec<u64> = rows.iter().flat_map(|rows| &rows.cuts).map(|(end, _)| *end).collect();
        for (k, end) in ends.into_iter().enumerate() {
            let at = [0, 1, 2].map(|table| cuts[table][k]);
            let (lengths, hashes) = (at.map(|(length, _)| length), at.map(|(_, hash)| hash));
            self.close_block(Mark { end, lengths, hashes })?;
        }
        self.done = blocks.last().map_or(self.done, Block::end);
        Ok(())
    }

    /// Notes down the checksums at the end of a block.
    fn close_block(&mut self, mark: Mark) -> Result<(), StoreError> {
        self.marked = mark.end;
        self.marks.append(mark.line().as_bytes())
    }

    /// The note that everything so far is complete, and what brings that to the disk.
    fn note(
        &mut self,
    ) -> Result<(Note, impl FnOnce() -> Result<(), StoreError> + Send + use<>), StoreError> {
        let blocks = (self.marks.length(), self.marks.hash());
        let note = Note { mark: self.mark(self.done), blocks, manifest: self.manifest };
        let files = self.grown.iter_mut().chain([&mut self.marks]).map(Grown::sync);
        let files = files.collect::<Result<Vec<_>, _>>()?;
        Ok((note, || files.into_iter().try_for_each(|sync| sync())))
    }

    /// Notes it, and waits for the disk.
    fn note_now(&mut self) -> Result<Note, StoreError> {
        let (note, synced) = self.note()?;
        self.notes.make(note, synced)?;
        Ok(note)
    }
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
        let tables = Tables::of(manifest);
        let grown = |k: usize| {
            let (path, head, length) =
                (dir.join(tables.names[k]), &tables.heads[k], mark.lengths[k]);
            match head.len() as u64 == length {
                // A table without rows may have been lost with its head.
                true => Grown::begin(path, head),
                false => Grown::go_on(path, length, found.hashers[k].clone()),
            }
        };
        let grown = [grown(0)?, grown(1)?, grown(2)?];
        let (length, mut hasher) = (found.blocks.len() as u64, Hasher::default());
        hasher.add(found.blocks.as_bytes());
        let marks = Grown::go_on(dir.join(BLOCKS), length, hasher)?;
        let mut open = Open::new(&self.dir, manifest, tables, grown, marks);
        let last = found.blocks.lines().skip(1).last().and_then(Mark::parse);
        open.marked = last.map_or(manifest.range.0, |mark| mark.end);
        open.done = mark.end;
        Ok(Some((mark, open)))
    }

    /// Begins with empty tables.
    fn fresh(&self, manifest: &Manifest) -> Result<Open, StoreError> {
        let tables = Tables::of(manifest);
        let grown = |k: usize| Grown::begin(self.dir.join(tables.names[k]), &tables.heads[k]);
        let grown = [grown(0)?, grown(1)?, grown(2)?];
        let marks = Grown::begin(self.dir.join(BLOCKS), Mark::header().as_bytes())?;
        let mut open = Open::new(&self.dir, manifest, tables, grown, marks);
        open.note_now()?;
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
                return Err(other(&self.dir, &String::from_utf8_lossy(&there), &text));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(StoreError::at(&path)(error)),
        }
        Ok(replace(&path, text.as_bytes())?)
    }
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
            open.note_now()?;
        }
        let mut statistics = manifest.statistics();
        read::feed(&self.dir, manifest, &mark, &mut statistics)?;
        self.open = Some(open);
        Ok(Some(Earlier { done: mark.end, statistics }))
    }

    fn blocks(&mut self, blocks: &[Block]) -> Result<(), StoreError> {
        let Some(open) = &mut self.open else { return Ok(()) };
        let each = blocks.iter().map(|b| b.width() * open.tables.times.len() * b.ends().len());
        let most = (AT_ONCE / each.max().unwrap_or(1).max(1)).max(1);
        for blocks in blocks.chunks(most * rayon::current_num_threads()) {
            open.append(blocks)?;
        }
        if open.notes.are_due() {
            let (note, synced) = open.note()?;
            open.notes.begin(note, synced)?;
        }
        Ok(())
    }

    fn pause(&mut self) -> Result<(), StoreError> {
        self.close(|_, _| Ok(()))
    }

    fn finish(
        &mut self,
        _: &Manifest,
        statistics: &Statistics,
    ) -> Result<Vec<PathBuf>, StoreError> {
        if let Some(open) = self.open.as_mut().filter(|open| open.marked < open.done) {
            open.close_block(open.mark(open.done))?;
        }
        let dir = self.dir.clone();
        let mut paths = vec![dir.join("ensemble.json")];
        self.close(|open, results| {
            let Tables { names, heads, .. } = &open.tables;
            for (k, (name, head)) in names.iter().zip(heads).enumerate() {
                let path = dir.join(name);
                // A table of other times is removed if it has no rows.
                if k == OBSERVED && head.len() as u64 == open.grown[k].length() {
                    std::fs::remove_file(&path).map_err(FileError::write(&path))?;
                    results.forget(name);
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
        let note = open.note_now()?;
        let mut keep = |name: &str, hash: Hash| results.keep(Written { name: name.into(), hash });
        keep("ensemble.json", open.manifest);
        keep(PROGRESS, Hash::of(note.to_text().as_bytes()));
        open.tables
            .names
            .iter()
            .zip(&open.grown)
            .for_each(|(name, grown)| keep(name, grown.hash()));
        keep(BLOCKS, open.marks.hash());
        more(&open, results)?;
        if !self.held {
            results.commit()?;
        }
        Ok(())
    }
}
