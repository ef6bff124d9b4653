//! What a method is asked for: a step, or a place inside one. Both go by value, so that no address is
//! given away and their numbers may stay in registers.
use super::{Method, StepError};
use crate::problem::Problem;

/// An estimate of the local error, for pairs, or why there is no step.
pub type StepResult = Result<Option<f64>, StepError>;

/// Whether there is a state inside a step by the interpolant of the family, and whether it could be found.
pub type Interpolated = Option<Result<(), StepError>>;

/// A step of a problem from a state.
pub struct Step<'a, P: Problem> {
    /// The problem.
    pub p: &'a P,
    /// Where it starts.
    pub t: f64,
    /// How long it is; may be negative.
    pub h: f64,
    /// The state.
    pub y: &'a P::Point,
}

/// A place inside a step that was made.
pub struct Inside<'a, P: Problem> {
    /// The step.
    pub step: Step<'a, P>,
    /// Where it ended.
    pub end: &'a P::Point,
    /// The part of it that has gone by.
    pub theta: f64,
}

impl<'a, P: Problem> Step<'a, P> {
    /// The step of `p` from `y` at `t` to `t + h`.
    #[inline(always)]
    pub fn new(p: &'a P, t: f64, h: f64, y: &'a P::Point) -> Self {
        Self { p, t, h, y }
    }
    /// The place at `t + theta h`, after the step went to `end`.
    #[inline(always)]
    pub fn inside(self, end: &'a P::Point, theta: f64) -> Inside<'a, P> {
        Inside { step: self, end, theta }
    }
    /// The same step of another problem.
    #[inline(always)]
    pub fn of<Q: Problem<Point = P::Point>>(self, p: &'a Q) -> Step<'a, Q> {
        Step { p, t: self.t, h: self.h, y: self.y }
    }
}

impl<'a, P: Problem> Inside<'a, P> {
    /// The state there at the end of a shorter step, of which the method remembers nothing: it goes
    /// on as if nobody had looked.
    pub fn by_shorter_step<M: Method<P> + ?Sized>(
        self,
        method: &mut M,
        out: &mut P::Point,
    ) -> Result<(), StepError> {
        method.set_aside();
        let step = method.step(Step { h: self.theta * self.step.h, ..self.step }, out);
        method.take_back();
        step.map(|_| ())
    }
    /// The same place in a step of another problem.
    pub fn of<Q: Problem<Point = P::Point>>(self, p: &'a Q) -> Inside<'a, Q> {
        Inside { step: self.step.of(p), end: self.end, theta: self.theta }
    }
}

impl<P: Problem> Clone for Step<'_, P> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<P: Problem> Copy for Step<'_, P> {}

impl<P: Problem> Clone for Inside<'_, P> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<P: Problem> Copy for Inside<'_, P> {}

/// [`Method::step`], [`Method::step_many`] and [`Method::interpolate`] of an
/// [`InlineMethod`](super::InlineMethod), compiled once; many steps at a time only where it pays.
macro_rules! compiled_once {
    ($pays:expr) => {
        #[inline(never)]
        fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
            self.step_inline(s, out)
        }

        #[inline(never)]
        fn step_many(&mut self, p: &P, steps: &EvenSteps, y: &mut P::Point) -> u64 {
            if const { $pays } { self.step_many_inline(p, steps, y) } else { 0 }
        }

        fn interpolate(&mut self, at: Inside<'_, P>, out: &mut P::Point) -> Result<(), StepError> {
            match self.interpolate_inline(at, out) {
                Some(done) => done,
                None => at.by_shorter_step(self, out),
            }
        }
    };
}

/// [`Method::accept`], [`Method::reset`], [`Method::set_aside`], [`Method::take_back`],
/// [`Method::archive`] and [`Method::cost`] of a method that remembers the torque at the end of the last step (`follows`) or
/// its stages (`kept`), of which `archive_kept` names those that the next step uses. Of one with a `memory` that
/// can forget: all but the first and the fifth.
macro_rules! remembers {
    (follows) => {
        remembers!(self, self.follows = true, self.follows = false);

        fn set_aside(&mut self) {
            self.aside = (self.torque, self.follows);
            self.follows = false;
        }

        fn take_back(&mut self) {
            (self.torque, self.follows) = self.aside;
        }

        fn archive(&mut self, _: Step<'_, P>, archive: &mut $crate::archive::Archive) {
            // The proposal may still be accepted: a composition does that when the next step comes.
            $crate::action::Flat::archive(&mut self.torque, archive);
            archive.flag(&mut self.follows);
        }
    };
    (memory) => {
        fn reset(&mut self) {
            self.memory.forget();
        }

        fn set_aside(&mut self) {
            core::mem::swap(&mut self.memory, &mut self.aside);
            self.memory.forget();
        }

        fn take_back(&mut self) {
            core::mem::swap(&mut self.memory, &mut self.aside);
        }

        fn cost(&self) -> $crate::method::Cost {
            self.cost
        }
    };
    (kept) => {
        remembers!(self, self.kept.accept(), self.kept = Kept::Nothing);

        fn set_aside(&mut self) {
            self.aside.exchange(&mut self.work, &mut self.kept);
            self.kept = Kept::Nothing;
        }

        fn take_back(&mut self) {
            self.aside.exchange(&mut self.work, &mut self.kept);
        }

        fn archive(&mut self, next: Step<'_, P>, archive: &mut $crate::archive::Archive) {
            self.kept.archive(archive);
            if self.kept != Kept::Nothing {
                self.archive_kept(next, archive);
            }
        }
    };
    ($self:ident, $accept:expr, $reset:expr) => {
        fn accept(&mut $self) {
            $accept;
        }

        fn reset(&mut $self) {
            $reset;
        }

        fn cost(&$self) -> Cost {
            $self.cost
        }
    };
}

/// [`Method::has_increments`] and [`Method::step_with_increment`] of a method for problems `P`.
macro_rules! increments {
    ($self:ident, $known:expr, |$s:ident, $room:ident, $increment:ident| $step:expr) => {
        fn has_increments(&$self) -> bool {
            $known
        }

        fn step_with_increment(
            &mut $self,
            $s: Step<'_, P>,
            $room: &mut P::Point,
            $increment: &mut P::Point,
        ) -> StepResult {
            $step
        }
    };
}

/// The [increments](increments) of a method whose
/// proposal has [coordinates](Method::coordinates): by the [shift](crate::action::Action::shift) of the
/// space.
macro_rules! increments_in_chart {
    () => {
        $crate::method::increments!(self, $crate::problem::shifts::<P>(), |s, room, increment| {
            let estimate = self.step(s, room)?;
            if let Some(w) = &self.work {
                $crate::problem::shift::<P>(self.chart(), &w.u, s.y, increment);
            }
            Ok(estimate)
        });
    };
}
pub(crate) use {compiled_once, increments, increments_in_chart, remembers};
