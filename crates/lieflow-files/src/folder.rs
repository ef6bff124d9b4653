//! All files of a result at once.
//!
//! ```text
//! drafts of all files, synced ─▶ SHA256SUMS.unfinished ─▶ renames ─▶ stale files removed ─▶ SHA256SUMS
//! ```
//!
//! Before the first rename, the result of an earlier run is untouched. After it, every file is whole,
//! and the list that is there until the end says that they may be of two runs, and which are ours.
use crate::{
    DRAFT, Draft, FileError, FolderLock, Hash, SUMS, Sums, UNFINISHED, replace, sync_folder,
};
use std::collections::BTreeSet;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// What a folder holds. A result replaces one of its own kind only: hours of an ensemble are not
/// removed by a run of seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A run or a study.
    Run,
    /// An ensemble, or a part of one.
    Ensemble,
    /// Experiments of papers.
    Gallery,
    /// One experiment.
    Experiment,
}

impl Kind {
    /// The file that tells.
    const MARKS: [(&'static str, Self, &'static str); 3] = [
        ("ensemble.json", Self::Ensemble, "an ensemble"),
        ("index.html", Self::Gallery, "a gallery of experiments"),
        ("result.json", Self::Experiment, "an experiment of a paper"),
    ];

    /// What a folder with these files holds.
    pub fn of(sums: &Sums) -> (Self, &'static str) {
        let mark = Self::MARKS.iter().find(|(name, ..)| sums.0.contains_key(*name));
        mark.map_or((Self::Run, "the result of a run or a study"), |(_, kind, text)| (*kind, text))
    }
}

/// A folder that this process alone writes into.
#[derive(Debug)]
pub struct ResultFolder {
    dir: PathBuf,
    _lock: Option<FolderLock>,
    /// The files before, and those of a commit that was cut short.
    before: Sums,
    unfinished: Sums,
    drafts: Vec<Draft>,
    sums: Sums,
}

/// A file of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its name in the folder.
    pub name: String,
    /// Its checksum.
    pub hash: Hash,
}

impl ResultFolder {
    /// Makes the folder if needed, locks it, and removes the drafts that a killed process left.
    pub fn open(dir: &Path, kind: Kind) -> Result<Self, FileError> {
        let lock = FolderLock::take(dir)?;
        Self::within(dir, kind, Some(lock))
    }

    /// The same, but drafts stay where they are, for a process that goes on with them.
    pub fn open_again(dir: &Path, kind: Kind) -> Result<Self, FileError> {
        let lock = FolderLock::take(dir)?;
        Self::with_drafts(dir, kind, Some(lock))
    }

    /// Removes all drafts of other processes.
    pub fn clear(&self) -> Result<(), FileError> {
        remove_drafts(&self.dir, 1)
    }

    /// The same in a folder of which an enclosing one is locked.
    pub fn inside(dir: &Path, kind: Kind) -> Result<Self, FileError> {
        fs::create_dir_all(dir).map_err(FileError::write(dir))?;
        Self::within(dir, kind, None)
    }

    fn within(dir: &Path, kind: Kind, lock: Option<FolderLock>) -> Result<Self, FileError> {
        let folder = Self::with_drafts(dir, kind, lock)?;
        folder.clear()?;
        Ok(folder)
    }

