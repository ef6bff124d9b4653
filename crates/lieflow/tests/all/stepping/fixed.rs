//! Fixed steps, times, errors, observers and corrections.
use super::support::{Body, Scalar, Scripted, body, rk4};
use crate::common::{self, Listed};
use lieflow::action::BodyState;
use lieflow::chart::Chart;
use lieflow::group::{LieGroup, Rn, Se3, So3};
use lieflow::kernel::{Mat3, Vec3};
use lieflow::method::rkmk::Rkmk;
use lieflow::method::{Cost, Method, Options, Step, StepError, StepResult, generator};
use lieflow::problem::{Generator, Problem, Watched};
use lieflow::stepping::{
    Adaptive, Control, Ending, Every, Fixed, Line, Passage, Polar, Progress, Rotations, Run,
    SolveError, Tee, Trajectory, Watch, integrate, polar,
};
use lieflow::{action::Multiply, tableau, vec3};
use std::ops::ControlFlow;

/// Times and steps of a fixed run.
fn grid(span: (f64, f64), step: f64) -> (Vec<f64>, Vec<(f64, f64)>) {
    let mut method = Scripted::always(Ok(None));
    let mut times = Vec::new();
    let mut note = |t: f64, _: &Vec3<f64>| times.push(t);
    integrate(&body(), &mut method, &mut Fixed::new(), span, step, &mut note).unwrap();
    (times, method.asked)
}

#[test]
fn a_step_that_divides_the_interval_gives_equal_steps() {
    let (times, asked) = grid((0.3, 1.0), 0.1);
    assert_eq!(asked.len(), 7);
    assert!(asked.iter().all(|(_, h)| *h == (1.0 - 0.3) / 7.0));
    for (k, t) in times.iter().enumerate().take(7) {
        assert_eq!(*t, 0.3 + k as f64 * ((1.0 - 0.3) / 7.0));
    }
    assert_eq!(times[7], 1.0);
}

#[test]
fn a_step_that_does_not_divide_keeps_its_size_and_ends_with_a_shorter_one() {
    let (times, asked) = grid((0.0, 1.0), 0.3);
    assert_eq!(times, [0.0, 0.3, 2.0 * 0.3, 3.0 * 0.3, 1.0]);
    let steps: Vec<f64> = asked.iter().map(|(_, h)| *h).collect();
    assert_eq!(steps, [0.3, 0.3, 0.3, 1.0 - 3.0 * 0.3]);
    // Longer than the interval: one step.
    assert_eq!(grid((0.0, 1.0), 7.0).1, [(0.0, 1.0)]);
    // Nothing to do.
    assert_eq!(grid((2.0, 2.0), 0.1), (vec![2.0], vec![]));
}

#[test]
fn time_does_not_accumulate_and_ends_exactly() {
    for (span, step, count) in [
        ((0.0, 1000.0), 0.1, 10000),
        ((-3.0, 7.0), 1e-3, 10000),
        ((0.1, 0.2), 1e-4, 1000),
        ((5.0, -5.0), -0.01, 1000),
    ] {
        let (times, asked) = grid(span, step);
        assert_eq!(asked.len(), count);
        assert_eq!(*times.last().unwrap(), span.1);
        let k = count / 2;
        assert_eq!(times[k], span.0 + k as f64 * ((span.1 - span.0) / count as f64));
    }
}

