//! Compensated stepping: what a state rounds away is carried to the next step.
//!
//! ```text
//! y' = y + (d + c)        c' = (d + c) - (y' - y)
//! ```
//!
//! A step of a method is a small increment `d` of a large state. Their sum loses a rounding of the
//! state in every step, and if only `y` goes on, errors of energy and momentum are a walk with paces of
//! that size. Here what was lost is kept (Kahan 1965, Møller 1965), number by number, and the paces
//! become roundings of the increment: smaller by about the angle or the part of the state that a step
//! moves. For that the increment must be known better than as the difference of two states, which is
//! for the methods to say ([`Method::step_with_increment`]); rotations give it by
//! [`shift`](crate::action::Action::shift).
//!
//! States that are shown are the rounded ones. What is carried belongs to the state from which the next
//! step goes on: whoever puts another one in its place (an event, a correction) begins with nothing.
//! States are not restored in between: increments by rotations leave the manifold by walks of the same
//! small paces, and a correction of the rounded state would make larger ones.
use super::{Corrections, Cost, InChart, Inside, Method, OptionError, Step, StepError, StepResult};
use crate::action::Flat;
use crate::archive::Archive;
use crate::problem::Problem;
use crate::stepping::EvenSteps;

/// A method with compensated steps.
pub struct Compensated<P: Problem> {
    inner: Box<dyn Method<P>>,
    /// What the state has rounded away.
    carry: P::Point,
    /// The same after the last proposal; while many steps are made, room for them.
    next: P::Point,
    /// The same while it looks aside.
    aside: P::Point,
    zeros: P::Point,
}

impl<P: Problem<Point: Flat> + 'static> Compensated<P> {
    /// The method with compensated steps, if its increments are known.
    pub fn of(
        inner: Box<dyn Method<P>>,
        p: &P,
        method: &'static str,
    ) -> Result<Box<dyn Method<P>>, OptionError> {
        match p.start().zeros() {
            Some(zeros) if inner.has_increments() => Ok(Box::new(Self {
                inner,
                carry: zeros.clone(),
                next: zeros.clone(),
                aside: zeros.clone(),
                zeros,
            })),
            _ => Err(OptionError::NotCompensated { method }),
        }
    }
}

impl<P: Problem<Point: Flat> + 'static> Method<P> for Compensated<P> {
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        self.next.clone_from(&self.carry);
        let estimate = self.inner.step_with_increment(s, out, &mut self.next)?;
        out.clone_from(s.y);
        out.gather(&mut self.next);
        Ok(estimate)
    }

    fn step_many(&mut self, p: &P, steps: &EvenSteps, y: &mut P::Point) -> u64 {
        // Each is accepted: sum and what it rounds away stay where they are.
        let mut k = self.inner.step_many_carrying(p, steps, y, &mut self.carry);
        while k < steps.count {
            let step = steps.step(p, k, y);
            if self.inner.step_with_increment(step, &mut self.next, &mut self.carry).is_err() {
                break;
            }
            y.gather(&mut self.carry);
            self.inner.accept();
            k += 1;
        }
        k
    }

    fn carries_roundings(&self) -> bool {
        true
    }

    fn accept(&mut self) {
        self.carry.clone_from(&self.next);
        self.inner.accept();
    }

    fn reset(&mut self) {
        self.carry.clone_from(&self.zeros);
        self.inner.reset();
    }

    fn set_aside(&mut self) {
        self.aside.clone_from(&self.carry);
        self.carry.clone_from(&self.zeros);
        self.inner.set_aside();
    }

    fn take_back(&mut self) {
        self.carry.clone_from(&self.aside);
        self.inner.take_back();
    }

    fn archive(&mut self, next: Step<'_, P>, archive: &mut Archive) {
        self.carry.archive(archive);
        self.inner.archive(next, archive);
    }

    fn interpolate(&mut self, at: Inside<'_, P>, out: &mut P::Point) -> Result<(), StepError> {
        self.inner.interpolate(at, out)
    }

    fn cost(&self) -> Cost {
        self.inner.cost()
    }

    fn coordinates(&self) -> Option<InChart<'_>> {
        self.inner.coordinates()
    }

    fn corrections(&self) -> Option<Corrections> {
        self.inner.corrections()
    }
}
