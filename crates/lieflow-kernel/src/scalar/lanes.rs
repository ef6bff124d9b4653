//! Several `f64` side by side: one trajectory per lane.
//!
//! Plain arrays, which the compiler turns into vector instructions; a lane gives the same bits as
//! the `f64` run, because every operation is the same IEEE operation on each lane.
use super::parts::{one_makes_a_pack, own_primal};
use super::{Mask, Real, elementary};
use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

/// `N` numbers, operated on lane by lane.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub struct Lanes<const N: usize>(pub [f64; N]);

/// One answer per lane: all bits set for yes, none for no, which is what vector instructions make
/// of a comparison and what they choose by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneMask<const N: usize>([u64; N]);

impl<const N: usize> LaneMask<N> {
    /// The answers.
    pub fn to_array(self) -> [bool; N] {
        self.0.map(|bits| bits != 0)
    }
}

/// All bits set, or none.
#[inline(always)]
const fn bits(yes: bool) -> u64 {
    0u64.wrapping_sub(yes as u64)
}

impl<const N: usize> Mask for LaneMask<N> {
    #[inline(always)]
    fn and(mut self, other: Self) -> Self {
        let mut i = 0;
        while i < N {
            self.0[i] &= other.0[i];
            i += 1;
        }
        self
    }
    #[inline(always)]
    fn or(mut self, other: Self) -> Self {
        let mut i = 0;
        while i < N {
            self.0[i] |= other.0[i];
            i += 1;
        }
        self
    }
    #[inline(always)]
    fn not(mut self) -> Self {
        let mut i = 0;
        while i < N {
            self.0[i] = !self.0[i];
            i += 1;
        }
        self
    }
    #[inline(always)]
    fn all(self) -> bool {
        let mut every = u64::MAX;
        let mut i = 0;
        while i < N {
            every &= self.0[i];
            i += 1;
        }
        every != 0
    }
    #[inline(always)]
    fn any(self) -> bool {
        let mut some = 0;
        let mut i = 0;
        while i < N {
            some |= self.0[i];
            i += 1;
        }
        some != 0
    }
    #[inline(always)]
    fn splat(value: bool) -> Self {
        Self([bits(value); N])
    }
}

/// Writes one operator as a loop over the lanes: no closure and no iterator, which would stop a
/// function compiled for wider vectors from inlining it.
macro_rules! lanewise {
    ($trait:ident, $method:ident, $op:tt) => {
        impl<const N: usize> $trait for Lanes<N> {
            type Output = Self;
            #[inline(always)]
            fn $method(mut self, o: Self) -> Self {
                let mut i = 0;
                while i < N {
                    self.0[i] $op o.0[i];
                    i += 1;
                }
                self
            }
        }
    };
    (assign $trait:ident, $method:ident, $op:tt) => {
        impl<const N: usize> $trait for Lanes<N> {
            #[inline(always)]
            fn $method(&mut self, o: Self) {
                *self = *self $op o;
            }
        }
    };
}
lanewise!(Add, add, +=);
lanewise!(Sub, sub, -=);
lanewise!(Mul, mul, *=);
lanewise!(Div, div, /=);
lanewise!(assign AddAssign, add_assign, +);
lanewise!(assign SubAssign, sub_assign, -);
lanewise!(assign MulAssign, mul_assign, *);

impl<const N: usize> Neg for Lanes<N> {
    type Output = Self;
    #[inline(always)]
    fn neg(mut self) -> Self {
        let mut i = 0;
        while i < N {
            self.0[i] = -self.0[i];
            i += 1;
        }
        self
    }
}
impl<const N: usize> Mul<f64> for Lanes<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(mut self, a: f64) -> Self {
        let mut i = 0;
        while i < N {
            self.0[i] *= a;
            i += 1;
        }
        self
    }
}

impl<const N: usize> Lanes<N> {
    /// Applies a function that is too rare or too branchy to be worth vectorising.
    #[inline]
    fn each(mut self, f: fn(f64) -> f64) -> Self {
        let mut i = 0;
        while i < N {
            self.0[i] = f(self.0[i]);
            i += 1;
        }
        self
    }
}

impl<const N: usize> Real for Lanes<N> {
    type Mask = LaneMask<N>;
    own_primal!();
    one_makes_a_pack!();
    type Lane = f64;
    const LANES: usize = N;
    const SERIES_TERMS: usize = <f64 as Real>::SERIES_TERMS;

    #[inline(always)]
    fn lift(x: f64) -> Self {
        Self([x; N])
    }
    #[inline(always)]
    fn lane(self, i: usize) -> f64 {
        self.0[i]
    }
    #[inline(always)]
    fn set_lane(&mut self, i: usize, x: f64) {
        self.0[i] = x;
    }
    #[inline(always)]
    fn ratio(numerator: f64, denominator: f64) -> Self {
        Self([numerator / denominator; N])
    }
    #[inline(always)]
    fn inverse_factorial(n: usize) -> Self {
        Self::lift(f64::inverse_factorial(n))
    }
    #[inline(always)]
    fn circle_coefficient(n: usize) -> Self {
        Self::lift(f64::circle_coefficient(n))
    }
    #[inline(always)]
    fn sqrt(mut self) -> Self {
        let mut i = 0;
        while i < N {
            self.0[i] = elementary::sqrt(self.0[i]);
            i += 1;
        }
        self
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (mut s, mut c) = (self, self);
        let mut i = 0;
        while i < N {
            (s.0[i], c.0[i]) = elementary::sin_cos(self.0[i]);
            i += 1;
        }
        (s, c)
    }
    #[inline]
    fn atan2(mut self, x: Self) -> Self {
        let mut i = 0;
        while i < N {
            self.0[i] = libm::atan2(self.0[i], x.0[i]);
            i += 1;
        }
        self
    }
    #[inline]
    fn exp(self) -> Self {
        self.each(libm::exp)
    }
    #[inline]
    fn ln(self) -> Self {
        self.each(libm::log)
    }
    #[inline(always)]
    fn abs(mut self) -> Self {
        let mut i = 0;
        while i < N {
            self.0[i] = Real::abs(self.0[i]);
            i += 1;
        }
        self
    }
    #[inline]
    fn floor(self) -> Self {
        self.each(libm::floor)
    }
    #[inline(always)]
    fn lt(self, other: Self) -> LaneMask<N> {
        let mut mask = LaneMask([0; N]);
        let mut i = 0;
        while i < N {
            mask.0[i] = bits(self.0[i] < other.0[i]);
            i += 1;
        }
        mask
    }
    #[inline(always)]
    fn finite(self) -> LaneMask<N> {
        let mut mask = LaneMask([0; N]);
        let mut i = 0;
        while i < N {
            mask.0[i] = bits(Real::abs(self.0[i]) < f64::INFINITY);
            i += 1;
        }
        mask
    }
    #[inline(always)]
    fn select(mask: LaneMask<N>, a: Self, mut b: Self) -> Self {
        let mut i = 0;
        while i < N {
            let yes = mask.0[i];
            b.0[i] = f64::from_bits((a.0[i].to_bits() & yes) | (b.0[i].to_bits() & !yes));
            i += 1;
        }
        b
    }
    #[inline]
    fn magnitude(self) -> f64 {
        let mut largest = 0.0f64;
        let mut i = 0;
        while i < N {
            let x = Real::abs(self.0[i]);
            if x.is_nan() {
                return x;
            }
            largest = if x > largest { x } else { largest };
            i += 1;
        }
        largest
    }
}