#[test]
fn bad_input_is_named() {
    let p = body();
    let run =
        |span, step| integrate(&p, &mut rk4(), &mut Fixed::new(), span, step, &mut ()).unwrap_err();
    for step in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.1] {
        let failure = run((0.0, 1.0), step);
        assert!(matches!(failure.error, SolveError::BadStep { .. }), "{failure}");
        assert_eq!(failure.partial.state, p.start());
        assert_eq!((failure.partial.t, failure.partial.steps), (0.0, 0));
    }
    assert!(matches!(run((1.0, 0.0), 0.1).error, SolveError::BadStep { .. }));
    for span in [(f64::NAN, 1.0), (0.0, f64::INFINITY), (-1e308, 1e308)] {
        assert!(matches!(run(span, 0.1).error, SolveError::BadSpan { .. }));
    }
    // Observers see nothing of a run that cannot begin.
    let mut kept = Trajectory::every(1);
    integrate(&p, &mut rk4(), &mut Fixed::new(), (0.0, 1.0), 0.0, &mut kept).unwrap_err();
    assert!(kept.times.is_empty());
    assert!(matches!(run((0.0, 1.0), 1e-300).error, SolveError::StepTooSmall { .. }));
    assert!(matches!(run((1e9, 1e9 + 1.0), 1e-8).error, SolveError::StepTooSmall { .. }));
    // Far from zero at one end is enough.
    let begun = Fixed::new().begin((-1e9, 0.0), 5e-7);
    assert!(matches!(begun, Err(SolveError::StepTooSmall { .. })), "{begun:?}");
    let message = run((0.0, 1.0), -0.1).to_string();
    assert!(message.contains("-0.1") && message.contains("from t = 0 towards 1"), "{message}");
}

#[test]
fn a_failed_run_returns_what_it_had() {
    let p = body();
    let failed = StepError::NotConverged { equation: "a", iterations: 9, residual: 1.0, step: 0.1 };
    let mut method = Scripted::new(vec![Ok(None), Ok(None), Ok(None), Err(failed.clone())]);
    let mut kept = Trajectory::every(1);
    let failure =
        integrate(&p, &mut method, &mut Fixed::new(), (0.0, 1.0), 0.1, &mut kept).unwrap_err();
    assert!(
        matches!(&failure.error, SolveError::Step { t, source, .. } if *t == 3.0 * 0.1 && *source == failed)
    );
    assert_eq!(failure.partial.steps, 3);
    assert_eq!(failure.partial.t, 3.0 * 0.1);
    assert_eq!(failure.partial.cost.field_evaluations, 4);
    assert_eq!(kept.times, [0.0, 0.1, 0.2, 3.0 * 0.1]);
    // The cause is reachable.
    assert!(std::error::Error::source(&failure).is_some());

    let few =
        Run::new(&p, (0.0, 1.0), 0.1).max_steps(4).drive(&mut rk4(), &mut Fixed::new(), &mut ());
    let few = few.unwrap_err();
    assert_eq!(few.error, SolveError::TooManySteps { t: 0.4, steps: 4 });
}

/// A method that does not look at its numbers: each step multiplies by 1e100.
struct Careless;
impl Method<Scalar> for Careless {
    fn step(&mut self, s: Step<'_, Scalar>, out: &mut Rn<f64, 1>) -> StepResult {
        *out = Rn([s.y.0[0] * 1e100]);
        Ok(Some(1e-9))
    }
    fn cost(&self) -> Cost {
        Cost::default()
    }
}

#[test]
fn a_number_that_is_not_finite_is_not_accepted() {
    // y' = y^2 blows up at t = 1: the method notices.
    let p = Scalar { start: 1.0, f: |_, y| y * y };
    let failure = integrate(&p, &mut rk4(), &mut Fixed::new(), (0.0, 4.0), 0.25, &mut ());
    let failure = failure.unwrap_err();
    assert!(matches!(failure.error, SolveError::Step { t, .. } if t == failure.partial.t));
    assert!(failure.partial.t >= 1.0 && failure.partial.state.0[0].is_finite());
    // Where the method does not, the guard of a run does, for every control.
    let source = StepError::NotFinite { what: "the step" };
    let run = || Run::new(&p, (0.0, 4.0), 0.25).guarded();
    let failure = run().drive(&mut Careless, &mut Fixed::new(), &mut ()).unwrap_err();
    assert_eq!(failure.error, SolveError::Step { t: 0.75, h: 0.25, source: source.clone() });
    assert_eq!((failure.partial.steps, failure.partial.state.0[0]), (3, 1e300));
    let failure = run().drive(&mut Careless, &mut Adaptive::pi(1e-6, 5), &mut ()).unwrap_err();
    assert!(matches!(failure.error, SolveError::Step { source: s, .. } if s == source));
    assert_eq!(failure.partial.state.0[0], 1e300);
    // And the watch.
    let mut watch = Watch::new(&p);
    let seen = integrate(&p, &mut Careless, &mut Fixed::new(), (0.0, 4.0), 0.25, &mut watch);
    assert!(matches!(seen.unwrap_err().error, SolveError::NotFinite { t: 1.0, .. }));
    assert_eq!(watch.get("value").unwrap().last, 1e300);
}

