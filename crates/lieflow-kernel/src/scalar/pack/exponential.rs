//! Exponential and logarithm of packs, with the bits of the functions of one number.
//!
//! The steps are those of `libm`, in its order, so that each lane has its roundings: exponents are taken apart and put
//! together as whole numbers, and polynomials and quotients are computed in all lanes at once. Arguments
//! that `libm` treats apart, in any lane, go there.
//!
//! ```text
//! exp x = 2^k exp r, x = k ln 2 + r, |r| <= ln 2 / 2        ln x = k ln 2 + ln(1 + f), x = 2^k (1 + f)
//! ```
use super::{ArrayOf, Machine, Mask, Pack, Real};

/// `ln 2` in two parts; products of the first with a whole number below 2^20 are exact.
const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);

/// `exp x`, where no lane is large, tiny or not a number.
#[inline(always)]
pub(super) fn exp<M: Machine>(x: Pack<M>) -> Option<Pack<M>> {
    let size = x.abs();
    // The bounds are compared by the upper half of the number, as `libm` does.
    let small = size.lt(Pack::<M>::lift(f64::from_bits(0x4086_232b << 32)));
    let tiny = size.lt(Pack::<M>::lift(f64::from_bits(0x3e30_0001 << 32)));
    if !small.all() || tiny.any() {
        return None;
    }
    // The whole number next to x/ln 2: rounded down after a half is added, to the magnitude.
    let two52 = Pack::<M>::lift(4503599627370496.0);
    let turns = size * core::f64::consts::LOG2_E + Pack::<M>::lift(0.5);
    let nearest = (turns + two52) - two52;
    let down = Pack::<M>::select(turns.lt(nearest), nearest - Pack::<M>::one(), nearest);
    let once = size.lt(Pack::<M>::lift(f64::from_bits(0x3ff0_a2b2 << 32)));
    let never = size.lt(Pack::<M>::lift(f64::from_bits(0x3fd6_2e43 << 32)));
    let count = Pack::<M>::select(once, Pack::<M>::one(), down);
    let count = Pack::<M>::select(never, Pack::<M>::zero(), count);
    let count = Pack::<M>::select(x.lt(Pack::<M>::zero()), -count, count);
    let high = x - count * LN2_HIGH;
    let low = count * LN2_LOW;
    let r = high - low;
    let z = r * r;
    let c = r - z * polynomial(&EXP, z);
    let y = Pack::<M>::one() + (r * c / (Pack::<M>::lift(2.0) - c) - low + high);
    // Behind the point of 2^52 + 1023 + k stand the bits of 1023 + k, the exponent of 2^k.
    let mut power = (count + Pack::<M>::lift(4503599627370496.0 + 1023.0)).to_array();
    let mut i = 0;
    while i < Pack::<M>::LANES {
        let bits = power.as_ref()[i].to_bits();
        power.as_mut()[i] = f64::from_bits(bits << 52);
        i += 1;
    }
    Some(y * Pack::<M>::from_array(power))
}

/// `ln x`, where all lanes are positive, finite and not subnormal.
#[inline(always)]
pub(super) fn ln<M: Machine>(x: Pack<M>) -> Option<Pack<M>> {
    let usual = Pack::<M>::lift(f64::from_bits((1 << 52) - 1)).lt(x).and(x.finite());
    if !usual.all() {
        return None;
    }
    /// The upper half of sqrt(1/2): the fraction shall lie between this and twice it.
    const ROOT: u64 = 0x3fe6_a09e << 32;
    const ONE: u64 = 0x3ff0_0000 << 32;
    let mut fraction: ArrayOf<M> = x.to_array();
    let mut count = fraction;
    let mut i = 0;
    while i < Pack::<M>::LANES {
        let bits = fraction.as_ref()[i].to_bits().wrapping_add(ONE - ROOT);
        fraction.as_mut()[i] = f64::from_bits((bits & ((1 << 52) - 1)).wrapping_add(ROOT));
        // The exponent as the last digits of a number, so that no conversion is needed.
        count.as_mut()[i] = f64::from_bits((bits >> 52) | (0x433 << 52));
        i += 1;
    }
    let k = Pack::<M>::from_array(count) - Pack::<M>::lift(4503599627370496.0 + 1023.0);
    let f = Pack::<M>::from_array(fraction) - Pack::<M>::one();
    let half = Pack::<M>::lift(0.5) * f * f;
    let s = f / (Pack::<M>::lift(2.0) + f);
    let z = s * s;
    let w = z * z;
    let even = w * polynomial(&EVEN, w);
    let odd = z * polynomial(&ODD, w);
    Some(s * (half + (odd + even)) + k * LN2_LOW - half + f + k * LN2_HIGH)
}

/// Of `r - r (exp r + 1)/(exp r - 1)` and of `(ln(1 + s) - ln(1 - s))/s`, the coefficients of `libm`.
const EXP: [f64; 5] = [
    1.66666666666666019037e-01,
    -2.77777777770155933842e-03,
    6.61375632143793436117e-05,
    -1.65339022054652515390e-06,
    4.13813679705723846039e-08,
];
const EVEN: [f64; 3] =
    [3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01];
const ODD: [f64; 4] = [
    6.666666666666735130e-01,
    2.857142874366239149e-01,
    1.818357216161805012e-01,
    1.479819860511658591e-01,
];

/// `a_0 + z (a_1 + z (…))`.
#[inline(always)]
fn polynomial<M: Machine, const N: usize>(a: &[f64; N], z: Pack<M>) -> Pack<M> {
    let mut sum = Pack::<M>::lift(a[N - 1]);
    let mut k = N - 1;
    while k > 0 {
        k -= 1;
        sum = Pack::<M>::lift(a[k]) + z * sum;
    }
    sum
}
