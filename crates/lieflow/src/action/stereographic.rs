//! The stereographic chart of the tangent bundle of a sphere, at a point `(q, w)` of it.
//!
//! ```text
//! x = u × q    y = v × q    m = 1 + x²/4    z = w + y
//! q(u) = q + (x - q x²/2)/m                 Cayley's map of the rotation vector u, where u·q = 0
//! w(u, v) = z - (z·x) (q + q(u))/2          the same rotation of z
//! u' = (2 - m) a - m (a·q) q(u) + (a·u) u/2          for the angular velocity a of q(u)
//! v' = q × b - (b·q) u/2 - (w(u, v)·q) u'/2          for the derivative b of w(u, v)
//! ```
//!
//! `x` is twice the stereographic projection of the direction from the point `-q`. The slopes are those of Cayley's chart but for
//! multiples of `q(u)` in `a`, which do not move it (the isotropy of the sphere): they are chosen so that `u` and `v` remain across
//! `q`, whatever the first slopes are. There is one quotient, no root, no series and no angle at which
//! something changes but half a turn, where `u` is infinite. An error of the length of `q`, and of `q·w`, becomes smaller in every
//! step.
use super::Link;
use crate::group::Twist;
use lieflow_kernel::{Real, Vec3};

/// The point with these coordinates at `y`, and `m`.
#[inline(always)]
pub fn advance<S: Real>(u: &Twist<S>, y: &Link<S>) -> (Link<S>, S) {
    let (way, x, stretch) = turn(u.angular, y.q);
    let (q, z) = (y.q + way, y.omega + u.linear.cross(y.q));
    (Link::new(q, z - (q + y.q).times(z.dot(x) * 0.5)), stretch)
}

/// The way of the direction, `x` and `m`. The way is not formed from its end, so that lengths err by one rounding of the sum.
#[inline(always)]
fn turn<S: Real>(u: Vec3<S>, q: Vec3<S>) -> (Vec3<S>, Vec3<S>, S) {
    let x = u.cross(q);
    let half = x.norm_squared() * 0.5;
    let stretch = S::one() + half * 0.5;
    ((x - q.times(half)).times(S::one() / stretch), x, stretch)
}

/// The slope of the coordinates `u` at a direction `q`, where `end` with this `m` is the point that they have and `b`
/// the derivative of its angular velocity; the direction moves by this angular velocity itself.
#[inline(always)]
pub fn slope<S: Real>(u: Vec3<S>, q: Vec3<S>, stretch: S, end: &Link<S>, b: Vec3<S>) -> Twist<S> {
    slope_by(u, q, stretch, end, end.omega, b)
}

/// The same, where the direction moves by the angular velocity `a`.
#[inline(always)]
fn slope_by<S: Real>(
    u: Vec3<S>,
    q: Vec3<S>,
    stretch: S,
    end: &Link<S>,
    a: Vec3<S>,
    b: Vec3<S>,
) -> Twist<S> {
    let turned =
        a.times(S::lift(2.0) - stretch) - end.q.times(stretch * a.dot(q)) + u.times(a.dot(u) * 0.5);
    let spun = q.cross(b) - u.times(b.dot(q) * 0.5) - turned.times(end.omega.dot(q) * 0.5);
    Twist::new(turned, spun)
}

/// The slope for any field of motions of space, `(a × q(u), a × w(u, v) + c × q(u))`.
#[inline(always)]
pub(super) fn pull<S: Real>(u: &Twist<S>, y: &Link<S>, end: &Link<S>, field: &mut Twist<S>) {
    let (_, _, stretch) = turn(u.angular, y.q);
    let b = field.angular.cross(end.omega) + field.linear.cross(end.q);
    *field = slope_by(u.angular, y.q, stretch, end, field.angular, b);
}

/// The way from `y` to the point with these coordinates, with the digits of the way.
#[inline(always)]
pub(super) fn way<S: Real>(u: &Twist<S>, y: &Link<S>) -> Link<S> {
    let (way, x, _) = turn(u.angular, y.q);
    let spun = u.linear.cross(y.q);
    let z = y.omega + spun;
    Link::new(way, spun - (y.q + y.q + way).times(z.dot(x) * 0.5))
}
