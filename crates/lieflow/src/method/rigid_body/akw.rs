//! AKW, the implicit midpoint rule of Austin, Krishnaprasad and Wang.
//!
//! ```text
//! J w = Π + (h/2) J w × w + (h/4) (T(R) + T(R'))    R' = R cay(h w)    Π' = 2 J w - Π
//! ```
//!
//! Austin et al. 1993; the appendix of Krysl 2004 prints the gyroscopic term without the step
//! size, which is not consistent. Order 2, symmetric; conserves the momentum and the energy of
//! free motion, and with a potential linear in `R` also the energy and the momentum about the
//! axis; not symplectic. The derivative of the residual is that of the free map minus
//! `(h²/4) DT(R') dcay_{-h w}`.
use super::super::{Cost, Method, Step, StepError, StepResult, remembers};
use super::solving::settle_root;
use super::way::{Way, increments_by_way};
use crate::action::BodyState;
use crate::problem::SpinningBody;
use lieflow_kernel::rigid::{Equation, EulerHalfStep, Inertia, newton_tight};
use lieflow_kernel::{Mat3, Quat, Real, Vec3, so3};

/// The method.
#[derive(Debug)]
pub struct Akw<S> {
    torque: Vec3<S>,
    follows: bool,
    /// Both while it looks aside.
    aside: (Vec3<S>, bool),
    cost: Cost,
}

impl<S: Real> Default for Akw<S> {
    fn default() -> Self {
        Self {
            torque: Vec3::zero(),
            follows: false,
            aside: (Vec3::zero(), false),
            cost: Cost::default(),
        }
    }
}

struct Implicit<'a, S, P> {
    body: &'a P,
    end: f64,
    h: f64,
    rotation: &'a Mat3<S>,
    /// `Π + (h/4) T(R)`.
    known: Vec3<S>,
}

impl<S: Real, P: SpinningBody<S>> Equation<S> for Implicit<'_, S, P> {
    #[inline(always)]
    fn linearise(&self, w: Vec3<S>) -> (Vec3<S>, Mat3<S>) {
        let h = self.h;
        let x = w * h;
        let end = self.rotation.matmul(&so3::cay(x));
        let momentum = self.known + self.body.torque(self.end, &end) * (0.25 * h);
        let free = EulerHalfStep { inertia: self.body.inertia(), h, momentum };
        let (residual, derivative) = free.linearise(w);
        let slope = self.body.torque_derivative(self.end, &end).matmul(&so3::dcay_matrix(-x));
        (residual, derivative - slope * (0.25 * h * h))
    }
}

impl<S: Real> Akw<S> {
    /// The mean velocity, after the torque at the start.
    #[inline(always)]
    fn mean_velocity<P: SpinningBody<S>>(
        &mut self,
        Step { p, t, h, y }: Step<'_, P>,
    ) -> Result<Vec3<S>, StepError> {
        if !self.follows {
            self.torque = p.torque(t, &y.rotation);
            self.cost.field_evaluations += 1;
        }
        self.follows = false;
        let inertia = p.inertia();
        let known = y.momentum + self.torque * (0.25 * h);
        let equation = Implicit { body: p, end: t + h, h, rotation: &y.rotation, known };
        let root = newton_tight(&equation, inertia.velocity(y.momentum));
        self.cost.newton_iterations += u64::from(root.iterations);
        self.cost.field_evaluations += u64::from(root.iterations) + 1;
        self.cost.exponentials += 1;
        Ok(settle_root(root, "the implicit midpoint rule of AKW", h)?.x)
    }

    /// What the momentum gains by the equation. It is `2 J w - 2 Π` too, but there what is left of the equation
    /// goes into length and energy of the momentum whole, and here times the turn of a step.
    #[inline(always)]
    fn change(&self, inertia: &Inertia<S>, h: f64, w: Vec3<S>, torque: Vec3<S>) -> Vec3<S> {
        inertia.momentum(w).cross(w) * h + (self.torque + torque) * (0.5 * h)
    }

    /// The way of a step.
    fn go<P: SpinningBody<S>>(
        &mut self,
        s: Step<'_, P>,
        way: &mut Way<'_, S>,
    ) -> Result<(), StepError> {
        let Step { p, t, h, .. } = s;
        let w = self.mean_velocity(s)?;
        way.turn_attitude(Quat::cay(w * h));
        let torque = p.torque(t + h, &way.rotation());
        way.kick(self.change(p.inertia(), h, w, torque));
        self.torque = torque;
        Ok(())
    }
}

impl<S: Real, P: SpinningBody<S>> Method<P> for Akw<S> {
    #[inline]
    fn step(&mut self, s: Step<'_, P>, out: &mut BodyState<S>) -> StepResult {
        let Step { p, t, h, y } = s;
        let w = self.mean_velocity(s)?;
        out.rotation = y.rotation.matmul(&so3::cay(w * h));
        let torque = p.torque(t + h, &out.rotation);
        out.momentum = y.momentum + self.change(p.inertia(), h, w, torque);
        self.torque = torque;
        Ok(None)
    }

    remembers!(follows);

    increments_by_way!();
}
