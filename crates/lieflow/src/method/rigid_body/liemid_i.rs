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
use super::super::{Cost, Method, Step, StepResult};
use super::solving::settle_root;
use crate::action::BodyState;
use crate::problem::SpinningBody;
use lieflow_kernel::rigid::{Equation, newton};
use lieflow_kernel::{Mat3, Real, Vec3, so3};
use std::marker::PhantomData;

/// The method.
#[derive(Debug)]
pub struct LiemidI<S> {
    cost: Cost,
    scalar: PhantomData<S>,
}

impl<S> Default for LiemidI<S> {
    fn default() -> Self {
        Self { cost: Cost::default(), scalar: PhantomData }
    }
}

struct Implicit<'a, S, P> {
    body: &'a P,
    middle: f64,
    h: f64,
    y: &'a BodyState<S>,
}

impl<S: Real, P: SpinningBody<S>> Equation<S> for Implicit<'_, S, P> {
    #[inline(always)]
    fn linearise(&self, x: Vec3<S>) -> (Vec3<S>, Mat3<S>) {
        let (h, inertia) = (self.h, self.body.inertia());
        let (half, slope) = so3::exp_with_dexp(x * 0.5);
        let middle = self.y.rotation.matmul(&half);
        let v = half.apply_transpose(self.y.momentum) * h;
        let torque = self.body.torque(self.middle, &middle);
        let residual = inertia.momentum(x) - v - torque * (0.5 * h * h);
        let inner =
            Mat3::hat(v) * 0.5 + self.body.torque_derivative(self.middle, &middle) * (0.25 * h * h);
        (residual, *inertia.matrix() - inner.matmul(&slope.transpose()))
    }
}

impl<S: Real, P: SpinningBody<S>> Method<P> for LiemidI<S> {
    #[inline]
    fn step(&mut self, s: Step<'_, P>, out: &mut BodyState<S>) -> StepResult {
        let Step { p, t, h, y } = s;
        let middle = t + 0.5 * h;
        let guess = p.inertia().velocity(y.momentum) * h;
        let root = newton(&Implicit { body: p, middle, h, y }, guess);
        self.cost.newton_iterations += u64::from(root.iterations);
        self.cost.field_evaluations += u64::from(root.iterations) + 1;
        self.cost.exponentials += 1;
        let root = settle_root(root, "the implicit midpoint Lie equation", h)?;
        let half = so3::exp(root.x * 0.5);
        let half_turned = y.rotation.matmul(&half);
        let torque = p.torque(middle, &half_turned);
        let momentum = half.apply_transpose(y.momentum) + torque * h;
        out.rotation = half_turned.matmul(&half);
        out.momentum = half.apply_transpose(momentum);
        Ok(None)
    }

    fn cost(&self) -> Cost {
        self.cost
    }
}
