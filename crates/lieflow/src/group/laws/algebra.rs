//! Laws of the algebra: a vector space with coordinates, and a bracket.
use super::{EXACT, Record, gap, pairs, sum, times, triples};
use crate::group::LieAlgebra;

pub(super) fn check<A: LieAlgebra<Scalar = f64>>(samples: &[A], record: &mut Record) {
    for u in samples {
        let at = || format!("u = {u:?}");
        let mut copy = u.zero_like();
        record.note("zero is zero", 0.0, copy.norm(), at);
        for i in 0..u.dim() {
            copy.set_coord(i, u.coord(i));
        }
        record.note("coordinates determine an element", 0.0, gap(u, &copy), at);
        let squares: f64 = (0..u.dim()).map(|i| u.coord(i).powi(2)).sum();
        let size = (squares.sqrt() - u.norm()).abs() / (1.0 + u.norm());
        record.note("the norm is Euclidean in the coordinates", EXACT, size, at);
        record.note("antisymmetry: [u, u] = 0", EXACT, scaled(&u.bracket(u), &[u, u]), at);
        record.note("finite elements say so", 0.0, f64::from(u8::from(!u.finite())), at);
    }
    for (u, v) in pairs(samples) {
        let at = || format!("u = {u:?}, v = {v:?}");
        let combined = sum(&times(-0.7, u), 1.3, v);
        let mut error = 0f64;
        let mut dot = 0.0;
        for i in 0..u.dim() {
            error += (combined.coord(i) - (1.3 * v.coord(i) - 0.7 * u.coord(i))).abs();
            dot += u.coord(i) * v.coord(i);
        }
        let scale = 1.0 + u.norm() + v.norm();
        record.note("sums and multiples act on coordinates", EXACT, error / scale, at);
        let dot = (dot - u.dot(v)).abs() / (scale * scale);
        record.note("the dot product is that of the coordinates", EXACT, dot, at);
        let both = sum(&u.bracket(v), 1.0, &v.bracket(u));
        record.note("antisymmetry: [u, v] = -[v, u]", EXACT, scaled(&both, &[u, v]), at);
        let mut added = u.clone();
        added.axpy_bracket(0.3, u, v);
        let error = gap(&added, &sum(u, 0.3, &u.bracket(v)));
        record.note("axpy_bracket adds a bracket", EXACT, error, at);
    }
    for (u, v, w) in triples(samples) {
        let at = || format!("u = {u:?}, v = {v:?}, w = {w:?}");
        let left = u.bracket(&sum(v, 0.7, w));
        let right = sum(&u.bracket(v), 0.7, &u.bracket(w));
        let error = scaled(&sum(&left, -1.0, &right), &[u, &sum(v, 0.7, w)]);
        record.note("the bracket is linear", EXACT, error, at);
        let jacobi = sum(
            &sum(&u.bracket(&v.bracket(w)), 1.0, &v.bracket(&w.bracket(u))),
            1.0,
            &w.bracket(&u.bracket(v)),
        );
        record.note("Jacobi's identity", EXACT, scaled(&jacobi, &[u, v, w]), at);
    }
}

/// `|x|`, relative to the product of the sizes of what it was made of.
fn scaled<A: LieAlgebra>(x: &A, parts: &[&A]) -> f64 {
    parts.iter().fold(x.norm(), |x, part| x / (1.0 + part.norm()))
}
