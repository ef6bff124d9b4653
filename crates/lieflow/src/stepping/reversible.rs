//! Step sizes that follow the tempo of a motion and can be walked back.
//!
//! ```text
//! h_{n+1/2} = epsilon / rho_{n+1/2}
//! ln rho_{n+1/2} = ln rho_{n-1/2} + epsilon G(y_n),    G = (d ln Q/dt)/Q
//! ln rho_{1/2}   = ln rho_0       + epsilon G(y_0)/2,  rho_0 = Q(y_0)
//! ```
//!
//! `rho` is the density of the steps, a variable of its own that follows the rate `Q` of the motion
//! ([`Tempo`]). The rule looks at a state from both sides alike: with a symmetric method, and with a
//! system that can be run backwards, the whole of state and density can, and so its energy does not
//! drift on motions that look the same backwards, such as those of Kepler's problem and of most bodies
//! with a symmetry. Steps that follow an error estimate forget where they came from, and lose that. On
//! motions without any symmetry only symplectic steps keep the energy ([`PacedControl`](super::PacedControl)).
//!
//! Hairer and Söderlind, 2005, sections 2 and 3. Differs in that the logarithm of the density is added
//! to, so that the density stays positive, in a bound on its change from one step to the next, which is
//! a smooth odd function, in that a density that is off by a factor of four begins anew, and in that several small steps of one size are taken as one where the
//! motion hardly changes in them: the tempo is asked for less often then.
//!
//! Where a [`Trial`](super::Trial) has found that steps of one size are as good, they are made instead, and
//! the motion is watched: by the error that the method estimates, if it does, or else by its tempo. Where
//! it becomes quicker than it was on the trial, steps of changing size go on from there.
use super::control::{Clock, resolution};
use super::{Control, EvenSteps, SolveError, Steady, Stride, Verdict};
use crate::archive::Archive;
use crate::method::{Cost, StepError};
use crate::problem::Tempo;
use lieflow_kernel::Real;

/// Steps are taken together up to here, in units of the time in which things change.
const TOGETHER: f64 = 0.1;
/// The most steps that are taken together.
const MOST: u64 = 64;
/// The logarithm of the density changes by less than this from one time to the next.
const BOUND: f64 = 1.5;

/// A density that has left the rate by more than this, in its logarithm, begins anew: the motion has
/// changed faster than steps could follow, and there is no way back from there, but the tolerance is kept.
const LOST: f64 = 1.4;

/// Reversible steps. A step that fails ends the run.
#[derive(Clone, Debug)]
pub struct Reversible {
    /// The length of a step in units of the time in which things change.
    epsilon: f64,
    /// How many steps of one size are taken together.
    together: u64,
    /// Steps of one size, as long as they are good.
    steady: Option<Steady>,
    /// The density to begin with, if not that of the motion.
    first: Option<f64>,
    clock: Clock,
    direction: f64,
    /// Whether there is a density yet.
    begun: bool,
    /// Whether the tempo at the state now is known.
    heard: bool,
    /// `ln rho` of the steps ahead.
    density: f64,
    /// How much of it came at the last state, halved.
    half: f64,
    h: f64,
    /// The steps made of those that are taken together.
    made: u64,
    evaluations: u64,
    before: Cost,
}

impl Reversible {
    /// With steps of this length, in units of the time in which things change.
    pub fn new(epsilon: f64) -> Self {
        let mut new = Self {
            epsilon,
            together: 1,
            steady: None,
            first: None,
            clock: Clock::default(),
            direction: 1.0,
            begun: false,
            heard: false,
            density: 0.0,
            half: 0.0,
            h: 0.0,
            made: 0,
            evaluations: 3,
            before: Cost::default(),
        };
        new.together = new.suited();
        new
    }

    /// With steps for a tolerance, as a [`Trial`](super::Trial) finds them.
    pub fn calibrated(found: super::Calibration) -> Self {
        let (before, evaluations, steady) = (found.cost, found.evaluations, found.steady);
        let mut new = Self { before, evaluations, steady, ..Self::new(found.epsilon) };
        new.together = new.suited();
        new
    }

