//! Closed forms of the similarities of space, Sim(3), and its algebra: three coordinates of the
//! rotation, three of the translation, and the logarithm of the scale.
//!
//! An element of the algebra has the matrix `(l + û, w; 0, 0)`, so with `x = l + û`
//!
//! ```text
//! exp(u, w, l) = (exp l, exp û, phi_1(x) w)
//! ad_(u,w,l) (a, b, k) = (u × a, u × b + w × a + l b - k w, 0)
//! ```
//!
//! The last line of `dexp` follows from the derivative of the exponential, `p' - (dexp_u a + k) p` for
//! `p = phi_1(x) w`; the part of `k` in it is `-phi_2(x) w`.
use super::{bordered, column, corner, jacobians, matrix_of, part, so3};
use crate::linalg::{Mat3, Vec3};
use crate::scalar::scaled::{Scaled, inverted, scaled};
use crate::scalar::{Real, stumpff};

/// The similarity `x -> scale rotation x + position`.
#[doc(alias = "Similarity3")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Similarity<S> {
    /// The scale, positive.
    pub scale: S,
    /// The rotation.
    pub rotation: Mat3<S>,
    /// Where the origin goes.
    pub position: Vec3<S>,
}

/// `exp(u, w, l) = (exp l, exp û, phi_1(l + û) w)`.
#[inline]
pub fn exp<S: Real>(x: [S; 7]) -> Similarity<S> {
    let u = part(&x, 0);
    let (z, scale) = (u.norm_squared(), x[6].exp());
    let (c1, c2) = stumpff::two::<S, 1, 2>(z);
    Similarity {
        scale,
        rotation: so3::rodrigues(u, z, c1, c2),
        position: polynomial(scaled(x[6], scale, z).phi1, u, part(&x, 1)),
    }
}

/// The principal logarithm; not a number if the scale is negative.
#[inline]
pub fn log<S: Real>(g: &Similarity<S>) -> [S; 7] {
    let (u, l) = (so3::log(&g.rotation), g.scale.ln());
    let z = u.norm_squared();
    joined(u, polynomial(inverted(scaled(l, g.scale, z).phi1, z), u, g.position), l)
}

/// The similarity that moves nothing.
#[inline(always)]
pub fn identity<S: Real>() -> Similarity<S> {
    Similarity { scale: S::one(), rotation: Mat3::identity(), position: Vec3::zero() }
}

/// The product `g h`.
#[doc(alias = "mul")]
#[inline(always)]
pub fn compose<S: Real>(g: &Similarity<S>, h: &Similarity<S>) -> Similarity<S> {
    Similarity {
        scale: g.scale * h.scale,
        rotation: g.rotation.matmul(&h.rotation),
        position: act(g, h.position),
    }
}

/// The inverse.
#[inline(always)]
pub fn inverse<S: Real>(g: &Similarity<S>) -> Similarity<S> {
    let scale = S::one() / g.scale;
    let position = -g.rotation.apply_transpose(g.position).times(scale);
    Similarity { scale, rotation: g.rotation.transpose(), position }
}

/// The point `x`, scaled, turned and shifted.
#[doc(alias = "apply")]
#[doc(alias = "transform_point")]
#[inline(always)]
pub fn act<S: Real>(g: &Similarity<S>, x: Vec3<S>) -> Vec3<S> {
    g.rotation.apply(x).times(g.scale) + g.position
}

/// The homogeneous matrix.
#[doc(alias = "to_homogeneous")]
#[inline]
pub fn matrix<S: Real>(g: &Similarity<S>) -> [[S; 4]; 4] {
    let mut m = bordered(&g.rotation.times(g.scale), &[g.position]);
    m[3][3] = S::one();
    m
}

/// The similarity with this homogeneous matrix, whose upper left corner is a rotation times the scale.
#[doc(alias = "from_homogeneous")]
#[inline]
pub fn from_matrix<S: Real>(m: &[[S; 4]; 4]) -> Similarity<S> {
    let scaled = corner(m);
    let scale = (scaled.norm_squared() / S::lift(3.0)).sqrt();
    Similarity { scale, rotation: scaled.times(S::one() / scale), position: column(m, 3) }
}

/// The matrix of an element of the algebra.
#[doc(alias = "wedge")]
#[inline]
pub fn hat<S: Real>(x: [S; 7]) -> [[S; 4]; 4] {
    let l = Mat3::diagonal(Vec3::from([x[6]; 3]));
    bordered(&(Mat3::hat(part(&x, 0)) + l), &[part(&x, 1)])
}

/// The element of the algebra with this matrix; of its upper left corner, the skew part and a third of
/// the trace.
#[inline]
pub fn vee<S: Real>(m: &[[S; 4]; 4]) -> [S; 7] {
    let block = corner(m);
    joined(so3::vee(&block), column(m, 3), block.trace() / S::lift(3.0))
}

