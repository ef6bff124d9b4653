//! Sine and cosine whose squares add up to one, for methods that turn by nothing else, step after step.
//!
//! The polynomials of [`Real::sin_cos`] err by less than the result is rounded, but always to the same side: of angles
//! near 0.1 the squares add up to 4e-20 too much, and momenta that `sp321` turned grew by 1e-20 of themselves in a step.
use super::{Mask, Real};

/// `1/(2j+3)!` with alternating signs, for the sine.
const SINE: [f64; 8] = [
    -1.0 / 6.0,
    1.0 / 120.0,
    -1.0 / 5040.0,
    1.0 / 362880.0,
    -1.0 / 39916800.0,
    1.0 / 6227020800.0,
    -1.0 / 1307674368000.0,
    1.0 / 355687428096000.0,
];
/// `1/(2j+4)!` with alternating signs, for the cosine.
const COSINE: [f64; 8] = [
    1.0 / 24.0,
    -1.0 / 720.0,
    1.0 / 40320.0,
    -1.0 / 3628800.0,
    1.0 / 479001600.0,
    -1.0 / 87178291200.0,
    1.0 / 20922789888000.0,
    -1.0 / 6402373705728000.0,
];
/// What the first number of each lacks.
const LACKING: [f64; 2] = [-9.25185853854297e-18, 2.3129646346357427e-18];

/// Sine and cosine of any angle. Up to half a radian their squares add up to one within 5e-21, but for roundings.
#[inline(always)]
pub fn sine_and_cosine<S: Real>(angle: S) -> (S, S) {
    let near = (angle * angle).lt(S::lift(0.25));
    // Derivatives and further digits need more terms.
    if const { S::SERIES_TERMS > <f64 as Real>::SERIES_TERMS } || !near.any() {
        return angle.sin_cos();
    }
    let (sin, cos) = near_zero(angle);
    if near.all() {
        return (sin, cos);
    }
    let (far_sin, far_cos) = angle.sin_cos();
    (S::select(near, sin, far_sin), S::select(near, cos, far_cos))
}

/// The same below half a radian.
#[inline(always)]
pub fn near_zero<S: Real>(angle: S) -> (S, S) {
    let z = angle * angle;
    let half = z * 0.5;
    let w = S::one() - half;
    let sin = angle + angle * z * series(z, SINE, LACKING[0]);
    let cos = w + (((S::one() - w) - half) + z * z * series(z, COSINE, LACKING[1]));
    (sin, cos)
}

/// `a_0 + a_1 z + …`, with the digits that `a_0` lacks.
#[inline(always)]
fn series<S: Real>(z: S, a: [f64; 8], lacking: f64) -> S {
    let w = z * z;
    let (p, q, r) = (S::lift(a[2]) + z * a[3], S::lift(a[4]) + z * a[5], S::lift(a[6]) + z * a[7]);
    S::lift(a[0]) + ((S::lift(lacking) + z * a[1]) + w * (p + w * (q + w * r)))
}
