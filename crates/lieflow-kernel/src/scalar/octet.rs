//! Eight `f64` side by side in two vectors of AVX2, for functions that are compiled for it.
//!
//! [`Lanes`](super::Lanes) leave it to the compiler to find the vectors again, which it does only
//! in part, and slowly; here each operation is two vector instructions. Both give the bits of the
//! `f64` run: the operations are the same IEEE operations, and nothing is fused.
//!
//! An operation on octets is inlined, instructions and all, into any function with
//! `#[target_feature(enable = "avx2")]`; elsewhere it is a call, and slow.
//!
//! # Safety
//!
//! Every `unsafe` block of this file calls instructions of AVX or AVX2, which are undefined on
//! machines that lack them and have no other requirement (the two that go through memory read and
//! write an array of the same size as the vectors). The operations of [`Real`] are safe functions,
//! also those that make a number from nothing, so the promise that the machine has AVX2 is made
//! where the type is named: `Octet<M>` has operations only if `M` implements the unsafe trait
//! [`Avx2`].
use super::{Mask, Real, elementary};
use crate::wide::Vectors;
use core::arch::x86_64::*;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

/// A name for machines with AVX2.
///
/// # Safety
///
/// Whoever implements this promises that `Octet<Self>` is computed with only on machines that have
/// AVX2, for instance because the type is private and used only after
/// `is_x86_feature_detected!("avx2")`.
pub unsafe trait Avx2: 'static + Send + Sync {}

/// Eight numbers, operated on lane by lane.
pub struct Octet<M> {
    low: __m256d,
    high: __m256d,
    machine: PhantomData<M>,
}

/// One answer per lane, as all bits of a number or none.
pub struct OctetMask<M>(Octet<M>);

impl<M> Clone for Octet<M> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<M> Copy for Octet<M> {}
impl<M> Clone for OctetMask<M> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<M> Copy for OctetMask<M> {}

/// An instruction on both vectors of one octet or two.
macro_rules! pair {
    ($a:expr, $instruction:expr) => {{
        let a = $a;
        // SAFETY: `M` promises AVX2.
        unsafe { Octet::new($instruction(a.low), $instruction(a.high)) }
    }};
    ($a:expr, $b:expr, $instruction:expr) => {{
        let (a, b) = ($a, $b);
        // SAFETY: `M` promises AVX2.
        unsafe { Octet::new($instruction(a.low, b.low), $instruction(a.high, b.high)) }
    }};
}

impl<M: Avx2> Octet<M> {
    /// Eight numbers.
    #[inline(always)]
    pub fn from_array(x: [f64; 8]) -> Self {
        let [a, b, c, d, e, f, g, h] = x;
        // SAFETY: `M` promises AVX2.
        unsafe { Self::new(_mm256_setr_pd(a, b, c, d), _mm256_setr_pd(e, f, g, h)) }
    }
    /// The eight numbers.
    #[inline(always)]
    pub fn to_array(self) -> [f64; 8] {
        let mut out = [0.0; 8];
        // SAFETY: `M` promises AVX2; the array has room for two vectors of four.
        unsafe {
            _mm256_storeu_pd(out.as_mut_ptr(), self.low);
            _mm256_storeu_pd(out.as_mut_ptr().add(4), self.high);
        }
        out
    }
    #[inline(always)]
    fn new(low: __m256d, high: __m256d) -> Self {
        Self { low, high, machine: PhantomData }
    }
    /// A function that is too rare or too branchy to be worth vectors.
    #[inline(always)]
    fn each(self, f: fn(f64) -> f64) -> Self {
        let mut x = self.to_array();
        let mut i = 0;
        while i < 8 {
            x[i] = f(x[i]);
            i += 1;
        }
        Self::from_array(x)
    }
}

impl<M: Avx2> OctetMask<M> {
    /// The answers.
    pub fn to_array(self) -> [bool; 8] {
        self.0.to_array().map(|x| x.to_bits() != 0)
    }
}

