//! The rigid body as a Lagrangian system on SO(3): `L = ω·Jω/2 - U(R)`.
use super::RigidBody;
use lieflow::group::So3;
use lieflow::group::family::Rotations;
use lieflow::problem::{Lagrangian, LegendreError, Lift, TorqueField};
use lieflow::{Real, Vec3};

impl<S: Real, U: TorqueField<S>> Lagrangian for RigidBody<S, U> {
    type Scalar = S;
    type Family = Rotations;
    type Over<T: Real> = RigidBody<T, U::Over<T>>;
    fn over<T: Real>(&self, embed: fn(S) -> T) -> RigidBody<T, U::Over<T>> {
        self.lift(embed)
    }
    fn lagrangian(&self, t: f64, g: &So3<S>, w: &Vec3<S>) -> S {
        self.inertia.momentum(*w).dot(*w) * 0.5 - self.potential.energy(t, &g.matrix)
    }
    fn momentum(&self, _t: f64, _g: &So3<S>, w: &Vec3<S>) -> Vec3<S> {
        self.inertia.momentum(*w)
    }
    fn force(&self, t: f64, g: &So3<S>, _w: &Vec3<S>) -> Vec3<S> {
        g.matrix.apply(self.potential.torque(t, &g.matrix))
    }
    fn external(&self, t: f64, g: &So3<S>, w: &Vec3<S>) -> Option<Vec3<S>> {
        let applied = self.potential.applied(t, &g.matrix, *w, self.inertia.momentum(*w))?;
        Some(g.matrix.apply(applied))
    }
    fn velocity(&self, _t: f64, _g: &So3<S>, p: &Vec3<S>) -> Result<Vec3<S>, LegendreError> {
        Ok(self.inertia.velocity(*p))
    }
}
