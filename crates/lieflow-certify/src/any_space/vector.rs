//! An element of the algebra of some space, with its type forgotten.
use super::{AnyElement, AnyPoint, Space, opened, opened_mut};
use core::any::Any;
use core::fmt::{self, Debug, Formatter};
use lieflow::action::Action;
use lieflow::chart::{Chart, OutOfChart};
use lieflow::group::{AlgebraOf, LieAlgebra, LieGroup};
use lieflow::method::cotangent::structure::Tangent;

/// An element of the algebra of some space.
pub(crate) struct AnyVector(pub(super) Box<dyn Vector>);

/// What methods ask of an element of an algebra, of its group and of the action of that.
pub(super) trait Vector: Any {
    fn copied(&self) -> AnyVector;
    fn show(&self, f: &mut Formatter<'_>) -> fmt::Result;
    fn dim(&self) -> usize;
    fn coord(&self, i: usize) -> Tangent;
    fn set_coord(&mut self, i: usize, value: Tangent);
    fn zero_like(&self) -> AnyVector;
    fn assign(&mut self, a: f64, x: &AnyVector);
    fn axpy(&mut self, a: f64, x: &AnyVector);
    fn bracket(&self, x: &AnyVector) -> AnyVector;
    fn dot(&self, x: &AnyVector) -> Tangent;
    fn finite(&self) -> bool;

    fn identity(&self) -> AnyElement;
    fn map(&self, chart: Chart) -> AnyElement;
    fn dexp(&self, v: &AnyVector) -> AnyVector;
    fn pull(&self, chart: Chart, v: &mut AnyVector);
    fn domain(&self, chart: Chart) -> Result<(), OutOfChart>;

    fn advance(&self, chart: Chart, y: &AnyPoint, out: &mut AnyPoint);
    fn pull_at(&self, chart: Chart, y: &AnyPoint, end: &AnyPoint, v: &mut AnyVector);
}

/// An element of the algebra of the space `A`.
struct On<A: Action>(AlgebraOf<A::Group>);

impl AnyVector {
    /// An element of the algebra of the space `A`.
    pub(super) fn new<A: Space>(u: AlgebraOf<A::Group>) -> Self {
        Self(Box::new(On::<A>(u)))
    }
    /// The element, which is one of `A`.
    pub(super) fn on<A: Space>(&self) -> &AlgebraOf<A::Group> {
        &opened::<On<A>>(self.0.as_ref()).0
    }
    /// The same, to be changed.
    pub(super) fn on_mut<A: Space>(&mut self) -> &mut AlgebraOf<A::Group> {
        &mut opened_mut::<On<A>>(self.0.as_mut()).0
    }
}

impl<A: Space> Vector for On<A> {
    fn copied(&self) -> AnyVector {
        AnyVector::new::<A>(self.0.clone())
    }
    fn show(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
    fn dim(&self) -> usize {
        self.0.dim()
    }
    fn coord(&self, i: usize) -> Tangent {
        self.0.coord(i)
    }
    fn set_coord(&mut self, i: usize, value: Tangent) {
        self.0.set_coord(i, value);
    }
    fn zero_like(&self) -> AnyVector {
        AnyVector::new::<A>(self.0.zero_like())
    }
    fn assign(&mut self, a: f64, x: &AnyVector) {
        self.0.assign(a, x.on::<A>());
    }
    fn axpy(&mut self, a: f64, x: &AnyVector) {
        self.0.axpy(a, x.on::<A>());
    }
    fn bracket(&self, x: &AnyVector) -> AnyVector {
        AnyVector::new::<A>(self.0.bracket(x.on::<A>()))
    }
    fn dot(&self, x: &AnyVector) -> Tangent {
        self.0.dot(x.on::<A>())
    }
    fn finite(&self) -> bool {
        self.0.finite()
    }

    fn identity(&self) -> AnyElement {
        AnyElement::new::<A>(A::Group::identity(&self.0))
    }
    fn map(&self, chart: Chart) -> AnyElement {
        AnyElement::new::<A>(A::Group::map(chart, &self.0))
    }
    fn dexp(&self, v: &AnyVector) -> AnyVector {
        AnyVector::new::<A>(A::Group::dexp(&self.0, v.on::<A>()))
    }
    fn pull(&self, chart: Chart, v: &mut AnyVector) {
        A::Group::pull(chart, &self.0, v.on_mut::<A>());
    }
    fn domain(&self, chart: Chart) -> Result<(), OutOfChart> {
        A::Group::domain(chart, &self.0)
    }

    fn advance(&self, chart: Chart, y: &AnyPoint, out: &mut AnyPoint) {
        A::advance(chart, &self.0, y.on::<A>(), out.on_mut::<A>());
    }
    fn pull_at(&self, chart: Chart, y: &AnyPoint, end: &AnyPoint, v: &mut AnyVector) {
        A::pull(chart, &self.0, y.on::<A>(), end.on::<A>(), v.on_mut::<A>());
    }
}

impl Clone for AnyVector {
    fn clone(&self) -> Self {
        self.0.copied()
    }
}

impl Debug for AnyVector {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.show(f)
    }
}

impl LieAlgebra for AnyVector {
    type Scalar = Tangent;
    fn dim(&self) -> usize {
        self.0.dim()
    }
    fn coord(&self, i: usize) -> Tangent {
        self.0.coord(i)
    }
    fn set_coord(&mut self, i: usize, value: Tangent) {
        self.0.set_coord(i, value);
    }
    fn zero_like(&self) -> Self {
        self.0.zero_like()
    }
    fn assign(&mut self, a: f64, x: &Self) {
        self.0.assign(a, x);
    }
    fn axpy(&mut self, a: f64, x: &Self) {
        self.0.axpy(a, x);
    }
    fn bracket(&self, x: &Self) -> Self {
        self.0.bracket(x)
    }
    fn dot(&self, x: &Self) -> Tangent {
        self.0.dot(x)
    }
    fn finite(&self) -> bool {
        self.0.finite()
    }
}
