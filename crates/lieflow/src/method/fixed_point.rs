//! Fixed-point iteration on stage equations.
//!
//! `k <- F(k)`, all stages at once, until a sweep changes `k` by a few units in the last place, or
//! by no less than the sweep before it once the change is at rounding level. Rounding may weigh
//! more in a badly conditioned field, such as that of a long straight chain; then the iteration ends
//! when the change has not shrunk for a while. In place: systems of
//! run-time size allocate nothing after the first step. It converges for `h` times the Lipschitz
//! constant below about one.
//!
//! A lane that has converged is frozen, so that it has the bits of the `f64` run. Derivatives that
//! numbers carry have to converge as well as their values.
use super::implicit::{StageEquations, StageSolver, System};
use super::{NOT_FINITE, StepError};
use crate::group::{LieAlgebra, ScalarOf};
use crate::problem::{Generator, GroupOf};
use lieflow_kernel::{Mask, Real};

/// The most sweeps: at one half of the largest step for which the iteration contracts, rounding
/// level is reached in about fifty.
pub const MOST_SWEEPS: u32 = 300;
/// Relative change at which a lane is done: four units in the last place.
const DONE: f64 = 8.9e-16;
/// Relative change below which a lane is done once the change does not shrink any more.
const NEAR: f64 = 1e-12;
/// Relative change below which a lane is done once the change has not shrunk for [`PATIENCE`]
/// sweeps.
const STALLED: f64 = 1e-9;
/// So many sweeps without a change below [`PROGRESS`] of the smallest one are a stall. Iterations
/// that contract by less than this could not converge anyway.
const PATIENCE: f64 = 10.0;
/// Of the square of a change.
const PROGRESS: f64 = 0.9;
/// Keeps the comparison of zero with zero true.
const TINY: f64 = 1e-300;

/// Fixed-point iteration.
#[derive(Clone, Copy, Debug, Default)]
pub struct FixedPoint;

/// Whether the changes of one sequence of numbers have come to their end, lane by lane.
pub(super) struct Settling<S: Real> {
    previous: S,
    smallest: S,
    waited: S,
    done: S::Mask,
}

impl<S: Real> Settling<S> {
    /// Nothing is known yet.
    pub(super) fn new() -> Self {
        let far = S::lift(f64::INFINITY);
        let done = S::Mask::splat(false);
        Self { previous: far, smallest: far, waited: S::zero(), done }
    }

    /// Takes note of a change and of the size of what changed, both squared.
    pub(super) fn judge(&mut self, change: S, size: S) -> S::Mask {
        let tiny = S::lift(TINY);
        let small = change.lt(size * (DONE * DONE) + tiny);
        let stuck = change.lt(size * (NEAR * NEAR) + tiny).and(change.lt(self.previous).not());
        let better = change.lt(self.smallest * PROGRESS);
        self.smallest = S::select(better, change, self.smallest);
        self.waited = S::select(better, S::zero(), self.waited + S::one());
        let near = change.lt(size * (STALLED * STALLED) + tiny);
        let stalled = near.and(S::lift(PATIENCE).lt(self.waited));
        self.previous = change;
        self.done = self.done.or(small).or(stuck).or(stalled);
        self.done
    }
}

impl<P: Generator> StageSolver<P> for FixedPoint {
    fn solve<E: StageEquations>(&mut self, system: System<'_, P, E>) -> Result<(), StepError> {
        let System { equations, at, stages, cost } = system;
        type S<P> = ScalarOf<GroupOf<P>>;
        let differentiates = <S<P> as Real>::DERIVATIVES > 0;
        let mut done = <S<P> as Real>::Mask::splat(false);
        let (mut value, mut all_parts) = (Settling::<S<P>>::new(), Settling::<S<P>>::new());
        let (mut residual, mut sweeps) = (f64::INFINITY, 0);
        for sweep in 1..=MOST_SWEEPS {
            equations.evaluate(at, stages);
            cost.field_evaluations += stages.k.len() as u64;
            cost.exponentials += stages.k.len() as u64;
            cost.newton_iterations += 1;
            let (mut change, mut size) = (S::<P>::zero(), S::<P>::zero());
            let (mut change_of_all, mut size_of_all) = (change, size);
            let difference = &mut stages.scratch.u;
            for (k, f) in stages.k.iter_mut().zip(&stages.f) {
                difference.assign(1.0, f);
                difference.axpy(-1.0, k);
                change += difference.dot(difference);
                size += f.dot(f);
                if differentiates {
                    change_of_all += all_squared(difference);
                    size_of_all += all_squared(f);
                }
                if done.any() {
                    freeze(k, f, done);
                } else {
                    k.assign(1.0, f);
                }
            }
            sweeps = sweep;
            residual = change.magnitude().sqrt();
            if !residual.is_finite() {
                if sweep == 1 {
                    return Err(NOT_FINITE);
                }
                break;
            }
            done = value.judge(change, size);
            if differentiates {
                // At an equilibrium the value has settled at once, and its derivatives have not.
                done = done.and(all_parts.judge(change_of_all, size_of_all));
            }
            if done.all() {
                return Ok(());
            }
        }
        equations.domain(at.h, stages)?;
        Err(StepError::NotConverged {
            equation: equations.name(),
            iterations: sweeps,
            residual,
            step: at.h,
        })
    }
}

/// The squares of all coordinates with their derivatives.
pub(super) fn all_squared<A: LieAlgebra>(x: &A) -> A::Scalar {
    let mut sum = A::Scalar::zero();
    for i in 0..x.dim() {
        sum += x.coord(i).all_squared();
    }
    sum
}

/// `k = new` in the lanes that are not done.
fn freeze<A: LieAlgebra>(k: &mut A, new: &A, done: <A::Scalar as Real>::Mask) {
    for i in 0..k.dim() {
        k.set_coord(i, A::Scalar::select(done, k.coord(i), new.coord(i)));
    }
}
