//! Closed forms of the group of extended poses, SE₂(3): rotation, velocity and position, as inertial
//! navigation keeps them. Its matrices have five rows,
//!
//! ```text
//! | R v p |
//! | 0 1 0 |
//! | 0 0 1 |
//! ```
//!
//! Each of the two vectors makes a Euclidean group with the rotation, and neither sees the other, so
//! every map is that of SE(3) twice. Coordinates: three of the rotation, three of the velocity, three
//! of the position.
use super::{bordered, column, corner, jacobians, matrix_of, part, se3, so3};
use crate::linalg::{Mat3, Vec3};
use crate::scalar::{Real, stumpff};

/// A rotation, a velocity and a position.
#[doc(alias = "ExtendedPose")]
#[doc(alias = "NavState")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<S> {
    /// The rotation.
    pub rotation: Mat3<S>,
    /// The velocity.
    pub velocity: Vec3<S>,
    /// The position.
    pub position: Vec3<S>,
}

/// `exp(u, w, x) = (exp u, dexp_u w, dexp_u x)`.
#[inline]
pub fn exp<S: Real>(x: [S; 9]) -> Pose<S> {
    let u = part(&x, 0);
    let z = u.norm_squared();
    let (c1, c2, c3) = stumpff::three::<S, 1, 2, 3>(z);
    Pose {
        rotation: so3::rodrigues(u, z, c1, c2),
        velocity: so3::function_of_ad(c2, c3, u, part(&x, 1)),
        position: so3::function_of_ad(c2, c3, u, part(&x, 2)),
    }
}

/// The principal logarithm.
#[inline]
pub fn log<S: Real>(g: &Pose<S>) -> [S; 9] {
    let u = so3::log(&g.rotation);
    joined(u, so3::dexpinv(u, g.velocity), so3::dexpinv(u, g.position))
}

/// No rotation, at rest, at the origin.
#[inline(always)]
pub fn identity<S: Real>() -> Pose<S> {
    Pose { rotation: Mat3::identity(), velocity: Vec3::zero(), position: Vec3::zero() }
}

/// The product `g h`.
#[doc(alias = "mul")]
#[inline(always)]
pub fn compose<S: Real>(g: &Pose<S>, h: &Pose<S>) -> Pose<S> {
    Pose {
        rotation: g.rotation.matmul(&h.rotation),
        velocity: g.rotation.apply(h.velocity) + g.velocity,
        position: g.rotation.apply(h.position) + g.position,
    }
}

/// The inverse.
#[inline(always)]
pub fn inverse<S: Real>(g: &Pose<S>) -> Pose<S> {
    Pose {
        rotation: g.rotation.transpose(),
        velocity: -g.rotation.apply_transpose(g.velocity),
        position: -g.rotation.apply_transpose(g.position),
    }
}

/// The point `x`, turned and shifted; the velocity has no part in it.
#[doc(alias = "apply")]
#[inline(always)]
pub fn act<S: Real>(g: &Pose<S>, x: Vec3<S>) -> Vec3<S> {
    g.rotation.apply(x) + g.position
}

/// The matrix of five rows.
#[doc(alias = "to_homogeneous")]
#[inline]
pub fn matrix<S: Real>(g: &Pose<S>) -> [[S; 5]; 5] {
    let mut m = bordered(&g.rotation, &[g.velocity, g.position]);
    m[3][3] = S::one();
    m[4][4] = S::one();
    m
}

/// The element with this matrix.
#[inline]
pub fn from_matrix<S: Real>(m: &[[S; 5]; 5]) -> Pose<S> {
    Pose { rotation: corner(m), velocity: column(m, 3), position: column(m, 4) }
}

/// The matrix of an element of the algebra.
#[doc(alias = "wedge")]
#[inline]
pub fn hat<S: Real>(x: [S; 9]) -> [[S; 5]; 5] {
    bordered(&Mat3::hat(part(&x, 0)), &[part(&x, 1), part(&x, 2)])
}

/// The element of the algebra with this matrix; of its upper left corner, the skew part.
#[inline]
pub fn vee<S: Real>(m: &[[S; 5]; 5]) -> [S; 9] {
    joined(so3::vee(&corner(m)), column(m, 3), column(m, 4))
}

/// `Ad_g x`.
#[doc(alias = "Ad")]
#[inline]
pub fn adjoint<S: Real>(g: &Pose<S>, x: [S; 9]) -> [S; 9] {
    let a = g.rotation.apply(part(&x, 0));
    joined(
        a,
        g.rotation.apply(part(&x, 1)) + g.velocity.cross(a),
        g.rotation.apply(part(&x, 2)) + g.position.cross(a),
    )
}
/// The matrix of [`adjoint`].
#[doc(alias = "adj")]
#[inline]
pub fn adjoint_matrix<S: Real>(g: &Pose<S>) -> [[S; 9]; 9] {
    matrix_of(|x| adjoint(g, x))
}