#[test]
fn closures_observe_and_may_stop() {
    let p = body();
    let mut count = 0;
    let mut look = |t: f64, m: &Vec3<f64>| {
        count += 1;
        assert!((m.norm() - 1.0).abs() < 1e-14);
        if t >= 0.5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let end = integrate(&p, &mut rk4(), &mut Fixed::new(), (0.0, 1.0), 0.125, &mut look).unwrap();
    assert_eq!((end.t, end.steps, end.ending), (0.5, 4, Ending::Observer));
    assert_eq!(count, 5);
    // Errors of a closure end the run as well.
    let mut refuse = |t: f64, _: &Vec3<f64>| {
        if t > 0.2 {
            Err(SolveError::NotFinite { t, what: "my test" })
        } else {
            Ok(ControlFlow::Continue(()))
        }
    };
    let end = integrate(&p, &mut rk4(), &mut Fixed::new(), (0.0, 1.0), 0.25, &mut refuse);
    let end = end.unwrap_err();
    assert_eq!(end.to_string(), "at t = 0.25: my test is not finite");
    assert_eq!(end.partial.t, 0.25);
}

#[test]
fn observers_combine_and_do_not_disturb() {
    let p = body();
    let alone = integrate(&p, &mut rk4(), &mut Fixed::new(), (0.0, 3.0), 0.1, &mut ()).unwrap();
    let mut all = Trajectory::every(1);
    let mut some = Trajectory::every(7);
    let mut watch = Watch::new(&p);
    let mut dense = Trajectory::at([0.05, 1.234, 2.999]);
    let mut reports = Vec::new();
    let mut progress = Progress::new(10, |fraction, t| reports.push((fraction, t)));
    let mut last = Every::new(1000, Watch::new(&p));
    let mut tee = Tee(vec![&mut progress, &mut last]);
    let mut group = (&mut all, &mut some, &mut watch, &mut dense);
    let seen =
        integrate(&p, &mut rk4(), &mut Fixed::new(), (0.0, 3.0), 0.1, &mut (&mut group, &mut tee))
            .unwrap();
    assert_eq!(seen.state, alone.state);
    assert_eq!(all.times.len(), 31);
    assert_eq!(some.times, [0.0, 0.7, 1.4, 2.1, 2.8, 3.0].map(|t: f64| (t * 10.0).round() * 0.1));
    assert_eq!(some.values[5], seen.state);
    assert_eq!(dense.times, [0.05, 1.234, 2.999]);
    assert!(dense.values.iter().all(|m| (m.norm() - 1.0).abs() < 1e-15));
    // A watch behind `Every` still knows the end.
    let energy = last.inner.get("energy").unwrap();
    assert_eq!(energy.last, watch.get("energy").unwrap().last);
    assert_eq!(energy.line.count(), 1);
    assert_eq!(reports.len(), 11);
    assert_eq!((reports[0], reports[10]), ((0.0, 0.0), (1.0, 3.0)));
}

#[test]
fn a_watch_reports_extremes_of_every_step() {
    let p = body();
    let energy = &p.invariants()[0];
    let mut values = Vec::new();
    let mut note = |t: f64, m: &Vec3<f64>| values.push((t, (energy.eval)(&p, m)));
    let mut watch = Watch::new(&p);
    let mut method = Rkmk::new(&tableau::RK4, Chart::Exp);
    integrate(&p, &mut method, &mut Fixed::new(), (0.0, 200.0), 0.5, &mut (&mut note, &mut watch))
        .unwrap();
    let seen = watch.get("energy").unwrap();
    let initial = values[0].1;
    assert_eq!(seen.initial, initial);
    assert_eq!(seen.last, values.last().unwrap().1);
    assert_eq!(seen.min, values.iter().map(|v| v.1).fold(f64::MAX, f64::min));
    assert_eq!(seen.max, values.iter().map(|v| v.1).fold(f64::MIN, f64::max));
    let worst = values.iter().map(|v| (v.1 - initial).abs()).fold(0.0, f64::max);
    assert_eq!(seen.max_error, worst);
    // Two passes over the same points, the initial one left out.
    let points = &values[1..];
    let n = points.len() as f64;
    let (t, v) = points.iter().fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + (p.1 - initial)));
    let (t, v) = (t / n, v / n);
    let stt: f64 = points.iter().map(|p| (p.0 - t).powi(2)).sum();
    let stv: f64 = points.iter().map(|p| (p.0 - t) * (p.1 - initial - v)).sum();
    let slope = stv / stt;
    assert!((seen.slope() - slope).abs() < 1e-13 * slope.abs(), "{} {slope}", seen.slope());
    let rss: f64 = points.iter().map(|p| (p.1 - initial - v - slope * (p.0 - t)).powi(2)).sum();
    let error = (rss / ((n - 2.0) * stt)).sqrt();
    assert!((seen.standard_error() - error).abs() < 1e-11 * error);
    assert!(watch.manifold_error > 0.0 && watch.manifold_error < 1e-13);
}

