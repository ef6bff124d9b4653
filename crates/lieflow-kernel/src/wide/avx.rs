//! Packs of four numbers in one register of 256 bits: lanes are gathered from four bodies, and with
//! eight there would be too few registers.
use super::{Vectors, sealed::Sealed};
use crate::scalar::{Machine, Pack, Quad};
use core::arch::x86_64::*;
use core::mem::transmute;

/// That the machine has AVX2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2;

// SAFETY: the type is private to `wide`, where [`run_vectorised`](super::run_vectorised) and its like
// alone make use of it, after they have asked the machine.
unsafe impl Machine for Avx2 {
    type Registers = Quad;
}

impl Sealed for Avx2 {}
impl Vectors for Avx2 {
    type Pack = Pack<Self>;
    const WIDTH: usize = 4;
    #[inline(always)]
    fn pack(x: [f64; 4]) -> Pack<Self> {
        Pack::from_array(x)
    }
    #[inline(always)]
    fn unpack(x: Pack<Self>) -> [f64; 4] {
        x.to_array()
    }
    // Two halves of each register come from memory as they are, and one instruction sorts them.
    #[inline(always)]
    fn pack_pairs([a, b, c, d]: [[f64; 2]; 4]) -> [Pack<Self>; 2] {
        // SAFETY: the machine has the instructions, as for all of this type, and a register is four
        // numbers, the first lowest.
        unsafe {
            let [a, b, c, d]: [__m128d; 4] = transmute([a, b, c, d]);
            let (first, second) = (_mm256_set_m128d(c, a), _mm256_set_m128d(d, b));
            let x: [f64; 4] = transmute(_mm256_unpacklo_pd(first, second));
            let y: [f64; 4] = transmute(_mm256_unpackhi_pd(first, second));
            [Pack::from_array(x), Pack::from_array(y)]
        }
    }
    #[inline(always)]
    fn unpack_pairs([x, y]: [Pack<Self>; 2]) -> [[f64; 2]; 4] {
        // SAFETY: as above.
        unsafe {
            let x: __m256d = transmute(x.to_array());
            let y: __m256d = transmute(y.to_array());
            let (first, second) = (_mm256_unpacklo_pd(x, y), _mm256_unpackhi_pd(x, y));
            let [a, c]: [[f64; 2]; 2] = transmute(first);
            let [b, d]: [[f64; 2]; 2] = transmute(second);
            [a, b, c, d]
        }
    }
}
