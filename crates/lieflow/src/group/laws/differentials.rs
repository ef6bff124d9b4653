//! Laws of the differential of the exponential and of its inverse.
use super::{Checkable, DIFFERENCE, EXACT, Record, gap, pairs, rate, sum, times};
use crate::chart::Chart;
use crate::group::{AlgebraOf, LieAlgebra, dexpinv_series};

pub(super) fn check<G: Checkable>(samples: &[AlgebraOf<G>], record: &mut Record) {
    record.expect("dexp and dexpinv are inverse to each other", EXACT);
    for (u, v) in pairs(samples) {
        let at = || format!("u = {u:?}, v = {v:?}");
        let along = rate(|s| G::exp(&sum(u, s, v)));
        let image = G::dexp(u, v);
        let wild = (1.0 + u.norm()) * (1.0 + v.norm()).powi(2);
        let error = gap(&along, &image) / wild;
        record.note("dexp is the derivative of exp", DIFFERENCE, error, at);
        let left = G::exp(u).adjoint(&G::dexp(&times(-1.0, u), v));
        let law = "dexp on the two sides: dexp_u = Ad_exp(u) dexp_-u";
        record.note(law, EXACT, gap(&image, &left), at);
        // The series is exact to rounding here, whatever the group.
        let small = times(0.05 / (0.05 + u.norm()), u);
        let error = gap(&G::dexpinv(&small, v), &dexpinv_series(usize::MAX, &small, v));
        record.note("dexpinv is the Bernoulli series for small u", EXACT, error, at);
        if G::domain(Chart::Exp, u).is_ok() {
            let law = "dexp and dexpinv are inverse to each other";
            let preimage = G::dexpinv(u, v);
            // Near the edge of the domain dexpinv is large; what matters is what comes back.
            let error = gap(&G::dexp(u, &preimage), v) / (1.0 + preimage.norm());
            record.note(law, EXACT, error, at);
            let error = gap(&G::dexpinv(u, &image), v) / (1.0 + preimage.norm());
            record.note(law, EXACT, error, at);
        }
    }
}