/// `Ad_g (a, b, k) = (R a, s R b + p × R a - k p, k)`.
#[doc(alias = "Ad")]
#[inline]
pub fn adjoint<S: Real>(g: &Similarity<S>, x: [S; 7]) -> [S; 7] {
    let a = g.rotation.apply(part(&x, 0));
    let b = g.rotation.apply(part(&x, 1)).times(g.scale);
    joined(a, b + g.position.cross(a) - g.position.times(x[6]), x[6])
}
/// The matrix of [`adjoint`].
#[doc(alias = "adj")]
#[inline]
pub fn adjoint_matrix<S: Real>(g: &Similarity<S>) -> [[S; 7]; 7] {
    matrix_of(|x| adjoint(g, x))
}

/// The bracket `[x, y]`.
#[doc(alias = "bracket")]
#[doc(alias = "small_adj")]
#[inline]
pub fn ad<S: Real>(x: [S; 7], y: [S; 7]) -> [S; 7] {
    let ((u, w), (a, b)) = ((part(&x, 0), part(&x, 1)), (part(&y, 0), part(&y, 1)));
    let linear = u.cross(b) + w.cross(a) + b.times(x[6]) - w.times(y[6]);
    joined(u.cross(a), linear, S::zero())
}
/// The matrix of [`ad`].
#[inline]
pub fn ad_matrix<S: Real>(x: [S; 7]) -> [[S; 7]; 7] {
    matrix_of(|y| ad(x, y))
}

/// `dexp_x y`.
#[doc(alias = "left_jacobian")]
#[inline]
pub fn dexp<S: Real>(x: [S; 7], y: [S; 7]) -> [S; 7] {
    Differential::at(x).apply(y)
}
/// `dexp_x^{-1} y`. Singular where the scale is one and the angle a multiple of `2 pi` other than
/// zero.
#[doc(alias = "left_jacobian_inverse")]
#[inline]
pub fn dexpinv<S: Real>(x: [S; 7], y: [S; 7]) -> [S; 7] {
    Differential::at(x).undo(y)
}
jacobians!(
    (x: [S; 7]) -> [[S; 7]; 7],
    { let d = Differential::at(x); matrix_of(|y| d.apply(y)) },
    { let d = Differential::at(x); matrix_of(|y| d.undo(y)) }
);

/// The differential of the exponential at one element, with what all its columns share.
struct Differential<S> {
    u: Vec3<S>,
    w: Vec3<S>,
    /// Coefficients of the rotation: of `dexp_u` and of its inverse.
    turn: [S; 2],
    turn_back: S,
    /// Coefficients of `phi_1(x)`, its slopes, `phi_2(x)`.
    k: Scaled<S>,
    /// Coefficients of `phi_1(x)^{-1}`.
    back: [S; 3],
    /// `phi_1(x) w` and `phi_2(x) w`.
    position: Vec3<S>,
    stretch: Vec3<S>,
}

impl<S: Real> Differential<S> {
    #[inline]
    fn at(x: [S; 7]) -> Self {
        let (u, w) = (part(&x, 0), part(&x, 1));
        let z = u.norm_squared();
        let (c2, c3) = stumpff::two::<S, 2, 3>(z);
        let k = scaled(x[6], x[6].exp(), z);
        Self {
            u,
            w,
            turn: [c2, c3],
            turn_back: stumpff::dexpinv_coefficient(z),
            k,
            back: inverted(k.phi1, z),
            position: polynomial(k.phi1, u, w),
            stretch: polynomial(k.phi2, u, w),
        }
    }
    /// What a change `a` of the rotation, which turns the result by `turned`, and `k` of the scale add
    /// to the linear part.
    #[inline]
    fn mixed(&self, a: Vec3<S>, turned: Vec3<S>, k: S) -> Vec3<S> {
        let ([_, b, c], [db, dc]) = (self.k.phi1, self.k.slopes);
        let uw = self.u.cross(self.w);
        let aw = a.cross(self.w);
        let slope = (uw.times(db) + self.u.cross(uw).times(dc)).times(self.u.dot(a) * 2.0);
        aw.times(b) + (a.cross(uw) + self.u.cross(aw)).times(c) + slope
            - turned.cross(self.position)
            - self.stretch.times(k)
    }
    #[inline]
    fn apply(&self, y: [S; 7]) -> [S; 7] {
        let a = part(&y, 0);
        let turned = so3::function_of_ad(self.turn[0], self.turn[1], self.u, a);
        let linear = polynomial(self.k.phi1, self.u, part(&y, 1)) + self.mixed(a, turned, y[6]);
        joined(turned, linear, y[6])
    }
    /// The inverse, from the rotation on.
    #[inline]
    fn undo(&self, y: [S; 7]) -> [S; 7] {
        let turned = part(&y, 0);
        let a = so3::function_of_ad(S::lift(-0.5), self.turn_back, self.u, turned);
        let rest = part(&y, 1) - self.mixed(a, turned, y[6]);
        joined(a, polynomial(self.back, self.u, rest), y[6])
    }
}

/// `a v + b u × v + c u × (u × v)`.
#[inline(always)]
fn polynomial<S: Real>([a, b, c]: [S; 3], u: Vec3<S>, v: Vec3<S>) -> Vec3<S> {
    let w = u.cross(v);
    v.times(a) + w.times(b) + u.cross(w).times(c)
}
#[inline(always)]
fn joined<S: Real>(a: Vec3<S>, b: Vec3<S>, k: S) -> [S; 7] {
    [a.x, a.y, a.z, b.x, b.y, b.z, k]
}
