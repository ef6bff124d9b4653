//! The method of Casas and Owren: RKMK with Kutta's classical table, rearranged so that two
//! brackets are enough for order four.
//!
//! ```text
//! F1 = h f(y)                             F3 = h f(exp(F2/2 - [F1, F2]/8)·y)
//! F2 = h f(exp(F1/2)·y)                   F4 = h f(exp(F3)·y)
//! y' = exp((F1 + 2 F2 + 2 F3 + F4 - [F1, F4]/2)/6)·y
//! ```
//!
//! Order four; keeps the manifold and coadjoint orbits; neither symmetric nor symplectic. It needs
//! no inverse differential and has no chart to choose. Casas and Owren, 2003; Celledoni et al.,
//! 2021, section 2.2.
use super::interpolant::{hermite, pull_to};
use super::rkmk::combine;
use super::{
    Card, Cost, InChart, InlineMethod, Inside, Interpolated, Method, NOT_FINITE, Step, StepError,
    StepResult, compiled_once, increments_in_chart, worth_step_many,
};
use crate::chart::Chart;
use crate::group::{LieAlgebra, ScalarOf, zero_of_shape};
use crate::problem::{FieldOf, Generator, GroupOf, Stage, advance};
use crate::stepping::EvenSteps;

/// The card of the method.
pub static CARD: Card = Card {
    id: "rkmk4-casas-owren",
    title: "RKMK of order 4 with two brackets, Casas and Owren",
    family: "rkmk",
    order: 4,
    symmetric: false,
    symplectic: false,
    conserves: "the manifold, coadjoint orbits",
    implicit: false,
    evaluations: Some(4),
    estimate_power: None,
    cite: "casasowren2003",
};

/// The method of Casas and Owren.
pub struct CasasOwren<P: Generator> {
    work: Option<Work<P>>,
    /// The work space holds the last proposal.
    proposed: bool,
    cost: Cost,
}

/// Work space of the shape of the problem, made at the first step.
struct Work<P: Generator> {
    /// The fields, without the factor `h`.
    fields: [FieldOf<P>; 4],
    u: FieldOf<P>,
    between: FieldOf<P>,
    slope: FieldOf<P>,
    sloped: bool,
    point: P::Point,
}

impl<P: Generator> Work<P> {
    #[cold]
    #[inline(never)]
    fn new(p: &P, t: f64, y: P::Point) -> Self {
        let f = zero_of_shape(|| p.field(t, &y));
        Self {
            fields: [f.clone(), f.clone(), f.clone(), f.clone()],
            u: f.clone(),
            between: f.clone(),
            slope: f,
            sloped: false,
            point: y,
        }
    }
}

/// The work space. The state goes there by value, so that its address is not given away and it may
/// live in registers.
#[inline(always)]
fn space<'a, P: Generator>(work: &'a mut Option<Work<P>>, s: Step<'_, P>) -> &'a mut Work<P> {
    match work {
        Some(w) => w,
        None => work.insert(Work::new(s.p, s.t, s.y.clone())),
    }
}

impl<P: Generator> Default for CasasOwren<P> {
    #[inline(always)]
    fn default() -> Self {
        Self { work: None, proposed: false, cost: Cost::default() }
    }
}

/// The coordinates of the step, and the fields that they are made of, of which the first is known.
#[inline(always)]
fn stages<P: Generator>(
    Step { p, t, h, y }: Step<'_, P>,
    fields: &mut [FieldOf<P>; 4],
    u: &mut FieldOf<P>,
    point: &mut P::Point,
) {
    let [f1, f2, f3, f4] = fields;
    let chart = Chart::Exp;
    u.assign(0.5 * h, f1);
    p.field_at(Stage { chart, t: t + 0.5 * h, u, y }, point, f2);

    u.assign(0.5 * h, f2);
    u.axpy_bracket(-0.125 * h * h, f1, f2);
    p.field_at(Stage { chart, t: t + 0.5 * h, u, y }, point, f3);

    u.assign(h, f3);
    p.field_at(Stage { chart, t: t + h, u, y }, point, f4);

    combine(u, h, &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0], fields);
    let [f1, _, _, f4] = fields;
    u.axpy_bracket(-h * h / 12.0, f1, f4);
}

