//! Commutator-free methods: products of exponentials of weighted fields.
//!
//! ```text
//! Y_0 = y,   Y_m = exp(h sum_j w_mj F_j)·Y_from(m),   F_j = f(t + c_j h, Y_at(j)),   y' = Y_end
//! ```
//!
//! They keep the manifold and coadjoint orbits and are neither symmetric nor symplectic; no
//! inverse differential and no bracket is needed, and there is no chart to choose. Pairs measure
//! the distance of the two solutions by the numbers of the states, matrix entries included, or on
//! a group by a logarithm.
//!
//! Celledoni, Marthinsen and Owren, 2003; the pairs are those of Celledoni et al., 2021, section
//! 4.2, except `cf43-fsal`, which is explained at [its table](crate::tableau::CF43_FSAL).
use super::interpolant::{hermite, log_of_product, pull_to};
use super::rkmk::{combine, distance};
use super::{
    Aside, Card, Cost, Estimate, InlineMethod, Inside, Interpolated, Kept, LANES_DIVERGE, Method,
    NOT_FINITE, Step, StepError, StepResult, compiled_once, crouch_grossman, increments, remembers,
    two_storage, worth_step_many,
};
use crate::action::Flat;
use crate::archive::Archive;
use crate::chart::Chart;
use crate::group::{LieAlgebra, ScalarOf, zero_of_shape};
use crate::problem::{FieldOf, Generator, GroupOf, Stage, advance, shift, shifts};
use crate::stepping::EvenSteps;
use crate::tableau::{self, CommutatorFree, Move};
use lieflow_kernel::Real;

/// The methods of this family, by table.
pub static MEMBERS: [(Card, &CommutatorFree); 9] = [
    member("cf2-heun", "Heun's method, commutator-free", FAMILY, &tableau::CF2_HEUN),
    member("cf2-midpoint", "Explicit midpoint, commutator-free", FAMILY, &tableau::CF2_MIDPOINT),
    member("cf3-a", "Commutator-free, method of pair A", FAMILY, &tableau::CF3_A),
    member("cf3-b", "Commutator-free, method of pair B", FAMILY, &tableau::CF3_B),
    member("cf4", "Commutator-free of order 4", FAMILY, &tableau::CF4),
    member("cf32-a", "Commutator-free pair A, 3(2)", FAMILY, &tableau::CF32_A),
    member("cf32-b", "Commutator-free pair B, 3(2)", FAMILY, &tableau::CF32_B),
    member("cf43-eq34", "Commutator-free pair 4(3), five fields", FAMILY, &tableau::CF43_EQ34),
    member("cf43-fsal", "Commutator-free pair 4(3), four fields", FAMILY, &tableau::CF43_FSAL),
];
const FAMILY: &str = "commutator-free";

/// The card of a table, and the table.
pub(super) const fn member(
    id: &'static str,
    title: &'static str,
    family: &'static str,
    table: &'static CommutatorFree,
) -> (Card, &'static CommutatorFree) {
    let card = Card {
        conserves: "the manifold, coadjoint orbits",
        evaluations: Some(table.evaluations()),
        estimate_power: table.estimate_power(),
        cite: table.cite,
        ..Card::new(id, title, family, table.order)
    };
    (card, table)
}

/// All methods of [`ProductMethod`]: those of Crouch and Grossman, these, and those of Williamson's form.
pub fn products() -> impl Iterator<Item = &'static (Card, &'static CommutatorFree)> {
    crouch_grossman::MEMBERS.iter().chain(&MEMBERS).chain(&two_storage::MEMBERS)
}

/// A method of this family, or of the family of Crouch and Grossman.
pub struct ProductMethod<P: Generator> {
    table: &'static CommutatorFree,
    estimate: Estimate,
    work: Option<Work<P>>,
    kept: Kept,
    /// The same while it looks aside.
    aside: Aside<Work<P>>,
    /// The moves that a step makes: all, or the inner ones, where it makes the last ones by ways.
    moves: &'static [Move],
    inner: &'static [Move],
    cost: Cost,
}

/// Work space of the shape of the problem, made at the first step.
struct Work<P: Generator> {
    fields: Vec<FieldOf<P>>,
    /// Point `m + 1` for move `m`; the solution is not among them.
    points: Vec<P::Point>,
    /// Whether that point is nothing but a place to take the field at.
    passing: Vec<bool>,
    /// An exponent.
    u: FieldOf<P>,
    /// The logarithm of the step, the slope at its end, for the interpolant.
    log: FieldOf<P>,
    slope: FieldOf<P>,
    sloped: bool,
    /// The exponents of the solution, the first to act first.
    factors: Vec<&'static [f64]>,
}

impl<P: Generator> Work<P> {
    #[cold]
    #[inline(never)]
    fn new(p: &P, t: f64, y: P::Point, table: &'static CommutatorFree) -> Self {
        let f = zero_of_shape(|| p.field(t, &y));
        Self {
            fields: vec![f.clone(); table.at.len()],
            points: vec![y; table.moves.len()],
            passing: (0..table.moves.len()).map(|m| table.passing(m + 1)).collect(),
            u: f.clone(),
            log: f.clone(),
            slope: f,
            sloped: false,
            factors: ProductMethod::<P>::factors(table),
        }
    }
}

