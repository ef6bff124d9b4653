//! Laws of every chart: it starts at the identity, and `pull` inverts its differential.
use super::{Checkable, DIFFERENCE, EXACT, Record, charts_of};
use super::{gap, group_gap, pairs, rate, sum, times};
use crate::chart::Chart;
use crate::group::{AlgebraOf, LieAlgebra};

/// The part of the algebra where the laws of a chart are tried.
fn inside<G: Checkable>(chart: Chart, u: &AlgebraOf<G>) -> Option<AlgebraOf<G>> {
    match chart {
        // The series converges quickly, and the second kind is regular, for small u in any group.
        Chart::ExpSeries { .. } | Chart::SecondKind => Some(times(0.5 / (0.5 + u.norm()), u)),
        Chart::Exp | Chart::Cayley | Chart::Stereographic => {
            G::domain(chart, u).is_ok().then(|| u.clone())
        }
    }
}

/// The names of the laws about a chart.
fn laws(chart: Chart) -> [&'static str; 3] {
    match chart {
        Chart::Exp => [
            "chart exp: phi(0) = e",
            "chart exp: pull inverts the differential",
            "chart exp: push and pull are inverse to each other",
        ],
        Chart::ExpSeries { .. } => [
            "chart exp with series: phi(0) = e",
            "chart exp with series: pull inverts the differential",
            "chart exp with series: push and pull are inverse to each other",
        ],
        Chart::Cayley | Chart::Stereographic => [
            "chart cay: phi(0) = e",
            "chart cay: pull inverts the differential",
            "chart cay: push and pull are inverse to each other",
        ],
        Chart::SecondKind => [
            "chart of the second kind: phi(0) = e",
            "chart of the second kind: pull inverts the differential",
            "chart of the second kind: push and pull are inverse to each other",
        ],
    }
}

pub(super) fn check<G: Checkable>(samples: &[AlgebraOf<G>], record: &mut Record) {
    for chart in charts_of(G::HAS_CAYLEY) {
        let [start, differential, inverse] = laws(chart);
        record.expect(differential, DIFFERENCE);
        for u in samples {
            let zero = u.zero_like();
            let error = group_gap(u, &G::map(chart, &zero), &G::identity(u));
            record.note(start, EXACT, error, || "zero".to_owned());
        }
        for (u, v) in pairs(samples) {
            let Some(u) = inside::<G>(chart, u) else { continue };
            let at = || format!("u = {u:?}, v = {v:?}");
            let along = rate(|s| G::map(chart, &sum(&u, s, v)));
            let mut back = along.clone();
            G::pull(chart, &u, &mut back);
            let mut size = v.clone();
            G::pull(chart, &u, &mut size);
            let wild = (1.0 + u.norm()) * (1.0 + v.norm()).powi(2) * (1.0 + size.norm());
            record.note(differential, DIFFERENCE, gap(&back, v) / wild, at);
            let mut forth = size.clone();
            G::push(chart, &u, &mut forth);
            record.note(inverse, EXACT, gap(&forth, v) / (1.0 + size.norm()), at);
        }
    }
    if G::HAS_CAYLEY {
        for (u, v) in pairs(samples) {
            let at = || format!("u = {u:?}, v = {v:?}");
            let g = G::cay(u);
            let error = group_gap(u, &G::cay(&times(-1.0, u)), &g.inverse());
            record.note("cay(-u) = cay(u)^-1", EXACT, error, at);
            let h = G::exp(v);
            let conjugate = h.compose(&g).compose(&h.inverse());
            let error = group_gap(u, &conjugate, &G::cay(&h.adjoint(u)));
            record.note("cay commutes with conjugation", EXACT, error, at);
        }
    }
}
