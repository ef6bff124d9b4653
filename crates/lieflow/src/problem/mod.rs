//! The faces of a mechanical system.
//!
//! A system implements the small traits that it can honour; a method names the one that it needs.
//! [`Generator`] is the face of the general Lie-group methods.
use crate::action::Action;
use crate::chart::Chart;
use crate::group::{AlgebraOf, LieAlgebra, LieGroup};
use lieflow_kernel::Real;
use std::fmt::Debug;

pub mod hamiltonian;
mod integral;
pub mod lagrangian;
mod legendre;
mod phase;
mod potential;
mod quantity;
pub mod spheres;
mod spinning_body;

pub use hamiltonian::Hamiltonian;
pub use integral::{FirstIntegrals, Integral};
pub use lagrangian::{Lagrangian, ReducedLagrangian};
pub use legendre::LegendreError;
pub use phase::{Cotangent, Phase};
pub use potential::{Potential, TorqueField, torque_by_duals, torque_derivative_by_duals, varied};
pub use quantity::{Described, Quantity, Value, Watched};
pub use spinning_body::{
    SpinningBody, body_field, body_slope, free_slope, lifted_field, lifted_field_at,
};

/// Something with a state and a place to start.
pub trait Problem {
    /// A state.
    type Point: Clone + Debug;
    /// The initial state.
    fn start(&self) -> Self::Point;
}

/// `y' = f(t, y)·y`: a field given by an element of the Lie algebra at each point of a manifold on
/// which the group acts.
pub trait Generator: Problem {
    /// The action.
    type Space: Action<Point = Self::Point>;
    /// `f(t, y)`.
    fn field(&self, t: f64, y: &Self::Point) -> FieldOf<Self>;
    /// `out = f(t, y)`, for systems of run-time size that can write in place.
    #[inline(always)]
    fn field_into(&self, t: f64, y: &Self::Point, out: &mut FieldOf<Self>) {
        *out = self.field(t, y);
    }
    /// `out = f(t, phi(u)·y)`: the field at the point with the coordinates `u` in the chart at `y`.
    /// What is left in `point` is of no use. Overridden where the field does not ask for the whole
    /// point.
    #[inline(always)]
    fn field_at(
        &self,
        chart: Chart,
        t: f64,
        u: &FieldOf<Self>,
        y: &Self::Point,
        point: &mut Self::Point,
        out: &mut FieldOf<Self>,
    ) {
        Self::Space::advance(chart, u, y, point);
        self.field_into(t, point, out);
    }
    /// `out = dphi_u^{-1} f(t, phi(u)·y)`: the field in the chart at `y`. Overridden where the two
    /// maps share work.
    #[inline(always)]
    fn slope_at(
        &self,
        chart: Chart,
        t: f64,
        u: &FieldOf<Self>,
        y: &Self::Point,
        point: &mut Self::Point,
        out: &mut FieldOf<Self>,
    ) {
        self.field_at(chart, t, u, y, point, out);
        GroupOf::<Self>::pull(chart, u, out);
    }
}

/// The group that moves the points of a problem.
pub type GroupOf<P> = <<P as Generator>::Space as Action>::Group;
/// The algebra in which the field of a problem lies.
pub type FieldOf<P> = AlgebraOf<GroupOf<P>>;

/// A system whose numbers can be exchanged for others, above all for dual numbers: then implicit
/// methods get exact Jacobians, and any step can be differentiated.
pub trait Lift:
    Generator<Space: Action<Group: LieGroup<Algebra: LieAlgebra<Scalar = <Self as Lift>::Scalar>>>>
{
    /// The numbers of this system.
    type Scalar: Real;
    /// The same system over other numbers.
    type Over<T: Real>: Generator<Space: Action<Group: LieGroup<Algebra: LieAlgebra<Scalar = T>>>>;
    /// This system with every number replaced by `embed` of it.
    fn lift<T: Real>(&self, embed: fn(Self::Scalar) -> T) -> Self::Over<T>;
    /// A state with every number replaced by `embed` of it.
    fn lift_point<T: Real>(
        &self,
        y: &Self::Point,
        embed: fn(Self::Scalar) -> T,
    ) -> <Self::Over<T> as Problem>::Point;
    /// The same in place, for systems of run-time size that can write there.
    fn lift_point_into<T: Real>(
        &self,
        y: &Self::Point,
        embed: fn(Self::Scalar) -> T,
        out: &mut <Self::Over<T> as Problem>::Point,
    ) {
        *out = self.lift_point(y, embed);
    }
}
