//! An element of the group of some space, with its type forgotten.
use super::{AnyPoint, AnyVector, Space, opened};
use core::any::Any;
use core::fmt::{self, Debug, Formatter};
use lieflow::action::Action;
use lieflow::chart::{Chart, OutOfChart};
use lieflow::group::LieGroup;

/// An element of the group of some space.
pub(crate) struct AnyElement(pub(super) Box<dyn Element>);

/// What methods ask of it.
pub(super) trait Element: Any {
    fn copied(&self) -> AnyElement;
    fn show(&self, f: &mut Formatter<'_>) -> fmt::Result;
    fn compose(&self, g: &AnyElement) -> AnyElement;
    fn inverse(&self) -> AnyElement;
    fn log(&self) -> AnyVector;
    fn adjoint(&self, v: &AnyVector) -> AnyVector;
    fn act(&self, y: &AnyPoint) -> AnyPoint;
}

/// An element of the group of the space `A`.
struct On<A: Action>(A::Group);

impl AnyElement {
    /// An element of the group of the space `A`.
    pub(super) fn new<A: Space>(g: A::Group) -> Self {
        Self(Box::new(On::<A>(g)))
    }
    /// The element, which is one of `A`.
    fn on<A: Space>(&self) -> &A::Group {
        &opened::<On<A>>(self.0.as_ref()).0
    }
}

impl<A: Space> Element for On<A> {
    fn copied(&self) -> AnyElement {
        AnyElement::new::<A>(self.0.clone())
    }
    fn show(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
    fn compose(&self, g: &AnyElement) -> AnyElement {
        AnyElement::new::<A>(self.0.compose(g.on::<A>()))
    }
    fn inverse(&self) -> AnyElement {
        AnyElement::new::<A>(self.0.inverse())
    }
    fn log(&self) -> AnyVector {
        AnyVector::new::<A>(self.0.log())
    }
    fn adjoint(&self, v: &AnyVector) -> AnyVector {
        AnyVector::new::<A>(self.0.adjoint(v.on::<A>()))
    }
    fn act(&self, y: &AnyPoint) -> AnyPoint {
        AnyPoint::new::<A>(A::act(&self.0, y.on::<A>()))
    }
}

impl Clone for AnyElement {
    fn clone(&self) -> Self {
        self.0.copied()
    }
}

impl Debug for AnyElement {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.show(f)
    }
}

impl LieGroup for AnyElement {
    type Algebra = AnyVector;
    /// Asked of the space itself, before a method is made.
    const HAS_CAYLEY: bool = true;

    fn identity(u: &AnyVector) -> Self {
        u.0.identity()
    }
    fn compose(&self, g: &Self) -> Self {
        self.0.compose(g)
    }
    fn inverse(&self) -> Self {
        self.0.inverse()
    }
    fn exp(u: &AnyVector) -> Self {
        u.0.map(Chart::Exp)
    }
    fn log(&self) -> AnyVector {
        self.0.log()
    }
    fn adjoint(&self, v: &AnyVector) -> AnyVector {
        self.0.adjoint(v)
    }
    fn dexp(u: &AnyVector, v: &AnyVector) -> AnyVector {
        u.0.dexp(v)
    }
    fn dexpinv(u: &AnyVector, v: &AnyVector) -> AnyVector {
        pulled(Chart::Exp, u, v)
    }
    fn cay(u: &AnyVector) -> Self {
        u.0.map(Chart::Cayley)
    }
    fn dcayinv(u: &AnyVector, v: &AnyVector) -> AnyVector {
        pulled(Chart::Cayley, u, v)
    }
    fn map(chart: Chart, u: &AnyVector) -> Self {
        u.0.map(chart)
    }
    fn pull(chart: Chart, u: &AnyVector, v: &mut AnyVector) {
        u.0.pull(chart, v);
    }
    fn domain(chart: Chart, u: &AnyVector) -> Result<(), OutOfChart> {
        u.0.domain(chart)
    }
}

/// `dphi_u^{-1} v`.
fn pulled(chart: Chart, u: &AnyVector, v: &AnyVector) -> AnyVector {
    let mut v = v.clone();
    u.0.pull(chart, &mut v);
    v
}
