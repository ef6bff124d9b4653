//! How long steps without an error estimate may be for a tolerance.
//!
//! A method of order `p` errs by `C h^(p+1)` in a step. A trial walks along the motion with steps
//! `h = epsilon/Q(y)`, makes each of them once and again by halves, and takes from the largest
//! difference `d` what a step errs by at most, `e = d 2^p/(2^p - 1)`. Then
//!
//! ```text
//! epsilon <- 0.85 epsilon (tol/e)^(1/(p+1))
//! ```
//!
//! as often as it takes; a smaller one follows from the power alone where the trial was small enough for
//! it. The trial covers two turns of the motion (`∫Q dt = 4π`) or what there is of the interval. So a
//! tolerance means what it means elsewhere: the error of a step, in the numbers of the state. Reversible steps
//! are never so long that `Q` changes much in one: their sizes could not follow.
//!
//! Where the rate hardly changes, steps of one size are as few ([`Trial::choose`]). They are the method itself: symplectic if
//! it is, on motions of whatever symmetry, and free of tempos and of that limit. The trial is longer then, and somebody
//! watches that the motion stays as quick as it was on it ([`Steady`]).
use super::{Pace, Paced, SolveError};
use crate::method::{Cost, Method, Step, StepError};
use crate::problem::{Meter, Problem};
use lieflow_kernel::Real;

/// The safety factor, that of other adaptive steps.
const SAFETY: f64 = 0.85;
/// The first trial, unless something is known.
const FIRST: f64 = 0.1;
/// Below this length the error is the power that it should be.
const SMALL: f64 = 0.15;
/// Longer steps see too little of the motion, whatever the order.
const LONGEST: f64 = 1.0;
/// The logarithm of the rate changes by no more in a step. On Ortolan's problem, whose motion has no
/// symmetry, reversible steps follow up to 0.18.
const FOLLOWED: f64 = 0.15;
/// The way of a trial, and its longest.
const WAY: f64 = 4.0 * core::f64::consts::PI;
/// Steps of one size resolve the motion: on Ortolan's problem steps of `exs@rkn6` beyond 0.9 meet resonances, where the
/// energy wanders however small the error of a step is.
const LONGEST_STEADY: f64 = 0.5;
/// The trial of steps of one size is so many times as long, since it must see the quickest place.
const LONGER: u32 = 2;
/// A motion that is so many times as quick in places as in the mean is not tried with them.
const UNEVEN: f64 = 3.0;
/// Steps of one size may be so many times as many as those that follow the rate, whose tempos cost about a step.
const FEW_MORE: f64 = 2.0;
/// A motion that is so many times as quick as on the trial is another one.
const QUICKER: f64 = 1.5;
const MOST_STEPS: u32 = 160;
const MOST_TRIALS: u32 = 20;
/// Errors below this are rounding.
const ROUNDING: f64 = 1e-14;
/// The exponent of the pace that Kepler's problem wants.
const MOST_POWER: f64 = 1.5;
/// What is added to the kinetic energy, in units of its mean in time.
const OFFSETS: [f64; 5] = [0.1, 0.3, 1.0, 3.0, 10.0];
/// The part of the changes of the rate that a pace may leave.
const WORTH: f64 = 0.7;

/// What a calibration has found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Calibration {
    /// The length of a step in units of the time in which things change.
    pub epsilon: f64,
    /// What it took.
    pub cost: Cost,
    /// How often the field is evaluated for a tempo.
    pub evaluations: u64,
    /// Steps of one size, where they are as good.
    pub steady: Option<Steady>,
}

/// Steps of one size for a tolerance, and how far they can be trusted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steady {
    /// The size.
    pub step: f64,
    /// They are left where things change faster than this,
    pub rate: f64,
    /// or where the method estimates a larger error than this, if it estimates any.
    pub estimate: Option<f64>,
}

/// A method on trial, from a state.
pub struct Trial<'a, P: Problem, M: ?Sized> {
    /// The problem.
    pub problem: &'a P,
    /// The method; what it remembers is forgotten.
    pub method: &'a mut M,
    /// What measures the rate.
    pub meter: &'a mut dyn Meter<P::Point>,
    /// The difference of two states as one number.
    pub distance: &'a dyn Fn(&P::Point, &P::Point) -> f64,
    /// Where the motion begins.
    pub start: &'a P::Point,
    /// When it begins and ends.
    pub span: (f64, f64),
    /// The order of the method.
    pub order: u8,
    /// Whether the size of a step follows from that of the one before.
    pub follows: bool,
}

/// A step that failed.
type Failed = (f64, f64, StepError);

/// What a walk has seen.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// The length of its steps.
    epsilon: f64,
    /// The largest error of a step.
    error: f64,
    /// The largest change of the logarithm of the rate in its own time.
    change: f64,
    tempos: u64,
    /// The largest rate, the mean one in time and the largest estimate of the method.
    quickest: f64,
    mean: f64,
    estimate: Option<f64>,
}

/// How the steps of a walk are chosen: by the rate, or all alike for this rate.
type OfRate = Option<f64>;

