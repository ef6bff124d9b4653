//! How far a rotation moves a vector, with digits that the difference of the two does not have.
//!
//! ```text
//! F = (w, v), a unit quaternion, w >= 0    F x - x = a + (v × a - m a)    a = 2 v × x    m = 1 - w = |v|²/(1 + w)
//! ```
//!
//! Of a small turn `v` has all its digits, because the quaternion's parts that cancel are not asked for, and so has
//! the way: its error is a rounding of the way, not of the vector.
//!
//! Where a body spins steadily all turns are the same, and so would be their errors. But whatever the
//! rounding of `v`, with `m` of that `v` it is a rotation; and `m` is small, so that an error `e` of it leaves
//! `2 e |v|⁴` in the length of the vector. What remains are the roundings of the products, which differ from step
//! to step.
use super::BodyState;
use crate::chart::Chart;
use lieflow_kernel::{Mask, Mat3, Quat, Real, Vec3, so3};

/// A rotation by its quaternion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ways<S: Real> {
    half: Vec3<S>,
    whole: Vec3<S>,
    miss: S,
}

impl<S: Real> Ways<S> {
    /// The turn by a quaternion whose norm is one to rounding, and whose small vector has all its digits.
    #[inline(always)]
    pub(crate) fn new(mut turn: Quat<S>) -> Self {
        let far = turn.w.lt(S::zero());
        if far.any() {
            turn = Quat::select(far, Quat { w: -turn.w, v: -turn.v }, turn);
        }
        let Quat { w, v } = turn;
        Self { half: v, whole: v * 2.0, miss: v.norm_squared() / (S::one() + w) }
    }

    /// The turn by the inverse of such a quaternion.
    #[inline(always)]
    pub(crate) fn back(turn: Quat<S>) -> Self {
        Self::new(Quat { v: -turn.v, ..turn })
    }

    /// The turn by a rotation whose small entries have all their digits.
    pub(crate) fn by(rotation: &Mat3<S>) -> Self {
        Self::new(Quat::from_matrix(rotation))
    }

    /// The turn by a chart of the rotations.
    #[inline(always)]
    pub(crate) fn in_chart(chart: Chart, u: Vec3<S>) -> Self {
        Self::new(match chart {
            Chart::Exp | Chart::ExpSeries { .. } => Quat::exp(u),
            Chart::Cayley | Chart::Stereographic => Quat::cay(u),
            Chart::SecondKind => Quat::from_matrix(&so3::second_kind(u)),
        })
    }

    /// Adds the ways of the columns of a matrix.
    pub(crate) fn shift_columns(&self, m: &Mat3<S>, out: &mut Mat3<S>) {
        let [a, b, c] = [0, 1, 2].map(|j| self.way(m.column(j)));
        *out = *out + Mat3::from_columns(a, b, c);
    }

    /// The ways of the rows of an attitude.
    #[inline(always)]
    pub(crate) fn ways(&self, r: &Mat3<S>) -> Mat3<S> {
        let [a, b, c] = r.rows;
        Mat3::from_rows(self.way(a), self.way(b), self.way(c))
    }

    /// Those of rows and momentum of a body.
    #[inline(always)]
    pub(crate) fn ways_of_body(&self, y: &BodyState<S>) -> BodyState<S> {
        BodyState::new(self.ways(&y.rotation), self.way(y.momentum))
    }

    /// `F x - x`.
    #[inline(always)]
    pub(crate) fn way(&self, x: Vec3<S>) -> Vec3<S> {
        let across = self.whole.cross(x);
        across + (self.half.cross(across) - across.times(self.miss))
    }
}
