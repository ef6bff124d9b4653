//! Putting shards together.
use super::check::sound;
use super::manifest::other;
use super::mark::{BLOCK, BLOCKS, Mark};
use super::note::{Note, PROGRESS};
use super::read::{Table, feed};
use super::tables::{FAILURES, OBSERVED, Tables};
use super::{Manifest, StoreError};
use crate::statistics::Statistics;
use lieflow_files::{FileError, Hash, Kind, MOST_AT_ONCE, ResultFolder, read_plain};
use serde_json::Value as Json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What a merge made.
#[derive(Clone, Debug)]
pub struct Merged {
    /// What the files have in common.
    pub manifest: Manifest,
    /// The statistics of all.
    pub statistics: Statistics,
    /// Trajectories that did not reach the end.
    pub failures: u64,
    /// The files.
    pub files: Vec<PathBuf>,
}

/// A shard that is complete and what was written.
struct Part<'a> {
    dir: &'a Path,
    manifest: Manifest,
    mark: Mark,
}

/// Merges the folders of complete shards into one: the bytes of a run of the whole. The files are
/// put there when all of them are ready.
pub fn merge(shards: &[PathBuf], out: &Path) -> Result<Merged, StoreError> {
    merge_held(shards, out).map(|(merged, _)| merged)
}

/// The same; the folder stays locked, for further files and another commit.
pub fn merge_held(shards: &[PathBuf], out: &Path) -> Result<(Merged, ResultFolder), StoreError> {
    let mut parts = Vec::new();
    for dir in shards {
        if same_folder(dir, out) {
            let text = "the shards cannot be merged into one of them; choose another folder";
            return Err(StoreError::Shards(format!("{}: {text}", out.display())));
        }
        let (manifest, mark) = load_checked(dir)?;
        if mark.end < manifest.range.1 {
            let (path, range) = (dir.clone(), manifest.range);
            return Err(StoreError::Incomplete { path, done: mark.end, range });
        }
        parts.push(Part { dir, manifest, mark });
    }
    parts.sort_by_key(|part| part.manifest.range);
    let whole = fit_together(&parts)?;
    let mut results = ResultFolder::open(out, Kind::Ensemble)?;
    claim(out, &whole)?;
    let mut files = vec![results.write("ensemble.json", whole.to_text().as_bytes())?];
    let (mut lengths, mut hashes, mut failures) = ([0; 3], [whole.hash(); 3], 0);
    let mut cuts: [Vec<(u64, Hash)>; 3] = Default::default();
    let tables = Tables::of(&whole);
    for (k, name) in tables.names.iter().enumerate() {
        let mut draft = results.draft(name)?;
        let rows = join(&parts, k, &tables, whole.count, &mut draft, &mut cuts[k])?;
        (lengths[k], hashes[k]) = (draft.length(), draft.hash());
        if k == FAILURES {
            failures = rows;
        }
        // A table of other times is there only if there are any.
        if k != OBSERVED || rows > 0 {
            files.push(results.take(draft)?);
        }
    }
    let mut blocks = Mark::header();
    for (k, ((a, b), c)) in cuts[0].iter().zip(&cuts[1]).zip(&cuts[2]).enumerate() {
        let end = ((k as u64 + 1) * BLOCK).min(whole.count);
        blocks += &Mark { end, lengths: [a.0, b.0, c.0], hashes: [a.1, b.1, c.1] }.line();
    }
    results.write(BLOCKS, blocks.as_bytes())?;
    let mut statistics = whole.statistics();
    for part in &parts {
        feed(part.dir, &part.manifest, &part.mark, &mut statistics)?;
    }
    files.push(results.write("statistics.csv", statistics.to_csv().as_bytes())?);
    let note = Note {
        mark: Mark { end: whole.count, lengths, hashes },
        blocks: (blocks.len() as u64, Hash::of(blocks.as_bytes())),
        manifest: whole.hash(),
    };
    results.write(PROGRESS, note.to_text().as_bytes())?;
    results.commit()?;
    Ok((Merged { manifest: whole, statistics, failures, files }, results))
}

