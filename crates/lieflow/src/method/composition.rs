//! Compositions: a symmetric method of order two, repeated with steps `g_1 h, …, g_m h` so that
//! the leading errors cancel.
//!
//! ```text
//! Φ@C(h) = Φ(g_m h) ∘ … ∘ Φ(g_1 h)      sum g_i = 1, palindromic
//! ```
//!
//! The composition is symmetric, symplectic if the method is, and conserves what the method
//! conserves; some of its steps go backwards. Each is accepted before the next, so that a method
//! that reuses its last torque goes on doing so. Triple jump (Yoshida 1990), Suzuki's fractal
//! (Suzuki 1990), and the sets of Yoshida and of Kahan and Li 1997; orders measured by our tests.
use super::{Card, Method, Step, StepResult, increments};
use crate::action::Flat;
use crate::archive::Archive;
use crate::forwards;
use crate::problem::Problem;
use crate::stepping::EvenSteps;

/// Substeps of a composition.
#[derive(Debug, PartialEq)]
pub struct Scheme {
    /// What follows the `@`.
    pub id: &'static str,
    /// Its order, for symmetric methods of order two.
    pub order: u8,
    /// `g_1, …` up to the middle, which is what is missing to one.
    pub outer: &'static [f64],
    /// Key in `references.bib`.
    pub cite: &'static str,
}

impl Scheme {
    /// Number of substeps.
    pub const fn stages(&self) -> usize {
        2 * self.outer.len() + 1
    }
    /// All `g_i`.
    pub fn weights(&self) -> impl Iterator<Item = f64> {
        let middle = 1.0 - 2.0 * self.outer.iter().sum::<f64>();
        let there = self.outer.iter().copied();
        there.clone().chain(core::iter::once(middle)).chain(there.rev())
    }
    /// The card of a composed method.
    pub const fn card(&self, id: &'static str, base: &Card) -> Card {
        Card {
            id,
            title: "composition of the method before the @",
            family: base.family,
            order: self.order,
            symmetric: true,
            symplectic: base.symplectic,
            conserves: base.conserves,
            implicit: base.implicit,
            evaluations: match base.evaluations {
                Some(n) => Some(n * self.stages() as u32),
                None => None,
            },
            estimate_power: None,
            cite: self.cite,
        }
    }
}

/// Triple jump, `1/(2 - 2^(1/3))`.
pub static TJ4: Scheme =
    Scheme { id: "tj4", order: 4, outer: &[1.351207191959657634], cite: "yoshida1990" };

/// Suzuki's fractal, `1/(4 - 4^(1/3))`.
pub static SU4: Scheme = Scheme {
    id: "su4",
    order: 4,
    outer: &[0.414490771794375737, 0.414490771794375737],
    cite: "suzuki1990",
};

/// Triple jump of the triple jump, with `1/(2 - 2^(1/5))` outside.
pub static TJ6: Scheme = Scheme {
    id: "tj6",
    order: 6,
    outer: &[
        1.587224927722242946,
        -1.999778097355122507,
        1.587224927722242946,
        -1.823242663484828258,
    ],
    cite: "yoshida1990",
};

/// Yoshida's solution A with seven stages.
pub static YO6: Scheme = Scheme {
    id: "yo6",
    order: 6,
    outer: &[0.78451361047755726382, 0.23557321335935813368, -1.17767998417887100695],
    cite: "yoshida1990",
};

/// Kahan and Li's set with nine stages.
pub static KL6: Scheme = Scheme {
    id: "kl6",
    order: 6,
    outer: &[
        0.39216144400731413928,
        0.33259913678935943860,
        -0.70624617255763935981,
        0.08221359629355080023,
    ],
    cite: "kahanli1997",
};

/// All schemes.
pub static SCHEMES: [&Scheme; 5] = [&TJ4, &SU4, &TJ6, &YO6, &KL6];

/// A method of a list, and the names of its [`compositions`], if it has any: data, so that a list of a
/// hundred methods is one loop.
pub(super) struct Composable<P> {
    pub card: Card,
    pub compositions: &'static [&'static str],
    /// Whether it refuses a body with torque.
    pub free_only: bool,
    pub make: fn() -> Box<dyn Method<P>>,
}

impl<P: Problem<Point: Flat> + 'static> Composable<P> {
    /// A method without compositions.
    pub const fn alone(card: Card, make: fn() -> Box<dyn Method<P>>) -> Self {
        Self { card, compositions: &[], free_only: false, make }
    }
    /// A symmetric method and its compositions.
    pub const fn with(
        card: Card,
        compositions: &'static [&'static str],
        make: fn() -> Box<dyn Method<P>>,
    ) -> Self {
        Self { card, compositions, free_only: false, make }
    }
    /// [`with_compositions`] of its card.
    pub fn each(&self) -> impl Iterator<Item = (Card, Option<&'static Scheme>)> {
        with_compositions(&self.card, self.compositions)
    }
    /// What makes the method, or its composition by a scheme.
    pub fn maker(
        &self,
        scheme: Option<&'static Scheme>,
    ) -> impl Fn() -> Box<dyn Method<P>> + 'static {
        let make = self.make;
        move || match scheme {
            None => make(),
            Some(scheme) => Box::new(Composed::new(make(), scheme)),
        }
    }
}

