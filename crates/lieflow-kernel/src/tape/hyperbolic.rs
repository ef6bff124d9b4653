//! Hyperbolic functions from the exponential function, without cancellation at small arguments.
use crate::{Mask, Real};

/// Below one, where `exp(x) - exp(-x)` would lose digits, the power series.
#[inline(always)]
fn sinh_near<S: Real>(x: S) -> S {
    let z = x * x;
    let mut k = if S::SERIES_TERMS < 17 { S::SERIES_TERMS } else { 17 };
    let mut sum = S::inverse_factorial(2 * k + 1);
    while k > 0 {
        k -= 1;
        sum = sum * z + S::inverse_factorial(2 * k + 1);
    }
    sum * x
}

/// The hyperbolic sine.
#[inline(always)]
pub fn sinh<S: Real>(x: S) -> S {
    let near = x.abs().lt(S::one());
    if near.all() {
        return sinh_near(x);
    }
    let e = x.exp() * 0.5;
    let far = e - S::lift(0.25) / e;
    if !near.any() {
        return far;
    }
    S::select(near, sinh_near(x), far)
}

/// The hyperbolic cosine.
#[inline(always)]
pub fn cosh<S: Real>(x: S) -> S {
    let e = x.exp() * 0.5;
    e + S::lift(0.25) / e
}

/// The hyperbolic tangent. Far away it is one, where the two others are infinite.
#[inline(always)]
pub fn tanh<S: Real>(x: S) -> S {
    let near = x.abs().lt(S::lift(0.5));
    if near.all() {
        return sinh_near(x) / cosh(x);
    }
    let e = (x.abs() * -2.0).exp();
    let size = (S::one() - e) / (S::one() + e);
    let far = S::select(x.lt(S::zero()), -size, size);
    if !near.any() {
        return far;
    }
    S::select(near, sinh_near(x) / cosh(x), far)
}
