//! Packs of four numbers in one register of 256 bits: lanes are gathered from four bodies, and with
//! eight there would be too few registers.
use super::{Vectors, sealed::Sealed};
use crate::scalar::{Machine, Pack, Quad};

/// That the machine has AVX2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2;

// SAFETY: the type is private to `wide`, where [`run_vectorised`](super::run_vectorised) alone
// makes use of it, after it has asked the machine.
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
}
