//! The implicit midpoint rule on Euler's equation with a Cayley update: free AKW and free PRK.
//!
//! ```text
//! J w = Π + (h/2) J w × w        F = cay(h w)
//! ```
//!
//! Austin, Krishnaprasad and Wang 1993; Ortolan 2011, equations (4.8). Order 2, symmetric,
//! conserves the kinetic energy, not symplectic.
use super::{Equation, FineTurn, FreeMap, Inertia, Turn, newton, newton_to_rounding};
use crate::linalg::{Mat3, Quat, Vec3};
use crate::scalar::Real;
use crate::so3;

/// The midpoint rule with a Cayley update.
#[derive(Clone, Copy, Debug, Default)]
pub struct CayleyMidpoint;

/// `J w - (h/2) J w × w = p`: also the implicit half of the Newmark methods.
#[derive(Clone, Copy, Debug)]
pub struct EulerHalfStep<'a, S> {
    /// The body.
    pub inertia: &'a Inertia<S>,
    /// The step `h`.
    pub h: f64,
    /// The right-hand side.
    pub momentum: Vec3<S>,
}

impl<S: Real> Equation<S> for EulerHalfStep<'_, S> {
    #[inline(always)]
    fn linearise(&self, w: Vec3<S>) -> (Vec3<S>, Mat3<S>) {
        let half = 0.5 * self.h;
        let jw = self.inertia.momentum(w);
        let residual = jw - self.momentum - jw.cross(w) * half;
        let gyroscopic = Mat3::hat(jw) - self.inertia.hat_times(w);
        (residual, *self.inertia.matrix() - gyroscopic * half)
    }
}

impl<S: Real> FreeMap<S> for CayleyMidpoint {
    const EQUATION: &'static str = "the implicit midpoint rule of Euler's equation";

    #[inline(always)]
    fn turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Turn<S> {
        let root = newton(&EulerHalfStep { inertia, h, momentum }, inertia.velocity(momentum));
        Turn::solved(so3::cay(root.x * h), momentum, &root)
    }
    #[inline(always)]
    fn fine_turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> FineTurn<S> {
        let root = newton_to_rounding(
            &EulerHalfStep { inertia, h, momentum },
            inertia,
            inertia.velocity(momentum),
        );
        FineTurn::solved(Quat::cay(root.x * h), &root)
    }
}
