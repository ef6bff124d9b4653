//! The Euclidean groups moving points: SE(2) on the plane and SE(3) on space.
use super::Action;
use crate::group::{Rn, Se2, Se3};
use core::marker::PhantomData;
use lieflow_kernel::{Real, Vec3};

/// `(R, r)·x = R x + r` in the plane.
#[derive(Clone, Copy, Debug)]
pub struct PlaneMotion<S>(PhantomData<S>);

impl<S: Real> Action for PlaneMotion<S> {
    type Group = Se2<S>;
    type Point = Rn<S, 2>;
    #[inline(always)]
    fn act(g: &Se2<S>, x: &Rn<S, 2>) -> Rn<S, 2> {
        Rn(g.apply(x.0))
    }
}

/// `(R, r)·x = R x + r` in space.
#[derive(Clone, Copy, Debug)]
pub struct SpaceMotion<S>(PhantomData<S>);

impl<S: Real> Action for SpaceMotion<S> {
    type Group = Se3<S>;
    type Point = Vec3<S>;
    #[inline(always)]
    fn act(g: &Se3<S>, x: &Vec3<S>) -> Vec3<S> {
        g.rotation.apply(*x) + g.position
    }
}
