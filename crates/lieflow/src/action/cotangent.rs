//! T*SO(3) as a group, acting on itself from the left:
//!
//! ```text
//! (h, m)·(g, mu) = (h g, h mu + m)              generator (û g, u × mu + m)
//! ```
//!
//! SO(3) ⋉ so(3)* has the product of SE(3), because so(3)* and R³ carry the same representation; so
//! the closed forms of SE(3) serve here, and are faster than those of [`Cotangent`] for any group.
//! With the field `(v, n)` this is Hamilton's equation on T*SO(3), `g' = v g`, `mu' = n + v × mu`.
//! Celledoni et al., section 3.2.
use super::{Action, Multiply, Ways};
use crate::chart::Chart;
use crate::group::{Cotangent, LieAlgebra, LieGroup, Rn, Se3, So3, Twist};
use core::marker::PhantomData;
use lieflow_kernel::Real;

/// The point as an element of the group.
fn element<S: Real>(y: &Cotangent<So3<S>>) -> Se3<S> {
    Se3 { rotation: y.g.matrix, position: y.mu }
}

/// SO(3) ⋉ so(3)* on T*SO(3).
#[derive(Clone, Copy, Debug)]
pub struct CotangentRotations<S>(PhantomData<S>);

impl<S: Real> Action for CotangentRotations<S> {
    type Group = Se3<S>;
    type Point = Cotangent<So3<S>>;
    #[inline(always)]
    fn act(h: &Se3<S>, y: &Cotangent<So3<S>>) -> Cotangent<So3<S>> {
        Cotangent {
            g: So3 { matrix: h.rotation.matmul(&y.g.matrix) },
            mu: h.rotation.apply(y.mu) + h.position,
        }
    }
    const SHIFTS: bool = true;
    fn shift(chart: Chart, u: &Twist<S>, y: &Self::Point, out: &mut Self::Point) {
        let h = Se3::map(chart, u);
        let turn = Ways::in_chart(chart, u.angular);
        turn.shift_columns(&y.g.matrix, &mut out.g.matrix);
        out.mu += turn.way(y.mu) + h.position;
    }
    fn group_distance(a: &Self::Point, b: &Self::Point) -> Option<f64> {
        Multiply::<Se3<S>>::group_distance(&element(a), &element(b))
    }
}

/// The shifts `(dq, dp)` of T*Rⁿ: with them the general methods are ordinary Runge–Kutta methods.
#[derive(Clone, Copy, Debug)]
pub struct CotangentTranslations<S, const N: usize>(PhantomData<S>);

impl<S: Real, const N: usize> Action for CotangentTranslations<S, N> {
    type Group = (Rn<S, N>, Rn<S, N>);
    type Point = Cotangent<Rn<S, N>>;
    #[inline(always)]
    fn act((dq, dp): &Self::Group, y: &Self::Point) -> Self::Point {
        Cotangent { g: dq.compose(&y.g), mu: dp.compose(&y.mu) }
    }
    const SHIFTS: bool = true;
    fn shift(_: Chart, (dq, dp): &Self::Group, _: &Self::Point, out: &mut Self::Point) {
        out.g.axpy(1.0, dq);
        out.mu.axpy(1.0, dp);
    }
}
