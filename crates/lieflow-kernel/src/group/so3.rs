//! Closed forms of the rotation group SO(3) and its algebra, R³ with the vector product.
//!
//! Differentials are right-trivialised, `d/de exp(u + e v) = hat(dexp_u v) exp(u)`; the left
//! version is the one at `-u`. Formulas: Celledoni et al., section 2.3, evaluated through the
//! Stumpff functions `c_k(|u|²)`.
use super::jacobians;
use crate::linalg::{Mat3, Quat, Vec3, vec3};
use crate::scalar::{Real, stumpff};

/// The rotation by the vector `u`: `I + c1 û + c2 û²`.
#[doc(alias = "rodrigues")]
#[doc(alias = "from_rotation_vector")]
#[inline(always)]
pub fn exp<S: Real>(u: Vec3<S>) -> Mat3<S> {
    let z = u.norm_squared();
    let (c1, c2) = stumpff::two::<S, 1, 2>(z);
    rodrigues(u, z, c1, c2)
}

/// `I + a û + b û²`, with `z = |u|²`.
#[inline(always)]
pub(super) fn rodrigues<S: Real>(u: Vec3<S>, z: S, a: S, b: S) -> Mat3<S> {
    #[inline(never)]
    fn called<S: Real>(u: Vec3<S>, z: S, a: S, b: S) -> Mat3<S> {
        rodrigues_inline(u, z, a, b)
    }
    if const { S::CALLED } { called(u, z, a, b) } else { rodrigues_inline(u, z, a, b) }
}

#[inline(always)]
fn rodrigues_inline<S: Real>(u: Vec3<S>, z: S, a: S, b: S) -> Mat3<S> {
    let s = u.times(a);
    let t = u.times(b);
    let d = S::one() - b * z;
    let (xy, xz, yz) = (t.x * u.y, t.x * u.z, t.y * u.z);
    Mat3::from_rows(
        vec3(d + t.x * u.x, xy - s.z, xz + s.y),
        vec3(xy + s.z, d + t.y * u.y, yz - s.x),
        vec3(xz - s.y, yz + s.x, d + t.z * u.z),
    )
}

/// `exp(u) v` without forming the matrix.
#[inline(always)]
pub fn rotate<S: Real>(u: Vec3<S>, v: Vec3<S>) -> Vec3<S> {
    let (c1, c2) = stumpff::two::<S, 1, 2>(u.norm_squared());
    function_of_ad(c1, c2, u, v)
}

/// `exp(u)` and `exp(u) v`, from one evaluation of the coefficients; the vector does not wait for the
/// matrix.
#[inline(always)]
pub fn exp_with_rotated<S: Real>(u: Vec3<S>, v: Vec3<S>) -> (Mat3<S>, Vec3<S>) {
    let z = u.norm_squared();
    let (c1, c2) = stumpff::two::<S, 1, 2>(z);
    let turned = function_of_ad(c1, c2, u, v);
    (rodrigues(u, z, c1, c2), turned)
}

/// `v + a u × v + b u × (u × v)`: every function of `ad_u` that is one at zero has this form.
#[inline(always)]
pub(super) fn function_of_ad<S: Real>(a: S, b: S, u: Vec3<S>, v: Vec3<S>) -> Vec3<S> {
    #[inline(never)]
    fn called<S: Real>(a: S, b: S, u: Vec3<S>, v: Vec3<S>) -> Vec3<S> {
        function_of_ad_inline(a, b, u, v)
    }
    if const { S::CALLED } { called(a, b, u, v) } else { function_of_ad_inline(a, b, u, v) }
}

#[inline(always)]
fn function_of_ad_inline<S: Real>(a: S, b: S, u: Vec3<S>, v: Vec3<S>) -> Vec3<S> {
    let w = u.cross(v);
    v + w.times(a) + u.cross(w).times(b)
}

/// The rotation vector of a rotation, of norm at most pi; accurate at every angle. At exactly half
/// a turn the axis with the positive largest component is returned.
#[inline]
pub fn log<S: Real>(r: &Mat3<S>) -> Vec3<S> {
    Quat::from_matrix(r).rotation_vector()
}

