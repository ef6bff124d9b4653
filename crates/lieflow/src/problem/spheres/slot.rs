//! Two vectors per sphere: what every algebra element and every state on these spaces is made of.
use crate::action::Link;
use crate::group::{Rn, Twist};
use lieflow_kernel::{Real, Vec3, vec3};

/// Something that holds two vectors.
///
/// Fields are computed in the place where they are wanted, whatever its type, and use that place
/// as their work space: systems of run-time size then need no memory of their own.
pub trait Slot<S: Real>: Clone {
    /// Two zeros.
    fn nothing() -> Self;
    /// The first vector.
    fn first(&self) -> Vec3<S>;
    /// The second vector.
    fn second(&self) -> Vec3<S>;
    /// Replaces the first vector.
    fn set_first(&mut self, v: Vec3<S>);
    /// Replaces the second vector.
    fn set_second(&mut self, v: Vec3<S>);
}

impl<S: Real> Slot<S> for Twist<S> {
    #[inline(always)]
    fn nothing() -> Self {
        Twist::new(Vec3::zero(), Vec3::zero())
    }
    #[inline(always)]
    fn first(&self) -> Vec3<S> {
        self.angular
    }
    #[inline(always)]
    fn second(&self) -> Vec3<S> {
        self.linear
    }
    #[inline(always)]
    fn set_first(&mut self, v: Vec3<S>) {
        self.angular = v;
    }
    #[inline(always)]
    fn set_second(&mut self, v: Vec3<S>) {
        self.linear = v;
    }
}

impl<S: Real> Slot<S> for Link<S> {
    #[inline(always)]
    fn nothing() -> Self {
        Link::new(Vec3::zero(), Vec3::zero())
    }
    #[inline(always)]
    fn first(&self) -> Vec3<S> {
        self.q
    }
    #[inline(always)]
    fn second(&self) -> Vec3<S> {
        self.omega
    }
    #[inline(always)]
    fn set_first(&mut self, v: Vec3<S>) {
        self.q = v;
    }
    #[inline(always)]
    fn set_second(&mut self, v: Vec3<S>) {
        self.omega = v;
    }
}

impl<S: Real> Slot<S> for (Vec3<S>, Rn<S, 3>) {
    #[inline(always)]
    fn nothing() -> Self {
        (Vec3::zero(), Rn::zero())
    }
    #[inline(always)]
    fn first(&self) -> Vec3<S> {
        self.0
    }
    #[inline(always)]
    fn second(&self) -> Vec3<S> {
        Vec3::from(self.1.0)
    }
    #[inline(always)]
    fn set_first(&mut self, v: Vec3<S>) {
        self.0 = v;
    }
    #[inline(always)]
    fn set_second(&mut self, v: Vec3<S>) {
        self.1 = Rn(v.to_array());
    }
}

impl<S: Real> Slot<S> for Rn<S, 6> {
    #[inline(always)]
    fn nothing() -> Self {
        Rn::zero()
    }
    #[inline(always)]
    fn first(&self) -> Vec3<S> {
        vec3(self.0[0], self.0[1], self.0[2])
    }
    #[inline(always)]
    fn second(&self) -> Vec3<S> {
        vec3(self.0[3], self.0[4], self.0[5])
    }
    #[inline(always)]
    fn set_first(&mut self, v: Vec3<S>) {
        [self.0[0], self.0[1], self.0[2]] = v.to_array();
    }
    #[inline(always)]
    fn set_second(&mut self, v: Vec3<S>) {
        [self.0[3], self.0[4], self.0[5]] = v.to_array();
    }
}
