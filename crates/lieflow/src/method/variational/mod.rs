//! Variational integrators: methods that come from a discrete action, on groups and on Rⁿ.
//!
//! All of them are symplectic, conserve the momenta of symmetries to rounding, and keep the energy
//! error bounded; the tests measure this on SO(3), SE(3), products and Rⁿ. One set of equations
//! serves them all (`kernel.rs`); a method is a [`Scheme`], which is data, and the mechanics
//! of the system, which it gets through [`Mechanics`].
//!
//! | family | names | order | symmetric | source |
//! | --- | --- | --- | --- | --- |
//! | theta | `slgi-theta0`, `slgi-theta0.5`, any number | 1; 2 for 1/2 | for 1/2 | Celledoni et al., 15 to 17 |
//! | natural chart | `chart-exp-left`, … | 1 left, right; else 2 | exp: trapezoid, midpoint; cay: trapezoid, truemid | Carré and Bensoam, 4.2 |
//! | variational RKMK | `vrkmk-gauss4`, … | that of Gauss | one stage only | Bogfjellmo and Marthinsen |
//! | Lie–Galerkin | `liegalerkin-cay-s2-lobatto3`, … | min(2s, rule) | exp, s = 1 | Hall and Leok; Carré and Bensoam, 4.3 |
//! | Galerkin on Rⁿ | `galerkin-s3-gauss3`, `midpoint-variational` | min(2s, rule) | yes | Marsden and West |
//!
//! Without a potential (free bodies, [`Reduced`]) the rules of the natural charts are one method of
//! order 2.
//!
//! Differs from the papers in: the position–momentum form instead of two steps, so that the first
//! increment is solved from the momentum; the product of Celledoni et al., equation 17, with the
//! inverse that makes it a group; the body velocity of a curve `phi(x(t))`, which Carré and Bensoam
//! take as `x'`, as `dphi_{-x} x'` in the Galerkin methods (for Cayley's map the two differ).
use super::{Cost, Method, Step, StepResult};
use crate::group::{Coadjoint, LieGroup};
use crate::problem::{Phase, Problem};

// Names are kept behind a lock, which needs an operating system.
#[cfg(not(target_arch = "nvptx64"))]
mod cards;
mod kernel;
mod mechanics;
pub mod names;
mod newton;
mod scheme;

#[cfg(not(target_arch = "nvptx64"))]
pub(crate) use cards::interned;
#[cfg(not(target_arch = "nvptx64"))]
pub use cards::{
    hamiltonian_entries, hamiltonian_entry, lagrangian_entries, lagrangian_entry, reduced_entries,
    reduced_entry, vector_entries, vector_entry,
};
use kernel::{Start, Work};
pub use mechanics::{
    At, FromHamiltonian, FromLagrangian, FromReducedLagrangian, Mechanics, MomentumAndForce,
};
pub use scheme::{Node, Place, Scheme, SchemeError, Velocity};

/// A variational method on T*G.
pub struct Variational<P: Problem, R: Mechanics<P>> {
    scheme: Scheme,
    work: Option<Work<R, P>>,
    cost: Cost,
}

impl<P: Problem, R: Mechanics<P>> Variational<P, R> {
    /// The method with these coefficients.
    pub fn new(scheme: Scheme) -> Self {
        Self { scheme, work: None, cost: Cost::default() }
    }
    /// Its coefficients.
    pub fn scheme(&self) -> &Scheme {
        &self.scheme
    }
}

impl<P, R> Method<P> for Variational<P, R>
where
    R: Mechanics<P>,
    P: Problem<Point: Phase<Group = mechanics::GroupOn<R, P>>>,
{
    #[inline]
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let Step { p, t, h, y } = s;
        let g0 = y.configuration();
        let momentum = y.body_momentum();
        let work = self.work.get_or_insert_with(|| Work::new(self.scheme.unknowns(), &momentum));
        let start = Start { p, scheme: &self.scheme, t, h, g0: &g0, momentum: &momentum };
        let moved = kernel::solve::<R, P>(&start, work, &mut self.cost)?;
        y.advance(&moved.step, &moved.impulse, out);
        Ok(None)
    }

    fn cost(&self) -> Cost {
        self.cost
    }
}

/// A variational method on the dual of an algebra, for invariant Lagrangians: the discrete
/// Euler–Poincaré equation.
///
/// ```text
/// D_x^{-T} (…) = p0 is solved as on T*G from g0 = e;      p1 = Ad_{phi(x)}^T p0
/// ```
///
/// Carré and Bensoam, equation 12, in the position–momentum form: the first increment is solved
/// from the momentum (the discrete Legendre transform), not taken as `h` times the velocity.
pub struct Reduced<P: Problem, R: Mechanics<P>> {
    scheme: Scheme,
    work: Option<Work<R, P>>,
    cost: Cost,
}

impl<P: Problem, R: Mechanics<P>> Reduced<P, R> {
    /// The method with these coefficients.
    pub fn new(scheme: Scheme) -> Self {
        Self { scheme, work: None, cost: Cost::default() }
    }
}

impl<P, R> Method<P> for Reduced<P, R>
where
    R: Mechanics<P>,
    P: Problem<Point = mechanics::VectorOn<R, P>>,
{
    #[inline]
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let Step { p, t, h, y } = s;
        let work = self.work.get_or_insert_with(|| Work::new(self.scheme.unknowns(), y));
        let unit = mechanics::GroupOn::<R, P>::identity(y);
        let start = Start { p, scheme: &self.scheme, t, h, g0: &unit, momentum: y };
        let moved = kernel::solve::<R, P>(&start, work, &mut self.cost)?;
        *out = moved.step.adjoint_transpose(y);
        Ok(None)
    }

    fn cost(&self) -> Cost {
        self.cost
    }
}
