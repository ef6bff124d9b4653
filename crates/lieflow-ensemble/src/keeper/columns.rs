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
        let (start, end) = manifest.range;
        // Columns that grow are copied again and again. Where there is no room for all, there may be for those that come.
        let count = usize::try_from(end - start).unwrap_or(0);
        let column = || {
            let mut column = Vec::new();
            let _ = column.try_reserve_exact(count);
            column
        };
        let columns = |n: usize| (0..n).map(|_| column()).collect();
        *self = Self {
            inputs: columns(manifest.inputs.len()),
            observables: columns(manifest.times.len() * manifest.observables.len()),
            ends: Vec::new(),
            manifest: Some(manifest.clone()),
        };
        Ok(None)
    }

    fn blocks(&mut self, blocks: &[Block]) -> Result<(), StoreError> {
        // Column by column: each is one place in memory, and then the next.
        let inputs = self.inputs.len().max(1);
        for (k, column) in self.inputs.iter_mut().enumerate() {
            for block in blocks {
                column.extend(block.inputs().iter().skip(k).step_by(inputs));
            }
        }
        let width = blocks.first().map_or(1, Block::width).max(1);
        for (cell, column) in self.observables.iter_mut().enumerate() {
            let time = cell / width;
            for block in blocks {
                let numbers = block.column(time, cell % width);
                if block.complete_rows() > time {
                    column.extend_from_slice(numbers);
                    continue;
                }
                let reached = |(x, end): (&f64, &End)| if end.rows > time { *x } else { f64::NAN };
                column.extend(numbers.iter().zip(block.ends()).map(reached));
            }
        }
        for block in blocks {
            self.ends.extend_from_slice(block.ends());
        }
        Ok(())
    }
}