#[test]
fn a_watch_lets_states_leave_the_manifold_unless_it_is_strict() {
    let p = Body { start: body().start * 1.1, ..body() };
    let run = |watch: &mut Watch<Body>| {
        integrate(&p, &mut rk4(), &mut Fixed::new(), (0.0, 1.0), 0.1, watch)
    };
    let mut watch = Watch::new(&p);
    run(&mut watch).unwrap();
    assert!((watch.manifold_error - 0.1).abs() < 1e-12, "{}", watch.manifold_error);
    assert_eq!(watch.off_manifold(), None);
    let mut watch = Watch::new(&p).strict();
    let failure = run(&mut watch).unwrap_err();
    assert!(matches!(failure.error, SolveError::OffManifold { t: 0.0, .. }), "{failure}");
    assert_eq!(watch.off_manifold(), Some(&failure.error));
}

#[test]
fn a_line_keeps_its_digits_through_a_million_points() {
    // A slope of 1e-9 under a wave of 1e-3, at times far from zero.
    let mut line = Line::new();
    for k in 0..1_000_000_u32 {
        let t = 1e6 + 0.01 * f64::from(k);
        line.push(t, 1e-9 * (t - 1e6) + if k % 2 == 0 { 1e-3 } else { -1e-3 });
    }
    // The alternating wave moves the slope by 1e-3 * 3/(n^2 h) at most.
    assert!((line.slope() - 1e-9).abs() < 1e-12, "{:e}", line.slope());
    // White residuals of 1e-3: sigma/sqrt(stt), stt = n^3 h^2/12.
    let expected = 1e-3 / (1e18_f64 * 1e-4 / 12.0).sqrt();
    assert!((line.standard_error() / expected - 1.0).abs() < 1e-5);
    // On an exact line nothing is left over.
    let mut line = Line::new();
    for k in 0..1000 {
        line.push(f64::from(k), 3.0 - 0.25 * f64::from(k));
    }
    assert_eq!(line.slope(), -0.25);
    assert!(line.standard_error() < 1e-17);
    assert!((line.value(10.0) - 0.5).abs() < 1e-12);
}

#[test]
fn a_line_through_points_of_one_time_is_level() {
    let mut line = Line::new();
    for v in [1.0, 2.0, 6.0] {
        line.push(0.5, v);
    }
    assert_eq!((line.slope(), line.standard_error(), line.value(7.0)), (0.0, 0.0, 3.0));
}

