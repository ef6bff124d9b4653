//! A rigid body as a gradient flow of its energy.
//!
//! ```text
//! dH = (T + Π × ω, ω)        f = (-g2, g1 - Π × g2) = (-ω, T)     for g = dH
//! ```
//!
//! In the group SO(3) ⋉ so(3)*; the matrix of `g -> f` is skew. A torque that has no potential acts
//! beside.
use super::RigidBody;
use lieflow::Real;
use lieflow::action::BodyState;
use lieflow::group::Twist;
use lieflow::problem::{GradientFlow, TorqueField};

impl<S: Real, U: TorqueField<S>> GradientFlow for RigidBody<S, U> {
    fn energy(&self, t: f64, y: &BodyState<S>) -> S {
        self.energy(t, y)
    }
    fn energy_change(&self, t: f64, a: &BodyState<S>, b: &BodyState<S>) -> S {
        let (p, q) = (a.momentum, b.momentum);
        let kinetic = (q - p).dot(self.inertia.velocity(p + q)) * 0.5;
        kinetic + (self.potential.energy(t, &b.rotation) - self.potential.energy(t, &a.rotation))
    }
    fn differential(&self, t: f64, y: &BodyState<S>) -> Twist<S> {
        let omega = self.inertia.velocity(y.momentum);
        let torque = self.potential.torque(t, &y.rotation);
        Twist::new(torque + y.momentum.cross(omega), omega)
    }
    fn response(&self, t: f64, y: &BodyState<S>, g: &Twist<S>) -> Twist<S> {
        let torque = g.angular - y.momentum.cross(g.linear);
        let omega = self.inertia.velocity(y.momentum);
        let applied = self.potential.applied(t, &y.rotation, omega, y.momentum);
        Twist::new(-g.linear, applied.map_or(torque, |applied| torque + applied))
    }
}
