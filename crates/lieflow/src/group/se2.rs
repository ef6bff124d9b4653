//! The Euclidean group SE(2) of the plane: turns and shifts.
//!
//! It is the subgroup of SE(3) that keeps a plane, and its maps are computed there; embedding and
//! restricting cost nothing.
use super::{Coadjoint, CotangentLift, LieAlgebra, LieGroup, Rn, Se3, Twist};
use crate::action::Flat;
use crate::archive::Archive;
use crate::chart::{Chart, OutOfChart, rotation_domain};
use lieflow_kernel::{Mat3, Real, Vec3, vec3};

/// The motion `x -> rotation x + position` of the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Se2<S> {
    /// Cosine of the angle.
    pub cos: S,
    /// Sine of the angle.
    pub sin: S,
    /// Where the origin goes.
    pub position: [S; 2],
}

/// An element of se(2) or, with the same coordinates, of its dual.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarTwist<S> {
    /// Rotational part.
    pub angular: S,
    /// Translational part.
    pub linear: [S; 2],
}

impl<S: Real> PlanarTwist<S> {
    /// The pair (angular, linear).
    #[inline]
    pub fn new(angular: S, linear: [S; 2]) -> Self {
        Self { angular, linear }
    }
    /// The same in space, where the plane is that of the first two axes.
    #[inline]
    fn in_space(&self) -> Twist<S> {
        let o = S::zero();
        Twist::new(vec3(o, o, self.angular), vec3(self.linear[0], self.linear[1], o))
    }
    #[inline]
    fn from_space(u: &Twist<S>) -> Self {
        Self::new(u.angular.z, [u.linear.x, u.linear.y])
    }
}

impl<S: Real> Se2<S> {
    /// `self x` for a point of the plane.
    #[inline]
    pub fn apply(&self, [x, y]: [S; 2]) -> [S; 2] {
        [
            self.cos * x - self.sin * y + self.position[0],
            self.sin * x + self.cos * y + self.position[1],
        ]
    }
    #[inline]
    fn in_space(&self) -> Se3<S> {
        let (o, one) = (S::zero(), S::one());
        let rotation = Mat3::from_rows(
            vec3(self.cos, -self.sin, o),
            vec3(self.sin, self.cos, o),
            vec3(o, o, one),
        );
        Se3 { rotation, position: vec3(self.position[0], self.position[1], o) }
    }
    #[inline]
    fn from_space(g: &Se3<S>) -> Self {
        let Vec3 { x, y, .. } = g.position;
        Self { cos: g.rotation.get(0, 0), sin: g.rotation.get(1, 0), position: [x, y] }
    }
}

impl<S: Real> Flat for PlanarTwist<S> {
    fn distance_squared(&self, other: &Self) -> f64 {
        let list = |u: &Self| Rn([u.angular, u.linear[0], u.linear[1]]);
        list(self).distance_squared(&list(other))
    }
    fn archive(&mut self, archive: &mut Archive) {
        archive.real(&mut self.angular);
        archive.reals(&mut self.linear);
    }
}
impl<S: Real> Flat for Se2<S> {
    fn distance_squared(&self, other: &Self) -> f64 {
        let list = |g: &Self| Rn([g.cos, g.sin, g.position[0], g.position[1]]);
        list(self).distance_squared(&list(other))
    }
    fn archive(&mut self, archive: &mut Archive) {
        archive.real(&mut self.cos);
        archive.real(&mut self.sin);
        archive.reals(&mut self.position);
    }
}

impl<S: Real> LieAlgebra for PlanarTwist<S> {
    type Scalar = S;
    #[inline]
    fn dim(&self) -> usize {
        3
    }
    #[inline]
    fn coord(&self, i: usize) -> S {
        if i == 0 { self.angular } else { self.linear[i - 1] }
    }
    #[inline]
    fn set_coord(&mut self, i: usize, value: S) {
        if i == 0 { self.angular = value } else { self.linear[i - 1] = value }
    }
    #[inline]
    fn zero_like(&self) -> Self {
        Self::new(S::zero(), [S::zero(); 2])
    }
    #[inline]
    fn assign(&mut self, a: f64, x: &Self) {
        *self = Self::new(x.angular * a, [x.linear[0] * a, x.linear[1] * a]);
    }
    #[inline]
    fn axpy(&mut self, a: f64, x: &Self) {
        self.angular += x.angular * a;
        self.linear[0] += x.linear[0] * a;
        self.linear[1] += x.linear[1] * a;
    }
    #[inline]
    fn bracket(&self, x: &Self) -> Self {
        let ([a, b], [c, d]) = (self.linear, x.linear);
        let (p, q) = (self.angular, x.angular);
        Self::new(S::zero(), [q * b - p * d, p * c - q * a])
    }
}

