//! What is kept of a run and how it is written: the table `[output]`.
use crate::problem_file::{Kind, Number, Reader, SpecError};

/// More states than this are hardly meant.
const MOST_TIMES: f64 = 1e8;

/// The format of a trajectory, and of the tables of an ensemble.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// One table of comma-separated values.
    #[default]
    Csv,
    /// Arrays of NumPy: one for each quantity, or for each table.
    Npy,
}

/// The table `[output]`, resolved.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Output {
    /// Every so many accepted steps a state is kept.
    pub every: u64,
    /// If there are any, the states at just these times are kept.
    pub times: Vec<f64>,
    /// Whether rotations are also written as nine entries.
    pub matrix: bool,
    /// How the trajectory is written.
    pub written: Written,
}

/// How a trajectory is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Its format.
    pub format: Format,
    /// Whether the sign of a quaternion follows the row before it; else `qw >= 0`.
    pub continuous: bool,
    /// Whether the positions of links are written behind their directions.
    pub positions: bool,
}

impl Output {
    /// Reads the table for a run over this interval, of a system that may have samples at some times;
    /// those are kept if nothing else is said here and no step is given.
    pub fn read(
        output: &Reader<'_>,
        from: f64,
        until: f64,
        samples: Option<&[f64]>,
        unpaced: bool,
    ) -> Result<Self, SpecError> {
        let (every, times) = match (output.one_of(&["every", "interval", "times"])?, samples) {
            (None, Some(samples)) if unpaced => (u64::MAX, inside(samples, from, until)),
            (Some("times"), Some(samples)) if wants_samples(output) => {
                (u64::MAX, inside(samples, from, until))
            }
            (Some("times"), _) => (u64::MAX, read_times(output, "times", from, until)?),
            (Some("interval"), _) => (u64::MAX, read_interval(output, from, until)?),
            _ => (output.optional_integer("every")?.unwrap_or(1), Vec::new()),
        };
        if every == 0 {
            return Err(output.refuse("every", "a whole number above zero"));
        }
        let matrix = output.boolean_or("matrix", false)?;
        let format = match output.choice_or("format", &["csv", "npy"], "csv")? {
            "npy" => Format::Npy,
            _ => Format::Csv,
        };
        let signs = ["positive", "continuous"];
        let continuous = output.choice_or("quaternions", &signs, "positive")? == "continuous";
        let positions = output.boolean_or("positions", false)?;
        output.finish()?;
        Ok(Self { every, times, matrix, written: Written { format, continuous, positions } })
    }
}

/// Whether the states at the times of the samples are asked for.
fn wants_samples(output: &Reader<'_>) -> bool {
    let node = output.optional("times");
    node.is_some_and(|node| matches!(&node.kind, Kind::Text(text) if text == "samples"))
}

/// The times of samples that lie in the run, in its order.
fn inside(samples: &[f64], from: f64, until: f64) -> Vec<f64> {
    let (first, last) = (from.min(until), from.max(until));
    let mut times: Vec<f64> =
        samples.iter().copied().filter(|t| (first..=last).contains(t)).collect();
    if until < from {
        times.reverse();
    }
    times
}

/// Times of the run, in its order: a list, or `{ from, to, points }`.
pub fn read_times(
    reader: &Reader<'_>,
    key: &'static str,
    from: f64,
    until: f64,
) -> Result<Vec<f64>, SpecError> {
    let table = reader.optional(key).is_some_and(|node| matches!(node.kind, Kind::Table(_)));
    let times = match table {
        true => read_points(&reader.sub(key)?, from, until)?,
        false => reader.numbers(key)?,
    };
    let ahead = |a: f64, b: f64| if until > from { a < b } else { a > b };
    let inside = times.iter().all(|t| !ahead(*t, from) && !ahead(until, *t));
    if times.is_empty() || !inside || !times.is_sorted_by(|a, b| ahead(*a, *b)) {
        let expected =
            format!("times from {} to {}, each after the one before", Number(from), Number(until));
        return Err(reader.refuse(key, &expected));
    }
    Ok(times)
}

/// So many times, evenly from one to another.
fn read_points(table: &Reader<'_>, from: f64, until: f64) -> Result<Vec<f64>, SpecError> {
    let first = table.number_or("from", from)?;
    let last = table.number_or("to", until)?;
    let points = table.integer("points")?;
    table.finish()?;
    if !(2..=MOST_TIMES as u64).contains(&points) {
        return Err(table.refuse("points", "a whole number from 2 to 1e8"));
    }
    let intervals = (points - 1) as f64;
    let time = |i: u64| {
        if i + 1 == points { last } else { first + (last - first) * (i as f64 / intervals) }
    };
    Ok((0..points).map(time).collect())
}

/// Times at even distances, the first and, where it is one of them, the last of the run included.
fn read_interval(output: &Reader<'_>, from: f64, until: f64) -> Result<Vec<f64>, SpecError> {
    let interval = output.positive("interval")?;
    let length = (until - from).abs();
    let count = length / interval;
    if count >= MOST_TIMES {
        let least = length / MOST_TIMES;
        return Err(output.refuse("interval", &format!("at least {least:e}, for 1e8 states")));
    }
    // The end counts as a multiple if it is one but for rounding.
    let nearest = count.round();
    let whole = (count - nearest).abs() <= 1e-9 * nearest.max(1.0);
    let last = if whole { nearest } else { count.floor() } as u64;
    let step = interval.copysign(until - from);
    let time = |i: u64| if whole && i == last { until } else { from + step * i as f64 };
    Ok((0..=last).map(time).collect())
}
