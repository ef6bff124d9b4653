//! Step-size control: the rules by themselves, and whole runs against the reference data.
use super::support::{Body, Scalar, Scripted, body};
use crate::common::{self, Listed};
use lieflow::Real;
use lieflow::kernel::DoubleDouble;
use lieflow::method::{Options, StepError, generator};
use lieflow::problem::{Lift, Problem};
use lieflow::stepping::{
    Adaptive, Control, Ending, Event, Limits, Rule, Run, SolveError, Trajectory, Verdict, Watch,
    integrate,
};
use serde_json::Value;

/// The steps that a control tries when the method replies with these estimates.
fn tried(control: &mut Adaptive, estimates: &[f64], span: (f64, f64), h: f64) -> Vec<f64> {
    let mut method = Scripted::new(estimates.iter().map(|e| Ok(Some(*e))).collect());
    let p = body();
    let run = Run::new(&p, span, h).max_steps(estimates.len() as u64);
    let _ = run.drive(&mut method, control, &mut ());
    method.asked.iter().map(|(_, h)| *h).take(estimates.len()).collect()
}

fn assert_close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    assert!(a.iter().zip(b).all(|(a, b)| (a / b - 1.0).abs() < 1e-14), "{a:?} {b:?}");
}

const FAR: (f64, f64) = (0.0, 1e9);

#[test]
fn the_elementary_rule() {
    let tol = 1e-6;
    for k in [3_u8, 4, 5] {
        let factor = |e: f64| 0.85 * (tol / e).powf(1.0 / f64::from(k));
        // Accepted, rejected (the factor is below one), accepted with growth held back, accepted.
        let e = [4e-7, 3e-6, 1e-7, 2e-7, 0.0];
        let mut h = vec![0.1];
        h.push(h[0] * factor(e[0]));
        h.push(h[1] * factor(e[1]));
        h.push(h[2] * 1.0);
        h.push(h[3] * factor(e[3]));
        let steps = tried(&mut Adaptive::elementary(tol, k), &e, FAR, 0.1);
        assert_close(&steps, &h);
        assert_close(&tried(&mut Adaptive::elementary(tol, k), &[0.0, 1.0], FAR, 0.1), &[0.1, 0.5]);
        // Huge errors shrink by a fifth at most.
        let shrunk = tried(&mut Adaptive::elementary(tol, k), &[1e9, 1e9, 0.0], FAR, 1.0);
        assert_close(&shrunk[..3], &[1.0, 0.2, 0.04]);
        // The tolerance itself is accepted, with the safety factor.
        assert_close(
            &tried(&mut Adaptive::elementary(tol, k), &[tol, tol], FAR, 1.0),
            &[1.0, 0.85],
        );
    }
}

#[test]
fn the_pi_rule() {
    let (tol, k) = (1e-7, 5.0_f64);
    let tp = 0.85_f64.powf(k) * tol;
    let factor = |e: f64, previous: f64| (tp / e).powf(0.7 / k) * (previous / tp).powf(0.4 / k);
    let e = [3e-8, 8e-8, 2e-7, 5e-8, 0.0, 3e-8, 9e-8];
    let mut h = vec![0.3];
    h.push(h[0] * factor(e[0], tp));
    h.push(h[1] * factor(e[1], e[0]));
    // Rejected by the elementary factor; the memory stays.
    h.push(h[2] * 0.85 * (tol / e[2]).powf(1.0 / k));
    h.push(h[3] * factor(e[3], e[1]).min(1.0));
    h.push(h[4] * 5.0);
    // An error of zero is remembered as 1e-4 tol.
    h.push(h[5] * factor(e[5], 1e-4 * tol));
    assert_close(&tried(&mut Adaptive::pi(tol, 5), &e, FAR, 0.3), &h);
    // It settles where the error is theta^k tol.
    assert_close(&tried(&mut Adaptive::pi(tol, 5), &[tp, tp, tp], FAR, 0.3), &[0.3; 3]);
}

