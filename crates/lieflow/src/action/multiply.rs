//! A group acting on itself from the left.
use super::{Action, Flat};
use crate::chart::Chart;
use crate::group::{AlgebraOf, LieAlgebra, LieGroup};
use core::marker::PhantomData;

/// `g·y = g y`.
#[derive(Clone, Copy, Debug)]
pub struct Multiply<G>(PhantomData<G>);

impl<G: LieGroup + Flat> Action for Multiply<G> {
    type Group = G;
    type Point = G;
    #[inline(always)]
    fn act(g: &G, y: &G) -> G {
        g.compose(y)
    }
    const SHIFTS: bool = G::SHIFTS;
    fn shift(chart: Chart, u: &AlgebraOf<G>, y: &G, out: &mut G) {
        G::map(chart, u).shift(y, out);
    }
    fn group_distance(a: &G, b: &G) -> Option<f64> {
        Some(b.inverse().compose(a).log().norm())
    }
}
