//! Trajectories as rows of an array of NumPy: each has its rows, whatever it reached, and all rows have the same bytes.
//!
//! ```text
//! final.npy      (trajectories,)             index, the varied numbers, t, the observables
//! observed.npy   (trajectories, times - 1)   index, t, the observables
//! ```
//!
//! What was not reached is NaN, the time too.
use super::Manifest;
use super::rows::number;
use crate::run::Block;
use lieflow_files::{npy_fields, npy_head};
use std::collections::HashSet;

/// The bytes of a number.
const NUMBER: usize = 8;

/// So many trajectories are written at a time, so that their rows stay in the cache until they have all columns.
const GROUP: usize = 64;

/// How the rows of a table are written.
#[derive(Debug)]
pub(super) struct Record {
    pub head: Vec<u8>,
    /// The first of the times, by index, and how many there are.
    times: (usize, usize),
    /// For each varied number the words that it stands for, all with the same bytes, if it stands for words.
    inputs: Vec<Vec<Vec<u8>>>,
    /// Where the time is in a row; the observables follow.
    t: usize,
    size: usize,
}

impl Record {
    /// The rows at the end, or those before it.
    pub fn new(manifest: &Manifest, words: &[Vec<String>], at_end: bool) -> Self {
        let (count, before) =
            (manifest.range.1 - manifest.range.0, manifest.times.len().saturating_sub(1));
        let (words, times) = if at_end { (words, (before, 1)) } else { (&[][..], (0, before)) };
        let inputs: Vec<Vec<_>> = words.iter().map(|words| padded(words)).collect();
        let width = |words: &Vec<Vec<u8>>| words.first().map_or(NUMBER, Vec::len);
        let kind = |words: &Vec<Vec<u8>>| match words.first() {
            Some(word) => format!("<U{}", word.len() / 4),
            None => "<f8".into(),
        };
        let varied = manifest.inputs.iter().map(String::as_str).zip(inputs.iter().map(kind));
        let rest = ["t"].into_iter().chain(manifest.observables.iter().map(String::as_str));
        let rest = rest.map(|name| (name, "<f8".to_string()));
        let fields = [("index", "<i8".to_string())].into_iter().chain(varied).chain(rest);
        let fields = unique(fields);
        let shape = [count, before as u64];
        let fields = npy_fields(fields.iter().map(|(name, kind)| (name.as_str(), kind.clone())));
        let t = NUMBER + inputs.iter().map(width).sum::<usize>();
        let size = t + NUMBER * (1 + manifest.observables.len());
        let head = npy_head(&fields, if at_end { &shape[..1] } else { &shape }, 0);
        Self { head, times, inputs, t, size }
    }

    /// The bytes of a row.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The rows of a trajectory.
    pub fn rows(&self) -> usize {
        self.times.1
    }

    /// Replaces what there is by the rows of a block observed at these times.
    pub fn fill(&self, bytes: &mut Vec<u8>, block: &Block, times: &[f64]) {
        let each = self.times.1 * self.size;
        bytes.resize(each * block.ends().len(), 0);
        if each == 0 {
            return;
        }
        for (k, group) in bytes.chunks_mut(GROUP * each).enumerate() {
            for (row, t) in (0..self.times.1).zip(&times[self.times.0..]) {
                let group = &mut group[row * self.size..];
                self.fill_row(group, block, (k * GROUP, self.times.0 + row), *t);
            }
        }
    }

