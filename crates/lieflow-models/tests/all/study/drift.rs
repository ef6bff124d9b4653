//! The verdict on a series.
use lieflow_models::study::drift::{Drift, Verdict, judge};

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
