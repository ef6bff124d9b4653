//! The traits of a mechanical system.
//!
//! A system implements the small traits that it can honour; a method names the one that it needs.
//! [`Generator`] is what the general Lie-group methods ask for.
use crate::action::{Action, Flat};
use crate::archive::Archive;
use crate::chart::Chart;
use crate::group::{AlgebraOf, LieAlgebra, LieGroup, ScalarOf};
use core::fmt::Debug;
use lieflow_kernel::scalar::Apart;
use lieflow_kernel::{Dual, Real};

mod any_field;
mod gradient_flow;
pub mod hamiltonian;
mod integral;
pub mod lagrangian;
mod legendre;
mod phase;
mod potential;
mod quantity;
pub mod spheres;
mod spinning_body;
mod tempo;

pub use any_field::{AnyField, AnyFieldOf, AnyTangent, SmoothSource, Source};
pub use gradient_flow::GradientFlow;
pub use hamiltonian::Hamiltonian;
pub use integral::{FirstIntegrals, Integral};
pub use lagrangian::{Lagrangian, ReducedLagrangian};
pub use legendre::LegendreError;
pub use phase::{Cotangent, Phase};
pub use potential::{Potential, TorqueField, torque_by_duals, torque_derivative_by_duals, varied};
pub use quantity::{Described, MANIFOLD_BOUND, Quantity, Value, Watched};
pub use spinning_body::{
    SpinningBody, body_field_at, body_slope_at, free_slope, lifted_field, lifted_field_at,
};
pub use tempo::{FieldMeter, Meter, Tempo};

/// Something with a state and a place to start.
pub trait Problem {
    /// A state.
    type Point: Clone + Debug;
    /// The initial state.
    fn start(&self) -> Self::Point;
    /// Names all numbers of a state, to be kept in a checkpoint or put back. Unless written, runs of
    /// this problem have none; [`Flat::archive`] does it for the states
    /// of this crate.
    fn archive(&self, y: &mut Self::Point, archive: &mut Archive) {
        let _ = y;
        archive.refuse("its states cannot be kept");
    }
    /// Takes the roundings of many steps out of a state that has left its manifold by them: rotations
    /// become orthogonal, directions of length one, velocities tangent. Whoever drives a run asks for
    /// it [every so many steps](crate::stepping::RESTORED_EVERY). Unless written, states stay as they are.
    fn restore(&self, y: &mut Self::Point) {
        let _ = y;
    }
}

/// `y' = f(t, y)·y`: a field given by an element of the Lie algebra at each point of a manifold on
/// which the group acts.
pub trait Generator: Problem<Point: Flat> {
    /// The action.
    type Space: Action<Point = Self::Point>;
    /// Whether [`Generator::field_at`] or [`Generator::slope_at`] is written.
    const SHORT_CUTS: bool = false;
    /// Whether engines are compiled for speed above all: once more for the tables that most runs
    /// have, and for many steps at a time.
    const HOT: bool = true;
    /// Whether the field depends on time alone: `y' = A(t)·y`, as the methods of
    /// [`magnus`](crate::method::magnus) need it.
    fn is_linear(&self) -> bool {
        false
    }
    /// For problems over numbers side by side, whose lanes are at different times: the times at which fields are asked
    /// for from now on, in place of the time that is passed. Written where the field depends on time.
    #[inline(always)]
    fn set_times(&mut self, t: ScalarOf<GroupOf<Self>>) {
        let _ = t;
    }
    /// `f(t, y)`.
    fn field(&self, t: f64, y: &Self::Point) -> FieldOf<Self>;
    /// `out = f(t, y)`, for systems of run-time size that can write in place.
    #[inline(always)]
    fn field_into(&self, t: f64, y: &Self::Point, out: &mut FieldOf<Self>) {
        *out = self.field(t, y);
    }
    /// `out = f(t, phi(u)·y)`: the field at a stage. What is left in `point` is of no use. Overridden
    /// where the field does not ask for the whole point.
    #[inline(always)]
    fn field_at(&self, at: StageOf<'_, Self>, point: &mut Self::Point, out: &mut FieldOf<Self>) {
        advance::<Self>(at.chart, at.u, at.y, point);
        self.field_into(at.t, point, out);
    }
    /// `out = dphi_u^{-1} f(t, phi(u)·y)`: the field in the chart at `y`. Overridden where the two
    /// maps share work.
    #[inline(always)]
    fn slope_at(&self, at: StageOf<'_, Self>, point: &mut Self::Point, out: &mut FieldOf<Self>) {
        self.field_at(at, point, out);
        pull::<Self>(at, point, out);
    }
    /// All stages of an explicit step but the first, which is known: for fields without a clock that have a shorter way to
    /// all of them, with the bits of [`Generator::slope_at`] after each sum, in a chart that no stage can leave. Unless
    /// it is gone, the answer is no, and nothing is written.
    #[inline(always)]
    fn stages(&self, at: StagesOf<'_, Self>) -> bool {
        let _ = at;
        false
    }
}

/// `out = phi(u)·y` for an engine: compiled into it where the problem is hot, and once for the space
/// elsewhere.
#[inline(always)]
pub fn advance<P: Generator + ?Sized>(
    chart: Chart,
    u: &FieldOf<P>,
    y: &P::Point,
    out: &mut P::Point,
) {
    if const { P::HOT } {
        P::Space::advance(chart, u, y, out);
    } else {
        advance_apart::<P::Space>(chart, u, y, out);
    }
}

