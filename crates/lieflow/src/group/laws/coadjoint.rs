//! Laws of the transposes on covectors.
use super::{Checkable, EXACT, Record, gap, triples};
use crate::chart::Chart;
use crate::group::{AlgebraOf, Coadjoint, LieAlgebra};

pub(super) fn check<G: Checkable + Coadjoint>(samples: &[AlgebraOf<G>], record: &mut Record) {
    for (u, v, m) in triples(samples) {
        let at = || format!("u = {u:?}, v = {v:?}, m = {m:?}");
        let g = G::exp(u);
        // <f^T m, v> = <m, f v>, relative to the sizes of all that is involved.
        let mut pairing = |law, transpose: AlgebraOf<G>, image: AlgebraOf<G>| {
            let (left, right) = (transpose.dot(v), m.dot(&image));
            let scale = (1.0 + transpose.norm() + m.norm()) * (1.0 + v.norm() + image.norm());
            record.note(law, EXACT, (left - right).abs() / scale, at);
        };
        let law = "Ad^T is the transpose of Ad";
        pairing(law, g.adjoint_transpose(m), g.adjoint(v));
        pairing("ad^T is the transpose of ad", G::ad_transpose(u, m), u.bracket(v));
        let law = "dexp^T is the transpose of dexp";
        pairing(law, G::dexp_transpose(u, m), G::dexp(u, v));
        if G::domain(Chart::Exp, u).is_ok() {
            let law = "dexpinv^T is the transpose of dexpinv";
            pairing(law, G::dexpinv_transpose(u, m), G::dexpinv(u, v));
        }
        let h = G::exp(v);
        let error = gap(&g.coadjoint(m), &g.inverse().adjoint_transpose(m));
        record.note("the coadjoint action is Ad^T of the inverse", EXACT, error, at);
        let error = gap(&g.compose(&h).coadjoint(m), &g.coadjoint(&h.coadjoint(m)));
        record.note("the coadjoint action is a left action", EXACT, error, at);
    }
}
