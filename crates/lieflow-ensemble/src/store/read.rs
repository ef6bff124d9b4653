//! Reading the tables of an ensemble back.
use super::mark::Mark;
use super::{GROWING, Manifest, StoreError};
use crate::run::NAMED;
use crate::statistics::Statistics;
use lieflow_files::open_plain;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Take};
use std::path::{Path, PathBuf};

/// The rows of a growing table, as far as a mark says that it is complete.
pub(super) struct Table {
    path: PathBuf,
    lines: Option<BufReader<Take<File>>>,
    line: String,
    number: u64,
    /// The least index that the next row may have, and the index after the last.
    next: u64,
    end: u64,
    /// Whether an index may come again.
    repeats: bool,
}

impl Table {
    /// The table number `k` of a folder, before its first row.
    pub fn open(
        dir: &Path,
        k: usize,
        manifest: &Manifest,
        mark: &Mark,
    ) -> Result<Self, StoreError> {
        let path = dir.join(GROWING[k]);
        let header = manifest.headers()[k].len() as u64;
        // A table without rows need not be there.
        let lines = if mark.lengths[k] > header {
            let file = open_plain(&path).map_err(StoreError::at(&path))?;
            Some(BufReader::with_capacity(1 << 16, file.take(mark.lengths[k])))
        } else {
            None
        };
        let (next, repeats) = (manifest.range.0, k == 1);
        let mut table =
            Self { path, lines, line: String::new(), number: 0, next, end: mark.end, repeats };
        table.read_line()?;
        Ok(table)
    }

    fn read_line(&mut self) -> Result<bool, StoreError> {
        let Some(lines) = &mut self.lines else { return Ok(false) };
        self.line.clear();
        self.number += 1;
        let length = lines.read_line(&mut self.line).map_err(StoreError::at(&self.path))?;
        Ok(length > 0)
    }

    /// The next row with its index. Indices rise, and lie in the range of the folder.
    pub fn row(&mut self) -> Result<Option<(u64, &str)>, StoreError> {
        if !self.read_line()? {
            return Ok(None);
        }
        let index = self.line.split(',').next().and_then(|cell| cell.parse::<u64>().ok());
        match index.filter(|index| (self.next..self.end).contains(index)) {
            Some(index) => {
                self.next = if self.repeats { index } else { index + 1 };
                Ok(Some((index, &self.line)))
            }
            None => {
                Err(self
                    .damaged(format!("a row of a trajectory from {} to {}", self.next, self.end)))
            }
        }
    }

    /// The row read last is not what it should be.
    pub fn damaged(&self, expected: String) -> StoreError {
        let found = self.line.chars().take(60).collect();
        StoreError::Damaged { path: self.path.clone(), line: self.number, found, expected }
    }

    /// The time and the observables of the row read last; `before` columns precede the time.
    fn numbers(
        &self,
        before: usize,
        manifest: &Manifest,
        values: &mut Vec<f64>,
    ) -> Result<(), StoreError> {
        values.clear();
        let cells = self.line.trim_end_matches('\n').split(',').skip(before);
        values.extend(cells.map_while(|cell| cell.parse::<f64>().ok()));
        if values.len() == manifest.observables.len() + 1 {
            return Ok(());
        }
        Err(self.damaged(format!("{} numbers", before + 1 + manifest.observables.len())))
    }
}

/// Adds the rows of a folder to the statistics, in the order of the index. Every trajectory before the
/// mark has reached the end or failed.
pub(super) fn feed(
    dir: &Path,
    manifest: &Manifest,
    mark: &Mark,
    statistics: &mut Statistics,
) -> Result<(), StoreError> {
    let times = manifest.times.len();
    let open = |k: usize| Table::open(dir, k, manifest, mark);
    let (mut table, mut failures) = (open(0)?, open(2)?);
    let mut failed = failures.row()?.map(|(index, _)| index);
    let mut values = Vec::new();
    let mut next = manifest.range.0;
    loop {
        let row = table.row()?.map(|(index, _)| index);
        let end = row.unwrap_or(mark.end);
        while next < end {
            if failed != Some(next) {
                return Err(
                    table.damaged(format!("the row of trajectory {next}, which did not fail"))
                );
            }
            failed = failures.row()?.map(|(index, _)| index);
            next += 1;
        }
        if row.is_none() {
            break;
        }
        if failed == Some(next) {
            failed = failures.row()?.map(|(index, _)| index);
        }
        next += 1;
        table.numbers(manifest.inputs.len() + 1, manifest, &mut values)?;
        statistics.feed_row(times - 1, &values[1..]);
    }
    // Each time has its own statistics, so the tables can be read one after the other.
    let mut table = open(1)?;
    while table.row()?.is_some() {
        table.numbers(1, manifest, &mut values)?;
        match manifest.times.iter().position(|time| *time == values[0]) {
            Some(k) => statistics.feed_row(k, &values[1..]),
            None => return Err(table.damaged("a time of the ensemble".into())),
        }
    }
    Ok(())
}

/// The first trajectories that failed, of a folder that is complete: index, varied numbers, reason.
pub fn first_failures(
    dir: &Path,
    manifest: &Manifest,
) -> Result<Vec<(u64, Vec<f64>, String)>, StoreError> {
    let path = dir.join(GROWING[2]);
    let file = open_plain(&path).map_err(StoreError::at(&path))?;
    let (mut list, words) = (Vec::new(), manifest.words());
    for line in BufReader::new(file).lines().skip(1).take(NAMED) {
        let line = line.map_err(StoreError::at(&path))?;
        // index, the varied numbers, t, the reason in quotes
        let mut cells = line.splitn(manifest.inputs.len() + 3, ',');
        let index = cells.next().and_then(|cell| cell.parse().ok()).unwrap_or_default();
        let numbers = cells.by_ref().take(manifest.inputs.len());
        let number = |(cell, words): (&str, &Vec<String>)| {
            let place = words.iter().position(|word| word == cell).map(|place| place as f64);
            place.or_else(|| cell.parse().ok()).unwrap_or(f64::NAN)
        };
        let numbers = numbers.zip(&words).map(number).collect();
        let reason = cells.nth(1).unwrap_or_default();
        let quoted = reason.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let reason = quoted.unwrap_or(reason).replace("\"\"", "\"");
        list.push((index, numbers, reason));
    }
    Ok(list)
}
