//! Closed forms of the motions of the plane, SE(2), and its algebra, (angle, x, y).
//!
//! With complex numbers for the vectors of the plane, `ad_(p,w) (q, b) = (0, i p b - i q w)`, so that
//! every function of ad is one complex number and its divided difference:
//!
//! ```text
//! phi(ad) (q, b) = (phi(0) q, phi(ip) b - i w q (phi(ip) - phi(0))/(ip))
//! ```
//!
//! The angle is used as it is, not as the root of its square, so that no turn loses digits.
use super::so2::{self, Turn};
use super::{jacobians, matrix_of};
use crate::scalar::{Mask, Real, stumpff};

/// The motion `x -> rotation x + position` of the plane.
#[doc(alias = "Isometry2")]
#[doc(alias = "Transform2")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<S> {
    /// The rotation.
    pub rotation: Turn<S>,
    /// Where the origin goes.
    pub position: [S; 2],
}

/// `exp (p, w) = (exp ip, phi_1(ip) w)`.
#[doc(alias = "from_twist")]
#[inline]
pub fn exp<S: Real>(u: [S; 3]) -> Pose<S> {
    let c = Coefficients::at(u[0]);
    Pose { rotation: so2::exp(u[0]), position: times([c.c1, u[0] * c.c2], [u[1], u[2]]) }
}

/// The principal logarithm, with an angle in `(-pi, pi]`.
#[inline]
pub fn log<S: Real>(g: &Pose<S>) -> [S; 3] {
    let angle = so2::log(g.rotation);
    let [x, y] = times([cotangent(angle).0, angle * -0.5], g.position);
    [angle, x, y]
}

/// The motion that moves nothing.
#[inline(always)]
pub fn identity<S: Real>() -> Pose<S> {
    Pose { rotation: so2::identity(), position: [S::zero(); 2] }
}

/// The product `g h`.
#[doc(alias = "mul")]
#[inline(always)]
pub fn compose<S: Real>(g: &Pose<S>, h: &Pose<S>) -> Pose<S> {
    Pose { rotation: so2::compose(g.rotation, h.rotation), position: act(g, h.position) }
}

/// The motion back.
#[inline(always)]
pub fn inverse<S: Real>(g: &Pose<S>) -> Pose<S> {
    let rotation = so2::inverse(g.rotation);
    let [x, y] = so2::act(rotation, g.position);
    Pose { rotation, position: [-x, -y] }
}

/// The point `x`, moved.
#[doc(alias = "apply")]
#[doc(alias = "transform_point")]
#[inline(always)]
pub fn act<S: Real>(g: &Pose<S>, x: [S; 2]) -> [S; 2] {
    let [a, b] = so2::act(g.rotation, x);
    [a + g.position[0], b + g.position[1]]
}

/// The homogeneous matrix of a motion.
#[doc(alias = "to_homogeneous")]
#[inline]
pub fn matrix<S: Real>(g: &Pose<S>) -> [[S; 3]; 3] {
    let ([[a, b], [c, d]], [x, y]) = (so2::matrix(g.rotation), g.position);
    [[a, b, x], [c, d, y], [S::zero(), S::zero(), S::one()]]
}

/// The motion with this homogeneous matrix.
#[doc(alias = "from_homogeneous")]
#[inline]
pub fn from_matrix<S: Real>(m: &[[S; 3]; 3]) -> Pose<S> {
    Pose { rotation: Turn { cos: m[0][0], sin: m[1][0] }, position: [m[0][2], m[1][2]] }
}

/// The matrix of an element of the algebra.
#[doc(alias = "wedge")]
#[inline]
pub fn hat<S: Real>([p, x, y]: [S; 3]) -> [[S; 3]; 3] {
    let o = S::zero();
    [[o, -p, x], [p, o, y], [o, o, o]]
}

/// The element of the algebra with this matrix; of its upper left corner, the skew part.
#[inline]
pub fn vee<S: Real>(m: &[[S; 3]; 3]) -> [S; 3] {
    [(m[1][0] - m[0][1]) * 0.5, m[0][2], m[1][2]]
}

/// `Ad_g (q, b) = (q, R b - i q position)`.
#[doc(alias = "Ad")]
#[inline]
pub fn adjoint<S: Real>(g: &Pose<S>, [q, x, y]: [S; 3]) -> [S; 3] {
    let [a, b] = so2::act(g.rotation, [x, y]);
    [q, a + q * g.position[1], b - q * g.position[0]]
}
/// The matrix of [`adjoint`].
#[doc(alias = "adj")]
#[inline]
pub fn adjoint_matrix<S: Real>(g: &Pose<S>) -> [[S; 3]; 3] {
    matrix_of(|v| adjoint(g, v))
}

