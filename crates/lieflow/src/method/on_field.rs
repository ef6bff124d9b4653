//! Methods for a system, compiled for its space alone.
use super::{Corrections, Cost, Entry, InChart, Method, Options, StepError};
use crate::action::Action;
use crate::problem::{AnyField, AnyFieldOf, Differentiable, Problem};
use std::rc::Rc;

/// A method that works on the field of a system, whose type it does not know. The system is the one
/// for which it was made; the one that is passed is not looked at.
struct OnField<A: Action, T: Action, const D: usize> {
    field: AnyField<A, T, D>,
    method: Box<dyn Method<AnyField<A, T, D>>>,
}

impl<P, A: Action<Point = P::Point>, T: Action, const D: usize> Method<P> for OnField<A, T, D>
where
    P: Problem,
{
    fn step(
        &mut self,
        _: &P,
        t: f64,
        h: f64,
        y: &P::Point,
        out: &mut P::Point,
    ) -> Result<Option<f64>, StepError> {
        self.method.step(&self.field, t, h, y, out)
    }
    fn accept(&mut self) {
        self.method.accept();
    }
    fn reset(&mut self) {
        self.method.reset();
    }
    fn interpolate(
        &mut self,
        _: &P,
        t: f64,
        h: f64,
        y: &P::Point,
        end: &P::Point,
        theta: f64,
        out: &mut P::Point,
    ) -> Result<(), StepError> {
        self.method.interpolate(&self.field, t, h, y, end, theta, out)
    }
    fn cost(&self) -> Cost {
        self.method.cost()
    }
    fn coordinates(&self) -> Option<InChart<'_>> {
        self.method.coordinates()
    }
    fn corrections(&self) -> Option<Corrections> {
        self.method.corrections()
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
            Ok(Box::new(OnField { field, method }) as Box<dyn Method<P>>)
        }),
    });
    forgotten.collect()
}
