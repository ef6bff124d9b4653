//! Statistics of every observable at every time, in constant memory.
//!
//! Trajectories are fed in the order of their index, so that the result depends on the values
//! alone, not on who computed them when.
mod abreast;
mod moments;
mod places;
mod quantiles;
mod sort;

use abreast::{Abreast, WIDTH};
pub use moments::Moments;
pub use places::BYTES as PLACES_BYTES;
pub use quantiles::{CAPACITY, LONG, Quantiles};

use crate::table::TrajectoryTable;
use rayon::prelude::*;
use serde_json::{Map, Value as Json, json};
use std::array::from_fn;

/// One observable at one time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// Mean, deviation, extremes.
    pub moments: Moments,
    /// The distribution, if quantiles are reported: sorting takes longer than all else.
    pub quantiles: Quantiles,
}

/// All observables at all times.
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// The times.
    pub times: Vec<f64>,
    /// The names of the observables.
    pub names: Vec<String>,
    /// Which quantiles are reported.
    pub wanted: Vec<f64>,
    /// By time, then by observable.
    cells: Vec<Cell>,
}

/// A table, and how many rows all its trajectories have.
pub type Fed<'a> = (&'a TrajectoryTable, usize);

/// Feeds tables to up to `N` registers of neighbouring cells, of which the first has this index: all but the quantiles.
fn feed_moments<'t, const N: usize>(
    cells: &mut [Cell],
    first: usize,
    width: usize,
    groups: &[Fed<'t>],
) {
    let last = cells.len() - 1;
    let whole = |fed: &Fed<'_>| fed.1 > (first + last) / width;
    for groups in groups.chunk_by(|a, b| whole(a) == whole(b)) {
        let moments: Vec<Moments> = cells.iter().map(|cell| cell.moments).collect();
        let abreast = Abreast::<N>::new(&moments).filter(|_| groups.first().is_some_and(whole));
        let Some(mut abreast) = abreast else {
            for (k, cell) in cells.iter_mut().enumerate() {
                let numbers = groups.iter().flat_map(|(table, _)| reached(table, first + k, width));
                numbers.for_each(|x| cell.moments.push(x));
            }
            continue;
        };
        for (i, (table, _)) in groups.iter().enumerate() {
            // With fewer cells, the last one is computed more than once.
            let of = |table: &'t TrajectoryTable| {
                from_fn(|n| from_fn(|k| table.cell(first + (n * WIDTH + k).min(last))))
            };
            let next = groups.get(i + 1).map_or([[&[][..]; WIDTH]; N], |(next, _)| of(next));
            abreast.feed(of(table), next);
        }
        cells.iter_mut().enumerate().for_each(|(k, cell)| cell.moments = abreast.stream(k));
    }
}

