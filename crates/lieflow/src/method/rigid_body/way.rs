//! The way of a body in a step: kicks and turns, and the sum of what they add to the state, with digits
//! that the difference of two states does not have.
//!
//! All methods for rigid bodies are such ways. Their usual steps multiply and add in the order that is
//! fastest; these are the same maps for [compensated](crate::method::Compensated) stepping, where every
//! part of the way is an increment of its own, small like the step.
use crate::action::{BodyState, Flat, Ways};
use crate::method::{Method, Step, StepError, StepResult};
use crate::problem::SpinningBody;
use crate::stepping::EvenSteps;
use lieflow_kernel::rigid::{FineTurn, FreeMap, Inertia, Turn};
use lieflow_kernel::{Mask, Mat3, Quat, Real, Vec3};

/// Where a body has come from, and the sum of the increments: by value, so that they may stay in registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way<'a, S> {
    /// The state at the start.
    pub from: &'a BodyState<S>,
    /// What has been added to it, after what was carried to it.
    pub sum: BodyState<S>,
}

/// Nothing added, or rounded away.
#[cfg(not(target_arch = "nvptx64"))]
pub(super) fn nothing() -> BodyState<f64> {
    BodyState::new(Mat3::zero(), Vec3::zero())
}

impl<S: Real> Way<'_, S> {
    /// The attitude there, rounded.
    #[inline(always)]
    pub fn rotation(&self) -> Mat3<S> {
        self.from.rotation + self.sum.rotation
    }

    /// The momentum there, rounded.
    #[inline(always)]
    pub fn momentum(&self) -> Vec3<S> {
        self.from.momentum + self.sum.momentum
    }

    /// `Π <- Π + impulse`.
    #[inline(always)]
    pub fn kick(&mut self, impulse: Vec3<S>) {
        self.sum.momentum += impulse;
    }

    /// `R <- R F`.
    #[inline(always)]
    pub fn turn_attitude(&mut self, f: Quat<S>) {
        let way = Ways::back(f).ways(&self.rotation());
        self.sum.rotation = self.sum.rotation + way;
    }

    /// `R <- R F`, `Π <- Fᵀ Π`.
    #[inline(always)]
    pub fn turn(&mut self, f: Quat<S>) {
        let turn = Ways::back(f);
        let rows = turn.ways(&self.rotation());
        self.kick(turn.way(self.momentum()));
        self.sum.rotation = self.sum.rotation + rows;
    }

    /// The free motion by a map over the time `h`, compiled once for each, whatever the body.
    #[inline(never)]
    pub fn drift<F: FreeMap<S>>(
        &mut self,
        map: F,
        inertia: &Inertia<S>,
        h: f64,
    ) -> Result<u32, StepError> {
        let momentum = self.momentum();
        let FineTurn { quat, solved, iterations, residual } = map.fine_turn(inertia, h, momentum);
        if !solved.all() {
            let turn = Turn { rotation: Mat3::identity(), momentum, solved, iterations, residual };
            super::solving::settle_rest::<S, F>(turn, inertia, h, momentum)?;
        }
        self.turn(quat);
        Ok(iterations)
    }
}

/// Steps by the ways of a method, with what is carried to them: many, each accepted, or one, whose way is added to
/// what is carried and not to the state. Compiled once for both.
#[inline(never)]
pub(super) fn carry_on<S: Real, P: SpinningBody<S>, M: Method<P>>(
    method: &mut M,
    go: impl Fn(&mut M, Step<'_, P>, &mut Way<'_, S>) -> Result<(), StepError>,
    (p, steps): (&P, &EvenSteps),
    (y, carry): (&mut BodyState<S>, &mut BodyState<S>),
    many: bool,
) -> (u64, StepResult) {
    let mut k = 0;
    while k < steps.count {
        let mut way = Way { from: y, sum: *carry };
        if let Err(error) = go(method, steps.step(p, k, y), &mut way) {
            return (k, Err(error));
        }
        *carry = way.sum;
        if many {
            y.gather(carry);
            method.accept();
        }
        k += 1;
    }
    (k, Ok(None))
}

/// [`Method::has_increments`], [`Method::step_with_increment`] and [`Method::step_many_carrying`] of a method for rigid
/// bodies, by a function that goes the way of a step. Only single numbers without derivatives are asked.
macro_rules! increments_by_way {
    () => {
        fn has_increments(&self) -> bool {
            $crate::method::worth_step_many::<S>()
        }

        fn step_with_increment(
            &mut self,
            s: Step<'_, P>,
            room: &mut BodyState<S>,
            increment: &mut BodyState<S>,
        ) -> StepResult {
            if const { !$crate::method::worth_step_many::<S>() } {
                return self.step(s, room);
            }
            *room = *s.y;
            let once = $crate::stepping::EvenSteps { from: s.t, h: s.h, first: 0, count: 1 };
            let pair = (room, increment);
            super::way::carry_on(self, Self::go::<P>, (s.p, &once), pair, false).1
        }

        fn step_many_carrying(
            &mut self,
            p: &P,
            steps: &$crate::stepping::EvenSteps,
            y: &mut BodyState<S>,
            carry: &mut BodyState<S>,
        ) -> u64 {
            if const { !$crate::method::worth_step_many::<S>() } {
                return 0;
            }
            super::way::carry_on(self, Self::go::<P>, (p, steps), (y, carry), true).0
        }
    };
}
pub(super) use increments_by_way;
