//! Discrete gradients: energy exactly, without projection, and decreasing where it should.
//!
//! With `f = L dH` ([`GradientFlow`]) the differential is replaced by a `g` for which the energy changes
//! by just the sum of `g` times the increments; then it is conserved by every skew `L`, and decreases by
//! every negative one, whatever the step.
//!
//! ```text
//! mean value   u = h L(ym) g,  y' = exp(u)·y,  ym = exp(u/2)·y
//!              g = integral of dH(exp(s u)·y) over s from 0 to 1
//! Itoh–Abe     u = h L g,  w_0 = y,  w_i = exp(u_i e_i)·w_{i-1},  y' = w_n
//!              g_i = (H(w_i) - H(w_{i-1}))/u_i
//! ```
//!
//! The integral is taken by two Gauss points, and what this leaves of the sum rule is added along `u`,
//! which makes the rule exact. Itoh and Abe's is of order one by itself; here half a step with `L` at its
//! start is followed by half a step of its adjoint, the coordinates in the other order and `L` at the
//! end. Both methods are symmetric and of order two. A field that depends on time is held in the middle
//! of the step. The equations are solved by fixed-point iteration from what the steps before predict, with
//! Anderson's acceleration.
//!
//! Celledoni, Eidnes, Owren and Ringholm, 2020; on vector spaces McLachlan, Quispel and Robidoux, 1999;
//! Itoh and Abe, 1988.
use super::prediction::Predictions;
use super::{Card, Choices, Cost, Entry, Method, Options, Step, StepResult, remembers};
use crate::archive::Archive;
use crate::group::LieAlgebra;
use crate::problem::{FieldOf, GradientFlow};
use lieflow_kernel::Real;

mod way;
use way::{Half, Path, ScalarIn, Solver, Way};

/// Which discrete gradient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The mean value of the differential on the way.
    Mean,
    /// Quotients of differences, coordinate by coordinate.
    ItohAbe,
}

const fn card(id: &'static str, title: &'static str) -> Card {
    Card {
        symmetric: true,
        conserves: "the manifold, the energy exactly",
        implicit: true,
        cite: "celledoni2020",
        ..Card::new(id, title, "discrete gradient", 2)
    }
}

/// The methods of this family.
pub static MEMBERS: [(Card, Kind); 2] = [
    (card("discrete-gradient-mean", "Discrete gradient by the mean value"), Kind::Mean),
    (
        card("discrete-gradient-itoh-abe", "Discrete gradient of Itoh and Abe, symmetric"),
        Kind::ItohAbe,
    ),
];

/// The methods for a system.
pub fn entries<P: GradientFlow + 'static>() -> Vec<Entry<P>> {
    let entry = |(card, kind): &'static (Card, Kind)| {
        let make = move |_: &P, options: &Options| {
            options.check(card, Choices::fixed_point())?;
            Ok(Box::new(DiscreteGradient::<P>::new(*kind)) as Box<dyn Method<P>>)
        };
        Entry { card: card.clone(), make: Box::new(make) }
    };
    MEMBERS.iter().map(entry).collect()
}

/// A method of this family.
pub struct DiscreteGradient<P: GradientFlow> {
    kind: Kind,
    memory: Memory<ScalarIn<P>>,
    aside: Memory<ScalarIn<P>>,
    solver: Solver<ScalarIn<P>>,
    /// An increment of the right shape.
    like: Option<FieldOf<P>>,
    cost: Cost,
}

/// What is remembered from step to step: increments, and how large the field is with all that does not
/// move the point, squared.
#[derive(Clone)]
struct Memory<S: Real> {
    predictions: Predictions<S>,
    whole: Option<S>,
}

impl<S: Real> Memory<S> {
    fn new() -> Self {
        Self { predictions: Predictions::new(), whole: None }
    }
    fn forget(&mut self) {
        self.predictions.forget();
        self.whole = None;
    }
}

impl<P: GradientFlow> DiscreteGradient<P> {
    /// The method with this discrete gradient.
    pub fn new(kind: Kind) -> Self {
        let (memory, aside) = (Memory::new(), Memory::new());
        Self { kind, memory, aside, solver: Solver::new(), like: None, cost: Cost::default() }
    }

    /// The paths of a step, one after the other.
    fn paths(&self) -> &'static [Path] {
        match self.kind {
            Kind::Mean => &[Path::Mean],
            Kind::ItohAbe => &[Path::ItohAbe(Half::First), Path::ItohAbe(Half::Second)],
        }
    }
}

impl<P: GradientFlow> Method<P> for DiscreteGradient<P> {
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let Step { p, t, h, y } = s;
        let t = t + 0.5 * h;
        let paths = self.paths();
        let cost = &mut self.cost;
        let mut field = || {
            cost.field_evaluations += 1;
            p.field(t, y)
        };
        let like = self.like.get_or_insert_with(&mut field);
        let whole = *self.memory.whole.get_or_insert_with(|| {
            let field = field();
            field.dot(&field)
        });
        let predictions = &mut self.memory.predictions;
        predictions.make_room(paths.len(), like.dim().div_ceil(3));
        predictions.prepare(h);
        *out = y.clone();
        for (k, path) in paths.iter().enumerate() {
            let y = out.clone();
            let way = Way { p, t, h: h / paths.len() as f64, y: &y, whole };
            let (predictor, found) = (&predictions.predictors[k], &mut predictions.last[k]);
            *out = way.settle(*path, predictor, like, found, &mut self.solver, &mut self.cost)?;
        }
        predictions.propose();
        Ok(None)
    }

    fn accept(&mut self) {
        self.memory.predictions.learn();
    }

    remembers!(memory);

    fn archive(&mut self, next: Step<'_, P>, archive: &mut Archive) {
        let substeps = self.paths().len();
        let like = self.like.get_or_insert_with(|| next.p.field(next.t, next.y));
        let vectors = like.dim().div_ceil(3);
        archive.option(&mut self.memory.whole, &ScalarIn::<P>::zero(), Archive::real);
        if self.memory.whole.is_none() {
            return self.memory.forget();
        }
        self.memory.predictions.make_room(substeps, vectors);
        self.memory.predictions.archive(archive);
    }
}
