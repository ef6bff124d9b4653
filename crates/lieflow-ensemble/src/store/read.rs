//! Reading the tables of an ensemble back.
use super::mark::Mark;
use super::record::Record;
use super::tables::{FAILURES, OBSERVED, Tables};
use super::{Manifest, StoreError};
use crate::run::NAMED;
use crate::statistics::Statistics;
use lieflow_files::open_plain;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Take};
use std::path::{Path, PathBuf};

/// The rows of a growing table, as far as a mark says that it is complete.
pub(super) struct Table<'a> {
    path: PathBuf,
    file: Option<BufReader<Take<File>>>,
    /// How a row is read, if it is one of an array.
    record: Option<&'a Record>,
    row: Vec<u8>,
    /// How many lines were read, or rows of an array.
    number: u64,
    first: u64,
    /// The least index that the next row may have, and the index after the last.
    next: u64,
    end: u64,
    /// Whether an index may come again.
    repeats: bool,
}

impl<'a> Table<'a> {
    /// The table number `k` of a folder, before its first row.
    pub fn open(
        dir: &Path,
        k: usize,
        tables: &'a Tables,
        manifest: &Manifest,
        mark: &Mark,
    ) -> Result<Self, StoreError> {
        let path = dir.join(tables.names[k]);
        let (head, length) = (tables.heads[k].len() as u64, mark.lengths[k]);
        let (record, first, end) = (tables.record(k), manifest.range.0, mark.end);
        // A table without rows need not be there.
        let file = if length > head {
            let mut file = open_plain(&path).map_err(StoreError::at(&path))?;
            file.seek(SeekFrom::Start(head)).map_err(StoreError::at(&path))?;
            Some(BufReader::with_capacity(1 << 16, file.take(length - head)))
        } else {
            None
        };
        // The head is one line.
        let (row, number, repeats) = (Vec::new(), u64::from(record.is_none()), k == OBSERVED);
        let table = Self { path, file, record, row, number, first, next: first, end, repeats };
        let rows = record.map(|record| (end - first) * (record.rows() * record.size()) as u64);
        match rows.filter(|rows| *rows != length.saturating_sub(head)) {
            Some(_) => Err(table.damaged(format!("the rows of trajectories {first} to {end}"))),
            None => Ok(table),
        }
    }

    /// The next row with its index. Indices rise, and lie in the range of the folder.
    pub fn row(&mut self) -> Result<Option<(u64, &[u8])>, StoreError> {
        let Some(file) = &mut self.file else { return Ok(None) };
        self.row.clear();
        let read = match self.record {
            Some(record) => file.take(record.size() as u64).read_to_end(&mut self.row),
            None => file.read_until(b'\n', &mut self.row),
        };
        if read.map_err(StoreError::at(&self.path))? == 0 {
            return Ok(None);
        }
        let index = match self.record {
            Some(record) => {
                let index = self.first + self.number / record.rows() as u64;
                (record.index(&self.row) == index).then_some(index)
            }
            None => self.cells().next().and_then(|cell| cell.parse::<u64>().ok()),
        };
        self.number += 1;
        match index.filter(|index| (self.next..self.end).contains(index)) {
            Some(index) => {
                self.next = if self.repeats { index } else { index + 1 };
                Ok(Some((index, &self.row)))
            }
            None => {
                Err(self
                    .damaged(format!("a row of a trajectory from {} to {}", self.next, self.end)))
            }
        }
    }

    /// The index of the next row of a trajectory that reached its time.
    fn reached(&mut self) -> Result<Option<u64>, StoreError> {
        let record = self.record;
        while let Some((index, row)) = self.row()? {
            if record.is_none_or(|record| record.is_reached(row)) {
                return Ok(Some(index));
            }
        }
        Ok(None)
    }

    /// The row read last, if it is text.
    fn cells(&self) -> impl Iterator<Item = &str> {
        let line = std::str::from_utf8(&self.row).unwrap_or_default();
        line.trim_end_matches('\n').split(',')
    }

    /// The row read last is not what it should be.
    pub fn damaged(&self, expected: String) -> StoreError {
        let (place, found) = match self.record {
            Some(record) => (
                format!("row {}", self.number),
                format!("{} rows, this one of trajectory {}", self.number, record.index(&self.row)),
            ),
            None => (
                format!("line {}", self.number),
                String::from_utf8_lossy(&self.row).chars().take(60).collect(),
            ),
        };
        StoreError::Damaged { path: self.path.clone(), place, found, expected }
    }

    /// The time and the observables of the row read last; `before` columns precede the time.
    fn numbers(
        &self,
        before: usize,
        manifest: &Manifest,
        values: &mut Vec<f64>,
    ) -> Result<(), StoreError> {
        values.clear();
        match self.record {
            Some(record) => values.extend(record.numbers(&self.row)),
            None => {
                let cells = self.cells().skip(before);
                values.extend(cells.map_while(|cell| cell.parse::<f64>().ok()));
            }
        }
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
    let tables = Tables::of(manifest);
    let open = |k: usize| Table::open(dir, k, &tables, manifest, mark);
    let (mut table, mut failures) = (open(0)?, open(FAILURES)?);
    let mut failed = failures.reached()?;
    let mut values = Vec::new();
    let mut next = manifest.range.0;
    loop {
        let row = table.reached()?;
        let end = row.unwrap_or(mark.end);
        while next < end {
            if failed != Some(next) {
                return Err(
                    table.damaged(format!("the row of trajectory {next}, which did not fail"))
                );
            }
            failed = failures.reached()?;
            next += 1;
        }
        if row.is_none() {
            break;
        }
        if failed == Some(next) {
            failed = failures.reached()?;
        }
        next += 1;
        table.numbers(manifest.inputs.len() + 1, manifest, &mut values)?;
        statistics.feed_row(times - 1, &values[1..]);
    }
    // Each time has its own statistics, so the tables can be read one after the other.
    let mut table = open(OBSERVED)?;
    while table.reached()?.is_some() {
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
    let path = dir.join(Tables::of(manifest).names[FAILURES]);
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
