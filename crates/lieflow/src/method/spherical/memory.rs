//! What a midpoint rule remembers from step to step, on its way through looks aside and checkpoints.
use super::predictor::Predictor;
use super::slopes::Slopes;
use crate::archive::Archive;
use lieflow_kernel::{Mask, Real, Vec3};

/// What is remembered from step to step.
pub(super) struct Memory<S: Real> {
    /// The length of the steps.
    h: f64,
    /// One for each substep.
    pub(super) predictors: Vec<Predictor<S>>,
    /// The squares of the radii of the spheres, as they were when nothing was remembered: rounding of
    /// the lengths does not add up.
    pub(super) squares: Vec<S>,
    /// By how much the field changes, where this is worth knowing.
    pub(super) slopes: Slopes<S>,
    /// Whether the last proposal may be learnt from.
    pub(super) proposed: bool,
    /// The generators of the last proposal, the rates of its iterations, and where they were seen.
    pub(super) last: Vec<(Vec<Vec3<S>>, S, S::Mask)>,
}

impl<S: Real> Memory<S> {
    /// Nothing.
    pub(super) fn new() -> Self {
        let (predictors, squares, last) = (Vec::new(), Vec::new(), Vec::new());
        let slopes = Slopes::new(0);
        Self { h: f64::NAN, predictors, squares, slopes, proposed: false, last }
    }
    /// Forgets all; memory is kept.
    pub(super) fn forget(&mut self) {
        self.predictors.iter_mut().for_each(Predictor::forget);
        self.squares.clear();
        self.slopes.forget();
        self.proposed = false;
    }
    /// Room for so many substeps of so many spheres.
    fn make_room(&mut self, substeps: usize, spheres: usize) {
        let room = self.last.first().is_some_and(|(f, ..)| f.len() == spheres);
        if !room {
            let empty = (vec![Vec3::zero(); spheres], S::zero(), S::Mask::splat(false));
            self.last = vec![empty; substeps];
            self.predictors = vec![Predictor::new(spheres); substeps];
            self.slopes = Slopes::new(spheres);
        }
    }
    /// Ready for a step.
    pub(super) fn prepare(&mut self, h: f64, substeps: usize, spheres: usize) {
        self.make_room(substeps, spheres);
        if h != self.h {
            self.predictors.iter_mut().for_each(Predictor::forget);
        }
        self.h = h;
        self.proposed = false;
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
        self.squares.resize(spheres, S::zero());
        archive.number(&mut self.h);
        archive.reals(&mut self.squares);
        archive.flag(&mut self.proposed);
        self.predictors.iter_mut().for_each(|predictor| predictor.archive(archive));
        self.slopes.archive(archive);
        if !self.proposed {
            return;
        }
        for (f, rate, seen) in &mut self.last {
            f.iter_mut().for_each(|v| archive.algebra(v));
            archive.real(rate);
            // Numbers that can be kept have one lane.
            let mut one = seen.all();
            archive.flag(&mut one);
            *seen = S::Mask::splat(one);
        }
    }
}
