//! A point of some space, with its type forgotten.
use super::{Space, opened, opened_mut};
use core::any::Any;
use core::fmt::{self, Debug, Formatter};
use lieflow::action::{Action, Flat};

/// A point of some space.
pub(crate) struct AnyPoint(pub(super) Box<dyn Point>);

/// What methods ask of a point.
pub(super) trait Point: Any {
    fn copied(&self) -> AnyPoint;
    fn show(&self, f: &mut Formatter<'_>) -> fmt::Result;
    fn distance_squared(&self, other: &AnyPoint) -> f64;
    fn group_distance(&self, other: &AnyPoint) -> Option<f64>;
}

/// A point of the space `A`.
struct On<A: Action>(A::Point);

impl AnyPoint {
    /// A point of the space `A`.
    pub(super) fn new<A: Space>(y: A::Point) -> Self {
        Self(Box::new(On::<A>(y)))
    }
    /// The point, which is one of `A`.
    pub(super) fn on<A: Space>(&self) -> &A::Point {
        &opened::<On<A>>(self.0.as_ref()).0
    }
    /// The same, to be changed.
    pub(super) fn on_mut<A: Space>(&mut self) -> &mut A::Point {
        &mut opened_mut::<On<A>>(self.0.as_mut()).0
    }
}

impl<A: Space> Point for On<A> {
    fn copied(&self) -> AnyPoint {
        AnyPoint::new::<A>(self.0.clone())
    }
    fn show(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
    fn distance_squared(&self, other: &AnyPoint) -> f64 {
        self.0.distance_squared(other.on::<A>())
    }
    fn group_distance(&self, other: &AnyPoint) -> Option<f64> {
        A::group_distance(&self.0, other.on::<A>())
    }
}

impl Clone for AnyPoint {
    fn clone(&self) -> Self {
        self.0.copied()
    }
}

impl Debug for AnyPoint {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.show(f)
    }
}

impl Flat for AnyPoint {
    fn distance_squared(&self, other: &Self) -> f64 {
        self.0.distance_squared(other)
    }
}