/// The same for cells of so many registers: with more, the machine has too few; each takes 10 kB.
const FEEDS: [(usize, fn(&mut [Cell], usize, usize, &[Fed<'_>])); 3] =
    [(5, feed_moments::<5>), (2, feed_moments::<2>), (1, feed_moments::<1>)];

/// Feeds tables to the quantiles of the cell with this index.
fn feed_quantiles(quantiles: &mut Quantiles, cell: usize, width: usize, groups: &[Fed<'_>]) {
    for (table, rows) in groups {
        if *rows > cell / width {
            quantiles.push(table.cell(cell));
        } else {
            reached(table, cell, width).for_each(|x| quantiles.push(&[x]));
        }
    }
}

/// The numbers of a cell of those trajectories that have reached its time.
fn reached(table: &TrajectoryTable, cell: usize, width: usize) -> impl Iterator<Item = f64> {
    let all = table.ends.iter().zip(table.cell(cell));
    all.filter(move |(end, _)| end.rows > cell / width).map(|(_, x)| *x)
}

impl Statistics {
    /// Empty statistics.
    pub fn new(times: Vec<f64>, names: Vec<String>, wanted: Vec<f64>) -> Self {
        let cells = vec![Cell::default(); times.len() * names.len()];
        Self { times, names, wanted, cells }
    }

    /// Adds trajectories, which follow those added before. One that failed counts at the times that
    /// it reached.
    pub fn feed(&mut self, groups: &[Fed<'_>]) {
        let width = self.names.len().max(1);
        let all = self.cells.iter_mut().map(|cell| std::mem::take(&mut cell.quantiles));
        let mut quantiles: Vec<Quantiles> = all.collect();
        // Cells that are fed together take turns in a core: few, where there are cores for all.
        let share = self.cells.len().div_ceil(WIDTH * rayon::current_num_threads());
        let (registers, feed) = *FEEDS.iter().find(|feed| feed.0 <= share).unwrap_or(&FEEDS[2]);
        let together = registers * WIDTH;
        let moments = self.cells.par_chunks_mut(together).enumerate();
        let wanted = !self.wanted.is_empty();
        rayon::join(
            || {
                moments.for_each(|(chunk, cells)| feed(cells, chunk * together, width, groups));
            },
            || {
                let all = quantiles.par_iter_mut().enumerate().filter(|_| wanted);
                all.for_each(|(cell, quantiles)| feed_quantiles(quantiles, cell, width, groups));
            },
        );
        for (cell, quantiles) in self.cells.iter_mut().zip(quantiles) {
            cell.quantiles = quantiles;
        }
    }

    /// Adds one row.
    pub fn feed_row(&mut self, time: usize, values: &[f64]) {
        let width = self.names.len();
        for (cell, x) in self.cells[time * width..(time + 1) * width].iter_mut().zip(values) {
            cell.moments.push(*x);
            if !self.wanted.is_empty() {
                cell.quantiles.push(&[*x]);
            }
        }
    }

    /// Adds the rows of many trajectories from their columns: for each time all observables, one after
    /// the other, each with a number for every trajectory, of which there are as many as `rows` says
    /// how many times each has reached.
    pub fn feed_columns(&mut self, numbers: &[f64], rows: &[usize]) {
        let (width, n) = (self.names.len(), rows.len().max(1));
        let mut values = vec![0.0; width];
        for (time, table) in numbers.chunks_exact((width * n).max(1)).enumerate() {
            for (i, _) in rows.iter().enumerate().filter(|(_, reached)| **reached > time) {
                for (value, column) in values.iter_mut().zip(table.chunks_exact(n)) {
                    *value = column[i];
                }
                self.feed_row(time, &values);
            }
        }
    }

    /// The observables at a time, by its index.
    pub fn at(&self, time: usize) -> impl Iterator<Item = (&str, &Cell)> {
        let width = self.names.len();
        let cells = &self.cells[time * width..(time + 1) * width];
        self.names.iter().map(String::as_str).zip(cells)
    }

    /// As a table of comma-separated values.
    pub fn to_csv(&self) -> String {
        let mut text = String::from("t,observable,count,mean,standard_deviation,min,max");
        for q in &self.wanted {
            text += &format!(",q{q}");
        }
        text.push('\n');
        for (k, t) in self.times.iter().enumerate() {
            for (name, cell) in self.at(k) {
                let m = &cell.moments;
                let (mean, deviation) = (m.mean(), m.deviation());
                text += &format!(
                    "{t:?},{name},{},{mean:?},{deviation:?},{:?},{:?}",
                    m.count, m.min, m.max
                );
                for q in cell.quantiles.at(&self.wanted) {
                    text += &format!(",{q:?}");
                }
                text.push('\n');
            }
        }
        text
    }

    /// As JSON: a list over the times.
    pub fn to_json(&self) -> Json {
        let cell = |cell: &Cell| {
            let m = &cell.moments;
            let levels = cell.quantiles.at(&self.wanted);
            let quantiles: Map<String, Json> =
                self.wanted.iter().zip(levels).map(|(q, x)| (format!("{q}"), json!(x))).collect();
            json!({
                "count": m.count, "mean": m.mean(), "standard_deviation": m.deviation(),
                "min": m.min, "max": m.max, "quantiles": quantiles,
            })
        };
        let time = |(k, t): (usize, &f64)| {
            let all: Map<String, Json> =
                self.at(k).map(|(name, c)| (name.to_string(), cell(c))).collect();
            json!({ "t": t, "observables": all })
        };
        self.times.iter().enumerate().map(time).collect()
    }
}
