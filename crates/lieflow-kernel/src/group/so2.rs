//! Closed forms of the rotations of the plane, SO(2), whose algebra is the angle.
//!
//! The group is commutative, so its differentials are one; they stand here so that all groups have
//! the same names.
use super::jacobians;
use crate::scalar::Real;

/// A rotation of the plane: the unit complex number `cos + i sin`.
#[doc(alias = "UnitComplex")]
#[doc(alias = "Rot2")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn<S> {
    /// Cosine of the angle.
    pub cos: S,
    /// Sine of the angle.
    pub sin: S,
}

/// The rotation by an angle.
#[doc(alias = "from_angle")]
#[inline(always)]
pub fn exp<S: Real>(angle: S) -> Turn<S> {
    let (sin, cos) = angle.sin_cos();
    Turn { cos, sin }
}

/// The angle of a rotation, in `(-pi, pi]`.
#[doc(alias = "angle")]
#[inline]
pub fn log<S: Real>(g: Turn<S>) -> S {
    g.sin.atan2(g.cos)
}

/// The rotation by no angle.
#[inline(always)]
pub fn identity<S: Real>() -> Turn<S> {
    Turn { cos: S::one(), sin: S::zero() }
}

/// The product `g h`.
#[doc(alias = "mul")]
#[inline(always)]
pub fn compose<S: Real>(g: Turn<S>, h: Turn<S>) -> Turn<S> {
    Turn { cos: g.cos * h.cos - g.sin * h.sin, sin: g.sin * h.cos + g.cos * h.sin }
}

/// The rotation back.
#[inline(always)]
pub fn inverse<S: Real>(g: Turn<S>) -> Turn<S> {
    Turn { cos: g.cos, sin: -g.sin }
}

/// The vector `x`, turned.
#[doc(alias = "apply")]
#[doc(alias = "rotate")]
#[inline(always)]
pub fn act<S: Real>(g: Turn<S>, [x, y]: [S; 2]) -> [S; 2] {
    [g.cos * x - g.sin * y, g.sin * x + g.cos * y]
}

/// The matrix of a rotation.
#[doc(alias = "to_matrix")]
#[inline(always)]
pub fn matrix<S: Real>(g: Turn<S>) -> [[S; 2]; 2] {
    [[g.cos, -g.sin], [g.sin, g.cos]]
}

/// The rotation with this matrix.
#[inline(always)]
pub fn from_matrix<S: Real>(m: &[[S; 2]; 2]) -> Turn<S> {
    Turn { cos: m[0][0], sin: m[1][0] }
}

/// The skew matrix of an angle.
#[doc(alias = "wedge")]
#[doc(alias = "skew")]
#[inline(always)]
pub fn hat<S: Real>(angle: S) -> [[S; 2]; 2] {
    [[S::zero(), -angle], [angle, S::zero()]]
}

/// The angle of the skew part of a matrix.
#[doc(alias = "unskew")]
#[inline(always)]
pub fn vee<S: Real>(m: &[[S; 2]; 2]) -> S {
    (m[1][0] - m[0][1]) * 0.5
}

/// `Ad_g v`, which is `v`.
#[doc(alias = "Ad")]
#[inline(always)]
pub fn adjoint<S: Real>(g: Turn<S>, v: S) -> S {
    let _ = g;
    v
}
/// The matrix of [`adjoint`], one.
#[inline(always)]
pub fn adjoint_matrix<S: Real>(g: Turn<S>) -> [[S; 1]; 1] {
    let _ = g;
    [[S::one()]]
}

/// The bracket of two angles, zero.
#[doc(alias = "bracket")]
#[inline(always)]
pub fn ad<S: Real>(u: S, v: S) -> S {
    let _ = (u, v);
    S::zero()
}
/// The matrix of [`ad`], zero.
#[inline(always)]
pub fn ad_matrix<S: Real>(u: S) -> [[S; 1]; 1] {
    let _ = u;
    [[S::zero()]]
}

/// `dexp_u v`, which is `v`.
#[inline(always)]
pub fn dexp<S: Real>(u: S, v: S) -> S {
    let _ = u;
    v
}
/// `dexp_u^{-1} v`, which is `v`.
#[inline(always)]
pub fn dexpinv<S: Real>(u: S, v: S) -> S {
    let _ = u;
    v
}
jacobians!((u: S) -> [[S; 1]; 1], { let _ = u; [[S::one()]] }, { let _ = u; [[S::one()]] });
