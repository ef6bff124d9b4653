//! Trajectories as rows of the tables.
use super::mark::BLOCK;
use super::tables::Tables;
use crate::run::Block;
use lieflow_files::write_number;
use std::fmt::Write as _;

/// A comma and a number.
pub(super) fn number(text: &mut String, x: f64) {
    text.push(',');
    write_number(text, x);
}

/// Appends the row of a trajectory at a time: to `final.csv` or, without varied numbers, to
/// `observed.csv`.
pub fn push_row(
    text: &mut String,
    index: u64,
    inputs: impl Iterator<Item = f64>,
    t: f64,
    values: impl Iterator<Item = f64>,
) {
    let _ = write!(text, "{index}");
    inputs.for_each(|x| number(text, x));
    number(text, t);
    values.for_each(|x| number(text, x));
    text.push('\n');
}

/// Appends the rows of trajectories from `first` on from their columns, each with a number for every one
/// of them; those that did not reach the time `t` have no row.
pub fn push_columns(
    text: &mut String,
    first: u64,
    t: f64,
    [inputs, values]: [&[f64]; 2],
    reached: &[bool],
) {
    let n = reached.len().max(1);
    for (k, _) in reached.iter().enumerate().filter(|(_, reached)| **reached) {
        let row = |numbers: &'_ [f64]| numbers.chunks_exact(n).map(|c| c[k]).collect::<Vec<_>>();
        let (inputs, values) = (row(inputs), row(values));
        push_row(text, first + k as u64, inputs.into_iter(), t, values.into_iter());
    }
}

/// Appends the varied numbers, or the words that they stand for.
fn push_inputs(text: &mut String, inputs: &[f64], words: &[Vec<String>]) {
    for (k, x) in inputs.iter().enumerate() {
        match words.get(k).and_then(|words| words.get(*x as usize)) {
            Some(word) => {
                let _ = write!(text, ",{word}");
            }
            None => number(text, *x),
        }
    }
}

/// The rows of a block in the growing files, in the order of [`TABLES`](super::tables::TABLES).
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    texts: [String; 3],
    arrays: Option<[Vec<u8>; 2]>,
    /// Where a block of checksums ends: the index after it, and how many bytes are before.
    pub(super) cuts: Vec<(u64, [usize; 3])>,
}

impl Rows {
    /// What is appended to a table.
    pub(super) fn bytes(&self, k: usize) -> &[u8] {
        let array = self.arrays.as_ref().and_then(|arrays| arrays.get(k));
        array.map_or_else(|| self.texts[k].as_bytes(), Vec::as_slice)
    }

    /// Replaces the rows by those of a block.
    pub(super) fn fill(&mut self, block: &Block, tables: &Tables) {
        self.texts.iter_mut().for_each(String::clear);
        self.cuts.clear();
        let Tables { times, words, records, .. } = tables;
        let [last, observed, failures] = &mut self.texts;
        for (k, end) in block.ends().iter().enumerate() {
            let index = block.start() + k as u64;
            let inputs = block.inputs_of(k);
            let texts = if records.is_some() { 0 } else { end.rows };
            for (time, t) in times.iter().enumerate().take(texts) {
                let at_end = time + 1 == times.len();
                let text = if at_end { &mut *last } else { &mut *observed };
                let inputs = if at_end { inputs } else { &[] };
                let _ = write!(text, "{index}");
                push_inputs(text, inputs, words);
                number(text, *t);
                block.row(time, k).for_each(|x| number(text, x));
                text.push('\n');
            }
            if let Some(failed) = &end.failure {
                let _ = write!(failures, "{index}");
                push_inputs(failures, inputs, words);
                number(failures, failed.t);
                let reason = failed.reason.replace('"', "\"\"").replace('\n', " ");
                let _ = writeln!(failures, ",\"{reason}\"");
            }
            if (index + 1).is_multiple_of(BLOCK) {
                let array = |k: usize| tables.record(k).map(|r| r.rows() * r.size());
                let place = |table: usize, text: &str| {
                    array(table).map_or(text.len(), |each| each * (k + 1))
                };
                self.cuts.push((index + 1, [place(0, last), place(1, observed), failures.len()]));
            }
        }
        if let Some(records) = records {
            let arrays = self.arrays.get_or_insert_default().iter_mut();
            arrays.zip(records).for_each(|(bytes, record)| record.fill(bytes, block, times));
        }
    }
}
