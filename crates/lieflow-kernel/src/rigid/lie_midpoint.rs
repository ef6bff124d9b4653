//! The midpoint Lie map: the free part of the LIEMID methods, of MCG and of NEW3.
//!
//! ```text
//! J x = h exp(-x/2) Π        F = exp(x)
//! ```
//!
//! Krysl 2004, equations (12) and (13), solved for the rotation vector. Order 2, symmetric, not
//! symplectic unless the body is a ball; solvable beyond half a turn in a step.
//!
//! The unknown is `y = x/2`. With `q = h Π/2` and `v = exp(-y) q` the derivative of the residual
//! `J y - v` is `J - hat(v) dexp_{-y}`, where
//!
//! ```text
//! hat(v) dexp_{-y} = c1 hat(v) - c2 (y vᵀ - (v·y) I) + c3 (v × y) yᵀ
//! ```
//!
//! and `F` is the rotation of the quaternion `(c0, c1 y)`, all at `|y|²`: Newton's method and the
//! turn share one evaluation of the Stumpff functions. From a guess by three terms of the series of
//! the solution, one correction is enough for small steps.
use super::elliptic::extended;
use super::newton::Pace;
use super::{FineTurn, FreeMap, Inertia, Turn};
use crate::linalg::{Mat3, Quat, Vec3};
use crate::scalar::{Apart, Mask, Real, stumpff};

/// The midpoint Lie map.
#[derive(Clone, Copy, Debug, Default)]
pub struct LieMidpoint;

/// A correction of this size, in radians or relative to the unknown, is the last: the curvature of
/// the equations is that of a rotation of `h Π`, so that what is left is below its square times
/// the unknown.
const SETTLED: f64 = 1e-9;

/// One correction of Newton's method at `y`: the residual, the correction and the quaternion of the
/// corrected turn.
#[inline(always)]
fn correct<S: Real>(inertia: &Inertia<S>, q: Vec3<S>, y: Vec3<S>) -> (Vec3<S>, Vec3<S>, Quat<S>) {
    let z = y.norm_squared();
    let (c1, c2, c3) = stumpff::three::<S, 1, 2, 3>(z);
    let w = y.cross(q);
    let v = q - w.times(c1) + y.cross(w).times(c2);
    let turned =
        Mat3::outer(y, v.times(c2)) - Mat3::outer(v.cross(y), y.times(c3)) - Mat3::hat(v.times(c1));
    let mut derivative = inertia.plus(&turned);
    // v·y = q·y: the axis is not turned.
    let d = q.dot(y) * c2;
    derivative.rows[0].x -= d;
    derivative.rows[1].y -= d;
    derivative.rows[2].z -= d;
    let residual = inertia.momentum(y) - v;
    let correction = derivative.solve(residual);
    let next = y - correction;
    // The functions at the corrected point, to first order: c0' = -c1/2, c1' = (c3 - c2)/2.
    let dz = -correction.dot(y + next) * 0.5;
    let c0 = S::one() - z * c2;
    let turn = Quat { w: c0 - c1 * dz, v: next.times(c1 + (c3 - c2) * dz) };
    (residual, correction, turn)
}

/// `J⁻¹ q`, improved by two terms of its series where the angle is small.
#[inline(always)]
fn guess<S: Real>(inertia: &Inertia<S>, q: Vec3<S>) -> Vec3<S> {
    let first = inertia.velocity(q);
    let second = inertia.velocity(q - first.cross(q));
    let w = second.cross(q);
    let third = inertia.velocity(q - w + (second * 0.5).cross(w));
    let small = first.norm_squared().lt(S::lift(0.1));
    if small.all() { third } else { Vec3::select(small, third, first) }
}

/// The square of a correction that is the last one, at `y`.
#[inline(always)]
fn limit<S: Real>(y: Vec3<S>) -> S {
    y.norm_squared().max(S::one()) * (SETTLED * SETTLED)
}

/// Whether one correction can be enough, which it never is for derivatives and further digits.
#[inline(always)]
fn settles_at_once<S: Real>() -> bool {
    S::DERIVATIVES + usize::from(extended::<S>()) == 0
}