impl<P: Generator> ProductMethod<P> {
    /// The method with this table.
    pub fn new(table: &'static CommutatorFree) -> Self {
        Self::with_estimate(table, Estimate::Natural)
    }
    /// The method with a choice of the error estimate.
    pub fn with_estimate(table: &'static CommutatorFree, estimate: Estimate) -> Self {
        Self {
            table,
            estimate,
            work: None,
            kept: Kept::Nothing,
            aside: Aside::new(),
            moves: table.moves,
            inner: table.inner_moves(),
            cost: Cost::default(),
        }
    }

    /// What the next step uses of the last one.
    fn archive_kept(&mut self, next: Step<'_, P>, archive: &mut Archive) {
        let table = self.table;
        if table.first_same_as_last() {
            let Step { p, t, y, .. } = next;
            let w = self.work.get_or_insert_with(|| Work::new(p, t, y.clone(), table));
            archive.algebra(&mut w.fields[table.at.len() - 1]);
        }
    }

    /// The exponents of the solution, the first to act first.
    fn factors(table: &'static CommutatorFree) -> Vec<&'static [f64]> {
        let (mut rows, mut at) = (Vec::new(), table.end);
        while at > 0 {
            let step = &table.moves[at - 1];
            rows.push(step.weights);
            at = step.from;
        }
        rows.reverse();
        rows
    }
}

impl<P: Generator> InlineMethod<P> for ProductMethod<P> {
    #[inline(always)]
    fn step_inline(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let Step { p, t, h, y } = s;
        let table = self.table;
        let w = self.work.get_or_insert_with(|| Work::new(p, t, y.clone(), table));
        if table.first_same_as_last() && self.kept == Kept::Accepted {
            w.fields.swap(0, table.at.len() - 1);
        } else {
            p.field_into(t, y, &mut w.fields[0]);
            self.cost.field_evaluations += 1;
        }
        self.kept = Kept::Nothing;
        w.sloped = false;
        let mut known = 1;
        for (m, step) in self.moves.iter().enumerate() {
            combine(&mut w.u, h, step.weights, &w.fields);
            let (before, after) = w.points.split_at_mut(m);
            let from = if step.from == 0 { y } else { &before[step.from - 1] };
            // No move starts from the solution, so it can go straight to the caller.
            let point = if m + 1 == table.end { &mut *out } else { &mut after[0] };
            self.cost.exponentials += 1;
            if w.passing[m] {
                let t = t + table.c[known] * h;
                let stage = Stage { chart: Chart::Exp, t, u: &w.u, y: from };
                p.field_at(stage, point, &mut w.fields[known]);
            } else {
                advance::<P>(Chart::Exp, &w.u, from, point);
                if table.at.get(known) != Some(&(m + 1)) {
                    continue;
                }
                p.field_into(t + table.c[known] * h, point, &mut w.fields[known]);
            }
            self.cost.field_evaluations += 1;
            known += 1;
        }
        if !w.fields.iter().all(LieAlgebra::finite) {
            return Err(NOT_FINITE);
        }
        self.kept = Kept::Proposed;
        Ok(table.embedded.map(|(point, _)| distance::<P>(self.estimate, out, &w.points[point - 1])))
    }

    fn interpolate_inline(&mut self, at: Inside<'_, P>, out: &mut P::Point) -> Interpolated {
        let Inside { step: Step { p, t, h, y }, end, theta } = at;
        // Whether the logarithm is the right one is for each lane to say: lanes leave it to runs
        // by themselves.
        if const { <ScalarOf<GroupOf<P>> as Real>::LANES > 1 } {
            return Some(Err(LANES_DIVERGE));
        }
        let table = self.table;
        let usable = self.kept != Kept::Nothing;
        let w = self.work.as_mut().filter(|_| usable)?;
        if !w.sloped {
            if !log_of_product::<P>(h, &w.factors, &w.fields, &mut w.u, &mut w.log) {
                return None;
            }
            if table.first_same_as_last() {
                w.slope.assign(1.0, &w.fields[table.at.len() - 1]);
            } else {
                p.field_into(t + h, end, &mut w.slope);
                self.cost.field_evaluations += 1;
            }
            if let Err(out) =
                pull_to::<P>(Stage { chart: Chart::Exp, t, u: &w.log, y }, end, &mut w.slope)
            {
                return Some(Err(out));
            }
            self.cost.exponentials += w.factors.len() as u64;
            w.sloped = true;
        }
        hermite(&mut w.u, h, theta, &w.log, &w.fields[0], &w.slope);
        advance::<P>(Chart::Exp, &w.u, y, out);
        self.cost.exponentials += 1;
        Some(Ok(()))
    }
}

impl<P: Generator> Method<P> for ProductMethod<P> {
    compiled_once!(P::HOT && worth_step_many::<ScalarOf<GroupOf<P>>>());

    remembers!(kept);

    increments!(self, shifts::<P>(), |s, room, increment| {
        self.moves = self.inner;
        let made = self.step(s, room);
        self.moves = self.table.moves;
        self.cost.exponentials += (self.moves.len() - self.inner.len()) as u64;
        let Some(w) = &mut self.work else { return made };
        // The place of the solution, which goes elsewhere.
        let at = &mut w.points[self.table.end - 1];
        for (i, row) in w.factors.iter().enumerate().filter(|_| made.is_ok()) {
            if i > 0 {
                // From where the ways so far lead: the product of the step has errors that repeat.
                room.clone_from(increment);
                at.clone_from(s.y);
                at.gather(room);
            }
            combine(&mut w.u, s.h, row, &w.fields);
            shift::<P>(Chart::Exp, &w.u, if i > 0 { at } else { s.y }, increment);
        }
        made
    });
}
