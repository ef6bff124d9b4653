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
use super::super::{Corrections, Method, OnField};
use crate::action::{Action, Isotropy};
use crate::group::{LieAlgebra, LieGroup};
use crate::problem::{AnyField, Differentiable, FieldOf, Generator, Problem};
use alloc::rc::Rc;
use core::cell::{Cell, RefCell};
use lieflow_kernel::{Dual, Real};

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

/// Dual numbers over the numbers of a system; the first of their directions is enough here.
type Tangent<P, const D: usize> = Dual<<P as Differentiable<D>>::Scalar, D>;

/// A differentiable system on a space with isotropy: what a choice of generator needs. Implemented
/// for all of them.
pub trait ChoosableGenerator<const D: usize>:
    Differentiable<D> + Generator<Space: Isotropy> + Clone
{
    /// The same system over dual numbers.
    type Twin: Generator<
        Space: Isotropy + Action<Group: LieGroup<Algebra: LieAlgebra<Scalar = Tangent<Self, D>>>>,
    >;
    /// Makes it.
    fn twin(&self) -> Self::Twin;
    /// A state over dual numbers.
    fn twin_point(&self, y: &Self::Point) -> <Self::Twin as Problem>::Point;
}

impl<P: Differentiable<D> + Generator<Space: Isotropy> + Clone, const D: usize>
    ChoosableGenerator<D> for P
where
    <P::Lifted as Generator>::Space: Isotropy,
{
    type Twin = P::Lifted;
    fn twin(&self) -> P::Lifted {
        self.lifted()
    }
    fn twin_point(&self, y: &P::Point) -> <P::Lifted as Problem>::Point {
        self.lifted_point(y)
    }
}

/// A system with another generator for the same field.
pub struct ChosenGenerator<P: ChoosableGenerator<D>, const D: usize = 1> {
    problem: P,
    part: Part,
    twin: P::Twin,
    work: RefCell<Option<Work<P, D>>>,
    tally: Cell<Corrections>,
}

/// Work space of the shape of the problem, made at the first evaluation.
struct Work<P: ChoosableGenerator<D>, const D: usize> {
    point: <P::Twin as Problem>::Point,
    field: FieldOf<P::Twin>,
    coordinates: Vec<Tangent<P, D>>,
    rate: FieldOf<P>,
    here: Vec<P::Scalar>,
    velocity: Vec<P::Scalar>,
    acceleration: Vec<P::Scalar>,
    bent: Vec<P::Scalar>,
}

impl<P: ChoosableGenerator<1>> ChosenGenerator<P> {
    /// The system with this part of the isotropy.
    pub fn new(problem: P, part: Part) -> Self {
        Self::of(problem, part)
    }
}

impl<P: ChoosableGenerator<D>, const D: usize> ChosenGenerator<P, D> {
    /// The system with this part of the isotropy, whose dual numbers have `D` directions.
    pub fn of(problem: P, part: Part) -> Self {
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
            dual.re = *y;
            dual.eps[0] = *x;
        }
        <<P as ChoosableGenerator<D>>::Twin as Generator>::Space::write(
            &w.coordinates,
            &mut w.point,
        );
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

impl<P: ChoosableGenerator<D>, const D: usize> Problem for ChosenGenerator<P, D> {
    type Point = P::Point;
    fn start(&self) -> P::Point {
        self.problem.start()
    }
}

impl<P: ChoosableGenerator<D>, const D: usize> Generator for ChosenGenerator<P, D> {
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

impl<P: ChoosableGenerator<D>, const D: usize> ChosenGenerator<P, D> {
    #[inline]
    fn choose(&self, t: f64, y: &P::Point, f: &mut FieldOf<P>) {
        match self.part {
            Part::Given => {}
            Part::Orthogonal => P::Space::orthogonalise(y, f),
            Part::Curvature => self.curve(t, y, f),
        }
    }
}

/// The derivatives are those of the generator that was given: methods that ask for them have no
/// choice ([`with_isotropy_options`](super::with_isotropy_options)).
impl<P: ChoosableGenerator<D>, const D: usize> Differentiable<D> for ChosenGenerator<P, D> {
    type Scalar = P::Scalar;
    type Lifted = P::Lifted;
    fn lifted(&self) -> P::Lifted {
        self.problem.lifted()
    }
    fn lifted_point(&self, y: &P::Point) -> <P::Lifted as Problem>::Point {
        self.problem.lifted_point(y)
    }
    fn lifted_point_into(&self, y: &P::Point, out: &mut <P::Lifted as Problem>::Point) {
        self.problem.lifted_point_into(y, out);
    }
}

impl<A: Action, T: Action, const D: usize> OnField<A, T, D> {
    /// The method that `make` gives for the field of `chosen`. The derivative along the flow counts as
    /// one more evaluation of the field.
    pub fn choosing<P, E>(
        chosen: ChosenGenerator<P, D>,
        make: impl FnOnce(&AnyField<A, T, D>) -> Result<Box<dyn Method<AnyField<A, T, D>>>, E>,
    ) -> Result<Self, E>
    where
        P: ChoosableGenerator<D, Space = A, Lifted: Generator<Space = T> + 'static> + 'static,
    {
        let chosen = Rc::new(chosen);
        let field = AnyField::new(chosen.clone());
        let method = make(&field)?;
        let curved = chosen.part == Part::Curvature;
        let corrections = move || chosen.corrections();
        Ok(Self { field, method, corrections: curved.then(|| Box::new(corrections) as _) })
    }
}