impl<P: Problem, M: Method<P> + ?Sized> Trial<'_, P, M> {
    /// The length of steps with which the method errs by `tol` in a step; `first` is a step to try
    /// first.
    pub fn calibrate(&mut self, tol: f64, first: Option<f64>) -> Result<Calibration, SolveError> {
        self.lengths(tol, first, None).map(|(found, _)| found)
    }

    /// The same, with steps of one size where those that follow the rate are not much fewer; `power` is that of the step
    /// with which an estimate of the method grows.
    pub fn choose(
        &mut self,
        tol: f64,
        first: Option<f64>,
        power: u8,
    ) -> Result<Calibration, SolveError> {
        let (mut found, seen) = self.lengths(tol, first, None)?;
        let quickest = seen.quickest;
        let smooth = quickest > 0.0 && quickest <= UNEVEN * seen.mean;
        if !smooth {
            return Ok(found);
        }
        let Ok((even, seen)) = self.lengths(tol, first, Some(quickest)) else { return Ok(found) };
        found.cost = found.cost.plus(&even.cost);
        // Steps in a unit of time.
        let (steps, following) = (quickest / even.epsilon, seen.mean / found.epsilon);
        if steps <= FEW_MORE * following {
            let step = 1.0 / steps;
            let tried = quickest / seen.epsilon;
            let grown = Real::powi(QUICKER * step * tried, power.into());
            let estimate = seen.estimate.map(|largest| largest * grown);
            found.steady = Some(Steady { step, rate: QUICKER * seen.quickest, estimate });
        }
        Ok(found)
    }

    /// The length of steps for a tolerance, and what the last walk has seen.
    fn lengths(
        &mut self,
        tol: f64,
        first: Option<f64>,
        steady: OfRate,
    ) -> Result<(Calibration, Seen), SolveError> {
        let before = self.method.cost();
        let rate = self.meter.tempo(self.span.0, self.start).rate;
        let mut tempos = 1;
        let wished = first.map(|h| h * rate).filter(|e| *e > 0.0);
        let mut epsilon = wished.unwrap_or(FIRST).min(LONGEST);
        let power = 1.0 / (f64::from(self.order) + 1.0);
        let t = self.span.0;
        let mut found = Err(SolveError::NotFinite { t, what: "the trial of a step size" });
        // The longest that failed, and the last that was good enough.
        let (mut above, mut good) = (f64::INFINITY, None);
        let mut last = Seen::default();
        for _ in 0..MOST_TRIALS {
            let seen = match self.walk(epsilon, steady) {
                Ok(seen) if seen.error.is_finite() => seen,
                outcome => {
                    if let Err((t, h, source)) = outcome {
                        found = Err(SolveError::Step { t, h, source });
                    }
                    above = epsilon;
                    epsilon *= 0.25;
                    continue;
                }
            };
            tempos += seen.tempos;
            last = seen;
            let change = if self.follows && steady.is_none() { seen.change } else { 0.0 };
            let longest = if steady.is_some() { LONGEST_STEADY } else { LONGEST };
            let longest = longest.min(FOLLOWED / change.max(f64::MIN_POSITIVE));
            let error = seen.error.max(f64::MIN_POSITIVE);
            let next = SAFETY * epsilon * Real::exp(power * Real::ln(tol / error));
            let next = next.min(longest);
            if error > tol || epsilon > longest * 1.01 {
                above = epsilon;
            } else {
                good = Some(epsilon);
            }
            // Near enough, or as long as may be; a shorter step follows from the power.
            let near = next < 1.1 * epsilon && good == Some(epsilon);
            let known = next < epsilon && epsilon <= SMALL && error > ROUNDING;
            if near || known {
                found = Ok(if known { next } else { epsilon });
                break;
            }
            // Roundings know no power.
            let next = next.clamp(epsilon * 0.05, epsilon * 3.0).min(longest);
            let tried = |e: f64| good.is_some_and(|good| e <= good * 1.05) || e >= above * 0.99;
            if let (Some(good), true) = (good, tried(next)) {
                found = Ok(good);
                break;
            }
            epsilon = next;
            found = Ok(good.unwrap_or(next));
        }
        let evaluations = self.meter.evaluations();
        let mut cost = self.method.cost().since(&before);
        cost.field_evaluations += tempos * evaluations;
        self.method.reset();
        Ok((Calibration { epsilon: found?, cost, evaluations, steady: None }, last))
    }

    /// The pace that follows the rate of the motion best: the power of the kinetic energy, with a part of
    /// its mean added, that is nearest to `1/Q` on the way of a trial. What it takes is added to the calibration.
    pub fn fit(
        &mut self,
        paced: &dyn Paced<P::Point>,
        found: &mut Calibration,
    ) -> Result<Pace, SolveError> {
        let (before, mut tempos) = (self.method.cost(), 0);
        let mut points = Vec::new();
        let (mut t, until) = self.span;
        let (mut y, mut next) = (self.start.clone(), self.start.clone());
        for _ in 0..MOST_STEPS {
            let rate = self.meter.tempo(t, &y).rate;
            tempos += 1;
            if rate > 0.0 {
                points.push((paced.kinetic(&y), Real::ln(rate)));
            }
            let h = (FIRST / rate).copysign(until - t);
            let fits = h.abs() <= (until - t).abs();
            if !fits {
                break;
            }
            self.step(t, h, &y, &mut next).map_err(|(t, h, source)| SolveError::Step {
                t,
                h,
                source,
            })?;
            core::mem::swap(&mut y, &mut next);
            t += h;
        }
        self.method.reset();
        found.cost = found.cost.plus(&self.method.cost().since(&before));
        found.cost.field_evaluations += tempos * self.meter.evaluations();
        Ok(fitted(&points))
    }

    /// Walks along the motion with steps of this length.
    fn walk(&mut self, epsilon: f64, steady: OfRate) -> Result<Seen, Failed> {
        let (mut t, mut until) = self.span;
        if steady.is_some() {
            // Whether a run is good for steps of one size is not to depend on where it ends: it may go on later.
            until = f64::INFINITY.copysign(until - t);
        }
        let start = self.start;
        let (mut y, mut half, mut end, mut whole) =
            (start.clone(), start.clone(), start.clone(), start.clone());
        let scale = Real::powi(2.0, self.order.into());
        let (mut seen, mut way) = (Seen { epsilon, ..Seen::default() }, 0.0);
        let (way_to_go, most) = match steady {
            None => (WAY, MOST_STEPS),
            Some(_) => (f64::from(LONGER) * WAY, 2 * LONGER * MOST_STEPS),
        };
        for k in 0..most {
            let tempo = self.meter.tempo(t, &y);
            seen.tempos += 1;
            seen.change = seen.change.max((tempo.growth / tempo.rate).abs());
            seen.quickest = seen.quickest.max(tempo.rate);
            let left = until - t;
            let mut h = (epsilon / steady.unwrap_or(tempo.rate)).copysign(left);
            // The one step that there must be is no longer than the interval.
            let fits = h.abs() <= left.abs();
            if !fits {
                if k > 0 {
                    break;
                }
                h = left;
            }
            let estimate = self.step(t, h, &y, &mut whole)?;
            seen.estimate = estimate.map(|e| e.max(seen.estimate.unwrap_or(0.0)));
            self.step(t, 0.5 * h, &y, &mut half)?;
            self.step(t + 0.5 * h, 0.5 * h, &half, &mut end)?;
            let error = (self.distance)(&whole, &end) * scale / (scale - 1.0);
            // A distance that is no number is the worst.
            let smaller = error <= seen.error;
            if !smaller {
                seen.error = error;
            }
            core::mem::swap(&mut y, &mut end);
            t += h;
            way += tempo.rate * h.abs();
            seen.mean = way / (t - self.span.0).abs();
            if way > way_to_go || !seen.error.is_finite() || t == until {
                break;
            }
        }
        Ok(seen)
    }

    fn step(
        &mut self,
        t: f64,
        h: f64,
        y: &P::Point,
        out: &mut P::Point,
    ) -> Result<Option<f64>, Failed> {
        self.method.reset();
        let made = self.method.step(Step::new(self.problem, t, h, y), out);
        made.map_err(|source| (t, h, source))
    }
}

