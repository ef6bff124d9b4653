//! The laws that an action must obey, as a test that any action can be put to: see
//! [`group::laws`](crate::group::laws), whose reports it shares.
use super::{Action, Flat};
use crate::chart::Chart;
use crate::group::laws::{Checkable, LawError, Record, Report, charts_of};
use crate::group::{AlgebraOf, LieAlgebra, LieGroup};

/// Laws hold to rounding.
const BOUND: f64 = crate::group::laws::EXACT;

/// Checks that `e·y = y`, that `(gh)·y = g·(h·y)`, and that `advance` is `act` after the chart, for
/// every chart; and if it has [shifts](Action::shift), that they lead there, with digits of their own. The group
/// elements are exponentials of the samples.
pub fn check<A: Action<Group: Checkable>>(
    samples: &[AlgebraOf<A::Group>],
    points: &[A::Point],
) -> Result<Report, LawError> {
    let mut record = Record::new(core::any::type_name::<A>());
    record.expect("unit: e·y = y", BOUND);
    record.expect("composition: (gh)·y = g·(h·y)", BOUND);
    for (i, u) in samples.iter().enumerate() {
        for (j, y) in points.iter().enumerate() {
            let at = || format!("u = {u:?}, y = {y:?}");
            let g = A::Group::exp(u);
            let still = A::act(&A::Group::identity(u), y);
            record.note("unit: e·y = y", BOUND, A::distance(&still, y), at);
            let moved = A::act(&g, y);
            let back = A::act(&g.inverse(), &moved);
            let error = relative::<A>(&back, y, &moved);
            record.note("inverse: g^-1·(g·y) = y", BOUND, error, at);
            for (k, v) in samples.iter().enumerate() {
                let h = A::Group::exp(v);
                let (left, right) = (A::act(&g.compose(&h), y), A::act(&g, &A::act(&h, y)));
                let error = relative::<A>(&left, &right, y);
                record.note("composition: (gh)·y = g·(h·y)", BOUND, error, || {
                    format!("samples {i} and {k}, point {j}")
                });
            }
            // The result may not depend on what the place of the result held before.
            let other = &points[(j + 1) % points.len()];
            for chart in charts_of(A::Group::HAS_CAYLEY) {
                let mut out = other.clone();
                A::advance(chart, u, y, &mut out);
                let want = A::act(&A::Group::map(chart, u), y);
                record.note(law(chart), BOUND, relative::<A>(&out, &want, y), at);
                if let (true, Some(zeros)) = (A::SHIFTS, y.zeros()) {
                    let sum = added(y, &way::<A>(chart, 1.0, u, y, &zeros));
                    record.note(SHIFT, BOUND, relative::<A>(&sum, &want, y), at);
                    let [there, back] =
                        [SMALL, -SMALL].map(|part| way::<A>(chart, part, u, y, &zeros));
                    let rest = A::distance(&added(&there, &back), &zeros) / SMALL;
                    record.note(DIGITS, SMALL_BOUND, rest, at);
                }
            }
            if let Some(same) = A::group_distance(y, y) {
                record.note("a point has distance zero from itself", BOUND, same, at);
            }
        }
    }
    record.judge()
}

/// What is asked of shifts.
const SHIFT: &str = "y + shift = phi(u)·y";
const DIGITS: &str = "small shifts have all their digits: there and back are opposite";

/// A small part of an algebra element. Ways there and back by it are opposite up to their squares, but those
/// that are differences of points have errors of a rounding of these, which is a thousand times the bound.
const SMALL: f64 = 1.0 / (1u64 << 40) as f64;
const SMALL_BOUND: f64 = 1e-7;

/// The shift by a part of `u`.
fn way<A: Action>(
    chart: Chart,
    part: f64,
    u: &AlgebraOf<A::Group>,
    y: &A::Point,
    zeros: &A::Point,
) -> A::Point {
    let mut by = u.zero_like();
    by.assign(part, u);
    let mut out = zeros.clone();
    A::shift(chart, &by, y, &mut out);
    out
}

/// The sum of two lists of numbers.
fn added<Y: Flat + Clone>(a: &Y, b: &Y) -> Y {
    let (mut sum, mut small) = (a.clone(), b.clone());
    sum.gather(&mut small);
    sum
}

/// Distance of two points, relative to how far they are from a third: actions may be on matrices
/// or on momenta of any size.
fn relative<A: Action>(a: &A::Point, b: &A::Point, c: &A::Point) -> f64 {
    A::distance(a, b) / (1.0 + a.distance_squared(c).max(b.distance_squared(c)).sqrt())
}

fn law(chart: Chart) -> &'static str {
    match chart {
        Chart::Exp => "advance is act after exp",
        Chart::ExpSeries { .. } => "advance is act after exp with series",
        Chart::Cayley | Chart::Stereographic => "advance is act after cay",
        Chart::SecondKind => "advance is act after the second kind",
    }
}
