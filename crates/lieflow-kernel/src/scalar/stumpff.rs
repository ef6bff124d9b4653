//! The Stumpff functions `c_k(z) = sum_j (-z)^j / (2j+k)!`, `z = theta^2`: every coefficient of
//! SO(3) and SE(3) is one of them or a quotient of two, and all of them are regular at zero. This
//! is the only file that distinguishes small angles from large ones.
//!
//! ```text
//! c0 = cos t    c1 = sin t / t    c2 = (1 - cos t)/t^2    c3 = (t - sin t)/t^3
//! c_k(z) = 1/k! - z c_{k+2}(z)         c_k'(z) = (k c_{k+2} - c_{k+1})/2
//! ```
//!
//! Below `z = 1` the two highest functions are summed and the others follow by the recurrence
//! downwards, which adds positive to smaller negative numbers and loses nothing. Above, `c0`, `c1`,
//! `c2` come from sine and cosine of the half angle; `c3`, `c4`, `c5` up to `z = 16` from the series
//! at `z/16` and the duplication formulas, which have no cancellation either, and beyond from
//! quotients that no longer lose digits. Every function is good to 6 units of 2^-53, relative to
//! its own size or, where it has zeros, to the size of its terms.
use super::{Mask, Real};

/// `c_0 … c_5` at `z >= 0`.
#[inline(always)]
pub fn stumpff<S: Real>(z: S) -> [S; 6] {
    let one = S::one();
    let small = z.lt(one);
    if small.all() {
        return series(z);
    }
    // Lanes may disagree: each form is computed at arguments moved to where it is valid.
    let [t0, t1, t2] = trigonometric(S::select(small, one, z));
    let middle = z.lt(S::lift(16.0));
    if !middle.any() {
        let [q3, q4, q5] = quotients(z, t1, t2);
        return [t0, t1, t2, q3, q4, q5];
    }
    let near = S::select(small, z, z * 0.0625);
    let c = series(S::select(middle, near, S::zero()));
    let [_, _, _, mut d3, mut d4, mut d5] = doubled(doubled(c));
    if !middle.all() {
        let [q3, q4, q5] = quotients(S::select(middle, one, z), t1, t2);
        d3 = S::select(middle, d3, q3);
        d4 = S::select(middle, d4, q4);
        d5 = S::select(middle, d5, q5);
    }
    [
        S::select(small, c[0], t0),
        S::select(small, c[1], t1),
        S::select(small, c[2], t2),
        S::select(small, c[3], d3),
        S::select(small, c[4], d4),
        S::select(small, c[5], d5),
    ]
}

/// The functions at `4z` from those at `z`: the formulas of the double angle.
#[inline(always)]
fn doubled<S: Real>([c0, c1, c2, c3, c4, c5]: [S; 6]) -> [S; 6] {
    let one = S::one();
    [
        // 1 - cos 2t = 2 sin^2 t = 2 (1 - cos t)(1 + cos t).
        one - (one - c0) * (one + c0) * 2.0,
        c0 * c1,
        c1 * c1 * 0.5,
        (c2 + c0 * c3) * 0.25,
        c3 * (one + c1) * 0.125,
        (c4 + c5 + c2 * c3) * 0.0625,
    ]
}

#[inline(always)]
fn series<S: Real>(z: S) -> [S; 6] {
    let w = z * z;
    let c5 = tail(z, w, 5);
    let c4 = tail(z, w, 4);
    let c3 = S::inverse_factorial(3) - z * c5;
    let c2 = S::lift(0.5) - z * c4;
    let c1 = S::one() - z * c3;
    let c0 = S::one() - z * c2;
    [c0, c1, c2, c3, c4, c5]
}

/// The series of `c_k`, even and odd terms apart to halve the chain of dependent operations.
#[inline(always)]
fn tail<S: Real>(z: S, w: S, k: usize) -> S {
    // Nested duals and jets may ask for more terms than any precision here can use.
    let last = if S::SERIES_TERMS < 15 { S::SERIES_TERMS - 1 } else { 14 };
    let mut even = S::inverse_factorial(k + 2 * last);
    let mut odd = S::inverse_factorial(k + 2 * (last - 1));
    let mut j = last;
    while j >= 2 {
        j -= 2;
        even = even * w + S::inverse_factorial(k + 2 * j);
        if j > 0 {
            odd = odd * w + S::inverse_factorial(k + 2 * (j - 1));
        }
    }
    even - z * odd
}

/// `c0`, `c1`, `c2` from the half angle.
#[inline(always)]
fn trigonometric<S: Real>(z: S) -> [S; 3] {
    let t = z.sqrt();
    let (sin, cos) = (t * 0.5).sin_cos();
    // sin t = 2 s c, 1 - cos t = 2 s^2: no cancellation.
    let twice = sin * sin * 2.0;
    [S::one() - twice, sin * cos * 2.0 / t, twice / z]
}

/// `c3`, `c4`, `c5` by the recurrence upwards.
#[inline(always)]
fn quotients<S: Real>(z: S, c1: S, c2: S) -> [S; 3] {
    let c3 = (S::one() - c1) / z;
    [c3, (S::lift(0.5) - c2) / z, (S::ratio(1.0, 6.0) - c3) / z]
}

/// Coefficient of the double cross product in the inverse differential of the exponential,
/// `g(z) = (1 - (t/2) cot(t/2))/t^2`, and `g~ = g'(t)/t`. The only pole is the true one, at
/// `t = 2 pi`.
///
/// With all functions at `z/4`: `g = (c2 - c3)/(4 c1)`, and `g~ = 2 dg/dz` follows from the
/// derivatives of the family.
#[inline(always)]
pub fn dexpinv_coefficients<S: Real>(z: S) -> (S, S) {
    let [_, c1, c2, c3, c4, c5] = stumpff(z * 0.25);
    let top = c2 - c3;
    let g = top / (c1 * 4.0);
    // (c2 - c3)' and c1' at z/4, each doubled.
    let dtop = (c4 * 2.0 - c3) - (c5 * 3.0 - c4);
    let dc1 = c3 - c2;
    let gt = (dtop * c1 - top * dc1) / (c1 * c1 * 16.0);
    (g, gt)
}

/// [`dexpinv_coefficients`] without the derivative.
#[inline(always)]
pub fn dexpinv_coefficient<S: Real>(z: S) -> S {
    let [_, c1, c2, c3, _, _] = stumpff(z * 0.25);
    (c2 - c3) / (c1 * 4.0)
}
