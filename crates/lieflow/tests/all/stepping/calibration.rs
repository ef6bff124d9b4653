//! The length of steps for a tolerance: what is promised of it, and what it takes.
use super::support::{Scalar, rk4};
use lieflow::archive::Archive;
use lieflow::group::Rn;
use lieflow::method::rkmk::Rkmk;
use lieflow::method::{Cost, Method, Step, StepError, StepResult};
use lieflow::problem::{Meter, Problem, Tempo};
use lieflow::stepping::{Calibration, Pace, Paced, Trial};

/// A rate that is given, and how often and how late it was asked for.
struct Given {
    rate: fn(f64) -> f64,
    asked: u64,
    latest: f64,
}

fn given(rate: fn(f64) -> f64) -> Given {
    Given { rate, asked: 0, latest: 0.0 }
}

impl Meter<Rn<f64, 1>> for Given {
    fn tempo(&mut self, t: f64, _: &Rn<f64, 1>) -> Tempo {
        self.asked += 1;
        self.latest = self.latest.max(t.abs());
        Tempo { rate: (self.rate)(t), growth: 0.0 }
    }
    fn evaluations(&self) -> u64 {
        7
    }
}

fn distance(a: &Rn<f64, 1>, b: &Rn<f64, 1>) -> f64 {
    (a.0[0] - b.0[0]).abs()
}

type TrialOf<'a, M> = Trial<'a, Scalar, M>;