#[test]
fn dense_times_are_kept_in_the_order_of_the_run() {
    let p = body();
    let times = [0.75, 0.0, 0.5, 9.0, -1.0, 1.0, 0.31];
    let mut forward = Trajectory::at(times);
    integrate(&p, &mut rk4(), &mut Fixed::new(), (0.0, 1.0), 0.25, &mut forward).unwrap();
    assert_eq!(forward.times, [0.0, 0.31, 0.5, 0.75, 1.0]);
    let start = forward.values[4];
    let mut backward = Trajectory::at(times);
    Run::new(&p, (1.0, 0.0), -0.25)
        .from(start)
        .drive(&mut rk4(), &mut Fixed::new(), &mut backward)
        .unwrap();
    assert_eq!(backward.times, [1.0, 0.75, 0.5, 0.31, 0.0]);
    // What is kept may be any function of the state.
    let mut lengths = Trajectory::at(times).keeping(|_, t, m: &Vec3<f64>| m.norm() + t);
    integrate(&p, &mut rk4(), &mut Fixed::new(), (0.0, 1.0), 0.25, &mut lengths).unwrap();
    assert!(lengths.iter().all(|(t, l)| (l - 1.0 - t).abs() < 1e-15));
    let bad = integrate(
        &p,
        &mut rk4(),
        &mut Fixed::new(),
        (0.0, 1.0),
        0.25,
        &mut Trajectory::at([f64::NAN]),
    );
    assert!(matches!(bad.unwrap_err().error, SolveError::NotFinite { .. }));
}

#[test]
fn a_time_outside_the_step_is_refused() {
    struct Ask;
    impl lieflow::stepping::Observer<Body> for Ask {
        fn see(&mut self, passage: &mut Passage<'_, Body>) -> lieflow::stepping::ObserverResult {
            let mut out = *passage.end;
            passage.at(passage.from, &mut out)?;
            assert_eq!(out, *passage.start);
            passage.at(passage.to + 0.1, &mut out)?;
            Ok(ControlFlow::Continue(()))
        }
    }
    let end = integrate(&body(), &mut rk4(), &mut Fixed::new(), (0.0, 1.0), 0.5, &mut Ask);
    let error = end.unwrap_err().error;
    assert_eq!(error, SolveError::OutsideStep { t: 0.6, from: 0.0, to: 0.5 });
}

/// A rotation driven by a constant field, which makes rounding errors systematic.
struct Wheel;
impl Problem for Wheel {
    type Point = So3<f64>;
    fn start(&self) -> So3<f64> {
        So3::unit()
    }
}
impl Generator for Wheel {
    type Space = Multiply<So3<f64>>;
    fn field(&self, _: f64, _: &So3<f64>) -> Vec3<f64> {
        vec3(0.3, -1.1, 0.7)
    }
}

/// The identity, too large by a factor.
fn bent(by: f64) -> Mat3<f64> {
    Mat3::identity() * (1.0 + by)
}

#[test]
fn polar_correction_is_counted_and_keeps_rotations() {
    let plain = integrate(&Wheel, &mut rk4(), &mut Fixed::new(), (0.0, 4000.0), 0.1, &mut ());
    let plain = plain.unwrap();
    assert_eq!(plain.corrections, 0);
    let before = plain.state.matrix.orthogonality_error();
    assert!(before > 1e-14, "{before:e}");
    let mut correction = Polar::every(10);
    let run = Run::new(&Wheel, (0.0, 4000.0), 0.1).correct(&mut correction);
    let corrected = run.drive(&mut rk4(), &mut Fixed::new(), &mut ()).unwrap();
    assert_eq!((corrected.steps, corrected.corrections), (40000, 4000));
    let after = corrected.state.matrix.orthogonality_error();
    assert!(after < 1e-15, "{after:e}");
    let exact = So3::exp(&(vec3(0.3, -1.1, 0.7) * 4000.0)).matrix;
    assert!((corrected.state.matrix - exact).norm_squared().sqrt() < 1e-10);
    // Products are corrected part by part; vectors have nothing to correct.
    let rotation = bent(1e-7);
    let mut parts = (
        [So3 { matrix: rotation }; 2],
        vec![(
            Se3 { rotation, position: vec3(1.0, 2.0, 3.0) },
            BodyState::new(rotation, vec3(4.0, 5.0, 6.0)),
        )],
    );
    parts.restore();
    let ([a, b], rest) = parts;
    let (motion, body) = rest[0];
    for r in [a.matrix, b.matrix, motion.rotation, body.rotation] {
        assert!(r.orthogonality_error() < 1e-13);
    }
    assert_eq!((motion.position, body.momentum), (vec3(1.0, 2.0, 3.0), vec3(4.0, 5.0, 6.0)));
    // Quadratic convergence: 3/4 e^2, in the direction of the error.
    let ratio = polar(&bent(1e-5)).orthogonality_error() / bent(1e-5).orthogonality_error().powi(2);
    assert!((ratio - 0.75 / 3.0_f64.sqrt()).abs() < 1e-3, "{ratio}");
}

