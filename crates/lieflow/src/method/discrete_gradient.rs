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
use super::anderson::Anderson;
use super::fixed_point::{MOST_SWEEPS, Settling, all_squared};
use super::prediction::{Predictions, Predictor, Solved};
use super::{
    Card, Choices, Cost, Entry, Method, NOT_FINITE, Options, Solvers, Step, StepError, StepResult,
};
use crate::action::Action;
use crate::archive::Archive;
use crate::chart::Chart;
use crate::group::{LieAlgebra, ScalarOf};
use crate::problem::{FieldOf, Generator, GradientFlow, GroupOf};
use lieflow_kernel::{Mask, Real, Vec3};

/// The two Gauss points on the unit interval.
const GAUSS: [f64; 2] = [0.211324865405187118, 0.788675134594812882];

/// Below this increment the mean of the derivative at two Gauss points is as good as a quotient of
/// differences, from which it differs by the fourth power of the increment over 4320, or 2e-14: the quotient
/// would lose as much as rounding divided by the increment, and its noise keeps the iteration from settling.
const SMALL: f64 = 3e-3;

/// What the next correction may be, relative to the increment, if it is not made.
const LEFT: f64 = 3e-17;
/// A relative correction below which the iteration may end by its rate.
const NEAR: f64 = 1e-12;

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
        id,
        title,
        family: "discrete gradient",
        order: 2,
        symmetric: true,
        symplectic: false,
        conserves: "the manifold, the energy exactly",
        implicit: true,
        evaluations: None,
        estimate_power: None,
        cite: "celledoni2020",
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
            options.check(card, Choices { chart: false, solver: Solvers::FixedPoint })?;
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

/// Work space of an iteration.
#[derive(Clone)]
struct Solver<S> {
    anderson: Anderson<S>,
    coordinates: [Vec<S>; 2],
}

/// One way from a state to the next, to be found.
struct Way<'a, P: GradientFlow> {
    p: &'a P,
    /// The time at which the field is held, and the length.
    t: f64,
    h: f64,
    y: &'a P::Point,
    /// How large the field is, squared: near an equilibrium the increment vanishes and rounding does not, it
    /// is that of the whole field, with what does not move the point.
    whole: ScalarIn<P>,
}

/// Which half of a step of Itoh and Abe.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    First,
    Second,
}

impl Half {
    /// The coordinate that is the `k`th to move, of `n`.
    fn coordinate(self, k: usize, n: usize) -> usize {
        if self == Self::First { k } else { n - 1 - k }
    }
}

/// What an increment means.
#[derive(Clone, Copy)]
enum Path {
    Mean,
    ItohAbe(Half),
}

impl Path {
    fn equation(self) -> &'static str {
        match self {
            Self::Mean => "the mean-value discrete gradient",
            Self::ItohAbe(_) => "the discrete gradient of Itoh and Abe",
        }
    }
}

/// The numbers of a problem.
type ScalarIn<P> = ScalarOf<GroupOf<P>>;

fn moved<P: Generator>(u: &FieldOf<P>, y: &P::Point) -> P::Point {
    let mut out = y.clone();
    P::Space::advance(Chart::Exp, u, y, &mut out);
    out
}

