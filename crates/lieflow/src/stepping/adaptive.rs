//! Step sizes that keep a tolerance.
//!
//! With the estimate `e`, the power `k` with which it scales in `h` (one more than the order of the
//! comparison solution) and the safety factor `theta`:
//!
//! ```text
//! elementary    accept if e <= tol,  factor = theta (tol/e)^(1/k)
//! PI            accept if e <= tol,  factor = (tp/e)^(0.7/k) (e_prev/tp)^(0.4/k),  tp = theta^k tol,
//!               e_prev = max(e, 1e-4 tol) of the step accepted before, tp at the start
//! plain         accept if e < tol,   factor = theta (tol/e)^alpha
//! ```
//!
//! The first two clip the factor to [0.2, 5], to at most 1 right after a rejection, and answer a
//! rejection by the elementary factor clipped to [0.2, 1]. The safety factor of the PI form stands
//! inside `tp`: outside, the step would settle at `e = tol theta^(k/0.3)`, 7 % of the tolerance for
//! `k = 5`. The plain loop clips nothing: it is the algorithm of Celledoni et al., 2021, section 4,
//! with which their figures were made. For the pair 5(4) their text has `alpha = 1/5` and their
//! published code `alpha = 1/4`.
//!
//! All end with a step to the last time exactly. Elementary: Celledoni et al., 2021, equation (33);
//! PI: Gustafsson; Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.2.
//!
//! Differs from the papers in what they leave open: a step that fails, or whose estimate is not
//! finite, is rejected and a fifth of it tried; time is summed with compensation.
use super::control::{Clock, resolution};
use super::{Control, SolveError, Stride, Verdict};
use crate::archive::Archive;
use crate::method::StepError;
use lieflow_kernel::Real;

/// How the next step follows from the estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// From the last estimate alone.
    Elementary,
    /// From the last two estimates: a smoother sequence of steps.
    Pi,
    /// From the last estimate alone with a free exponent, without limits on the factor.
    Plain {
        /// The exponent `alpha`.
        exponent: f64,
    },
}

impl Rule {
    /// The rule with this name in problem files: `I` or `PI`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "I" => Some(Self::Elementary),
            "PI" => Some(Self::Pi),
            _ => None,
        }
    }
}

/// Bounds that keep a run from going on forever.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Smaller steps are an error. Steps below the resolution of time always are.
    pub min_step: f64,
    /// Larger steps are cut.
    pub max_step: f64,
    /// Trials in a row that may be rejected.
    pub max_rejections: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { min_step: 0.0, max_step: f64::INFINITY, max_rejections: 60 }
    }
}

/// Steps chosen so that the estimated local error stays below a tolerance.
#[derive(Clone, Debug)]
pub struct Adaptive {
    /// How the next step follows from the estimate.
    pub rule: Rule,
    /// The tolerance.
    pub tol: f64,
    /// The power of the step with which the estimate scales: `estimate_power` of the method's card.
    pub power: u8,
    /// The safety factor.
    pub theta: f64,
    /// Bounds of the factor between two steps, for the elementary and the PI rule.
    pub clip: (f64, f64),
    /// Bounds of the steps themselves.
    pub limits: Limits,
    clock: Clock,
    /// The step to try next, with its sign.
    h: f64,
    /// `e_prev`, once a step was accepted.
    previous: Option<f64>,
    /// Trials rejected since the last accepted step.
    rejections: u32,
}

impl Adaptive {
    /// The rule with its usual constants.
    pub fn new(rule: Rule, tol: f64, power: u8) -> Self {
        Self {
            rule,
            tol,
            power,
            theta: 0.85,
            clip: (0.2, 5.0),
            limits: Limits::default(),
            clock: Clock::default(),
            h: 0.0,
            previous: None,
            rejections: 0,
        }
    }

    /// The elementary rule.
    pub fn elementary(tol: f64, power: u8) -> Self {
        Self::new(Rule::Elementary, tol, power)
    }

    /// The PI rule.
    pub fn pi(tol: f64, power: u8) -> Self {
        Self::new(Rule::Pi, tol, power)
    }

    /// The plain loop with this exponent.
    pub fn plain(tol: f64, exponent: f64) -> Self {
        Self::new(Rule::Plain { exponent }, tol, 1)
    }

