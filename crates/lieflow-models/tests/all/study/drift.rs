//! The verdict on a series.
use lieflow_models::study::drift::{Drift, Verdict, judge};
use lieflow_testing::Draw;

fn curve(error: impl Fn(f64) -> f64) -> Drift {
    let series = (1..=12_800).map(|k| f64::from(k) * 0.1).map(|t| (t, 2.0 + error(t)));
    judge("energy", 2.0, series, 200)
}

#[test]
fn an_oscillation_is_bounded_and_a_slope_under_it_is_found() {
    let wave = |t: f64| 1e-3 * (1.7 * t).sin() + 4e-4 * (0.313 * t).cos();
    assert_eq!(curve(wave).verdict, Verdict::Bounded);
    let drifting = curve(|t| wave(t) + 2e-7 * t);
    assert_eq!(drifting.verdict, Verdict::Drifts);
    assert!((drifting.slope / 2e-7 - 1.0).abs() < 0.05, "{}", drifting.slope);
    assert!(drifting.standard_error < 2e-8);
}

#[test]
fn a_slow_wave_is_not_a_drift() {
    // One and a half periods over the whole run: block means are far from independent.
    let slow = curve(|t| 1e-3 * (t * std::f64::consts::TAU * 1.5 / 1280.0).sin());
    assert_eq!(slow.verdict, Verdict::Bounded, "{slow:?}");
}

#[test]
fn rounding_is_kept() {
    assert_eq!(curve(|t| 1e-15 * t).verdict, Verdict::Kept);
}

/// So many steps, each of which adds this much and up to so much of either sign.
fn steps(seed: u64, each: f64, noise: f64) -> Drift {
    let (mut draw, mut error, count) = (Draw::new(seed), 0.0, 640_000u32);
    let series = (1..=count).map(|k| {
        error += each + draw.between(-noise, noise);
        let t = f64::from(k) * 0.1;
        (t, 2.0 + error + 1e-10 * (1.7 * t).sin())
    });
    judge("energy", 2.0, series, count / 64)
}

#[test]
fn a_walk_of_roundings_is_bounded_and_a_drift_of_their_size_is_not() {
    // Steps that round away twenty units, under an oscillation: a straight line through such walks has a slope of many standard errors.
    let rounded = 20.0 * f64::EPSILON;
    let verdicts: Vec<_> = (1..=40).map(|seed| steps(seed, 0.0, rounded).verdict).collect();
    assert!(verdicts.iter().all(|v| *v != Verdict::Drifts), "{verdicts:?}");
    assert!(verdicts.contains(&Verdict::Walks), "{verdicts:?}");
    assert_eq!(Verdict::Walks.word(), "bounded");
    // The same with something of one sign, a fortieth of a unit in each step.
    for seed in 1..=8 {
        let drifting = steps(seed, 5e-18, 0.05 * rounded);
        assert_eq!(drifting.verdict, Verdict::Drifts, "{seed}");
    }
}

#[test]
fn a_walk_that_is_none_of_roundings_is_not_excused() {
    let verdicts: Vec<_> = (1..=20).map(|seed| steps(seed, 0.0, 1e-9).verdict).collect();
    assert!(verdicts.contains(&Verdict::Drifts), "{verdicts:?}");
    assert!(!verdicts.contains(&Verdict::Walks), "{verdicts:?}");
}
