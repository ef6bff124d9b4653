//! The variational Lie–Verlet maps, from the discrete Lagrangian `x·J x/(2h)` in Cayley or in
//! exponential coordinates `x` of the turn.
//!
//! ```text
//! Cayley        J w + (h/2) w × J w + (h²/4) (w·J w) w = Π        F = cay(h w)
//! exponential   J x = h dexp_{-x} Π                               F = exp(x)
//! ```
//!
//! Bou-Rabee and Marsden 2009; Ortolan 2011, equations (4.11). The exponential form is derived in
//! the same way. Both: order 2, symmetric, symplectic.
use super::{Equation, FineTurn, FreeMap, Inertia, Turn, newton, newton_to_rounding};
use crate::linalg::{Mat3, Quat, Vec3};
use crate::scalar::{Real, stumpff::stumpff};
use crate::so3;

/// The Verlet map in Cayley coordinates.
#[derive(Clone, Copy, Debug, Default)]
pub struct VerletCayley;

struct Cayley<'a, S> {
    inertia: &'a Inertia<S>,
    h: f64,
    momentum: Vec3<S>,
}

impl<S: Real> Equation<S> for Cayley<'_, S> {
    #[inline(always)]
    fn linearise(&self, w: Vec3<S>) -> (Vec3<S>, Mat3<S>) {
        let (half, quarter) = (0.5 * self.h, 0.25 * self.h * self.h);
        let jw = self.inertia.momentum(w);
        let twice_energy = w.dot(jw);
        let residual = jw - self.momentum + w.cross(jw) * half + w.times(twice_energy) * quarter;
        let mut derivative = *self.inertia.matrix()
            + (self.inertia.hat_times(w) - Mat3::hat(jw)) * half
            + Mat3::outer(w * (2.0 * quarter), jw);
        let d = twice_energy * quarter;
        derivative.rows[0].x += d;
        derivative.rows[1].y += d;
        derivative.rows[2].z += d;
        (residual, derivative)
    }
}

impl<S: Real> FreeMap<S> for VerletCayley {
    const EQUATION: &'static str = "the variational Lie-Verlet equation";

    #[inline(always)]
    fn turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Turn<S> {
        let root = newton(&Cayley { inertia, h, momentum }, inertia.velocity(momentum));
        Turn::solved(so3::cay(root.x * h), momentum, &root)
    }
    #[inline(always)]
    fn fine_turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> FineTurn<S> {
        let root = newton_to_rounding(
            &Cayley { inertia, h, momentum },
            inertia,
            inertia.velocity(momentum),
        );
        FineTurn::solved(Quat::cay(root.x * h), &root)
    }
}

/// The Verlet map in exponential coordinates.
#[derive(Clone, Copy, Debug, Default)]
pub struct VerletExp;

struct Exponential<'a, S> {
    inertia: &'a Inertia<S>,
    impulse: Vec3<S>,
}

impl<S: Real> Equation<S> for Exponential<'_, S> {
    #[inline(always)]
    fn linearise(&self, x: Vec3<S>) -> (Vec3<S>, Mat3<S>) {
        let q = self.impulse;
        let [_, _, c2, c3, c4, c5] = stumpff(x.norm_squared());
        let a = x.cross(q);
        let b = x.cross(a);
        let residual = self.inertia.momentum(x) - q + a.times(c2) - b.times(c3);
        // Derivative of dexp_{-x} q; the last term is from 2 c2' = 2 c4 - c3, 2 c3' = 3 c5 - c4.
        let slope = b.times(c5 * 3.0 - c4) - a.times(c4 * 2.0 - c3);
        let turned = Mat3::hat(q.times(c2) - a.times(c3))
            - Mat3::hat(x.times(c3)).matmul(&Mat3::hat(q))
            + Mat3::outer(slope, x);
        (residual, *self.inertia.matrix() - turned)
    }
}

impl<S: Real> FreeMap<S> for VerletExp {
    const EQUATION: &'static str = "the variational Lie-Verlet equation in exponential coordinates";

    #[inline(always)]
    fn turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Turn<S> {
        let impulse = momentum * h;
        let root = newton(&Exponential { inertia, impulse }, inertia.velocity(impulse));
        Turn::solved(so3::exp(root.x), momentum, &root)
    }
    #[inline(always)]
    fn fine_turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> FineTurn<S> {
        let impulse = momentum * h;
        let root = newton_to_rounding(
            &Exponential { inertia, impulse },
            inertia,
            inertia.velocity(impulse),
        );
        FineTurn::solved(Quat::exp(root.x), &root)
    }
}