    /// The same, beginning with this density of steps and not with that of the motion.
    pub fn with_density(mut self, density: f64) -> Self {
        self.first = Some(density);
        self
    }

    /// The density at the state whose tempo was heard last: what a run back begins with.
    pub fn density(&self) -> f64 {
        Real::exp(self.density - self.half)
    }

    /// The length of a step in units of the time in which things change.
    pub fn epsilon(&self) -> f64 {
        self.epsilon
    }

    /// How many steps of one size are taken together.
    pub fn together(&self) -> u64 {
        self.together
    }

    /// Whether steps are of one size.
    pub fn is_steady(&self) -> bool {
        self.steady.is_some()
    }

    fn suited(&self) -> u64 {
        if let Some(Steady { step, rate, .. }) = self.steady {
            // The rate is asked for about once in the time in which things change.
            return ((1.0 / (step * rate)).floor().max(1.0) as u64).min(MOST);
        }
        ((TOGETHER / self.epsilon).floor().max(1.0) as u64).min(MOST)
    }

    /// Where step number `k` of those together begins.
    fn time(&self, k: u64) -> f64 {
        self.clock.now + k as f64 * self.h
    }

    /// How many of the steps together are whole before the end of the run, and whether it ends in them.
    fn whole(&self) -> (u64, bool) {
        let left = self.clock.left().abs();
        let near = resolution(self.clock.until.abs().max(self.h.abs()));
        let ends = |k: u64| left - k as f64 * self.h.abs() <= near;
        if !ends(self.together) {
            return (self.together, false);
        }
        ((0..self.together).find(|k| ends(k + 1)).unwrap_or(0), true)
    }

    /// The motion is quicker than on the trial: from here on steps follow it.
    fn follow(&mut self) {
        self.steady = None;
        self.together = self.suited();
        (self.begun, self.heard, self.first) = (false, false, None);
    }

    /// Whether the method says by itself how good steps of one size are.
    fn is_watched(&self) -> bool {
        self.steady.is_some_and(|steady| steady.estimate.is_some())
    }

    /// So many steps were made.
    fn pass(&mut self, steps: u64) {
        self.made += steps;
        if self.made >= self.together {
            // Compensated, so that time does not suffer from many steps.
            let _ = self.clock.propose(self.together as f64 * self.h);
            self.clock.commit();
            (self.made, self.heard) = (0, self.is_watched());
        }
    }
}

impl Control for Reversible {
    fn begin(&mut self, span: (f64, f64), step: f64) -> Result<(), SolveError> {
        let epsilon = self.epsilon;
        if !(epsilon > 0.0 && epsilon.is_finite()) {
            return Err(SolveError::BadSetting {
                setting: "the length of reversible steps",
                expected: "positive and finite",
                value: epsilon,
            });
        }
        self.clock = Clock::new(span);
        self.direction = 1f64.copysign(step);
        (self.begun, self.heard, self.made) = (false, false, 0);
        if let Some(Steady { step, estimate, .. }) = self.steady {
            self.h = self.direction * step;
            self.heard = estimate.is_some();
        }
        Ok(())
    }

    fn wants_tempo(&self) -> bool {
        !self.heard && self.clock.now != self.clock.until
    }

