//! What a one-step map on T*G keeps, measured: the symplectic form and time symmetry.
//!
//! In right-trivialised coordinates a tangent vector at `(g, mu)` is a pair `(x, m)`, for
//! `(exp(e x) g, mu + e m)`, and the form is (Celledoni et al., equation 13)
//!
//! ```text
//! w((x1, m1), (x2, m2)) = m2·x1 - m1·x2 - mu·[x1, x2]
//! ```
//!
//! The derivative `J` of the map comes from dual numbers, so a symplectic method shows a defect
//! `|Jᵀ W(mu1) J - W(mu0)|` at the level of rounding, on any group.
use crate::group::family::{GroupFamily, NaturalChart, VectorIn, pair};
use crate::group::{LieAlgebra, LieGroup};
use crate::method::{Method, Step, StepError};
use crate::problem::{Phase, Problem};
use lieflow_kernel::CalledDual;

/// The numbers over which a step is differentiated: in one direction, because every method is
/// compiled for them too; a step is made as often as it takes.
pub type Tangent = CalledDual;

/// A one-step map at a point: where it leads, and its derivative.
#[derive(Clone, Debug)]
pub struct Linearised<F: GroupFamily> {
    /// Momentum in space before the step.
    pub before: VectorIn<F, f64>,
    /// Momentum in space after the step.
    pub after: VectorIn<F, f64>,
    /// The derivative by rows, in the coordinates `(x, m)`.
    pub jacobian: Vec<f64>,
}

/// Differentiates a step at the point `y`: `lifted` is the system over dual numbers, and `method` a
/// method for it.
pub fn linearise<F, Y, Q>(
    lifted: &Q,
    method: &mut dyn Method<Q>,
    t: f64,
    h: f64,
    y: &Y,
) -> Result<Linearised<F>, StepError>
where
    F: GroupFamily,
    Y: Phase<Group = F::Over<f64>>,
    Q: Problem<Point: Phase<Group = F::Over<Tangent>>>,
{
    let (g, mu) = (y.configuration(), y.spatial_momentum());
    let d = mu.dim();
    let n = 2 * d;
    let mut jacobian = vec![0.0; n * n];
    let mut after = mu.clone();
    for k in 0..n {
        let mut x = F::cast_vector(&mu.zero_like(), Tangent::constant);
        let mut momentum = F::cast_vector(&mu, Tangent::constant);
        if k < d {
            x.set_coord(k, Tangent::variable(0.0));
        } else {
            momentum.set_coord(k - d, Tangent::variable(mu.coord(k - d)));
        }
        let moved = F::map(NaturalChart::Exp, &x).compose(&F::cast(&g, Tangent::constant));
        let start = Q::Point::from_spatial(moved, momentum);
        let mut end = start.clone();
        method.reset();
        method.step(Step::new(lifted, t, h, &start), &mut end)?;
        let (g1, mu1) = (end.configuration(), end.spatial_momentum());
        // g1 over its own value is near the identity; its logarithm carries the derivatives.
        let fixed = F::cast(&F::cast(&g1, |s| s.re), Tangent::constant);
        let turn = g1.compose(&fixed.inverse()).log();
        after = F::cast_vector(&mu1, |s| s.re);
        for i in 0..d {
            jacobian[i * n + k] = turn.coord(i).slope;
            jacobian[(d + i) * n + k] = mu1.coord(i).slope;
        }
    }
    Ok(Linearised { before: mu, after, jacobian })
}

/// A defect that was measured, and how large rounding alone may make it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The defect.
    pub defect: f64,
    /// A unit in the last place of the terms of which it is the difference.
    pub rounding: f64,
}

impl<F: GroupFamily> Linearised<F> {
    /// The [defect](Linearised::symplectic_defect) with its rounding.
    pub fn measured(&self) -> Measured {
        let size = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        let form = size(&form::<F>(&self.after)).sqrt();
        let rounding = f64::EPSILON * size(&self.jacobian) * form;
        Measured { defect: self.symplectic_defect(), rounding }
    }
    /// The Frobenius norm of `Jᵀ W(mu1) J - W(mu0)`.
    pub fn symplectic_defect(&self) -> f64 {
        let n = 2 * self.before.dim();
        let (w0, w1) = (form::<F>(&self.before), form::<F>(&self.after));
        let j = &self.jacobian;
        let mut wj = vec![0.0; n * n];
        for a in 0..n {
            for b in 0..n {
                wj[a * n + b] = (0..n).map(|k| w1[a * n + k] * j[k * n + b]).sum();
            }
        }
        let mut sum = 0.0;
        for a in 0..n {
            for b in 0..n {
                let entry: f64 = (0..n).map(|k| j[k * n + a] * wj[k * n + b]).sum();
                sum += (entry - w0[a * n + b]).powi(2);
            }
        }
        sum.sqrt()
    }
}

/// The matrix of the symplectic form at a momentum.
fn form<F: GroupFamily>(mu: &VectorIn<F, f64>) -> Vec<f64> {
    let d = mu.dim();
    let n = 2 * d;
    let unit = |i| {
        let mut e = mu.zero_like();
        e.set_coord(i, 1.0);
        e
    };
    let mut w = vec![0.0; n * n];
    for i in 0..d {
        w[i * n + d + i] = 1.0;
        w[(d + i) * n + i] = -1.0;
        for j in 0..d {
            w[i * n + j] = -pair(mu, &unit(i).bracket(&unit(j)));
        }
    }
    w
}

/// How far a step back misses the point from which a step forth was made: the norm of the
/// displacement `(log(g_back g^{-1}), mu_back - mu)`.
pub fn symmetric_defect<P>(
    p: &P,
    method: &mut dyn Method<P>,
    t: f64,
    h: f64,
    y: &P::Point,
) -> Result<f64, StepError>
where
    P: Problem<Point: Phase>,
{
    let (mut there, mut back) = (y.clone(), y.clone());
    method.reset();
    method.step(Step { p, t, h, y }, &mut there)?;
    method.reset();
    method.step(Step::new(p, t + h, -h, &there), &mut back)?;
    method.reset();
    Ok(distance(y, &back))
}

/// The norm of `(log(b.g a.g^{-1}), b.mu - a.mu)`.
pub fn distance<Y: Phase>(a: &Y, b: &Y) -> f64 {
    let turn = b.configuration().compose(&a.configuration().inverse()).log();
    let mut kick = b.spatial_momentum();
    kick.axpy(-1.0, &a.spatial_momentum());
    (turn.norm_squared() + kick.norm_squared()).sqrt()
}
