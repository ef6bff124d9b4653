//! The Euclidean groups on the plane and on space: the isotropy of a point is the turns about it.
use super::Isotropy;
use crate::action::{PlaneMotion, SpaceMotion};
use crate::group::{PlanarTwist, Rn, Twist};
use lieflow_kernel::{Real, Vec3, vec3};

/// `gamma(w, v)(x) = w J x + v` with `J` the quarter turn; the turn about `x` is `(1, -J x)`.
///
/// The coordinates of se(2) mix angles and lengths, so the part orthogonal to the isotropy is not a
/// pure shift; the curvature does not depend on this, because there is only one direction.
impl<S: Real> Isotropy for PlaneMotion<S> {
    fn ambient(_: &Rn<S, 2>) -> usize {
        2
    }
    fn read(y: &Rn<S, 2>, out: &mut [S]) {
        out.copy_from_slice(&y.0);
    }
    fn write(x: &[S], y: &mut Rn<S, 2>) {
        y.0.copy_from_slice(x);
    }
    fn velocity(u: &PlanarTwist<S>, y: &Rn<S, 2>, out: &mut [S]) {
        out[0] = u.linear[0] - u.angular * y.0[1];
        out[1] = u.linear[1] + u.angular * y.0[0];
    }
    fn linear(u: &PlanarTwist<S>, _: &Rn<S, 2>, w: &[S], out: &mut [S]) {
        out[0] = -(u.angular * w[1]);
        out[1] = u.angular * w[0];
    }
    fn isotropy_dim(_: &Rn<S, 2>) -> usize {
        1
    }
    fn isotropy(&Rn([x, y]): &Rn<S, 2>, _: usize, out: &mut PlanarTwist<S>) {
        let scale = S::one() / (S::one() + x * x + y * y).sqrt();
        *out = PlanarTwist::new(scale, [y * scale, -(x * scale)]);
    }
}

/// `gamma(w, v)(x) = w × x + v`; the turns about `x` are `(w, x × w)`.
impl<S: Real> Isotropy for SpaceMotion<S> {
    fn ambient(_: &Vec3<S>) -> usize {
        3
    }
    fn read(y: &Vec3<S>, out: &mut [S]) {
        out.copy_from_slice(&y.to_array());
    }
    fn write(x: &[S], y: &mut Vec3<S>) {
        *y = vec3(x[0], x[1], x[2]);
    }
    fn velocity(u: &Twist<S>, y: &Vec3<S>, out: &mut [S]) {
        out.copy_from_slice(&(u.angular.cross(*y) + u.linear).to_array());
    }
    fn linear(u: &Twist<S>, _: &Vec3<S>, w: &[S], out: &mut [S]) {
        out.copy_from_slice(&u.angular.cross(vec3(w[0], w[1], w[2])).to_array());
    }
    fn isotropy_dim(_: &Vec3<S>) -> usize {
        3
    }
    fn isotropy(y: &Vec3<S>, i: usize, out: &mut Twist<S>) {
        let axis = frame(*y)[if i < 3 { i } else { 2 }];
        let shift = y.cross(axis);
        let scale = S::one() / (S::one() + shift.norm_squared()).sqrt();
        *out = Twist::new(axis.times(scale), shift.times(scale));
    }
}

/// An orthonormal frame whose first vector is along `x` (any frame if `x` is zero).
fn frame<S: Real>(x: Vec3<S>) -> [Vec3<S>; 3] {
    let length = x.norm();
    let some = S::zero().lt(length);
    let n = x.times(S::one() / S::select(some, length, S::one()));
    let n = Vec3::select(some, n, Vec3::unit(2));
    // The two others without a case distinction but for the sign of n.z, where nothing cancels.
    let sign = S::select(n.z.lt(S::zero()), -S::one(), S::one());
    let a = -(S::one() / (sign + n.z));
    let b = n.x * n.y * a;
    [
        n,
        vec3(S::one() + sign * n.x * n.x * a, sign * b, -(sign * n.x)),
        vec3(b, sign + n.y * n.y * a, -n.y),
    ]
}
