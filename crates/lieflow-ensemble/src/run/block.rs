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
}

impl Block {
    pub(super) fn new(shape: Arc<Shape>) -> Self {
        Self { start: 0, inputs: Vec::new(), table: TrajectoryTable::new(shape) }
    }

    pub(super) fn clear(&mut self) {
        self.inputs.clear();
        self.table.clear();
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
