//! Newton's method on the stage equations of large systems.
//!
//! ```text
//! k <- k - d,      (I - F'(k)) d = k - F(k)
//! ```
//!
//! No matrix is formed: GMRES (Saad and Schultz 1986) solves for `d` from products `F'(k) v`, each of
//! them one evaluation of `F` over dual numbers. For a field that takes O(n) operations, as that of a
//! chain, an iteration takes O(n) too, where the matrix alone of a direct solve has O(n²) entries.
//!
//! GMRES stops when the equation holds to `1e-4`, so a Newton iteration gains at least four digits. A
//! correction below `1e-11` of the stages is the last one: what it leaves is at rounding level. In a
//! badly conditioned field, such as that of a long straight chain, rounding weighs more; there the
//! iteration ends when corrections below `1e-9` no longer shrink.
//!
//! It converges at steps at which fixed-point iteration does not, and costs more where both do.
use super::implicit::{StageEquations, StageSolver, Stages, System};
use super::{NOT_FINITE, Step, StepError};
use crate::group::LieAlgebra;
use crate::problem::{Differentiable, Generator, Problem};
use lieflow_kernel::Dual;

/// The most iterations of Newton's method.
pub const MOST_ITERATIONS: u32 = 50;
/// The most products with the Jacobian in one of them.
pub const MOST_PRODUCTS: usize = 60;
/// How exactly the linear equations are solved.
const FORCING: f64 = 1e-4;
/// Relative size of the last correction.
const DONE: f64 = 1e-11;
/// Relative size of a correction that may be the last one if it does not shrink any more.
const STALLED: f64 = 1e-9;

/// One direction of differentiation.
type One = Dual<f64, 1>;
type Twin<P> = <P as Differentiable<1>>::Lifted;

/// Newton's method with linear equations solved by products only.
pub struct NewtonKrylov<P: Differentiable<1, Scalar = f64>> {
    work: Option<Work<P>>,
}

impl<P: Differentiable<1, Scalar = f64>> Default for NewtonKrylov<P> {
    fn default() -> Self {
        Self { work: None }
    }
}

/// Made at the first step, for the problem of the first step. The basis grows to the size that is
/// needed and keeps it.
struct Work<P: Differentiable<1, Scalar = f64>> {
    problem: Twin<P>,
    point: <Twin<P> as Problem>::Point,
    lifted: Stages<Twin<P>>,
    residual: Vec<f64>,
    gmres: Gmres,
}

impl<P: Differentiable<1, Scalar = f64>> StageSolver<P> for NewtonKrylov<P> {
    fn solve<E: StageEquations>(&mut self, system: System<'_, P, E>) -> Result<(), StepError> {
        let System { equations, at, stages, cost } = system;
        let (s, d) = (stages.k.len(), stages.scratch.u.dim());
        let w = self.work.get_or_insert_with(|| {
            let problem = at.p.lifted();
            let point = at.p.lifted_point(at.y);
            let lifted = Stages::new(&problem, at.t, &point, s);
            Work { problem, point, lifted, residual: vec![0.0; s * d], gmres: Gmres::default() }
        });
        at.p.lifted_point_into(at.y, &mut w.point);
        let Work { problem, point, lifted, residual, gmres } = w;
        let twin = Step::new(&*problem, at.t, at.h, &*point);
        let (mut size_of_residual, mut previous, mut iterations) =
            (f64::INFINITY, f64::INFINITY, 0);
        for iteration in 1..=MOST_ITERATIONS {
            iterations = iteration;
            equations.evaluate(at, stages);
            let mut size = 0.0;
            for c in 0..s * d {
                let k = stages.k[c / d].coord(c % d);
                residual[c] = k - stages.f[c / d].coord(c % d);
                size += k * k;
            }
            size_of_residual = norm(residual);
            let mut evaluations = s as u64;
            if !size_of_residual.is_finite() {
                if iteration == 1 {
                    return Err(NOT_FINITE);
                }
                break;
            }
            let solved = gmres.solve(residual, |v, out| {
                product(equations, twin, &stages.k, lifted, v, out);
                evaluations += s as u64;
            });
            cost.field_evaluations += evaluations;
            cost.exponentials += evaluations;
            cost.newton_iterations += 1;
            if !solved {
                break;
            }
            // The solution took the place of the residual.
            for c in 0..s * d {
                let k = &mut stages.k[c / d];
                k.set_coord(c % d, k.coord(c % d) - residual[c]);
            }
            let correction = norm(residual);
            let done = DONE * size.sqrt();
            let stalled = correction <= STALLED * size.sqrt() && correction > 0.5 * previous;
            if correction <= done || stalled {
                return Ok(());
            }
            previous = correction;
        }
        equations.domain(at.h, stages)?;
        Err(StepError::NotConverged {
            equation: equations.name(),
            iterations,
            residual: size_of_residual,
            step: at.h,
        })
    }
}