#[test]
fn the_plain_loop() {
    let tol = 1e-6;
    let factor = |e: f64| 0.85 * (tol / e).powf(0.25);
    let e = [1e-20, tol, 1e3, 5e-7, 4e-7];
    let mut h = vec![1e-3];
    for (i, e) in e[..4].iter().enumerate() {
        h.push(h[i] * factor(*e));
    }
    // Nothing is clipped, and an error equal to the tolerance is rejected.
    let mut control = Adaptive::plain(tol, 0.25);
    assert_close(&tried(&mut control, &e, FAR, 1e-3), &h);
    assert!(h[1] > 1e3 * h[0] * 0.85 && h[3] < 0.01 * h[2]);
    let rejected = |control: &mut Adaptive| {
        let mut method = Scripted::new(vec![Ok(Some(tol)), Ok(Some(0.0))]);
        integrate(&body(), &mut method, control, (0.0, 1.0), 0.1, &mut ()).unwrap().rejected
    };
    assert_eq!(rejected(&mut control), 1);
    assert_eq!(rejected(&mut Adaptive::elementary(tol, 4)), 0);
    assert_close(&tried(&mut Adaptive::plain(tol, 0.2), &[0.0, 1.0], (0.0, 8.0), 2.0), &[2.0, 6.0]);
}

#[test]
fn rules_have_names() {
    assert_eq!(Rule::named("I"), Some(Rule::Elementary));
    assert_eq!(Rule::named("PI"), Some(Rule::Pi));
    assert_eq!(Rule::named("pid"), None);
}

#[test]
fn an_estimate_that_is_not_finite_shrinks_the_step_and_then_fails() {
    let p = body();
    for bad in [f64::NAN, f64::INFINITY] {
        for mut control in [Adaptive::elementary(1e-6, 5), Adaptive::plain(1e-6, 0.25)] {
            // One bad reply is survived.
            let mut method = Scripted::new(vec![Ok(Some(bad)), Ok(Some(1e-7))]);
            let end = integrate(&p, &mut method, &mut control, (0.0, 1.0), 0.5, &mut ()).unwrap();
            assert_eq!(end.rejected, 1);
            assert_eq!(method.asked[1], (0.0, 0.1));
            let mut method = Scripted::new(vec![Ok(Some(1e-7)), Ok(Some(bad))]);
            let end = integrate(&p, &mut method, &mut control, (0.0, 9.0), 0.5, &mut ());
            let failure = end.unwrap_err();
            assert_eq!(failure.error, SolveError::NotFinite { t: 0.5, what: "the error estimate" });
            assert_eq!((failure.partial.steps, failure.partial.t), (1, 0.5));
        }
    }
}

#[test]
fn a_step_that_fails_is_tried_smaller_before_the_run_fails() {
    let p = body();
    let failed = StepError::NoSolution { reason: "too long", step: 0.5 };
    let mut method = Scripted::new(vec![Err(failed.clone()), Err(failed.clone()), Ok(Some(1e-9))]);
    let mut control = Adaptive::pi(1e-6, 3);
    let end = integrate(&p, &mut method, &mut control, (0.0, 1.0), 0.5, &mut ()).unwrap();
    assert_eq!(end.rejected, 2);
    let mut method = Scripted::always(Err(failed.clone()));
    let failure = integrate(&p, &mut method, &mut control, (0.0, 1.0), 0.5, &mut ()).unwrap_err();
    assert!(matches!(failure.error, SolveError::Step { source, .. } if source == failed));
}

