//! Newton's method on stage equations.
//!
//! `k <- k - (I - F'(k))^{-1} (k - F(k))` with the exact Jacobian from dual numbers. A correction
//! below 1e-9 of the stages is the last one: the next would be below its square, at rounding
//! level. Three to five iterations are usual.
//!
//! A lane that has converged is frozen, so that it has the bits of the `f64` run.
use super::implicit::{DIRECTIONS, LiftedOf, Linear, StageEquations, StageSolver, Stages, System};
use super::{NOT_FINITE, Step, StepError};
use crate::group::LieAlgebra;
use crate::problem::{Differentiable, Problem};
use lieflow_kernel::linalg::solve_in_place;
use lieflow_kernel::{Mask, Real};

/// The most iterations.
pub const MOST_ITERATIONS: u32 = 50;
/// Relative size of the last correction.
const DONE: f64 = 1e-9;
/// Keeps the comparison of zero with zero true.
const TINY: f64 = 1e-300;

/// Newton's method.
pub struct Newton<P: Differentiable<DIRECTIONS>> {
    work: Option<Work<P>>,
}

/// Made at the first step, for the problem of the first step: the Jacobians are those of that
/// problem, the residual always belongs to the problem of the step.
struct Work<P: Differentiable<DIRECTIONS>> {
    problem: LiftedOf<P>,
    point: <LiftedOf<P> as Problem>::Point,
    lifted: Stages<LiftedOf<P>>,
    matrix: Vec<P::Scalar>,
    residual: Vec<P::Scalar>,
}

impl<P: Differentiable<DIRECTIONS>> Default for Newton<P> {
    fn default() -> Self {
        Self { work: None }
    }
}

impl<P: Differentiable<DIRECTIONS>> StageSolver<P> for Newton<P> {
    fn solve<E: StageEquations>(&mut self, system: System<'_, P, E>) -> Result<(), StepError> {
        let System { equations, at, stages, cost } = system;
        let d = stages.scratch.u.dim();
        let s = stages.k.len();
        let n = s * d;
        let w = self.work.get_or_insert_with(|| {
            let problem = at.p.lifted();
            let point = at.p.lifted_point(at.y);
            let lifted = Stages::new(&problem, at.t, &point, s);
            let zero = P::Scalar::zero();
            Work { problem, point, lifted, matrix: vec![zero; n * n], residual: vec![zero; n] }
        });
        at.p.lifted_point_into(at.y, &mut w.point);
        let lifted = Step::new(&w.problem, at.t, at.h, &w.point);

        let mut done = <P::Scalar as Real>::Mask::splat(false);
        // A derivative settles one iteration after its value.
        let mut rounds_left = P::Scalar::DERIVATIVES;
        let (mut residual, mut iterations) = (f64::INFINITY, 0);
        for iteration in 1..=MOST_ITERATIONS {
            let (m, r) = (&mut w.matrix[..], &mut w.residual[..]);
            equations.linearise(Linear { at: lifted, stages, lifted: &mut w.lifted, m, r });
            cost.field_evaluations += s as u64;
            cost.exponentials += s as u64;
            cost.newton_iterations += 1;
            iterations = iteration;
            residual = norm_squared(&w.residual).magnitude().sqrt();
            if iteration == 1 && !residual.is_finite() {
                return Err(NOT_FINITE);
            }
            let solved = solve_in_place(n, &mut w.matrix, &mut w.residual);
            if !solved.or(done).all() {
                break;
            }
            let finishing = done.all();
            let mut size = P::Scalar::zero();
            for (i, k) in stages.k.iter_mut().enumerate() {
                for j in 0..d {
                    let (old, step) = (k.coord(j), w.residual[i * d + j]);
                    let new = old - step;
                    let new = if finishing { new } else { P::Scalar::select(done, old, new) };
                    k.set_coord(j, new);
                    size += new * new;
                }
            }
            let limit = size * (DONE * DONE) + P::Scalar::lift(TINY);
            done = done.or(norm_squared(&w.residual).lt(limit));
            rounds_left -= usize::from(finishing);
            if done.all() && rounds_left == 0 {
                return Ok(());
            }
        }
        equations.domain(at.h, stages)?;
        Err(StepError::NotConverged {
            equation: equations.name(),
            iterations,
            residual,
            step: at.h,
        })
    }
}

fn norm_squared<S: Real>(x: &[S]) -> S {
    let mut sum = S::zero();
    for x in x {
        sum += *x * *x;
    }
    sum
}
