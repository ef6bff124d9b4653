//! A few trajectories with neighbouring indices, as numbers.
use crate::table::{End, Shape, TrajectoryTable};
use std::sync::Arc;

/// What was computed of some trajectories that follow each other.
#[derive(Clone, Debug)]
pub struct Block {
    pub(super) start: u64,
    /// The varied numbers, one trajectory after the other.
    pub(super) inputs: Vec<f64>,
    pub(super) table: TrajectoryTable,
    pub(super) sums: Sums,
}

/// What the ends of a block add up to.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    pub steps: u64,
    pub seconds: f64,
    pub failed: u64,
    /// The rows that all its trajectories have.
    pub rows: usize,
}

impl Block {
    pub(super) fn new(shape: Arc<Shape>) -> Self {
        let (table, sums) = (TrajectoryTable::new(shape), Sums::default());
        Self { start: 0, inputs: Vec::new(), table, sums }
    }

    /// Adds up the ends, which are complete: whoever has written them has them at hand.
    pub(super) fn add_up(&mut self) {
        let mut sums = Sums { rows: usize::MAX, ..Sums::default() };
        for end in self.ends() {
            sums.steps += end.steps;
            sums.seconds += end.seconds;
            sums.failed += u64::from(end.failure.is_some());
            sums.rows = sums.rows.min(end.rows);
        }
        self.sums = sums;
    }

    pub(super) fn clear(&mut self) {
        self.inputs.clear();
        self.table.clear();
        self.sums = Sums::default();
    }

    /// The index of the first trajectory.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// The index after that of the last one.
    pub fn end(&self) -> u64 {
        self.start + self.ends().len() as u64
    }

    /// How the trajectories ended, in the order of the index.
    pub fn ends(&self) -> &[End] {
        &self.table.ends
    }

    /// The varied numbers of a trajectory, counted from the first of the block.
    pub fn inputs_of(&self, trajectory: usize) -> &[f64] {
        let width = self.inputs.len() / self.ends().len().max(1);
        &self.inputs[trajectory * width..(trajectory + 1) * width]
    }

    /// All varied numbers, those of one trajectory after the other.
    pub(crate) fn inputs(&self) -> &[f64] {
        &self.inputs
    }

    /// How many of the times all trajectories have reached.
    pub fn complete_rows(&self) -> usize {
        self.sums.rows
    }

    /// How many observables there are.
    pub fn width(&self) -> usize {
        self.table.shape.width
    }

    /// The observables of a trajectory at a time. There are such rows at the first
    /// [`End::rows`] times.
    pub fn row(&self, time: usize, trajectory: usize) -> impl Iterator<Item = f64> {
        self.table.row(time, trajectory)
    }

    /// One observable of all trajectories at a time. Of those that did not reach it the number
    /// means nothing.
    pub fn column(&self, time: usize, observable: usize) -> &[f64] {
        self.table.cell(time * self.width() + observable)
    }
}
