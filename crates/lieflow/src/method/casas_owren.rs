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
use super::{Card, Cost, InChart, Inlined, Method, NOT_FINITE, StepError, by_shorter_step};
use crate::action::Action;
use crate::chart::Chart;
use crate::group::LieAlgebra;
use crate::problem::{FieldOf, Generator};

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
        let f = p.field(t, &y).zero_like();
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
fn space<'a, P: Generator>(
    work: &'a mut Option<Work<P>>,
    p: &P,
    t: f64,
    y: &P::Point,
) -> &'a mut Work<P> {
    match work {
        Some(w) => w,
        None => work.insert(Work::new(p, t, y.clone())),
    }
}

impl<P: Generator> Default for CasasOwren<P> {
    fn default() -> Self {
        Self { work: None, proposed: false, cost: Cost::default() }
    }
}

/// The coordinates of the step, and the fields that they are made of, of which the first is known.
#[inline(always)]
fn stages<P: Generator>(
    p: &P,
    t: f64,
    h: f64,
    y: &P::Point,
    fields: &mut [FieldOf<P>; 4],
    u: &mut FieldOf<P>,
    point: &mut P::Point,
) {
    let [f1, f2, f3, f4] = fields;
    u.assign(0.5 * h, f1);
    p.field_at(Chart::Exp, t + 0.5 * h, u, y, point, f2);

    u.assign(0.5 * h, f2);
    u.axpy_bracket(-0.125 * h * h, f1, f2);
    p.field_at(Chart::Exp, t + 0.5 * h, u, y, point, f3);

    u.assign(h, f3);
    p.field_at(Chart::Exp, t + h, u, y, point, f4);

    combine(u, h, &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0], fields);
    let [f1, _, _, f4] = fields;
    u.axpy_bracket(-h * h / 12.0, f1, f4);
}

impl<P: Generator> Inlined<P> for CasasOwren<P> {
    #[inline(always)]
    fn step_inlined(
        &mut self,
        p: &P,
        t: f64,
        h: f64,
        y: &P::Point,
        out: &mut P::Point,
    ) -> Result<Option<f64>, StepError> {
        self.proposed = false;
        let w = if std::mem::needs_drop::<P::Point>() {
            // Numbers on the heap stay where they are.
            let w = space(&mut self.work, p, t, y);
            p.field_into(t, y, &mut w.fields[0]);
            stages(p, t, h, y, &mut w.fields, &mut w.u, &mut w.point);
            w
        } else {
            // Others are in registers, as far as those go, and the interpolant asks for two.
            let first = p.field(t, y);
            let (mut u, mut point) = (first.clone(), y.clone());
            let mut fields = [first.clone(), first.clone(), first.clone(), first];
            stages(p, t, h, y, &mut fields, &mut u, &mut point);
            let w = space(&mut self.work, p, t, y);
            [w.fields[0], ..] = fields;
            w.u = u;
            w
        };
        w.sloped = false;
        if !w.u.finite() {
            return Err(NOT_FINITE);
        }
        P::Space::advance(Chart::Exp, &w.u, y, out);
        self.cost.field_evaluations += 4;
        self.cost.exponentials += 4;
        self.proposed = true;
        Ok(None)
    }
}

impl<P: Generator> Method<P> for CasasOwren<P> {
    #[inline(never)]
    fn step(
        &mut self,
        p: &P,
        t: f64,
        h: f64,
        y: &P::Point,
        out: &mut P::Point,
    ) -> Result<Option<f64>, StepError> {
        self.step_inlined(p, t, h, y, out)
    }

    fn reset(&mut self) {
        self.proposed = false;
    }

    fn interpolate(
        &mut self,
        p: &P,
        t: f64,
        h: f64,
        y: &P::Point,
        end: &P::Point,
        theta: f64,
        out: &mut P::Point,
    ) -> Result<(), StepError> {
        let Some(w) = self.work.as_mut().filter(|_| self.proposed) else {
            return by_shorter_step(self, p, t, theta * h, y, out);
        };
        if !w.sloped {
            p.field_into(t + h, end, &mut w.slope);
            pull_to::<P>(Chart::Exp, &w.u, &mut w.slope)?;
            self.cost.field_evaluations += 1;
            w.sloped = true;
        }
        hermite(&mut w.between, h, theta, &w.u, &w.fields[0], &w.slope);
        P::Space::advance(Chart::Exp, &w.between, y, out);
        self.cost.exponentials += 1;
        Ok(())
    }

    fn cost(&self) -> Cost {
        self.cost
    }

    fn coordinates(&self) -> Option<InChart<'_>> {
        self.work.as_ref().map(|w| InChart { chart: Chart::Exp, u: &w.u })
    }
}