/// The bracket `[u, v]`.
#[doc(alias = "bracket")]
#[doc(alias = "small_adj")]
#[inline]
pub fn ad<S: Real>([p, w, x]: [S; 3], [q, a, b]: [S; 3]) -> [S; 3] {
    [S::zero(), q * x - p * b, p * a - q * w]
}
/// The matrix of [`ad`].
#[inline]
pub fn ad_matrix<S: Real>(u: [S; 3]) -> [[S; 3]; 3] {
    matrix_of(|v| ad(u, v))
}

/// `dexp_u v`.
#[doc(alias = "left_jacobian")]
#[inline]
pub fn dexp<S: Real>(u: [S; 3], v: [S; 3]) -> [S; 3] {
    dexp_function(u[0]).apply(u, v)
}
/// `dexp_u^{-1} v`. Singular where the angle is a multiple of `2 pi` other than zero.
#[doc(alias = "left_jacobian_inverse")]
#[inline]
pub fn dexpinv<S: Real>(u: [S; 3], v: [S; 3]) -> [S; 3] {
    dexpinv_function(u[0]).apply(u, v)
}
jacobians!(
    (u: [S; 3]) -> [[S; 3]; 3],
    { let f = dexp_function(u[0]); matrix_of(|v| f.apply(u, v)) },
    { let f = dexpinv_function(u[0]); matrix_of(|v| f.apply(u, v)) }
);

/// A function of ad that is one at zero: `phi(ip)` and `(phi(ip) - 1)/(ip)`.
struct Function<S> {
    value: [S; 2],
    difference: [S; 2],
}

impl<S: Real> Function<S> {
    #[inline(always)]
    fn apply(&self, u: [S; 3], [q, x, y]: [S; 3]) -> [S; 3] {
        let [a, b] = times(self.value, [x, y]);
        // -i w
        let [c, d] = times(self.difference, [u[2], -u[1]]);
        [q, a + q * c, b + q * d]
    }
}

/// `phi_1(ip) = c1 + i p c2`, and `phi_2(ip) = c2 + i p c3`.
#[inline(always)]
fn dexp_function<S: Real>(p: S) -> Function<S> {
    let c = Coefficients::at(p);
    Function { value: [c.c1, p * c.c2], difference: [c.c2, p * c.c3] }
}

/// `ip/(exp ip - 1) = (p/2) cot(p/2) - ip/2`, and `-1/2 + i p g`.
#[inline(always)]
fn dexpinv_function<S: Real>(p: S) -> Function<S> {
    let (value, g) = cotangent(p);
    Function { value: [value, p * -0.5], difference: [S::lift(-0.5), p * g] }
}

/// The product of two complex numbers.
#[inline(always)]
fn times<S: Real>([a, b]: [S; 2], [x, y]: [S; 2]) -> [S; 2] {
    [a * x - b * y, a * y + b * x]
}

/// The Stumpff functions of the square of an angle whose sign and digits are known.
struct Coefficients<S> {
    c1: S,
    c2: S,
    c3: S,
}

impl<S: Real> Coefficients<S> {
    #[inline(always)]
    fn at(p: S) -> Self {
        let z = p * p;
        let near = z.lt(S::one());
        let (c1, c2, c3) = stumpff::three::<S, 1, 2, 3>(S::select(near, z, S::zero()));
        if near.all() {
            return Self { c1, c2, c3 };
        }
        let far = S::select(near, S::one(), p);
        let (sin, cos) = (far * 0.5).sin_cos();
        let f1 = sin * cos * 2.0 / far;
        let f2 = (sin / far).square() * 2.0;
        let f3 = (S::one() - f1) / (far * far);
        Self {
            c1: S::select(near, c1, f1),
            c2: S::select(near, c2, f2),
            c3: S::select(near, c3, f3),
        }
    }
}

/// `(p/2) cot(p/2)`, and `g` with `1 - g p^2` equal to it.
#[inline(always)]
fn cotangent<S: Real>(p: S) -> (S, S) {
    let z = p * p;
    let near = z.lt(S::one());
    let g = stumpff::dexpinv_coefficient(S::select(near, z, S::zero()));
    let value = S::one() - g * z;
    if near.all() {
        return (value, g);
    }
    let half = S::select(near, S::one(), p) * 0.5;
    let (sin, cos) = half.sin_cos();
    let far = half * cos / sin;
    let g_far = (S::one() - far) / (half * half * 4.0);
    (S::select(near, value, far), S::select(near, g, g_far))
}
