//! How far a rotation moves a vector, with digits that the difference of the two does not have.
//!
//! ```text
//! F = cay(k)    k = 2 axial(F)/(1 + tr F)    F v - v = w = k × (v + w/2) = (k × v + k × (k × v)/2) / (1 + |k|²/4)
//! ```
//!
//! Every rotation by less than half a turn is Cayley's map of such a vector. Of a small turn `k` has
//! all its digits, because the parts of `F` that cancel are not asked for, and so has the way `w`: its
//! error is a rounding of the way, not of the vector.
//!
//! Where a body spins steadily all turns are the same, and so would be their errors. Whatever the
//! rounding of `k`, a way that solves its equation is at right angles to the middle of start and end, and
//! lengths and angles are kept. So the closed form is put into the equation twice: of its relative error
//! `e` the first time leaves `e |k|²/2` in the length of the vector, the second time what is of fourth
//! order. What remains are the roundings of the products, which differ from step to step.
use lieflow_kernel::{Mask, Mat3, Real, Vec3};

/// A rotation by the vector of its Cayley map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FineTurn<S: Real> {
    rotation: Mat3<S>,
    /// `k` and `1/(1 + |k|²/4)`, where the angle is below a third of a whole turn.
    cayley: Vec3<S>,
    share: S,
    small: S::Mask,
}

impl<S: Real> FineTurn<S> {
    /// The turn by a rotation whose small entries have all their digits.
    #[inline(always)]
    pub(crate) fn new(rotation: Mat3<S>) -> Self {
        let size = S::one() + rotation.trace();
        let cayley = rotation.axial().times(S::lift(2.0) / size);
        // (1 + tr F)/4 is that share.
        Self { rotation, cayley, share: size * 0.25, small: S::one().lt(size) }
    }

    /// `F v` and the way there from `v`.
    #[inline(always)]
    pub(crate) fn turn(&self, v: Vec3<S>) -> (Vec3<S>, Vec3<S>) {
        let k = self.cayley;
        let across = k.cross(v);
        let way = (across + k.cross(across) * 0.5).times(self.share);
        let way = k.cross(v + way * 0.5);
        let way = k.cross(v + way * 0.5);
        if self.small.all() {
            return (v + way, way);
        }
        let end = self.rotation.apply(v);
        let way = Vec3::select(self.small, way, end - v);
        (v + way, way)
    }
}
