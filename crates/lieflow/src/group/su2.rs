//! The group SU(2), as unit quaternions: the double cover of SO(3).
//!
//! ```text
//! q = (w, x, y, z)   stands for   w - i (x σx + y σy + z σz)        matrix of a spin 1/2
//! u in R³            stands for   -i/2 (u·σ)                        and turns vectors by |u|
//! ```
//!
//! So algebra, differentials and `Ad` are those of SO(3), and exponential and logarithm go twice as
//! far: a full turn is `-1`.
use super::unitary::transposes_are_inverses;
use super::{Coadjoint, LieAlgebra, LieGroup, So3, Sun, matrix::complex::Complex};
use crate::action::Flat;
use crate::archive::Archive;
use crate::chart::{Chart, OutOfChart, rotation_domain};
use lieflow_kernel::{Quat, Real, Vec3};

/// A unit quaternion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Su2<S> {
    /// Of norm one.
    pub quaternion: Quat<S>,
}

impl<S: Real> Flat for Su2<S> {
    fn distance_squared(&self, other: &Self) -> f64 {
        let d = (self.quaternion.w - other.quaternion.w).magnitude();
        d * d + self.quaternion.v.distance_squared(&other.quaternion.v)
    }
    fn archive(&mut self, archive: &mut Archive) {
        archive.real(&mut self.quaternion.w);
        self.quaternion.v.archive(archive);
    }
}

impl<S: Real> Su2<S> {
    /// The identity.
    #[inline(always)]
    pub fn unit() -> Self {
        Self { quaternion: Quat { w: S::one(), v: Vec3::zero() } }
    }
    /// The rotation of which this is one of two square roots.
    pub fn rotation(&self) -> super::So3<S> {
        super::So3 { matrix: self.quaternion.to_matrix() }
    }
    /// `||q|² - 1|`.
    pub fn unitarity_error(&self) -> f64 {
        (self.quaternion.norm_squared() - S::one()).magnitude()
    }
    /// As a matrix.
    pub fn to_matrix(&self) -> Sun<S, 2> {
        let Quat { w, v } = self.quaternion;
        let re = [[w, -v.y], [v.y, w]];
        let im = [[-v.z, -v.x], [-v.x, v.z]];
        Sun { matrix: Complex { re, im } }
    }
}

impl<S: Real> LieGroup for Su2<S> {
    type Algebra = Vec3<S>;
    const HAS_CAYLEY: bool = true;

    #[inline(always)]
    fn identity(_: &Vec3<S>) -> Self {
        Self::unit()
    }
    /// `g + (q - 1) g`, where the first component of `q - 1` is `-|v|²/(1 + w)` unless `q` is near
    /// minus one: then products of very many elements near one stay of norm one, which the rounded
    /// cosines of small angles would spoil.
    #[inline(always)]
    fn compose(&self, g: &Self) -> Self {
        let Quat { w, v } = self.quaternion;
        let near = S::zero().lt(w);
        let divisor = S::select(near, S::one() + w, S::one());
        let less = S::select(near, -v.norm_squared() / divisor, w - S::one());
        let change = Quat { w: less, v }.times(g.quaternion);
        Self { quaternion: Quat { w: g.quaternion.w + change.w, v: g.quaternion.v + change.v } }
    }
    #[inline(always)]
    fn inverse(&self) -> Self {
        Self { quaternion: Quat { w: self.quaternion.w, v: -self.quaternion.v } }
    }
    #[inline(always)]
    fn exp(u: &Vec3<S>) -> Self {
        Self { quaternion: Quat::exp(*u) }
    }
    /// The principal one, by at most a full turn; that of `-1` is about the first axis.
    fn log(&self) -> Vec3<S> {
        let Quat { w, v } = self.quaternion;
        let none = v.norm_squared().lt(S::lift(1e-300));
        let minus = w.lt(S::zero());
        // Near -1 the quotient of two small numbers is the axis; at -1 there is none.
        let axis = Vec3::select(none, Vec3::unit(0), v);
        let n = axis.norm_squared().sqrt();
        let sine = S::select(none, S::zero(), n);
        let far = axis.times(sine.atan2(w) * 2.0 / n);
        Vec3::select(minus, far, self.quaternion.rotation_vector())
    }
    #[inline(always)]
    fn adjoint(&self, v: &Vec3<S>) -> Vec3<S> {
        self.inverse().quaternion.unit_rotate_back(*v)
    }
    #[inline(always)]
    fn dexp(u: &Vec3<S>, v: &Vec3<S>) -> Vec3<S> {
        So3::dexp(u, v)
    }
    #[inline(always)]
    fn dexpinv(u: &Vec3<S>, v: &Vec3<S>) -> Vec3<S> {
        So3::dexpinv(u, v)
    }
    /// `(1 - u/4)^{-1} (1 + u/4)` in quaternions.
    #[inline(always)]
    fn cay(u: &Vec3<S>) -> Self {
        let a = *u * 0.25;
        let size = a.norm_squared();
        let scale = S::one() / (S::one() + size);
        Self { quaternion: Quat { w: (S::one() - size) * scale, v: a.times(scale * 2.0) } }
    }
    /// `(1 - a) v (1 + a)` with `a = u/4`.
    #[inline(always)]
    fn dcayinv(u: &Vec3<S>, v: &Vec3<S>) -> Vec3<S> {
        let a = *u * 0.25;
        v.times(S::one() - a.norm_squared()) + a.times(a.dot(*v) * 2.0) - u.cross(*v) * 0.5
    }
    #[inline(always)]
    fn domain(chart: Chart, u: &Vec3<S>) -> Result<(), OutOfChart> {
        rotation_domain(chart, *u)
    }
}

// `Ad` is orthogonal, so transposes are inverses.
impl<S: Real> Coadjoint for Su2<S> {
    #[inline(always)]
    fn adjoint_transpose(&self, m: &Vec3<S>) -> Vec3<S> {
        self.inverse().adjoint(m)
    }
    transposes_are_inverses!();
}
