//! Runge–Kutta–Munthe-Kaas methods: a Runge–Kutta method in a chart at the current point.
//!
//! ```text
//! u_i = h sum_j a_ij k_j        k_i = dphi^{-1}_{u_i} f(t + c_i h, phi(u_i)·y)
//! u   = h sum_i b_i k_i         y'  = phi(u)·y
//! ```
//!
//! Munthe-Kaas; Celledoni et al., section 2.2. The classical order of the tableau is kept for any
//! chart, on any manifold, and the state never leaves it.
use super::{Cost, Method, StepError};
use crate::action::Action;
use crate::chart::Chart;
use crate::group::{LieAlgebra, LieGroup};
use crate::problem::{FieldOf, Generator, GroupOf};
use crate::tableau::Tableau;

/// An explicit method of this family.
pub struct Rkmk<P: Generator> {
    tableau: &'static Tableau,
    chart: Chart,
    work: Option<Work<P>>,
    /// `work.last` holds the field at the end of the last step, which was accepted.
    follows: bool,
    cost: Cost,
}

/// Work space of the shape of the problem, made at the first step.
struct Work<P: Generator> {
    /// `k_i`.
    stages: Vec<FieldOf<P>>,
    /// The stage coordinates `u_i`, then `u`.
    u: FieldOf<P>,
    /// The difference of the two solutions of a pair.
    difference: FieldOf<P>,
    /// The raw field of the last stage.
    last: FieldOf<P>,
    /// A stage point.
    point: P::Point,
}

impl<P: Generator> Rkmk<P> {
    /// The method with this table in this chart.
    pub fn new(tableau: &'static Tableau, chart: Chart) -> Self {
        Self { tableau, chart, work: None, follows: false, cost: Cost::default() }
    }
}

/// `out = h sum_j w_j k_j`.
#[inline(always)]
pub(crate) fn combine<A: LieAlgebra>(out: &mut A, h: f64, weights: &[f64], k: &[A]) {
    let mut empty = true;
    for (w, k) in weights.iter().zip(k) {
        if *w != 0.0 {
            if empty {
                out.assign(h * w, k);
                empty = false;
            } else {
                out.axpy(h * w, k);
            }
        }
    }
    if empty {
        *out = out.zero_like();
    }
}

impl<P: Generator> Method<P> for Rkmk<P> {
    #[inline]
    fn step(
        &mut self,
        p: &P,
        t: f64,
        h: f64,
        y: &P::Point,
        out: &mut P::Point,
    ) -> Result<Option<f64>, StepError> {
        let (tableau, chart) = (self.tableau, self.chart);
        let s = tableau.stages();
        let w = self.work.get_or_insert_with(|| {
            let f = p.field(t, y).zero_like();
            Work {
                stages: vec![f.clone(); s],
                u: f.clone(),
                difference: f.clone(),
                last: f,
                point: y.clone(),
            }
        });
        if self.follows {
            std::mem::swap(&mut w.stages[0], &mut w.last);
            self.follows = false;
        } else {
            p.field_into(t, y, &mut w.stages[0]);
            self.cost.field_evaluations += 1;
        }
        let fsal = tableau.first_same_as_last();
        for i in 1..s {
            combine(&mut w.u, h, tableau.a[i], &w.stages);
            // The last stage of a first-same-as-last table is the solution itself.
            let end = fsal && i == s - 1;
            let point = if end { &mut *out } else { &mut w.point };
            P::Space::advance(chart, &w.u, y, point);
            p.field_into(t + tableau.c[i] * h, point, &mut w.stages[i]);
            if end {
                w.last.assign(1.0, &w.stages[i]);
            }
            GroupOf::<P>::pull(chart, &w.u, &mut w.stages[i]);
            self.cost.field_evaluations += 1;
            self.cost.exponentials += 1;
        }
        if !fsal {
            combine(&mut w.u, h, tableau.b, &w.stages);
            P::Space::advance(chart, &w.u, y, out);
            self.cost.exponentials += 1;
        }
        let error = tableau.embedded.first().map(|(weights, _)| {
            combine(&mut w.difference, h, weights, &w.stages);
            w.difference.axpy(-1.0, &w.u);
            w.difference.norm()
        });
        Ok(error)
    }

    fn accept(&mut self) {
        self.follows = self.tableau.first_same_as_last();
    }

    fn reset(&mut self) {
        self.follows = false;
    }

    fn cost(&self) -> Cost {
        self.cost
    }
}
