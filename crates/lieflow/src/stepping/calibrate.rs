//! How long reversible steps may be for a tolerance.
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
//! tolerance means what it means elsewhere: the error of a step, in the numbers of the state.
use super::SolveError;
use crate::method::{Cost, Method, Step, StepError};
use crate::problem::{Meter, Problem};
use lieflow_kernel::Real;

/// The safety factor, that of other adaptive steps.
const SAFETY: f64 = 0.85;
/// The first trial, unless something is known.
const FIRST: f64 = 0.2;
/// Below this length the error is the power that it should be.
const SMALL: f64 = 0.25;
/// Longer steps see too little of the motion, whatever the order.
const LONGEST: f64 = 1.0;
/// The way of a trial, and its longest.
const WAY: f64 = 4.0 * core::f64::consts::PI;
const MOST_STEPS: u32 = 100;
const MOST_TRIALS: u32 = 20;
/// Errors below this are rounding.
const ROUNDING: f64 = 1e-14;

/// What a calibration has found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// The length of a step in units of the time in which things change.
    pub epsilon: f64,
    /// What it took.
    pub cost: Cost,
    /// How often the field is evaluated for a tempo.
    pub evaluations: u64,
}

/// A method on its trial.
struct Trial<'a, P: Problem, M: ?Sized> {
    problem: &'a P,
    method: &'a mut M,
    meter: &'a mut dyn Meter<P::Point>,
    distance: &'a dyn Fn(&P::Point, &P::Point) -> f64,
    span: (f64, f64),
    order: u8,
    tempos: u64,
}

/// The length of reversible steps with which a method of this order errs by `tol` in a step.
///
/// `first` is a step to try first, and `distance` the difference of two states as one number. What a
/// method remembers is forgotten.
#[allow(clippy::too_many_arguments)]
pub fn calibrate<P: Problem, M: Method<P> + ?Sized>(
    problem: &P,
    method: &mut M,
    meter: &mut dyn Meter<P::Point>,
    distance: &dyn Fn(&P::Point, &P::Point) -> f64,
    (start, span): (&P::Point, (f64, f64)),
    order: u8,
    tol: f64,
    first: Option<f64>,
) -> Result<Calibration, SolveError> {
    let before = method.cost();
    let rate = meter.tempo(span.0, start).rate;
    let evaluations = meter.evaluations();
    let mut trial = Trial { problem, method, meter, distance, span, order, tempos: 1 };
    let wished = first.map(|h| h * rate).filter(|e| *e > 0.0);
    let mut epsilon = wished.unwrap_or(FIRST).min(LONGEST);
    let power = 1.0 / (f64::from(order) + 1.0);
    let mut found = Err(SolveError::NotFinite { t: span.0, what: "the trial of a step size" });
    // The longest that failed, and the last that was good enough.
    let (mut above, mut good) = (f64::INFINITY, None);
    for _ in 0..MOST_TRIALS {
        let error = match trial.walk(start, epsilon) {
            Ok(error) if error.is_finite() => error,
            outcome => {
                if let Err((t, h, source)) = outcome {
                    found = Err(SolveError::Step { t, h, source });
                }
                above = epsilon;
                epsilon *= 0.25;
                continue;
            }
        };
        let factor = SAFETY * Real::exp(power * Real::ln(tol / error.max(f64::MIN_POSITIVE)));
        let next = epsilon * factor;
        if error > tol {
            above = epsilon;
        } else {
            good = Some(epsilon);
        }
        // Near enough, or as long as may be; a shorter step follows from the power.
        let settled = error <= tol && (factor < 1.1 || epsilon >= LONGEST);
        let known = next < epsilon && epsilon <= SMALL && error > ROUNDING;
        if settled || known {
            found = Ok(if known { next } else { epsilon });
            break;
        }
        // Roundings know no power.
        let next = next.clamp(epsilon * 0.05, epsilon * 3.0).min(LONGEST);
        let tried = |e: f64| good.is_some_and(|good| e <= good * 1.05) || e >= above * 0.99;
        if let (Some(good), true) = (good, tried(next)) {
            found = Ok(good);
            break;
        }
        epsilon = next;
        found = Ok(good.unwrap_or(next));
    }
    let mut cost = trial.method.cost().since(&before);
    cost.field_evaluations += trial.tempos * evaluations;
    trial.method.reset();
    Ok(Calibration { epsilon: found?, cost, evaluations })
}

impl<P: Problem, M: Method<P> + ?Sized> Trial<'_, P, M> {
    /// The largest error of a step on the way.
    fn walk(&mut self, start: &P::Point, epsilon: f64) -> Result<f64, (f64, f64, StepError)> {
        let (mut t, until) = self.span;
        let (mut y, mut half, mut end, mut whole) =
            (start.clone(), start.clone(), start.clone(), start.clone());
        let scale = Real::powi(2.0, self.order.into());
        let (mut worst, mut way) = (0.0f64, 0.0);
        for k in 0..MOST_STEPS {
            let rate = self.meter.tempo(t, &y).rate;
            self.tempos += 1;
            let left = until - t;
            let mut h = (epsilon / rate).copysign(left);
            // The one step that there must be is no longer than the interval.
            if !(h.abs() <= left.abs()) {
                if k > 0 {
                    break;
                }
                h = left;
            }
            self.step(t, h, &y, &mut whole)?;
            self.step(t, 0.5 * h, &y, &mut half)?;
            self.step(t + 0.5 * h, 0.5 * h, &half, &mut end)?;
            let error = (self.distance)(&whole, &end) * scale / (scale - 1.0);
            // A distance that is no number is the worst.
            if !(error <= worst) {
                worst = error;
            }
            core::mem::swap(&mut y, &mut end);
            t += h;
            way += epsilon;
            if way > WAY || !worst.is_finite() || t == until {
                break;
            }
        }
        Ok(worst)
    }

    fn step(
        &mut self,
        t: f64,
        h: f64,
        y: &P::Point,
        out: &mut P::Point,
    ) -> Result<(), (f64, f64, StepError)> {
        self.method.reset();
        let made = self.method.step(Step::new(self.problem, t, h, y), out);
        made.map(|_| ()).map_err(|source| (t, h, source))
    }
}
