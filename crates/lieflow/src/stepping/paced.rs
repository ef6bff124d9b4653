//! Steps of one size in another time: a step finds out on its way how long it takes.
//!
//! A [`Paced`] method knows a pace `dt = g ds` and keeps with it what it keeps with fixed steps.
//! [`PacedControl`] makes steps of the same `s`, whose lengths in time follow, and the last one with the
//! method that it was made from, to the end exactly; states between two steps come from that method too.
use super::control::{Clock, resolution};
use super::{Calibration, Control, SolveError, Stride, Verdict};
use crate::archive::Archive;
use crate::method::{Corrections, Cost, Inside, Method, Step, StepError, StepResult};
use crate::problem::Problem;
use alloc::rc::Rc;
use core::cell::Cell;
use lieflow_kernel::Real;

/// The pace `g(x) = scale (x + offset)^(-power)` at the kinetic energy `x`, or at what the potential
/// leaves of the energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// The factor.
    pub scale: f64,
    /// Minus the exponent.
    pub power: f64,
    /// What is added to the energy.
    pub offset: f64,
}

impl Pace {
    /// `g(x)`.
    pub fn at(&self, x: f64) -> Result<f64, StepError> {
        if self.power == 0.0 {
            return Ok(self.scale);
        }
        let x = x + self.offset;
        if x > 0.0 {
            return Ok(self.scale * Real::exp(-self.power * Real::ln(x)));
        }
        let reason = "the potential is higher than the energy of the motion lets it become";
        Err(StepError::NoSolution { reason, step: x })
    }
}

/// A method that chooses the time of its steps by a pace.
pub trait Paced<Y> {
    /// The kinetic energy, which the pace follows.
    fn kinetic(&self, y: &Y) -> f64;
    /// With this pace.
    fn set_pace(&mut self, pace: Pace);
    /// The motion begins at this state, or goes on from it with another energy.
    fn begin(&mut self, y: &Y);
    /// A step of length `s`, and the time that it takes.
    fn step(&mut self, s: f64, y: &Y, out: &mut Y) -> Result<f64, StepError>;
    /// The last step was accepted, and the next one begins where it ended.
    fn accept(&mut self);
    /// The cost of all steps so far.
    fn cost(&self) -> Cost;
    /// Names what is remembered.
    fn archive(&mut self, archive: &mut Archive);
}

/// What control and method tell each other: the next step has the length in time that it is given.
#[derive(Clone, Debug, Default)]
pub struct Plainly(Rc<Cell<bool>>);

/// A method with its paced twin.
pub struct PacedMethod<'a, P: Problem> {
    /// The method for steps of a given time.
    pub plain: &'a mut dyn Method<P>,
    /// The method for steps in the other time.
    pub paced: &'a mut dyn Paced<P::Point>,
    plainly: Plainly,
    /// Whether the energy is that of the state.
    begun: bool,
}

impl<'a, P: Problem> PacedMethod<'a, P> {
    /// For the control with which it shares `plainly`.
    pub fn new(
        plain: &'a mut dyn Method<P>,
        paced: &'a mut dyn Paced<P::Point>,
        plainly: &Plainly,
    ) -> Self {
        Self { plain, paced, plainly: plainly.clone(), begun: false }
    }
}

impl<P: Problem> Method<P> for PacedMethod<'_, P> {
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        if self.plainly.0.get() {
            self.plain.reset();
            return self.plain.step(s, out).map(|_| Some(s.h));
        }
        if !self.begun {
            self.paced.begin(s.y);
            self.begun = true;
        }
        self.paced.step(s.h, s.y, out).map(Some)
    }

    fn interpolate(&mut self, at: Inside<'_, P>, out: &mut P::Point) -> Result<(), StepError> {
        self.plain.reset();
        let shorter = at.by_shorter_step(self.plain, out);
        self.plain.reset();
        shorter
    }

    fn accept(&mut self) {
        if !self.plainly.0.get() {
            self.paced.accept();
        }
    }

    fn carries_roundings(&self) -> bool {
        true
    }

    fn reset(&mut self) {
        self.begun = false;
    }

    fn set_aside(&mut self) {}

    fn take_back(&mut self) {}

    fn archive(&mut self, _: Step<'_, P>, archive: &mut Archive) {
        archive.flag(&mut self.begun);
        self.paced.archive(archive);
    }

    fn cost(&self) -> Cost {
        self.plain.cost().plus(&self.paced.cost())
    }

    fn corrections(&self) -> Option<Corrections> {
        self.plain.corrections()
    }
}

/// Steps of one size in the other time.
#[derive(Clone, Debug)]
pub struct PacedControl {
    epsilon: f64,
    clock: Clock,
    direction: f64,
    plainly: Plainly,
    found: Option<Stride>,
    before: Cost,
}

impl PacedControl {
    /// With steps as a calibration found them.
    pub fn new(found: Calibration, plainly: &Plainly) -> Self {
        Self {
            epsilon: found.epsilon,
            clock: Clock::default(),
            direction: 1.0,
            plainly: plainly.clone(),
            found: None,
            before: found.cost,
        }
    }
}

impl Control for PacedControl {
    fn begin(&mut self, span: (f64, f64), step: f64) -> Result<(), SolveError> {
        self.clock = Clock::new(span);
        self.direction = 1f64.copysign(step);
        self.plainly.0.set(false);
        Ok(())
    }

    fn propose(&mut self) -> Result<Option<Stride>, SolveError> {
        let (t, until) = (self.clock.now, self.clock.until);
        Ok((t != until).then(|| match self.plainly.0.get() {
            true => Stride { t, h: self.clock.left(), end: until },
            false => Stride { t, h: self.direction * self.epsilon, end: f64::NAN },
        }))
    }

    fn judge(&mut self, stride: &Stride, trial: StepResult) -> Result<Verdict, SolveError> {
        let Stride { t, h, .. } = *stride;
        let elapsed = trial.map_err(|source| SolveError::Step { t, h, source })?;
        let Some(elapsed) = elapsed else { return Err(SolveError::NoTempo) };
        if self.plainly.0.get() {
            self.found = None;
            self.clock = Clock::new((self.clock.until, self.clock.until));
            return Ok(Verdict::Accept);
        }
        let onward = elapsed * self.direction > resolution(t);
        if !onward {
            return Err(SolveError::StepTooSmall { t, h: elapsed });
        }
        let near = resolution(self.clock.until.abs().max(elapsed.abs()));
        if self.clock.left().abs() - elapsed.abs() <= near {
            // It would lead beyond the end.
            self.plainly.0.set(true);
            return Ok(Verdict::Reject);
        }
        self.found = self.clock.propose(elapsed);
        self.clock.commit();
        Ok(Verdict::Accept)
    }

    fn found(&self) -> Option<Stride> {
        self.found
    }

    fn restart(&mut self, t: f64) {
        self.clock = Clock::new((t, self.clock.until));
        self.plainly.0.set(false);
    }

    fn cost(&self) -> Cost {
        self.before
    }

    fn archive(&mut self, archive: &mut Archive) {
        self.clock.archive(archive);
        archive.number(&mut self.epsilon);
        let mut plainly = self.plainly.0.get();
        archive.flag(&mut plainly);
        self.plainly.0.set(plainly);
        self.before.archive(archive);
    }
}
