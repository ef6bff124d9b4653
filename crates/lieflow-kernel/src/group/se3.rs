//! Closed forms of the Euclidean group SE(3) and its algebra, pairs (angular, linear).
//!
//! se(3) is so(3) over the dual numbers, so each linear part below is the derivative of the
//! so(3) formula at `u` in the direction `w`; they are written out here (Celledoni et al.,
//! section 2.3) and tested against that reading.
use super::{bordered, column, corner, jacobians, matrix_of, part, so3};
use crate::linalg::{Mat3, Vec3};
use crate::scalar::{Real, stumpff};

/// `exp(u, w) = (exp u, dexp_u w)`.
#[inline(always)]
pub fn exp<S: Real>(u: Vec3<S>, w: Vec3<S>) -> (Mat3<S>, Vec3<S>) {
    let z = u.norm_squared();
    let (c1, c2, c3) = stumpff::three::<S, 1, 2, 3>(z);
    (so3::rodrigues(u, z, c1, c2), so3::function_of_ad(c2, c3, u, w))
}

/// The point `x` moved by `exp(u, w)`: `exp(u) x + dexp_u w`, with as few products as possible.
#[inline(always)]
pub fn exp_apply<S: Real>(u: Vec3<S>, w: Vec3<S>, x: Vec3<S>) -> Vec3<S> {
    let (c1, c2, c3) = stumpff::three::<S, 1, 2, 3>(u.norm_squared());
    let first = x.times(c1) + w.times(c2);
    let second = x.times(c2) + w.times(c3);
    x + w + u.cross(first + u.cross(second))
}

/// `exp(u)` and the point `x` moved by `exp(u, w)`, from one evaluation of the coefficients; the point
/// does not wait for the matrix.
#[inline(always)]
pub fn exp_with_moved<S: Real>(u: Vec3<S>, w: Vec3<S>, x: Vec3<S>) -> (Mat3<S>, Vec3<S>) {
    let z = u.norm_squared();
    let (c1, c2, c3) = stumpff::three::<S, 1, 2, 3>(z);
    let first = x.times(c1) + w.times(c2);
    let second = x.times(c2) + w.times(c3);
    let moved = x + w + u.cross(first + u.cross(second));
    (so3::rodrigues(u, z, c1, c2), moved)
}

/// `exp(u) a`, `exp(u) b` and `dexp_u w`, from one evaluation of the coefficients and without
/// forming the matrix.
#[inline(always)]
pub fn exp_rotate<S: Real>(
    u: Vec3<S>,
    w: Vec3<S>,
    a: Vec3<S>,
    b: Vec3<S>,
) -> (Vec3<S>, Vec3<S>, Vec3<S>) {
    let (c1, c2, c3) = stumpff::three::<S, 1, 2, 3>(u.norm_squared());
    (
        so3::function_of_ad(c1, c2, u, a),
        so3::function_of_ad(c1, c2, u, b),
        so3::function_of_ad(c2, c3, u, w),
    )
}

/// Rotation vector and linear part of the logarithm.
#[inline]
pub fn log<S: Real>(r: &Mat3<S>, p: Vec3<S>) -> (Vec3<S>, Vec3<S>) {
    let u = so3::log(r);
    (u, so3::dexpinv(u, p))
}

/// `(a, b) -> (u × a, u × b + w × a)`: the bracket of `(u, w)` with `(a, b)`.
#[doc(alias = "bracket")]
#[doc(alias = "small_adj")]
#[inline(always)]
pub fn ad<S: Real>(u: Vec3<S>, w: Vec3<S>, a: Vec3<S>, b: Vec3<S>) -> (Vec3<S>, Vec3<S>) {
    (u.cross(a), u.cross(b) + w.cross(a))
}

/// Transpose of [`ad`] on covectors `(m, n)`.
#[inline(always)]
pub fn ad_transpose<S: Real>(u: Vec3<S>, w: Vec3<S>, m: Vec3<S>, n: Vec3<S>) -> (Vec3<S>, Vec3<S>) {
    (m.cross(u) + n.cross(w), n.cross(u))
}

/// `phi(ad) (a, b)` for `phi` with the coefficients `(g1, g1~, g2, g2~)` of the specification of
/// functions of ad; `phi(0) = 1`.
#[inline(always)]
pub(super) fn function_of_ad<S: Real>(
    [g1, g1t, g2, g2t]: [S; 4],
    u: Vec3<S>,
    w: Vec3<S>,
    a: Vec3<S>,
    b: Vec3<S>,
) -> (Vec3<S>, Vec3<S>) {
    let rho = u.dot(w);
    let ua = u.cross(a);
    let uua = u.cross(ua);
    let mixed = w.cross(a) + u.cross(b);
    let first = a + ua.times(g1) + uua.times(g2);
    let second = b
        + mixed.times(g1)
        + ua.times(rho * g1t)
        + uua.times(rho * g2t)
        + (w.cross(ua) + u.cross(mixed)).times(g2);
    (first, second)
}

