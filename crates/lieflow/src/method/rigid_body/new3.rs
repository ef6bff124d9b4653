//! NEW3, the method of Koziara and Bićanić.
//!
//! ```text
//! R_h = R exp((h/2) ω)    exp((h/2) ω') J ω' = exp(-(h/2) ω) Π + h T(R_h)
//! R' = R_h exp((h/2) ω')
//! ```
//!
//! Ortolan 2011, equations (4.10). One torque a step, at the middle. Order 2, symmetric; conserves
//! the momentum of free motion and about the axis of an axial field; not symplectic. Conjugate to
//! MCG, so that its energy drifts like that of MCG.
use super::super::{Cost, Method, Step, StepError, StepResult};
use super::solving::settle_root;
use super::way::{Way, increments_by_way};
use crate::action::BodyState;
use crate::problem::SpinningBody;
use lieflow_kernel::rigid::{Equation, Inertia, newton};
use lieflow_kernel::{Mat3, Quat, Real, Vec3, so3};

memoryless! {
    /// The method.
    New3
}

/// `exp((h/2) w) J w = q`, with derivative `E J - (h/2) hat(E J w) dexp_{(h/2) w}`.
struct Backward<'a, S> {
    inertia: &'a Inertia<S>,
    half: f64,
    q: Vec3<S>,
}

impl<S: Real> Equation<S> for Backward<'_, S> {
    #[inline(always)]
    fn linearise(&self, w: Vec3<S>) -> (Vec3<S>, Mat3<S>) {
        let x = w * self.half;
        let (turn, slope) = so3::exp_with_dexp(x);
        let turned = turn.apply(self.inertia.momentum(w));
        let derivative =
            turn.matmul(self.inertia.matrix()) - Mat3::hat(turned * self.half).matmul(&slope);
        (turned - self.q, derivative)
    }
}

impl<S: Real> New3<S> {
    /// The velocity at the end, from the momentum in the middle.
    #[inline(always)]
    fn velocity(&mut self, inertia: &Inertia<S>, h: f64, q: Vec3<S>) -> Result<Vec3<S>, StepError> {
        let root = newton(&Backward { inertia, half: 0.5 * h, q }, inertia.velocity(q));
        self.cost.field_evaluations += 1;
        self.cost.exponentials += 2;
        self.cost.newton_iterations += u64::from(root.iterations);
        Ok(settle_root(root, "the velocity equation of NEW3", h)?.x)
    }

    /// The way of a step. The momentum at the end is that in the middle, turned: of the equation nothing
    /// is left, where `J ω'` would leave what its solution rounds away.
    fn go<P: SpinningBody<S>>(
        &mut self,
        Step { p, t, h, y }: Step<'_, P>,
        way: &mut Way<'_, S>,
    ) -> Result<(), StepError> {
        let (inertia, half) = (p.inertia(), 0.5 * h);
        way.turn(Quat::exp(inertia.velocity(y.momentum) * half));
        way.kick(p.torque(t + half, &way.rotation()) * h);
        let velocity = self.velocity(inertia, h, way.momentum())?;
        way.turn(Quat::exp(velocity * half));
        Ok(())
    }
}

impl<S: Real, P: SpinningBody<S>> Method<P> for New3<S> {
    #[inline]
    fn step(&mut self, s: Step<'_, P>, out: &mut BodyState<S>) -> StepResult {
        let Step { p, t, h, y } = s;
        let inertia = p.inertia();
        let half = 0.5 * h;
        let first = so3::exp(inertia.velocity(y.momentum) * half);
        let middle = y.rotation.matmul(&first);
        let q = first.apply_transpose(y.momentum) + p.torque(t + half, &middle) * h;
        let velocity = self.velocity(inertia, h, q)?;
        let turn = velocity * half;
        out.rotation = middle.matmul(&so3::exp(turn));
        // As in `go`; and not by the matrix, of which the root knows how it is rounded (see `midpoint`).
        out.momentum = so3::rotate(-turn, q);
        Ok(None)
    }

    fn cost(&self) -> Cost {
        self.cost
    }

    increments_by_way!();
}
