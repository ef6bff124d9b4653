//! What a one-step map on a product of spheres keeps, measured: the symplectic form.
//!
//! ```text
//! W(u, v) = Σ κ_i w_i·(u_i × v_i)/|w_i|²          u_i, v_i orthogonal to w_i
//! ```
//!
//! Weights `κ` are strengths of vortices, or lengths of spins. What a step makes of tangent vectors
//! comes from dual numbers.
use super::TurnedVectors;
use crate::action::Action;
use crate::group::{LieAlgebra, LieGroup};
use crate::method::cotangent::structure::{Measured, Tangent};
use crate::method::spheres::structure::{MOST_DIRECTIONS, across};
use crate::method::{Method, Step, StepError};
use crate::problem::{Generator, Problem};
use lieflow_kernel::{Vec3, vec3};

/// A tangent vector: one for each sphere.
type Column = Vec<Vec3<f64>>;

/// `|W1(J a, J b) - W0(a, b)|` over all pairs of a basis of tangent vectors, relative to `|W0|`, for
/// a step from `y`. `lifted` is the system over dual numbers, and `method` a method for it.
pub fn measured<Q>(
    lifted: &Q,
    method: &mut dyn Method<Q>,
    (t, h): (f64, f64),
    y: &[Vec3<f64>],
    weights: &[f64],
) -> Result<Measured, StepError>
where
    Q: Generator<
        Space: TurnedVectors + Action<Group: LieGroup<Algebra: LieAlgebra<Scalar = Tangent>>>,
    >,
{
    let all = 2 * y.len();
    let count = all.min(MOST_DIRECTIONS);
    let (mut before, mut after): (Vec<Column>, Vec<Column>) = (Vec::new(), Vec::new());
    let mut ends = y.to_vec();
    for k in 0..count {
        let mut start = Problem::start(lifted);
        let mut varied: Vec<Vec3<Tangent>> = y.iter().map(|v| Vec3::lift(*v)).collect();
        // Spread over all spheres if not all directions are taken.
        let (i, which) = (k * all / count / 2, k * all / count % 2);
        let axis = across(y[i], which).times(y[i].norm());
        let small = Tangent::variable(0.0);
        varied[i] += vec3(small * axis.x, small * axis.y, small * axis.z);
        for (i, v) in varied.iter().enumerate() {
            Q::Space::set_vector(&mut start, i, *v);
        }
        let mut end = start.clone();
        method.reset();
        method.step(Step::new(lifted, t, h, &start), &mut end)?;
        let read = |y: &Q::Point| -> Column {
            let part = |v: Vec3<Tangent>| vec3(v.x.slope, v.y.slope, v.z.slope);
            (0..Q::Space::count(y)).map(|i| part(Q::Space::vector(y, i))).collect()
        };
        before.push(read(&start));
        after.push(read(&end));
        for (i, v) in ends.iter_mut().enumerate() {
            let e = Q::Space::vector(&end, i);
            *v = vec3(e.x.re, e.y.re, e.z.re);
        }
    }
    method.reset();
    let (mut change, mut size) = (0.0, 0.0);
    for a in 0..count {
        for b in 0..a {
            let old = form(weights, y, &before[a], &before[b]);
            change += (form(weights, &ends, &after[a], &after[b]) - old).powi(2);
            size += old.powi(2);
        }
    }
    let largest = weights.iter().fold(0.0, |a: f64, w| a.max(w.abs()));
    let stretch: f64 = after.iter().flatten().map(|v| v.norm_squared()).sum();
    let rounding = f64::EPSILON * largest * stretch / size.sqrt();
    Ok(Measured { defect: (change / size).sqrt(), rounding })
}

/// `W` of two tangent vectors at `y`.
fn form(weights: &[f64], y: &[Vec3<f64>], a: &[Vec3<f64>], b: &[Vec3<f64>]) -> f64 {
    let terms = y.iter().zip(a).zip(b).zip(weights);
    terms.map(|(((w, a), b), k)| k * (*w).dot(a.cross(*b)) / w.norm_squared()).sum()
}
