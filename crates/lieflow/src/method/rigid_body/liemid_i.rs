//! LIEMID[I], the implicit midpoint Lie method.
//!
//! ```text
//! E = exp(x/2)    J x = h Eᵀ Π + (h²/2) T(R E)
//! R <- R exp(x)    Π <- Eᵀ (Eᵀ Π + h T(R E))
//! ```
//!
//! Krysl 2004, section 3.1, equations (12), (15) and (19). Order 2, symmetric; conserves the
//! momentum of free motion and about the axis of an axial field; not symplectic. The derivative
//! of the residual is `J - hat(h Eᵀ Π) dexp_{-x/2} / 2 - (h²/4) DT dexp_{-x/2}`.
use super::super::{Cost, Method, Step, StepError, StepResult};
use super::solving::{midpoint, midpoint_root, midpoint_way};
use super::way::{Way, increments_by_way};
use crate::action::BodyState;
use crate::problem::{Problem, SpinningBody};
use lieflow_kernel::rigid::Equation;
use lieflow_kernel::{Mat3, Quat, Real, Vec3, so3};

memoryless! {
    /// The method.
    LiemidI
}

/// What it solves, in messages.
const EQUATION: &str = "the implicit midpoint Lie equation";

struct Implicit<'a, P: Problem>(Step<'a, P>);

impl<S: Real, P: SpinningBody<S>> Equation<S> for Implicit<'_, P> {
    #[inline(always)]
    fn linearise(&self, x: Vec3<S>) -> (Vec3<S>, Mat3<S>) {
        let Step { p, t, h, y } = self.0;
        let (inertia, t) = (p.inertia(), t + 0.5 * h);
        let (half, slope) = so3::exp_with_dexp(x * 0.5);
        let middle = y.rotation.matmul(&half);
        let v = half.apply_transpose(y.momentum) * h;
        let torque = p.torque(t, &middle);
        let residual = inertia.momentum(x) - v - torque * (0.5 * h * h);
        let inner = Mat3::hat(v) * 0.5 + p.torque_derivative(t, &middle) * (0.25 * h * h);
        (residual, *inertia.matrix() - inner.matmul(&slope.transpose()))
    }
}

impl<S: Real> LiemidI<S> {
    /// The way of a step.
    fn go<P: SpinningBody<S>>(
        &mut self,
        s: Step<'_, P>,
        way: &mut Way<'_, S>,
    ) -> Result<(), StepError> {
        let x = midpoint_root(s, &Implicit(s), EQUATION, false, &mut self.cost)?;
        midpoint_way(s, Quat::exp(x * 0.5), way);
        Ok(())
    }
}

impl<S: Real, P: SpinningBody<S>> Method<P> for LiemidI<S> {
    #[inline]
    fn step(&mut self, s: Step<'_, P>, out: &mut BodyState<S>) -> StepResult {
        midpoint(s, &Implicit(s), EQUATION, false, &mut self.cost, out)
    }

    fn cost(&self) -> Cost {
        self.cost
    }

    increments_by_way!();
}
