//! Methods for linear problems `y' = A(t)·y`, whose field does not depend on the state.
//!
//! ```text
//! y' = exp(Ω)·y        Ω = ∫A + ½∫∫[A(t₁), A(t₂)] + …            (Magnus 1954)
//! ```
//!
//! Time-symmetric, of order 4, 6 and 8 with one, three and six brackets (Blanes, Casas and Ros 2000,
//! 2002), or as products of exponentials without brackets (Blanes and Moan 2006, Alvermann and Fehske
//! 2011). The step is an element of the group that does not depend on the state. So it keeps the
//! manifold to rounding, and whatever form or quantity the action keeps: orbits, the symplectic form of
//! spheres and of coadjoint orbits, scalar products. Steps may be long: where `A` is constant they are
//! exact, and the series converges for `∫|A| < π`.
//!
//! The engine evaluates the field at the nodes of Gauss, with the first state, at which a linear
//! problem does not look. Problems that do are refused ([`Generator::is_linear`]).
use super::implicit::DIRECTIONS;
use super::{
    Card, Choices, Cost, Entry, InlineMethod, Inside, Method, NOT_FINITE, OptionError, Options,
    Solvers, Step, StepError, StepResult, compiled_once, on_field,
};
use crate::chart::Chart;
use crate::group::LieAlgebra;
use crate::problem::{AnyFieldOf, Differentiable, FieldOf, Generator, advance};
use crate::stepping::EvenSteps;
use crate::tableau::{self, MagnusTable};

/// The family on the cards of these methods.
pub const FAMILY: &str = "magnus";

/// The methods of this family, by table.
pub static MEMBERS: [(Card, &MagnusTable); 5] = [
    member("magnus4", "Magnus, one bracket", &tableau::MAGNUS4),
    member("magnus6", "Magnus, three brackets", &tableau::MAGNUS6),
    member("magnus8", "Magnus, six brackets", &tableau::MAGNUS8),
    member("cf-magnus4", "Magnus without brackets, two exponentials", &tableau::CF_MAGNUS4),
    member("cf-magnus6", "Magnus without brackets, five exponentials", &tableau::CF_MAGNUS6),
];

const fn member(
    id: &'static str,
    title: &'static str,
    table: &'static MagnusTable,
) -> (Card, &'static MagnusTable) {
    let card = Card {
        symmetric: true,
        symplectic: true,
        conserves: "the manifold, and every form and quantity that the group keeps",
        evaluations: Some(table.c.len() as u32),
        cite: table.cite,
        ..Card::new(id, title, FAMILY, table.order)
    };
    (card, table)
}

/// A method of this family.
pub struct Magnus<P: Generator> {
    table: &'static MagnusTable,
    work: Option<Work<P>>,
    cost: Cost,
}

/// Work space of the shape of the problem, made at the first step.
struct Work<P: Generator> {
    fields: Vec<FieldOf<P>>,
    /// Moments, then brackets.
    terms: Vec<FieldOf<P>>,
    left: FieldOf<P>,
    right: FieldOf<P>,
    /// Points between two factors.
    points: [P::Point; 2],
}

impl<P: Generator> Magnus<P> {
    /// The method with this table.
    pub fn new(table: &'static MagnusTable) -> Self {
        Self { table, work: None, cost: Cost::default() }
    }
}

#[cold]
#[inline(never)]
fn work<P: Generator>(p: &P, t: f64, y: &P::Point, table: &MagnusTable) -> Work<P> {
    let zero = p.field(t, y).zero_like();
    Work {
        fields: vec![zero.clone(); table.c.len()],
        terms: vec![zero.clone(); table.moments.len() + table.brackets.len()],
        left: zero.clone(),
        right: zero,
        points: [y.clone(), y.clone()],
    }
}

impl<P: Generator> InlineMethod<P> for Magnus<P> {
    #[inline(always)]
    fn step_inline(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let Step { p, t, h, y } = s;
        let table = self.table;
        let w = self.work.get_or_insert_with(|| work(p, t, y, table));
        for (c, field) in table.c.iter().zip(&mut w.fields) {
            p.field_into(t + c * h, y, field);
        }
        self.cost.field_evaluations += table.c.len() as u64;
        if !w.fields.iter().all(LieAlgebra::finite) {
            return Err(NOT_FINITE);
        }
        for (row, moment) in table.moments.iter().zip(&mut w.terms) {
            moment.combine(h, row, &w.fields);
        }
        for (k, bracket) in table.brackets.iter().enumerate() {
            let (known, rest) = w.terms.split_at_mut(table.moments.len() + k);
            w.left.combine(1.0, bracket.left, known);
            w.right.combine(1.0, bracket.right, known);
            rest[0].assign(0.0, &w.left);
            rest[0].axpy_bracket(1.0, &w.left, &w.right);
        }
        let last = table.factors.len() - 1;
        for (k, row) in table.factors.iter().enumerate() {
            w.left.combine(1.0, row, &w.terms);
            let [even, odd] = &mut w.points;
            let (from, to) = if k % 2 == 0 { (even, odd) } else { (odd, even) };
            let from = if k == 0 { y } else { &*from };
            advance::<P>(Chart::Exp, &w.left, from, if k == last { &mut *out } else { to });
        }
        self.cost.exponentials += table.factors.len() as u64;
        Ok(None)
    }
}

impl<P: Generator> Method<P> for Magnus<P> {
    compiled_once!(false);

    fn cost(&self) -> Cost {
        self.cost
    }
}

/// The methods of this family.
pub fn entries<P: Generator + 'static>() -> Vec<Entry<P>> {
    let entry = |(card, table): &'static (Card, &'static MagnusTable)| {
        let make = move |p: &P, options: &Options| {
            options
                .check(card, Choices { chart: false, solver: Solvers::None, compensated: false })?;
            if !p.is_linear() {
                return Err(OptionError::NotLinear { method: card.id });
            }
            Ok(Box::new(Magnus::<P>::new(table)) as Box<dyn Method<P>>)
        };
        Entry { card: card.clone(), make: Box::new(make) }
    };
    MEMBERS.iter().map(entry).collect()
}

/// The same, with engines that are compiled once for all systems on a space.
pub fn entries_on_space<P>() -> Vec<Entry<P>>
where
    P: Differentiable<DIRECTIONS, Lifted: 'static> + Clone + 'static,
{
    on_field(entries::<AnyFieldOf<P, DIRECTIONS>>())
}

/// Why a method of this family does not fit a problem, in words.
pub const NOT_LINEAR: &str =
    "it is for linear problems, whose generator depends on time but not on the state";
