//! A field with its system forgotten.
//!
//! Engines are compiled for the type of their problem. Those of [`AnyField`] are compiled once for
//! each space, however many systems live on it: the system is behind one virtual call for each
//! evaluation of its field. The numbers are those of the system itself, in
//! every bit.
use super::{
    Differentiable, FieldOf, Generator, Problem, Stage, StageOf, Stages, StagesOf, advance, pull,
};
use crate::action::Action;
use crate::group::{AlgebraOf, LieAlgebra, LieGroup};
use alloc::rc::Rc;
use lieflow_kernel::{Dual, Real};

/// A field on the space `A`, by whatever system, with derivatives in `D` directions at a time; `T` is
/// the same space over dual numbers.
pub struct AnyField<A: Action, T: Action, const D: usize> {
    source: Rc<dyn SmoothSource<A, T, D>>,
    short_cuts: bool,
}

/// The field of a system, with its type forgotten.
pub type AnyFieldOf<P, const D: usize> =
    AnyField<<P as Generator>::Space, <<P as Differentiable<D>>::Lifted as Generator>::Space, D>;

/// Where the numbers of a field come from. Implemented for every [`Generator`].
pub trait Source<A: Action> {
    /// [`Problem::start`].
    fn start(&self) -> A::Point;
    /// [`Generator::field`].
    fn field(&self, t: f64, y: &A::Point) -> AlgebraOf<A::Group>;
    /// [`Generator::field_into`].
    fn field_into(&self, t: f64, y: &A::Point, out: &mut AlgebraOf<A::Group>);
    /// [`Generator::is_linear`].
    fn is_linear(&self) -> bool;
    /// [`Generator::SHORT_CUTS`]; the functions below are called only where it holds.
    fn short_cuts(&self) -> bool;
    /// [`Generator::field_at`].
    fn field_at(&self, at: Stage<'_, A>, point: &mut A::Point, out: &mut AlgebraOf<A::Group>);
    /// [`Generator::slope_at`].
    fn slope_at(&self, at: Stage<'_, A>, point: &mut A::Point, out: &mut AlgebraOf<A::Group>);
    /// [`Generator::stages`].
    fn stages(&self, at: Stages<'_, A>) -> bool;
}

/// A source that can be differentiated. Implemented for everything [`Differentiable`].
pub trait SmoothSource<A: Action, T: Action, const D: usize>: Source<A> {
    /// The same field over dual numbers.
    fn lifted(&self) -> Box<dyn Source<T>>;
    /// A state over dual numbers.
    fn lifted_point(&self, y: &A::Point) -> T::Point;
    /// The same in place.
    fn lifted_point_into(&self, y: &A::Point, out: &mut T::Point);
}

impl<P: Generator> Source<P::Space> for P {
    fn start(&self) -> P::Point {
        Problem::start(self)
    }
    #[inline(never)]
    fn field(&self, t: f64, y: &P::Point) -> FieldOf<P> {
        Generator::field(self, t, y)
    }
    fn field_into(&self, t: f64, y: &P::Point, out: &mut FieldOf<P>) {
        // Fields of fixed size are compiled once, for the function above.
        if const { core::mem::needs_drop::<FieldOf<P>>() } {
            Generator::field_into(self, t, y, out);
        } else {
            *out = Source::field(self, t, y);
        }
    }
    fn is_linear(&self) -> bool {
        Generator::is_linear(self)
    }
    fn short_cuts(&self) -> bool {
        P::SHORT_CUTS
    }
    fn field_at(&self, at: StageOf<'_, P>, point: &mut P::Point, out: &mut FieldOf<P>) {
        // Without short cuts they would be compiled for every system and never called.
        if const { P::SHORT_CUTS } {
            Generator::field_at(self, at, point, out);
        }
    }
    fn slope_at(&self, at: StageOf<'_, P>, point: &mut P::Point, out: &mut FieldOf<P>) {
        if const { P::SHORT_CUTS } {
            Generator::slope_at(self, at, point, out);
        }
    }
    fn stages(&self, at: StagesOf<'_, P>) -> bool {
        P::SHORT_CUTS && Generator::stages(self, at)
    }
}

impl<P, const D: usize> SmoothSource<P::Space, <P::Lifted as Generator>::Space, D> for P
where
    P: Differentiable<D, Lifted: 'static>,
{
    fn lifted(&self) -> Box<dyn Source<<P::Lifted as Generator>::Space>> {
        Box::new(Differentiable::lifted(self))
    }
    fn lifted_point(&self, y: &P::Point) -> <P::Lifted as Problem>::Point {
        Differentiable::lifted_point(self, y)
    }
    fn lifted_point_into(&self, y: &P::Point, out: &mut <P::Lifted as Problem>::Point) {
        Differentiable::lifted_point_into(self, y, out);
    }
}

impl<A: Action, T: Action, const D: usize> AnyField<A, T, D> {
    /// The field that comes from here.
    pub fn new(source: Rc<dyn SmoothSource<A, T, D>>) -> Self {
        let short_cuts = source.short_cuts();
        Self { source, short_cuts }
    }
}

impl<A: Action, T: Action, const D: usize> Clone for AnyField<A, T, D> {
    fn clone(&self) -> Self {
        Self { source: self.source.clone(), short_cuts: self.short_cuts }
    }
}

/// [`AnyField`] over dual numbers: a field that is not differentiated again.
pub struct AnyTangent<T: Action> {
    source: Rc<dyn Source<T>>,
    short_cuts: bool,
}

impl<T: Action> AnyTangent<T> {
    /// The field that comes from here.
    pub fn new(source: Box<dyn Source<T>>) -> Self {
        let short_cuts = source.short_cuts();
        Self { source: source.into(), short_cuts }
    }
}

impl<T: Action> Clone for AnyTangent<T> {
    fn clone(&self) -> Self {
        Self { source: self.source.clone(), short_cuts: self.short_cuts }
    }
}

/// A field behind a virtual call, on the space `$space`.
macro_rules! field_of_source {
    ([$($generics:tt)*] $name:ty, $space:ident) => {
        impl<$($generics)*> Problem for $name {
            type Point = $space::Point;
            fn start(&self) -> $space::Point {
                self.source.start()
            }
        }

        impl<$($generics)*> Generator for $name {
            type Space = $space;
            const SHORT_CUTS: bool = true;
            const HOT: bool = false;
            fn is_linear(&self) -> bool {
                self.source.is_linear()
            }
            fn field(&self, t: f64, y: &$space::Point) -> AlgebraOf<$space::Group> {
                self.source.field(t, y)
            }
            fn field_into(&self, t: f64, y: &$space::Point, out: &mut AlgebraOf<$space::Group>) {
                self.source.field_into(t, y, out);
            }
            fn field_at(&self, at: Stage<'_, $space>, point: &mut $space::Point, out: &mut AlgebraOf<$space::Group>) {
                if self.short_cuts {
                    self.source.field_at(at, point, out);
                } else {
                    advance::<Self>(at.chart, at.u, at.y, point);
                    self.source.field_into(at.t, point, out);
                }
            }
            fn slope_at(&self, at: Stage<'_, $space>, point: &mut $space::Point, out: &mut AlgebraOf<$space::Group>) {
                if self.short_cuts {
                    self.source.slope_at(at, point, out);
                } else {
                    advance::<Self>(at.chart, at.u, at.y, point);
                    self.source.field_into(at.t, point, out);
                    pull::<Self>(at, point, out);
                }
            }
            fn stages(&self, at: Stages<'_, $space>) -> bool {
                self.short_cuts && self.source.stages(at)
            }
        }
    };
}
field_of_source!([A: Action, T: Action, const D: usize] AnyField<A, T, D>, A);
field_of_source!([T: Action] AnyTangent<T>, T);

impl<A, T, S: Real, const D: usize> Differentiable<D> for AnyField<A, T, D>
where
    A: Action<Group: LieGroup<Algebra: LieAlgebra<Scalar = S>>>,
    T: Action<Group: LieGroup<Algebra: LieAlgebra<Scalar = Dual<S, D>>>>,
{
    type Scalar = S;
    type Lifted = AnyTangent<T>;
    fn lifted(&self) -> AnyTangent<T> {
        AnyTangent::new(self.source.lifted())
    }
    fn lifted_point(&self, y: &A::Point) -> T::Point {
        self.source.lifted_point(y)
    }
    fn lifted_point_into(&self, y: &A::Point, out: &mut T::Point) {
        self.source.lifted_point_into(y, out);
    }
}
