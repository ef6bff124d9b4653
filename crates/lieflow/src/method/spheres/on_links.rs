//! What the methods on spheres share: a step from links to links, whatever the coordinates of a
//! problem are.
use super::{ScalarIn, read, write};
use crate::action::Link;
use crate::method::{Cost, Kept, Method, Step, StepError, StepResult};
use crate::problem::spheres::{SphereProblem, SphereSystem};
use lieflow_kernel::Real;

/// The formulas of a method, with their work space.
pub trait Scheme<S: Real> {
    /// Work space for this system, at a state with these links.
    fn new<M: SphereSystem<Scalar = S>>(m: &M, links: &[Link<S>]) -> Self;
    /// Makes the links after a step of length `h` from those before it. `goes_on` says that they are
    /// those at which the last step ended, so that what was computed there can be used again.
    fn step<M: SphereSystem<Scalar = S>>(
        &mut self,
        m: &M,
        h: f64,
        goes_on: bool,
        from: &[Link<S>],
        to: &mut [Link<S>],
        cost: &mut Cost,
    ) -> Result<(), StepError>;
}

/// A method on spheres.
pub struct OnLinks<S, K> {
    work: Option<Work<S, K>>,
    kept: Kept,
    cost: Cost,
}

struct Work<S, K> {
    from: Vec<Link<S>>,
    to: Vec<Link<S>>,
    scheme: K,
}

impl<S, K> OnLinks<S, K> {
    /// The method.
    pub fn new() -> Self {
        Self { work: None, kept: Kept::Nothing, cost: Cost::default() }
    }
}

impl<S, K> Default for OnLinks<S, K> {
    fn default() -> Self {
        Self::new()
    }
}

/// Compiled once for each system, and not once more for each set of coordinates.
#[inline(never)]
fn advance<M: SphereSystem, K: Scheme<M::Scalar>>(
    m: &M,
    h: f64,
    goes_on: bool,
    work: &mut Work<M::Scalar, K>,
    cost: &mut Cost,
) -> Result<(), StepError> {
    work.scheme.step(m, h, goes_on, &work.from, &mut work.to, cost)
}

impl<P: SphereProblem, K: Scheme<ScalarIn<P>>> Method<P> for OnLinks<ScalarIn<P>, K> {
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let Step { p, h, y, .. } = s;
        let w = self.work.get_or_insert_with(|| Work {
            from: y.clone(),
            to: y.clone(),
            scheme: K::new(p.system(), y),
        });
        read(p, y, &mut w.from);
        let goes_on = self.kept == Kept::Accepted;
        self.kept = Kept::Nothing;
        advance(p.system(), h, goes_on, w, &mut self.cost)?;
        write(p, &w.to, out)?;
        self.kept = Kept::Proposed;
        Ok(None)
    }

    fn accept(&mut self) {
        self.kept.accept();
    }

    fn reset(&mut self) {
        self.kept = Kept::Nothing;
    }

    fn cost(&self) -> Cost {
        self.cost
    }
}
