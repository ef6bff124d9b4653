//! The same field by another generator.
//!
//! ```text
//! given        f(y), as the system says it
//! orthogonal   f_o(y), with its isotropy part taken off
//! curvature    f_o(y) + z(y), z in g_y with   D gamma(z)[X] + c X = acc - D gamma(f_o)[X]
//! ```
//!
//! where `X = gamma(f)(y)` is the velocity and `acc = DX[X]` the acceleration along the flow, whose
//! one derivative comes from dual numbers. On S² this is `z = <acc, m × X>/(|m|² |X|²) m` (Lewis
//! and Olver 2001, equation 3.7), on S^(k-1) their section 6; on a product it is done for every
//! factor. With the curvature generator, Euler's rule follows orbits to second order where the
//! isotropy is full, and any orbit that is a circle run at constant speed exactly. Methods of higher
//! order keep their order with every choice.
//!
//! The derivative is taken at fixed time, so for fields that depend on time the curvature is that of
//! the frozen field.
use super::super::{Corrections, Cost, InChart, Method, StepError};
use crate::action::{Action, Isotropy};
use crate::group::{AlgebraOf, LieAlgebra, LieGroup};
use crate::problem::{FieldOf, Generator, Lift, Problem};
use lieflow_kernel::{Dual, Real};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The isotropy part of a generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Part {
    /// As the system gives it.
    #[default]
    Given,
    /// None.
    Orthogonal,
    /// The one whose one-parameter group osculates the orbit.
    Curvature,
}

/// Dual numbers in one direction over the numbers of a system.
type One<P> = Dual<<P as Lift>::Scalar, 1>;
/// A system over them.
type Twin<P> = <P as Lift>::Over<One<P>>;

/// A system that can be lifted to dual numbers on a space with isotropy: what a choice of
/// generator needs. Implemented for all of them.
pub trait Choosable: Lift<Space: Isotropy> + Clone {
    /// The same system over dual numbers.
    type Twin: Generator<
        Space: Isotropy + Action<Group: LieGroup<Algebra: LieAlgebra<Scalar = One<Self>>>>,
    >;
    /// Makes it.
    fn twin(&self) -> Self::Twin;
    /// A state over dual numbers.
    fn twin_point(&self, y: &Self::Point) -> <Self::Twin as Problem>::Point;
}

impl<P: Lift<Space: Isotropy> + Clone> Choosable for P
where
    <Twin<P> as Generator>::Space: Isotropy,
{
    type Twin = Twin<P>;
    fn twin(&self) -> Twin<P> {
        self.lift(Dual::constant)
    }
    fn twin_point(&self, y: &P::Point) -> <Twin<P> as Problem>::Point {
        self.lift_point(y, Dual::constant)
    }
}

/// A system with another generator for the same field.
pub struct Chosen<P: Choosable> {
    problem: P,
    part: Part,
    twin: P::Twin,
    work: RefCell<Option<Work<P>>>,
    tally: Cell<Corrections>,
}

/// Work space of the shape of the problem, made at the first evaluation.
struct Work<P: Choosable> {
    point: <P::Twin as Problem>::Point,
    field: FieldOf<P::Twin>,
    coordinates: Vec<One<P>>,
    rate: FieldOf<P>,
    here: Vec<P::Scalar>,
    velocity: Vec<P::Scalar>,
    acceleration: Vec<P::Scalar>,
    bent: Vec<P::Scalar>,
}

impl<P: Choosable> Chosen<P> {
    /// The system with this part of the isotropy.
    pub fn new(problem: P, part: Part) -> Self {
        let twin = problem.twin();
        Self { problem, part, twin, work: RefCell::new(None), tally: Cell::default() }
    }

    /// How often the curvature was added, and how often some factor was at rest.
    pub fn corrections(&self) -> Corrections {
        self.tally.get()
    }

    /// Replaces `f`, the field at `y`, by its orthogonal part and the curvature.
    fn curve(&self, t: f64, y: &P::Point, f: &mut FieldOf<P>) {
        let mut slot = self.work.borrow_mut();
        let w = slot.get_or_insert_with(|| {
            let n = P::Space::ambient(y);
            let point = self.problem.twin_point(y);
            let zeros = vec![P::Scalar::zero(); n];
            Work {
                field: self.twin.field(t, &point),
                point,
                coordinates: vec![Dual::constant(P::Scalar::zero()); n],
                rate: f.zero_like(),
                here: zeros.clone(),
                velocity: zeros.clone(),
                acceleration: zeros.clone(),
                bent: zeros,
            }
        });
        let x = &mut w.velocity;
        P::Space::velocity(f, y, x);
        P::Space::read(y, &mut w.here);
        for ((dual, y), x) in w.coordinates.iter_mut().zip(&w.here).zip(x.iter()) {
            *dual = Dual { re: *y, eps: [*x] };
        }
        <P::Twin as Generator>::Space::write(&w.coordinates, &mut w.point);
        self.twin.field_into(t, &w.point, &mut w.field);
        for i in 0..w.rate.dim() {
            w.rate.set_coord(i, w.field.coord(i).eps[0]);
        }
        // acc = gamma(f')(y) + D gamma(f)[X]; only its difference to that of f_o matters.
        P::Space::velocity(&w.rate, y, &mut w.acceleration);
        P::Space::linear(f, y, x, &mut w.bent);
        add(&mut w.acceleration, 1.0, &w.bent);
        P::Space::orthogonalise(y, f);
        P::Space::velocity(f, y, x);
        P::Space::linear(f, y, x, &mut w.bent);
        add(&mut w.acceleration, -1.0, &w.bent);
        let skipped = P::Space::align(y, x, &w.acceleration, f);
        let tally = self.tally.get();
        self.tally.set(if skipped == 0 {
            Corrections { made: tally.made + 1, ..tally }
        } else {
            Corrections { skipped: tally.skipped + 1, ..tally }
        });
    }
}

