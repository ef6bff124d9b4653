//! Left actions of groups on manifolds: `e·y = y`, `(gh)·y = g·(h·y)`.
//!
//! Implementors are zero-sized names, such as [`Multiply`] for a group on itself. Products are
//! written like products of groups: pairs, arrays and vectors of actions.
use crate::chart::Chart;
use crate::group::{AlgebraOf, LieGroup};
use core::fmt::Debug;
use lieflow_kernel::wide::Vectors;

mod body_frame;
mod body_turn;
mod coadjoint;
mod congruence;
mod cotangent;
mod embedded;
mod embedded_frame;
mod flat;
pub mod isotropy;
pub mod laws;
mod lifted;
mod lifted_frame;
mod motion;
mod multiply;
mod product;
mod rotate;
mod shift;
pub mod stereographic;
mod stiefel;
mod tangent_sphere;
mod turn;

pub use body_frame::{BodyFrame, BodyState};
pub use body_turn::BodyTurn;
pub use coadjoint::CoadjointAction;
pub use congruence::Congruence;
pub use cotangent::{CotangentRotations, CotangentTranslations};
pub use embedded::Embedded;
pub use embedded_frame::EmbeddedFrame;
pub use flat::Flat;
pub use isotropy::Isotropy;
pub use lifted::Lifted;
pub use lifted_frame::LiftedFrame;
pub use motion::{PlaneMotion, SpaceMotion};
pub use multiply::Multiply;
pub use rotate::{Conjugate, Rotate, Symmetric};
pub use stiefel::{Frame, Stiefel};
pub use tangent_sphere::{Link, TangentSphere};
pub use turn::Turn;

pub(crate) use body_frame::turned;
pub(crate) use lifted::shifted;
pub(crate) use shift::Ways;

/// A left action of a group on a manifold.
pub trait Action {
    /// The group that acts.
    type Group: LieGroup;
    /// The points that are moved.
    type Point: Clone + Debug + Flat;

    /// `g·y`.
    fn act(g: &Self::Group, y: &Self::Point) -> Self::Point;

    /// `out = phi(u)·y`. Overridden where the group element need not be formed, and by products of
    /// run-time length, which write in place.
    #[inline(always)]
    fn advance(chart: Chart, u: &AlgebraOf<Self::Group>, y: &Self::Point, out: &mut Self::Point) {
        *out = Self::act(&Self::Group::map(chart, u), y);
    }

    /// [`Action::advance`] for each of many. Overridden where several at a time are faster.
    #[inline(always)]
    fn advance_each<V: Vectors>(
        chart: Chart,
        u: &[AlgebraOf<Self::Group>],
        y: &[Self::Point],
        out: &mut [Self::Point],
    ) {
        for ((u, y), out) in u.iter().zip(y).zip(out) {
            Self::advance(chart, u, y, out);
        }
    }

    /// Whether [`Action::advance`] and [`Action::pull`] are written for [`Chart::Stereographic`].
    const STEREOGRAPHIC: bool = false;

    /// `v <- dphi_u^{-1} v` for a field `v` at `end = phi(u)·y`. Overridden where a chart leaves out what does not move this point.
    #[inline(always)]
    fn pull(
        chart: Chart,
        u: &AlgebraOf<Self::Group>,
        y: &Self::Point,
        end: &Self::Point,
        v: &mut AlgebraOf<Self::Group>,
    ) {
        let _ = (y, end);
        Self::Group::pull(chart, u, v);
    }

    /// Whether [`Action::shift`] is written.
    const SHIFTS: bool = false;

    /// `out += phi(u)·y - y`, with digits that the difference of the two points does not have: an
    /// error of a rounding of the way, not of the point. Unless written, nothing is added.
    fn shift(chart: Chart, u: &AlgebraOf<Self::Group>, y: &Self::Point, out: &mut Self::Point) {
        let _ = (chart, u, y, out);
    }

    /// Euclidean distance of the numbers of two points, matrix entries included.
    fn distance(a: &Self::Point, b: &Self::Point) -> f64 {
        a.distance_squared(b).sqrt()
    }
    /// `|log(b^{-1} a)|`, where the points are the elements of a group.
    fn group_distance(a: &Self::Point, b: &Self::Point) -> Option<f64> {
        let _ = (a, b);
        None
    }
}
