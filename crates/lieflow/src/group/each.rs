//! Loops over the factors of products of run-time length, for wide vectors.
use super::{AlgebraOf, LieAlgebra, LieGroup};
use crate::chart::{Chart, OutOfChart};
use lieflow_kernel::Real;
use lieflow_kernel::wide::{VectorWork, Vectors, run_vectorised};

/// Terms that are added in one pass over the factors: as many as a table has stages.
const TERMS: usize = 12;
/// Factors whose sums are formed side by side, so that none waits for its last term.
const SIDE_BY_SIDE: usize = 4;

/// [`LieAlgebra::combine`] in one pass over the factors. Sums are formed in the same order as
/// term by term.
#[inline(always)]
pub(super) fn combine<A: LieAlgebra>(out: &mut [A], h: f64, weights: &[f64], k: &[Vec<A>]) {
    run_vectorised::<A::Scalar, _>(Combine { out, h, weights, k });
}

struct Combine<'a, A> {
    out: &'a mut [A],
    h: f64,
    weights: &'a [f64],
    k: &'a [Vec<A>],
}

impl<A: LieAlgebra> VectorWork for Combine<'_, A> {
    type Output = ();
    #[inline(always)]
    fn run<V: Vectors>(self) {
        let Self { out, h, weights, k } = self;
        if const { !core::mem::needs_drop::<A>() && A::Scalar::PACKS } {
            let done = match out.len() {
                1 => few::<A, 1>(out, h, weights, k),
                2 => few::<A, 2>(out, h, weights, k),
                3 => few::<A, 3>(out, h, weights, k),
                _ => false,
            };
            if done {
                return;
            }
        }
        let (mut factors, mut lists): ([f64; TERMS], [&[A]; TERMS]) = ([0.0; TERMS], [&[]; TERMS]);
        let (mut found, mut replace) = (0, true);
        let stages = weights.len().min(k.len());
        let mut j = 0;
        while j < stages {
            if weights[j] != 0.0 {
                (factors[found], lists[found]) = (h * weights[j], &k[j]);
                found += 1;
            }
            j += 1;
            if found == TERMS || (j == stages && found > 0) {
                add(out, &factors[..found], &lists[..found], replace);
                (found, replace) = (0, false);
            }
        }
        if replace {
            for (out, k) in out.iter_mut().zip(&k[0]) {
                out.assign(0.0, k);
            }
        }
    }
}

/// The same for so few factors that to list the terms first takes longer than to add them. Nothing is done, and the answer
/// is no, if there are none.
#[inline(always)]
fn few<A: LieAlgebra, const N: usize>(
    out: &mut [A],
    h: f64,
    weights: &[f64],
    k: &[Vec<A>],
) -> bool {
    let Some(out) = out.first_chunk_mut::<N>() else { return false };
    let mut sums = out.clone();
    let mut first = true;
    for (weight, k) in weights.iter().zip(k) {
        let Some(k) = k.first_chunk::<N>() else { return false };
        if *weight == 0.0 {
            continue;
        }
        let mut l = 0;
        while l < N {
            if first {
                sums[l].assign(h * *weight, &k[l]);
            } else {
                sums[l].axpy(h * *weight, &k[l]);
            }
            l += 1;
        }
        first = false;
    }
    if !first {
        *out = sums;
    }
    !first
}

/// Adds some terms, or replaces by them.
#[inline(always)]
fn add<A: LieAlgebra>(out: &mut [A], factors: &[f64], lists: &[&[A]], replace: bool) {
    let mut i = 0;
    // What is not on the heap is summed up in registers, where several trajectories side by side leave no room.
    if const { !core::mem::needs_drop::<A>() && A::Scalar::LANES == 1 } {
        let (blocks, _) = out.as_chunks_mut::<SIDE_BY_SIDE>();
        while i < blocks.len() {
            some(&mut blocks[i], factors, lists, i, replace);
            i += 1;
        }
        i *= SIDE_BY_SIDE;
    }
    let (rest, _) = out.as_chunks_mut::<1>();
    while i < rest.len() {
        some(&mut rest[i], factors, lists, i, replace);
        i += 1;
    }
}

/// The same for block `b` of `N` factors each.
#[inline(always)]
fn some<A: LieAlgebra, const N: usize>(
    out: &mut [A; N],
    factors: &[f64],
    lists: &[&[A]],
    b: usize,
    replace: bool,
) {
    let mut sums = out.clone();
    let mut j = 0;
    while j < factors.len().min(lists.len()) {
        let Some(list) = lists[j].as_chunks::<N>().0.get(b) else { return };
        let mut l = 0;
        while l < N {
            if replace && j == 0 {
                sums[l].assign(factors[j], &list[l]);
            } else {
                sums[l].axpy(factors[j], &list[l]);
            }
            l += 1;
        }
        j += 1;
    }
    *out = sums;
}

/// [`LieGroup::pull`] of all factors.
pub(super) struct Pull<'a, G: LieGroup> {
    pub chart: Chart,
    pub u: &'a [AlgebraOf<G>],
    pub v: &'a mut [AlgebraOf<G>],
}

impl<G: LieGroup> VectorWork for Pull<'_, G> {
    type Output = ();
    #[inline(always)]
    fn run<V: Vectors>(self) {
        G::pull_each::<V>(self.chart, self.u, self.v);
    }
}

/// [`LieGroup::domain`] of all factors.
pub(super) struct Domain<'a, G: LieGroup> {
    pub chart: Chart,
    pub u: &'a [AlgebraOf<G>],
}

impl<G: LieGroup> VectorWork for Domain<'_, G> {
    type Output = Result<(), OutOfChart>;
    #[inline(always)]
    fn run<V: Vectors>(self) -> Self::Output {
        G::domain_each::<V>(self.chart, self.u)
    }
}