/// Whether two paths lead to one folder that is there.
fn same_folder(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// The manifest of the whole, of which these are all shards.
fn fit_together(parts: &[Part<'_>]) -> Result<Manifest, StoreError> {
    let Some(first) = parts.first() else {
        return Err(StoreError::Shards("no shards were given".into()));
    };
    let whole = Manifest { range: (0, first.manifest.count), ..first.manifest.clone() };
    let mut next = 0;
    for Part { dir, manifest: part, .. } in parts {
        let found = Manifest { range: whole.range, ..part.clone() };
        if found != whole {
            return Err(other(dir, &found.to_text(), &whole.to_text()));
        }
        if part.range.0 != next {
            return Err(StoreError::Shards(format!(
                "{}: the shard begins at trajectory {}, expected {next}: a shard is missing or given twice",
                dir.display(),
                part.range.0
            )));
        }
        next = part.range.1;
    }
    if next != whole.count {
        return Err(StoreError::Shards(format!(
            "the shards end at trajectory {next}, expected {}: the last ones are missing",
            whole.count
        )));
    }
    Ok(whole)
}

/// Refuses a folder that holds another ensemble.
fn claim(out: &Path, whole: &Manifest) -> Result<(), StoreError> {
    match load(out) {
        Ok(there) if there == *whole => Ok(()),
        Err(StoreError::Absent { .. }) => Ok(()),
        Ok(there) => Err(other(out, &there.to_text(), &whole.to_text())),
        Err(error) => Err(error),
    }
}

/// One table out of those of the shards, with one header line; its rows. The length and the checksum
/// at the end of every block are added to `cuts`.
fn join(
    parts: &[Part<'_>],
    k: usize,
    tables: &Tables,
    count: u64,
    draft: &mut lieflow_files::Draft,
    cuts: &mut Vec<(u64, Hash)>,
) -> Result<u64, StoreError> {
    let place = draft.place().to_path_buf();
    let failed = |error: io::Error| FileError::write(&place)(error);
    draft.write_all(&tables.heads[k]).map_err(failed)?;
    let mut rows = 0;
    for part in parts {
        let tables = Tables::of(&part.manifest);
        let mut table = Table::open(part.dir, k, &tables, &part.manifest, &part.mark)?;
        while let Some((index, row)) = table.row()? {
            while index >= (cuts.len() as u64 + 1) * BLOCK {
                cuts.push((draft.length(), draft.hash()));
            }
            draft.write_all(row).map_err(failed)?;
            rows += 1;
        }
    }
    while (cuts.len() as u64) < count.div_ceil(BLOCK) {
        cuts.push((draft.length(), draft.hash()));
    }
    Ok(rows)
}

/// The manifest of a folder, and how far its tables have come, if they are what was written.
pub(super) fn load_checked(dir: &Path) -> Result<(Manifest, Mark), StoreError> {
    let manifest = load(dir)?;
    let Some(note) = Note::load(dir)? else {
        let (path, range) = (dir.into(), manifest.range);
        return Err(StoreError::Incomplete { path, done: range.0, range });
    };
    match sound(dir, &manifest, &note)?.damage {
        Some(damage) => Err(damage),
        None => Ok((manifest, note.mark)),
    }
}

/// The manifest of a folder.
pub(super) fn load(dir: &Path) -> Result<Manifest, StoreError> {
    let path = dir.join("ensemble.json");
    let text = match read_plain(&path, MOST_AT_ONCE) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            return Err(StoreError::Absent { path: dir.into() });
        }
        Err(error) => return Err(StoreError::at(&path)(error)),
    };
    let json: Json = serde_json::from_str(&text).unwrap_or(Json::Null);
    match Manifest::from_json(&json).filter(|manifest| manifest.to_text() == text) {
        Some(manifest) => Ok(manifest),
        None => Err(StoreError::Damaged {
            path,
            place: "line 1".into(),
            found: text.chars().take(60).collect(),
            expected: "the manifest of an ensemble, as this version writes it".into(),
        }),
    }
}