    /// The same with bounds on the steps.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    fn check(&self) -> Result<(), SolveError> {
        let setting = |ok: bool, setting, expected, value| {
            if ok { Ok(()) } else { Err(SolveError::BadSetting { setting, expected, value }) }
        };
        let positive = |x: f64| x > 0.0 && x.is_finite();
        setting(positive(self.tol), "the tolerance", "positive and finite", self.tol)?;
        setting(self.power > 0, "the power of the estimate", "at least one", self.power.into())?;
        setting(positive(self.theta), "the safety factor", "positive and finite", self.theta)?;
        let (low, high) = self.clip;
        setting(low > 0.0 && low < 1.0, "the smallest factor", "between 0 and 1", low)?;
        setting(high >= 1.0, "the largest factor", "at least 1", high)?;
        let Limits { min_step, max_step, .. } = self.limits;
        setting(min_step >= 0.0, "the smallest step", "zero or positive", min_step)?;
        setting(max_step > min_step, "the largest step", "above the smallest", max_step)?;
        if let Rule::Plain { exponent } = self.rule {
            setting(positive(exponent), "the exponent", "positive and finite", exponent)?;
        }
        Ok(())
    }

    /// The numbers whose powers make the factor after an accepted step with the estimate `e`: two for the PI rule,
    /// else the first alone.
    #[inline]
    pub fn bases(&self, e: f64) -> [f64; 2] {
        match self.rule {
            Rule::Elementary | Rule::Plain { .. } => [self.tol / e, 1.0],
            Rule::Pi => {
                let target = self.theta.powi(self.power.into()) * self.tol;
                [target / e, self.previous.unwrap_or(target) / target]
            }
        }
    }

    /// Their exponents; zero where there is no second one.
    pub fn exponents(&self) -> [f64; 2] {
        let k = f64::from(self.power);
        match self.rule {
            Rule::Elementary => [1.0 / k, 0.0],
            Rule::Plain { exponent } => [exponent, 0.0],
            Rule::Pi => [0.7 / k, 0.4 / k],
        }
    }

    /// Whether a trial with the estimate `e` is accepted.
    #[inline]
    pub fn accepts(&self, e: f64) -> bool {
        let plain = matches!(self.rule, Rule::Plain { .. });
        e.is_finite() && (e < self.tol || (e == self.tol && !plain))
    }

    /// What [`Control::judge`] does after a trial that it [accepts](Adaptive::accepts), given the
    /// [bases](Adaptive::bases) to their exponents: whoever drives several trajectories at once computes these for all
    /// of them together.
    #[inline]
    pub fn accept_with(&mut self, stride: &Stride, e: f64, [first, second]: [f64; 2]) {
        let h = stride.h;
        let factor = if self.rule == Rule::Pi { first * second } else { self.theta * first };
        let factor = match self.rule {
            Rule::Plain { .. } => factor,
            Rule::Elementary | Rule::Pi => {
                let (low, high) = self.clip;
                factor.clamp(low, if self.rejections > 0 { 1.0 } else { high })
            }
        };
        self.previous = Some(e.max(1e-4 * self.tol));
        self.rejections = 0;
        self.resize(h, factor);
        // Accuracy does not ask for a step below the limit, only a rejection does.
        self.h = self.h.abs().max(self.limits.min_step).copysign(h);
        self.clock.commit();
    }

    /// [`Control::propose`], which cannot fail here.
    #[inline]
    pub fn next_stride(&mut self) -> Option<Stride> {
        self.clock.propose(self.h)
    }

    /// `theta (tol/e)^(1/k)`, or with the exponent of the plain loop.
    fn elementary_factor(&self, e: f64) -> f64 {
        let exponent = match self.rule {
            Rule::Plain { exponent } => exponent,
            Rule::Elementary | Rule::Pi => 1.0 / f64::from(self.power),
        };
        self.theta * power(self.tol / e, exponent)
    }

    /// The bases to their exponents.
    fn powers(&self, e: f64) -> [f64; 2] {
        let ([x, y], [a, b]) = (self.bases(e), self.exponents());
        [power(x, a), if b == 0.0 { 1.0 } else { power(y, b) }]
    }

    /// `h <- factor h`, within the bounds of the step.
    #[inline]
    fn resize(&mut self, h: f64, factor: f64) {
        self.h = (h.abs() * factor).min(self.limits.max_step).copysign(h);
    }
}

/// `x^a` through our own logarithm and exponential, so that steps do not depend on the platform.
fn power(x: f64, a: f64) -> f64 {
    Real::exp(a * Real::ln(x))
}

impl Control for Adaptive {
    fn begin(&mut self, span: (f64, f64), step: f64) -> Result<(), SolveError> {
        self.check()?;
        self.clock = Clock::new(span);
        self.previous = None;
        self.rejections = 0;
        self.resize(step, 1.0);
        Ok(())
    }

    fn propose(&mut self) -> Result<Option<Stride>, SolveError> {
        Ok(self.next_stride())
    }

    fn judge(
        &mut self,
        stride: &Stride,
        trial: Result<Option<f64>, StepError>,
    ) -> Result<Verdict, SolveError> {
        let (t, h, tol) = (stride.t, stride.h, self.tol);
        let (e, failure) = match trial {
            Ok(None) => return Err(SolveError::NoEstimate),
            Ok(Some(e)) if e.is_finite() => (e, None),
            Ok(Some(e)) => (e, Some(SolveError::NotFinite { t, what: "the error estimate" })),
            Err(source) => (f64::NAN, Some(SolveError::Step { t, h, source })),
        };
        if failure.is_none() && self.accepts(e) {
            let powers = self.powers(e);
            self.accept_with(stride, e, powers);
            return Ok(Verdict::Accept);
        }
        self.rejections += 1;
        let factor = match (&failure, self.rule) {
            (Some(_), _) => self.clip.0,
            (None, Rule::Plain { .. }) => self.elementary_factor(e),
            (None, _) => self.elementary_factor(e).clamp(self.clip.0, 1.0),
        };
        self.resize(h, factor);
        let (next, rejections) = (self.h, self.rejections);
        let small = next.abs() < self.limits.min_step || next.abs() <= resolution(t);
        // What made the step fail says more than the size to which it was driven.
        match failure {
            Some(failure) if small || rejections > self.limits.max_rejections => Err(failure),
            None if small => Err(SolveError::StepTooSmall { t, h: next }),
            None if rejections > self.limits.max_rejections => {
                Err(SolveError::TooManyRejections { t, h, rejections, estimate: e, tol })
            }
            _ => Ok(Verdict::Reject),
        }
    }

    fn archive(&mut self, archive: &mut Archive) {
        let Self { clock, h, previous, rejections, .. } = self;
        clock.archive(archive);
        archive.number(h);
        archive.option(previous, &0.0, Archive::number);
        archive.small(rejections);
    }

    fn restart(&mut self, t: f64) {
        self.clock = Clock::new((t, self.clock.until));
        self.previous = None;
        self.rejections = 0;
    }
}