impl<S: Real> LieGroup for Se2<S> {
    type Algebra = PlanarTwist<S>;
    const HAS_CAYLEY: bool = true;

    #[inline]
    fn identity(_: &PlanarTwist<S>) -> Self {
        Self { cos: S::one(), sin: S::zero(), position: [S::zero(); 2] }
    }
    #[inline]
    fn compose(&self, g: &Self) -> Self {
        Self {
            cos: self.cos * g.cos - self.sin * g.sin,
            sin: self.sin * g.cos + self.cos * g.sin,
            position: self.apply(g.position),
        }
    }
    #[inline]
    fn inverse(&self) -> Self {
        let [x, y] = self.position;
        let position = [-(self.cos * x + self.sin * y), self.sin * x - self.cos * y];
        Self { cos: self.cos, sin: -self.sin, position }
    }
    #[inline]
    fn exp(u: &PlanarTwist<S>) -> Self {
        Self::from_space(&Se3::exp(&u.in_space()))
    }
    #[inline]
    fn log(&self) -> PlanarTwist<S> {
        // In the plane the angle has a sign, and half a turn no second axis.
        let angle = vec3(S::zero(), S::zero(), self.sin.atan2(self.cos));
        let position = vec3(self.position[0], self.position[1], S::zero());
        let linear = lieflow_kernel::so3::dexpinv(angle, position);
        PlanarTwist::new(angle.z, [linear.x, linear.y])
    }
    #[inline]
    fn adjoint(&self, v: &PlanarTwist<S>) -> PlanarTwist<S> {
        PlanarTwist::from_space(&self.in_space().adjoint(&v.in_space()))
    }
    #[inline]
    fn dexp(u: &PlanarTwist<S>, v: &PlanarTwist<S>) -> PlanarTwist<S> {
        PlanarTwist::from_space(&Se3::dexp(&u.in_space(), &v.in_space()))
    }
    #[inline]
    fn dexpinv(u: &PlanarTwist<S>, v: &PlanarTwist<S>) -> PlanarTwist<S> {
        PlanarTwist::from_space(&Se3::dexpinv(&u.in_space(), &v.in_space()))
    }
    #[inline]
    fn cay(u: &PlanarTwist<S>) -> Self {
        Self::from_space(&Se3::cay(&u.in_space()))
    }
    #[inline]
    fn dcayinv(u: &PlanarTwist<S>, v: &PlanarTwist<S>) -> PlanarTwist<S> {
        PlanarTwist::from_space(&Se3::dcayinv(&u.in_space(), &v.in_space()))
    }
    #[inline]
    fn domain(chart: Chart, u: &PlanarTwist<S>) -> Result<(), OutOfChart> {
        match chart {
            // One angle, which may be any: no axis comes before another.
            Chart::SecondKind => Ok(()),
            _ => rotation_domain(chart, u.in_space().angular),
        }
    }
}

// A covector of the subalgebra, extended by zero, may be moved in space and restricted again: the
// subalgebra is invariant under Ad and ad of the subgroup.
impl<S: Real> Coadjoint for Se2<S> {
    #[inline]
    fn adjoint_transpose(&self, m: &PlanarTwist<S>) -> PlanarTwist<S> {
        PlanarTwist::from_space(&self.in_space().adjoint_transpose(&m.in_space()))
    }
    #[inline]
    fn ad_transpose(u: &PlanarTwist<S>, m: &PlanarTwist<S>) -> PlanarTwist<S> {
        PlanarTwist::from_space(&Se3::ad_transpose(&u.in_space(), &m.in_space()))
    }
    #[inline]
    fn dexp_transpose(u: &PlanarTwist<S>, m: &PlanarTwist<S>) -> PlanarTwist<S> {
        PlanarTwist::from_space(&Se3::dexp_transpose(&u.in_space(), &m.in_space()))
    }
    #[inline]
    fn dexpinv_transpose(u: &PlanarTwist<S>, m: &PlanarTwist<S>) -> PlanarTwist<S> {
        PlanarTwist::from_space(&Se3::dexpinv_transpose(&u.in_space(), &m.in_space()))
    }
}

impl<S: Real> CotangentLift for Se2<S> {
    fn dexp_transpose_slope(
        u: &PlanarTwist<S>,
        v: &PlanarTwist<S>,
        m: &PlanarTwist<S>,
    ) -> PlanarTwist<S> {
        let (u, v, m) = (u.in_space(), v.in_space(), m.in_space());
        PlanarTwist::from_space(&Se3::dexp_transpose_slope(&u, &v, &m))
    }
}