/// Transpose of [`function_of_ad`] on covectors `(m, n)`.
#[inline(always)]
fn function_of_ad_transpose<S: Real>(
    [g1, g1t, g2, g2t]: [S; 4],
    u: Vec3<S>,
    w: Vec3<S>,
    m: Vec3<S>,
    n: Vec3<S>,
) -> (Vec3<S>, Vec3<S>) {
    let rho = u.dot(w);
    let (um, un) = (u.cross(m), u.cross(n));
    let uun = u.cross(un);
    let second = n - un.times(g1) + uun.times(g2);
    let first =
        m - um.times(g1) + u.cross(um).times(g2) - w.cross(n).times(g1) - un.times(rho * g1t)
            + uun.times(rho * g2t)
            + (u.cross(w.cross(n)) + w.cross(un)).times(g2);
    (first, second)
}

/// Coefficients of `dexp`: `g1 = c2`, `g1~ = 2 c2' = 2 c4 - c3`, `g2 = c3`, `g2~ = 2 c3'`.
#[inline(always)]
pub(super) fn dexp_coefficients<S: Real>(z: S) -> [S; 4] {
    let [_, _, c2, c3, c4, c5] = stumpff::stumpff(z);
    [c2, c4 * 2.0 - c3, c3, c5 * 3.0 - c4]
}

#[inline(always)]
pub(super) fn dexpinv_coefficients<S: Real>(z: S) -> [S; 4] {
    let (g, gt) = stumpff::dexpinv_coefficients(z);
    [S::lift(-0.5), S::zero(), g, gt]
}

/// `dexp_(u,w) (a, b)`.
#[doc(alias = "left_jacobian")]
#[inline(always)]
pub fn dexp<S: Real>(u: Vec3<S>, w: Vec3<S>, a: Vec3<S>, b: Vec3<S>) -> (Vec3<S>, Vec3<S>) {
    function_of_ad(dexp_coefficients(u.norm_squared()), u, w, a, b)
}
/// `dexp_(u,w)^{-1} (a, b)`.
#[doc(alias = "left_jacobian_inverse")]
#[inline(always)]
pub fn dexpinv<S: Real>(u: Vec3<S>, w: Vec3<S>, a: Vec3<S>, b: Vec3<S>) -> (Vec3<S>, Vec3<S>) {
    // As `function_of_ad` with the first coefficient -1/2, and with fewer products.
    let (g, gt) = stumpff::dexpinv_coefficients(u.norm_squared());
    let ua = u.cross(a);
    let gua = ua.times(g);
    let mixed = w.cross(a) + u.cross(b);
    (
        a - ua * 0.5 + u.cross(gua),
        b - mixed * 0.5 + w.cross(gua) + u.cross(mixed.times(g) + ua.times(u.dot(w) * gt)),
    )
}
/// Transpose of [`dexp`].
#[inline(always)]
pub fn dexp_transpose<S: Real>(
    u: Vec3<S>,
    w: Vec3<S>,
    m: Vec3<S>,
    n: Vec3<S>,
) -> (Vec3<S>, Vec3<S>) {
    function_of_ad_transpose(dexp_coefficients(u.norm_squared()), u, w, m, n)
}
/// Transpose of [`dexpinv`].
#[inline(always)]
pub fn dexpinv_transpose<S: Real>(
    u: Vec3<S>,
    w: Vec3<S>,
    m: Vec3<S>,
    n: Vec3<S>,
) -> (Vec3<S>, Vec3<S>) {
    function_of_ad_transpose(dexpinv_coefficients(u.norm_squared()), u, w, m, n)
}

/// Cayley's map of the 4×4 homogeneous matrices.
#[inline(always)]
pub fn cay<S: Real>(u: Vec3<S>, w: Vec3<S>) -> (Mat3<S>, Vec3<S>) {
    (so3::cay(u), so3::half_resolvent(u, w))
}
/// `cay(u) a`, `cay(u) b` and the translational part of `cay(u, w)`, without forming the matrix.
#[inline(always)]
pub fn cay_rotate<S: Real>(
    u: Vec3<S>,
    w: Vec3<S>,
    a: Vec3<S>,
    b: Vec3<S>,
) -> (Vec3<S>, Vec3<S>, Vec3<S>) {
    (so3::cay_rotate(u, a), so3::cay_rotate(u, b), so3::half_resolvent(u, w))
}
/// Inverse of [`cay`]; not finite at half a turn.
#[inline(always)]
pub fn cay_inverse<S: Real>(r: &Mat3<S>, p: Vec3<S>) -> (Vec3<S>, Vec3<S>) {
    let u = so3::cay_inverse(r);
    (u, p - u.cross(p) * 0.5)
}
/// Right-trivialised differential of [`cay`].
#[inline(always)]
pub fn dcay<S: Real>(u: Vec3<S>, w: Vec3<S>, a: Vec3<S>, b: Vec3<S>) -> (Vec3<S>, Vec3<S>) {
    let c = so3::dcay(u, a);
    let cw = c.cross(w);
    (c, so3::half_resolvent(u, b - cw * 0.5 + u.cross(cw) * 0.25))
}
/// Inverse of [`dcay`].
#[inline(always)]
pub fn dcayinv<S: Real>(u: Vec3<S>, w: Vec3<S>, a: Vec3<S>, b: Vec3<S>) -> (Vec3<S>, Vec3<S>) {
    let aw = a.cross(w);
    (so3::dcayinv(u, a), b - (u.cross(b) - aw) * 0.5 - u.cross(aw) * 0.25)
}