#[test]
fn limits_are_kept() {
    let p = body();
    let limits = Limits { min_step: 1e-3, max_step: 0.25, max_rejections: 5 };
    let mut control = Adaptive::elementary(1e-6, 5).with_limits(limits);
    // Growth stops at the largest step, also for the first one.
    assert_close(&tried(&mut control, &[0.0, 0.0, 0.0], FAR, 7.0), &[0.25; 3]);
    // Below the smallest step the run fails, and says where.
    let mut method = Scripted::new(vec![Ok(Some(0.0)), Ok(Some(1.0))]);
    let end = integrate(&p, &mut method, &mut control, (0.0, 1.0), 0.1, &mut ()).unwrap_err();
    assert!(matches!(end.error, SolveError::StepTooSmall { t: 0.1, h } if h < 1e-3), "{end}");
    // An accepted step does not ask for less than the smallest.
    assert_close(&tried(&mut control, &[1e-6, 1e-6], FAR, 1.05e-3), &[1.05e-3, 1e-3]);
    // Rejections in a row.
    let mut control = Adaptive::elementary(1e-6, 5)
        .with_limits(Limits { max_rejections: 5, ..Limits::default() });
    let mut method = Scripted::always(Ok(Some(1.1e-6)));
    let end = integrate(&p, &mut method, &mut control, (0.0, 1.0), 0.1, &mut ()).unwrap_err();
    assert!(matches!(end.error, SolveError::TooManyRejections { rejections: 6, .. }), "{end}");
    assert_eq!(end.partial.rejected, 5);
    // Without limits, the resolution of time is one.
    let mut control = Adaptive::plain(1e-6, 1.0);
    let mut method = Scripted::always(Ok(Some(1.0)));
    let end = integrate(&p, &mut method, &mut control, (1.0, 2.0), 0.1, &mut ()).unwrap_err();
    assert!(matches!(end.error, SolveError::StepTooSmall { t: 1.0, .. }), "{end}");
}

/// What becomes of the first step from zero when it must shrink to a fifth.
fn shrunk(min_step: f64, h: f64) -> Result<Verdict, SolveError> {
    let limits = Limits { min_step, ..Limits::default() };
    let mut control = Adaptive::elementary(1e-6, 5).with_limits(limits);
    control.begin((0.0, 10.0), h)?;
    let stride = control.propose()?.unwrap();
    control.judge(&stride, Ok(Some(1e9)))
}

#[test]
fn the_smallest_step_itself_is_allowed() {
    assert_eq!(shrunk(0.2, 1.0), Ok(Verdict::Reject));
    let too_small = |end| matches!(end, Err(SolveError::StepTooSmall { t: 0.0, .. }));
    assert!(too_small(shrunk(0.2_f64.next_up(), 1.0)));
    // At time zero any step could be told from none, but not with all of its digits.
    assert_eq!(shrunk(0.0, 6.0 * f64::MIN_POSITIVE), Ok(Verdict::Reject));
    assert!(too_small(shrunk(0.0, 4.0 * f64::MIN_POSITIVE)));
}

#[test]
fn bad_settings_are_named() {
    let p = body();
    let fails = |mut control: Adaptive, what: &str| {
        let mut method = Scripted::always(Ok(Some(0.0)));
        let end = integrate(&p, &mut method, &mut control, (0.0, 1.0), 0.1, &mut ());
        let error = end.unwrap_err().error;
        assert!(matches!(error, SolveError::BadSetting { .. }));
        assert!(error.to_string().contains(what), "{error}");
        assert!(method.asked.is_empty());
    };
    for tol in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        fails(Adaptive::pi(tol, 5), "the tolerance must be positive and finite");
    }
    fails(Adaptive::pi(1e-6, 0), "power");
    fails(Adaptive::plain(1e-6, f64::NAN), "exponent");
    let mut control = Adaptive::pi(1e-6, 5);
    control.theta = 0.0;
    fails(control, "safety factor");
    for (clip, what) in [((2.0, 5.0), "smallest factor"), ((0.2, 0.5), "largest factor")] {
        let mut control = Adaptive::pi(1e-6, 5);
        control.clip = clip;
        fails(control, what);
    }
    let limits = Limits { min_step: 1.0, max_step: 0.5, ..Limits::default() };
    fails(Adaptive::pi(1e-6, 5).with_limits(limits), "largest step");
}

