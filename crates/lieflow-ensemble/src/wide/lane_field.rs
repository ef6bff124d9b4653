//! Fields side by side whose system is forgotten, so that engines are compiled once for each space.
//!
//! The system is behind one call for each evaluation of its field, which is compiled for its lanes.
use lieflow::Real;
use lieflow::action::Action;
use lieflow::chart::Chart;
use lieflow::group::{AlgebraOf, LieAlgebra, ScalarOf};
use lieflow::kernel::scalar::Apart;
use lieflow::problem::{FieldOf, Generator, GroupOf, Problem, Stage, StageOf, advance, pull};
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
    /// [`Generator::field_at`] or, if it is to be `pulled`, [`Generator::slope_at`]; called only where one is written. The
    /// stage is not copied: it was written word by word, and a machine waits for such words where it reads several at
    /// once.
    fn at(&self, at: &Stage<'_, A>, pulled: bool, out: &mut AlgebraOf<A::Group>);
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
    fn at(&self, at: &StageOf<'_, P>, pulled: bool, out: &mut FieldOf<P>) {
        // Without short cuts they would be compiled for every system and never called.
        if const { P::SHORT_CUTS } {
            ScalarOf::<GroupOf<P>>::apart(AtStage { p: self, at, pulled, out });
        }
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

/// The field at a stage by a short cut.
struct AtStage<'a, P: Generator> {
    p: &'a P,
    at: &'a StageOf<'a, P>,
    pulled: bool,
    out: &'a mut FieldOf<P>,
}

impl<P: Generator> Apart for AtStage<'_, P> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { p, at, pulled, out } = self;
        // All that use it are in this chart; the compiler is told.
        let at = Stage { chart: Chart::Exp, ..*at };
        let mut point = at.y.clone();
        if pulled {
            Generator::slope_at(p, at, &mut point, out);
        } else {
            Generator::field_at(p, at, &mut point, out);
        }
    }
}

/// The field of some system, with short cuts or without.
pub struct LaneField<A: Action, const SHORT_CUTS: bool = false>(Box<dyn LaneSource<A>>);

impl<A: Action, const SHORT_CUTS: bool> LaneField<A, SHORT_CUTS> {
    /// The field of this system.
    pub fn of<P: Generator<Space = A, Point = A::Point> + Clone + 'static>(p: &P) -> Self {
        Self(Box::new(p.clone()))
    }
}

/// The field of a system that is somewhere else.
pub struct Lent<'a, A: Action>(pub &'a dyn LaneSource<A>);

macro_rules! generator {
    ([$($generics:tt)*] $name:ty, $short_cuts:expr, $set_times:item) => {
        impl<$($generics)*> Problem for $name {
            type Point = A::Point;
            fn start(&self) -> A::Point {
                self.0.start()
            }
        }
        impl<$($generics)*> Generator for $name {
            type Space = A;
            const SHORT_CUTS: bool = $short_cuts;
            // The maps of the space are called too.
            const HOT: bool = false;
            #[inline(always)]
            $set_times
            #[inline(always)]
            fn field_at(&self, at: Stage<'_, A>, point: &mut A::Point, out: &mut AlgebraOf<A::Group>) {
                if const { $short_cuts } {
                    self.0.at(&at, false, out);
                } else {
                    advance::<Self>(at.chart, at.u, at.y, point);
                    self.0.field_into(at.t, point, out);
                }
            }
            #[inline(always)]
            fn slope_at(&self, at: Stage<'_, A>, point: &mut A::Point, out: &mut AlgebraOf<A::Group>) {
                if const { $short_cuts } {
                    self.0.at(&at, true, out);
                } else {
                    self.field_at(at, point, out);
                    pull::<Self>(at, point, out);
                }
            }
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
generator!([A: Action, const SHORT: bool] LaneField<A, SHORT>, SHORT, fn set_times(&mut self, t: ScalarOf<A::Group>) {
    self.0.set_times(t);
});
generator!(['a, A: Action] Lent<'a, A>, false, fn set_times(&mut self, _: ScalarOf<A::Group>) {});
