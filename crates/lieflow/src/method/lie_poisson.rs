//! What a one-step map on the dual of a Lie algebra keeps, measured: the Lie–Poisson tensor.
//!
//! ```text
//! B(m)_ij = m·[e_i, e_j]            D B(m0) Dᵀ = B(m1) for a Poisson map with derivative D
//! ```
//!
//! A map that keeps it is symplectic on every coadjoint orbit and carries orbits to orbits. The
//! derivative comes from dual numbers.
use crate::group::LieAlgebra;
use crate::method::cotangent::structure::{Measured, Tangent};
use crate::method::{Method, Step, StepError};
use crate::problem::Problem;

/// `|D B(m0) Dᵀ - B(m1)|` relative to `|B(m0)|`, for a step from `y`. `lifted` is the system over
/// dual numbers, and `method` a method for it.
pub fn poisson_defect<A, Q>(
    lifted: &Q,
    method: &mut dyn Method<Q>,
    t: f64,
    h: f64,
    y: &A,
) -> Result<f64, StepError>
where
    A: LieAlgebra<Scalar = f64>,
    Q: Problem<Point: LieAlgebra<Scalar = Tangent>>,
{
    poisson_measured(lifted, method, t, h, y).map(|measured| measured.defect)
}

/// The same with its rounding.
pub fn poisson_measured<A, Q>(
    lifted: &Q,
    method: &mut dyn Method<Q>,
    t: f64,
    h: f64,
    y: &A,
) -> Result<Measured, StepError>
where
    A: LieAlgebra<Scalar = f64>,
    Q: Problem<Point: LieAlgebra<Scalar = Tangent>>,
{
    let n = y.dim();
    let mut derivative = vec![0.0; n * n];
    let mut after = y.clone();
    for k in 0..n {
        let mut start = lifted.start();
        for i in 0..n {
            let number = if i == k { Tangent::variable } else { Tangent::constant };
            start.set_coord(i, number(y.coord(i)));
        }
        let mut end = start.clone();
        method.reset();
        method.step(Step::new(lifted, t, h, &start), &mut end)?;
        for i in 0..n {
            after.set_coord(i, end.coord(i).re);
            derivative[i * n + k] = end.coord(i).slope;
        }
    }
    method.reset();
    let (old, new) = (tensor(y), tensor(&after));
    let half = product(n, &derivative, &old, false);
    let moved = product(n, &half, &derivative, true);
    let change: f64 = moved.iter().zip(&new).map(|(a, b)| (a - b).powi(2)).sum();
    let size: f64 = old.iter().map(|x| x * x).sum();
    let stretch: f64 = derivative.iter().map(|x| x * x).sum();
    // Where the tensor vanishes there is nothing to be compared with.
    let defect = if size > 0.0 { (change / size).sqrt() } else { change.sqrt() };
    Ok(Measured { defect, rounding: f64::EPSILON * stretch })
}

/// `B(m)`, by rows.
fn tensor<A: LieAlgebra<Scalar = f64>>(m: &A) -> Vec<f64> {
    let n = m.dim();
    let unit = |i| {
        let mut e = m.zero_like();
        e.set_coord(i, 1.0);
        e
    };
    let mut b = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            b[i * n + j] = m.dot(&unit(i).bracket(&unit(j)));
        }
    }
    b
}

/// `a b`, or `a bᵀ`.
fn product(n: usize, a: &[f64], b: &[f64], transposed: bool) -> Vec<f64> {
    let mut out = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            let entry = |k: usize| if transposed { b[j * n + k] } else { b[k * n + j] };
            out[i * n + j] = (0..n).map(|k| a[i * n + k] * entry(k)).sum();
        }
    }
    out
}
