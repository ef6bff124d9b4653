//! The midpoint Lie map: the free part of the LIEMID methods, of MCG and of NEW3.
//!
//! ```text
//! J x = h exp(-x/2) Π        F = exp(x)
//! ```
//!
//! Krysl 2004, equations (12) and (13), solved for the rotation vector. Order 2, symmetric, not
//! symplectic unless the body is a ball; solvable beyond half a turn in a step.
//!
//! The unknown is `y = x/2`. With `q = h Π` and `v = exp(-y) q` the derivative of the residual
//! `2 J y - v` is `2 J - hat(v) dexp_{-y}`, where
//!
//! ```text
//! hat(v) dexp_{-y} = c1 hat(v) - c2 (y vᵀ - (v·y) I) + c3 (v × y) yᵀ
//! ```
//!
//! and `F` is the rotation of the quaternion `(c0, c1 y)`, all at `|y|²`: Newton's method and the
//! turn share one evaluation of the Stumpff functions.
use super::newton::Pace;
use super::{FreeMap, Inertia, Turn};
use crate::linalg::{Mat3, Quat, Vec3};
use crate::scalar::{Mask, Real, stumpff::stumpff};

/// The midpoint Lie map.
#[derive(Clone, Copy, Debug, Default)]
pub struct LieMidpoint;

/// A correction of this size, in radians or relative to the unknown, is the last: the curvature of
/// the equations is that of a rotation of `h Π`, so that what is left is below its square times
/// the unknown.
const SETTLED: f64 = 1e-9;

/// A turn as a quaternion, with how it was found.
struct Half<S: Real> {
    turn: Quat<S>,
    solved: S::Mask,
    iterations: u32,
    residual: f64,
}

/// The equation at one point: Stumpff functions, residual and derivative.
#[inline(always)]
fn linearise<S: Real>(inertia: &Inertia<S>, q: Vec3<S>, y: Vec3<S>) -> ([S; 6], Vec3<S>, Mat3<S>) {
    let c = stumpff(y.norm_squared());
    let [_, c1, c2, c3, ..] = c;
    let w = y.cross(q);
    let v = q - w.times(c1) + y.cross(w).times(c2);
    let mut derivative = *inertia.matrix() * 2.0 + Mat3::outer(y.times(c2), v)
        - Mat3::hat(v.times(c1))
        - Mat3::outer(v.cross(y).times(c3), y);
    // v·y = q·y: the axis is not turned.
    let d = q.dot(y) * c2;
    derivative.rows[0].x -= d;
    derivative.rows[1].y -= d;
    derivative.rows[2].z -= d;
    (c, inertia.momentum(y) * 2.0 - v, derivative)
}

/// `h J⁻¹ Π / 2`, improved by two terms of its series where the angle is small.
#[inline(always)]
fn guess<S: Real>(inertia: &Inertia<S>, q: Vec3<S>) -> Vec3<S> {
    let first = inertia.velocity(q) * 0.5;
    let second = inertia.velocity(q - first.cross(q)) * 0.5;
    let w = second.cross(q);
    let third = inertia.velocity(q - w + second.cross(w) * 0.5) * 0.5;
    Vec3::select(first.norm_squared().lt(S::lift(0.1)), third, first)
}

/// The turn over a step with `q = h Π`.
#[inline(always)]
fn solve<S: Real>(inertia: &Inertia<S>, q: Vec3<S>) -> Half<S> {
    let mut y = guess(inertia, q);
    let mut turn = Quat { w: S::one(), v: Vec3::zero() };
    let mut last = q;
    let mut pace = Pace::new();
    while pace.goes_on() {
        let (c, residual, derivative) = linearise(inertia, q, y);
        let correction = derivative.solve(residual);
        let next = y - correction;
        // The functions at the corrected point, to first order: c0' = -c1/2, c1' = (c3 - c2)/2.
        let dz = -correction.dot(y + next) * 0.5;
        let corrected = Quat { w: c[0] - c[1] * dz, v: next.times(c[1] + (c[3] - c[2]) * dz) };
        y = Vec3::select(pace.active, next, y);
        turn = Quat::select(pace.active, corrected, turn);
        last = residual;
        let limit = y.norm_squared().max(S::one()) * (SETTLED * SETTLED);
        pace.judge(correction.norm_squared(), limit);
    }
    let residual = if pace.solved.all() { 0.0 } else { last.magnitude() };
    Half { turn, solved: pace.solved, iterations: pace.iterations, residual }
}

impl<S: Real> FreeMap<S> for LieMidpoint {
    const EQUATION: &'static str = "the midpoint Lie equation";

    #[inline(always)]
    fn turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Turn<S> {
        let Half { turn, solved, iterations, residual } = solve(inertia, momentum * h);
        let rotation = turn.to_matrix();
        let momentum = rotation.apply_transpose(momentum);
        Turn { rotation, momentum, solved, iterations, residual }
    }

    #[inline(always)]
    fn half_turns(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Turn<S> {
        let first = solve(inertia, momentum * (0.5 * h));
        let momentum = first.turn.rotate_back(momentum);
        let second = solve(inertia, momentum * (0.5 * h));
        Turn {
            rotation: first.turn.times(second.turn).to_matrix(),
            momentum: second.turn.rotate_back(momentum),
            solved: first.solved.and(second.solved),
            iterations: first.iterations + second.iterations,
            residual: first.residual + second.residual,
        }
    }
}