/// The turn over a step with `q = h Π/2` by one correction.
#[inline(always)]
fn once<S: Real>(inertia: &Inertia<S>, q: Vec3<S>, start: Vec3<S>) -> FineTurn<S> {
    let (_, correction, quat) = correct(inertia, q, start);
    let y = start - correction;
    // A number that is not finite is not below the limit.
    let solved = correction.norm_squared().lt(limit(y));
    FineTurn { quat, solved, iterations: 1, residual: 0.0 }
}

/// The turn over a step with `q = h Π/2`.
#[inline(always)]
fn solve<S: Real>(inertia: &Inertia<S>, q: Vec3<S>) -> FineTurn<S> {
    let start = guess(inertia, q);
    if settles_at_once::<S>() {
        let half = once(inertia, q, start);
        if half.solved.all() {
            return half;
        }
        if const { S::LANES > 1 } {
            return S::apart(Iterate { inertia, q, start });
        }
    }
    iterate(inertia, q, start)
}

/// [`iterate`] in a function of its own, for lanes, which rarely need it.
struct Iterate<'a, S> {
    inertia: &'a Inertia<S>,
    q: Vec3<S>,
    start: Vec3<S>,
}

impl<S: Real> Apart for Iterate<'_, S> {
    type Output = FineTurn<S>;
    #[inline(always)]
    fn run(self) -> FineTurn<S> {
        iterate(self.inertia, self.q, self.start)
    }
}

/// The turns over two halves of a step, the second from the momentum that the first leaves.
#[inline(always)]
fn two_turns<S: Real>(first: FineTurn<S>, second: FineTurn<S>, momentum: Vec3<S>) -> Turn<S> {
    Turn {
        rotation: first.quat.times(second.quat).unit_to_matrix(),
        momentum: second.quat.unit_rotate_back(momentum),
        solved: first.solved.and(second.solved),
        iterations: first.iterations + second.iterations,
        residual: first.residual + second.residual,
    }
}

/// The iteration for as long as it takes.
#[inline(always)]
fn iterate<S: Real>(inertia: &Inertia<S>, q: Vec3<S>, start: Vec3<S>) -> FineTurn<S> {
    let mut y = start;
    let mut quat = Quat { w: S::one(), v: Vec3::zero() };
    let mut last = q;
    let mut pace = Pace::new();
    while pace.goes_on() {
        let (residual, correction, corrected) = correct(inertia, q, y);
        y = Vec3::select(pace.active, y - correction, y);
        quat = Quat::select(pace.active, corrected, quat);
        last = residual;
        pace.judge(correction.norm_squared(), limit(y));
    }
    let residual = if pace.solved.all() { 0.0 } else { last.magnitude() };
    FineTurn { quat, solved: pace.solved, iterations: pace.iterations, residual }
}

impl<S: Real> FreeMap<S> for LieMidpoint {
    const EQUATION: &'static str = "the midpoint Lie equation";

    #[inline(always)]
    fn turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Turn<S> {
        let FineTurn { quat, solved, iterations, residual } = solve(inertia, momentum * (0.5 * h));
        let rotation = quat.unit_to_even_matrix();
        let momentum = rotation.apply_transpose(momentum);
        Turn { rotation, momentum, solved, iterations, residual }
    }
    #[inline(always)]
    fn fine_turn(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> FineTurn<S> {
        solve(inertia, momentum * (0.5 * h))
    }

    #[inline(always)]
    fn half_turns(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Turn<S> {
        let first = solve(inertia, momentum * (0.25 * h));
        let momentum = first.quat.unit_rotate_back(momentum);
        two_turns(first, solve(inertia, momentum * (0.25 * h)), momentum)
    }

    #[inline(always)]
    fn usual_half_turns(&self, inertia: &Inertia<S>, h: f64, momentum: Vec3<S>) -> Option<Turn<S>> {
        if !settles_at_once::<S>() {
            return None;
        }
        let q = momentum * (0.25 * h);
        let first = once(inertia, q, guess(inertia, q));
        let momentum = first.quat.unit_rotate_back(momentum);
        let q = momentum * (0.25 * h);
        Some(two_turns(first, once(inertia, q, guess(inertia, q)), momentum))
    }
}
