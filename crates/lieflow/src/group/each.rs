//! Loops over the factors of products of run-time length, for wide vectors.
use super::{AlgebraOf, LieAlgebra, LieGroup};
use crate::chart::{Chart, OutOfChart};
use lieflow_kernel::wide::{VectorWork, Vectors, run_vectorised};

/// Terms that are added in one pass over the factors.
const TERMS: usize = 4;

/// [`LieAlgebra::combine`] in few passes over the factors. Sums are formed in the same order as
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
        let mut terms: [(f64, &[A]); TERMS] = [(0.0, &[]); TERMS];
        let (mut found, mut empty) = (0, true);
        for (w, k) in weights.iter().zip(k) {
            if *w == 0.0 {
                continue;
            }
            terms[found] = (h * w, k);
            found += 1;
            if found == TERMS {
                add(out, &terms, empty);
                (found, empty) = (0, false);
            }
        }
        let [a, b, c, _] = terms;
        match found {
            1 => add(out, &[a], empty),
            2 => add(out, &[a, b], empty),
            3 => add(out, &[a, b, c], empty),
            _ if empty => {
                for (out, k) in out.iter_mut().zip(&k[0]) {
                    out.assign(0.0, k);
                }
            }
            _ => {}
        }
    }
}

/// Adds some terms, or replaces by them.
#[inline(always)]
fn add<A: LieAlgebra, const N: usize>(out: &mut [A], terms: &[(f64, &[A]); N], replace: bool) {
    let mut n = out.len();
    let mut j = 0;
    while j < N {
        n = n.min(terms[j].1.len());
        j += 1;
    }
    let mut lists = *terms;
    j = 0;
    while j < N {
        lists[j].1 = &terms[j].1[..n];
        j += 1;
    }
    let out = &mut out[..n];
    let mut i = 0;
    while i < n {
        let (c, k) = lists[0];
        if replace {
            out[i].assign(c, &k[i]);
        } else {
            out[i].axpy(c, &k[i]);
        }
        let mut j = 1;
        while j < N {
            out[i].axpy(lists[j].0, &lists[j].1[i]);
            j += 1;
        }
        i += 1;
    }
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