#[test]
fn a_closure_may_correct() {
    let p = body();
    let mut count = 0;
    let mut normalise = |_: &Body, _: f64, m: &mut Vec3<f64>| {
        count += 1;
        let off = (m.norm() - 1.0).abs() > 1e-16;
        if off {
            *m = m.times(1.0 / m.norm());
        }
        off
    };
    let run = Run::new(&p, (0.0, 100.0), 0.1).correct(&mut normalise);
    let end = run.drive(&mut rk4(), &mut Fixed::new(), &mut ()).unwrap();
    assert!(end.corrections > 0 && end.corrections < 1000);
    assert_eq!(count, 1000);
}

#[test]
fn backwards_returns_to_the_start_to_the_accuracy_of_the_method() {
    let p = body();
    let back = |h: f64| {
        let run = |start, span, h| {
            Run::new(&p, span, h).from(start).drive(&mut rk4(), &mut Fixed::new(), &mut ())
        };
        let there = run(p.start(), (0.0, 4.0), h).unwrap();
        let again = run(there.state, (4.0, 0.0), -h).unwrap();
        assert_eq!(again.t, 0.0);
        (again.state - p.start()).norm()
    };
    let (coarse, fine) = (back(0.1), back(0.05));
    // The errors of the two ways cancel to one order more: h^5.
    assert!(fine < 1e-5 && coarse / fine > 24.0 && coarse / fine < 40.0, "{coarse:e} {fine:e}");
}

#[test]
fn symmetric_methods_return_to_the_start_to_rounding() {
    let data = common::reference();
    let p = common::kirchhoff(&common::input(&data, "kirchhoff"));
    let entries = generator::entries_lifted();
    let mut symmetric = Vec::new();
    for entry in &entries {
        let mut method = (entry.make)(&p, &Options::default()).unwrap();
        let mut run = |start, span, h| {
            Run::new(&p, span, h)
                .from(start)
                .drive(method.as_mut(), &mut Fixed::new(), &mut ())
                .unwrap()
                .state
        };
        let there = run(p.start(), (0.0, 10.0), 0.2);
        let back = run(there, (10.0, 0.0), -0.2);
        let error = common::distance(&back.list(), &p.start().list());
        println!("{}: {error:e}", entry.card.id);
        if entry.card.symmetric {
            symmetric.push(entry.card.id);
            assert!(error < 1e-13, "{}: {error:e}", entry.card.id);
        } else {
            assert!(error > 1e-12, "{} is symmetric without saying so", entry.card.id);
        }
    }
    symmetric.sort_unstable();
    assert_eq!(symmetric, ["gl4-sym", "rkmk-gl2"]);
}

#[test]
fn the_driver_takes_erased_methods_and_counts_only_its_own_run() {
    let p = body();
    let mut method: Box<dyn Method<Body>> = Box::new(rk4());
    for _ in 0..2 {
        let end =
            integrate(&p, method.as_mut(), &mut Fixed::new(), (0.0, 1.0), 0.1, &mut ()).unwrap();
        assert_eq!(end.cost.field_evaluations, 40);
        assert_eq!(end.cost.exponentials, 40);
    }
}

#[test]
fn a_tolerance_needs_an_estimate() {
    let end = integrate(&body(), &mut rk4(), &mut Adaptive::pi(1e-6, 5), (0.0, 1.0), 0.1, &mut ());
    let failure = end.unwrap_err();
    assert_eq!(failure.error, SolveError::NoEstimate);
    assert!(failure.to_string().contains("no error estimate"));
}

#[test]
fn a_run_may_start_anywhere() {
    let p = Scalar { start: 0.0, f: |t, _| 2.0 * t };
    let run = Run::new(&p, (1.0, 3.0), 0.5).from(Rn([10.0]));
    let end = run.drive(&mut rk4(), &mut Fixed::new(), &mut ()).unwrap();
    assert!((end.state.0[0] - 18.0).abs() < 1e-14);
}
