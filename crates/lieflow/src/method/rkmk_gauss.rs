//! Implicit Runge–Kutta–Munthe-Kaas methods with Gauss tables.
//!
//! ```text
//! u_i = h sum_j a_ij k_j        k_i = dphi^{-1}_{u_i} f(t + c_i h, phi(u_i)·y)
//! u   = h sum_i b_i k_i         y'  = phi(u)·y
//! ```
//!
//! Order `2s` with `s` stages. They keep the manifold and coadjoint orbits. With one stage and the
//! exponential this is the implicit Lie midpoint rule `k = f(exp(hk/2)·y)`, which is symmetric and
//! whose energy stays bounded on the free body; with more stages the method is not symmetric,
//! because the chart is centred at the start, and energy drifts slowly. None is symplectic on a
//! cotangent bundle. Munthe-Kaas, 1999; Celledoni et al., 2021, section 2.2.
//!
//! The Jacobian of stage `i` with respect to `k_j` is `h a_ij D_i` with one matrix `D_i`, so a stage
//! costs as many derivatives as the algebra has dimensions.
use super::implicit::{DIRECTIONS, Linear, StageEquations, Stages};
use super::rkmk::{combine, member};
use super::{Card, Step};
use crate::chart::{Chart, OutOfChart};
use crate::group::{LieAlgebra, LieGroup};
use crate::problem::{Differentiable, Generator, GroupOf, Stage};
use crate::tableau::{self, Tableau};
use lieflow_kernel::{Dual, Real};

/// The methods of this family, by table.
pub static MEMBERS: [(Card, &Tableau); 3] = [
    implicit(
        true,
        member("rkmk-gl2", "Implicit Lie midpoint, RKMK with Gauss 2", &tableau::GAUSS2),
    ),
    implicit(false, member("rkmk-gl4", "RKMK with Gauss 4", &tableau::GAUSS4)),
    implicit(false, member("rkmk-gl6", "RKMK with Gauss 6", &tableau::GAUSS6)),
];

const fn implicit(
    symmetric: bool,
    (card, table): (Card, &'static Tableau),
) -> (Card, &'static Tableau) {
    (Card { symmetric, implicit: true, evaluations: None, ..card }, table)
}

/// The stage equations of this family.
#[derive(Clone, Copy, Debug)]
pub struct GaussStages {
    /// The coefficients.
    pub tableau: &'static Tableau,
    /// The chart.
    pub chart: Chart,
}

impl GaussStages {
    /// `a_ij`, also where a row stops before the zeros at its end.
    fn weight(&self, i: usize, j: usize) -> f64 {
        self.tableau.a[i].get(j).copied().unwrap_or(0.0)
    }
}

impl StageEquations for GaussStages {
    fn tableau(&self) -> &'static Tableau {
        self.tableau
    }
    fn chart(&self) -> Chart {
        self.chart
    }
    fn name(&self) -> &'static str {
        "the system of Gauss stages"
    }

    fn evaluate<P: Generator>(&self, at: Step<'_, P>, stages: &mut Stages<P>) {
        let Stages { k, f, scratch } = stages;
        for (i, out) in f.iter_mut().enumerate() {
            combine(&mut scratch.u, at.h, self.tableau.a[i], k);
            let t = at.t + self.tableau.c[i] * at.h;
            let stage = Stage { chart: self.chart, t, u: &scratch.u, y: at.y };
            at.p.slope_at(stage, &mut scratch.point, out);
        }
    }

    fn linearise<P: Differentiable<DIRECTIONS>>(&self, system: Linear<'_, P>) {
        let Linear { at, stages: Stages { k, scratch, .. }, lifted, m, r } = system;
        let (s, d) = (k.len(), scratch.u.dim());
        let n = s * d;
        for i in 0..s {
            combine(&mut scratch.u, at.h, self.tableau.a[i], k);
            let t = at.t + self.tableau.c[i] * at.h;
            let (over, out) = (&mut lifted.scratch, &mut lifted.f[i]);
            let mut first = 0;
            while first < d {
                for c in 0..d {
                    let direction = c.wrapping_sub(first);
                    over.u.set_coord(c, Dual::variable(scratch.u.coord(c), direction));
                }
                let stage = Stage { chart: self.chart, t, u: &over.u, y: at.y };
                at.p.slope_at(stage, &mut over.point, out);
                let width = DIRECTIONS.min(d - first);
                for row in 0..d {
                    let f = out.coord(row);
                    let line = (i * d + row) * n + first;
                    m[line..line + width].copy_from_slice(&f.eps[..width]);
                    r[i * d + row] = k[i].coord(row) - f.re;
                }
                first += DIRECTIONS;
            }
            // The first d columns hold D_i; from there it is spread over the row of blocks, the
            // first block last.
            for row in 0..d {
                let line = &mut m[(i * d + row) * n..][..n];
                let (source, blocks) = line.split_at_mut(d);
                for (j, block) in blocks.chunks_exact_mut(d).enumerate() {
                    let w = -at.h * self.weight(i, j + 1);
                    for (to, x) in block.iter_mut().zip(&*source) {
                        *to = *x * w;
                    }
                }
                let w = -at.h * self.weight(i, 0);
                for x in source {
                    *x = *x * w;
                }
                line[i * d + row] += P::Scalar::one();
            }
        }
    }

    fn domain<P: Generator>(&self, h: f64, stages: &mut Stages<P>) -> Result<(), OutOfChart> {
        let Stages { k, scratch, .. } = stages;
        for row in self.tableau.a {
            combine(&mut scratch.u, h, row, k);
            GroupOf::<P>::domain(self.chart, &scratch.u)?;
        }
        Ok(())
    }
}