impl<M: Avx2> fmt::Debug for Octet<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Octet").field(&self.to_array()).finish()
    }
}
impl<M: Avx2> fmt::Debug for OctetMask<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OctetMask").field(&self.to_array()).finish()
    }
}
impl<M: Avx2> PartialEq for Octet<M> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        OctetMask::<M>(pair!(*self, *other, _mm256_cmp_pd::<_CMP_EQ_OQ>)).all()
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $instruction:ident, $assign:ident, $method_assign:ident) => {
        operator!($trait, $method, $instruction);
        impl<M: Avx2> $assign for Octet<M> {
            #[inline(always)]
            fn $method_assign(&mut self, o: Self) {
                *self = pair!(*self, o, $instruction);
            }
        }
    };
    ($trait:ident, $method:ident, $instruction:ident) => {
        impl<M: Avx2> $trait for Octet<M> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, o: Self) -> Self {
                pair!(self, o, $instruction)
            }
        }
    };
}
operator!(Add, add, _mm256_add_pd, AddAssign, add_assign);
operator!(Sub, sub, _mm256_sub_pd, SubAssign, sub_assign);
operator!(Mul, mul, _mm256_mul_pd, MulAssign, mul_assign);
operator!(Div, div, _mm256_div_pd);

impl<M: Avx2> Neg for Octet<M> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        pair!(self, Self::lift(-0.0), _mm256_xor_pd)
    }
}
impl<M: Avx2> Mul<f64> for Octet<M> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, a: f64) -> Self {
        self * Self::lift(a)
    }
}

impl<M: Avx2> Mask for OctetMask<M> {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(pair!(self.0, other.0, _mm256_and_pd))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(pair!(self.0, other.0, _mm256_or_pd))
    }
    #[inline(always)]
    fn not(self) -> Self {
        Self(pair!(self.0, Self::splat(true).0, _mm256_xor_pd))
    }
    #[inline(always)]
    fn all(self) -> bool {
        // SAFETY: `M` promises AVX2.
        unsafe { _mm256_movemask_pd(_mm256_and_pd(self.0.low, self.0.high)) == 0xF }
    }
    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: `M` promises AVX2.
        unsafe { _mm256_movemask_pd(_mm256_or_pd(self.0.low, self.0.high)) != 0 }
    }
    #[inline(always)]
    fn splat(value: bool) -> Self {
        Self(Octet::lift(f64::from_bits(0u64.wrapping_sub(u64::from(value)))))
    }
}

