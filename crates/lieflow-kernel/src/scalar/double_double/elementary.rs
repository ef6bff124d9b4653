//! Elementary functions of double-double numbers, to a few units of 1e-32.
//!
//! Series after reduction of the argument, or one Newton step from the `f64` value, which doubles
//! its digits.
use super::{DoubleDouble, quick_two_sum, two_product, two_sum};
use crate::scalar::Real;
use core::f64::consts;

/// pi/2 in three parts.
const HALF_PI: [f64; 3] = [consts::FRAC_PI_2, 6.123233995736766e-17, -1.4973849048591698e-33];
/// ln 2 in three parts.
const LN_2: [f64; 3] = [consts::LN_2, 2.3190468138462996e-17, 5.707708438416212e-34];

/// `x - n unit`, with the unit in three parts.
fn reduced(x: DoubleDouble, n: f64, unit: [f64; 3]) -> DoubleDouble {
    x - two_product(n, unit[0]) - two_product(n, unit[1]) - DoubleDouble::from(n * unit[2])
}

/// `sum_j sign^j z^j / (2j + k)!` for `|z| < 1`.
fn series(z: DoubleDouble, k: usize, sign: f64) -> DoubleDouble {
    let mut j = DoubleDouble::SERIES_TERMS;
    let mut sum = DoubleDouble::inverse_factorial(2 * j + k);
    while j > 0 {
        j -= 1;
        sum = sum * z * sign + DoubleDouble::inverse_factorial(2 * j + k);
    }
    sum
}

/// Square root: the correction of the `f64` root by half its residual (Karp and Markstein).
pub(super) fn sqrt(x: DoubleDouble) -> DoubleDouble {
    if x.hi == 0.0 {
        return x;
    }
    let inverse = 1.0 / Real::sqrt(x.hi);
    let root = x.hi * inverse;
    let rest = x - two_product(root, root);
    let root = quick_two_sum(root, rest.hi * (inverse * 0.5));
    // A second step: the first leaves the square of the error of `inverse`.
    root + (x - root * root).scaled(inverse * 0.5)
}

/// Sine and cosine; full precision for `|x|` up to about 2^40.
pub(super) fn sin_cos(x: DoubleDouble) -> (DoubleDouble, DoubleDouble) {
    let n = libm::rint(x.hi * consts::FRAC_2_PI);
    let r = reduced(x, n, HALF_PI);
    let z = r * r;
    let (s, c) = (r * series(z, 1, -1.0), series(z, 0, -1.0));
    // The quadrant is n modulo 4; a number that is not finite gives NaN in any of them.
    match libm::fmod(n, 4.0) as i8 {
        0 => (s, c),
        1 | -3 => (c, -s),
        2 | -2 => (-s, -c),
        _ => (-c, s),
    }
}

/// The angle of `(x, y)`: one Newton step on the angle between `(x, y)` and its `f64` direction.
pub(super) fn atan2(y: DoubleDouble, x: DoubleDouble) -> DoubleDouble {
    let start = libm::atan2(y.hi, x.hi);
    if x.hi == 0.0 && y.hi == 0.0 {
        return start.into();
    }
    let (s, c) = sin_cos(start.into());
    let step = (y * c - x * s) / (x * c + y * s);
    DoubleDouble::from(start) + step
}

/// Exponential: `2^n (exp(r/512))^512`, the powers taken on `exp - 1` to keep small digits.
pub(super) fn exp(x: DoubleDouble) -> DoubleDouble {
    if x.hi > 709.8 || x.hi < -700.0 || !x.hi.is_finite() {
        // Overflow, NaN, or a range where the trailing part would be denormal.
        return libm::exp(x.hi).into();
    }
    let n = libm::rint(x.hi / LN_2[0]);
    let r = reduced(x, n, LN_2).halved(1.0 / 512.0);
    let mut sum = DoubleDouble::inverse_factorial(12);
    let mut j = 12;
    while j > 1 {
        j -= 1;
        sum = sum * r + DoubleDouble::inverse_factorial(j);
    }
    let mut minus_one = sum * r;
    let mut doublings = 0;
    while doublings < 9 {
        minus_one = minus_one.halved(2.0) + minus_one * minus_one;
        doublings += 1;
    }
    let e = minus_one + DoubleDouble::from(1.0);
    let n = n as i32;
    DoubleDouble { hi: libm::scalbn(e.hi, n), lo: libm::scalbn(e.lo, n) }
}

/// Natural logarithm: near one by the series of the inverse hyperbolic tangent, elsewhere by one
/// Newton step.
pub(super) fn ln(x: DoubleDouble) -> DoubleDouble {
    let one = DoubleDouble::from(1.0);
    if x.hi > 0.75 && x.hi < 1.3 {
        let t = (x - one) / (x + one);
        let z = t * t;
        let mut j = 20;
        let mut sum = DoubleDouble::ratio(1.0, 41.0);
        while j > 0 {
            j -= 1;
            sum = sum * z + DoubleDouble::ratio(1.0, (2 * j + 1) as f64);
        }
        return t.halved(2.0) * sum;
    }
    let start = libm::log(x.hi);
    if !start.is_finite() {
        return start.into();
    }
    // exp(-start) x is one up to 1e-16, whatever the size of x.
    let rest = exp(DoubleDouble::from(-start)) * x - one;
    two_sum(start, rest.hi) + (DoubleDouble { hi: rest.lo, lo: 0.0 } - (rest * rest).halved(0.5))
}