#[test]
fn adaptive_time_is_compensated_and_ends_exactly() {
    let limits = Limits { max_step: 0.1, ..Limits::default() };
    for (span, h) in [((0.0, 50000.0), 0.1), ((7.0, -49993.0), -0.1)] {
        let mut control = Adaptive::elementary(1.0, 5).with_limits(limits);
        let mut method = Scripted::always(Ok(Some(0.0)));
        let end = integrate(&body(), &mut method, &mut control, span, h, &mut ()).unwrap();
        assert_eq!((end.t, end.steps), (span.1, 500_000));
        // A plain sum of half a million steps of 0.1 is wrong by 5e-7 here.
        for (k, (t, _)) in method.asked.iter().enumerate() {
            let exact = span.0 + k as f64 * h;
            assert!((t - exact).abs() <= 8e-12, "{k} {t} {exact}");
        }
    }
}

#[test]
fn the_end_is_reached_exactly_by_every_rule_in_both_directions() {
    for rule in [Rule::Elementary, Rule::Pi, Rule::Plain { exponent: 0.25 }] {
        for span in [(0.0, 1.0), (0.3, -2.9), (1e6, 1e6 + 0.7)] {
            let h = 0.01_f64.copysign(span.1 - span.0);
            let mut control = Adaptive::new(rule, 1e-3, 5);
            let mut method = Scripted::new(vec![Ok(Some(7e-4)), Ok(Some(2e-4)), Ok(Some(4e-4))]);
            let end = integrate(&body(), &mut method, &mut control, span, h, &mut ()).unwrap();
            assert_eq!((end.t, end.ending), (span.1, Ending::Reached));
        }
    }
}

/// Runs every pair of one case of the reference data with both controllers. Returns the largest
/// error of a final state.
fn reference_case<P: Lift + 'static>(p: &P, case: &Value) -> f64
where
    P::Point: Listed,
{
    let entries = generator::entries_lifted::<P>();
    let number = |v: &Value| v.as_f64().unwrap();
    let (until, h, tol) = (number(&case["T"]), number(&case["h0"]), number(&case["tol"]));
    let mut worst = 0.0_f64;
    for run in case["runs"].as_array().unwrap() {
        let id = run["pair"].as_str().unwrap().to_lowercase();
        let entry = entries.iter().find(|e| e.card.id == id).unwrap_or_else(|| panic!("no {id}"));
        let mut method = (entry.make)(p, &Options::default()).unwrap();
        let rule = Rule::named(run["controller"].as_str().unwrap()).unwrap();
        let mut control = Adaptive::new(rule, tol, entry.card.estimate_power.unwrap());
        let mut times = Trajectory::every(1).keeping(|_, t, _| t);
        let end = integrate(p, method.as_mut(), &mut control, (0.0, until), h, &mut times).unwrap();
        let label = format!("{} {id} {rule:?}", case["case"]);
        assert_eq!(end.steps, run["accepted"].as_u64().unwrap(), "{label}: accepted");
        assert_eq!(end.rejected, run["rejected"].as_u64().unwrap(), "{label}: rejected");
        // The estimate of a commutator-free pair is the difference of two states, whose rounding
        // enters the step with the power 1/k; see the test in double-double below.
        let power = f64::from(entry.card.estimate_power.unwrap());
        let rounding = if id.starts_with("cf") {
            f64::EPSILON * common::norm(&p.start().list()) / (power * 0.85_f64.powf(power) * tol)
        } else {
            0.0
        };
        for (i, h) in common::numbers(&run["first_accepted_steps"]).iter().enumerate() {
            let step = times.values[i + 1] - times.values[i];
            let error = (step / h - 1.0).abs();
            assert!(error < 1e-9 + rounding, "{label}: step {i} is {step}, not {h} ({error:e})");
        }
        let expected = common::numbers(&run["final_state"]);
        let state = end.state.list();
        let error = common::distance(&state, &expected) / common::norm(&expected);
        assert!(error < 1e-9, "{label}: {error:e}");
        assert_eq!(end.t, until);
        worst = worst.max(error);
    }
    worst
}

