//! The Lie–Newmark methods of Simo and Vu-Quoc: explicit (ELN, NMB) and trapezoidal (TLN, TLNEXP).
//!
//! ```text
//! explicit      P = Π + (h/2) (Π × ω + T(R))    R' = R φ(h J⁻¹ P)
//!               J ω' - (h/2) J ω' × ω' = P + (h/2) T(R')
//! trapezoidal   J ω' - (h/2) (J ω' × ω' + T(R')) = Π + (h/2) (Π × ω + T(R))
//!               R' = R φ((h/2) (ω + ω'))
//! ```
//!
//! with `φ` Cayley's map (ELN, TLN: Ortolan 2011, equations (4.1) and (4.3)) or the exponential
//! (NMB: the body-frame Newmark method of Krysl and Endres 2005; TLNEXP). Order 2, symmetric; they
//! conserve neither the momentum of free motion nor a volume, and are not symplectic. The printed
//! Jacobian of TLN has two wrong signs; ours is
//! `J - (h/2)(hat(J ω') - hat(ω') J) - (h²/4) DT dφ_{-x}`.
use super::super::{Cost, Method, Step, StepError, StepResult, remembers};
use super::solving::settle_root;
use super::way::{Way, increments_by_way};
use crate::action::BodyState;
use crate::problem::SpinningBody;
use lieflow_kernel::rigid::{Equation, EulerHalfStep, newton};
use lieflow_kernel::{Mat3, Quat, Real, Vec3, so3};

/// The map from rotation vectors to rotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// Cayley's map.
    Cayley,
    /// The exponential.
    Exp,
}

impl Update {
    #[inline(always)]
    fn map<S: Real>(self, x: Vec3<S>) -> Mat3<S> {
        match self {
            Self::Cayley => so3::cay(x),
            Self::Exp => so3::exp(x),
        }
    }
    #[inline(always)]
    fn quat<S: Real>(self, x: Vec3<S>) -> Quat<S> {
        match self {
            Self::Cayley => Quat::cay(x),
            Self::Exp => Quat::exp(x),
        }
    }
    #[inline(always)]
    fn differential<S: Real>(self, x: Vec3<S>) -> Mat3<S> {
        match self {
            Self::Cayley => so3::dcay_matrix(x),
            Self::Exp => so3::dexp_matrix(x),
        }
    }
}

/// A Lie–Newmark method.
#[derive(Debug)]
pub struct Newmark<S> {
    update: Update,
    trapezoidal: bool,
    torque: Vec3<S>,
    follows: bool,
    /// Both while it looks aside.
    aside: (Vec3<S>, bool),
    cost: Cost,
}

impl<S: Real> Newmark<S> {
    /// The explicit or the trapezoidal method.
    pub fn new(trapezoidal: bool, update: Update) -> Self {
        let (torque, cost) = (Vec3::zero(), Cost::default());
        Self { update, trapezoidal, torque, follows: false, aside: (Vec3::zero(), false), cost }
    }

    /// The end of an explicit step from the half-step momentum.
    fn explicit<P: SpinningBody<S>>(
        &mut self,
        Step { p, t, h, y }: Step<'_, P>,
        half: Vec3<S>,
    ) -> Result<BodyState<S>, StepError> {
        let inertia = p.inertia();
        let rotation = y.rotation.matmul(&self.update.map(inertia.velocity(half) * h));
        self.torque = p.torque(t + h, &rotation);
        let momentum = half + self.torque * (0.5 * h);
        let root = newton(&EulerHalfStep { inertia, h, momentum }, inertia.velocity(momentum));
        self.cost.newton_iterations += u64::from(root.iterations);
        self.cost.field_evaluations += 1;
        let root = settle_root(root, "the velocity equation of the explicit Newmark method", h)?;
        Ok(BodyState::new(rotation, inertia.momentum(root.x)))
    }

