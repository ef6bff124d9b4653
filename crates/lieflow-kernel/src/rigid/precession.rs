//! The exact free motion of a body with two equal moments: it precesses.
//!
//! With the axis `a`, the moments `J_a` about and `J` across it:
//!
//! ```text
//! Z = exp(t Π_a (1/J_a - 1/J) e_a)      R <- R exp((t/J) Π) Z      Π <- Zᵀ Π
//! ```
//!
//! since `exp((t/J) Π)` leaves `Π` where it is. Seen from a frame that does not take part in the
//! spin `Z`, the momentum rests, and two motions are `R <- R exp((t1/J) Π1) exp((t2/J) Π2)`: a torque
//! that does not see the spin may act between them, and the spin is made up for at the end
//! ([`Glide`]).
use super::{Inertia, Memo, Symmetry, Turn};
use crate::linalg::{Quat, Vec3};
use crate::scalar::{Real, stumpff};

/// The turn about the principal axis `A` over the time `t`.
#[inline(always)]
pub(super) fn precession<S: Real, const A: usize>(
    inertia: &Inertia<S>,
    t: f64,
    momentum: Vec3<S>,
    memo: &mut Memo<S>,
) -> Turn<S> {
    // Cyclic order, so that the axis is the third.
    let (i, j) = ((A + 1) % 3, (A + 2) % 3);
    let inverse = inertia.inverse_moments();
    let across = inverse.get(i);
    let half = momentum.times(across * (0.5 * t));
    let z = half.norm_squared();
    let (c0, c1) = stumpff::two::<S, 0, 1>(z);
    let v = half.times(c1);
    let (p, q, r) = (v.get(i), v.get(j), v.get(A));
    if memo.about != momentum.get(A) {
        let angle = momentum.get(A) * (0.5 * t) * (inverse.get(A) - across);
        let (cos, sinc) = stumpff::two::<S, 0, 1>(angle * angle);
        *memo = Memo { about: momentum.get(A), cos, sin: angle * sinc };
    }
    let Memo { cos, sin, .. } = *memo;
    // The product of the two quaternions.
    let mut turn = Vec3::zero();
    turn.set(i, p * cos + q * sin);
    turn.set(j, q * cos - p * sin);
    turn.set(A, r * cos + c0 * sin);
    let turn = Quat { w: c0 * cos - r * sin, v: turn };
    // Double the angle for the momentum.
    let (m, n) = (momentum.get(i), momentum.get(j));
    let (sine, versine) = (sin * cos * 2.0, sin * sin * 2.0);
    let mut end = momentum;
    end.set(i, m + (n * sine - m * versine));
    end.set(j, n - (m * sine + n * versine));
    Turn { momentum: end, solved: z.finite(), ..Turn::explicit(turn.unit_to_matrix(), end) }
}

/// A body with two equal moments, seen from the frame that does not take part in its spin.
#[derive(Clone, Copy, Debug)]
pub struct Glide<S> {
    /// The turn so far.
    pub turn: Quat<S>,
    /// The momentum.
    pub momentum: Vec3<S>,
    /// A direction that rests in space.
    pub direction: Vec3<S>,
}

impl<S: Real> Glide<S> {
    /// At the start, where this frame is that of the body.
    #[inline(always)]
    pub fn new(momentum: Vec3<S>, direction: Vec3<S>) -> Self {
        Self { turn: Quat { w: S::one(), v: Vec3::zero() }, momentum, direction }
    }
    /// Free motion, where `half` is half the time over the moment across the axis.
    #[inline(always)]
    pub fn advance(&mut self, half: S) {
        let u = self.momentum.times(half);
        self.turn_by(u, stumpff::two::<S, 0, 1>(u.norm_squared()));
    }
    /// The same if half the turn is below one radian in all lanes. Otherwise nothing changes, and false is returned.
    #[inline(always)]
    pub fn advance_near(&mut self, half: S) -> bool {
        let u = self.momentum.times(half);
        let Some(near) = stumpff::two_near::<S, 0, 1>(u.norm_squared()) else { return false };
        self.turn_by(u, near);
        true
    }
    /// [`Glide::advance`] without a call, where turns are large as a rule.
    #[inline(always)]
    pub fn advance_inline(&mut self, half: S) {
        let u = self.momentum.times(half);
        self.turn_by(u, stumpff::cosine_and_sinc_inline(u.norm_squared()));
    }
    /// The turn by twice `u`, with the functions `c0` and `c1` of its square.
    #[inline(always)]
    fn turn_by(&mut self, u: Vec3<S>, (c0, c1): (S, S)) {
        let turn = Quat { w: c0, v: u.times(c1) };
        self.turn = self.turn.times(turn);
        // The norm need not be corrected: the direction is taken from the attitude in each step.
        let g = self.direction;
        let a = (turn.v * 2.0).cross(g);
        self.direction = g + (turn.v.cross(a) - a.times(turn.w));
    }
}

/// The spin that [`Glide`] leaves out.
#[derive(Clone, Copy, Debug)]
pub struct Spin<S> {
    turn: Quat<S>,
}

impl<S: Real> Spin<S> {
    /// The spin over the time `t`.
    #[inline(always)]
    pub fn new(symmetry: &Symmetry<S>, t: f64, momentum: Vec3<S>) -> Self {
        let angle = momentum.dot(symmetry.axis) * (0.5 * t) * symmetry.excess;
        let (cos, sinc) = stumpff::two::<S, 0, 1>(angle * angle);
        Self { turn: Quat { w: cos, v: symmetry.axis.times(angle * sinc) } }
    }
    /// The whole turn of the body.
    #[inline(always)]
    pub fn turn(&self, glide: &Glide<S>) -> Quat<S> {
        glide.turn.times(self.turn)
    }
    /// The momentum in the frame of the body.
    #[inline(always)]
    pub fn momentum(&self, glide: &Glide<S>) -> Vec3<S> {
        self.turn.unit_rotate_back(glide.momentum)
    }
}
