//! Whether the isotropy is large enough to correct every field.
//!
//! The isotropy algebra at a point is full if
//!
//! ```text
//! [g_y, e] + span{e} + g_y = g         for every e outside g_y
//! ```
//!
//! (Lewis and Olver 2001, section 6): then any method can be made to follow the orbits of any field
//! to one order more. For compact isotropy this says that the isotropy group is transitive on the
//! directions at the point: spheres, projective spaces and Euclidean spaces are full, most others
//! are not.
use super::{Isotropy, least_squares::singular_values};
use crate::group::{AlgebraOf, LieAlgebra, LieGroup};

/// The outcome of the test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fullness {
    /// Dimension of the algebra.
    pub algebra: usize,
    /// Dimension of the isotropy algebra.
    pub isotropy: usize,
    /// The smallest dimension that the sum had among the elements that were tried.
    pub smallest: usize,
    /// Whether it was the whole algebra for all of them.
    pub full: bool,
}

/// Singular values below this fraction of the largest count as zero in a rank.
const RANK: f64 = 1e-9;

/// The test for an isotropy algebra with this basis. The elements that are tried are the basis of
/// a complement, the sums and differences of any two of them, and some without structure: a space
/// that is not full may show it only at special ones.
pub fn fullness<A: LieAlgebra<Scalar = f64>>(like: &A, basis: &[A]) -> Fullness {
    let d = like.dim();
    let mut complement: Vec<A> = Vec::new();
    for j in 0..d {
        let mut e = like.zero_like();
        e.set_coord(j, 1.0);
        // Twice, because once leaves the rounding of the first pass.
        for _ in 0..2 {
            for z in basis.iter().chain(&complement) {
                let along = e.dot(z) / z.dot(z);
                e.axpy(-along, z);
            }
        }
        let size = e.norm();
        if size > 1e-6 {
            let mut unit = e.zero_like();
            unit.assign(1.0 / size, &e);
            complement.push(unit);
        }
    }
    let mut tried = complement.clone();
    for i in 0..complement.len() {
        for j in i + 1..complement.len() {
            for sign in [1.0, -1.0] {
                let mut e = complement[i].clone();
                e.axpy(sign, &complement[j]);
                tried.push(e);
            }
        }
    }
    for k in 0..16 {
        let mut e = like.zero_like();
        for (i, c) in complement.iter().enumerate() {
            e.axpy((1.0 + 2.7 * k as f64 + 1.3 * i as f64 * (k + 1) as f64).sin(), c);
        }
        tried.push(e);
    }
    let smallest = tried.iter().map(|e| rank(e, basis)).min().unwrap_or(basis.len());
    Fullness { algebra: d, isotropy: basis.len(), smallest, full: smallest == d }
}

/// The dimension of `[g_y, e] + span{e} + g_y`.
fn rank<A: LieAlgebra<Scalar = f64>>(e: &A, basis: &[A]) -> usize {
    let d = e.dim();
    let mut columns = Vec::with_capacity((2 * basis.len() + 1) * d);
    let brackets = basis.iter().map(|z| z.bracket(e));
    for x in brackets.chain(core::iter::once(e.clone())).chain(basis.iter().cloned()) {
        columns.extend((0..d).map(|i| x.coord(i)));
    }
    let values = singular_values(d, &mut columns);
    let largest = values.iter().fold(0.0f64, |a, b| a.max(*b));
    values.iter().filter(|s| **s > RANK * largest).count()
}

/// The test at a point of a space.
pub fn is_full<A: Isotropy>(y: &A::Point, like: &AlgebraOf<A::Group>) -> Fullness
where
    A::Group: LieGroup<Algebra: LieAlgebra<Scalar = f64>>,
{
    let mut basis = vec![like.zero_like(); A::isotropy_dim(y)];
    for (i, z) in basis.iter_mut().enumerate() {
        A::isotropy(y, i, z);
    }
    fullness(like, &basis)
}
