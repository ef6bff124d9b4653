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
//! of the step. The equations are solved by fixed-point iteration.
//!
//! Celledoni, Eidnes, Owren and Ringholm, 2020; on vector spaces McLachlan, Quispel and Robidoux, 1999;
//! Itoh and Abe, 1988.
use super::fixed_point::{MOST_SWEEPS, Settling, all_squared};
use super::{
    Card, Choices, Cost, Entry, Method, NOT_FINITE, Options, Solvers, Step, StepError, StepResult,
};
use crate::action::Action;
use crate::chart::Chart;
use crate::group::{LieAlgebra, ScalarOf};
use crate::problem::{FieldOf, Generator, GradientFlow, GroupOf};
use lieflow_kernel::{Mask, Real};

/// The two Gauss points on the unit interval.
const GAUSS: [f64; 2] = [0.211324865405187118, 0.788675134594812882];

/// Below this increment the mean of the derivative at two Gauss points is as good as a quotient of
/// differences, from which it differs by the fourth power of the increment over 4320, or 2e-14: the quotient
/// would lose as much as rounding divided by the increment, and its noise keeps the iteration from settling.
const SMALL: f64 = 3e-3;

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
            Ok(Box::new(DiscreteGradient::new(*kind)) as Box<dyn Method<P>>)
        };
        Entry { card: card.clone(), make: Box::new(make) }
    };
    MEMBERS.iter().map(entry).collect()
}

/// A method of this family.
#[derive(Clone, Debug)]
pub struct DiscreteGradient {
    kind: Kind,
    cost: Cost,
}

/// One way from a state to the next, to be found.
struct Way<'a, P: GradientFlow> {
    p: &'a P,
    /// The time at which the field is held, and the length.
    t: f64,
    h: f64,
    y: &'a P::Point,
}

/// Which half of a step of Itoh and Abe.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    First,
    Second,
}

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
            let i = if half == Half::First { k } else { n - 1 - k };
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

    /// Repeats until the increment settles; where it leads.
    fn settle(
        &self,
        equation: &'static str,
        cost: &mut Cost,
        next: impl Fn(&FieldOf<P>, &mut Cost) -> (FieldOf<P>, P::Point),
    ) -> Result<P::Point, StepError> {
        let mut u = self.respond(self.y, &self.p.differential(self.t, self.y));
        // Near an equilibrium the increment vanishes and rounding does not: it is that of the whole
        // field, with what does not move the point.
        let field = self.p.field(self.t, self.y);
        let whole = field.dot(&field) * (self.h * self.h);
        cost.field_evaluations += 2;
        // Derivatives that numbers carry settle after the numbers.
        type S<P> = ScalarOf<GroupOf<P>>;
        let (mut value, mut all_parts) = (Settling::<S<P>>::new(), Settling::<S<P>>::new());
        let mut residual = f64::INFINITY;
        for sweep in 1..=MOST_SWEEPS {
            let (new, end) = next(&u, cost);
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
            let mut done = value.judge(change.dot(&change), new.dot(&new) + whole);
            if const { <S<P> as Real>::DERIVATIVES > 0 } {
                done = done.and(all_parts.judge(all_squared(&change), all_squared(&new) + whole));
            }
            // The end that belongs to `u`, at which the sum rule was taken.
            if done.all() {
                return Ok(end);
            }
            u = new;
        }
        let iterations = MOST_SWEEPS;
        Err(StepError::NotConverged { equation, iterations, residual, step: self.h })
    }
}

impl DiscreteGradient {
    /// The method with this discrete gradient.
    pub fn new(kind: Kind) -> Self {
        Self { kind, cost: Cost::default() }
    }
}

impl<P: GradientFlow> Method<P> for DiscreteGradient {
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let Step { p, t, h, y } = s;
        let t = t + 0.5 * h;
        let cost = &mut self.cost;
        *out = match self.kind {
            Kind::Mean => {
                let way = Way { p, t, h, y };
                way.settle("the mean-value discrete gradient", cost, |u, cost| way.mean(u, cost))?
            }
            Kind::ItohAbe => {
                let equation = "the discrete gradient of Itoh and Abe";
                let way = Way { p, t, h: 0.5 * h, y };
                let middle =
                    way.settle(equation, cost, |u, cost| way.itoh_abe(Half::First, u, cost))?;
                let way = Way { y: &middle, ..way };
                way.settle(equation, cost, |u, cost| way.itoh_abe(Half::Second, u, cost))?
            }
        };
        Ok(None)
    }

    fn cost(&self) -> Cost {
        self.cost
    }
}