/// `out += a x`.
fn add<S: Real>(out: &mut [S], a: f64, x: &[S]) {
    for (out, x) in out.iter_mut().zip(x) {
        *out += *x * a;
    }
}

impl<P: Choosable> Problem for Chosen<P> {
    type Point = P::Point;
    fn start(&self) -> P::Point {
        self.problem.start()
    }
}

impl<P: Choosable> Generator for Chosen<P> {
    type Space = P::Space;
    fn field(&self, t: f64, y: &P::Point) -> FieldOf<P> {
        let mut f = self.problem.field(t, y);
        self.choose(t, y, &mut f);
        f
    }
    fn field_into(&self, t: f64, y: &P::Point, out: &mut FieldOf<P>) {
        self.problem.field_into(t, y, out);
        self.choose(t, y, out);
    }
}

impl<P: Choosable> Chosen<P> {
    #[inline]
    fn choose(&self, t: f64, y: &P::Point, f: &mut FieldOf<P>) {
        match self.part {
            Part::Given => {}
            Part::Orthogonal => P::Space::orthogonalise(y, f),
            Part::Curvature => self.curve(t, y, f),
        }
    }
}

/// A field on a space, by whatever system. Methods for it are compiled once for each space and not
/// once more for each system.
pub struct AnyField<A: Action> {
    source: Rc<dyn Source<A>>,
}

/// Where the numbers of a field come from.
trait Source<A: Action> {
    fn start(&self) -> A::Point;
    fn field(&self, t: f64, y: &A::Point) -> AlgebraOf<A::Group>;
    fn field_into(&self, t: f64, y: &A::Point, out: &mut AlgebraOf<A::Group>);
}

impl<P: Choosable> Source<P::Space> for Chosen<P> {
    fn start(&self) -> P::Point {
        Problem::start(self)
    }
    fn field(&self, t: f64, y: &P::Point) -> FieldOf<P> {
        Generator::field(self, t, y)
    }
    fn field_into(&self, t: f64, y: &P::Point, out: &mut FieldOf<P>) {
        Generator::field_into(self, t, y, out);
    }
}

impl<A: Action> Problem for AnyField<A> {
    type Point = A::Point;
    fn start(&self) -> A::Point {
        self.source.start()
    }
}

impl<A: Action> Generator for AnyField<A> {
    type Space = A;
    fn field(&self, t: f64, y: &A::Point) -> AlgebraOf<A::Group> {
        self.source.field(t, y)
    }
    fn field_into(&self, t: f64, y: &A::Point, out: &mut AlgebraOf<A::Group>) {
        self.source.field_into(t, y, out);
    }
}

/// A method for a system, working on the same system with another generator.
pub struct Represented<P: Choosable> {
    chosen: Rc<Chosen<P>>,
    field: AnyField<P::Space>,
    method: Box<dyn Method<AnyField<P::Space>>>,
}

impl<P: Choosable + 'static> Represented<P> {
    /// The method that `make` gives for the field of `chosen`.
    pub fn new<E>(
        chosen: Chosen<P>,
        make: impl FnOnce(&AnyField<P::Space>) -> Result<Box<dyn Method<AnyField<P::Space>>>, E>,
    ) -> Result<Self, E> {
        let chosen = Rc::new(chosen);
        let field = AnyField { source: chosen.clone() };
        let method = make(&field)?;
        Ok(Self { chosen, field, method })
    }
}

/// The system is that of [`Represented::new`]; the one that is passed is not looked at.
impl<P: Choosable> Method<P> for Represented<P> {
    fn step(
        &mut self,
        _: &P,
        t: f64,
        h: f64,
        y: &P::Point,
        out: &mut P::Point,
    ) -> Result<Option<f64>, StepError> {
        self.method.step(&self.field, t, h, y, out)
    }
    fn accept(&mut self) {
        self.method.accept();
    }
    fn reset(&mut self) {
        self.method.reset();
    }
    fn interpolate(
        &mut self,
        _: &P,
        t: f64,
        h: f64,
        y: &P::Point,
        end: &P::Point,
        theta: f64,
        out: &mut P::Point,
    ) -> Result<(), StepError> {
        self.method.interpolate(&self.field, t, h, y, end, theta, out)
    }
    /// The derivative along the flow counts as one more evaluation of the field.
    fn cost(&self) -> Cost {
        let mut cost = self.method.cost();
        let count = self.chosen.corrections();
        cost.field_evaluations += count.made + count.skipped;
        cost
    }
    fn coordinates(&self) -> Option<InChart<'_>> {
        self.method.coordinates()
    }
    fn corrections(&self) -> Option<Corrections> {
        (self.chosen.part == Part::Curvature).then(|| self.chosen.corrections())
    }
}
