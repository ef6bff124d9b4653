//! Spaces whose points are vectors, each turned by a rotation of its own: products of spheres.
use crate::action::{Action, CoadjointAction, Turn};
use crate::group::{AlgebraOf, ScalarOf, So3};
use lieflow_kernel::{Real, Vec3};

/// A product of spaces of vectors, on which SO(3) acts one by one.
pub trait TurnedVectors: Action {
    /// How many vectors a point has.
    fn count(y: &Self::Point) -> usize;
    /// Vector number `i` of a point.
    fn vector(y: &Self::Point, i: usize) -> Vec3<ScalarOf<Self::Group>>;
    /// Replaces it.
    fn set_vector(y: &mut Self::Point, i: usize, v: Vec3<ScalarOf<Self::Group>>);
    /// The generator that turns it.
    fn turn(u: &AlgebraOf<Self::Group>, i: usize) -> Vec3<ScalarOf<Self::Group>>;
}

/// One vector.
macro_rules! one_vector {
    ($space:ty) => {
        impl<S: Real> TurnedVectors for $space {
            fn count(_: &Vec3<S>) -> usize {
                1
            }
            fn vector(y: &Vec3<S>, _: usize) -> Vec3<S> {
                *y
            }
            fn set_vector(y: &mut Vec3<S>, _: usize, v: Vec3<S>) {
                *y = v;
            }
            fn turn(u: &Vec3<S>, _: usize) -> Vec3<S> {
                *u
            }
        }
    };
}
one_vector!(Turn<S>);
one_vector!(CoadjointAction<So3<S>>);

/// Many vectors.
impl<S: Real> TurnedVectors for Vec<Turn<S>> {
    fn count(y: &Vec<Vec3<S>>) -> usize {
        y.len()
    }
    fn vector(y: &Vec<Vec3<S>>, i: usize) -> Vec3<S> {
        y[i]
    }
    fn set_vector(y: &mut Vec<Vec3<S>>, i: usize, v: Vec3<S>) {
        y[i] = v;
    }
    fn turn(u: &Vec<Vec3<S>>, i: usize) -> Vec3<S> {
        u[i]
    }
}
