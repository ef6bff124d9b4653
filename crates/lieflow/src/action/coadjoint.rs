//! A group acting on the dual of its algebra; the orbits are the symplectic leaves of a
//! Lie–Poisson system.
use super::{Action, Flat};
use crate::chart::Chart;
use crate::group::{AlgebraOf, Coadjoint};
use core::marker::PhantomData;

/// `g·m = Ad_{g^{-1}}^T m`, with generator `-ad_u^T m`.
#[derive(Clone, Copy, Debug)]
pub struct CoadjointAction<G>(PhantomData<G>);

impl<G: Coadjoint<Algebra: Flat>> Action for CoadjointAction<G> {
    type Group = G;
    type Point = AlgebraOf<G>;
    #[inline(always)]
    fn act(g: &G, m: &AlgebraOf<G>) -> AlgebraOf<G> {
        g.coadjoint(m)
    }
    const SHIFTS: bool = G::COADJOINT_SHIFTS;
    fn shift(chart: Chart, u: &AlgebraOf<G>, m: &AlgebraOf<G>, out: &mut AlgebraOf<G>) {
        G::map(chart, u).coadjoint_shift(m, out);
    }
}
