//! Laws of the group: product, inverse, exponential, adjoint map.
use super::{Checkable, DIFFERENCE, EXACT, Record, STEP};
use super::{gap, group_gap, pairs, sum, times, triples};
use crate::group::{AlgebraOf, LieAlgebra};

/// Below this norm no rotation reaches half a turn, so the logarithm has to give the element back.
const PRINCIPAL: f64 = 3.0;

pub(super) fn check<G: Checkable>(samples: &[AlgebraOf<G>], record: &mut Record) {
    for u in samples {
        let at = || format!("u = {u:?}");
        let unit = G::identity(u);
        let g = G::exp(u);
        let mut same = |law, a: &G, b: &G| record.note(law, EXACT, group_gap(u, a, b), at);
        same("identity: e g = g = g e", &unit.compose(&g), &g);
        same("identity: e g = g = g e", &g.compose(&unit), &g);
        same("inverse: g g^-1 = e = g^-1 g", &g.compose(&g.inverse()), &unit);
        same("inverse: g g^-1 = e = g^-1 g", &g.inverse().compose(&g), &unit);
        same("exp(0) = e", &G::exp(&u.zero_like()), &unit);
        same("exp(-u) = exp(u)^-1", &G::exp(&times(-1.0, u)), &g.inverse());
        let parts = G::exp(&times(0.3, u)).compose(&G::exp(&times(0.7, u)));
        same("one-parameter subgroup: exp(su) exp(tu) = exp((s+t)u)", &parts, &g);
        same("exp(log g) = g", &G::exp(&g.log()), &g);
        if u.norm() < PRINCIPAL {
            record.note("log(exp u) = u", EXACT, gap(&g.log(), u), at);
        }
    }
    for (u, v) in pairs(samples) {
        let at = || format!("u = {u:?}, v = {v:?}");
        let g = G::exp(u);
        let moved = g.adjoint(v);
        let conjugate = g.compose(&G::exp(v)).compose(&g.inverse());
        let error = group_gap(u, &conjugate, &G::exp(&moved));
        record.note("Ad is conjugation: g exp(v) g^-1 = exp(Ad_g v)", EXACT, error, at);
        let back = g.inverse().adjoint(&moved);
        record.note("Ad of the inverse is the inverse of Ad", EXACT, gap(&back, v), at);
        let turned = |s: f64| G::exp(&times(s, u)).adjoint(v);
        let slope = times(0.5 / STEP, &sum(&turned(STEP), -1.0, &turned(-STEP)));
        let error = gap(&slope, &u.bracket(v)) / (1.0 + u.norm()).powi(3);
        record.note("ad is the derivative of Ad", DIFFERENCE, error, at);
    }
    for (u, v, w) in triples(samples) {
        let at = || format!("u = {u:?}, v = {v:?}, w = {w:?}");
        let (g, h, k) = (G::exp(u), G::exp(v), G::exp(w));
        let error = group_gap(u, &g.compose(&h).compose(&k), &g.compose(&h.compose(&k)));
        record.note("associativity: (gh)k = g(hk)", EXACT, error, at);
        let error = gap(&g.compose(&h).adjoint(w), &g.adjoint(&h.adjoint(w)));
        record.note("Ad is a homomorphism: Ad_gh = Ad_g Ad_h", EXACT, error, at);
        let error = gap(&g.adjoint(&v.bracket(w)), &g.adjoint(v).bracket(&g.adjoint(w)));
        record.note("Ad keeps brackets: Ad_g [v, w] = [Ad_g v, Ad_g w]", EXACT, error, at);
        let error = gap(&g.adjoint(&sum(v, -0.4, w)), &sum(&g.adjoint(v), -0.4, &g.adjoint(w)));
        record.note("Ad is linear", EXACT, error, at);
    }
}
