//! How far a rotation moves a vector, with digits that the difference of the two does not have.
//!
//! ```text
//! F = cay(k)    k = 2 axial(F)/(1 + tr F)    x = k × v + k × (k × v)/2    F v - v = x - d x    d = |k|²/(4 + |k|²)
//! ```
//!
//! Every rotation by less than half a turn is Cayley's map of such a vector. Of a small turn `k` has
//! all its digits, because the parts of `F` that cancel are not asked for, and so has the way: its error
//! is a rounding of the way, not of the vector.
//!
//! Where a body spins steadily all turns are the same, and so would be their errors. But whatever the
//! rounding of `k`, its Cayley map is a rotation; and the factor `1 - d` is one to the digits of `d`, not
//! of one, so that an error `e` of it leaves `e |k|⁴` in the length of the vector. What remains are the
//! roundings of the products, which differ from step to step.
use lieflow_kernel::{Mask, Mat3, Real, Vec3};

/// A rotation by the vector of its Cayley map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FineTurn<S: Real> {
    rotation: Mat3<S>,
    /// `k` and `d`, where the angle is below a third of a whole turn.
    cayley: Vec3<S>,
    d: S,
    small: S::Mask,
}

impl<S: Real> FineTurn<S> {
    /// The turn by a rotation whose small entries have all their digits.
    #[inline(always)]
    pub(crate) fn new(rotation: Mat3<S>) -> Self {
        let size = S::one() + rotation.trace();
        let cayley = rotation.axial().times(S::lift(2.0) / size);
        let square = cayley.norm_squared();
        let d = square / (S::lift(4.0) + square);
        Self { rotation, cayley, d, small: S::one().lt(size) }
    }

    /// The turn by the inverse of such a rotation.
    #[inline(always)]
    pub(crate) fn back(rotation: &Mat3<S>) -> Self {
        let there = Self::new(*rotation);
        Self { rotation: rotation.transpose(), cayley: -there.cayley, ..there }
    }

    /// Adds the ways of the columns of a matrix.
    pub(crate) fn shift_columns(&self, m: &Mat3<S>, out: &mut Mat3<S>) {
        let [a, b, c] = [0, 1, 2].map(|j| self.turn(m.column(j)).1);
        *out = *out + Mat3::from_columns(a, b, c);
    }

    /// `F v` and the way there from `v`.
    #[inline(always)]
    pub(crate) fn turn(&self, v: Vec3<S>) -> (Vec3<S>, Vec3<S>) {
        let across = self.cayley.cross(v);
        let x = across + self.cayley.cross(across) * 0.5;
        let way = x - x.times(self.d);
        if self.small.all() {
            return (v + way, way);
        }
        let way = Vec3::select(self.small, way, self.rotation.apply(v) - v);
        (v + way, way)
    }
}
