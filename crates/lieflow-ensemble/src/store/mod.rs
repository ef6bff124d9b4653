//! The files of an ensemble.
//!
//! | file | holds |
//! | --- | --- |
//! | `ensemble.json` | the problem, what varies, the names of all columns, the range of indices |
//! | `final.csv` | for each trajectory that reached the end: index, varied numbers, `t`, state, invariants and their changes |
//! | `observed.csv` | the same without the varied numbers at the other times, if there are any |
//! | `failures.csv` | for each that did not: index, varied numbers, last good `t`, reason |
//! | `statistics.csv` | of every observable at every time |
//!
//! Rows are in the order of the index, and numbers read back with the same bits. While it grows,
//! `progress.json` says how much of the files is complete; a run that was interrupted goes on from
//! there. The files of a shard are those of its part of the indices, and merged shards have the
//! bytes of one run.
mod merge;
mod read;

pub use merge::merge;

use crate::design::Design;
use crate::statistics::Statistics;
use crate::tracks::Tracks;
use serde_json::{Value as Json, json};
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The files that grow, in the order in which everything here has them.
const GROWING: [&str; 3] = ["final.csv", "observed.csv", "failures.csv"];

/// Why files could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The folder holds another ensemble.
    #[error(
        "{path}: the folder holds another ensemble (its {what} differs); choose another folder, or \
         empty this one"
    )]
    Other {
        /// The manifest there.
        path: PathBuf,
        /// What differs.
        what: String,
    },
    /// A file does not hold what was written.
    #[error("{path}: line {line}: found {found:?}, expected {expected}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from one.
        line: u64,
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// Shards that do not fit together.
    #[error("{0}")]
    Shards(String),
}

impl StoreError {
    fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { path: path.into(), source }
    }
}

/// What all files of an ensemble have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// The problem with the design, as JSON.
    pub problem: Json,
    /// The first index, and the one after the last.
    pub range: (u64, u64),
    /// The number of trajectories of the whole ensemble.
    pub count: u64,
    /// The names of the varied numbers.
    pub inputs: Vec<String>,
    /// The names of the observables.
    pub observables: Vec<String>,
    /// When they are observed.
    pub times: Vec<f64>,
    /// Which quantiles are reported.
    pub quantiles: Vec<f64>,
}

impl Manifest {
    /// The manifest of a part of a design.
    pub fn of(design: &Design, problem: Json, observables: Vec<String>, range: (u64, u64)) -> Self {
        Self {
            problem,
            range,
            count: design.count,
            inputs: design.inputs(),
            observables,
            times: design.times.clone(),
            quantiles: design.quantiles.clone(),
        }
    }

    /// As JSON.
    pub fn to_json(&self) -> Json {
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "count": self.count,
            "range": [self.range.0, self.range.1],
            "inputs": self.inputs,
            "observables": self.observables,
            "times": self.times,
            "quantiles": self.quantiles,
            "problem": self.problem,
            "conventions": {
                "index": "trajectories are counted from zero; the range ends before its second number",
                "rotation": "unit quaternions qw,qx,qy,qz with qw >= 0, from body to space coordinates",
                "errors": "NAME_error is the change of the invariant NAME since the start",
                "numbers": "IEEE double, printed so that reading them back gives the same bits",
                "quantiles": "exact up to 2048 trajectories, within 0.1 % of rank for a million",
            },
        })
    }

    /// Statistics of nothing yet.
    pub fn statistics(&self) -> Statistics {
        Statistics::new(self.times.clone(), self.observables.clone(), self.quantiles.clone())
    }

    /// The head lines of the growing files.
    fn heads(&self) -> [String; 3] {
        let inputs: String = self.inputs.iter().map(|name| format!(",{name}")).collect();
        let names: String = self.observables.iter().map(|name| format!(",{name}")).collect();
        [
            format!("index{inputs},t{names}\n"),
            format!("index,t{names}\n"),
            format!("index{inputs},t,reason\n"),
        ]
    }
}

/// Rows of the growing files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    texts: [String; 3],
}

