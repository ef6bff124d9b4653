//! Checksums of the tables after every block of trajectories: `blocks.csv`.
use super::tables::TABLES;
use lieflow_files::Hash;
use std::fmt::Write as _;

/// The trajectories of a block. Blocks begin at multiples of it, so that they are the same for any
/// number of cores and after any interruption.
pub(super) const BLOCK: u64 = 1024;

/// The file of the marks.
pub(super) const BLOCKS: &str = "blocks.csv";

/// How far the tables have come, and their checksums from the first byte on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// The index after the last trajectory before it.
    pub end: u64,
    pub lengths: [u64; 3],
    pub hashes: [Hash; 3],
}

impl Mark {
    /// The header line of the file of marks.
    pub fn header() -> String {
        let mut text = String::from("end");
        TABLES.iter().for_each(|name| text += &format!(",{name}_bytes"));
        TABLES.iter().for_each(|name| text += &format!(",{name}_sha256"));
        text + "\n"
    }

    /// Its line.
    pub fn line(&self) -> String {
        let mut text = self.end.to_string();
        for length in self.lengths {
            let _ = write!(text, ",{length}");
        }
        for hash in self.hashes {
            let _ = write!(text, ",{hash}");
        }
        text + "\n"
    }

    /// From [`Mark::line`], without its end.
    pub fn parse(line: &str) -> Option<Self> {
        let mut cells = line.split(',');
        let mut number = || cells.next()?.parse().ok();
        let (end, lengths) = (number()?, [number()?, number()?, number()?]);
        let mut hash = || Hash::parse(cells.next()?);
        let mark = Self { end, lengths, hashes: [hash()?, hash()?, hash()?] };
        cells.next().is_none().then_some(mark)
    }
}