/// The motion that moves nothing.
#[inline(always)]
pub fn identity<S: Real>() -> (Mat3<S>, Vec3<S>) {
    (Mat3::identity(), Vec3::zero())
}
/// The product `g h`.
#[doc(alias = "mul")]
#[inline(always)]
pub fn compose<S: Real>(g: &(Mat3<S>, Vec3<S>), h: &(Mat3<S>, Vec3<S>)) -> (Mat3<S>, Vec3<S>) {
    (g.0.matmul(&h.0), act(g, h.1))
}
/// The motion back.
#[inline(always)]
pub fn inverse<S: Real>(g: &(Mat3<S>, Vec3<S>)) -> (Mat3<S>, Vec3<S>) {
    (g.0.transpose(), -g.0.apply_transpose(g.1))
}
/// The point `x`, moved.
#[doc(alias = "apply")]
#[doc(alias = "transform_point")]
#[inline(always)]
pub fn act<S: Real>(g: &(Mat3<S>, Vec3<S>), x: Vec3<S>) -> Vec3<S> {
    g.0.apply(x) + g.1
}
/// The homogeneous matrix of a motion.
#[doc(alias = "to_homogeneous")]
#[inline]
pub fn matrix<S: Real>(g: &(Mat3<S>, Vec3<S>)) -> [[S; 4]; 4] {
    let mut m = bordered(&g.0, &[g.1]);
    m[3][3] = S::one();
    m
}
/// The motion with this homogeneous matrix.
#[doc(alias = "from_homogeneous")]
#[inline]
pub fn from_matrix<S: Real>(m: &[[S; 4]; 4]) -> (Mat3<S>, Vec3<S>) {
    (corner(m), column(m, 3))
}
/// The matrix of an element of the algebra.
#[doc(alias = "wedge")]
#[inline]
pub fn hat<S: Real>(u: Vec3<S>, w: Vec3<S>) -> [[S; 4]; 4] {
    bordered(&Mat3::hat(u), &[w])
}
/// The element of the algebra with this matrix; of its upper left corner, the skew part.
#[inline]
pub fn vee<S: Real>(m: &[[S; 4]; 4]) -> (Vec3<S>, Vec3<S>) {
    (so3::vee(&corner(m)), column(m, 3))
}
/// `Ad_g (a, b) = (R a, R b + r × R a)` of the motion `g = (R, r)`.
#[doc(alias = "Ad")]
#[inline(always)]
pub fn adjoint<S: Real>(g: &(Mat3<S>, Vec3<S>), a: Vec3<S>, b: Vec3<S>) -> (Vec3<S>, Vec3<S>) {
    let turned = g.0.apply(a);
    (turned, g.0.apply(b) + g.1.cross(turned))
}
/// The matrix of [`adjoint`].
#[doc(alias = "adj")]
#[inline]
pub fn adjoint_matrix<S: Real>(g: &(Mat3<S>, Vec3<S>)) -> [[S; 6]; 6] {
    matrix_of(|x| joined(adjoint(g, part(&x, 0), part(&x, 1))))
}
/// The matrix of [`ad`].
#[inline]
pub fn ad_matrix<S: Real>(u: Vec3<S>, w: Vec3<S>) -> [[S; 6]; 6] {
    matrix_of(|x| joined(ad(u, w, part(&x, 0), part(&x, 1))))
}
jacobians!(
    (u: Vec3<S>, w: Vec3<S>) -> [[S; 6]; 6],
    jacobian(dexp_coefficients(u.norm_squared()), u, w),
    jacobian(dexpinv_coefficients(u.norm_squared()), u, w)
);

/// The matrix of [`function_of_ad`].
#[inline]
fn jacobian<S: Real>(k: [S; 4], u: Vec3<S>, w: Vec3<S>) -> [[S; 6]; 6] {
    matrix_of(|x| joined(function_of_ad(k, u, w, part(&x, 0), part(&x, 1))))
}
#[inline(always)]
fn joined<S: Real>((a, b): (Vec3<S>, Vec3<S>)) -> [S; 6] {
    [a.x, a.y, a.z, b.x, b.y, b.z]
}