impl<M: Avx2> Real for Octet<M> {
    type Mask = OctetMask<M>;
    type Primal = Self;
    type Lane = f64;
    const LANES: usize = 8;
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
        // SAFETY: `M` promises AVX2.
        unsafe { Self::new(_mm256_set1_pd(x), _mm256_set1_pd(x)) }
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
        self.to_array()[i]
    }
    #[inline(always)]
    fn set_lane(&mut self, i: usize, x: f64) {
        let mut all = self.to_array();
        all[i] = x;
        *self = Self::from_array(all);
    }
    #[inline]
    fn write_lanes(self, out: &mut [f64]) {
        if let Some(out) = out.first_chunk_mut() {
            *out = self.to_array();
        }
    }
    #[inline]
    fn read_lanes(list: &[f64]) -> Self {
        match list.first_chunk() {
            Some(list) => Self::from_array(*list),
            None => Self::zero(),
        }
    }
    #[inline(always)]
    fn ratio(numerator: f64, denominator: f64) -> Self {
        Self::lift(numerator / denominator)
    }
    #[inline(always)]
    fn inverse_factorial(n: usize) -> Self {
        Self::lift(f64::inverse_factorial(n))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        pair!(self, _mm256_sqrt_pd)
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let usual = self.abs().lt(Self::lift(elementary::LARGE));
        if !usual.all() {
            // Far away, lane by lane.
            let (mut s, mut c) = (self.to_array(), self.to_array());
            let mut i = 0;
            while i < 8 {
                (s[i], c[i]) = elementary::sin_cos(s[i]);
                i += 1;
            }
            return (Self::from_array(s), Self::from_array(c));
        }
        let (turns, s, c) = elementary::reduced(self);
        // Odd quadrants exchange sine and cosine; signs are set by bit operations.
        let (odd, sine, cosine) = quadrants(turns);
        let sin = Self::select(odd, c, s);
        let cos = Self::select(odd, s, c);
        (pair!(sin, sine, _mm256_xor_pd), pair!(cos, cosine, _mm256_xor_pd))
    }
    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        let (mut a, b) = (self.to_array(), x.to_array());
        let mut i = 0;
        while i < 8 {
            a[i] = libm::atan2(a[i], b[i]);
            i += 1;
        }
        Self::from_array(a)
    }
    #[inline(always)]
    fn exp(self) -> Self {
        self.each(libm::exp)
    }
    #[inline(always)]
    fn ln(self) -> Self {
        self.each(libm::log)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        pair!(Self::lift(-0.0), self, _mm256_andnot_pd)
    }
    #[inline(always)]
    fn lt(self, other: Self) -> OctetMask<M> {
        OctetMask(pair!(self, other, _mm256_cmp_pd::<_CMP_LT_OQ>))
    }
    #[inline(always)]
    fn finite(self) -> OctetMask<M> {
        self.abs().lt(Self::lift(f64::INFINITY))
    }
    #[inline(always)]
    fn select(mask: OctetMask<M>, a: Self, b: Self) -> Self {
        // SAFETY: `M` promises AVX2.
        unsafe {
            Self::new(
                _mm256_blendv_pd(b.low, a.low, mask.0.low),
                _mm256_blendv_pd(b.high, a.high, mask.0.high),
            )
        }
    }
    #[inline(always)]
    fn stumpff_far(z: Self) -> [Self; 6] {
        // SAFETY: `M` promises AVX2.
        unsafe { stumpff_far(z) }
    }
    #[inline]
    fn magnitude(self) -> f64 {
        super::Lanes(self.to_array()).magnitude()
    }
}

/// [`Real::stumpff_far`], compiled for AVX2.
#[cold]
#[target_feature(enable = "avx2")]
#[inline(never)]
fn stumpff_far<M: Avx2>(z: Octet<M>) -> [Octet<M>; 6] {
    super::stumpff::far(z)
}

/// For quadrants in the low bits of each lane: where they are odd, and the sign bits of sine and
/// cosine.
#[inline(always)]
fn quadrants<M: Avx2>(turns: Octet<M>) -> (OctetMask<M>, Octet<M>, Octet<M>) {
    let (a, b, c) = quadrant(turns.low, PhantomData::<M>);
    let (d, e, f) = quadrant(turns.high, PhantomData::<M>);
    (OctetMask(Octet::new(a, d)), Octet::new(b, e), Octet::new(c, f))
}

#[inline(always)]
fn quadrant<M: Avx2>(turns: __m256d, _: PhantomData<M>) -> (__m256d, __m256d, __m256d) {
    // SAFETY: `M` promises AVX2.
    unsafe {
        let quadrant = _mm256_castpd_si256(turns);
        let one = _mm256_set1_epi64x(1);
        let two = _mm256_set1_epi64x(2);
        let odd = _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_and_si256(quadrant, one));
        let sine = _mm256_slli_epi64::<62>(_mm256_and_si256(quadrant, two));
        let next = _mm256_add_epi64(quadrant, one);
        let cosine = _mm256_slli_epi64::<62>(_mm256_and_si256(next, two));
        (_mm256_castsi256_pd(odd), _mm256_castsi256_pd(sine), _mm256_castsi256_pd(cosine))
    }
}
