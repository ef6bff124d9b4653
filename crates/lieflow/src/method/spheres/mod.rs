//! Methods for mechanical systems on products of two-spheres.
//!
//! All of them are symmetric and of order two, and keep `|q_i| = 1` and `q_i·w_i = 0`. With a
//! diagonal mass matrix they are explicit; otherwise one scalar per sphere is unknown, and
//! Newton's method for it is tridiagonal on chains.
mod band;
mod eln;
mod llm;
mod on_links;
mod rattle;
pub mod structure;

pub use eln::Eln;
pub use llm::Llm;
pub use on_links::{Leap, OnLinks, Scheme};
pub use rattle::Rattle;

use super::composition::{Composable, compositions};
use super::{Card, Choices, Entry, Options, Solvers, StepError};
use crate::action::Link;
use crate::problem::spheres::{SphereProblem, SphereSystem, worst};
use lieflow_kernel::{Mask, Real, Vec3};

/// Newton's method gives up after so many iterations.
const MAX_ITERATIONS: u32 = 50;

/// Newton's method ends with the first change of a unit vector, or of an angular velocity relative
/// to the largest, that is below this: the error left is of the size of its square.
const SMALL_CHANGE: f64 = 1e-12;

/// The numbers of a problem on spheres.
type ScalarIn<P> = <<P as SphereProblem>::System as SphereSystem>::Scalar;

/// A card of this family, for a symplectic method that is explicit with a diagonal mass matrix.
const fn card(id: &'static str, title: &'static str, cite: &'static str) -> Card {
    Card {
        symmetric: true,
        symplectic: true,
        conserves: "the symplectic form and the momentum",
        evaluations: Some(1),
        cite,
        ..Card::new(id, title, "spheres", 2)
    }
}

/// The methods of this family and, since all are symmetric, their compositions. Nothing can be
/// chosen; where a mass matrix couples the spheres, they are solved by Newton's method.
pub fn entries<P: SphereProblem + 'static>() -> Vec<Entry<P>> {
    let has = Choices { chart: false, solver: Solvers::Newton, compensated: false };
    let all = [
        Composable::<P>::with(eln::CARD, compositions!("eln"), || {
            Box::new(Eln::<ScalarIn<P>>::new())
        }),
        Composable::with(rattle::CARD, compositions!("rattle"), || {
            Box::new(Rattle::<ScalarIn<P>>::new())
        }),
        Composable::with(llm::CARD, compositions!("llm"), || Box::new(Llm::<ScalarIn<P>>::new())),
    ];
    let each = all.iter().flat_map(|member| {
        member.each().map(|(card, scheme)| {
            let (own, make) = (card.clone(), member.maker(scheme));
            let make = move |_: &P, options: &Options| options.check(&own, has).map(|()| make());
            Entry { card, make: Box::new(make) }
        })
    });
    each.collect()
}

/// That all numbers of a new state are finite.
#[inline(always)]
fn finite<S: Real>(links: &[Link<S>]) -> Result<(), StepError> {
    for link in links {
        if !(link.q + link.omega).magnitude().is_finite() {
            return Err(StepError::NotFinite { what: "the new state" });
        }
    }
    Ok(())
}

/// `sum_j (M^{-1})_ij x_j q_j`, with or without the term `j = i`.
#[inline(always)]
fn pull<M: SphereSystem>(
    m: &M,
    i: usize,
    x: &[M::Scalar],
    links: &[Link<M::Scalar>],
    with_self: bool,
) -> Vec3<M::Scalar> {
    let mut sum = Vec3::zero();
    for j in m.coupling().row(i, links.len()) {
        if j != i || with_self {
            sum += links[j].q.times(m.inverse_mass(i, j) * x[j]);
        }
    }
    sum
}

/// Which lanes of Newton's method still move. Each stops as it would if it were alone, and each layer
/// of derivatives that a number carries gets a round more after all values have settled.
struct Pace<S: Real> {
    open: S::Mask,
    rounds_left: usize,
    done: bool,
}

impl<S: Real> Pace<S> {
    fn new() -> Self {
        Self { open: S::Mask::splat(true), rounds_left: S::DERIVATIVES, done: false }
    }
    /// What a correction becomes: nothing in lanes that have settled.
    #[inline(always)]
    fn correction(&self, x: S) -> S {
        if self.open.any() { S::select(self.open, x, S::zero()) } else { x }
    }
    /// Takes note of corrections that are `small` in some lanes.
    #[inline(always)]
    fn judge(&mut self, small: S::Mask) {
        if self.open.any() {
            self.open = self.open.and(small.not());
        } else {
            self.rounds_left -= 1;
        }
        self.done = !self.open.any() && self.rounds_left == 0;
    }
}

/// Where a number is at most [`SMALL_CHANGE`] of another; nowhere if it is not finite.
#[inline(always)]
fn is_small<S: Real>(x: S, scale: S) -> S::Mask {
    (scale * SMALL_CHANGE).lt(x.abs()).not().and(x.finite())
}

/// The largest norm over a list of vectors, at least one, in each lane.
fn largest<S: Real>(vectors: impl Iterator<Item = Vec3<S>>) -> S {
    vectors.fold(S::one(), |most, v| most.max(v.norm()))
}