/// `dexp_u v`.
#[doc(alias = "left_jacobian")]
#[inline(always)]
pub fn dexp<S: Real>(u: Vec3<S>, v: Vec3<S>) -> Vec3<S> {
    let (c2, c3) = stumpff::two::<S, 2, 3>(u.norm_squared());
    function_of_ad(c2, c3, u, v)
}

/// `dexp_u^{-1} v`. Singular where `|u|` is a multiple of `2 pi` other than zero.
#[inline(always)]
pub fn dexpinv<S: Real>(u: Vec3<S>, v: Vec3<S>) -> Vec3<S> {
    let g = stumpff::dexpinv_coefficient(u.norm_squared());
    let w = u.cross(v);
    v - w * 0.5 + u.cross(w).times(g)
}

/// The matrix of `dexp_u^{-1}`, `(1 - g|u|²) I - û/2 + g u uᵀ`: for the last vector in a chain of
/// dependent operations, since it is ready before the vector is.
#[inline(always)]
pub fn dexpinv_matrix<S: Real>(u: Vec3<S>) -> Mat3<S> {
    let z = u.norm_squared();
    rodrigues(u, z, S::lift(-0.5), stumpff::dexpinv_coefficient(z))
}

/// The matrix of `dexp_u`.
#[inline(always)]
pub fn dexp_matrix<S: Real>(u: Vec3<S>) -> Mat3<S> {
    let z = u.norm_squared();
    let (c2, c3) = stumpff::two::<S, 2, 3>(z);
    rodrigues(u, z, c2, c3)
}

/// `exp(u)` and the matrix of `dexp_u`, from one evaluation of the Stumpff functions; the matrix
/// of `dexp_{-u}` is the transpose of the second.
#[inline(always)]
pub fn exp_with_dexp<S: Real>(u: Vec3<S>) -> (Mat3<S>, Mat3<S>) {
    let z = u.norm_squared();
    let (c1, c2, c3) = stumpff::three::<S, 1, 2, 3>(z);
    (rodrigues(u, z, c1, c2), rodrigues(u, z, c2, c3))
}

/// Cayley's map, `(I - û/2)^{-1} (I + û/2)`: the rotation about `u` by `2 atan(|u|/2)`.
#[inline(always)]
pub fn cay<S: Real>(u: Vec3<S>) -> Mat3<S> {
    let z = u.norm_squared();
    let c = S::lift(4.0) / (z + S::lift(4.0));
    rodrigues(u, z, c, c * 0.5)
}

/// `cay(u) v` without forming the matrix.
#[inline(always)]
pub fn cay_rotate<S: Real>(u: Vec3<S>, v: Vec3<S>) -> Vec3<S> {
    let c = S::lift(4.0) / (u.norm_squared() + S::lift(4.0));
    let w = u.cross(v);
    v + (w + u.cross(w) * 0.5).times(c)
}

/// The vector with `cay(u) = r`; not finite at half a turn.
#[inline(always)]
pub fn cay_inverse<S: Real>(r: &Mat3<S>) -> Vec3<S> {
    r.axial().times(S::lift(2.0) / (S::one() + r.trace()))
}

/// Right-trivialised differential of [`cay`].
#[inline(always)]
pub fn dcay<S: Real>(u: Vec3<S>, v: Vec3<S>) -> Vec3<S> {
    let c = S::lift(4.0) / (u.norm_squared() + S::lift(4.0));
    (v + u.cross(v) * 0.5).times(c)
}

/// Inverse of [`dcay`].
#[inline(always)]
pub fn dcayinv<S: Real>(u: Vec3<S>, v: Vec3<S>) -> Vec3<S> {
    v - u.cross(v) * 0.5 + u.times(u.dot(v) * 0.25)
}

/// The matrix of [`dcay`].
#[inline(always)]
pub fn dcay_matrix<S: Real>(u: Vec3<S>) -> Mat3<S> {
    let c = S::lift(4.0) / (u.norm_squared() + S::lift(4.0));
    (Mat3::identity() + Mat3::hat(u) * 0.5).times(c)
}

