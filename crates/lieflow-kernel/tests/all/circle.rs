//! Sine and cosine that keep lengths: what their polynomials add up to, in numbers with twice the digits.
use lieflow_kernel::scalar::circle::{near_zero, sine_and_cosine};
use lieflow_kernel::{DoubleDouble, Lanes, Real};

#[test]
fn squares_add_up_to_one() {
    for k in 1..=500 {
        let (sin, cos) = near_zero(DoubleDouble::lift(1e-3 * f64::from(k)));
        let too_much = (sin * sin + cos * cos - DoubleDouble::lift(1.0)).magnitude();
        assert!(too_much < 5e-21, "{k}: {too_much:e}");
    }
}

/// In each lane by the same polynomials as alone, and right to two roundings.
#[test]
fn all_angles_have_a_sine_and_a_cosine() {
    for k in -2000..2000 {
        let angle = 1e-3 * f64::from(k);
        let (sin, cos) = sine_and_cosine(angle);
        let (want_sin, want_cos) = DoubleDouble::lift(angle).sin_cos();
        let error =
            (want_sin - DoubleDouble::lift(sin)).magnitude() / angle.abs().clamp(1e-300, 1.0);
        assert!(error < 2.0 * f64::EPSILON, "{angle}: {error:e}");
        assert!((want_cos - DoubleDouble::lift(cos)).magnitude() < 2.0 * f64::EPSILON, "{angle}");
        let (sines, cosines) = sine_and_cosine(Lanes([angle, 0.3, -1.7, 0.0]));
        assert_eq!((sines.lane(0), cosines.lane(0)), (sin, cos), "{angle}");
    }
}
