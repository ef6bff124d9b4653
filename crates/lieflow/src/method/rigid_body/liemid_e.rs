//! LIEMID[E], the explicit midpoint Lie method that does not work.
//!
//! ```text
//! J x = h exp(-x/2) (Π + (h/2) T(R))    R <- R exp(x)    Π <- exp(-x) (Π + h T(R))
//! ```
//!
//! Krysl 2004, section 3.2, kept as his counterexample: order 1, and no convergence on the slow
//! top at any reasonable step.
use super::super::{Cost, Method, Step, StepResult};
use super::solving::settle;
use crate::action::BodyState;
use crate::problem::SpinningBody;
use lieflow_kernel::Real;
use lieflow_kernel::rigid::{FreeMap, LieMidpoint};

memoryless! {
    /// The method.
    LiemidE
}

impl<S: Real, P: SpinningBody<S>> Method<P> for LiemidE<S> {
    #[inline]
    fn step(&mut self, s: Step<'_, P>, out: &mut BodyState<S>) -> StepResult {
        let Step { p, t, h, y } = s;
        let inertia = p.inertia();
        let torque = p.torque(t, &y.rotation);
        let kicked = y.momentum + torque * (0.5 * h);
        let turn = LieMidpoint.turn(inertia, h, kicked);
        self.cost.field_evaluations += 1;
        self.cost.exponentials += 1;
        self.cost.newton_iterations += u64::from(turn.iterations);
        let turn = settle(&LieMidpoint, turn, inertia, h, kicked)?;
        out.rotation = y.rotation.matmul(&turn.rotation);
        out.momentum = turn.rotation.apply_transpose(y.momentum + torque * h);
        Ok(None)
    }

    fn cost(&self) -> Cost {
        self.cost
    }
}