impl<P: GradientFlow> Way<'_, P> {
    /// The next increment by the mean value, and where the last one leads.
    fn mean(&self, u: &FieldOf<P>, cost: &mut Cost) -> (FieldOf<P>, P::Point) {
        let part = |s: f64| {
            let mut part = u.zero_like();
            part.assign(s, u);
            moved::<P>(&part, self.y)
        };
        let mut g = u.zero_like();
        for s in GAUSS {
            g.axpy(0.5, &self.p.differential(self.t, &part(s)));
        }
        let end = part(1.0);
        let length = u.dot(u);
        if length.magnitude() >= SMALL * SMALL {
            let change = self.p.energy_change(self.t, self.y, &end);
            let rest = (change - g.dot(u)) / length;
            for i in 0..g.dim() {
                g.set_coord(i, g.coord(i) + rest * u.coord(i));
            }
        }
        cost.field_evaluations += 3;
        cost.exponentials += 4;
        (self.respond(&part(0.5), &g), end)
    }

    /// The next increments of the coordinates after Itoh and Abe, and where the last ones lead.
    fn itoh_abe(&self, half: Half, u: &FieldOf<P>, cost: &mut Cost) -> (FieldOf<P>, P::Point) {
        let n = u.dim();
        let mut g = u.zero_like();
        let mut w = self.y.clone();
        for k in 0..n {
            let i = half.coordinate(k, n);
            let step = u.coord(i);
            let along = |s: f64| {
                let mut along = u.zero_like();
                along.set_coord(i, step * s);
                moved::<P>(&along, &w)
            };
            let next = along(1.0);
            let slope = if step.magnitude() < SMALL {
                let at = |s: f64| self.p.differential(self.t, &along(s)).coord(i);
                cost.field_evaluations += 1;
                (at(GAUSS[0]) + at(GAUSS[1])) * 0.5
            } else {
                self.p.energy_change(self.t, &w, &next) / step
            };
            g.set_coord(i, slope);
            w = next;
        }
        cost.field_evaluations += n as u64;
        cost.exponentials += n as u64;
        let at = if half == Half::First { self.y } else { &w };
        (self.respond(at, &g), w)
    }

    fn respond(&self, at: &P::Point, g: &FieldOf<P>) -> FieldOf<P> {
        let f = self.p.response(self.t, at, g);
        let mut u = f.zero_like();
        u.assign(self.h, &f);
        u
    }

    /// The first guess of the increment: that of the steps before, or of the field.
    fn guess(
        &self,
        predictor: &Predictor<ScalarIn<P>>,
        like: &FieldOf<P>,
        room: &mut [Vec3<ScalarIn<P>>],
        cost: &mut Cost,
    ) -> FieldOf<P> {
        if !predictor.predict(room) {
            cost.field_evaluations += 1;
            return self.respond(self.y, &self.p.differential(self.t, self.y));
        }
        let mut u = like.zero_like();
        for i in 0..u.dim() {
            u.set_coord(i, room[i / 3].get(i % 3));
        }
        u
    }

    /// Where an increment leads.
    fn end(&self, path: Path, u: &FieldOf<P>) -> P::Point {
        let half = match path {
            Path::Mean => return moved::<P>(u, self.y),
            Path::ItohAbe(half) => half,
        };
        let mut w = self.y.clone();
        for k in 0..u.dim() {
            let i = half.coordinate(k, u.dim());
            let mut along = u.zero_like();
            along.set_coord(i, u.coord(i));
            w = moved::<P>(&along, &w);
        }
        w
    }

    /// Repeats until the increment settles; where it leads. The first guess is that of the steps before.
    fn settle(
        &self,
        path: Path,
        predictor: &Predictor<ScalarIn<P>>,
        like: &FieldOf<P>,
        found: &mut Solved<ScalarIn<P>>,
        solver: &mut Solver<ScalarIn<P>>,
        cost: &mut Cost,
    ) -> Result<P::Point, StepError> {
        let differentiates = const { <ScalarIn<P> as Real>::DERIVATIVES > 0 };
        let whole = self.whole * (self.h * self.h);
        let mut u = self.guess(predictor, like, &mut found.f, cost);
        solver.anderson.begin(u.dim());
        // Derivatives that numbers carry settle after the numbers.
        let (mut value, mut all_parts) = (Settling::new(), Settling::new());
        let (mut rate, mut seen) = (predictor.rate(), false);
        let (mut residual, mut before) = (f64::INFINITY, ScalarIn::<P>::zero());
        for sweep in 1..=MOST_SWEEPS {
            let (mut new, end) = match path {
                Path::Mean => self.mean(&u, cost),
                Path::ItohAbe(half) => self.itoh_abe(half, &u, cost),
            };
            cost.newton_iterations += 1;
            let mut change = new.zero_like();
            change.assign(1.0, &new);
            change.axpy(-1.0, &u);
            residual = change.norm();
            if !residual.is_finite() {
                if sweep == 1 {
                    return Err(NOT_FINITE);
                }
                break;
            }
            let size = new.dot(&new) + whole;
            let mut done = value.judge(change.dot(&change), size);
            if differentiates {
                done = done.and(all_parts.judge(all_squared(&change), all_squared(&new) + whole));
            }
            // The end that belongs to `u`, at which the sum rule was taken.
            if done.all() {
                keep(&u, (rate, seen), found);
                return Ok(end);
            }
            if !differentiates {
                let correction = solver.correct(&u, &mut change);
                for i in 0..u.dim() {
                    new.set_coord(i, u.coord(i) + change.coord(i));
                }
                if sweep == 2 {
                    (rate, seen) = (correction / before, true);
                }
                before = correction;
                let near = correction.lt(size * (NEAR * NEAR));
                if near.and((correction * rate).lt(size * (LEFT * LEFT))).all() {
                    keep(&new, (rate, seen), found);
                    return Ok(self.end(path, &new));
                }
            }
            u = new;
        }
        let (iterations, equation) = (MOST_SWEEPS, path.equation());
        Err(StepError::NotConverged { equation, iterations, residual, step: self.h })
    }
}

impl<S: Real> Solver<S> {
    fn new() -> Self {
        Self { anderson: Anderson::new(), coordinates: [Vec::new(), Vec::new()] }
    }

    /// Replaces a residual at `u` by a better correction; the square of its size.
    fn correct<A: LieAlgebra<Scalar = S>>(&mut self, u: &A, residual: &mut A) -> S {
        let [at, r] = &mut self.coordinates;
        at.clear();
        at.extend((0..u.dim()).map(|i| u.coord(i)));
        r.clear();
        r.extend((0..u.dim()).map(|i| residual.coord(i)));
        self.anderson.correct(at, r);
        for (i, r) in r.iter().enumerate() {
            residual.set_coord(i, *r);
        }
        residual.dot(residual)
    }
}

/// Writes down what was found.
fn keep<A: LieAlgebra>(u: &A, (rate, seen): (A::Scalar, bool), found: &mut Solved<A::Scalar>) {
    for i in 0..u.dim() {
        found.f[i / 3].set(i % 3, u.coord(i));
    }
    (found.rate, found.seen) = (rate, Mask::splat(seen));
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

    fn reset(&mut self) {
        self.memory.forget();
    }

    fn set_aside(&mut self) {
        core::mem::swap(&mut self.memory, &mut self.aside);
        self.memory.forget();
    }

    fn take_back(&mut self) {
        core::mem::swap(&mut self.memory, &mut self.aside);
    }

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

    fn cost(&self) -> Cost {
        self.cost
    }
}
