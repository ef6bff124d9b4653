//! What the Stumpff functions become when rotations also scale: the coefficients of functions of
//! `x = l + û`, where `l` is the logarithm of a scale and `û` the matrix of a vector with `z = |u|²`.
//!
//! ```text
//! phi_1(x) = (exp x - 1)/x   = a + b û + c û²         = integral of exp(s x) over [0, 1]
//! phi_2(x) = (phi_1(x) - 1)/x = a2 + b2 û + c2 û²      = integral of (1 - s) exp(s x)
//! ```
//!
//! Inside `l² + z < 4` they are power series: with `P_n = integral of s^n exp(s l)/n!`, which obeys
//! `P_n = exp(l)/(n+1)! - l P_{n+1}`, the sums `M_n = P_n - z M_{n+2}` begin with `M_1 = b` and
//! `M_2 = c`. Both recurrences run downwards, where nothing grows. Outside, `x phi_1(x) = exp x - 1` and
//! `x phi_2(x) = phi_1(x) - 1` are solved for the coefficients, and `l² + z` is the only divisor.
use super::stumpff::stumpff;
use super::{Mask, Real};

/// The bound on `l² + z` of the series.
const NEAR: f64 = 4.0;

/// Coefficients at one `l` and `z`.
#[derive(Clone, Copy, Debug)]
pub struct Scaled<S> {
    /// `phi_1 = a + b û + c û²`.
    pub phi1: [S; 3],
    /// The derivatives of `b` and `c` in `z`.
    pub slopes: [S; 2],
    /// `phi_2 = a2 + b2 û + c2 û²`.
    pub phi2: [S; 3],
}

/// The coefficients at the logarithm `l` of a scale, of which `exp(l)` is known, and at `z = |u|²`.
#[inline]
pub fn scaled<S: Real>(l: S, scale: S, z: S) -> Scaled<S> {
    let size = l * l + z;
    let near = size.lt(S::lift(NEAR));
    if near.all() {
        return series(l, scale, z);
    }
    // On the axis the vector has no say, and a small l still needs the series.
    let calm = (l * l).lt(S::one());
    let inside = near.or(calm);
    let inner = series(
        S::select(inside, l, S::zero()),
        S::select(inside, scale, S::one()),
        S::select(near, z, S::zero()),
    );
    let steep = S::select(calm, S::one(), l);
    let quotient = (scale - S::one()) / steep;
    let a = S::select(calm, inner.phi1[0], quotient);
    let a2 = S::select(calm, inner.phi2[0], (quotient - S::one()) / steep);
    let outer = solved(l, scale, z, S::select(near, S::one(), size), a, a2);
    if !near.any() {
        return outer;
    }
    Scaled {
        phi1: choose(near, inner.phi1, outer.phi1),
        slopes: choose(near, inner.slopes, outer.slopes),
        phi2: choose(near, inner.phi2, outer.phi2),
    }
}

/// The coefficients of the inverse of `a + b û + c û²`, whose other eigenvalues are
/// `a - z c ± i sqrt(z) b`.
#[inline(always)]
pub fn inverted<S: Real>([a, b, c]: [S; 3], z: S) -> [S; 3] {
    let real = a - z * c;
    let size = real * real + z * b * b;
    [S::one() / a, -b / size, (b * b - c * real) / (a * size)]
}

/// By power series.
#[inline(always)]
fn series<S: Real>(l: S, scale: S, z: S) -> Scaled<S> {
    // Below |x| = 2 the first neglected term is 2^n/n!, three digits beyond the last.
    let mut n = 2 * S::SERIES_TERMS + 8;
    let mut p = S::zero();
    // Number n + 1 and number n + 2 of: the sums M, their derivatives in z, the same for phi_2.
    let (mut m1, mut m2) = (S::zero(), S::zero());
    let (mut d1, mut d2) = (S::zero(), S::zero());
    let (mut k1, mut k2) = (S::zero(), S::zero());
    while n > 0 {
        let higher = p;
        p = scale * S::inverse_factorial(n + 1) - l * p;
        let r = p - higher * (n + 1) as f64;
        let (m, d, k) = (p - z * m2, -m2 - z * d2, r - z * k2);
        (m1, m2) = (m, m1);
        (d1, d2) = (d, d1);
        (k1, k2) = (k, k1);
        n -= 1;
    }
    let a = scale - l * p;
    Scaled { phi1: [a, m1, m2], slopes: [d1, d2], phi2: [a - p, k1, k2] }
}

/// By the equations that define the functions; `size = l² + z`.
#[inline(always)]
fn solved<S: Real>(l: S, scale: S, z: S, size: S, a: S, a2: S) -> Scaled<S> {
    let [_, c1, c2, c3, c4, _] = stumpff(z);
    let c = (l * scale * c2 + a - scale * c1) / size;
    let b = scale * c2 - l * c;
    // The derivatives of the Stumpff functions: c_k' = (k c_{k+2} - c_{k+1})/2.
    let (d1, d2) = ((c3 - c2) * 0.5, c4 - c3 * 0.5);
    let c_slope = (scale * (l * d2 - d1) - c) / size;
    let b_slope = scale * d2 - l * c_slope;
    let c2 = (l * c + a2 - b) / size;
    Scaled { phi1: [a, b, c], slopes: [b_slope, c_slope], phi2: [a2, c - l * c2, c2] }
}

#[inline(always)]
fn choose<S: Real, const N: usize>(mask: S::Mask, a: [S; N], b: [S; N]) -> [S; N] {
    let mut out = b;
    let mut i = 0;
    while i < N {
        out[i] = S::select(mask, a[i], b[i]);
        i += 1;
    }
    out
}
