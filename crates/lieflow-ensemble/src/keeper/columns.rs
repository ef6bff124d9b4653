//! All numbers of a run in memory, as columns.
use super::{Earlier, Keeper};
use crate::run::Block;
use crate::store::{Manifest, StoreError};
use crate::table::End;

/// One column for each varied number, and for each observable at each time; one entry for each
/// trajectory. What a trajectory did not reach is NaN.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    manifest: Option<Manifest>,
    inputs: Vec<Vec<f64>>,
    /// By time, then by observable.
    observables: Vec<Vec<f64>>,
    ends: Vec<End>,
}

impl Columns {
    /// What the columns are, once a run has begun.
    pub fn manifest(&self) -> Option<&Manifest> {
        self.manifest.as_ref()
    }

    /// A varied number of all trajectories, by its place in [`Manifest::inputs`].
    pub fn input(&self, k: usize) -> Option<&[f64]> {
        self.inputs.get(k).map(Vec::as_slice)
    }

    /// An observable of all trajectories, by the places of the time and of its name in the manifest.
    pub fn observable(&self, time: usize, k: usize) -> Option<&[f64]> {
        let width = self.manifest.as_ref()?.observables.len();
        self.observables.get(time * width + k).filter(|_| k < width).map(Vec::as_slice)
    }

    /// How each trajectory ended. There are fewer than were asked for after an interruption.
    pub fn ends(&self) -> &[End] {
        &self.ends
    }
}

impl Keeper for Columns {
    fn begin(&mut self, manifest: &Manifest) -> Result<Option<Earlier>, StoreError> {
        *self = Self {
            inputs: vec![Vec::new(); manifest.inputs.len()],
            observables: vec![Vec::new(); manifest.times.len() * manifest.observables.len()],
            ends: Vec::new(),
            manifest: Some(manifest.clone()),
        };
        Ok(None)
    }

    fn blocks(&mut self, blocks: &[Block]) -> Result<(), StoreError> {
        for block in blocks {
            for (k, column) in self.inputs.iter_mut().enumerate() {
                column.extend((0..block.ends().len()).map(|i| block.inputs_of(i)[k]));
            }
            let width = block.width().max(1);
            for (cell, column) in self.observables.iter_mut().enumerate() {
                let numbers = block.column(cell / width, cell % width).iter().zip(block.ends());
                let reached = |(x, end): (&f64, &End)| {
                    if end.rows > cell / width { *x } else { f64::NAN }
                };
                column.extend(numbers.map(reached));
            }
            self.ends.extend_from_slice(block.ends());
        }
        Ok(())
    }
}
