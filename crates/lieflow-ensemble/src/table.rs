//! What is kept of a few trajectories: one table of numbers.
//!
//! ```text
//! numbers[(time · width + observable) · block + trajectory]
//! ```
//!
//! The numbers of one observable at one time are contiguous, as the statistics read them, and a table
//! is reused without allocating.
use lieflow_models::run::{EventRecord, State};
use std::sync::Arc;

/// What the tables of an ensemble have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The invariants that are observed.
    pub invariants: Vec<&'static str>,
    /// The events of the problem: each has two observables, the time of its first occurrence (that of
    /// the row, if there was none yet) and how many there were.
    pub events: Vec<&'static str>,
    /// The observables: the numbers of the state, then the events, the invariants, then their changes since the
    /// start.
    pub width: usize,
    /// The times of the design.
    pub times: usize,
    /// The trajectories of a table.
    pub block: usize,
    /// Whether all systems are the same but for their initial state, so that they have the same
    /// invariants.
    pub alike: bool,
}

/// How a trajectory ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct End {
    /// How many of the times of the design it reached.
    pub rows: usize,
    /// Accepted steps.
    pub steps: u64,
    /// The time that its integration took; its share, where several were integrated together.
    pub seconds: f64,
    /// Where and why it ended before its time.
    pub failure: Option<Failed>,
}

/// A trajectory that ended before its time.
#[derive(Clone, Debug, PartialEq)]
pub struct Failed {
    /// The time of its last good state.
    pub t: f64,
    /// Why.
    pub reason: String,
}

/// What is kept of up to [`Shape::block`] trajectories with neighbouring indices.
#[derive(Clone, Debug)]
pub struct TrajectoryTable {
    /// What all tables have in common.
    pub shape: Arc<Shape>,
    /// How the trajectories ended, in their order.
    pub ends: Vec<End>,
    numbers: Vec<f64>,
    row: Vec<f64>,
}

/// Why a state does not become a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowError {
    /// A number is not finite.
    NotFinite,
    /// It has this many numbers, unlike the first trajectory.
    Width(usize),
}

impl TrajectoryTable {
    /// An empty table.
    pub fn new(shape: Arc<Shape>) -> Self {
        let numbers = vec![0.0; shape.width * shape.times * shape.block];
        let row = Vec::with_capacity(shape.width);
        let ends = Vec::with_capacity(shape.block);
        Self { shape, ends, numbers, row }
    }

    /// Empties the table, for other trajectories.
    pub fn clear(&mut self) {
        self.ends.clear();
    }

    /// One more trajectory, whose system could not be built.
    pub fn push_unbuilt(&mut self, from: f64, reason: String) {
        self.ends.push(End { failure: Some(Failed { t: from, reason }), ..End::default() });
    }

    /// The places of the observed invariants among these, in the order of the table; `None` if one is
    /// missing. A special case may have more of them than the first trajectory.
    pub fn pick(&self, names: &[&'static str]) -> Option<Vec<usize>> {
        let place = |wanted: &&str| names.iter().position(|name| name == wanted);
        self.shape.invariants.iter().map(place).collect()
    }

    /// Writes the row of a state with these invariants, for a time and a trajectory by their indices.
    /// The changes of the invariants come later. The row is written even if a number is not finite.
    pub fn set_row(
        &mut self,
        time: usize,
        trajectory: usize,
        state: &State,
        invariants: &[f64],
    ) -> Result<(), RowError> {
        let columns = |row: &mut Vec<f64>| state.numbers_into(false, row);
        self.set_columns((time, trajectory), state.t, columns, invariants)
    }

    /// [`TrajectoryTable::set_row`] for a state at the time `t` whose columns are appended by a function.
    pub fn set_columns(
        &mut self,
        (time, trajectory): (usize, usize),
        t: f64,
        columns: impl FnOnce(&mut Vec<f64>),
        invariants: &[f64],
    ) -> Result<(), RowError> {
        self.row.clear();
        columns(&mut self.row);
        let none_yet = [t, 0.0];
        self.row.extend(self.shape.events.iter().flat_map(|_| none_yet));
        self.row.extend_from_slice(invariants);
        let found = self.row.len() + invariants.len();
        if found != self.shape.width {
            return Err(RowError::Width(found));
        }
        let first = time * self.shape.width * self.shape.block;
        let mut finite = true;
        let rest = self.numbers.get_mut(first..).unwrap_or_default();
        let cells = rest.chunks_exact_mut(self.shape.block);
        for (cell, x) in cells.zip(&self.row) {
            cell[trajectory] = *x;
            finite &= x.is_finite();
        }
        if finite { Ok(()) } else { Err(RowError::NotFinite) }
    }

    /// All numbers of a time: for each observable those of all trajectories that the table has room for.
    pub fn rows_mut(&mut self, time: usize) -> &mut [f64] {
        let size = self.shape.width * self.shape.block;
        self.numbers.get_mut(time * size..(time + 1) * size).unwrap_or_default()
    }

    /// Completes the first rows of a trajectory with the changes of the invariants since the start,
    /// where they had these values.
    pub fn changes(&mut self, trajectory: usize, rows: usize, initial: &[f64]) {
        let (n, width, block) = (initial.len(), self.shape.width, self.shape.block);
        for row in self.numbers.chunks_exact_mut((width * block).max(1)).take(rows) {
            let (values, changes) = row.split_at_mut((width - n) * block);
            let values = values[(width - 2 * n) * block..].chunks_exact(block);
            let changes = changes.chunks_exact_mut(block);
            for ((change, value), start) in changes.zip(values).zip(initial) {
                change[trajectory] = value[trajectory] - start;
            }
        }
    }

    /// Notes what happened to a trajectory up to the times of its first rows.
    pub fn note_events(
        &mut self,
        trajectory: usize,
        times: &[f64],
        backwards: bool,
        seen: &[EventRecord],
    ) {
        let Shape { width, block, .. } = *self.shape;
        let first = width - 2 * self.shape.invariants.len() - 2 * self.shape.events.len();
        for (row, time) in self.numbers.chunks_exact_mut((width * block).max(1)).zip(times) {
            for (k, name) in self.shape.events.iter().enumerate() {
                let until =
                    |e: &&EventRecord| (e.state.t <= *time) != backwards || e.state.t == *time;
                let mut these = seen.iter().filter(|e| e.name == *name).filter(until);
                let cell = (first + 2 * k) * block + trajectory;
                if let Some(event) = these.next() {
                    row[cell] = event.state.t;
                    row[cell + block] = 1.0 + these.count() as f64;
                }
            }
        }
    }

    /// One observable of all trajectories at one time; cells are counted by time, then by observable.
    #[inline]
    pub fn cell(&self, cell: usize) -> &[f64] {
        let first = cell * self.shape.block;
        self.numbers.get(first..first + self.ends.len()).unwrap_or(&[])
    }

    /// The observables of one trajectory at one time, both by index.
    pub fn row(&self, time: usize, trajectory: usize) -> impl Iterator<Item = f64> {
        let first = time * self.shape.width * self.shape.block;
        let cells = self.numbers.get(first..).unwrap_or_default().chunks_exact(self.shape.block);
        cells.take(self.shape.width).map(move |cell| cell[trajectory])
    }
}
