//! What a midpoint rule remembers from step to step, on its way through looks aside and checkpoints.
use super::slopes::Slopes;
use crate::archive::Archive;
use crate::method::few::{Few, copies};
use crate::method::prediction::Predictions;
use lieflow_kernel::Real;

/// What is remembered from step to step.
pub(super) struct Memory<S: Real> {
    /// The generators of earlier steps.
    pub(super) predictions: Predictions<S>,
    /// The squares of the radii of the spheres, as they were when nothing was remembered: rounding of
    /// the lengths does not add up.
    pub(super) squares: Few<S>,
    /// By how much the field changes, where this is worth knowing.
    pub(super) slopes: Slopes<S>,
}

impl<S: Real> Memory<S> {
    /// Nothing.
    pub(super) fn new() -> Self {
        Self { predictions: Predictions::new(), squares: Few::new(), slopes: Slopes::new(0) }
    }
    /// Forgets all; memory is kept.
    pub(super) fn forget(&mut self) {
        self.predictions.forget();
        self.squares.clear();
        self.slopes.forget();
    }
    /// Room for so many substeps of so many spheres.
    fn make_room(&mut self, substeps: usize, spheres: usize) {
        if self.predictions.make_room(substeps, spheres) {
            self.slopes = Slopes::new(spheres);
        }
    }
    /// Ready for a step.
    pub(super) fn prepare(&mut self, h: f64, substeps: usize, spheres: usize) {
        self.make_room(substeps, spheres);
        self.predictions.prepare(h);
        self.slopes.proposed = S::zero();
    }
    /// Names all that is remembered.
    pub(super) fn archive(&mut self, substeps: usize, spheres: usize, archive: &mut Archive) {
        let mut remembers = !self.squares.is_empty();
        archive.flag(&mut remembers);
        if !remembers {
            return self.forget();
        }
        self.make_room(substeps, spheres);
        if self.squares.len() != spheres {
            self.squares = copies(S::zero(), spheres);
        }
        archive.reals(&mut self.squares);
        self.predictions.archive(archive);
        self.slopes.archive(archive);
    }
}
