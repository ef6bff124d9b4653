//! The free map of RATTLE, which is the discrete Moser–Veselov map.
//!
//! ```text
//! J x + x × J x / 2 = h (1 + |x|²/4) Π        F = cay(x)
//! ```
//!
//! Equivalent forms: `F D - D Fᵀ = h hat(Π)` with `D = tr(J)/2 - J` (Moser and Veselov), and
//! `x = h (1 + |x|²/4) J⁻¹ (Π + Fᵀ Π)/2`, whose solution conserves the kinetic energy because `x`
//! is parallel to the mean velocity. This form needs no positive `D` and so holds for planar
//! bodies, where matrix RATTLE breaks down.
//!
//! Order 2, symmetric, symplectic, conserves the kinetic energy. About a principal axis the angle
//! obeys `sin θ = h ω`: beyond `h |ω| = 1` there is no solution.
use super::{Equation, FineTurn, FreeMap, Inertia, Turn, newton, newton_to_rounding};
use crate::linalg::{Mat3, Quat, Vec3};
use crate::scalar::Real;
use crate::so3;

/// The free map of RATTLE.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoserVeselov;

struct Discrete<'a, S> {
    inertia: &'a Inertia<S>,
    impulse: Vec3<S>,
}

impl<S: Real> Equation<S> for Discrete<'_, S> {
    #[inline(always)]
    fn linearise(&self, x: Vec3<S>) -> (Vec3<S>, Mat3<S>) {
        let jx = self.inertia.momentum(x);
        let q = self.impulse;
        let scale = S::one() + x.norm_squared() * 0.25;
        let residual = jx + x.cross(jx) * 0.5 - q.times(scale);
        let derivative = *self.inertia.matrix()
            + (self.inertia.hat_times(x) - Mat3::hat(jx) - Mat3::outer(q, x)) * 0.5;
        (residual, derivative)
    }
}

impl<S: Real> FreeMap<S> for MoserVeselov {
    const EQUATION: &'static str = "the equation of RATTLE (discrete Moser-Veselov)";
    const SPIN_LIMIT: Option<f64> = Some(1.0);

    #[inline(always)]
    fn turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Turn<S> {
        let impulse = momentum * h;
        let root = newton(&Discrete { inertia, impulse }, inertia.velocity(impulse));
        Turn::solved(so3::cay(root.x), momentum, &root)
    }
    #[inline(always)]
    fn fine_turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> FineTurn<S> {
        let impulse = momentum * h;
        let root =
            newton_to_rounding(&Discrete { inertia, impulse }, inertia, inertia.velocity(impulse));
        FineTurn::solved(Quat::cay(root.x), &root)
    }
}
