//! Registers of 256 bits: four numbers in one.
use super::registers::{compiled_for, each, long_functions_of};
use super::{Machine, Pack, Registers, avx2};
use crate::tape::{Instruction, Tape};
use core::arch::x86_64::*;

/// Four numbers in one register of AVX2.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Quad(__m256d);

compiled_for!("avx2");

// Answers are all bits of a lane, or none.
// SAFETY: the register holds four numbers, the first lowest.
unsafe impl Registers for Quad {
    type Array = [f64; 4];
    type Answers = Self;
    const LANES: usize = 4;

    each! {
        add(a, b) = _mm256_add_pd(a.0, b.0);
        sub(a, b) = _mm256_sub_pd(a.0, b.0);
        mul(a, b) = _mm256_mul_pd(a.0, b.0);
        div(a, b) = _mm256_div_pd(a.0, b.0);
        sqrt(a) = _mm256_sqrt_pd(a.0);
        neg(a) = _mm256_xor_pd(a.0, _mm256_set1_pd(-0.0));
        abs(a) = _mm256_andnot_pd(_mm256_set1_pd(-0.0), a.0);
        lt(a, b) = _mm256_cmp_pd::<_CMP_LT_OQ>(a.0, b.0);
        eq(a, b) = _mm256_cmp_pd::<_CMP_EQ_OQ>(a.0, b.0);
        select(yes, a, b) = _mm256_blendv_pd(b.0, a.0, yes.0);
        and(a, b) = _mm256_and_pd(a.0, b.0);
        or(a, b) = _mm256_or_pd(a.0, b.0);
        not(a) = _mm256_xor_pd(a.0, Self::answer(true).0);
    }

    #[inline(always)]
    unsafe fn splat(x: f64) -> Self {
        // SAFETY: the caller has AVX2.
        unsafe { Self(_mm256_set1_pd(x)) }
    }
    #[inline(always)]
    unsafe fn quadrants(turns: Self, sin: Self, cos: Self) -> (Self, Self) {
        // SAFETY: the caller has AVX2.
        unsafe {
            let quadrant = _mm256_castpd_si256(turns.0);
            let (one, two) = (_mm256_set1_epi64x(1), _mm256_set1_epi64x(2));
            let odd = _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_and_si256(quadrant, one));
            let odd = _mm256_castsi256_pd(odd);
            let sine = _mm256_slli_epi64::<62>(_mm256_and_si256(quadrant, two));
            let next = _mm256_add_epi64(quadrant, one);
            let cosine = _mm256_slli_epi64::<62>(_mm256_and_si256(next, two));
            let s = _mm256_blendv_pd(sin.0, cos.0, odd);
            let c = _mm256_blendv_pd(cos.0, sin.0, odd);
            (
                Self(_mm256_xor_pd(s, _mm256_castsi256_pd(sine))),
                Self(_mm256_xor_pd(c, _mm256_castsi256_pd(cosine))),
            )
        }
    }
    #[inline(always)]
    unsafe fn bits(a: Self) -> u32 {
        // SAFETY: the caller has AVX2.
        unsafe { _mm256_movemask_pd(a.0) as u32 }
    }
    #[inline(always)]
    unsafe fn answer(yes: bool) -> Self {
        // SAFETY: the caller has AVX2.
        unsafe { Self::splat(f64::from_bits(0u64.wrapping_sub(u64::from(yes)))) }
    }
    #[inline(always)]
    unsafe fn dexpinv_far<M: Machine<Registers = Self>>(z: Pack<M>) -> (Pack<M>, Pack<M>) {
        crate::scalar::stumpff::long_dexpinv(z)
    }
    long_functions_of!(avx2);
}
