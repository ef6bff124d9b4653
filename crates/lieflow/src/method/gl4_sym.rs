//! Gauss of order four in a chart that is centred in the middle of the step: the self-adjoint
//! form of RKMK.
//!
//! ```text
//! D   = h sum_j b_j k_j                      c  = exp(D/2)·y
//! u_i = h sum_j a_ij k_j - D/2               k_i = dexp^{-1}_{u_i} f(t + c_i h, exp(u_i)·c)
//! y'  = exp(D)·y
//! ```
//!
//! Order four, symmetric: the two ends enter in the same way because `exp(D/2)·y = exp(-D/2)·y'`.
//! The error is that of `rkmk-gl4` to about a percent, but the linear drift of the energy that the
//! chart at the start causes is gone on reversible problems. Keeps the manifold and coadjoint
//! orbits; not symplectic. After Zanna, Engø and Munthe-Kaas, 2001, who centre a chart at the
//! midpoint of the geodesic; the combination with the Gauss table is ours.
//!
//! Only the exponential squares to itself at half the argument, so there is no other chart; its
//! differential may be cut.
use super::implicit::{DIRECTIONS, Linear, Scratch, StageEquations, Stages};
use super::rkmk::combine;
use super::{Card, Step};
use crate::chart::{Chart, OutOfChart};
use crate::group::{LieAlgebra, LieGroup};
use crate::problem::{Differentiable, Generator, GroupOf, Stage, advance};
use crate::tableau::{GAUSS4, Tableau};
use lieflow_kernel::{Dual, Real};

/// The card of the method.
pub static CARD: Card = Card {
    symmetric: true,
    conserves: "the manifold, coadjoint orbits",
    implicit: true,
    cite: "zanna2001",
    ..Card::new("gl4-sym", "RKMK with Gauss 4 in a centred chart", "rkmk", 4)
};

/// The stage equations of the method.
#[derive(Clone, Copy, Debug)]
pub struct CentredStages {
    /// The exponential, exact or cut.
    pub chart: Chart,
}

impl CentredStages {
    /// `out = u_i`, from `half = D/2`.
    fn coordinate<A: LieAlgebra>(out: &mut A, h: f64, i: usize, half: &A, k: &[A]) {
        combine(out, h, GAUSS4.a[i], k);
        out.axpy(-1.0, half);
    }
}

impl StageEquations for CentredStages {
    fn tableau(&self) -> &'static Tableau {
        &GAUSS4
    }
    fn chart(&self) -> Chart {
        self.chart
    }
    fn name(&self) -> &'static str {
        "the system of centred Gauss stages"
    }

    fn evaluate<P: Generator>(&self, at: Step<'_, P>, stages: &mut Stages<P>) {
        let Stages { k, f, scratch } = stages;
        let Scratch { u, v: half, centre, point } = scratch;
        combine(half, 0.5 * at.h, GAUSS4.b, k);
        advance::<P>(self.chart, half, at.y, centre);
        for (i, out) in f.iter_mut().enumerate() {
            Self::coordinate(u, at.h, i, half, k);
            let t = at.t + GAUSS4.c[i] * at.h;
            at.p.slope_at(Stage { chart: self.chart, t, u, y: centre }, point, out);
        }
    }

    /// All stages move the centre, so the derivatives are taken in the stages themselves.
    fn linearise<P: Differentiable<DIRECTIONS>>(&self, system: Linear<'_, P>) {
        let Linear { at, stages: Stages { k, scratch, .. }, lifted, m, r } = system;
        let d = scratch.u.dim();
        let n = k.len() * d;
        let mut first = 0;
        while first < n {
            for c in 0..n {
                let direction = c.wrapping_sub(first);
                lifted.k[c / d].set_coord(c % d, Dual::variable(k[c / d].coord(c % d), direction));
            }
            self.evaluate(at, lifted);
            for row in 0..n {
                let f = lifted.f[row / d].coord(row % d);
                for c in first..n.min(first + DIRECTIONS) {
                    let unit = if row == c { 1.0 } else { 0.0 };
                    m[row * n + c] = P::Scalar::lift(unit) - f.eps[c - first];
                }
                r[row] = k[row / d].coord(row % d) - f.re;
            }
            first += DIRECTIONS;
        }
    }

    fn domain<P: Generator>(&self, h: f64, stages: &mut Stages<P>) -> Result<(), OutOfChart> {
        let Stages { k, scratch, .. } = stages;
        combine(&mut scratch.v, 0.5 * h, GAUSS4.b, k);
        for i in 0..k.len() {
            Self::coordinate(&mut scratch.u, h, i, &scratch.v, k);
            GroupOf::<P>::domain(self.chart, &scratch.u)?;
        }
        Ok(())
    }
}
