//! The equations of a step, and how they are solved.
use crate::action::Action;
use crate::chart::Chart;
use crate::group::{LieAlgebra, ScalarOf};
use crate::method::anderson::Anderson;
use crate::method::fixed_point::{MOST_SWEEPS, Settling, all_squared};
use crate::method::prediction::{Predictor, Solved};
use crate::method::{Cost, NOT_FINITE, StepError};
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

/// Work space of an iteration.
#[derive(Clone)]
pub(super) struct Solver<S> {
    anderson: Anderson<S>,
    coordinates: [Vec<S>; 2],
}

/// One way from a state to the next, to be found.
pub(super) struct Way<'a, P: GradientFlow> {
    pub(super) p: &'a P,
    /// The time at which the field is held, and the length.
    pub(super) t: f64,
    pub(super) h: f64,
    pub(super) y: &'a P::Point,
    /// How large the field is, squared: near an equilibrium the increment vanishes and rounding does not, it
    /// is that of the whole field, with what does not move the point.
    pub(super) whole: ScalarIn<P>,
}

/// Which half of a step of Itoh and Abe.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
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
pub(super) enum Path {
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
pub(super) type ScalarIn<P> = ScalarOf<GroupOf<P>>;

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
    pub(super) fn settle(
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
    pub(super) fn new() -> Self {
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