impl Rows {
    /// No rows.
    pub fn clear(&mut self) {
        self.texts.iter_mut().for_each(String::clear);
    }

    /// The rows of trajectories from this index on; `inputs` are the varied numbers of all.
    pub fn push(&mut self, index: u64, inputs: &[f64], times: &[f64], tracks: &Tracks) {
        let width = inputs.len() / tracks.ends.len().max(1);
        for (k, end) in tracks.ends.iter().enumerate() {
            let index = index + k as u64;
            let inputs = &inputs[k * width..(k + 1) * width];
            let [last, observed, failures] = &mut self.texts;
            for (time, t) in times.iter().enumerate().take(end.rows) {
                let at_end = time + 1 == times.len();
                let text = if at_end { &mut *last } else { &mut *observed };
                let _ = write!(text, "{index}");
                if at_end {
                    inputs.iter().for_each(|x| number(text, *x));
                }
                number(text, *t);
                tracks.row(time, k).for_each(|x| number(text, x));
                text.push('\n');
            }
            if let Some(failed) = &end.failure {
                let _ = write!(failures, "{index}");
                inputs.iter().for_each(|x| number(failures, *x));
                number(failures, failed.t);
                let reason = failed.reason.replace('"', "\"\"").replace('\n', " ");
                let _ = writeln!(failures, ",\"{reason}\"");
            }
        }
    }
}

/// A comma and a number, as `{:?}` prints it: with as many digits as it takes to read the same bits
/// back.
fn number(text: &mut String, x: f64) {
    let size = x.abs();
    let fine = size * 134_217_728.0;
    // The crate has the digits three times sooner, and the same ones unless the number lies half way
    // between the two shortest decimals. Then it has one digit more behind the point than those, at
    // most 18 + p for a number near 10^-p, hence no more binary ones, and that leaves only multiples
    // of 2^-27. And from 1e-5 to 1e-4 the crate chooses the other notation.
    let usual = size < 1e-5 || (1e-4..1e7).contains(&size);
    if usual && fine as i64 as f64 != fine {
        text.push(',');
        text.push_str(zmij::Buffer::new().format_finite(x));
    } else {
        let _ = write!(text, ",{x:?}");
    }
}

/// The files while they grow.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    files: [File; 3],
    lengths: [u64; 3],
    done: u64,
}

impl Store {
    /// Opens the files of an ensemble in a folder. Where the same one was begun there, it goes on:
    /// the statistics so far come back, and [`Store::done`] says where to go on.
    pub fn open(dir: &Path, manifest: &Manifest) -> Result<(Self, Statistics), StoreError> {
        std::fs::create_dir_all(dir).map_err(StoreError::at(dir))?;
        let path = dir.join("ensemble.json");
        let text = format!("{:#}\n", manifest.to_json());
        let mut statistics = manifest.statistics();
        let begun = match std::fs::read_to_string(&path) {
            Ok(there) if there == text => read::progress(dir)?,
            Ok(there) => return Err(StoreError::Other { path, what: difference(&there, &text) }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(StoreError::at(&path)(error)),
        };
        std::fs::write(&path, text).map_err(StoreError::at(&path))?;
        let fresh = begun.is_none();
        let (done, lengths) = begun.unwrap_or((manifest.range.0, [0; 3]));
        let open = |k: usize| -> Result<File, StoreError> {
            let path = dir.join(GROWING[k]);
            let mut options = OpenOptions::new();
            let file = options.create(true).read(true).write(true).truncate(fresh).open(&path);
            let file = file.map_err(StoreError::at(&path))?;
            // What was written after the last note of progress is written again.
            file.set_len(lengths[k]).map_err(StoreError::at(&path))?;
            Ok(file)
        };
        let files = [open(0)?, open(1)?, open(2)?];
        let mut store = Self { dir: dir.into(), files, lengths, done };
        if fresh {
            store.append(&manifest.heads())?;
            store.note(done)?;
        } else {
            read::statistics(dir, manifest, &mut statistics)?;
            for (k, file) in store.files.iter_mut().enumerate() {
                use io::Seek as _;
                let path = dir.join(GROWING[k]);
                file.seek(io::SeekFrom::End(0)).map_err(StoreError::at(&path))?;
            }
        }
        Ok((store, statistics))
    }

    /// The index of the first trajectory that is still to be done.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Adds the rows of all trajectories before `done`.
    pub fn add<'r>(
        &mut self,
        rows: impl Iterator<Item = &'r Rows>,
        done: u64,
    ) -> Result<(), StoreError> {
        for rows in rows {
            self.append(&rows.texts)?;
        }
        self.note(done)
    }

