//! Reduced bodies as Lagrangian systems: functions of the body velocity alone.
use super::kirchhoff::Kirchhoff;
use super::reduced_body::ReducedBody;
use lieflow::group::Twist;
use lieflow::group::family::{Motions, Rotations};
use lieflow::problem::{LegendreError, Lift, ReducedLagrangian};
use lieflow::{Real, Vec3};

/// `l = ω·Jω/2`.
impl<S: Real> ReducedLagrangian for ReducedBody<S> {
    type Scalar = S;
    type Family = Rotations;
    type Over<T: Real> = ReducedBody<T>;
    fn over<T: Real>(&self, embed: fn(S) -> T) -> ReducedBody<T> {
        self.lift(embed)
    }
    fn lagrangian(&self, w: &Vec3<S>) -> S {
        w.dot(self.inertia.apply(*w)) * 0.5
    }
    fn momentum(&self, w: &Vec3<S>) -> Vec3<S> {
        self.inertia.apply(*w)
    }
    fn velocity(&self, m: &Vec3<S>) -> Result<Vec3<S>, LegendreError> {
        Ok(self.inverse.apply(*m))
    }
}

/// `l = (W·JW + V·MV)/2`, or the Legendre transform of another energy.
impl<S: Real> ReducedLagrangian for Kirchhoff<S> {
    type Scalar = S;
    type Family = Motions;
    type Over<T: Real> = Kirchhoff<T>;
    fn over<T: Real>(&self, embed: fn(S) -> T) -> Kirchhoff<T> {
        self.lift(embed)
    }
    fn lagrangian(&self, w: &Twist<S>) -> S {
        let m = Kirchhoff::momentum(self, w);
        let pair = m.angular.dot(w.angular) + m.linear.dot(w.linear);
        match self.law {
            None => pair * 0.5,
            Some(_) => pair - self.energy(&m),
        }
    }
    fn momentum(&self, w: &Twist<S>) -> Twist<S> {
        Kirchhoff::momentum(self, w)
    }
    fn velocity(&self, m: &Twist<S>) -> Result<Twist<S>, LegendreError> {
        Ok(Kirchhoff::velocity(self, m))
    }
}
