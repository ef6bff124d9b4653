//! The way of a body in a step: kicks and turns, and the sum of what they add to the state, with digits
//! that the difference of two states does not have.
//!
//! All methods for rigid bodies are such ways. Their usual steps multiply and add in the order that is
//! fastest; these are the same maps for [compensated](crate::method::Compensated) stepping, where every
//! part of the way is an increment of its own, small like the step.
use crate::action::{BodyState, FineTurn};
use crate::method::StepError;
use lieflow_kernel::rigid::{FreeMap, Inertia, Turn};
use lieflow_kernel::{Mat3, Real, Vec3};

/// Where a body has come to, and the sum of the increments.
#[derive(Debug)]
pub(super) struct Way<'a, S> {
    /// The state, rounded.
    pub at: &'a mut BodyState<S>,
    /// What has been added to it.
    pub sum: &'a mut BodyState<S>,
}

/// Nothing added, or rounded away.
#[cfg(not(target_arch = "nvptx64"))]
pub(super) fn nothing() -> BodyState<f64> {
    BodyState::new(Mat3::zero(), Vec3::zero())
}

impl<S: Real> Way<'_, S> {
    /// `Π <- Π + impulse`.
    pub fn kick(&mut self, impulse: Vec3<S>) {
        self.at.momentum += impulse;
        self.sum.momentum += impulse;
    }

    /// `R <- R F`.
    pub fn turn_attitude(&mut self, f: &Mat3<S>) {
        self.turn_rows(&FineTurn::back(f));
    }

    /// `R <- R F`, `Π <- Fᵀ Π`.
    pub fn turn(&mut self, f: &Mat3<S>) {
        let turn = FineTurn::back(f);
        self.turn_rows(&turn);
        let (momentum, way) = turn.turn(self.at.momentum);
        self.at.momentum = momentum;
        self.sum.momentum += way;
    }

    fn turn_rows(&mut self, turn: &FineTurn<S>) {
        for (row, sum) in self.at.rotation.rows.iter_mut().zip(&mut self.sum.rotation.rows) {
            let (end, way) = turn.turn(*row);
            *row = end;
            *sum += way;
        }
    }

    /// The free motion by a map over the time `h`.
    pub fn drift<F: FreeMap<S>>(
        &mut self,
        map: F,
        inertia: &Inertia<S>,
        h: f64,
    ) -> Result<u32, StepError> {
        let turn = fine_turn(map, inertia, h, self.at.momentum)?;
        self.turn(&turn.rotation);
        Ok(turn.iterations)
    }
}

/// The turn of a free map, compiled once for each, whatever the body.
#[inline(never)]
fn fine_turn<S: Real, F: FreeMap<S>>(
    map: F,
    inertia: &Inertia<S>,
    h: f64,
    momentum: Vec3<S>,
) -> Result<Turn<S>, StepError> {
    let turn = map.fine_turn(inertia, h, momentum);
    super::solving::settle(&map, turn, inertia, h, momentum)
}

/// [`Method::has_increments`](crate::method::Method::has_increments) and
/// [`Method::step_with_increment`](crate::method::Method::step_with_increment) of a method for rigid
/// bodies, by a function that goes the way of a step. Only single numbers without derivatives are asked.
macro_rules! increments_by_way {
    () => {
        fn has_increments(&self) -> bool {
            $crate::method::worth_step_many::<S>()
        }

        fn step_with_increment(
            &mut self,
            s: Step<'_, P>,
            out: &mut BodyState<S>,
            increment: &mut BodyState<S>,
        ) -> StepResult {
            if const { !$crate::method::worth_step_many::<S>() } {
                return self.step(s, out);
            }
            *out = *s.y;
            self.go(s, &mut Way { at: out, sum: increment })?;
            Ok(None)
        }
    };
}
pub(super) use increments_by_way;
