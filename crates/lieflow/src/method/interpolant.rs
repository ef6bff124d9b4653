//! Between the ends of a step, in the algebra.
//!
//! A method in a chart solves an ordinary differential equation `sigma' = dphi_sigma^{-1} f` in a
//! linear space, so its continuous extensions carry over:
//!
//! ```text
//! y(t + theta h) = phi(sigma(theta))·y
//! sigma(theta) = theta² (3 - 2 theta) sigma_1 + theta (theta - 1)² h k_0 + theta² (theta - 1) h k_1
//!                [ + theta² (theta - 1)² h sum_i (p_i + q_i theta) k_i ]
//! ```
//!
//! with the slopes `k_0 = f(y)` and `k_1 = dphi_{sigma_1}^{-1} f(end)`. The cubic Hermite
//! polynomial has local order four; with the bracket, whose coefficients belong to a table, the
//! extension of Dormand and Prince has local order five (Hairer, Nørsett and Wanner, section
//! II.6).
use super::{StepError, rkmk::combine};
use crate::chart::Chart;
use crate::group::{LieAlgebra, LieGroup};
use crate::problem::{FieldOf, Generator, GroupOf, StageOf, pull};

/// The cubic Hermite polynomial in the algebra.
#[inline(always)]
pub(super) fn hermite<A: LieAlgebra>(
    out: &mut A,
    h: f64,
    theta: f64,
    sigma: &A,
    first: &A,
    last: &A,
) {
    let back = theta - 1.0;
    out.assign(theta * theta * (3.0 - 2.0 * theta), sigma);
    out.axpy(h * theta * back * back, first);
    out.axpy(h * theta * theta * back, last);
}

/// The term that a table adds to the Hermite polynomial.
#[inline(always)]
pub(super) fn correct<A: LieAlgebra>(
    out: &mut A,
    h: f64,
    theta: f64,
    dense: &[(f64, f64)],
    stages: &[A],
) {
    let bump = theta * theta * (theta - 1.0) * (theta - 1.0);
    for ((p, q), k) in dense.iter().zip(stages) {
        out.axpy(h * bump * (p + q * theta), k);
    }
}

/// Turns the field at the end of a step, with its coordinates, into the slope there.
#[inline(always)]
pub(super) fn pull_to<P: Generator>(
    at: StageOf<'_, P>,
    end: &P::Point,
    slope: &mut FieldOf<P>,
) -> Result<(), StepError> {
    GroupOf::<P>::domain(at.chart, at.u)?;
    pull::<P>(at, end, slope);
    Ok(())
}

/// The logarithm of a product of exponentials `exp(v_m) … exp(v_1)`, or `None` where the product
/// could turn by more than half a turn, so that its principal logarithm may be the wrong one.
pub(super) fn log_of_product<P: Generator>(
    h: f64,
    rows: &[&[f64]],
    fields: &[FieldOf<P>],
    v: &mut FieldOf<P>,
    log: &mut FieldOf<P>,
) -> bool {
    let mut product = GroupOf::<P>::identity(v);
    for row in rows {
        // Each factor may use up its share of the half turn: the exponential chart ends at two
        // half turns, hence the 2.
        let share = 2.0 * rows.len() as f64;
        combine(log, share * h, row, fields);
        if GroupOf::<P>::domain(Chart::Exp, log).is_err() {
            return false;
        }
        combine(v, h, row, fields);
        product = GroupOf::<P>::exp(v).compose(&product);
    }
    *log = product.log();
    true
}
