//! Fields side by side whose system is forgotten, so that engines are compiled once for each space.
//!
//! The system is behind one call for each evaluation of its field, which is compiled for its lanes.
use lieflow::Real;
use lieflow::action::Action;
use lieflow::group::{AlgebraOf, LieAlgebra, ScalarOf};
use lieflow::kernel::scalar::Apart;
use lieflow::problem::{FieldOf, Generator, GroupOf, Problem};
use std::mem::needs_drop;

/// Where the numbers of a field come from.
pub trait LaneSource<A: Action> {
    /// [`Problem::start`].
    fn start(&self) -> A::Point;
    /// [`Generator::field`].
    fn field(&self, t: f64, y: &A::Point) -> AlgebraOf<A::Group>;
    /// [`Generator::field_into`].
    fn field_into(&self, t: f64, y: &A::Point, out: &mut AlgebraOf<A::Group>);
    /// [`Generator::set_times`].
    fn set_times(&mut self, t: ScalarOf<A::Group>);
}

impl<P: Generator> LaneSource<P::Space> for P {
    fn start(&self) -> P::Point {
        Problem::start(self)
    }
    fn field(&self, t: f64, y: &P::Point) -> FieldOf<P> {
        if const { !needs_drop::<FieldOf<P>>() }
            && let Some(zero) = FieldOf::<P>::ZERO
        {
            let mut out = zero();
            LaneSource::field_into(self, t, y, &mut out);
            return out;
        }
        ScalarOf::<GroupOf<P>>::apart(Whole { p: self, t, y })
    }
    fn field_into(&self, t: f64, y: &P::Point, out: &mut FieldOf<P>) {
        ScalarOf::<GroupOf<P>>::apart(InPlace { p: self, t, y, out });
    }
    fn set_times(&mut self, t: ScalarOf<GroupOf<P>>) {
        Generator::set_times(self, t);
    }
}

/// One evaluation.
struct InPlace<'a, P: Generator> {
    p: &'a P,
    t: f64,
    y: &'a P::Point,
    out: &'a mut FieldOf<P>,
}

impl<P: Generator> Apart for InPlace<'_, P> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        Generator::field_into(self.p, self.t, self.y, self.out);
    }
}

/// The same by value, where shapes differ.
struct Whole<'a, P: Generator> {
    p: &'a P,
    t: f64,
    y: &'a P::Point,
}

impl<P: Generator> Apart for Whole<'_, P> {
    type Output = FieldOf<P>;
    #[inline(always)]
    fn run(self) -> FieldOf<P> {
        Generator::field(self.p, self.t, self.y)
    }
}

/// The field of some system.
pub struct LaneField<A: Action>(Box<dyn LaneSource<A>>);

impl<A: Action> LaneField<A> {
    /// The field of this system.
    pub fn of<P: Generator<Space = A, Point = A::Point> + Clone + 'static>(p: &P) -> Self {
        Self(Box::new(p.clone()))
    }
}

/// The field of a system that is somewhere else.
pub struct Lent<'a, A: Action>(pub &'a dyn LaneSource<A>);

macro_rules! generator {
    ([$($generics:tt)*] $name:ty, $set_times:item) => {
        impl<$($generics)*> Problem for $name {
            type Point = A::Point;
            fn start(&self) -> A::Point {
                self.0.start()
            }
        }
        impl<$($generics)*> Generator for $name {
            type Space = A;
            #[inline(always)]
            $set_times
            #[inline(always)]
            fn field(&self, t: f64, y: &A::Point) -> AlgebraOf<A::Group> {
                self.0.field(t, y)
            }
            #[inline(always)]
            fn field_into(&self, t: f64, y: &A::Point, out: &mut AlgebraOf<A::Group>) {
                self.0.field_into(t, y, out);
            }
        }
    };
}
generator!([A: Action] LaneField<A>, fn set_times(&mut self, t: ScalarOf<A::Group>) {
    self.0.set_times(t);
});
generator!(['a, A: Action] Lent<'a, A>, fn set_times(&mut self, _: ScalarOf<A::Group>) {});
