//! The rotation group SO(3), stored as matrices; its algebra is R³ with the vector product.
use super::{Coadjoint, LieAlgebra, LieGroup};
use crate::action::Ways;
use crate::chart::{Chart, OutOfChart, rotation_domain};
use lieflow_kernel::{Mask, Mat3, Quat, Real, Vec3, so3};

/// A rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct So3<S> {
    /// The orthogonal matrix of determinant one.
    pub matrix: Mat3<S>,
}

impl<S: Real> So3<S> {
    /// The identity.
    #[inline(always)]
    pub fn unit() -> Self {
        Self { matrix: Mat3::identity() }
    }
    /// The rotation of a quaternion (w, x, y, z).
    pub fn from_quaternion(q: Quat<S>) -> Self {
        Self { matrix: q.to_matrix() }
    }
    /// Its unit quaternion with `w >= 0`.
    pub fn to_quaternion(&self) -> Quat<S> {
        Quat::from_matrix(&self.matrix)
    }
}

impl<S: Real> LieAlgebra for Vec3<S> {
    type Scalar = S;
    const ZERO: Option<fn() -> Self> = Some(Vec3::zero);
    #[inline(always)]
    fn dim(&self) -> usize {
        3
    }
    #[inline(always)]
    fn coord(&self, i: usize) -> S {
        self.get(i)
    }
    #[inline(always)]
    fn set_coord(&mut self, i: usize, value: S) {
        self.set(i, value);
    }
    #[inline(always)]
    fn zero_like(&self) -> Self {
        Vec3::zero()
    }
    #[inline(always)]
    fn assign(&mut self, a: f64, x: &Self) {
        *self = *x * a;
    }
    #[inline(always)]
    fn axpy(&mut self, a: f64, x: &Self) {
        *self += *x * a;
    }
    #[inline(always)]
    fn bracket(&self, x: &Self) -> Self {
        self.cross(*x)
    }
    #[inline(always)]
    fn finite(&self) -> bool {
        Vec3::finite(*self).all()
    }
}

impl<S: Real> LieGroup for So3<S> {
    type Algebra = Vec3<S>;
    const HAS_CAYLEY: bool = true;
    const SHIFTS: bool = true;

    fn shift(&self, g: &Self, out: &mut Self) {
        Ways::by(&self.matrix).shift_columns(&g.matrix, &mut out.matrix);
    }
    #[inline(always)]
    fn identity(_: &Vec3<S>) -> Self {
        Self::unit()
    }
    #[inline(always)]
    fn compose(&self, g: &Self) -> Self {
        Self { matrix: self.matrix.matmul(&g.matrix) }
    }
    #[inline(always)]
    fn inverse(&self) -> Self {
        Self { matrix: self.matrix.transpose() }
    }
    #[inline(always)]
    fn exp(u: &Vec3<S>) -> Self {
        Self { matrix: so3::exp(*u) }
    }
    #[inline]
    fn log(&self) -> Vec3<S> {
        so3::log(&self.matrix)
    }
    #[inline(always)]
    fn adjoint(&self, v: &Vec3<S>) -> Vec3<S> {
        self.matrix.apply(*v)
    }
    #[inline(always)]
    fn dexp(u: &Vec3<S>, v: &Vec3<S>) -> Vec3<S> {
        so3::dexp(*u, *v)
    }
    #[inline(always)]
    fn dexpinv(u: &Vec3<S>, v: &Vec3<S>) -> Vec3<S> {
        so3::dexpinv(*u, *v)
    }
    #[inline(always)]
    fn cay(u: &Vec3<S>) -> Self {
        Self { matrix: so3::cay(*u) }
    }
    #[inline(always)]
    fn dcayinv(u: &Vec3<S>, v: &Vec3<S>) -> Vec3<S> {
        so3::dcayinv(*u, *v)
    }
    // The second kind has a closed form here.
    #[inline(always)]
    fn other_map(chart: Chart, u: &Vec3<S>) -> Self {
        match chart {
            Chart::Exp | Chart::ExpSeries { .. } => Self::exp(u),
            Chart::Cayley | Chart::Stereographic => Self::cay(u),
            Chart::SecondKind => Self { matrix: so3::second_kind(*u) },
        }
    }
    #[inline(always)]
    fn other_pull(chart: Chart, u: &Vec3<S>, v: &Vec3<S>) -> Vec3<S> {
        match chart {
            Chart::Exp => so3::dexpinv(*u, *v),
            Chart::ExpSeries { brackets } => super::dexpinv_series(brackets, u, v),
            Chart::Cayley | Chart::Stereographic => so3::dcayinv(*u, *v),
            Chart::SecondKind => so3::second_kind_dinv(*u, *v),
        }
    }
    #[inline(always)]
    fn push(chart: Chart, u: &Vec3<S>, v: &mut Vec3<S>) {
        *v = match chart {
            Chart::Exp | Chart::ExpSeries { .. } => so3::dexp(*u, *v),
            Chart::Cayley | Chart::Stereographic => so3::dcay(*u, *v),
            Chart::SecondKind => crate::chart::second_kind::push::<Self>(u, v),
        };
    }
    #[inline(always)]
    fn domain(chart: Chart, u: &Vec3<S>) -> Result<(), OutOfChart> {
        rotation_domain(chart, *u)
    }
}

impl<S: Real> Coadjoint for So3<S> {
    const COADJOINT_SHIFTS: bool = true;
    fn coadjoint_shift(&self, m: &Vec3<S>, out: &mut Vec3<S>) {
        *out += Ways::by(&self.matrix).way(*m);
    }
    #[inline(always)]
    fn adjoint_transpose(&self, m: &Vec3<S>) -> Vec3<S> {
        self.matrix.apply_transpose(*m)
    }
    #[inline(always)]
    fn ad_transpose(u: &Vec3<S>, m: &Vec3<S>) -> Vec3<S> {
        m.cross(*u)
    }
    #[inline(always)]
    fn dexp_transpose(u: &Vec3<S>, m: &Vec3<S>) -> Vec3<S> {
        so3::dexp(-*u, *m)
    }
    #[inline(always)]
    fn dexpinv_transpose(u: &Vec3<S>, m: &Vec3<S>) -> Vec3<S> {
        so3::dexpinv(-*u, *m)
    }
    #[inline(always)]
    fn coadjoint(&self, m: &Vec3<S>) -> Vec3<S> {
        self.matrix.apply(*m)
    }
}