    fn hear(&mut self, tempo: Tempo) -> Result<(), SolveError> {
        let t = self.clock.now;
        self.before.field_evaluations += self.evaluations;
        if let Some(Steady { step, rate, .. }) = self.steady {
            if tempo.rate <= rate {
                (self.h, self.heard) = (self.direction * step, true);
                return Ok(());
            }
            self.follow();
        }
        // Where nothing moves, any step will do.
        let rate = if tempo.rate > 0.0 { tempo.rate } else { 1.0 / self.clock.left().abs() };
        let change = self.direction * self.together as f64 * self.epsilon * tempo.growth / rate;
        let change = change / Real::sqrt(1.0 + (change / BOUND).square());
        self.half = 0.5 * change;
        let (own, before) = (Real::ln(rate), self.density + self.half);
        self.density = match (self.begun, self.first) {
            (false, Some(first)) => Real::ln(first) + self.half,
            (true, _) if (before - own).abs() <= LOST => before + self.half,
            _ => own + self.half,
        };
        self.h = self.direction * self.epsilon * Real::exp(-self.density);
        if !self.h.is_finite() || !change.is_finite() {
            return Err(SolveError::NotFinite { t, what: "the tempo of the motion" });
        }
        if self.h.abs() <= resolution(t) {
            return Err(SolveError::StepTooSmall { t, h: self.h });
        }
        (self.begun, self.heard) = (true, true);
        Ok(())
    }

    fn propose(&mut self) -> Result<Option<Stride>, SolveError> {
        if self.clock.now == self.clock.until {
            return Ok(None);
        }
        if !self.heard {
            return Err(SolveError::NoTempo);
        }
        let (t, until) = (self.time(self.made), self.clock.until);
        let (whole, ends) = self.whole();
        if ends && self.made >= whole {
            let h = self.clock.left() - self.made as f64 * self.h;
            return Ok(Some(Stride { t, h, end: until }));
        }
        let next = self.made + 1;
        let end = match next == self.together {
            true => self.clock.propose(next as f64 * self.h).map_or(until, |whole| whole.end),
            false => self.time(next),
        };
        Ok(Some(Stride { t, h: self.h, end }))
    }

    fn judge(
        &mut self,
        stride: &Stride,
        trial: Result<Option<f64>, StepError>,
    ) -> Result<Verdict, SolveError> {
        let Stride { t, h, end } = *stride;
        let estimate = trial.map_err(|source| SolveError::Step { t, h, source })?;
        if end == self.clock.until {
            self.clock = Clock::new((end, end));
            return Ok(Verdict::Accept);
        }
        let most = self.steady.and_then(|steady| steady.estimate);
        // One that is no number is too large.
        let fine = estimate.zip(most).is_none_or(|(estimate, most)| estimate <= most);
        if !fine {
            // Not this step: the next one is chosen by the tempo where it began.
            self.clock = Clock::new((t, self.clock.until));
            self.made = 0;
            self.follow();
            return Ok(Verdict::Reject);
        }
        self.pass(1);
        Ok(Verdict::Accept)
    }

    fn restart(&mut self, t: f64) {
        // What was cut off may have been the last step.
        let until = self.clock.until;
        self.clock = Clock::new((t, until));
        self.first = None;
        (self.begun, self.heard, self.made) = (false, self.is_watched(), 0);
    }

    fn cost(&self) -> Cost {
        self.before
    }

    fn archive(&mut self, archive: &mut Archive) {
        let Self { epsilon, clock, begun, heard, density, half, h, made, before, steady, .. } =
            self;
        clock.archive(archive);
        archive.option(steady, &Steady::default(), |archive, steady| {
            [&mut steady.step, &mut steady.rate].into_iter().for_each(|x| archive.number(x));
            archive.option(&mut steady.estimate, &0.0, |archive, most| archive.number(most));
        });
        [epsilon, density, half, h].into_iter().for_each(|x| archive.number(x));
        archive.flag(begun);
        archive.flag(heard);
        archive.bits(made);
        before.archive(archive);
        self.together = self.suited();
    }

    fn even_steps(&self) -> Option<EvenSteps> {
        if !self.heard || self.is_watched() {
            return None;
        }
        let count = self.whole().0.saturating_sub(self.made);
        (count > 0).then_some(EvenSteps {
            from: self.clock.now,
            h: self.h,
            first: self.made,
            count,
        })
    }

    fn advance_by(&mut self, steps: u64) -> Option<f64> {
        self.pass(steps);
        Some(self.time(self.made))
    }
}
