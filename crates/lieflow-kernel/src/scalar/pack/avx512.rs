//! Registers of 512 bits: eight numbers in one. There are twice as many of them as of the shorter
//! ones, so that a step rarely has to put numbers aside.
use super::registers::{compiled_for, each, long_functions_of};
use super::{Machine, Pack, Registers, avx512};
use crate::tape::{Instruction, Tape};
use core::arch::x86_64::*;

/// Eight numbers in one register of AVX-512.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Whole(__m512d);

compiled_for!("avx512f");

// SAFETY: the register holds eight numbers, the first lowest.
unsafe impl Registers for Whole {
    type Array = [f64; 8];
    type Answers = __mmask8;
    const LANES: usize = 8;

    each! {
        add(a, b) = _mm512_add_pd(a.0, b.0);
        sub(a, b) = _mm512_sub_pd(a.0, b.0);
        mul(a, b) = _mm512_mul_pd(a.0, b.0);
        div(a, b) = _mm512_div_pd(a.0, b.0);
        sqrt(a) = _mm512_sqrt_pd(a.0);
        neg(a) = xor(a.0, _mm512_castpd_si512(_mm512_set1_pd(-0.0)));
        abs(a) = _mm512_abs_pd(a.0);
    }

    #[inline(always)]
    unsafe fn splat(x: f64) -> Self {
        // SAFETY: the caller has AVX-512.
        unsafe { Self(_mm512_set1_pd(x)) }
    }
    #[inline(always)]
    unsafe fn lt(a: Self, b: Self) -> __mmask8 {
        // SAFETY: the caller has AVX-512.
        unsafe { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(a.0, b.0) }
    }
    #[inline(always)]
    unsafe fn eq(a: Self, b: Self) -> __mmask8 {
        // SAFETY: the caller has AVX-512.
        unsafe { _mm512_cmp_pd_mask::<_CMP_EQ_OQ>(a.0, b.0) }
    }
    #[inline(always)]
    unsafe fn select(yes: __mmask8, a: Self, b: Self) -> Self {
        // SAFETY: the caller has AVX-512.
        unsafe { Self(_mm512_mask_blend_pd(yes, b.0, a.0)) }
    }
    #[inline(always)]
    unsafe fn quadrants(turns: Self, sin: Self, cos: Self) -> (Self, Self) {
        // SAFETY: the caller has AVX-512.
        unsafe {
            let quadrant = _mm512_castpd_si512(turns.0);
            let (one, two) = (_mm512_set1_epi64(1), _mm512_set1_epi64(2));
            let odd = _mm512_test_epi64_mask(quadrant, one);
            let sine = _mm512_slli_epi64::<62>(_mm512_and_si512(quadrant, two));
            let next = _mm512_add_epi64(quadrant, one);
            let cosine = _mm512_slli_epi64::<62>(_mm512_and_si512(next, two));
            let s = _mm512_mask_blend_pd(odd, sin.0, cos.0);
            let c = _mm512_mask_blend_pd(odd, cos.0, sin.0);
            (Self(xor(s, sine)), Self(xor(c, cosine)))
        }
    }
    #[inline(always)]
    unsafe fn and(a: __mmask8, b: __mmask8) -> __mmask8 {
        a & b
    }
    #[inline(always)]
    unsafe fn or(a: __mmask8, b: __mmask8) -> __mmask8 {
        a | b
    }
    #[inline(always)]
    unsafe fn not(a: __mmask8) -> __mmask8 {
        !a
    }
    #[inline(always)]
    unsafe fn bits(a: __mmask8) -> u32 {
        u32::from(a)
    }
    #[inline(always)]
    unsafe fn answer(yes: bool) -> __mmask8 {
        0u8.wrapping_sub(u8::from(yes))
    }
    #[inline(always)]
    unsafe fn dexpinv_far<M: Machine<Registers = Self>>(z: Pack<M>) -> (Pack<M>, Pack<M>) {
        // SAFETY: the caller has AVX-512.
        unsafe { dexpinv_far(z) }
    }
    long_functions_of!(avx512);
}

/// Flips bits.
#[inline(always)]
unsafe fn xor(a: __m512d, bits: __m512i) -> __m512d {
    // SAFETY: the caller has AVX-512.
    unsafe { _mm512_castsi512_pd(_mm512_xor_si512(_mm512_castpd_si512(a), bits)) }
}