    fn with_drafts(dir: &Path, kind: Kind, lock: Option<FolderLock>) -> Result<Self, FileError> {
        let before = Sums::load(dir, SUMS)?.unwrap_or_default();
        let unfinished = Sums::load(dir, UNFINISHED)?.unwrap_or_default();
        for sums in [&before, &unfinished] {
            let (there, found) = Kind::of(sums);
            if there != kind && !sums.0.is_empty() {
                return Err(FileError::Taken { path: dir.into(), found });
            }
        }
        let taken = Kind::MARKS[0];
        if kind != Kind::Ensemble && dir.join(taken.0).exists() {
            return Err(FileError::Taken { path: dir.into(), found: taken.2 });
        }
        let (drafts, sums) = (Vec::new(), Sums::default());
        Ok(Self { dir: dir.into(), _lock: lock, before, unfinished, drafts, sums })
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Whether a complete result is there, whose files are what was written.
    pub fn is_whole(&self) -> Result<bool, FileError> {
        let whole = !self.before.0.is_empty() && self.unfinished.0.is_empty();
        Ok(whole && self.before.damage(&self.dir)?.is_none())
    }

    /// The checksums of the result that was there before; nothing in them if it was not complete.
    pub fn before(&self) -> &Sums {
        &self.before
    }

    /// Begins a file that grows.
    pub fn draft(&self, name: &str) -> Result<Draft, FileError> {
        Draft::create(&self.dir.join(name))
    }

    /// Takes a draft that is complete; it comes to its place with all others.
    pub fn take(&mut self, mut draft: Draft) -> Result<PathBuf, FileError> {
        draft.sync()?;
        let place = draft.place().to_path_buf();
        let name = place.strip_prefix(&self.dir).unwrap_or(&place).to_string_lossy().into_owned();
        self.sums.0.insert(name, draft.hash());
        self.drafts.push(draft);
        Ok(place)
    }

    /// Writes a whole file; it comes to its place with all others.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<PathBuf, FileError> {
        let mut draft = self.draft(name)?;
        draft.write_all(bytes).map_err(FileError::write(draft.place()))?;
        self.take(draft)
    }

    /// Counts a file that is in its place already.
    pub fn keep(&mut self, file: Written) {
        self.sums.0.insert(file.name, file.hash);
    }

    /// No longer counts a file.
    pub fn forget(&mut self, name: &str) {
        self.sums.0.remove(name);
    }

    /// Says that files of this folder are about to change in their places: until the next commit it is
    /// not complete.
    pub fn reopen(&self) -> Result<(), FileError> {
        let mut ours = self.before.clone();
        ours.0.extend(self.unfinished.0.iter().map(|(name, hash)| (name.clone(), *hash)));
        if !ours.0.is_empty() {
            replace(&self.dir.join(UNFINISHED), ours.to_text().as_bytes())?;
        }
        remove(&self.dir, &[SUMS.into()])?;
        sync_folder(&self.dir)
    }

    /// Puts all files into their places, and removes those of the result before that are not among
    /// them. More files may follow, with another commit.
    pub fn commit(&mut self) -> Result<(), FileError> {
        let Self { dir, before, unfinished, drafts, sums, .. } = self;
        let stale = |sums_before: &Sums| -> Vec<String> {
            sums_before.0.keys().filter(|name| !sums.0.contains_key(*name)).cloned().collect()
        };
        // A list that was cut short is replaced by ours only when what it alone names is gone.
        remove(dir, &stale(unfinished))?;
        let pending = dir.join(UNFINISHED);
        if !drafts.is_empty() || before != sums {
            replace(&pending, sums.to_text().as_bytes())?;
        }
        let mut folders = BTreeSet::from([dir.clone()]);
        for draft in drafts.drain(..) {
            folders.extend(draft.place().parent().map(Path::to_path_buf));
            draft.put()?;
        }
        remove(dir, &stale(before))?;
        folders.iter().try_for_each(|folder| sync_folder(folder))?;
        if pending.exists() {
            let place = dir.join(SUMS);
            fs::rename(&pending, &place).map_err(FileError::write(&place))?;
            sync_folder(dir)?;
        }
        (self.before, self.unfinished) = (self.sums.clone(), Sums::default());
        Ok(())
    }
}

/// Removes files, and the folders in it that they leave empty.
fn remove(dir: &Path, names: &[String]) -> Result<(), FileError> {
    for name in names {
        let path = dir.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(FileError::write(&path)(error));
            }
            _ => {}
        }
        if let Some(parent) = path.parent().filter(|parent| *parent != dir) {
            let _ = fs::remove_dir(parent);
        }
    }
    Ok(())
}

/// Removes the drafts of a process that was killed, also from the folders in it.
fn remove_drafts(dir: &Path, depth: usize) -> Result<(), FileError> {
    for entry in fs::read_dir(dir).map_err(FileError::folder(dir))? {
        let entry = entry.map_err(FileError::folder(dir))?;
        let path = entry.path();
        if entry.file_name().to_string_lossy().ends_with(DRAFT) {
            fs::remove_file(&path).map_err(FileError::write(&path))?;
        } else if depth > 0 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_drafts(&path, depth - 1)?;
        }
    }
    Ok(())
}
