//! T*SO(3) as a group, acting on itself from the left:
//!
//! ```text
//! (h, m)·(g, mu) = (h g, h mu + m)              generator (û g, u × mu + m)
//! ```
//!
//! SO(3) ⋉ so(3)* has the product of SE(3), because so(3)* and R³ carry the same representation;
//! so the closed forms of SE(3) serve here. With the field `(v, n)` this is Hamilton's equation on
//! T*SO(3), `g' = v g`, `mu' = n + v × mu`. Celledoni et al., section 3.2.
use super::Action;
use crate::group::{LieAlgebra, LieGroup, Rn, Se3, So3};
use crate::problem::Cotangent;
use lieflow_kernel::Real;
use std::marker::PhantomData;

/// The point as an element of the group.
fn element<S: Real>(y: &Cotangent<So3<S>>) -> Se3<S> {
    Se3 { rotation: y.g.matrix, position: y.mu }
}

/// `|log(b^{-1} a)|`.
fn gap<G: LieGroup>(a: &G, b: &G) -> f64 {
    b.inverse().compose(a).log().norm()
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
    fn group_distance(a: &Self::Point, b: &Self::Point) -> Option<f64> {
        Some(gap(&element(a), &element(b)))
    }
}

/// The same on T*(SO(3) × R³), with the shifts `(dq, dp)` of T*R³ beside it.
#[derive(Clone, Copy, Debug)]
pub struct CotangentMotions<S>(PhantomData<S>);

impl<S: Real> Action for CotangentMotions<S> {
    type Group = (Se3<S>, (Rn<S, 3>, Rn<S, 3>));
    type Point = Cotangent<(So3<S>, Rn<S, 3>)>;
    #[inline(always)]
    fn act((h, (dq, dp)): &Self::Group, y: &Self::Point) -> Self::Point {
        let (g, q) = &y.g;
        let (mu, p) = &y.mu;
        Cotangent {
            g: (So3 { matrix: h.rotation.matmul(&g.matrix) }, dq.compose(q)),
            mu: (h.rotation.apply(*mu) + h.position, dp.compose(p)),
        }
    }
}
