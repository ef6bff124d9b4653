//! Double-double numbers: the unevaluated sum of two `f64`, with about 31 decimal digits.
//!
//! For reference values and for measuring the rounding errors of `f64` runs; about fifty times
//! slower. Sums and products follow Joldes, Muller and Popescu (2017), algorithms 6 and 12, with
//! Dekker's splitting in place of a fused multiply-add, so that the bits are the same on every
//! platform; quotients take three partial quotients. Relative errors are below 2^-102 while no
//! intermediate result leaves the range 1e-270 … 1e290.
use super::Real;
use super::parts::{one_makes_a_pack, own_lane, own_primal, tapes};
use crate::tape::{Instruction, Tape};
use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

mod decimal;
mod elementary;

pub use decimal::ParseDecimalError;

/// The number `hi + lo`, with `lo` at most half a unit in the last place of `hi`.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct DoubleDouble {
    hi: f64,
    lo: f64,
}

/// `a + b` and its rounding error.
const fn two_sum(a: f64, b: f64) -> DoubleDouble {
    let s = a + b;
    let t = s - b;
    DoubleDouble { hi: s, lo: (a - t) + (b - (s - t)) }
}

/// [`two_sum`] where `|a| >= |b|` or `a` is zero.
const fn quick_two_sum(a: f64, b: f64) -> DoubleDouble {
    let s = a + b;
    DoubleDouble { hi: s, lo: b - (s - a) }
}

/// `a b` and its rounding error.
const fn two_product(a: f64, b: f64) -> DoubleDouble {
    let p = a * b;
    let (a1, a2) = split(a);
    let (b1, b2) = split(b);
    DoubleDouble { hi: p, lo: ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2 }
}

/// Two halves of 26 bits.
const fn split(a: f64) -> (f64, f64) {
    let t = 134_217_729.0 * a;
    let high = t - (t - a);
    (high, a - high)
}

impl DoubleDouble {
    /// Pi.
    pub const PI: Self = Self { hi: core::f64::consts::PI, lo: 1.2246467991473532e-16 };

    /// `hi + lo`, brought to normal form.
    pub const fn new(hi: f64, lo: f64) -> Self {
        two_sum(hi, lo)
    }
    /// The leading part: this number rounded to `f64`.
    pub const fn hi(self) -> f64 {
        self.hi
    }
    /// The trailing part.
    pub const fn lo(self) -> f64 {
        self.lo
    }
    const fn plus(self, o: Self) -> Self {
        let s = two_sum(self.hi, o.hi);
        let t = two_sum(self.lo, o.lo);
        let v = quick_two_sum(s.hi, s.lo + t.hi);
        quick_two_sum(v.hi, t.lo + v.lo)
    }
    const fn minus(self, o: Self) -> Self {
        self.plus(Self { hi: -o.hi, lo: -o.lo })
    }
    const fn product(self, o: Self) -> Self {
        let p = two_product(self.hi, o.hi);
        quick_two_sum(p.hi, p.lo + (self.hi * o.lo + (self.lo * o.hi + self.lo * o.lo)))
    }
    const fn scaled(self, a: f64) -> Self {
        let p = two_product(self.hi, a);
        quick_two_sum(p.hi, p.lo + self.lo * a)
    }
    const fn quotient(self, o: Self) -> Self {
        let q1 = self.hi / o.hi;
        let r = self.minus(o.scaled(q1));
        let q2 = r.hi / o.hi;
        let r = r.minus(o.scaled(q2));
        let q3 = r.hi / o.hi;
        quick_two_sum(q1, q2).plus(Self { hi: q3, lo: 0.0 })
    }
    /// Exact product with a power of two.
    const fn halved(self, half: f64) -> Self {
        Self { hi: self.hi * half, lo: self.lo * half }
    }
}

/// How many inverse factorials are tabulated; the next is below 1e-90.
const FACTORIALS: usize = 66;

/// `1/n!`. The factorial itself is exact in a double-double up to 30!.
static INVERSE_FACTORIAL: [DoubleDouble; FACTORIALS] = {
    let one = DoubleDouble { hi: 1.0, lo: 0.0 };
    let mut table = [one; FACTORIALS];
    let mut factorial = one;
    let mut n = 1;
    while n < FACTORIALS {
        factorial = factorial.scaled(n as f64);
        table[n] = one.quotient(factorial);
        n += 1;
    }
    table
};

impl From<f64> for DoubleDouble {
    fn from(x: f64) -> Self {
        Self { hi: x, lo: 0.0 }
    }
}
impl Add for DoubleDouble {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        self.plus(o)
    }
}
impl Sub for DoubleDouble {
    type Output = Self;
    #[inline]
    fn sub(self, o: Self) -> Self {
        self.minus(o)
    }
}
impl Mul for DoubleDouble {
    type Output = Self;
    #[inline]
    fn mul(self, o: Self) -> Self {
        self.product(o)
    }
}
impl Div for DoubleDouble {
    type Output = Self;
    #[inline]
    fn div(self, o: Self) -> Self {
        self.quotient(o)
    }
}
impl Neg for DoubleDouble {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }
}
impl AddAssign for DoubleDouble {
    #[inline]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl SubAssign for DoubleDouble {
    #[inline]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}
impl MulAssign for DoubleDouble {
    #[inline]
    fn mul_assign(&mut self, o: Self) {
        *self = *self * o;
    }
}
impl Mul<f64> for DoubleDouble {
    type Output = Self;
    #[inline]
    fn mul(self, a: f64) -> Self {
        self.scaled(a)
    }
}

impl Real for DoubleDouble {
    type Mask = bool;
    own_lane!();
    own_primal!();
    one_makes_a_pack!();
    // The first neglected term of c4 and c5 below z = 1 is under 1e-36 of the sum.
    const SERIES_TERMS: usize = 15;
    const CALLED: bool = true;

    #[inline]
    fn lift(x: f64) -> Self {
        x.into()
    }
    #[inline]
    fn ratio(numerator: f64, denominator: f64) -> Self {
        Self::from(numerator).quotient(denominator.into())
    }
    #[inline]
    fn inverse_factorial(n: usize) -> Self {
        INVERSE_FACTORIAL.get(n).copied().unwrap_or_default()
    }
    fn sqrt(self) -> Self {
        elementary::sqrt(self)
    }
    fn sin_cos(self) -> (Self, Self) {
        elementary::sin_cos(self)
    }
    fn atan2(self, x: Self) -> Self {
        elementary::atan2(self, x)
    }
    fn exp(self) -> Self {
        elementary::exp(self)
    }
    fn ln(self) -> Self {
        elementary::ln(self)
    }
    #[inline]
    fn abs(self) -> Self {
        if self.hi < 0.0 { -self } else { self }
    }
    #[inline]
    fn floor(self) -> Self {
        let hi = Real::floor(self.hi);
        // Only beyond a whole leading part does the trailing one decide.
        if hi == self.hi { Self::new(hi, Real::floor(self.lo)) } else { hi.into() }
    }
    #[inline]
    fn lt(self, other: Self) -> bool {
        self.hi < other.hi || (self.hi == other.hi && self.lo < other.lo)
    }
    #[inline]
    fn finite(self) -> bool {
        self.hi.is_finite() && self.lo.is_finite()
    }
    #[inline]
    fn select(mask: bool, a: Self, b: Self) -> Self {
        if mask { a } else { b }
    }
    tapes!();
    #[inline]
    fn magnitude(self) -> f64 {
        Real::abs(self.hi)
    }
}
