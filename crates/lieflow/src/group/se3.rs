//! The Euclidean group SE(3): rotations and translations.
use super::{Coadjoint, LieAlgebra, LieGroup};
use crate::action::Ways;
use crate::chart::{Chart, OutOfChart, rotation_domain};
use core::f64::consts::TAU;
use lieflow_kernel::wide::Vectors;
use lieflow_kernel::{Mask, Mat3, Real, Vec3, se3};

/// The motion `x -> rotation x + position`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Se3<S> {
    /// The rotation.
    pub rotation: Mat3<S>,
    /// Where the origin goes.
    pub position: Vec3<S>,
}

/// An element of se(3) or, with the same coordinates, of its dual.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twist<S> {
    /// Rotational part.
    pub angular: Vec3<S>,
    /// Translational part.
    pub linear: Vec3<S>,
}

impl<S: Real> Twist<S> {
    /// The pair (angular, linear).
    #[inline(always)]
    pub fn new(angular: Vec3<S>, linear: Vec3<S>) -> Self {
        Self { angular, linear }
    }
    #[inline(always)]
    fn of((angular, linear): (Vec3<S>, Vec3<S>)) -> Self {
        Self { angular, linear }
    }
}

impl<S: Real> LieAlgebra for Twist<S> {
    type Scalar = S;
    const ZERO: Option<fn() -> Self> = Some(|| Self::new(Vec3::zero(), Vec3::zero()));
    #[inline(always)]
    fn dim(&self) -> usize {
        6
    }
    #[inline(always)]
    fn coord(&self, i: usize) -> S {
        if i < 3 { self.angular.get(i) } else { self.linear.get(i - 3) }
    }
    #[inline(always)]
    fn set_coord(&mut self, i: usize, value: S) {
        if i < 3 { self.angular.set(i, value) } else { self.linear.set(i - 3, value) }
    }
    #[inline(always)]
    fn zero_like(&self) -> Self {
        Self::new(Vec3::zero(), Vec3::zero())
    }
    #[inline(always)]
    fn assign(&mut self, a: f64, x: &Self) {
        *self = Self::new(x.angular * a, x.linear * a);
    }
    #[inline(always)]
    fn axpy(&mut self, a: f64, x: &Self) {
        self.angular += x.angular * a;
        self.linear += x.linear * a;
    }
    #[inline(always)]
    fn bracket(&self, x: &Self) -> Self {
        Self::of(se3::ad(self.angular, self.linear, x.angular, x.linear))
    }
    #[inline(always)]
    fn finite(&self) -> bool {
        self.angular.finite().and(self.linear.finite()).all()
    }
}

impl<S: Real> LieGroup for Se3<S> {
    type Algebra = Twist<S>;
    const HAS_CAYLEY: bool = true;
    const SHIFTS: bool = true;

