//! LIEMID[E], the explicit midpoint Lie method that does not work.
//!
//! ```text
//! J x = h exp(-x/2) (Π + (h/2) T(R))    R <- R exp(x)    Π <- exp(-x) (Π + h T(R))
//! ```
//!
//! Krysl 2004, section 3.2, kept as his counterexample: order 1, and no convergence on the slow
//! top at any reasonable step.
use super::super::{Cost, Method, Step, StepError, StepResult};
use super::solving::settle;
use super::way::{Way, increments_by_way};
use crate::action::BodyState;
use crate::problem::SpinningBody;
use lieflow_kernel::rigid::{FreeMap, LieMidpoint, Turn};
use lieflow_kernel::{Quat, Real, Vec3};

memoryless! {
    /// The method.
    LiemidE
}

impl<S: Real> LiemidE<S> {
    /// The torque at the start, and the turn.
    #[inline(always)]
    fn turn<P: SpinningBody<S>>(
        &mut self,
        Step { p, t, h, y }: Step<'_, P>,
    ) -> Result<(Vec3<S>, Turn<S>), StepError> {
        let inertia = p.inertia();
        let torque = p.torque(t, &y.rotation);
        let kicked = y.momentum + torque * (0.5 * h);
        let turn = LieMidpoint.turn(inertia, h, kicked);
        self.cost.field_evaluations += 1;
        self.cost.exponentials += 1;
        self.cost.newton_iterations += u64::from(turn.iterations);
        Ok((torque, settle(&LieMidpoint, turn, inertia, h, kicked)?))
    }

    /// The way of a step.
    fn go<P: SpinningBody<S>>(
        &mut self,
        s: Step<'_, P>,
        way: &mut Way<'_, S>,
    ) -> Result<(), StepError> {
        let (torque, turn) = self.turn(s)?;
        way.kick(torque * s.h);
        way.turn(Quat::from_matrix(&turn.rotation));
        Ok(())
    }
}

impl<S: Real, P: SpinningBody<S>> Method<P> for LiemidE<S> {
    #[inline]
    fn step(&mut self, s: Step<'_, P>, out: &mut BodyState<S>) -> StepResult {
        let Step { h, y, .. } = s;
        let (torque, turn) = self.turn(s)?;
        out.rotation = y.rotation.matmul(&turn.rotation);
        out.momentum = turn.rotation.apply_transpose(y.momentum + torque * h);
        Ok(None)
    }

    fn cost(&self) -> Cost {
        self.cost
    }

    increments_by_way!();
}
