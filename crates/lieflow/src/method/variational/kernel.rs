//! The equations of a variational step, written once for every method of this folder.
//!
//! The discrete Lagrangian is `h sum_i weight_i L(g0 phi(x_i), w_i)`, with the curves of
//! [`Scheme`]. Let `p_i` be the body momentum and `f_i` the force in space at node `i`, and
//! `D = dphi` the right-trivialised differential of the chart. Its derivative in the unknown `X_j`
//! and in the starting point gives, with a multiplier for the end of the step,
//!
//! ```text
//! sum_i weight_i (velocity_ij a_i + h position_ij b_i) = end_j D_{x_end}^T Ad_{g0}^T (mu0 + impulse)
//!     a_i = D_{-x_i}^T p_i                                     momentum, pulled back to the chart
//!     b_i = D_{-x_i}^T Ad_{g_i}^T f_i + [d -> <p_i, D_x(D_{-x} x'_i)[d]>]       force, likewise
//! impulse = h sum_i weight_i f_i
//! g1 = g0 phi(x_end)        mu1 = mu0 + impulse                             (momentum in space)
//! ```
//!
//! The last line is where momentum conservation lives: where the force has no component along a
//! symmetry, not even rounding gives it one. External forces simply add to `f_i`, which is the
//! discrete Lagrange–d'Alembert principle.
//!
//! Marsden and West, section 2; Hall and Leok; Bogfjellmo and Marthinsen; Carré and Bensoam,
//! section 4. The papers write one of these families each, in the two-step form; here they are one
//! set of equations in the position–momentum form.
use super::mechanics::{At, GroupOn, Mechanics, VectorOn};
use super::newton::{Equation, newton};
use super::scheme::{Place, Scheme, Velocity};
use crate::group::family::{
    CHUNK, GroupFamily, NaturalChart, Seeded, SeededPrimal, VectorIn, fixed,
};
use crate::group::{Coadjoint, LieAlgebra, LieGroup};
use crate::method::{Cost, StepError};
use crate::problem::Problem;
use lieflow_kernel::Real;

const NAME: &str = "the discrete Euler–Lagrange equation";

/// Work space, made at the first step.
pub(super) struct Work<R: Mechanics<P>, P: Problem> {
    x: Vec<VectorOn<R, P>>,
    r: Vec<VectorOn<R, P>>,
    dual_x: Vec<VectorIn<R::Family, SeededPrimal<R::Scalar>>>,
    dual_r: Vec<VectorIn<R::Family, SeededPrimal<R::Scalar>>>,
    flat: Vec<R::Scalar>,
    rest: Vec<R::Scalar>,
    matrix: Vec<R::Scalar>,
}

impl<R: Mechanics<P>, P: Problem> Work<R, P> {
    pub(super) fn new(unknowns: usize, shape: &VectorOn<R, P>) -> Self {
        let zero = shape.zero_like();
        let dual = R::Family::cast_vector(&zero, fixed);
        let n = unknowns * shape.dim();
        Self {
            x: vec![zero.clone(); unknowns],
            r: vec![zero; unknowns],
            dual_x: vec![dual.clone(); unknowns],
            dual_r: vec![dual; unknowns],
            flat: vec![R::Scalar::zero(); n],
            rest: vec![R::Scalar::zero(); n],
            matrix: vec![R::Scalar::zero(); n * n],
        }
    }
}

/// What a step does to a state: `g0 -> g0 step`, `mu -> mu + impulse`.
pub(super) struct Move<G: LieGroup> {
    pub step: G,
    pub impulse: G::Algebra,
}

/// Where a step starts.
pub(super) struct Start<'a, R: Mechanics<P>, P: Problem> {
    pub p: &'a P,
    pub scheme: &'a Scheme,
    pub t: f64,
    pub h: f64,
    /// The configuration.
    pub g0: &'a GroupOn<R, P>,
    /// The body momentum.
    pub momentum: &'a VectorOn<R, P>,
}

/// Solves the equations of one step.
pub(super) fn solve<R: Mechanics<P>, P: Problem>(
    start: &Start<'_, R, P>,
    work: &mut Work<R, P>,
    cost: &mut Cost,
) -> Result<Move<GroupOn<R, P>>, StepError> {
    let Start { p, scheme, t, h, g0, momentum } = *start;
    let d = momentum.dim();
    let w0 = R::velocity(p, At { t, g: g0 }, momentum)?;
    for (j, guess) in scheme.guess.iter().enumerate() {
        for i in 0..d {
            work.flat[j * d + i] = w0.coord(i) * *guess;
        }
    }
    let lifted = R::over(p, fixed);
    let dual_g0 = R::Family::cast(g0, fixed);
    let dual_momentum = R::Family::cast_vector(momentum, fixed);
    let dual_start = Start { p: &lifted, scheme, t, h, g0: &dual_g0, momentum: &dual_momentum };
    let Work { x, r, dual_x, dual_r, flat, rest, matrix } = work;
    let n = flat.len();
    let equation = Equation { name: NAME, step: h };
    let rounds = newton(equation, flat, rest, matrix, |flat, rest, matrix| {
        for k in 0..n {
            dual_x[k / d].set_coord(k % d, fixed(flat[k]));
        }
        let mut terms = R::Scalar::zero();
        let mut first = 0;
        while first < n {
            let last = (first + CHUNK).min(n);
            for k in first..last {
                dual_x[k / d].set_coord(k % d, Seeded::variable(flat[k].primal(), k - first));
            }
            let (_, size) =
                residual::<R::Lifted<SeededPrimal<R::Scalar>>, _>(&dual_start, dual_x, dual_r)?;
            terms = R::Scalar::from_primal(size.re);
            for row in 0..n {
                let entry = dual_r[row / d].coord(row % d);
                rest[row] = R::Scalar::from_primal(entry.re);
                for k in first..last {
                    matrix[row * n + k] = R::Scalar::from_primal(entry.eps[k - first]);
                }
            }
            for k in first..last {
                dual_x[k / d].set_coord(k % d, fixed(flat[k]));
            }
            first = last;
        }
        if R::Scalar::DERIVATIVES > 0 {
            // The Jacobian was taken without the derivatives that the numbers carry.
            unflatten(flat, x);
            residual(start, x, r)?;
            for row in 0..n {
                rest[row] = r[row / d].coord(row % d);
            }
        }
        Ok(terms)
    })?;
    unflatten(flat, x);
    let (impulse, _) = residual(start, x, r)?;
    let (rounds, nodes) = (u64::from(rounds), scheme.nodes.len() as u64);
    cost.newton_iterations += rounds;
    cost.field_evaluations += (rounds + 1) * nodes;
    cost.exponentials += (rounds + 1) * nodes + 1;
    let step = R::Family::map(scheme.chart, &chart_end(scheme, h, x));
    Ok(Move { step, impulse })
}

