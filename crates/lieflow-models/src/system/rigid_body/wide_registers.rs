//! One body in the wide registers that are made for several.
//!
//! Built for every machine of its kind, a step of one body has few registers and instructions that
//! overwrite their operands; nearly half of the instructions are copies. Where the machine has wide
//! vectors, steps that nobody observes are made with packs that hold the same number in every lane:
//! the instructions take as long, there are fewer of them, and the bits are the same.
use super::free::FreeBody;
use super::wide_field::{WideField, first_lane, splat};
use super::{Field, RigidBody};
use lieflow::action::BodyState;
use lieflow::chart::Chart;
use lieflow::kernel::rigid::{Exact, Round};
use lieflow::kernel::wide::{VectorWork, Vectors, run_in_wide_registers};
use lieflow::method::casas_owren::CasasOwren;
use lieflow::method::rigid_body::{BM4, RKN6A, Splitting, SplittingScheme};
use lieflow::method::rkmk::{Classical, Rkmk};
use lieflow::method::{Cost, Entry, InlineMethod, Method, Options, Step, StepResult};
use lieflow::problem::{Lift, Problem, TorqueField};
use lieflow::stepping::EvenSteps;
use lieflow::tableau;

type Body = RigidBody<f64, Field<f64>>;

/// A method for bodies over any numbers.
trait Family: 'static {
    /// The method for one body.
    type Single: Method<Body>;
    /// Makes it.
    fn single(&self) -> Self::Single;
    /// Whether its steps with this body need no work in single lanes.
    fn suits(&self, body: &Body) -> bool {
        let _ = body;
        true
    }
    /// Makes steps with these vectors, and says how many and what they cost.
    fn step_many<V: Vectors>(&self, stretch: Stretch<'_>) -> (u64, Cost);
}

/// A method of a family whose steps are made in registers for several bodies.
struct WideRegisters<F: Family> {
    family: F,
    inner: F::Single,
    /// The cost of the steps that were not made by `inner`.
    cost: Cost,
}

impl<F: Family> WideRegisters<F> {
    fn new(family: F) -> Self {
        let inner = family.single();
        Self { family, inner, cost: Cost::default() }
    }
}

/// A stretch of steps of a body, from a state.
struct Stretch<'a> {
    body: &'a Body,
    steps: &'a EvenSteps,
    state: &'a mut BodyState<f64>,
}

impl<'a> Stretch<'a> {
    /// Makes them with a method for the body; none if it has no field.
    #[inline(always)]
    fn with<V: Vectors, M>(self, method: M) -> (u64, Cost)
    where
        M: InlineMethod<RigidBody<V::Pack, WideField<'a, V>>>,
    {
        let RigidBody { inertia, potential, start } = self.body;
        let Some(potential) = WideField::new(potential) else { return (0, Cost::default()) };
        let start = self.body.lift_point(start, splat::<V>);
        self.drive::<V, _, M>(
            &RigidBody { inertia: inertia.lift(splat::<V>), potential, start },
            method,
        )
    }

    /// Makes them with a method for the body without a field, which it does not have.
    #[inline(always)]
    fn with_free_body<V: Vectors, M: InlineMethod<FreeBody<V::Pack>>>(
        self,
        method: M,
    ) -> (u64, Cost) {
        let (inertia, start) = (self.body.inertia, self.body.start);
        let start = self.body.lift_point(&start, splat::<V>);
        self.drive::<V, _, M>(&FreeBody { inertia: inertia.lift(splat::<V>), start }, method)
    }

    #[inline(always)]
    fn drive<V, P, M>(self, body: &P, mut method: M) -> (u64, Cost)
    where
        V: Vectors,
        P: Problem<Point = BodyState<V::Pack>>,
        M: InlineMethod<P>,
    {
        // Read from memory where it is needed: its numbers are too many for registers, and the
        // compiler would try.
        let body = std::hint::black_box(body);
        let (rotation, momentum) = (self.state.rotation, self.state.momentum);
        let mut state = BodyState::new(rotation.map(splat::<V>), momentum.map(splat::<V>));
        let made = method.step_many_inline(body, self.steps, &mut state);
        self.state.rotation = state.rotation.map(first_lane::<V>);
        self.state.momentum = state.momentum.map(first_lane::<V>);
        (made, method.cost())
    }
}

struct ManySteps<'a, F>(&'a F, Stretch<'a>);

impl<F: Family> VectorWork for ManySteps<'_, F> {
    type Output = (u64, Cost);
    #[inline(always)]
    fn run<V: Vectors>(self) -> (u64, Cost) {
        self.0.step_many::<V>(self.1)
    }
}