/// A method of order four on trial from the start until a time.
fn on_trial<M: Method<Scalar>, R>(
    problem: &Scalar,
    method: &mut M,
    meter: &mut Given,
    until: f64,
    try_it: impl FnOnce(TrialOf<'_, M>) -> R,
) -> R {
    let (distance, start, span) = (&distance, &problem.start(), (0.0, until));
    try_it(Trial { problem, method, meter, distance, start, span, order: 4, follows: false })
}

fn calibrated(p: &Scalar, method: &mut Rkmk<Scalar>, meter: &mut Given, tol: f64) -> Calibration {
    on_trial(p, method, meter, 1e4, |mut trial| trial.calibrate(tol, None).unwrap())
}

/// The error of one step, against many small ones.
fn error(p: &Scalar, t: f64, h: f64) -> f64 {
    let (mut method, y) = (rk4(), p.start());
    let (mut one, mut at, mut next) = (y, y, y);
    method.step(Step::new(p, t, h, &y), &mut one).unwrap();
    for k in 0..32 {
        let part = h / 32.0;
        method.step(Step::new(p, t + f64::from(k) * part, part, &at), &mut next).unwrap();
        at = next;
    }
    distance(&one, &at)
}

/// The worst step of two turns errs by the tolerance at most, and not by much less: the safety factor to the
/// fifth power is 0.44. Where the field depends on time alone, too.
#[test]
fn the_worst_step_errs_by_the_tolerance() {
    let fields: [fn(f64, f64) -> f64; 2] =
        [|t, _| (2.0 * t).cos(), |t, y| (t - y).sin() + 0.3 * t.cos()];
    for (f, tol) in fields.into_iter().flat_map(|f| [1e-4, 1e-7, 1e-10].map(|tol| (f, tol))) {
        let p = Scalar { start: 0.3, f };
        let mut meter = given(|_| 2.0);
        let found = calibrated(&p, &mut rk4(), &mut meter, tol);
        let h = found.epsilon / 2.0;
        let steps = (4.0 * std::f64::consts::PI / found.epsilon) as u32;
        // Along the exact motion, by steps that are far shorter.
        let (mut worst, mut y) = (0.0f64, p.start());
        for k in 0..steps.max(1) {
            let t = f64::from(k) * h;
            worst = worst.max(error(&Scalar { start: y.0[0], f }, t, h));
            let mut next = y;
            for i in 0..8 {
                let (at, part) = (t + f64::from(i) * h / 8.0, h / 8.0);
                rk4().step(Step::new(&p, at, part, &y), &mut next).unwrap();
                y = next;
            }
        }
        assert!(worst < 1.05 * tol, "{tol:e}: {worst:e}");
        assert!(worst > 0.2 * tol || found.epsilon == 1.0, "{tol:e}: {worst:e} {}", found.epsilon);
    }
}

/// Evaluations of steps and of measurements of the tempo, all of them; and two turns are all that is looked at.
#[test]
fn what_it_takes_is_counted() {
    let p = Scalar { start: 0.3, f: |t, _| (2.0 * t).cos() };
    let (mut method, mut meter) = (rk4(), given(|_| 2.0));
    let found = calibrated(&p, &mut method, &mut meter, 1e-6);
    let steps = method.cost().field_evaluations;
    assert_eq!(found.cost.field_evaluations, steps + 7 * meter.asked);
    assert_eq!(found.evaluations, 7);
    assert!(meter.latest < 4.0 * std::f64::consts::PI / 2.0 + 1.0, "{}", meter.latest);
    assert!(meter.asked > 3);
}

/// A method that remembers one thing from step to step, and errs if it is not told to forget it.
struct Remembers(Rkmk<Scalar>, bool);
impl Method<Scalar> for Remembers {
    fn step(&mut self, s: Step<'_, Scalar>, out: &mut Rn<f64, 1>) -> StepResult {
        assert!(!self.1, "a step that does not follow");
        self.1 = true;
        self.0.step(s, out)
    }
    fn reset(&mut self) {
        self.1 = false;
    }
    fn cost(&self) -> Cost {
        self.0.cost()
    }
}

#[test]
fn no_step_of_a_trial_follows_another() {
    let p = Scalar { start: 0.3, f: |t, _| t.cos() };
    let (mut method, mut meter) = (Remembers(rk4(), true), given(|_| 1.0));
    on_trial(&p, &mut method, &mut meter, 30.0, |mut trial| trial.calibrate(1e-6, None).unwrap());
    assert!(!method.1, "and the run that comes does not follow the trial");
}

/// A kinetic energy that is the state.
struct Energy;
impl Paced<Rn<f64, 1>> for Energy {
    fn kinetic(&self, y: &Rn<f64, 1>) -> f64 {
        y.0[0]
    }
    fn set_pace(&mut self, _: Pace) {}
    fn begin(&mut self, _: &Rn<f64, 1>) {}
    fn step(&mut self, _: f64, _: &Rn<f64, 1>, _: &mut Rn<f64, 1>) -> Result<f64, StepError> {
        unreachable!("nothing moves")
    }
    fn accept(&mut self) {}
    fn cost(&self) -> Cost {
        Cost::default()
    }
    fn archive(&mut self, _: &mut Archive) {}
}

/// A rate that is a power of the kinetic energy with something added is found again: the pace times the rate is
/// the same everywhere. Energies at or below zero are no obstacle.
#[test]
fn a_pace_that_fits_is_found() {
    // K = 1 + a sin t, from its derivative; its mean is near to one.
    for (swing, offset, power) in [(0.9, 0.3, 1.0), (1.0, 0.1, 0.75), (0.6, 1.0, 1.5)] {
        let f: fn(f64, f64) -> f64 = match swing {
            0.9 => |t, _| 0.9 * t.cos(),
            1.0 => |t, _| t.cos(),
            _ => |t, _| 0.6 * t.cos(),
        };
        let rate: fn(f64) -> f64 = match swing {
            0.9 => |t| 1.0 + 0.9 * t.sin() + 0.3,
            1.0 => |t| (1.0 + t.sin() + 0.1f64).powf(0.75),
            _ => |t| (1.0 + 0.6 * t.sin() + 1.0f64).powf(1.5),
        };
        let p = Scalar { start: 1.0, f };
        let (mut method, mut meter) = (rk4(), given(rate));
        let mut found = Calibration::default();
        let fit = |mut trial: TrialOf<'_, _>| trial.fit(&Energy, &mut found).unwrap();
        let pace = on_trial(&p, &mut method, &mut meter, 50.0, fit);
        assert_eq!(found.cost.field_evaluations, method.cost().field_evaluations + 7 * meter.asked);
        // The offset is a multiple of the mean in time, which a trial sees part of.
        assert!((pace.power - power).abs() < 0.1 * power, "{pace:?} {offset} {power}");
        let product = |t: f64| rate(t) * pace.at(1.0 + swing * t.sin()).unwrap();
        let all: Vec<f64> = (0..60).map(|k| product(0.1 * f64::from(k))).collect();
        let (low, high) =
            (all.iter().copied().fold(f64::MAX, f64::min), all.iter().copied().fold(0.0, f64::max));
        assert!(high / low < 1.15, "{swing}: {low} to {high}, {pace:?}");
        assert!(low < 1.0 && high > 0.9, "{swing}: {low} to {high}");
    }
}
