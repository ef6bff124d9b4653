//! The double-double scalar: arithmetic, elementary functions, decimal text. Expected values were
//! computed with 45 digits in arbitrary precision.
use lieflow_kernel::{DoubleDouble as D, Real};

fn d(text: &str) -> D {
    text.parse().unwrap()
}
/// Relative difference.
fn gap(a: D, b: D) -> f64 {
    ((a - b) / b).magnitude()
}
fn close(name: &str, a: D, b: D) {
    assert!(gap(a, b) < 4e-31, "{name}: relative error {:e}", gap(a, b));
}

#[test]
fn elementary_functions_have_thirty_one_digits() {
    let third = D::ratio(1.0, 3.0);
    let (s, c) = third.sin_cos();
    close("sin 1/3", s, d("0.327194696796152244173344085267620606064301"));
    close("cos 1/3", c, d("0.944956946314737664388284007675880607845853"));
    let (s, c) = D::lift(100.0).sin_cos();
    close("sin 100", s, d("-0.506365641109758793656557610459785432065033"));
    close("cos 100", c, d("0.862318872287683934101938513950842535510084"));
    let (s, _) = D::lift(65536.125).sin_cos();
    close("sin 65536.125", s, d("0.596671173734684291548323330509059810049241"));
    close("exp 1/3", third.exp(), d("1.39561242508608952862812531960258683759791"));
    close("exp -20", D::lift(-20.0).exp(), d("2.06115362243855782796594038015582097637581e-9"));
    close("ln 3", D::lift(3.0).ln(), d("1.09861228866810969139524523692252570464749"));
    let near = D::lift(1.0 + 2f64.powi(-30)).ln();
    close("ln near 1", near, d("0.931322574181797646900062748524378479907791e-9"));
    close("ln 1e100", d("1e100").ln(), d("230.25850929940456840179914546843642076011"));
    let angle = D::lift(1.0).atan2(D::lift(-3.0));
    close("atan2(1, -3)", angle, d("2.81984209919315104506123876892084156517641"));
    let small = D::lift(2f64.powi(-40)).atan2(D::lift(3.0));
    close("atan2 small", small, d("0.303164900590976079305013011545476734243654e-12"));
    close("atan2(0, -1)", D::zero().atan2(-D::one()), D::PI);
    close("sqrt 2", D::lift(2.0).sqrt(), d("1.41421356237309504880168872420969807856967"));
    close("22/7", D::ratio(22.0, 7.0), d("3.14285714285714285714285714285714285714286"));
}

#[test]
fn sines_hold_in_every_quadrant() {
    for k in -9i32..=9 {
        // k pi/2 + 1/3, so that the four quadrants repeat.
        let (s, c) = (D::PI * (0.5 * f64::from(k)) + D::ratio(1.0, 3.0)).sin_cos();
        let (s0, c0) = D::ratio(1.0, 3.0).sin_cos();
        let want = match k.rem_euclid(4) {
            0 => (s0, c0),
            1 => (c0, -s0),
            2 => (-s0, -c0),
            _ => (-c0, s0),
        };
        assert!((s - want.0).magnitude() < 1e-30, "sin, k = {k}");
        assert!((c - want.1).magnitude() < 1e-30, "cos, k = {k}");
    }
}

#[test]
fn quotients_and_roots_are_undone() {
    let mut worst = 0f64;
    for i in 1..3000 {
        let (p, q) = (D::ratio(f64::from(i), 7.0), D::ratio(13.0, f64::from(i) + 0.3));
        worst = worst.max(gap(p / q * q, p)).max(gap(p.sqrt() * p.sqrt(), p));
        worst = worst.max(gap((p / q).ln().exp(), p / q) / (1.0 + (p / q).ln().magnitude()));
        worst = worst.max(gap((p + q) - q, p) / (1.0 + (q / p).magnitude()));
    }
    assert!(worst < 1e-31, "{worst:e}");
}

#[test]
fn inverse_factorials_are_exact_to_the_last_place() {
    let mut product = D::one();
    for n in 1..60 {
        product = product * f64::from(n);
        assert!(gap(D::inverse_factorial(n as usize) * product, D::one()) < 2e-30, "1/{n}!");
    }
    assert_eq!(D::inverse_factorial(1000), D::zero());
}

#[test]
fn decimal_text_is_read_or_refused() {
    assert_eq!(d("-1.5e2"), D::lift(-150.0));
    assert_eq!(d("+.5"), D::lift(0.5));
    close("1/3", d("0.33333333333333333333333333333333333333333"), D::ratio(1.0, 3.0));
    close("long", d("33333333333333333333333333333333333333333333333333e-50"), D::ratio(1.0, 3.0));
    for (text, position) in [("", 0), ("-", 1), ("1.2.3", 3), ("1e", 2), ("1e+", 3), ("x", 0)] {
        assert_eq!(text.parse::<D>().unwrap_err().position, position, "{text:?}");
    }
}

#[test]
fn order_and_edges() {
    let tiny = D::new(1.0, 1e-25);
    assert!(D::one().lt(tiny) && !tiny.lt(D::one()) && !tiny.lt(tiny));
    assert_eq!(D::zero().sqrt(), D::zero());
    assert!(!(-D::one()).sqrt().finite() && !D::lift(f64::NAN).sin_cos().0.finite());
    assert!(!D::lift(1e4).exp().finite() && !D::zero().ln().finite());
    assert_eq!(D::lift(-1e4).exp(), D::zero());
    assert_eq!((-tiny).abs(), tiny);
}