/// The coordinates `flat` as vectors.
fn unflatten<A: LieAlgebra>(flat: &[A::Scalar], x: &mut [A]) {
    let d = flat.len() / x.len();
    for (k, value) in flat.iter().enumerate() {
        x[k / d].set_coord(k % d, *value);
    }
}

/// `x_end`.
fn chart_end<A: LieAlgebra>(scheme: &Scheme, h: f64, x: &[A]) -> A {
    sum_of(h, &scheme.end, x)
}

/// `scale sum_j c_j x_j`.
#[inline]
fn sum_of<A: LieAlgebra>(scale: f64, c: &[f64], x: &[A]) -> A {
    let mut sum = x[0].zero_like();
    for (c, x) in c.iter().zip(x) {
        if *c != 0.0 {
            sum.axpy(scale * c, x);
        }
    }
    sum
}

/// The left minus the right sides of the equations into `r`; returns the impulse and the size of
/// the terms.
#[inline]
fn residual<R: Mechanics<P>, P: Problem>(
    start: &Start<'_, R, P>,
    x: &[VectorOn<R, P>],
    r: &mut [VectorOn<R, P>],
) -> Result<(VectorOn<R, P>, R::Scalar), StepError> {
    let Start { p, scheme, t, h, g0, momentum } = *start;
    let chart = scheme.chart;
    let mut impulse = momentum.zero_like();
    let mut terms = length(momentum);
    for r in r.iter_mut() {
        *r = momentum.zero_like();
    }
    for node in &scheme.nodes {
        let position = sum_of(h, &node.position, x);
        let velocity = sum_of(1.0, &node.velocity, x);
        let place = match scheme.place {
            Place::OnCurve => position.clone(),
            Place::Halfway => R::Family::cay_half(&position),
        };
        let g = g0.compose(&R::Family::map(chart, &place));
        let back = negative(&position);
        let w = match scheme.velocity {
            Velocity::OfCurve => R::Family::push(chart, &back, &velocity),
            Velocity::OfChart => velocity.clone(),
        };
        let at_node = R::momentum_and_force(p, At { t: t + node.c * h, g: &g }, &w)?;
        let mut force = R::Family::push_transpose(
            chart,
            &negative(&place),
            &g.adjoint_transpose(&at_node.force),
        );
        if scheme.place == Place::Halfway {
            force = R::Family::cay_half_transpose(&position, &force);
        }
        let mut chart_momentum = at_node.momentum;
        if scheme.velocity == Velocity::OfCurve {
            // The derivative at x of D_{-x} x' is minus that of D at -x.
            let bend = R::Family::push_gradient(chart, &back, &velocity, &chart_momentum);
            force.axpy(-1.0, &bend);
            chart_momentum = R::Family::push_transpose(chart, &back, &chart_momentum);
        }
        impulse.axpy(h * node.weight, &at_node.force);
        for (j, r) in r.iter_mut().enumerate() {
            let (a, b) = (node.weight * node.velocity[j], h * node.weight * node.position[j]);
            if a != 0.0 {
                r.axpy(a, &chart_momentum);
            }
            if b != 0.0 {
                r.axpy(b, &force);
            }
            terms += length(&chart_momentum) * a.abs() + length(&force) * b.abs();
        }
    }
    let mut kicked = g0.adjoint_transpose(&impulse);
    kicked.axpy(1.0, momentum);
    // Newton's method likes the two charts in different forms: with the exponential on the left, it
    // converges up to twice the step; with Cayley's map on the right, in fewer rounds.
    let end = chart_end(scheme, h, x);
    if chart == NaturalChart::Cayley {
        kicked = R::Family::push_transpose(chart, &end, &kicked);
    }
    for (r, e) in r.iter_mut().zip(&scheme.end) {
        if *e != 0.0 {
            if chart == NaturalChart::Exp {
                *r = GroupOn::<R, P>::dexpinv_transpose(&end, r);
            }
            r.axpy(-e, &kicked);
        }
    }
    Ok((impulse, terms))
}

/// The Euclidean norm of the coordinates in each lane, without derivatives.
#[inline]
fn length<A: LieAlgebra>(x: &A) -> A::Scalar {
    let mut sum = <A::Scalar as Real>::Primal::zero();
    for i in 0..x.dim() {
        let x = x.coord(i).primal();
        sum += x * x;
    }
    A::Scalar::from_primal(sum.sqrt())
}

#[inline]
fn negative<A: LieAlgebra>(x: &A) -> A {
    let mut minus = x.zero_like();
    minus.assign(-1.0, x);
    minus
}