    fn append(&mut self, texts: &[String; 3]) -> Result<(), StoreError> {
        for (k, text) in texts.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
            let written = self.files[k].write_all(text.as_bytes());
            written.map_err(|error| StoreError::at(&self.dir.join(GROWING[k]))(error))?;
            self.lengths[k] += text.len() as u64;
        }
        Ok(())
    }

    /// Notes how much is complete. The note replaces the one before in one move.
    fn note(&mut self, done: u64) -> Result<(), StoreError> {
        self.done = done;
        let note = json!({ "done": done, "lengths": self.lengths });
        let (draft, path) = (self.dir.join("progress.json.new"), self.dir.join("progress.json"));
        std::fs::write(&draft, format!("{note}\n")).map_err(StoreError::at(&draft))?;
        std::fs::rename(&draft, &path).map_err(StoreError::at(&path))
    }

    /// Completes the files; their paths.
    pub fn finish(
        self,
        manifest: &Manifest,
        statistics: &Statistics,
    ) -> Result<Vec<PathBuf>, StoreError> {
        let path = self.dir.join("statistics.csv");
        std::fs::write(&path, statistics.to_csv()).map_err(StoreError::at(&path))?;
        let mut paths = vec![self.dir.join("ensemble.json")];
        for (k, name) in GROWING.iter().enumerate() {
            let path = self.dir.join(name);
            self.files[k].sync_all().map_err(StoreError::at(&path))?;
            // A table of other times or of failures only where there are any.
            let empty = self.lengths[k] == manifest.heads()[k].len() as u64;
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

/// Which top-level entry of two manifests differs.
fn difference(there: &str, here: &str) -> String {
    let parse = |text: &str| serde_json::from_str::<Json>(text).ok();
    let (Some(Json::Object(a)), Some(Json::Object(b))) = (parse(there), parse(here)) else {
        return "manifest".into();
    };
    b.iter()
        .find(|(key, value)| a.get(*key) != Some(value))
        .map_or("manifest".into(), |(key, _)| key.clone())
}

#[cfg(test)]
mod tests {
    use super::number;
    use crate::philox::Stream;

    /// Numbers of all sizes, and those at which the notation changes.
    #[test]
    fn numbers_are_printed_as_always() {
        let check = |x: f64| {
            let mut text = String::new();
            number(&mut text, x);
            assert_eq!(text, format!(",{x:?}"));
        };
        let edges = [0.0, 1e-5, 1e-4, 1.0, 1e15, 1e16, 9007199254740993.0, 5e-324, f64::MAX];
        for x in edges.into_iter().chain([f64::INFINITY, f64::NAN, f64::MIN_POSITIVE]) {
            for x in [x, x.next_up(), x.next_down(), -x] {
                check(x);
            }
        }
        // Half way between two decimals of 17 digits, and powers of two, whose neighbours are not
        // equally far.
        check(1.0 + 1.0 / 131072.0);
        (-1074..1024).for_each(|k| check(2f64.powi(k)));
        for k in 0..300_000 {
            let [a, b] = Stream::new(11, k, 1).uniforms(0);
            let x = (a - 0.5) * 10f64.powi((b * 40.0) as i32 - 20);
            check(x);
            // With few binary digits.
            check(f64::from_bits(x.to_bits() & (u64::MAX << (k % 50))));
            check(f64::from_bits((a * u64::MAX as f64) as u64 ^ b.to_bits()));
        }
    }
}
