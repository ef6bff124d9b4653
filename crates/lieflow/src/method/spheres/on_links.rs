//! What the methods on spheres share: a step from links to links, whatever the coordinates of a
//! problem are.
use super::band::Band;
use super::{ScalarIn, finite};
use crate::action::{Flat, Link};
use crate::archive::Archive;
use crate::method::{Aside, Cost, Kept, Method, Step, StepError, StepResult, remembers};
use crate::problem::spheres::{Coupling, SphereProblem, SphereSystem, momenta, velocities};
use lieflow_kernel::Real;
use lieflow_kernel::scalar::Apart;

/// The formulas of a method, with their work space.
pub trait Scheme<S: Real> {
    /// Work space for this system, at a state with these links.
    fn new<M: SphereSystem<Scalar = S>>(m: &M, links: &[Link<S>]) -> Self;
    /// Makes the links after a step from those before it.
    fn step<M: SphereSystem<Scalar = S>>(&mut self, leap: Leap<'_, M>) -> Result<(), StepError>;
    /// Names what is used again if the next step [goes on](Leap::goes_on).
    fn archive(&mut self, archive: &mut Archive);
}

/// A step from links to links.
pub struct Leap<'a, M: SphereSystem> {
    /// The system.
    pub m: &'a M,
    /// How long it is.
    pub h: f64,
    /// Whether the last step ended where this one starts, so that what was computed there can be
    /// used again.
    pub goes_on: bool,
    /// The links before it.
    pub from: &'a [Link<M::Scalar>],
    /// The links after it.
    pub to: &'a mut [Link<M::Scalar>],
    /// The cost of the run so far.
    pub cost: &'a mut Cost,
}

/// What forces or accelerations are at both ends of a step, as second vectors.
pub struct Ends<S> {
    /// At the old state.
    pub before: Vec<Link<S>>,
    /// At the new state.
    pub after: Vec<Link<S>>,
}

impl<S: Real> Ends<S> {
    pub(super) fn new(links: &[Link<S>]) -> Self {
        Self { before: links.to_vec(), after: links.to_vec() }
    }
    /// The old end is the new start.
    pub(super) fn go_on(&mut self) {
        core::mem::swap(&mut self.before, &mut self.after);
    }
    /// Names what it goes on from.
    pub(super) fn archive(&mut self, archive: &mut Archive) {
        self.after.iter_mut().for_each(|link| link.omega.archive(archive));
    }
}

/// Multipliers that hold the links on their spheres, where a mass matrix couples them.
pub struct Multipliers<S> {
    /// `2 g/h²` of the last accepted step.
    pub last: Vec<S>,
    /// The same of this step.
    pub next: Vec<S>,
    /// Their equations.
    pub band: Band<S>,
}

impl<S: Real> Multipliers<S> {
    pub(super) fn new<M: SphereSystem<Scalar = S>>(m: &M, links: &[Link<S>]) -> Self {
        let n = coupled(m, links);
        let zeros = vec![S::zero(); n];
        Self { last: zeros.clone(), next: zeros, band: Band::new(m.coupling(), n) }
    }
    /// The old end is the new start.
    pub(super) fn go_on(&mut self) {
        core::mem::swap(&mut self.last, &mut self.next);
    }
    /// Names what it goes on from.
    pub(super) fn archive(&mut self, archive: &mut Archive) {
        archive.reals(&mut self.last);
        archive.reals(&mut self.next);
    }
}

/// How many links a mass matrix couples.
pub(super) fn coupled<M: SphereSystem>(m: &M, links: &[Link<M::Scalar>]) -> usize {
    if m.coupling() == Coupling::Diagonal { 0 } else { links.len() }
}

/// A method on spheres.
pub struct OnLinks<S, K> {
    work: Option<Work<S, K>>,
    kept: Kept,
    /// The same while it looks aside.
    aside: Aside<Work<S, K>>,
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
        Self { work: None, kept: Kept::Nothing, aside: Aside::new(), cost: Cost::default() }
    }
}

impl<S, K> Default for OnLinks<S, K> {
    fn default() -> Self {
        Self::new()
    }
}

/// A step, compiled once for each system, for the instructions of its numbers, and not once more for each
/// set of coordinates.
struct Advance<'a, M: SphereSystem, K> {
    m: &'a M,
    h: f64,
    goes_on: bool,
    scheme: &'a mut K,
    from: &'a [Link<M::Scalar>],
    to: &'a mut [Link<M::Scalar>],
    cost: &'a mut Cost,
}

impl<M: SphereSystem, K: Scheme<M::Scalar>> Apart for Advance<'_, M, K> {
    type Output = Result<(), StepError>;
    #[inline(always)]
    fn run(self) -> Result<(), StepError> {
        let Self { m, h, goes_on, scheme, from, to, cost } = self;
        scheme.step(Leap { m, h, goes_on, from, to: &mut *to, cost })?;
        finite(to)
    }
}

impl<P: SphereProblem, K: Scheme<ScalarIn<P>>> Method<P> for OnLinks<ScalarIn<P>, K> {
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let Step { p, h, y, .. } = s;
        let Work { from, to, scheme } = space(&mut self.work, p, y);
        let goes_on = self.kept == Kept::Accepted;
        self.kept = Kept::Nothing;
        let (m, cost) = (p.system(), &mut self.cost);
        if P::MOMENTA {
            velocities(p.system(), y, from);
        }
        // States are links already, if they are not momenta. A step that fails leaves `out` as it was.
        let (from, links) = (if P::MOMENTA { &from[..] } else { &y[..] }, &mut to[..]);
        ScalarIn::<P>::apart(Advance { m, h, goes_on, scheme, from, to: links, cost })?;
        if P::MOMENTA {
            momenta(p.system(), to, out);
        } else {
            out.copy_from_slice(to);
        }
        self.kept = Kept::Proposed;
        Ok(None)
    }

    remembers!(kept);
}

impl<S: Real, K: Scheme<S>> OnLinks<S, K> {
    /// What the next step uses of the last one.
    fn archive_kept<P>(&mut self, next: Step<'_, P>, archive: &mut Archive)
    where
        P: SphereProblem<System: SphereSystem<Scalar = S>>,
    {
        space(&mut self.work, next.p, next.y).scheme.archive(archive);
    }
}

/// The work space, made when it is first needed.
fn space<'a, P: SphereProblem, K: Scheme<ScalarIn<P>>>(
    work: &'a mut Option<Work<ScalarIn<P>, K>>,
    p: &P,
    y: &P::Point,
) -> &'a mut Work<ScalarIn<P>, K> {
    work.get_or_insert_with(|| Work {
        from: y.clone(),
        to: y.clone(),
        scheme: K::new(p.system(), y),
    })
}
