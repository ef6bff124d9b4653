//! Products of actions, component by component.
use super::Action;
use crate::chart::Chart;
use crate::group::{AlgebraOf, LieAlgebra, LieGroup, ScalarOf};
use lieflow_kernel::wide::{VectorWork, Vectors, run_vectorised};

impl<A: Action, B: Action> Action for (A, B)
where
    <B::Group as LieGroup>::Algebra: LieAlgebra<Scalar = ScalarOf<A::Group>>,
{
    type Group = (A::Group, B::Group);
    type Point = (A::Point, B::Point);
    #[inline(always)]
    fn act(g: &Self::Group, y: &Self::Point) -> Self::Point {
        (A::act(&g.0, &y.0), B::act(&g.1, &y.1))
    }
    #[inline(always)]
    fn advance(chart: Chart, u: &AlgebraOf<Self::Group>, y: &Self::Point, out: &mut Self::Point) {
        A::advance(chart, &u.0, &y.0, &mut out.0);
        B::advance(chart, &u.1, &y.1, &mut out.1);
    }
    const SHIFTS: bool = A::SHIFTS && B::SHIFTS;
    fn shift(chart: Chart, u: &AlgebraOf<Self::Group>, y: &Self::Point, out: &mut Self::Point) {
        A::shift(chart, &u.0, &y.0, &mut out.0);
        B::shift(chart, &u.1, &y.1, &mut out.1);
    }
}

impl<A: Action, const N: usize> Action for [A; N] {
    type Group = [A::Group; N];
    type Point = [A::Point; N];
    #[inline(always)]
    fn act(g: &Self::Group, y: &Self::Point) -> Self::Point {
        core::array::from_fn(|i| A::act(&g[i], &y[i]))
    }
    #[inline(always)]
    fn advance(chart: Chart, u: &AlgebraOf<Self::Group>, y: &Self::Point, out: &mut Self::Point) {
        for i in 0..N {
            A::advance(chart, &u[i], &y[i], &mut out[i]);
        }
    }
    const SHIFTS: bool = A::SHIFTS;
    fn shift(chart: Chart, u: &AlgebraOf<Self::Group>, y: &Self::Point, out: &mut Self::Point) {
        shift_each::<A>(chart, u, y, out);
    }
}

impl<A: Action> Action for Vec<A> {
    type Group = Vec<A::Group>;
    type Point = Vec<A::Point>;
    #[inline(always)]
    fn act(g: &Self::Group, y: &Self::Point) -> Self::Point {
        g.iter().zip(y).map(|(g, y)| A::act(g, y)).collect()
    }
    #[inline(always)]
    fn advance(chart: Chart, u: &AlgebraOf<Self::Group>, y: &Self::Point, out: &mut Self::Point) {
        run_vectorised::<ScalarOf<A::Group>, _>(Advance::<A> { chart, u, y, out });
    }
    const STEREOGRAPHIC: bool = A::STEREOGRAPHIC;
    #[inline(always)]
    fn pull(
        chart: Chart,
        u: &AlgebraOf<Self::Group>,
        y: &Self::Point,
        end: &Self::Point,
        v: &mut AlgebraOf<Self::Group>,
    ) {
        if const { !A::STEREOGRAPHIC } || chart != Chart::Stereographic {
            return Self::Group::pull(chart, u, v);
        }
        for (((u, y), end), v) in u.iter().zip(y).zip(end).zip(v) {
            A::pull(chart, u, y, end, v);
        }
    }
    const SHIFTS: bool = A::SHIFTS;
    fn shift(chart: Chart, u: &AlgebraOf<Self::Group>, y: &Self::Point, out: &mut Self::Point) {
        shift_each::<A>(chart, u, y, out);
    }
}

/// [`Action::shift`] for each of many.
fn shift_each<A: Action>(
    chart: Chart,
    u: &[AlgebraOf<A::Group>],
    y: &[A::Point],
    out: &mut [A::Point],
) {
    for ((u, y), out) in u.iter().zip(y).zip(out) {
        A::shift(chart, u, y, out);
    }
}

/// The loop over the factors of a product of run-time length.
struct Advance<'a, A: Action> {
    chart: Chart,
    u: &'a [AlgebraOf<A::Group>],
    y: &'a [A::Point],
    out: &'a mut [A::Point],
}

impl<A: Action> VectorWork for Advance<'_, A> {
    type Output = ();
    #[inline(always)]
    fn run<V: Vectors>(self) {
        A::advance_each::<V>(self.chart, self.u, self.y, self.out);
    }
}