/// `out = v - F'(k) v`.
fn product<E: StageEquations, A: LieAlgebra<Scalar = f64>, T>(
    equations: &E,
    at: Step<'_, T>,
    k: &[A],
    lifted: &mut Stages<T>,
    v: &[f64],
    out: &mut [f64],
) where
    T: Generator,
    crate::problem::FieldOf<T>: LieAlgebra<Scalar = One>,
{
    let d = v.len() / k.len();
    for (c, v) in v.iter().enumerate() {
        let dual = One { re: k[c / d].coord(c % d), eps: [*v] };
        lifted.k[c / d].set_coord(c % d, dual);
    }
    equations.evaluate(at, lifted);
    for (c, (out, v)) in out.iter_mut().zip(v).enumerate() {
        *out = v - lifted.f[c / d].coord(c % d).eps[0];
    }
}

fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// The method of generalised minimal residuals, in memory that is reused.
#[derive(Default)]
struct Gmres {
    /// Orthonormal vectors.
    basis: Vec<Vec<f64>>,
    /// The triangle to which rotations bring the Hessenberg matrix, by columns.
    triangle: Vec<Vec<f64>>,
    /// The rotations.
    turns: Vec<(f64, f64)>,
    /// The right-hand side, turned with them.
    side: Vec<f64>,
}

impl Gmres {
    /// Replaces `b` by the solution of `A x = b`, where `apply(v, out)` is `out = A v`; says whether
    /// there is one. Fewer digits than wanted will do: whoever asks looks at the result.
    fn solve(&mut self, b: &mut [f64], mut apply: impl FnMut(&[f64], &mut [f64])) -> bool {
        let first = norm(b);
        if first == 0.0 {
            return true;
        }
        let n = b.len();
        self.grow(0, n);
        for (v, b) in self.basis[0].iter_mut().zip(&*b) {
            *v = b / first;
        }
        self.turns.clear();
        self.side.clear();
        self.side.push(first);
        let mut j = 0;
        while j < MOST_PRODUCTS.min(n) {
            self.grow(j + 1, n);
            let (known, new) = self.basis.split_at_mut(j + 1);
            let w = &mut new[0];
            apply(&known[j], w);
            let column = &mut self.triangle[j];
            column.clear();
            for v in &*known {
                let h = dot(v, w);
                w.iter_mut().zip(v).for_each(|(w, v)| *w -= h * v);
                column.push(h);
            }
            let mut rest = norm(w);
            if !rest.is_finite() {
                return false;
            }
            if rest > 0.0 {
                w.iter_mut().for_each(|w| *w /= rest);
            }
            for (i, (cos, sin)) in self.turns.iter().enumerate() {
                let (a, b) = (column[i], column[i + 1]);
                column[i] = cos * a + sin * b;
                column[i + 1] = cos * b - sin * a;
            }
            let radius = column[j].hypot(rest);
            if radius == 0.0 {
                return false;
            }
            let (cos, sin) = (column[j] / radius, rest / radius);
            column[j] = radius;
            self.turns.push((cos, sin));
            rest = -sin * self.side[j];
            self.side[j] *= cos;
            self.side.push(rest);
            j += 1;
            if rest.abs() <= FORCING * first {
                break;
            }
        }
        // Back substitution, and the combination of the basis.
        for i in (0..j).rev() {
            let mut x = self.side[i];
            for l in i + 1..j {
                x -= self.triangle[l][i] * self.side[l];
            }
            self.side[i] = x / self.triangle[i][i];
        }
        b.fill(0.0);
        for (v, x) in self.basis.iter().zip(&self.side[..j]) {
            b.iter_mut().zip(v).for_each(|(b, v)| *b += x * v);
        }
        b.iter().all(|b| b.is_finite())
    }

    /// Room for the vector number `j`.
    fn grow(&mut self, j: usize, n: usize) {
        if self.basis.len() <= j {
            self.basis.push(vec![0.0; n]);
            self.triangle.push(Vec::with_capacity(MOST_PRODUCTS));
        }
    }
}
