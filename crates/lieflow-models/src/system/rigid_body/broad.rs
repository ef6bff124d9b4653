//! One body in registers for several.
//!
//! Built for every machine of its kind, a step of one body has few registers and instructions that
//! overwrite their operands; nearly half of the instructions are copies. Where the machine has wide
//! vectors, steps that nobody looks at are made with packs that hold the same number in every lane:
//! the instructions take as long, there are fewer of them, and the bits are the same.
use super::free::FreeBody;
use super::{Field, RigidBody};
use lieflow::action::BodyState;
use lieflow::chart::Chart;
use lieflow::kernel::rigid::{Exact, Round};
use lieflow::kernel::wide::{Loop, Vectors, roomiest};
use lieflow::method::casas_owren::CasasOwren;
use lieflow::method::rigid_body::{BM4, RKN6A, Splitting, SplittingScheme};
use lieflow::method::rkmk::{Classical, Rkmk};
use lieflow::method::{
    Corrections, Cost, Entry, InChart, Inlined, Inside, Method, Options, Step, StepError,
    StepResult,
};
use lieflow::problem::{Lift, Problem, TorqueField};
use lieflow::stepping::Even;
use lieflow::tableau;

type Body = RigidBody<f64, Field<f64>>;

/// A method for bodies over any numbers.
trait Family: 'static {
    /// The method for one body.
    type Alone: Method<Body>;
    /// Makes it.
    fn alone(&self) -> Self::Alone;
    /// Whether its steps with this body need no work in single lanes.
    fn suits(&self, body: &Body) -> bool {
        let _ = body;
        true
    }
    /// Makes steps with these vectors, and says how many and what they cost.
    fn march<V: Vectors>(&self, steps: Ahead<'_>) -> (u64, Cost);
}

/// A method of a family whose steps are made in registers for several bodies.
struct Broad<F: Family> {
    family: F,
    inner: F::Alone,
    /// The cost of the steps that were not made by `inner`.
    cost: Cost,
}

impl<F: Family> Broad<F> {
    fn new(family: F) -> Self {
        let inner = family.alone();
        Self { family, inner, cost: Cost::default() }
    }
}

/// The steps ahead of a body, from a state.
struct Ahead<'a> {
    body: &'a Body,
    ahead: &'a Even,
    state: &'a mut BodyState<f64>,
}

impl Ahead<'_> {
    /// Makes them with a method for the body.
    #[inline(always)]
    fn with<V: Vectors, M>(self, method: M) -> (u64, Cost)
    where
        M: Inlined<RigidBody<V::Pack, Field<V::Pack>>>,
    {
        let body = self.body.lift(all::<V>);
        self.drive::<V, _, M>(&body, method)
    }

    /// Makes them with a method for the body without a field, which it does not have.
    #[inline(always)]
    fn freely<V: Vectors, M: Inlined<FreeBody<V::Pack>>>(self, method: M) -> (u64, Cost) {
        let (inertia, start) = (self.body.inertia, self.body.start);
        let start = self.body.lift_point(&start, all::<V>);
        self.drive::<V, _, M>(&FreeBody { inertia: inertia.lift(all::<V>), start }, method)
    }

    #[inline(always)]
    fn drive<V, P, M>(self, body: &P, mut method: M) -> (u64, Cost)
    where
        V: Vectors,
        P: Problem<Point = BodyState<V::Pack>>,
        M: Inlined<P>,
    {
        // Read from memory where it is needed: its numbers are too many for registers, and the
        // compiler would try.
        let body = std::hint::black_box(body);
        let (rotation, momentum) = (self.state.rotation, self.state.momentum);
        let mut state = BodyState::new(rotation.map(all::<V>), momentum.map(all::<V>));
        let made = method.march_inlined(body, self.ahead, &mut state);
        self.state.rotation = state.rotation.map(first::<V>);
        self.state.momentum = state.momentum.map(first::<V>);
        (made, method.cost())
    }
}

/// The same number in every lane.
fn all<V: Vectors>(x: f64) -> V::Pack {
    V::pack([x; 4])
}

fn first<V: Vectors>(x: V::Pack) -> f64 {
    V::unpack(x)[0]
}

struct Marching<'a, F>(&'a F, Ahead<'a>);

impl<F: Family> Loop for Marching<'_, F> {
    type Output = (u64, Cost);
    #[inline(always)]
    fn run<V: Vectors>(self) -> (u64, Cost) {
        self.0.march::<V>(self.1)
    }
}