/// `(I - û/2)^{-1} v`, the translational part of Cayley's map on SE(3).
#[inline(always)]
pub fn half_resolvent<S: Real>(u: Vec3<S>, v: Vec3<S>) -> Vec3<S> {
    let c = S::lift(4.0) / (u.norm_squared() + S::lift(4.0));
    (v + u.cross(v) * 0.5 + u.times(u.dot(v) * 0.25)).times(c)
}

/// Canonical coordinates of the second kind, `exp(q1 e1) exp(q2 e2) exp(q3 e3)`.
#[inline]
pub fn second_kind<S: Real>(q: Vec3<S>) -> Mat3<S> {
    let (s1, c1) = q.x.sin_cos();
    let (s2, c2) = q.y.sin_cos();
    let (s3, c3) = q.z.sin_cos();
    Mat3::from_rows(
        vec3(c2 * c3, -(c2 * s3), s2),
        vec3(c1 * s3 + s1 * s2 * c3, c1 * c3 - s1 * s2 * s3, -(s1 * c2)),
        vec3(s1 * s3 - c1 * s2 * c3, s1 * c3 + c1 * s2 * s3, c1 * c2),
    )
}

/// Inverse right-trivialised differential of [`second_kind`]; singular at `cos q2 = 0`.
#[inline]
pub fn second_kind_dinv<S: Real>(q: Vec3<S>, v: Vec3<S>) -> Vec3<S> {
    let (s1, c1) = q.x.sin_cos();
    let (s2, c2) = q.y.sin_cos();
    let d3 = (c1 * v.z - s1 * v.y) / c2;
    vec3(v.x - s2 * d3, c1 * v.y + s1 * v.z, d3)
}

/// One polar correction, `R (3I - RᵀR)/2`: brings a nearly orthogonal matrix back to rounding
/// level. Never done silently.
#[inline]
pub fn polar_correction<S: Real>(r: &Mat3<S>) -> Mat3<S> {
    let three = Mat3::diagonal(vec3(S::lift(3.0), S::lift(3.0), S::lift(3.0)));
    r.matmul(&(three - r.transpose().matmul(r))) * 0.5
}

/// The product `g h`.
#[doc(alias = "mul")]
#[inline(always)]
pub fn compose<S: Real>(g: &Mat3<S>, h: &Mat3<S>) -> Mat3<S> {
    g.matmul(h)
}
/// The rotation back.
#[inline(always)]
pub fn inverse<S: Real>(g: &Mat3<S>) -> Mat3<S> {
    g.transpose()
}
/// The vector `x`, turned.
#[doc(alias = "apply")]
#[inline(always)]
pub fn act<S: Real>(g: &Mat3<S>, x: Vec3<S>) -> Vec3<S> {
    g.apply(x)
}
/// The matrix of `v -> u × v`.
#[doc(alias = "wedge")]
#[doc(alias = "skew")]
#[inline(always)]
pub fn hat<S: Real>(u: Vec3<S>) -> Mat3<S> {
    Mat3::hat(u)
}
/// The vector of the skew part of a matrix.
#[doc(alias = "unskew")]
#[inline(always)]
pub fn vee<S: Real>(m: &Mat3<S>) -> Vec3<S> {
    m.axial() * 0.5
}
/// `Ad_g v`, which is the vector turned.
#[doc(alias = "Ad")]
#[inline(always)]
pub fn adjoint<S: Real>(g: &Mat3<S>, v: Vec3<S>) -> Vec3<S> {
    g.apply(v)
}
/// The matrix of [`adjoint`], which is that of the rotation.
#[inline(always)]
pub fn adjoint_matrix<S: Real>(g: &Mat3<S>) -> Mat3<S> {
    *g
}
/// The bracket `u × v`.
#[doc(alias = "bracket")]
#[doc(alias = "small_adj")]
#[inline(always)]
pub fn ad<S: Real>(u: Vec3<S>, v: Vec3<S>) -> Vec3<S> {
    u.cross(v)
}
/// The matrix of [`ad`].
#[inline(always)]
pub fn ad_matrix<S: Real>(u: Vec3<S>) -> Mat3<S> {
    Mat3::hat(u)
}
jacobians!((u: Vec3<S>) -> Mat3<S>, dexp_matrix(u), dexpinv_matrix(u));
