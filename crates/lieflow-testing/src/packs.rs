//! Numbers side by side in the vectors of this machine, for whoever has asked it.
use lieflow::kernel::{Machine, Pack, Pair, Quad, Whole};

/// AVX2.
#[derive(Debug)]
pub enum Avx2 {}
/// AVX-512.
#[derive(Debug)]
pub enum Avx512 {}

// SAFETY: tests ask the machine before they make numbers of this kind.
unsafe impl Machine for Avx2 {
    type Registers = Pair<Quad>;
}
// SAFETY: as above.
unsafe impl Machine for Avx512 {
    type Registers = Pair<Whole>;
}

/// Eight numbers.
pub type Eight = Pack<Avx2>;
/// Sixteen numbers.
pub type Sixteen = Pack<Avx512>;
