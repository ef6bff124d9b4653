//! A group acting on itself from the left.
use super::Action;
use crate::group::LieGroup;
use std::marker::PhantomData;

/// `g·y = g y`.
#[derive(Clone, Copy, Debug)]
pub struct Multiply<G>(PhantomData<G>);

impl<G: LieGroup> Action for Multiply<G> {
    type Group = G;
    type Point = G;
    #[inline(always)]
    fn act(g: &G, y: &G) -> G {
        g.compose(y)
    }
}
