//! Four numbers in one register of 256 bits.
//!
//! As [`Octet`](crate::Octet), for lanes that are gathered from four bodies: with eight there would
//! be too few registers.
//!
//! # Safety
//! Every operation needs AVX. Values exist only inside [`widest`](super::widest), which has asked
//! the machine: [`Avx2`] is private, and the functions here are reached through it alone.
use super::{Vectors, sealed::Sealed};
use crate::{Lanes, Mask, Real};
use core::arch::x86_64::{
    __m256d, _CMP_LT_OQ, _mm256_add_pd, _mm256_and_pd, _mm256_andnot_pd, _mm256_blendv_pd,
    _mm256_cmp_pd, _mm256_div_pd, _mm256_movemask_pd, _mm256_mul_pd, _mm256_or_pd, _mm256_set1_pd,
    _mm256_setr_pd, _mm256_sqrt_pd, _mm256_sub_pd, _mm256_xor_pd,
};
use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

/// That the machine has AVX2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2;

impl Sealed for Avx2 {}
impl Vectors for Avx2 {
    type Pack = Four;
    const WIDTH: usize = 4;
    #[inline(always)]
    fn pack([a, b, c, d]: [f64; 4]) -> Four {
        // SAFETY: see the head of this file; so for every such block below.
        Four(unsafe { _mm256_setr_pd(a, b, c, d) })
    }
    #[inline(always)]
    fn unpack(x: Four) -> [f64; 4] {
        // SAFETY: both are four numbers of 64 bits.
        unsafe { core::mem::transmute(x.0) }
    }
}

/// Four numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Four(__m256d);

/// Four answers: all bits of a place are set, or none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answers(__m256d);

impl Four {
    #[inline(always)]
    fn all(x: f64) -> Self {
        // SAFETY: see the head of this file.
        Self(unsafe { _mm256_set1_pd(x) })
    }
    /// Leaves the vectors for what is rare.
    #[inline(always)]
    fn lanes(self) -> Lanes<4> {
        Lanes(Avx2::unpack(self))
    }
    #[inline(always)]
    fn of(x: Lanes<4>) -> Self {
        Avx2::pack(x.0)
    }
}

impl PartialEq for Four {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.lanes() == other.lanes()
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $assign:ident, $assigned:ident, $op:tt, $vector:ident) => {
        impl $trait for Four {
            type Output = Self;
            #[inline(always)]
            fn $method(self, o: Self) -> Self {
                // SAFETY: see the head of this file.
                Self(unsafe { $vector(self.0, o.0) })
            }
        }
        impl $assign for Four {
            #[inline(always)]
            fn $assigned(&mut self, o: Self) {
                *self = *self $op o;
            }
        }
    };
}
operator!(Add, add, AddAssign, add_assign, +, _mm256_add_pd);
operator!(Sub, sub, SubAssign, sub_assign, -, _mm256_sub_pd);
operator!(Mul, mul, MulAssign, mul_assign, *, _mm256_mul_pd);

impl Div for Four {
    type Output = Self;
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        // SAFETY: see the head of this file.
        Self(unsafe { _mm256_div_pd(self.0, o.0) })
    }
}
impl Neg for Four {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: see the head of this file.
        Self(unsafe { _mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)) })
    }
}
impl Mul<f64> for Four {
    type Output = Self;
    #[inline(always)]
    fn mul(self, a: f64) -> Self {
        self * Self::all(a)
    }
}

impl Mask for Answers {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: see the head of this file.
        Self(unsafe { _mm256_and_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: see the head of this file.
        Self(unsafe { _mm256_or_pd(self.0, other.0) })
    }
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: see the head of this file.
        Self(unsafe { _mm256_xor_pd(self.0, Self::splat(true).0) })
    }
    #[inline(always)]
    fn all(self) -> bool {
        // SAFETY: see the head of this file.
        unsafe { _mm256_movemask_pd(self.0) == 0b1111 }
    }
    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: see the head of this file.
        unsafe { _mm256_movemask_pd(self.0) != 0 }
    }
    #[inline(always)]
    fn splat(value: bool) -> Self {
        let bits = if value { u64::MAX } else { 0 };
        Self(Four::all(f64::from_bits(bits)).0)
    }
}

impl Real for Four {
    type Mask = Answers;
    type Primal = Self;
    type Lane = f64;
    const LANES: usize = 4;
    type Pack<V: Vectors> = Self;
    const SERIES_TERMS: usize = <f64 as Real>::SERIES_TERMS;

    #[inline(always)]
    fn pack<V: Vectors>(list: [Self; 4]) -> Self {
        list[0]
    }
    #[inline(always)]
    fn unpack<V: Vectors>(pack: Self) -> [Self; 4] {
        [pack; 4]
    }
    #[inline(always)]
    fn lift(x: f64) -> Self {
        Self::all(x)
    }
    #[inline(always)]
    fn primal(self) -> Self {
        self
    }
    #[inline(always)]
    fn from_primal(x: Self) -> Self {
        x
    }
    #[inline(always)]
    fn lane(self, i: usize) -> f64 {
        Avx2::unpack(self)[i]
    }
    #[inline(always)]
    fn set_lane(&mut self, i: usize, x: f64) {
        let mut list = Avx2::unpack(*self);
        list[i] = x;
        *self = Avx2::pack(list);
    }
    #[inline(always)]
    fn ratio(numerator: f64, denominator: f64) -> Self {
        Self::all(numerator / denominator)
    }
    #[inline(always)]
    fn inverse_factorial(n: usize) -> Self {
        Self::all(f64::inverse_factorial(n))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: see the head of this file.
        Self(unsafe { _mm256_sqrt_pd(self.0) })
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = self.lanes().sin_cos();
        (Self::of(s), Self::of(c))
    }
    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        Self::of(self.lanes().atan2(x.lanes()))
    }
    #[inline(always)]
    fn exp(self) -> Self {
        Self::of(self.lanes().exp())
    }
    #[inline(always)]
    fn ln(self) -> Self {
        Self::of(self.lanes().ln())
    }
    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: see the head of this file.
        Self(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0) })
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Answers {
        // SAFETY: see the head of this file.
        Answers(unsafe { _mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0) })
    }
    #[inline(always)]
    fn finite(self) -> Answers {
        Real::abs(self).lt(Self::all(f64::INFINITY))
    }
    #[inline(always)]
    fn select(mask: Answers, a: Self, b: Self) -> Self {
        // SAFETY: see the head of this file.
        Self(unsafe { _mm256_blendv_pd(b.0, a.0, mask.0) })
    }
    #[inline(always)]
    fn stumpff_far(z: Self) -> [Self; 6] {
        // SAFETY: see the head of this file.
        unsafe { stumpff_far(z) }
    }
    #[inline(always)]
    fn magnitude(self) -> f64 {
        self.lanes().magnitude()
    }
}

/// [`Real::stumpff_far`], compiled for AVX2.
#[cold]
#[target_feature(enable = "avx2")]
#[inline(never)]
fn stumpff_far(z: Four) -> [Four; 6] {
    crate::scalar::stumpff::far(z)
}