    /// One row of each trajectory from `first` on, at the time with this index.
    fn fill_row(&self, group: &mut [u8], block: &Block, (first, time): (usize, usize), t: f64) {
        let each = self.times.1 * self.size;
        let complete = block.complete_rows() > time;
        for (k, row) in (first..).zip(group.chunks_mut(each)) {
            let index = block.start() + k as u64;
            let mut at = put(row, 0, index.to_le_bytes());
            for (x, words) in block.inputs_of(k).iter().zip(&self.inputs) {
                at = match words.get(*x as usize) {
                    Some(word) => {
                        row[at..at + word.len()].copy_from_slice(word);
                        at + word.len()
                    }
                    None => put(row, at, x.to_le_bytes()),
                };
            }
            put(row, at, t.to_le_bytes());
        }
        for observable in 0..block.width() {
            let at = self.t + NUMBER * (1 + observable);
            let column = block.column(time, observable).get(first..).unwrap_or_default();
            for (row, x) in group.chunks_mut(each).zip(column) {
                put(row, at, x.to_le_bytes());
            }
        }
        if complete {
            return;
        }
        for (row, end) in group.chunks_mut(each).zip(block.ends().get(first..).unwrap_or_default())
        {
            if end.rows <= time {
                let numbers = row[self.t..self.size].chunks_exact_mut(NUMBER);
                numbers.for_each(|x| x.copy_from_slice(&f64::NAN.to_le_bytes()));
            }
        }
    }

    /// The index of a row.
    pub fn index(&self, row: &[u8]) -> u64 {
        u64::from_le_bytes(get(row, 0))
    }

    /// The time of a row and its observables.
    pub fn numbers(&self, row: &[u8]) -> impl Iterator<Item = f64> {
        let numbers = row.get(self.t..).unwrap_or_default().chunks_exact(NUMBER);
        numbers.map(|bytes| f64::from_le_bytes(get(bytes, 0)))
    }

    /// Whether the trajectory of a row reached its time.
    pub fn is_reached(&self, row: &[u8]) -> bool {
        self.numbers(row).next().is_some_and(|t| !t.is_nan())
    }

    /// Appends a row as comma-separated values, if its time was reached.
    pub fn push_text(&self, text: &mut String, row: &[u8]) {
        if !self.is_reached(row) {
            return;
        }
        *text += &self.index(row).to_string();
        let mut at = NUMBER;
        for words in &self.inputs {
            match words.first() {
                Some(word) => {
                    text.push(',');
                    let cell = row[at..at + word.len()].chunks_exact(4);
                    let letters = cell.map(|c| u32::from_le_bytes(get(c, 0)));
                    text.extend(letters.take_while(|c| *c != 0).filter_map(char::from_u32));
                    at += word.len();
                }
                None => {
                    number(text, f64::from_le_bytes(get(row, at)));
                    at += NUMBER;
                }
            }
        }
        self.numbers(row).for_each(|x| number(text, x));
        text.push('\n');
    }
}

/// Puts a few bytes into a row; where the next ones belong.
#[inline(always)]
fn put<const N: usize>(row: &mut [u8], at: usize, bytes: [u8; N]) -> usize {
    row[at..at + N].copy_from_slice(&bytes);
    at + N
}

/// A few bytes of a row; zeros where it is too short.
fn get<const N: usize>(row: &[u8], at: usize) -> [u8; N] {
    row.get(at..at + N).and_then(|bytes| bytes.try_into().ok()).unwrap_or([0; N])
}

/// Words as NumPy has them: four bytes for each letter, and zeros up to the longest.
fn padded(words: &[String]) -> Vec<Vec<u8>> {
    let longest = words.iter().map(|word| word.chars().count()).max().unwrap_or(0).max(1);
    let pad = |word: &String| -> Vec<u8> {
        let letters = word.chars().map(u32::from).chain(std::iter::repeat(0));
        letters.take(longest).flat_map(u32::to_le_bytes).collect()
    };
    words.iter().map(pad).collect()
}

/// Fields of a type have different names: as in the table of a run, `invariant.` is in front of the second.
fn unique<'a>(fields: impl Iterator<Item = (&'a str, String)>) -> Vec<(String, String)> {
    let mut known = HashSet::new();
    let mut name_of = |name: &str| {
        let mut name = name.to_string();
        while !known.insert(name.clone()) {
            name = format!("invariant.{name}");
        }
        name
    };
    fields.map(|(name, kind)| (name_of(name), kind)).collect()
}