/// `out = dphi_u^{-1} out` for the field at a stage, likewise. Only charts of the [space](Action::pull) look at the point.
#[inline(always)]
pub fn pull<P: Generator + ?Sized>(at: StageOf<'_, P>, end: &P::Point, out: &mut FieldOf<P>) {
    let Stage { chart, u, y, .. } = at;
    if const { P::Space::STEREOGRAPHIC } && chart == Chart::Stereographic {
        P::Space::pull(chart, u, y, end, out);
    } else if const { P::HOT } {
        GroupOf::<P>::pull(chart, u, out);
    } else {
        pull_apart::<GroupOf<P>>(chart, u, out);
    }
}

/// Whether the ways of a problem are known with more digits than differences of its states have. Only
/// single numbers without derivatives are asked for them.
pub(crate) const fn shifts<P: Generator>() -> bool {
    P::Space::SHIFTS && crate::method::worth_step_many::<ScalarOf<GroupOf<P>>>()
}

/// `out += phi(u)·y - y` for an engine, if [`shifts`].
pub(crate) fn shift<P: Generator>(chart: Chart, u: &FieldOf<P>, y: &P::Point, out: &mut P::Point) {
    if const { shifts::<P>() } {
        shift_apart::<P::Space>(chart, u, y, out);
    }
}

#[inline(never)]
fn shift_apart<A: Action>(chart: Chart, u: &AlgebraOf<A::Group>, y: &A::Point, out: &mut A::Point) {
    A::shift(chart, u, y, out);
}

#[inline(never)]
fn advance_apart<A: Action>(
    chart: Chart,
    u: &AlgebraOf<A::Group>,
    y: &A::Point,
    out: &mut A::Point,
) {
    if const { ScalarOf::<A::Group>::LANES > 1 } {
        ScalarOf::<A::Group>::apart(Advance::<A> { chart, u, y, out });
    } else {
        A::advance(chart, u, y, out);
    }
}

/// [`Action::advance`], compiled for lanes.
struct Advance<'a, A: Action> {
    chart: Chart,
    u: &'a AlgebraOf<A::Group>,
    y: &'a A::Point,
    out: &'a mut A::Point,
}

impl<A: Action> Apart for Advance<'_, A> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        A::advance(self.chart, self.u, self.y, self.out);
    }
}

#[inline(never)]
fn pull_apart<G: LieGroup>(chart: Chart, u: &AlgebraOf<G>, out: &mut AlgebraOf<G>) {
    if const { ScalarOf::<G>::LANES > 1 } {
        ScalarOf::<G>::apart(Pull::<G> { chart, u, out });
    } else {
        G::pull(chart, u, out);
    }
}

/// [`LieGroup::pull`], compiled for lanes.
struct Pull<'a, G: LieGroup> {
    chart: Chart,
    u: &'a AlgebraOf<G>,
    out: &'a mut AlgebraOf<G>,
}

impl<G: LieGroup> Apart for Pull<'_, G> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        G::pull(self.chart, self.u, self.out);
    }
}

/// A point `phi(u)·y` given by its coordinates in the chart at another one, at some time.
pub struct Stage<'a, A: Action> {
    /// `phi`.
    pub chart: Chart,
    /// The time.
    pub t: f64,
    /// The coordinates.
    pub u: &'a AlgebraOf<A::Group>,
    /// The centre of the chart.
    pub y: &'a A::Point,
}

impl<A: Action> Clone for Stage<'_, A> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<A: Action> Copy for Stage<'_, A> {}

/// The stages of an explicit step from `y` in a chart.
pub struct Stages<'a, A: Action> {
    /// The chart.
    pub chart: Chart,
    /// The step.
    pub h: f64,
    /// The state.
    pub y: &'a A::Point,
    /// The weights `a_ij` of all stages to be found, the first one's too: the coordinates of stage `i` are
    /// `u_i = h sum_j a_ij k_j`.
    pub rows: &'a [&'a [f64]],
    /// The stages `k_j`.
    pub k: &'a mut [AlgebraOf<A::Group>],
}

/// Those on the space of a problem.
pub type StagesOf<'a, P> = Stages<'a, <P as Generator>::Space>;

/// A stage on the space of a problem.
pub type StageOf<'a, P> = Stage<'a, <P as Generator>::Space>;

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

/// A system that can be evaluated over dual numbers with `D` directions, as Newton's method and the
/// curvature of an orbit need it. Implemented for everything with [`Lift`].
pub trait Differentiable<const D: usize>:
    Generator<
    Space: Action<
        Group: LieGroup<Algebra: LieAlgebra<Scalar = <Self as Differentiable<D>>::Scalar>>,
    >,
>
{
    /// The numbers of this system.
    type Scalar: Real;
    /// The same system over dual numbers.
    type Lifted: Generator<
        Space: Action<Group: LieGroup<Algebra: LieAlgebra<Scalar = Dual<Self::Scalar, D>>>>,
    >;
    /// Makes it.
    fn lifted(&self) -> Self::Lifted;
    /// A state over dual numbers.
    fn lifted_point(&self, y: &Self::Point) -> <Self::Lifted as Problem>::Point;
    /// The same in place.
    fn lifted_point_into(&self, y: &Self::Point, out: &mut <Self::Lifted as Problem>::Point);
}

impl<P: Lift, const D: usize> Differentiable<D> for P {
    type Scalar = P::Scalar;
    type Lifted = P::Over<Dual<P::Scalar, D>>;
    fn lifted(&self) -> Self::Lifted {
        self.lift(Dual::constant)
    }
    fn lifted_point(&self, y: &Self::Point) -> <Self::Lifted as Problem>::Point {
        self.lift_point(y, Dual::constant)
    }
    fn lifted_point_into(&self, y: &Self::Point, out: &mut <Self::Lifted as Problem>::Point) {
        self.lift_point_into(y, Dual::constant, out);
    }
}