impl<F: Family> Method<Body> for Broad<F> {
    fn step(&mut self, s: Step<'_, Body>, out: &mut BodyState<f64>) -> StepResult {
        self.inner.step(s, out)
    }

    fn march(&mut self, p: &Body, ahead: &Even, y: &mut BodyState<f64>) -> u64 {
        // The last step is made by itself: it is the one that is remembered.
        let Even { count, .. } = *ahead;
        if count < 2 || !self.family.suits(p) {
            return self.inner.march(p, ahead, y);
        }
        let before = &Even { count: count - 1, ..*ahead };
        let steps = Ahead { body: p, ahead: before, state: y };
        let Some((made, cost)) = roomiest(Marching(&self.family, steps)) else {
            return self.inner.march(p, ahead, y);
        };
        let ahead = before;
        self.cost = self.cost.plus(&cost);
        self.inner.reset();
        if made < ahead.count {
            return made;
        }
        let last = Even { first: ahead.first + made, count: 1, ..*ahead };
        made + self.inner.march(p, &last, y)
    }

    fn accept(&mut self) {
        self.inner.accept();
    }

    fn reset(&mut self) {
        self.inner.reset();
    }

    fn interpolate(
        &mut self,
        at: Inside<'_, Body>,
        out: &mut BodyState<f64>,
    ) -> Result<(), StepError> {
        self.inner.interpolate(at, out)
    }

    fn cost(&self) -> Cost {
        self.cost.plus(&self.inner.cost())
    }

    fn coordinates(&self) -> Option<InChart<'_>> {
        self.inner.coordinates()
    }

    fn corrections(&self) -> Option<Corrections> {
        self.inner.corrections()
    }
}

/// RKMK with Kutta's classical table.
struct FourStages;
impl Family for FourStages {
    type Alone = Rkmk<Body>;
    fn alone(&self) -> Rkmk<Body> {
        Rkmk::new(&tableau::RK4, Chart::Exp)
    }
    #[inline(always)]
    fn march<V: Vectors>(&self, steps: Ahead<'_>) -> (u64, Cost) {
        if steps.body.potential.is_free() {
            steps.freely::<V, _>(Classical::default())
        } else {
            steps.with::<V, _>(Classical::default())
        }
    }
}

/// The method of Casas and Owren.
struct TwoBrackets;
impl Family for TwoBrackets {
    type Alone = CasasOwren<Body>;
    fn alone(&self) -> CasasOwren<Body> {
        CasasOwren::default()
    }
    #[inline(always)]
    fn march<V: Vectors>(&self, steps: Ahead<'_>) -> (u64, Cost) {
        if steps.body.potential.is_free() {
            steps.freely::<V, _>(CasasOwren::default())
        } else {
            steps.with::<V, _>(CasasOwren::default())
        }
    }
}

/// A splitting with the exact free motion that starts with it: those that start with a kick have
/// something to remember.
struct Split(&'static SplittingScheme);
impl Family for Split {
    type Alone = Splitting<f64, Exact>;
    fn alone(&self) -> Splitting<f64, Exact> {
        Splitting::new(Exact, self.0)
    }
    /// The motion of other bodies needs elliptic functions.
    fn suits(&self, body: &Body) -> bool {
        let round = matches!(body.inertia.round(), Round::About(_)) && body.inertia.is_diagonal();
        round && body.potential.axis().is_some()
    }
    #[inline(always)]
    fn march<V: Vectors>(&self, steps: Ahead<'_>) -> (u64, Cost) {
        steps.with::<V, _>(Splitting::<V::Pack, Exact>::new(Exact, self.0))
    }
}

/// Lets the methods for which it pays make their steps in wide registers.
pub(super) fn widen(entries: &mut [Entry<Body>]) {
    for entry in entries {
        match entry.card.id {
            "rkmk4" => wrap(entry, || Box::new(Broad::new(FourStages))),
            "rkmk4-casas-owren" => wrap(entry, || Box::new(Broad::new(TwoBrackets))),
            "exs@bm4" => wrap(entry, || Box::new(Broad::new(Split(&BM4)))),
            "exs@rkn6a" => wrap(entry, || Box::new(Broad::new(Split(&RKN6A)))),
            _ => {}
        }
    }
}

/// Replaces the method of an entry where no option asks for another one.
fn wrap(entry: &mut Entry<Body>, broad: fn() -> Box<dyn Method<Body>>) {
    let plain = std::mem::replace(&mut entry.make, Box::new(move |_, _| Ok(broad())));
    entry.make = Box::new(move |p, options| {
        let method = plain(p, options)?;
        Ok(if *options == Options::default() { broad() } else { method })
    });
}
