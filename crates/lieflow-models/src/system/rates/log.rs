//! Logs of angular velocities: text with a line of names and lines of numbers.
//!
//! The columns `t`, `wx`, `wy`, `wz` are found by their names; others are passed over, and so are empty
//! lines and those that begin with `#`. Whatever is wrong is told with its line.
use crate::problem_file::{MOST_TABLE_BYTES, Number, Shown, read_text};
use lieflow::Vec3;
use lieflow::rates::Measured;
use std::path::Path;

/// The columns that a log must have.
const COLUMNS: [&str; 4] = ["t", "wx", "wy", "wz"];

/// A gap longer than so many times the median distance of the samples is a hole, unless more is allowed.
const HOLE: f64 = 10.0;

/// Logs that come with the tool.
const BUILT_IN: [(&str, &str); 1] = [("coning", include_str!("../../../problems/coning.csv"))];

/// How the name of a log that comes with the tool begins.
const PREFIX: &str = "builtin:";

/// The samples of a log, in order and finite, in radians.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// The times.
    pub times: Vec<f64>,
    /// Angular velocities, or increments.
    pub samples: Vec<Vec3<f64>>,
}

/// What is wrong with a log.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// It cannot be read.
    #[error("cannot read the log '{}': {message}", Shown(path))]
    Unreadable {
        /// Its path.
        path: String,
        /// Why not.
        message: String,
    },
    /// No log of this name comes with the tool.
    #[error("no log comes with the tool as '{}'; there are: {known}", Shown(name))]
    NotBuiltIn {
        /// The name.
        name: String,
        /// Those that do.
        known: String,
    },
    /// A column is missing.
    #[error(
        "line {line} of the log: found the columns {}, expected one called '{column}' (t, wx, wy and wz are needed)",
        Shown(found)
    )]
    NoColumn {
        /// The line of the names.
        line: usize,
        /// The names found.
        found: String,
        /// The name that is missing.
        column: &'static str,
    },
    /// A line with too few entries.
    #[error("line {line} of the log: found {found} entries, expected {expected}")]
    Short {
        /// The line.
        line: usize,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// An entry that is no finite number.
    #[error(
        "line {line} of the log: found '{}' in the column '{column}', expected a finite number",
        Shown(found)
    )]
    NotANumber {
        /// The line.
        line: usize,
        /// The column.
        column: &'static str,
        /// The entry.
        found: String,
    },
    /// A time that is not after the one before.
    #[error("line {line} of the log: found the time {}, expected one after {}", Number(*found), Number(*before))]
    NotIncreasing {
        /// The line.
        line: usize,
        /// The time.
        found: f64,
        /// The time before.
        before: f64,
    },
    /// A hole.
    #[error(
        "line {line} of the log: found a gap of {} before it, expected at most {}; \
         `max_gap` in [parameters] allows more", Number(*found), Number(*most)
    )]
    Gap {
        /// The line behind it.
        line: usize,
        /// How long it is.
        found: f64,
        /// How long it may be.
        most: f64,
    },
    /// Too few samples for any method.
    #[error("found {found} samples in the log, expected at least {expected}")]
    TooFew {
        /// How many there are.
        found: usize,
        /// How many are needed.
        expected: usize,
    },
}

/// What a problem file says about its log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// What was measured.
    pub measured: Measured,
    /// Radians in the unit of the log.
    pub unit: f64,
    /// Only each so many-th sample is taken, as if the logger had been slower.
    pub thin: usize,
    /// The longest gap that is allowed.
    pub max_gap: Option<f64>,
}

/// The text of a log: one that comes with the tool, or a file.
pub fn text_of(name: &str, path: &Path) -> Result<String, LogError> {
    match name.strip_prefix(PREFIX) {
        None => read_text(path, MOST_TABLE_BYTES).map_err(|error| LogError::Unreadable {
            path: path.display().to_string(),
            message: error.to_string(),
        }),
        Some(name) => {
            let found = BUILT_IN.iter().find(|(id, _)| *id == name);
            found.map(|(_, text)| (*text).into()).ok_or_else(|| LogError::NotBuiltIn {
                name: name.into(),
                known: BUILT_IN.map(|(id, _)| format!("{PREFIX}{id}")).join(", "),
            })
        }
    }
}