/// The pace nearest to kinetic energies and logarithms of rates, by least squares.
fn fitted(points: &[(f64, f64)]) -> Pace {
    // Points are dense where things happen fast; means in time are not.
    let time = |p: &(f64, f64)| Real::exp(-p.1);
    let whole: f64 = points.iter().map(time).sum();
    let energy = points.iter().map(|p| p.0 * time(p)).sum::<f64>() / whole;
    let rate = mean(points, |p| p.1);
    let steady = Pace { scale: Real::exp(-rate), power: 0.0, offset: 1.0 };
    if !(energy > 0.0 && energy.is_finite() && rate.is_finite()) {
        return if rate.is_finite() { steady } else { Pace { scale: 1.0, ..steady } };
    }
    let variance = mean(points, |p| (p.1 - rate).square());
    // A pace must explain a part of the changes to be worth it.
    let mut best = (WORTH * variance, steady);
    for part in OFFSETS {
        let offset = part * energy;
        let x = |p: &(f64, f64)| Real::ln(p.0 + offset);
        let middle = mean(points, x);
        let spread = mean(points, |p| (x(p) - middle).square());
        let common = mean(points, |p| (x(p) - middle) * (p.1 - rate));
        if spread > 1e-9 {
            let power = (common / spread).clamp(0.0, MOST_POWER);
            let left = mean(points, |p| (p.1 - rate - power * (x(p) - middle)).square());
            if left < best.0 {
                best = (left, Pace { scale: Real::exp(power * middle - rate), power, offset });
            }
        }
    }
    best.1
}

fn mean(points: &[(f64, f64)], of: impl Fn(&(f64, f64)) -> f64) -> f64 {
    points.iter().map(of).sum::<f64>() / points.len() as f64
}
