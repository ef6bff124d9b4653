//! Two packs of four numbers in one register of 512 bits.
use super::avx::Avx2;
use super::{sealed::Sealed, twins::Twins};
use crate::scalar::{Machine, Pack, Whole};
use core::arch::x86_64::*;
use core::mem::transmute;

/// That the machine has AVX-512 F, and with it AVX2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx512;

// SAFETY: the type is private to `wide`, where [`run_in_twins`](super::twins::run_in_twins) alone makes use
// of it, after it has asked the machine.
unsafe impl Machine for Avx512 {
    type Registers = Whole;
}

impl Sealed for Avx512 {}
impl Twins for Avx512 {
    type Half = Avx2;
    type Both = Pack<Self>;
    #[inline(always)]
    fn both([a, b]: [Pack<Avx2>; 2]) -> Pack<Self> {
        // SAFETY: the machine has the instructions, as for all of this type, and registers are four and
        // eight numbers, the first lowest.
        unsafe {
            let [a, b]: [__m256d; 2] = transmute([a.to_array(), b.to_array()]);
            let both = _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(a), b);
            Pack::from_array(transmute::<__m512d, [f64; 8]>(both))
        }
    }
    #[inline(always)]
    fn halves(both: Pack<Self>) -> [Pack<Avx2>; 2] {
        // SAFETY: as above.
        unsafe {
            let both: __m512d = transmute(both.to_array());
            let (a, b) = (_mm512_castpd512_pd256(both), _mm512_extractf64x4_pd::<1>(both));
            let [a, b]: [[f64; 4]; 2] = transmute([a, b]);
            [Pack::from_array(a), Pack::from_array(b)]
        }
    }
}
