//! One body in registers for several.
//!
//! Built for every machine of its kind, a step of one body has few registers and instructions that
//! overwrite their operands; two thirds of a step are copies. Where the machine has wide vectors,
//! steps that nobody looks at are made with packs that hold the same number in every lane: the
//! instructions take as long, there are fewer of them, and the bits are the same.
use super::{Field, RigidBody};
use lieflow::action::BodyState;
use lieflow::chart::Chart;
use lieflow::kernel::rigid::{Exact, Round};
use lieflow::kernel::wide::{Loop, Vectors, roomiest};
use lieflow::method::casas_owren::CasasOwren;
use lieflow::method::rigid_body::{BM4, RKN6A, Splitting, SplittingScheme};
use lieflow::method::rkmk::Rkmk;
use lieflow::method::{Corrections, Cost, Entry, InChart, Inlined, Method, Options, StepError};
use lieflow::problem::{Lift, TorqueField};
use lieflow::stepping::Even;
use lieflow::{Real, tableau};

/// A method for bodies over any numbers.
trait Family: 'static {
    /// The method.
    type Over<S: Real>: Inlined<RigidBody<S, Field<S>>>;
    /// Makes it.
    fn over<S: Real>(&self) -> Self::Over<S>;
    /// Whether its steps with this body need no work in single lanes.
    fn suits(&self, body: &Body) -> bool {
        let _ = body;
        true
    }
}

/// A method of a family whose steps are made in registers for several bodies.
struct Broad<F: Family> {
    family: F,
    inner: F::Over<f64>,
    /// The cost of the steps that were not made by `inner`.
    cost: Cost,
}

impl<F: Family> Broad<F> {
    fn new(family: F) -> Self {
        let inner = family.over();
        Self { family, inner, cost: Cost::default() }
    }
}

/// The steps ahead of a body, from a state.
struct Ahead<'a, F> {
    family: &'a F,
    body: &'a RigidBody<f64, Field<f64>>,
    ahead: &'a Even,
    state: &'a mut BodyState<f64>,
}

impl<F: Family> Loop for Ahead<'_, F> {
    type Output = (u64, Cost);
    #[inline(always)]
    fn run<V: Vectors>(self) -> (u64, Cost) {
        let all = |x: f64| V::pack([x; 4]);
        let body = self.body.lift(all);
        let mut state = self.body.lift_point(self.state, all);
        let mut method = self.family.over();
        let made = method.march_inlined(&body, self.ahead, &mut state);
        *self.state = body.lift_point(&state, |x| V::unpack(x)[0]);
        (made, method.cost())
    }
}

type Body = RigidBody<f64, Field<f64>>;

impl<F: Family> Method<Body> for Broad<F> {
    fn step(
        &mut self,
        p: &Body,
        t: f64,
        h: f64,
        y: &BodyState<f64>,
        out: &mut BodyState<f64>,
    ) -> Result<Option<f64>, StepError> {
        self.inner.step(p, t, h, y, out)
    }

    fn march(&mut self, p: &Body, ahead: &Even, y: &mut BodyState<f64>) -> u64 {
        // The last step is made by itself: it is the one that is remembered.
        let Even { count, .. } = *ahead;
        if count < 2 || !self.family.suits(p) {
            return self.inner.march(p, ahead, y);
        }
        let (family, body, ahead) = (&self.family, p, &Even { count: count - 1, ..*ahead });
        let (made, cost) = roomiest::<f64, _>(Ahead { family, body, ahead, state: y });
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
        p: &Body,
        t: f64,
        h: f64,
        y: &BodyState<f64>,
        end: &BodyState<f64>,
        theta: f64,
        out: &mut BodyState<f64>,
    ) -> Result<(), StepError> {
        self.inner.interpolate(p, t, h, y, end, theta, out)
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
struct Classical;
impl Family for Classical {
    type Over<S: Real> = Rkmk<RigidBody<S, Field<S>>>;
    fn over<S: Real>(&self) -> Self::Over<S> {
        Rkmk::new(&tableau::RK4, Chart::Exp)
    }
}

/// The method of Casas and Owren.
struct TwoBrackets;
impl Family for TwoBrackets {
    type Over<S: Real> = CasasOwren<RigidBody<S, Field<S>>>;
    fn over<S: Real>(&self) -> Self::Over<S> {
        CasasOwren::default()
    }
}

/// A splitting with the exact free motion that starts with it: those that start with a kick have
/// something to remember.
struct Split(&'static SplittingScheme);
impl Family for Split {
    type Over<S: Real> = Splitting<S, Exact>;
    fn over<S: Real>(&self) -> Self::Over<S> {
        Splitting::new(Exact, self.0)
    }
    /// The motion of other bodies needs elliptic functions.
    fn suits(&self, body: &Body) -> bool {
        let round = matches!(body.inertia.round(), Round::About(_)) && body.inertia.is_diagonal();
        round && body.potential.axis().is_some()
    }
}

/// Lets the methods for which it pays make their steps in wide registers.
pub(super) fn widen(entries: &mut [Entry<Body>]) {
    for entry in entries {
        match entry.card.id {
            "rkmk4" => wrap(entry, || Box::new(Broad::new(Classical))),
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
