//! Methods for a system, compiled for its space alone.
use super::{Corrections, Cost, Entry, Inside, Method, Options, Step, StepError, StepResult};
use crate::action::Action;
use crate::archive::Archive;
use crate::forwards;
use crate::problem::{AnyField, AnyFieldOf, Differentiable, Problem};
use crate::stepping::EvenSteps;
use alloc::rc::Rc;

/// A method that works on the field of a system, whose type it does not know. The system is the one
/// for which it was made; the one that is passed is not looked at.
pub struct OnField<A: Action, T: Action, const D: usize> {
    pub(super) field: AnyField<A, T, D>,
    pub(super) method: Box<dyn Method<AnyField<A, T, D>>>,
    /// Those of the field itself, each with one more evaluation.
    pub(super) corrections: Option<Box<dyn Fn() -> Corrections>>,
}

impl<P, A: Action<Point = P::Point>, T: Action, const D: usize> Method<P> for OnField<A, T, D>
where
    P: Problem,
{
    forwards!(self: P => self.method;
        has_increments, carries_roundings, accept, reset, set_aside, take_back, coordinates);

    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        self.method.step(s.of(&self.field), out)
    }
    fn interpolate(&mut self, at: Inside<'_, P>, out: &mut P::Point) -> Result<(), StepError> {
        self.method.interpolate(at.of(&self.field), out)
    }
    fn step_with_increment(
        &mut self,
        s: Step<'_, P>,
        room: &mut P::Point,
        increment: &mut P::Point,
    ) -> StepResult {
        self.method.step_with_increment(s.of(&self.field), room, increment)
    }
    fn step_many_carrying(
        &mut self,
        _: &P,
        steps: &EvenSteps,
        y: &mut P::Point,
        carry: &mut P::Point,
    ) -> u64 {
        self.method.step_many_carrying(&self.field, steps, y, carry)
    }
    fn archive(&mut self, next: Step<'_, P>, archive: &mut Archive) {
        let counted = self.corrections.as_ref().map(|count| count());
        let mut begun = counted.is_some_and(|count| count != Corrections::default());
        archive.flag(&mut begun);
        if archive.is_read() && begun {
            // Work space is made at the first step and asks for the field, which counts. It has been
            // counted before, so it is made here.
            let mut out = next.y.clone();
            let _ = self.method.step(next.of(&self.field), &mut out);
            self.method.reset();
        }
        self.method.archive(next.of(&self.field), archive);
    }
    fn cost(&self) -> Cost {
        let mut cost = self.method.cost();
        if let Some(Corrections { made, skipped }) = self.corrections.as_ref().map(|count| count())
        {
            cost.field_evaluations += made + skipped;
        }
        cost
    }
    fn corrections(&self) -> Option<Corrections> {
        match &self.corrections {
            Some(count) => Some(count()),
            None => self.method.corrections(),
        }
    }
}

/// Methods for any field as methods for the system that has it, so that they are compiled once for
/// all systems on a space.
pub fn on_field<P, const D: usize>(entries: Vec<Entry<AnyFieldOf<P, D>>>) -> Vec<Entry<P>>
where
    P: Differentiable<D, Lifted: 'static> + Clone + 'static,
{
    let forgotten = entries.into_iter().map(|Entry { card, make }| Entry {
        card,
        make: Box::new(move |p: &P, options: &Options| {
            let field = AnyField::new(Rc::new(p.clone()));
            let method = make(&field, options)?;
            Ok(Box::new(OnField { field, method, corrections: None }) as Box<dyn Method<P>>)
        }),
    });
    forgotten.collect()
}