impl Log {
    /// Reads a log.
    pub fn parse(text: &str, reading: &Reading) -> Result<Self, LogError> {
        let written = |line: &str| !line.is_empty() && !line.starts_with('#');
        let lines = text.lines().map(str::trim).enumerate();
        let mut lines = lines.map(|(i, line)| (i + 1, line)).filter(|(_, line)| written(line));
        // Some programs begin a text with a mark of its encoding.
        let (number, names) = lines.next().unwrap_or((1, ""));
        let names: Vec<&str> =
            names.trim_start_matches('\u{feff}').split(',').map(|name| name.trim()).collect();
        let mut places = [0; 4];
        for (place, column) in places.iter_mut().zip(COLUMNS) {
            let found = names.iter().position(|name| name.eq_ignore_ascii_case(column));
            *place = found.ok_or_else(|| LogError::NoColumn {
                line: number,
                found: names.join(", "),
                column,
            })?;
        }
        let room = text.len() / 32;
        let mut log = Self { times: Vec::with_capacity(room), samples: Vec::with_capacity(room) };
        let mut line_of = Vec::new();
        for (line, text) in lines {
            let [t, x, y, z] = numbers(line, text, &places, names.len())?;
            if let Some(before) = log.times.last().copied().filter(|before| *before >= t) {
                return Err(LogError::NotIncreasing { line, found: t, before });
            }
            log.times.push(t);
            log.samples.push(Vec3 { x, y, z } * reading.unit);
            line_of.push(line);
        }
        log.refuse_holes(reading.max_gap, &line_of)?;
        let log = log.thinned(reading);
        let expected = if reading.measured == Measured::Increments { 3 } else { 2 };
        if log.times.len() < expected {
            return Err(LogError::TooFew { found: log.times.len(), expected });
        }
        Ok(log)
    }

    fn refuse_holes(&self, max_gap: Option<f64>, line_of: &[usize]) -> Result<(), LogError> {
        let mut gaps: Vec<f64> = self.times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let most = max_gap.or_else(|| {
            let middle = gaps.len() / 2;
            let ordered =
                (!gaps.is_empty()).then(|| gaps.select_nth_unstable_by(middle, f64::total_cmp));
            ordered.map(|(_, median, _)| HOLE * *median)
        });
        let Some(most) = most else { return Ok(()) };
        let hole = self.times.windows(2).position(|pair| pair[1] - pair[0] > most);
        hole.map_or(Ok(()), |i| {
            let found = self.times[i + 1] - self.times[i];
            Err(LogError::Gap { line: line_of[i + 1], found, most })
        })
    }

    /// Each so many-th sample; increments between them are summed.
    fn thinned(self, reading: &Reading) -> Self {
        if reading.thin <= 1 {
            return self;
        }
        let Self { times, samples } = self;
        let kept = |i: &usize| i.is_multiple_of(reading.thin);
        let sample = |i: usize| match reading.measured {
            Measured::Rates => samples[i],
            Measured::Increments => {
                let first = (i + 1).saturating_sub(reading.thin);
                samples[first..=i].iter().fold(Vec3::zero(), |sum, d| sum + *d)
            }
        };
        let indices: Vec<usize> = (0..times.len()).filter(kept).collect();
        Self {
            times: indices.iter().map(|i| times[*i]).collect(),
            samples: indices.iter().map(|i| sample(*i)).collect(),
        }
    }

    /// The first time.
    pub fn first(&self) -> f64 {
        self.times[0]
    }
    /// The last time.
    pub fn last(&self) -> f64 {
        self.times[self.times.len() - 1]
    }
}

/// The entries of a line in these places.
fn numbers(
    line: usize,
    text: &str,
    places: &[usize; 4],
    expected: usize,
) -> Result<[f64; 4], LogError> {
    let mut found = 0;
    let mut row = [0.0; 4];
    for entry in text.split(',') {
        for k in 0..4 {
            if places[k] != found {
                continue;
            }
            let entry = entry.trim();
            let number = entry.parse().ok().filter(|x: &f64| x.is_finite());
            row[k] = number.ok_or_else(|| LogError::NotANumber {
                line,
                column: COLUMNS[k],
                found: entry.into(),
            })?;
        }
        found += 1;
    }
    if found < expected {
        return Err(LogError::Short { line, found, expected });
    }
    Ok(row)
}