    fn shift(&self, g: &Self, out: &mut Self) {
        let turn = Ways::by(&self.rotation);
        turn.shift_columns(&g.rotation, &mut out.rotation);
        out.position += turn.way(g.position) + self.position;
    }
    #[inline(always)]
    fn identity(_: &Twist<S>) -> Self {
        Self { rotation: Mat3::identity(), position: Vec3::zero() }
    }
    #[inline(always)]
    fn compose(&self, g: &Self) -> Self {
        Self {
            rotation: self.rotation.matmul(&g.rotation),
            position: self.rotation.apply(g.position) + self.position,
        }
    }
    #[inline(always)]
    fn inverse(&self) -> Self {
        Self {
            rotation: self.rotation.transpose(),
            position: -self.rotation.apply_transpose(self.position),
        }
    }
    #[inline(always)]
    fn exp(u: &Twist<S>) -> Self {
        let (rotation, position) = se3::exp(u.angular, u.linear);
        Self { rotation, position }
    }
    #[inline]
    fn log(&self) -> Twist<S> {
        Twist::of(se3::log(&self.rotation, self.position))
    }
    #[inline(always)]
    fn adjoint(&self, v: &Twist<S>) -> Twist<S> {
        let a = self.rotation.apply(v.angular);
        Twist::new(a, self.rotation.apply(v.linear) + self.position.cross(a))
    }
    #[inline(always)]
    fn dexp(u: &Twist<S>, v: &Twist<S>) -> Twist<S> {
        Twist::of(se3::dexp(u.angular, u.linear, v.angular, v.linear))
    }
    #[inline(always)]
    fn dexpinv(u: &Twist<S>, v: &Twist<S>) -> Twist<S> {
        Twist::of(se3::dexpinv(u.angular, u.linear, v.angular, v.linear))
    }
    #[inline(always)]
    fn cay(u: &Twist<S>) -> Self {
        let (rotation, position) = se3::cay(u.angular, u.linear);
        Self { rotation, position }
    }
    #[inline(always)]
    fn dcayinv(u: &Twist<S>, v: &Twist<S>) -> Twist<S> {
        Twist::of(se3::dcayinv(u.angular, u.linear, v.angular, v.linear))
    }
    #[inline(always)]
    fn pull_each<V: Vectors>(chart: Chart, u: &[Twist<S>], v: &mut [Twist<S>]) {
        let n = u.len().min(v.len());
        let mut i = 0;
        if chart == Chart::Exp {
            while i + S::width::<V>() <= n {
                let (at, mut wide) = (Twist::gather::<V>(&u[i..n]), Twist::gather::<V>(&v[i..n]));
                Se3::<S::Pack<V>>::pull(chart, &at, &mut wide);
                Twist::scatter::<V>(&wide, &mut v[i..n]);
                i += S::width::<V>();
            }
        }
        while i < n {
            Self::pull(chart, &u[i], &mut v[i]);
            i += 1;
        }
    }
    #[inline(always)]
    fn domain(chart: Chart, u: &Twist<S>) -> Result<(), OutOfChart> {
        rotation_domain(chart, u.angular)
    }
    #[inline(always)]
    fn domain_each<V: Vectors>(chart: Chart, u: &[Twist<S>]) -> Result<(), OutOfChart> {
        if chart == Chart::Exp {
            // Who is outside is asked only if somebody is.
            let limit = S::lift(TAU * TAU);
            let mut inside = S::Mask::splat(true);
            for u in u {
                inside = inside.and(u.angular.norm_squared().lt(limit));
            }
            if inside.all() {
                return Ok(());
            }
        }
        for u in u {
            Self::domain(chart, u)?;
        }
        Ok(())
    }
}

impl<S: Real> Coadjoint for Se3<S> {
    const COADJOINT_SHIFTS: bool = true;
    fn coadjoint_shift(&self, m: &Twist<S>, out: &mut Twist<S>) {
        let turn = Ways::by(&self.rotation);
        let way = turn.way(m.linear);
        out.linear += way;
        out.angular += turn.way(m.angular) + self.position.cross(m.linear + way);
    }
    #[inline(always)]
    fn adjoint_transpose(&self, m: &Twist<S>) -> Twist<S> {
        Twist::new(
            self.rotation.apply_transpose(m.angular - self.position.cross(m.linear)),
            self.rotation.apply_transpose(m.linear),
        )
    }
    #[inline(always)]
    fn ad_transpose(u: &Twist<S>, m: &Twist<S>) -> Twist<S> {
        Twist::of(se3::ad_transpose(u.angular, u.linear, m.angular, m.linear))
    }
    #[inline(always)]
    fn dexp_transpose(u: &Twist<S>, m: &Twist<S>) -> Twist<S> {
        Twist::of(se3::dexp_transpose(u.angular, u.linear, m.angular, m.linear))
    }
    #[inline(always)]
    fn dexpinv_transpose(u: &Twist<S>, m: &Twist<S>) -> Twist<S> {
        Twist::of(se3::dexpinv_transpose(u.angular, u.linear, m.angular, m.linear))
    }
    #[inline(always)]
    fn coadjoint(&self, m: &Twist<S>) -> Twist<S> {
        let g = self.rotation.apply(m.linear);
        Twist::new(self.rotation.apply(m.angular) + self.position.cross(g), g)
    }
}
