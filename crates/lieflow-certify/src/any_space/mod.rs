//! A space with its type forgotten, so that methods are compiled over dual numbers once for all
//! spaces.
//!
//! A method is compiled for the type of its problem, and with it for the types of points and of
//! algebra elements. Here these are boxes: an [`AnyVector`] knows its space and does whatever a
//! method asks of an algebra, a group or an action by a virtual call; an [`AnyPoint`] is a place on
//! it. What is behind the calls are the functions of the space itself, so a step has the same bits.
//! A certificate makes a few steps, and does not feel the calls.
//!
//! ```text
//! system over dual numbers  ->  Forgotten  ->  AnySystem, for which methods are compiled
//! step of that system       ->  OnAnySpace ->  step from a boxed point
//! ```
use core::any::Any;
use lieflow::action::Action;
use lieflow::chart::Chart;
use lieflow::group::{LieAlgebra, LieGroup};
use lieflow::method::cotangent::structure::Tangent;

mod group;
mod point;
mod system;
mod vector;

pub(crate) use group::AnyElement;
pub(crate) use point::AnyPoint;
pub(crate) use system::on_any_space;
pub(crate) use vector::AnyVector;

/// A space whose type can be forgotten: any one over the numbers of certificates.
pub(crate) trait Space:
    Action<Group: LieGroup<Algebra: LieAlgebra<Scalar = Tangent>>, Point: 'static> + 'static
{
}
impl<A> Space for A where
    A: Action<Group: LieGroup<Algebra: LieAlgebra<Scalar = Tangent>>, Point: 'static> + 'static
{
}

/// The action of whatever group the elements belong to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnySpace;

impl Action for AnySpace {
    type Group = AnyElement;
    type Point = AnyPoint;
    fn act(g: &AnyElement, y: &AnyPoint) -> AnyPoint {
        g.0.act(y)
    }
    fn advance(chart: Chart, u: &AnyVector, y: &AnyPoint, out: &mut AnyPoint) {
        u.0.advance(chart, y, out);
    }
    /// Asked of the space itself, before a method is made.
    const STEREOGRAPHIC: bool = true;
    fn pull(chart: Chart, u: &AnyVector, y: &AnyPoint, end: &AnyPoint, v: &mut AnyVector) {
        u.0.pull_at(chart, y, end, v);
    }
    fn group_distance(a: &AnyPoint, b: &AnyPoint) -> Option<f64> {
        a.0.group_distance(b)
    }
}

/// What is in a box. A step has one space: nothing else can be there.
fn opened<T: 'static>(content: &dyn Any) -> &T {
    match content.downcast_ref() {
        Some(content) => content,
        None => unreachable!("two spaces in one step"),
    }
}

/// The same, to be changed.
fn opened_mut<T: 'static>(content: &mut dyn Any) -> &mut T {
    match content.downcast_mut() {
        Some(content) => content,
        None => unreachable!("two spaces in one step"),
    }
}
