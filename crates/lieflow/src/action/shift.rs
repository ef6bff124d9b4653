//! How far a rotation moves a vector, with digits that the difference of the two does not have.
//!
//! ```text
//! F = cay(k):     F v - v = k × (v + F v)/2        k = 2 axial(F)/(1 + tr F)
//! ```
//!
//! Every rotation by less than half a turn is Cayley's map of such a vector. Of a small turn `k` has
//! all its digits, because the parts of `F` that cancel are not asked for, and so has the product: its
//! error is a rounding of the way, not of the vector. And whatever the rounding of `k`, the way is at
//! right angles to the middle of start and end, so that lengths and angles are kept without a bias: a
//! million equal turns add up no error of the turn, as a million products with the same matrix do.
use lieflow_kernel::{Mat3, Real, Vec3};

/// A rotation and the vector of its Cayley map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FineTurn<S: Real> {
    rotation: Mat3<S>,
    /// `k`, where the angle is below a third of a whole turn.
    cayley: Vec3<S>,
    small: S::Mask,
}

impl<S: Real> FineTurn<S> {
    /// The turn by a rotation whose small entries have all their digits.
    #[inline(always)]
    pub(crate) fn new(rotation: Mat3<S>) -> Self {
        let size = S::one() + rotation.trace();
        let cayley = rotation.axial().times(S::lift(2.0) / size);
        Self { rotation, cayley, small: S::one().lt(size) }
    }

    /// `F v` and the way there from `v`.
    #[inline(always)]
    pub(crate) fn turn(&self, v: Vec3<S>) -> (Vec3<S>, Vec3<S>) {
        let end = self.rotation.apply(v);
        let way = self.cayley.cross((v + end) * 0.5);
        (end, Vec3::select(self.small, way, end - v))
    }
}