#[test]
fn runs_of_the_reference_data_are_repeated_step_by_step() {
    let data = common::reference();
    let mut runs = 0;
    for case in data["adaptive"].as_array().unwrap() {
        let id = case["case"].as_str().unwrap();
        let input = common::input(&data, id);
        let worst = match id {
            "free-body-seed001" => reference_case(&common::free_body(&input), case),
            "kirchhoff" => reference_case(&common::kirchhoff(&input), case),
            "heavy-top-seed" => reference_case(&common::heavy_lp(&input), case),
            other => panic!("unknown case {other}"),
        };
        runs += case["runs"].as_array().unwrap().len();
        println!("{id}: final states within {worst:e}");
    }
    assert_eq!(runs, 42);
}

#[test]
fn first_steps_in_double_double_have_the_digits_of_the_reference_data() {
    let data = common::reference();
    let p = common::kirchhoff(&common::input(&data, "kirchhoff")).lift(DoubleDouble::lift);
    let entries = generator::entries();
    let cases = data["adaptive"].as_array().unwrap();
    let case = cases.iter().find(|c| c["case"] == "kirchhoff").unwrap();
    for run in case["runs"].as_array().unwrap() {
        let id = run["pair"].as_str().unwrap().to_lowercase();
        // The estimates of RKMK pairs feel the rounding of their tables, which are f64.
        if !id.starts_with("cf") {
            continue;
        }
        let rule = Rule::named(run["controller"].as_str().unwrap()).unwrap();
        let entry = entries.iter().find(|e| e.card.id == id).unwrap();
        let mut method = (entry.make)(&p, &Options::default()).unwrap();
        let mut control = Adaptive::new(rule, 1e-7, entry.card.estimate_power.unwrap());
        let mut times = Trajectory::every(1).keeping(|_, t, _| t);
        let steps = common::numbers(&run["first_accepted_steps"]);
        let end = Run::new(&p, (0.0, 20.0), 0.1).max_steps(steps.len() as u64).drive(
            method.as_mut(),
            &mut control,
            &mut times,
        );
        assert!(matches!(end.unwrap_err().error, SolveError::TooManySteps { .. }));
        for (i, h) in steps.iter().enumerate() {
            let step = times.values[i + 1] - times.values[i];
            let error = (step / h - 1.0).abs();
            assert!(error < 2e-12, "{id} {rule:?}: step {i} is {step}, not {h} ({error:e})");
        }
    }
}

/// The ids of the pairs.
const PAIRS: [&str; 7] =
    ["rkmk-bs32", "rkmk-rkf45", "rkmk-dp54", "cf32-a", "cf32-b", "cf43-eq34", "cf43-fsal"];

#[test]
fn there_and_back_keeps_the_tolerance() {
    let data = common::reference();
    let p = common::kirchhoff(&common::input(&data, "kirchhoff"));
    let entries = generator::entries_lifted();
    for id in PAIRS {
        let entry = entries.iter().find(|e| e.card.id == id).unwrap();
        let mut method = (entry.make)(&p, &Options::default()).unwrap();
        let mut control = Adaptive::pi(1e-8, entry.card.estimate_power.unwrap());
        let there =
            integrate(&p, method.as_mut(), &mut control, (0.0, 3.0), 0.01, &mut ()).unwrap();
        let back = Run::new(&p, (3.0, 0.0), -0.01)
            .from(there.state)
            .drive(method.as_mut(), &mut control, &mut ())
            .unwrap();
        assert_eq!(back.t, 0.0);
        let error = common::distance(&back.state.list(), &p.start().list());
        assert!(error < 3e-6, "{id}: {error:e}");
    }
}

