//! Steps of one size.
//!
//! ```text
//! K = round(T/h),  t_k = t0 + k (T/K)      if h divides T up to rounding,
//! t_k = t0 + k h,  then one shorter step   otherwise
//! ```
//!
//! Both end exactly at `t0 + T`, and time never accumulates. The second rule keeps the step that was
//! asked for, at the price of one odd step at the end; a convergence study should use steps that
//! divide the interval.
use super::control::resolution;
use super::{Control, EvenSteps, SolveError, Stride, Verdict};
use crate::archive::Archive;
use crate::method::StepError;

/// A step divides the interval if rounding it to do so changes it by less than this fraction.
const DIVIDES: f64 = 1e-9;

/// Whole numbers up to here are exact in `f64`.
const COUNTABLE: f64 = 9007199254740992.0;

/// Fixed steps. Error estimates are ignored, and a step that fails ends the run.
#[derive(Clone, Debug, Default)]
pub struct Fixed {
    from: f64,
    until: f64,
    h: f64,
    /// Number of steps of the full size.
    whole: u64,
    /// Number of all steps.
    total: u64,
    /// The grid points passed.
    passed: u64,
    now: f64,
    /// Times that are nearer than this are one.
    instant: f64,
}

impl Fixed {
    /// A control that keeps the step of the run.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of steps of the run that was begun last.
    pub fn steps(&self) -> u64 {
        self.total
    }

    /// The step of that run: the one asked for, or the one next to it that divides the interval.
    pub fn step(&self) -> f64 {
        self.h
    }

    fn grid(&self, k: u64) -> f64 {
        if k >= self.total { self.until } else { self.from + k as f64 * self.h }
    }
}

impl Control for Fixed {
    fn begin(&mut self, (from, until): (f64, f64), step: f64) -> Result<(), SolveError> {
        let ratio = (until - from) / step;
        let nearest = ratio.round();
        let divides = nearest >= 1.0 && (ratio - nearest).abs() <= DIVIDES * nearest;
        let (whole, total, h) = if divides {
            (nearest, nearest, (until - from) / nearest)
        } else {
            (ratio.floor(), ratio.ceil(), step)
        };
        let instant = resolution(from.abs().max(until.abs()));
        // NaN cannot come here: the driver has checked both ends and the step.
        if total > COUNTABLE || (total > 1.0 && h.abs() < instant) {
            return Err(SolveError::StepTooSmall { t: from, h });
        }
        let (whole, total) = (whole as u64, total as u64);
        *self = Self { from, until, h, whole, total, passed: 0, now: from, instant };
        Ok(())
    }

    fn propose(&mut self) -> Result<Option<Stride>, SolveError> {
        if self.passed >= self.total {
            return Ok(None);
        }
        let end = self.grid(self.passed + 1);
        // After a restart the first step leads back to the grid; the last one may be shorter.
        let on_grid = self.now == self.grid(self.passed);
        let full = on_grid && self.passed < self.whole;
        let h = if full { self.h } else { end - self.now };
        Ok(Some(Stride { t: self.now, h, end }))
    }

    fn judge(
        &mut self,
        stride: &Stride,
        trial: Result<Option<f64>, StepError>,
    ) -> Result<Verdict, SolveError> {
        match trial {
            Ok(_) => {
                self.passed += 1;
                self.now = stride.end;
                Ok(Verdict::Accept)
            }
            Err(source) => Err(SolveError::Step { t: stride.t, h: stride.h, source }),
        }
    }

    fn restart(&mut self, t: f64) {
        self.now = t;
        // Where the cut is the grid point itself, up to rounding, that point stays behind.
        if (t - self.grid(self.passed)).abs() > self.instant {
            self.passed = self.passed.saturating_sub(1);
        }
    }

    fn archive(&mut self, archive: &mut Archive) {
        archive.same(self.h, "its step is another one, which divides the interval");
        archive.bits(&mut self.passed);
        archive.number(&mut self.now);
    }

    fn even_steps(&self) -> Option<EvenSteps> {
        let on_grid = self.now == self.grid(self.passed);
        let count = self.whole.saturating_sub(self.passed);
        (on_grid && count > 0).then_some(EvenSteps {
            from: self.from,
            h: self.h,
            first: self.passed,
            count,
        })
    }

    fn advance_by(&mut self, steps: u64) -> Option<f64> {
        self.passed += steps;
        self.now = self.grid(self.passed);
        Some(self.now)
    }
}