/// The bracket `[x, y]`.
#[doc(alias = "bracket")]
#[doc(alias = "small_adj")]
#[inline]
pub fn ad<S: Real>(x: [S; 9], y: [S; 9]) -> [S; 9] {
    twice(x, y, se3::ad)
}
/// The matrix of [`ad`].
#[inline]
pub fn ad_matrix<S: Real>(x: [S; 9]) -> [[S; 9]; 9] {
    matrix_of(|y| ad(x, y))
}
/// Transpose of [`ad`] on covectors.
#[inline]
pub fn ad_transpose<S: Real>(x: [S; 9], m: [S; 9]) -> [S; 9] {
    transposed_twice(x, m, se3::ad_transpose)
}

/// `dexp_x y`.
#[doc(alias = "left_jacobian")]
#[inline]
pub fn dexp<S: Real>(x: [S; 9], y: [S; 9]) -> [S; 9] {
    function_of_ad(se3::dexp_coefficients(square(&x)), x, y)
}
/// `dexp_x^{-1} y`. Singular where the angle is a multiple of `2 pi` other than zero.
#[doc(alias = "left_jacobian_inverse")]
#[inline]
pub fn dexpinv<S: Real>(x: [S; 9], y: [S; 9]) -> [S; 9] {
    function_of_ad(se3::dexpinv_coefficients(square(&x)), x, y)
}
/// Transpose of [`dexp`].
#[inline]
pub fn dexp_transpose<S: Real>(x: [S; 9], m: [S; 9]) -> [S; 9] {
    transposed_twice(x, m, se3::dexp_transpose)
}
/// Transpose of [`dexpinv`].
#[inline]
pub fn dexpinv_transpose<S: Real>(x: [S; 9], m: [S; 9]) -> [S; 9] {
    transposed_twice(x, m, se3::dexpinv_transpose)
}
jacobians!(
    (x: [S; 9]) -> [[S; 9]; 9],
    { let k = se3::dexp_coefficients(square(&x)); matrix_of(|y| function_of_ad(k, x, y)) },
    { let k = se3::dexpinv_coefficients(square(&x)); matrix_of(|y| function_of_ad(k, x, y)) }
);

/// Cayley's map of the matrices.
#[inline]
pub fn cay<S: Real>(x: [S; 9]) -> Pose<S> {
    let u = part(&x, 0);
    Pose {
        rotation: so3::cay(u),
        velocity: so3::half_resolvent(u, part(&x, 1)),
        position: so3::half_resolvent(u, part(&x, 2)),
    }
}
/// Inverse right-trivialised differential of [`cay`].
#[inline]
pub fn dcayinv<S: Real>(x: [S; 9], y: [S; 9]) -> [S; 9] {
    twice(x, y, se3::dcayinv)
}

#[inline(always)]
fn square<S: Real>(x: &[S; 9]) -> S {
    part(x, 0).norm_squared()
}
#[inline(always)]
fn joined<S: Real>(a: Vec3<S>, b: Vec3<S>, c: Vec3<S>) -> [S; 9] {
    [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z]
}

/// `phi(ad_x) y` by the coefficients of SE(3).
#[inline(always)]
fn function_of_ad<S: Real>(k: [S; 4], x: [S; 9], y: [S; 9]) -> [S; 9] {
    let (u, a) = (part(&x, 0), part(&y, 0));
    let (first, second) = se3::function_of_ad(k, u, part(&x, 1), a, part(&y, 1));
    let (_, third) = se3::function_of_ad(k, u, part(&x, 2), a, part(&y, 2));
    joined(first, second, third)
}

/// A map of two pairs to one.
type PairMap<S> = fn(Vec3<S>, Vec3<S>, Vec3<S>, Vec3<S>) -> (Vec3<S>, Vec3<S>);

/// A map of SE(3) for the velocity and for the position.
#[inline(always)]
fn twice<S: Real>(x: [S; 9], y: [S; 9], map: PairMap<S>) -> [S; 9] {
    let (u, a) = (part(&x, 0), part(&y, 0));
    let (first, second) = map(u, part(&x, 1), a, part(&y, 1));
    let (_, third) = map(u, part(&x, 2), a, part(&y, 2));
    joined(first, second, third)
}

/// The same for a transposed map, where both vectors add to the rotational part; the momentum of the
/// rotation itself counts once.
#[inline(always)]
fn transposed_twice<S: Real>(x: [S; 9], m: [S; 9], map: PairMap<S>) -> [S; 9] {
    let u = part(&x, 0);
    let (first, second) = map(u, part(&x, 1), part(&m, 0), part(&m, 1));
    let (more, third) = map(u, part(&x, 2), Vec3::zero(), part(&m, 2));
    joined(first + more, second, third)
}