/// The first field and the coordinates of the step, in registers, as far as those go.
#[inline(always)]
fn plain<P: Generator>(s: Step<'_, P>) -> Option<(FieldOf<P>, FieldOf<P>)> {
    let first = s.p.field(s.t, s.y);
    let (mut u, mut point) = (first.clone(), s.y.clone());
    let mut fields = [first.clone(), first.clone(), first.clone(), first];
    stages(s, &mut fields, &mut u, &mut point);
    let [first, ..] = fields;
    u.finite().then_some((first, u))
}

impl<P: Generator> CasasOwren<P> {
    /// Keeps what the interpolant of a [`plain`] step asks for.
    #[inline(always)]
    fn keep(&mut self, s: Step<'_, P>, first: FieldOf<P>, u: FieldOf<P>) {
        if crate::ON_GPU {
            return;
        }
        let w = space(&mut self.work, s);
        w.fields[0] = first;
        w.u = u;
        w.sloped = false;
        self.proposed = true;
    }

    fn chart(&self) -> Chart {
        Chart::Exp
    }

    #[inline(always)]
    fn count(&mut self, steps: u64) {
        self.cost.field_evaluations += 4 * steps;
        self.cost.exponentials += 4 * steps;
    }
}

impl<P: Generator> InlineMethod<P> for CasasOwren<P> {
    const INTERPOLATES: bool = true;

    #[inline(always)]
    fn step_inline(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        self.proposed = false;
        self.count(1);
        if const { !P::HOT || core::mem::needs_drop::<P::Point>() } {
            // Numbers on the heap stay where they are.
            let w = space(&mut self.work, s);
            s.p.field_into(s.t, s.y, &mut w.fields[0]);
            stages(s, &mut w.fields, &mut w.u, &mut w.point);
            w.sloped = false;
            if !w.u.finite() {
                return Err(NOT_FINITE);
            }
            advance::<P>(Chart::Exp, &w.u, s.y, out);
            self.proposed = true;
            return Ok(None);
        }
        let Some((first, u)) = plain(s) else { return Err(NOT_FINITE) };
        advance::<P>(Chart::Exp, &u, s.y, out);
        self.keep(s, first, u);
        Ok(None)
    }

    #[inline(always)]
    fn step_many_inline(&mut self, p: &P, steps: &EvenSteps, y: &mut P::Point) -> u64 {
        if const { core::mem::needs_drop::<P::Point>() } {
            return 0;
        }
        let mut state = y.clone();
        let mut last = None;
        let mut k = 0;
        while k < steps.count {
            let Some((first, u)) = plain(steps.step(p, k, &state)) else { break };
            let mut next = state.clone();
            advance::<P>(Chart::Exp, &u, &state, &mut next);
            state = next;
            last = Some((first, u));
            k += 1;
        }
        self.count(k);
        if let Some((first, u)) = last {
            self.keep(steps.step(p, 0, y), first, u);
        }
        *y = state;
        k
    }

    #[inline(always)]
    fn interpolate_inline(&mut self, at: Inside<'_, P>, out: &mut P::Point) -> Interpolated {
        let Inside { step: Step { p, t, h, y }, end, theta } = at;
        let w = self.work.as_mut().filter(|_| self.proposed)?;
        if !w.sloped {
            p.field_into(t + h, end, &mut w.slope);
            if let Err(out) =
                pull_to::<P>(Stage { chart: Chart::Exp, t, u: &w.u, y }, end, &mut w.slope)
            {
                return Some(Err(out));
            }
            self.cost.field_evaluations += 1;
            w.sloped = true;
        }
        hermite(&mut w.between, h, theta, &w.u, &w.fields[0], &w.slope);
        advance::<P>(Chart::Exp, &w.between, y, out);
        self.cost.exponentials += 1;
        Some(Ok(()))
    }
}

impl<P: Generator> Method<P> for CasasOwren<P> {
    compiled_once!(P::HOT && worth_step_many::<ScalarOf<GroupOf<P>>>());

    fn reset(&mut self) {
        self.proposed = false;
    }

    fn cost(&self) -> Cost {
        self.cost
    }

    fn coordinates(&self) -> Option<InChart<'_>> {
        self.work.as_ref().map(|w| InChart { chart: Chart::Exp, u: &w.u })
    }

    increments_in_chart!();
}
