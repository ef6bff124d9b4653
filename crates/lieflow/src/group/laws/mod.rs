//! The laws that a group must obey, as a test that any group can be put to.
//!
//! ```
//! use lieflow::group::{laws, So3};
//! use lieflow::vec3;
//! let samples = [vec3(0.0, 0.0, 0.0), vec3(0.1, -0.4, 0.2), vec3(1.9, 0.3, -0.7)];
//! let report = laws::check::<So3<f64>>(&samples).unwrap();
//! assert!(report.worst() < 1.0);
//! ```
//!
//! Samples are elements of the algebra; group elements are their exponentials. Good samples
//! include zero, small ones, and some near the edge of the charts. Every law is tried on many
//! combinations of samples, and one that fails names itself, with the numbers.
use super::{AlgebraOf, Coadjoint, LieAlgebra, LieGroup};
use crate::action::Flat;

mod algebra;
mod charts;
mod coadjoint;
mod differentials;
mod record;
mod structure;

pub use record::{Finding, LawError, Report};
pub(crate) use record::{Record, charts_of};

/// Laws that hold to rounding: what may be lost in a chain of operations of moderate condition.
pub(crate) const EXACT: f64 = 1e-12;
/// Laws that are compared with central differences of step [`STEP`].
pub(crate) const DIFFERENCE: f64 = 1e-8;
/// The step of differences: its square and the rounding over it are both below 1e-10.
pub(crate) const STEP: f64 = 1e-5;

/// A group that can be checked: its elements can be compared, its numbers are `f64`.
pub trait Checkable: LieGroup<Algebra: LieAlgebra<Scalar = f64>> + Flat {}
impl<G: LieGroup<Algebra: LieAlgebra<Scalar = f64>> + Flat> Checkable for G {}

/// Checks the algebra, the group, its differentials and its charts.
pub fn check<G: Checkable>(samples: &[AlgebraOf<G>]) -> Result<Report, LawError> {
    let mut record = Record::new(core::any::type_name::<G>());
    algebra::check(samples, &mut record);
    structure::check::<G>(samples, &mut record);
    differentials::check::<G>(samples, &mut record);
    charts::check::<G>(samples, &mut record);
    record.judge()
}

/// The same, and the transposes on covectors.
pub fn check_coadjoint<G: Checkable + Coadjoint>(
    samples: &[AlgebraOf<G>],
) -> Result<Report, LawError> {
    let mut report = check::<G>(samples)?;
    let mut record = Record::new(core::any::type_name::<G>());
    coadjoint::check::<G>(samples, &mut record);
    report.findings.extend(record.judge()?.findings);
    Ok(report)
}

/// `a x`.
fn times<A: LieAlgebra>(a: f64, x: &A) -> A {
    let mut out = x.zero_like();
    out.assign(a, x);
    out
}
/// `x + a y`.
fn sum<A: LieAlgebra>(x: &A, a: f64, y: &A) -> A {
    let mut out = x.clone();
    out.axpy(a, y);
    out
}
/// `|a - b|`, relative where they are large. NaN if anything is.
fn gap<A: LieAlgebra>(a: &A, b: &A) -> f64 {
    sum(a, -1.0, b).norm() / (1.0 + a.norm().max(b.norm()))
}
/// The same for group elements, whose size is their distance from the identity.
fn group_gap<G: Checkable>(like: &AlgebraOf<G>, a: &G, b: &G) -> f64 {
    let unit = G::identity(like);
    let size = a.distance_squared(&unit).max(b.distance_squared(&unit)).sqrt();
    a.distance_squared(b).sqrt() / (1.0 + size)
}
/// `d/de f(e) f(0)^{-1}` at zero, for a curve in the group.
fn rate<G: Checkable>(f: impl Fn(f64) -> G) -> AlgebraOf<G> {
    let back = f(0.0).inverse();
    let ahead = f(STEP).compose(&back).log();
    let behind = f(-STEP).compose(&back).log();
    times(0.5 / STEP, &sum(&ahead, -1.0, &behind))
}
/// The samples two and three at a time: every pair, and triples of neighbours at several strides.
fn pairs<A>(samples: &[A]) -> impl Iterator<Item = (&A, &A)> {
    samples.iter().flat_map(move |a| samples.iter().map(move |b| (a, b)))
}
fn triples<A>(samples: &[A]) -> impl Iterator<Item = (&A, &A, &A)> {
    let n = samples.len();
    let at = move |i: usize| &samples[i % n];
    (0..n).flat_map(move |i| (1..4).map(move |s| (at(i), at(i + s), at(i + 2 * s + 1))))
}
