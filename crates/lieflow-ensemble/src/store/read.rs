//! Reading the files of an ensemble back.
use super::{GROWING, Manifest, StoreError};
use crate::statistics::Statistics;
use serde_json::Value as Json;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// How far a run in this folder came: the next index, and the lengths of the files.
pub(super) fn progress(dir: &Path) -> Result<Option<(u64, [u64; 3])>, StoreError> {
    let path = dir.join("progress.json");
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(StoreError::at(&path)(error)),
    };
    let note: Option<Json> = serde_json::from_str(&text).ok();
    let read = note.and_then(|note| {
        let length = |k: usize| note["lengths"][k].as_u64();
        Some((note["done"].as_u64()?, [length(0)?, length(1)?, length(2)?]))
    });
    let Some((done, lengths)) = read else {
        let expected = "a note of progress".into();
        return Err(StoreError::Damaged { path, line: 1, found: text, expected });
    };
    // A file that is shorter than the note says has lost rows; the run then starts afresh.
    for (name, length) in GROWING.iter().zip(lengths) {
        let there = std::fs::metadata(dir.join(name)).map_or(0, |data| data.len());
        if there < length && !(there == 0 && done > 0 && *name != GROWING[0]) {
            return Ok(None);
        }
    }
    Ok(Some((done, lengths)))
}

/// The statistics of the rows in the files, in the order of the index.
pub(super) fn statistics(dir: &Path, manifest: &Manifest) -> Result<Statistics, StoreError> {
    let mut statistics = manifest.statistics();
    let times = manifest.times.len();
    // Each time has its own statistics, so the files can be read one after the other.
    each_row(dir, GROWING[0], manifest.inputs.len() + 1, manifest, &mut |_, values| {
        statistics.feed_row(times - 1, values);
    })?;
    if times > 1 {
        each_row(dir, GROWING[1], 1, manifest, &mut |t, values| {
            if let Some(k) = manifest.times.iter().position(|time| *time == t) {
                statistics.feed_row(k, values);
            }
        })?;
    }
    Ok(statistics)
}

/// Calls `take` with the time and the observables of every row; `before` columns precede the time.
fn each_row(
    dir: &Path,
    name: &str,
    before: usize,
    manifest: &Manifest,
    take: &mut dyn FnMut(f64, &[f64]),
) -> Result<(), StoreError> {
    let path = dir.join(name);
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(StoreError::at(&path)(error)),
    };
    let mut values = Vec::new();
    for (number, line) in BufReader::new(file).lines().enumerate().skip(1) {
        let line = line.map_err(StoreError::at(&path))?;
        values.clear();
        values.extend(line.split(',').skip(before).map_while(|cell| cell.parse::<f64>().ok()));
        if values.len() != manifest.observables.len() + 1 {
            return Err(StoreError::Damaged {
                path,
                line: number as u64 + 1,
                found: line.chars().take(60).collect(),
                expected: format!("{} numbers", before + 1 + manifest.observables.len()),
            });
        }
        take(values[0], &values[1..]);
    }
    Ok(())
}
