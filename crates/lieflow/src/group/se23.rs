//! The group SE₂(3) of extended poses: rotation, velocity and position, as inertial navigation keeps
//! them. Its maps are closed forms of the kernel.
use super::{Coadjoint, CotangentLift, LieAlgebra, LieGroup};
use crate::action::Flat;
use crate::archive::Archive;
use crate::chart::{Chart, OutOfChart, rotation_domain};
use lieflow_kernel::{Real, Vec3, se23};

/// A rotation, a velocity and a position; `(R, v, p)(R', v', p') = (R R', R v' + v, R p' + p)`.
#[doc(alias = "ExtendedPose")]
#[doc(alias = "NavState")]
pub type Se23<S> = se23::Pose<S>;

/// An element of the algebra of [`Se23`] or, with the same coordinates, of its dual: three coordinates
/// of the rotation, three of the velocity, three of the position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExtendedTwist<S>(pub [S; 9]);

impl<S: Real> ExtendedTwist<S> {
    /// From its three parts.
    #[inline]
    pub fn new(angular: Vec3<S>, velocity: Vec3<S>, position: Vec3<S>) -> Self {
        let (a, b, c) = (angular, velocity, position);
        Self([a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z])
    }
    /// The part of the rotation.
    #[inline]
    pub fn angular(&self) -> Vec3<S> {
        let [x, y, z, ..] = self.0;
        Vec3::from([x, y, z])
    }
    /// The part of the velocity.
    #[inline]
    pub fn velocity(&self) -> Vec3<S> {
        let [_, _, _, x, y, z, ..] = self.0;
        Vec3::from([x, y, z])
    }
    /// The part of the position.
    #[inline]
    pub fn position(&self) -> Vec3<S> {
        let [.., x, y, z] = self.0;
        Vec3::from([x, y, z])
    }
}

crate::flat!(Se23 { rotation, velocity, position });
impl<S: Real> Flat for ExtendedTwist<S> {
    fn distance_squared(&self, other: &Self) -> f64 {
        super::Rn(self.0).distance_squared(&super::Rn(other.0))
    }
    fn archive(&mut self, archive: &mut Archive) {
        archive.reals(&mut self.0);
    }
}

impl<S: Real> LieAlgebra for ExtendedTwist<S> {
    type Scalar = S;
    #[inline]
    fn dim(&self) -> usize {
        9
    }
    #[inline]
    fn coord(&self, i: usize) -> S {
        self.0[i]
    }
    #[inline]
    fn set_coord(&mut self, i: usize, value: S) {
        self.0[i] = value;
    }
    #[inline]
    fn zero_like(&self) -> Self {
        Self([S::zero(); 9])
    }
    #[inline]
    fn assign(&mut self, a: f64, x: &Self) {
        for (y, x) in self.0.iter_mut().zip(x.0) {
            *y = x * a;
        }
    }
    #[inline]
    fn axpy(&mut self, a: f64, x: &Self) {
        for (y, x) in self.0.iter_mut().zip(x.0) {
            *y += x * a;
        }
    }
    #[inline]
    fn bracket(&self, x: &Self) -> Self {
        Self(se23::ad(self.0, x.0))
    }
}

impl<S: Real> LieGroup for Se23<S> {
    type Algebra = ExtendedTwist<S>;
    const HAS_CAYLEY: bool = true;

    #[inline]
    fn identity(_: &ExtendedTwist<S>) -> Self {
        se23::identity()
    }
    #[inline]
    fn compose(&self, g: &Self) -> Self {
        se23::compose(self, g)
    }
    #[inline]
    fn inverse(&self) -> Self {
        se23::inverse(self)
    }
    #[inline]
    fn exp(u: &ExtendedTwist<S>) -> Self {
        se23::exp(u.0)
    }
    #[inline]
    fn log(&self) -> ExtendedTwist<S> {
        ExtendedTwist(se23::log(self))
    }
    #[inline]
    fn adjoint(&self, v: &ExtendedTwist<S>) -> ExtendedTwist<S> {
        ExtendedTwist(se23::adjoint(self, v.0))
    }
    #[inline]
    fn dexp(u: &ExtendedTwist<S>, v: &ExtendedTwist<S>) -> ExtendedTwist<S> {
        ExtendedTwist(se23::dexp(u.0, v.0))
    }
    #[inline]
    fn dexpinv(u: &ExtendedTwist<S>, v: &ExtendedTwist<S>) -> ExtendedTwist<S> {
        ExtendedTwist(se23::dexpinv(u.0, v.0))
    }
    #[inline]
    fn cay(u: &ExtendedTwist<S>) -> Self {
        se23::cay(u.0)
    }
    #[inline]
    fn dcayinv(u: &ExtendedTwist<S>, v: &ExtendedTwist<S>) -> ExtendedTwist<S> {
        ExtendedTwist(se23::dcayinv(u.0, v.0))
    }
    #[inline]
    fn domain(chart: Chart, u: &ExtendedTwist<S>) -> Result<(), OutOfChart> {
        rotation_domain(chart, u.angular())
    }
}

impl<S: Real> Coadjoint for Se23<S> {
    #[inline]
    fn adjoint_transpose(&self, m: &ExtendedTwist<S>) -> ExtendedTwist<S> {
        let back = |x: Vec3<S>| self.rotation.apply_transpose(x);
        let levers = self.velocity.cross(m.velocity()) + self.position.cross(m.position());
        ExtendedTwist::new(back(m.angular() - levers), back(m.velocity()), back(m.position()))
    }
    #[inline]
    fn ad_transpose(u: &ExtendedTwist<S>, m: &ExtendedTwist<S>) -> ExtendedTwist<S> {
        ExtendedTwist(se23::ad_transpose(u.0, m.0))
    }
    #[inline]
    fn dexp_transpose(u: &ExtendedTwist<S>, m: &ExtendedTwist<S>) -> ExtendedTwist<S> {
        ExtendedTwist(se23::dexp_transpose(u.0, m.0))
    }
    #[inline]
    fn dexpinv_transpose(u: &ExtendedTwist<S>, m: &ExtendedTwist<S>) -> ExtendedTwist<S> {
        ExtendedTwist(se23::dexpinv_transpose(u.0, m.0))
    }
}

impl<S: Real> CotangentLift for Se23<S> {}