impl<F: Family> Method<Body> for WideRegisters<F> {
    fn step(&mut self, s: Step<'_, Body>, out: &mut BodyState<f64>) -> StepResult {
        self.inner.step(s, out)
    }

    fn step_many(&mut self, p: &Body, steps: &EvenSteps, y: &mut BodyState<f64>) -> u64 {
        // The last step is made by itself: it is the one that is remembered.
        let EvenSteps { count, .. } = *steps;
        if count < 2 || !self.family.suits(p) {
            return self.inner.step_many(p, steps, y);
        }
        let before = &EvenSteps { count: count - 1, ..*steps };
        let stretch = Stretch { body: p, steps: before, state: y };
        let Some((made, cost)) = run_in_wide_registers(ManySteps(&self.family, stretch)) else {
            return self.inner.step_many(p, steps, y);
        };
        let steps = before;
        self.cost = self.cost.plus(&cost);
        self.inner.reset();
        if made < steps.count {
            return made;
        }
        let last = EvenSteps { first: steps.first + made, count: 1, ..*steps };
        made + self.inner.step_many(p, &last, y)
    }

    lieflow::forwards!(self: Body => self.inner;
        accept, reset, set_aside, take_back, archive, interpolate, coordinates, corrections);

    fn cost(&self) -> Cost {
        self.cost.plus(&self.inner.cost())
    }
}

/// RKMK with Kutta's classical table.
struct FourStages;
impl Family for FourStages {
    type Single = Rkmk<Body>;
    fn single(&self) -> Rkmk<Body> {
        Rkmk::new(&tableau::RK4, Chart::Exp)
    }
    #[inline(always)]
    fn step_many<V: Vectors>(&self, stretch: Stretch<'_>) -> (u64, Cost) {
        if stretch.body.potential.is_free() {
            stretch.with_free_body::<V, _>(Classical::default())
        } else {
            stretch.with::<V, _>(Classical::default())
        }
    }
}

/// The method of Casas and Owren.
struct TwoBrackets;
impl Family for TwoBrackets {
    type Single = CasasOwren<Body>;
    fn single(&self) -> CasasOwren<Body> {
        CasasOwren::default()
    }
    #[inline(always)]
    fn step_many<V: Vectors>(&self, stretch: Stretch<'_>) -> (u64, Cost) {
        if stretch.body.potential.is_free() {
            stretch.with_free_body::<V, _>(CasasOwren::default())
        } else {
            stretch.with::<V, _>(CasasOwren::default())
        }
    }
}

/// A splitting with the exact free motion that starts with it: those that start with a kick have
/// something to remember.
struct Split(&'static SplittingScheme);
impl Family for Split {
    type Single = Splitting<f64, Exact>;
    fn single(&self) -> Splitting<f64, Exact> {
        Splitting::new(Exact, self.0)
    }
    /// The motion of other bodies needs elliptic functions.
    fn suits(&self, body: &Body) -> bool {
        let round = matches!(body.inertia.round(), Round::About(_)) && body.inertia.is_diagonal();
        round && body.potential.axis().is_some()
    }
    #[inline(always)]
    fn step_many<V: Vectors>(&self, stretch: Stretch<'_>) -> (u64, Cost) {
        stretch.with::<V, _>(Splitting::<V::Pack, Exact>::new(Exact, self.0))
    }
}

/// Lets the methods for which it pays make their steps in wide registers.
pub(super) fn use_wide_registers(entries: &mut [Entry<Body>]) {
    for entry in entries {
        match entry.card.id {
            "rkmk4" => wrap(entry, || Box::new(WideRegisters::new(FourStages))),
            "rkmk4-casas-owren" => wrap(entry, || Box::new(WideRegisters::new(TwoBrackets))),
            "exs@bm4" => wrap(entry, || Box::new(WideRegisters::new(Split(&BM4)))),
            "exs@rkn6a" => wrap(entry, || Box::new(WideRegisters::new(Split(&RKN6A)))),
            _ => {}
        }
    }
}

/// Replaces the method of an entry where no option asks for another one.
fn wrap(entry: &mut Entry<Body>, wide: fn() -> Box<dyn Method<Body>>) {
    let plain = std::mem::replace(&mut entry.make, Box::new(move |_, _| Ok(wide())));
    entry.make = Box::new(move |p, options| {
        let method = plain(p, options)?;
        Ok(if *options == Options::default() { wide() } else { method })
    });
}
