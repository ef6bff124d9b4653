//! What implicit methods remember to predict the unknowns of their next step: one predictor for each
//! substep, and the last proposal until it is accepted.
use super::few::{Few, copies};
use crate::archive::Archive;
use lieflow_kernel::{Mask, Real, Vec3};

mod predictor;
pub(super) use predictor::Predictor;

/// What was found in a substep.
#[derive(Clone)]
pub(super) struct Solved<S: Real> {
    /// The unknowns, three by three.
    pub(super) f: Few<Vec3<S>>,
    /// The square of the rate of the iteration, and where it was seen.
    pub(super) rate: S,
    pub(super) seen: S::Mask,
}

/// Predictors and the last proposal.
#[derive(Clone)]
pub(super) struct Predictions<S: Real> {
    /// The length of the steps.
    h: f64,
    /// One for each substep.
    pub(super) predictors: Few<Predictor<S>>,
    /// Whether the last proposal may be learnt from.
    proposed: bool,
    /// The last proposal.
    pub(super) last: Few<Solved<S>>,
}

impl<S: Real> Predictions<S> {
    /// None.
    pub(super) fn new() -> Self {
        Self { h: f64::NAN, predictors: Few::new(), proposed: false, last: Few::new() }
    }
    /// Forgets all; memory is kept.
    pub(super) fn forget(&mut self) {
        self.predictors.iter_mut().for_each(Predictor::forget);
        self.proposed = false;
    }
    /// Room for so many substeps with so many vectors; says whether there was none.
    pub(super) fn make_room(&mut self, substeps: usize, vectors: usize) -> bool {
        let room = self.last.first().is_some_and(|last| last.f.len() == vectors);
        if !room {
            let f = copies(Vec3::zero(), vectors);
            let empty = Solved { f, rate: S::zero(), seen: S::Mask::splat(false) };
            self.last = copies(empty, substeps);
            self.predictors = copies(Predictor::new(vectors), substeps);
        }
        !room
    }
    /// Ready for a step of this length.
    pub(super) fn prepare(&mut self, h: f64) {
        if h != self.h {
            self.predictors.iter_mut().for_each(Predictor::forget);
        }
        self.h = h;
        self.proposed = false;
    }
    /// A proposal was made.
    pub(super) fn propose(&mut self) {
        self.proposed = true;
    }
    /// Learns from the proposal, which was accepted; says whether there was one.
    pub(super) fn learn(&mut self) -> bool {
        let proposed = core::mem::take(&mut self.proposed);
        if proposed {
            for (predictor, last) in self.predictors.iter_mut().zip(self.last.iter()) {
                predictor.learn(&last.f, last.rate, last.seen);
            }
        }
        proposed
    }
    /// Names all that is remembered. There is room for it.
    pub(super) fn archive(&mut self, archive: &mut Archive) {
        archive.number(&mut self.h);
        archive.flag(&mut self.proposed);
        self.predictors.iter_mut().for_each(|predictor| predictor.archive(archive));
        if !self.proposed {
            return;
        }
        for Solved { f, rate, seen } in self.last.iter_mut() {
            f.iter_mut().for_each(|v| archive.algebra(v));
            archive.real(rate);
            // Numbers that can be kept have one lane.
            let mut one = seen.all();
            archive.flag(&mut one);
            *seen = S::Mask::splat(one);
        }
    }
}