#[test]
fn the_error_follows_the_tolerance() {
    let p = body();
    let exact = {
        let mut method =
            common::method(&generator::entries(), "rkmk-dp54", &p, &Options::default());
        let mut control = Adaptive::pi(1e-14, 5);
        integrate(&p, method.as_mut(), &mut control, (0.0, 10.0), 0.01, &mut ()).unwrap().state
    };
    for id in PAIRS {
        let entries = generator::entries::<Body>();
        let entry = entries.iter().find(|e| e.card.id == id).unwrap();
        let run = |tol: f64| {
            let mut method = (entry.make)(&p, &Options::default()).unwrap();
            let mut control = Adaptive::elementary(tol, entry.card.estimate_power.unwrap());
            let end = integrate(&p, method.as_mut(), &mut control, (0.0, 10.0), 0.01, &mut ());
            (end.unwrap().state - exact).norm()
        };
        let (loose, tight) = (run(1e-5), run(1e-8));
        assert!(tight < 2e-6 && tight < loose / 50.0, "{id}: {loose:e} {tight:e}");
    }
}

#[test]
fn dense_output_and_notes_do_not_disturb_adaptive_runs() {
    // The field depends on time: what is kept from one step to the next must survive the looks.
    let p = Scalar { start: 0.5, f: |t, y| (3.0 * t).cos() - y * y };
    for id in PAIRS {
        let entries = generator::entries::<Scalar>();
        let make = || common::method(&entries, id, &p, &Options::default());
        let control = || {
            Adaptive::pi(
                1e-7,
                entries.iter().find(|e| e.card.id == id).unwrap().card.estimate_power.unwrap(),
            )
        };
        let alone =
            integrate(&p, make().as_mut(), &mut control(), (0.0, 5.0), 0.01, &mut ()).unwrap();
        let mut dense = Trajectory::at((0..500).map(|i| 0.01 * f64::from(i)).collect::<Vec<_>>());
        let mut watch = Watch::new(&p);
        let mut events = [Event::new(|_: &Scalar, _, y: &lieflow::group::Rn<f64, 1>| y.0[0])];
        let seen = Run::new(&p, (0.0, 5.0), 0.01)
            .events(&mut events)
            .drive(make().as_mut(), &mut control(), &mut (&mut dense, &mut watch))
            .unwrap();
        assert_eq!(seen.steps, alone.steps, "{id}");
        assert!((seen.state.0[0] - alone.state.0[0]).abs() < 1e-14, "{id}");
        assert_eq!(dense.times.len(), 500);
        assert!(events[0].occurrences.len() >= 2);
    }
}

#[test]
fn an_event_that_changes_the_state_restarts_an_adaptive_run() {
    // y' = y, thrown back to 1 at 2: a saw-tooth with period ln 2.
    let p = Scalar { start: 1.0, f: |_, y| y };
    for id in PAIRS {
        let entries = generator::entries::<Scalar>();
        let entry = entries.iter().find(|e| e.card.id == id).unwrap();
        let mut method = (entry.make)(&p, &Options::default()).unwrap();
        let mut control = Adaptive::pi(1e-9, entry.card.estimate_power.unwrap());
        let mut events = [Event::new(|_: &Scalar, _, y: &lieflow::group::Rn<f64, 1>| y.0[0] - 2.0)
            .then(|_, _, y| y.0[0] = 1.0)];
        let run = Run::new(&p, (0.0, 3.0), 0.01).events(&mut events);
        let end = run.drive(method.as_mut(), &mut control, &mut ()).unwrap();
        let period = 2.0_f64.ln();
        let times: Vec<f64> = events[0].occurrences.iter().map(|o| o.t).collect();
        assert_eq!(times.len(), 4, "{id}");
        for (i, t) in times.iter().enumerate() {
            assert!((t - (i + 1) as f64 * period).abs() < 2e-6, "{id}: {t}");
        }
        assert_eq!(end.t, 3.0);
        assert!((end.state.0[0] - (3.0 - 4.0 * period).exp()).abs() < 1e-5, "{id}");
    }
}