/// The cards of a method and of its compositions with these names, each with its scheme.
pub(super) fn with_compositions(
    card: &Card,
    names: &'static [&'static str],
) -> impl Iterator<Item = (Card, Option<&'static Scheme>)> {
    let composed = names.iter().zip(SCHEMES);
    let composed = composed.map(|(id, scheme)| (scheme.card(id, card), Some(scheme)));
    core::iter::once((card.clone(), None)).chain(composed)
}

/// The names of the compositions of a method by [`SCHEMES`], put together while compiling.
macro_rules! compositions {
    ($id:literal) => {
        &[
            concat!($id, "@tj4"),
            concat!($id, "@su4"),
            concat!($id, "@tj6"),
            concat!($id, "@yo6"),
            concat!($id, "@kl6"),
        ]
    };
}
pub(super) use compositions;

/// A composed method.
#[derive(Debug)]
pub struct Composed<M, Y> {
    inner: M,
    scheme: &'static Scheme,
    /// The state between two substeps.
    between: Option<Y>,
    accepted: bool,
    /// The same while it looks aside.
    aside: bool,
}

impl<M, Y> Composed<M, Y> {
    /// A symmetric method of order two, composed by this scheme.
    pub fn new(inner: M, scheme: &'static Scheme) -> Self {
        Self { inner, scheme, between: None, accepted: false, aside: false }
    }
}

impl<M, Y: Clone> Composed<M, Y> {
    /// The step, where `step` makes its parts.
    #[inline(always)]
    fn by_substeps<P: Problem<Point = Y>>(
        &mut self,
        Step { p, t, h, y }: Step<'_, P>,
        out: &mut Y,
        mut step: impl FnMut(&mut M, Step<'_, P>, &mut Y) -> StepResult,
    ) -> StepResult
    where
        M: Method<P>,
    {
        if self.accepted {
            self.inner.accept();
        } else {
            self.inner.reset();
        }
        self.accepted = false;
        let between = self.between.get_or_insert_with(|| y.clone());
        let mut done = 0.0;
        for (i, g) in self.scheme.weights().enumerate() {
            if i == 0 {
                step(&mut self.inner, Step::new(p, t, g * h, y), out)?;
            } else {
                self.inner.accept();
                core::mem::swap(between, out);
                step(&mut self.inner, Step::new(p, t + done * h, g * h, between), out)?;
            }
            done += g;
        }
        Ok(None)
    }
}

impl<P: Problem<Point: Flat>, M: Method<P>> Method<P> for Composed<M, P::Point> {
    #[inline]
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        self.by_substeps(s, out, |inner, s, out| inner.step(s, out))
    }

    increments!(self, self.inner.has_increments(), |s, room, increment| {
        let before = increment.clone();
        // Where the ways so far lead.
        let mut small = before.clone();
        let made = self.by_substeps(s, room, |inner, part, end| {
            inner.step_with_increment(part, end, increment)?;
            end.clone_from(s.y);
            small.clone_from(increment);
            end.gather(&mut small);
            Ok(None)
        });
        if made.is_err() {
            *increment = before;
        }
        made
    });

    fn accept(&mut self) {
        self.accepted = true;
    }

    fn reset(&mut self) {
        self.accepted = false;
    }

    fn set_aside(&mut self) {
        self.inner.set_aside();
        self.aside = core::mem::take(&mut self.accepted);
    }

    fn take_back(&mut self) {
        self.inner.take_back();
        self.accepted = self.aside;
    }

    fn archive(&mut self, next: Step<'_, P>, archive: &mut Archive) {
        archive.flag(&mut self.accepted);
        self.inner.archive(next, archive);
    }

    forwards!(self: P => self.inner; cost);
}

impl<P: Problem, M: Method<P> + ?Sized> Method<P> for Box<M> {
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        (**self).step(s, out)
    }
    increments!(self, (**self).has_increments(), |s, room, increment| {
        (**self).step_with_increment(s, room, increment)
    });
    fn step_many_carrying(
        &mut self,
        p: &P,
        steps: &EvenSteps,
        y: &mut P::Point,
        carry: &mut P::Point,
    ) -> u64 {
        (**self).step_many_carrying(p, steps, y, carry)
    }
    forwards!(self: P => (**self);
        carries_roundings, accept, reset, set_aside, take_back, archive, interpolate, cost, coordinates, corrections);
}