    fn implicit<P: SpinningBody<S>>(
        &mut self,
        Step { p, t, h, y }: Step<'_, P>,
        half: Vec3<S>,
    ) -> Result<BodyState<S>, StepError> {
        let inertia = p.inertia();
        let omega = inertia.velocity(y.momentum);
        let (update, rotation) = (self.update, &y.rotation);
        let root =
            newton(&Trapezoid { body: p, end: t + h, h, update, rotation, omega, half }, omega);
        self.cost.newton_iterations += u64::from(root.iterations);
        self.cost.field_evaluations += u64::from(root.iterations) + 1;
        let root = settle_root(root, "the trapezoidal Newmark equation", h)?;
        let end = y.rotation.matmul(&update.map((omega + root.x) * (0.5 * h)));
        self.torque = p.torque(t + h, &end);
        Ok(BodyState::new(end, inertia.momentum(root.x)))
    }
}

struct Trapezoid<'a, S, P> {
    body: &'a P,
    end: f64,
    h: f64,
    update: Update,
    rotation: &'a Mat3<S>,
    /// The velocity at the start.
    omega: Vec3<S>,
    /// The momentum after half an explicit step.
    half: Vec3<S>,
}

impl<S: Real, P: SpinningBody<S>> Equation<S> for Trapezoid<'_, S, P> {
    #[inline(always)]
    fn linearise(&self, w: Vec3<S>) -> (Vec3<S>, Mat3<S>) {
        let h = self.h;
        let x = (self.omega + w) * (0.5 * h);
        let end = self.rotation.matmul(&self.update.map(x));
        let momentum = self.half + self.body.torque(self.end, &end) * (0.5 * h);
        let free = EulerHalfStep { inertia: self.body.inertia(), h, momentum };
        let (residual, derivative) = free.linearise(w);
        let slope =
            self.body.torque_derivative(self.end, &end).matmul(&self.update.differential(-x));
        (residual, derivative - slope * (0.25 * h * h))
    }
}

impl<S: Real> Newmark<S> {
    /// The way of a step: the momentum gains what the two halves of Euler's equation say.
    fn go<P: SpinningBody<S>>(
        &mut self,
        s: Step<'_, P>,
        way: &mut Way<'_, S>,
    ) -> Result<(), StepError> {
        let Step { p, h, y, .. } = s;
        let inertia = p.inertia();
        let first = self.half_change(s);
        let half = y.momentum + first;
        let turn = inertia.velocity(half) * h;
        let end = if self.trapezoidal { self.implicit(s, half) } else { self.explicit(s, half) }?;
        let omega = inertia.velocity(end.momentum);
        let turn = if self.trapezoidal {
            (inertia.velocity(y.momentum) + omega) * (0.5 * h)
        } else {
            turn
        };
        way.turn_attitude(self.update.quat(turn));
        way.kick(first + (end.momentum.cross(omega) + self.torque) * (0.5 * h));
        Ok(())
    }

    /// `(h/2) (Π × ω + T(R))`.
    #[inline(always)]
    fn half_change<P: SpinningBody<S>>(&mut self, Step { p, t, h, y }: Step<'_, P>) -> Vec3<S> {
        let omega = p.inertia().velocity(y.momentum);
        if !self.follows {
            self.torque = p.torque(t, &y.rotation);
            self.cost.field_evaluations += 1;
        }
        self.follows = false;
        self.cost.exponentials += 1;
        (y.momentum.cross(omega) + self.torque) * (0.5 * h)
    }
}

impl<S: Real, P: SpinningBody<S>> Method<P> for Newmark<S> {
    #[inline]
    fn step(&mut self, s: Step<'_, P>, out: &mut BodyState<S>) -> StepResult {
        let half = s.y.momentum + self.half_change(s);
        *out = if self.trapezoidal { self.implicit(s, half) } else { self.explicit(s, half) }?;
        Ok(None)
    }

    remembers!(follows);

    increments_by_way!();
}
