//! Two packs of four side by side in one register, for machines with registers of 512 bits: quotients and
//! roots of eight numbers may take no longer than those of four.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::avx512::Avx512;
use super::{Vectors, sealed::Sealed};
use crate::Real;

/// Registers for two packs. Only [`run_in_twins`] chooses them.
pub trait Twins: Sealed + Copy + core::fmt::Debug + 'static {
    /// The vectors of one pack.
    type Half: Vectors;
    /// Two packs.
    type Both: Real;
    /// These packs, side by side.
    fn both(halves: [<Self::Half as Vectors>::Pack; 2]) -> Self::Both;
    /// The packs.
    fn halves(both: Self::Both) -> [<Self::Half as Vectors>::Pack; 2];
}

/// [`VectorWork`](super::VectorWork) that has a use for two packs side by side.
pub trait TwinWork {
    /// Does the work.
    fn run<T: Twins>(self);
}

/// Does the work if the machine has the registers, and says whether it has.
#[inline(always)]
#[must_use]
pub fn run_in_twins<L: TwinWork>(work: L) -> bool {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    {
        use std::arch::is_x86_feature_detected as has;
        if has!("avx512f") && has!("avx512vl") {
            // SAFETY: the function is safe but for the need of these instructions, and the machine has
            // them.
            unsafe { with_avx512(work) };
            return true;
        }
    }
    let _ = work;
    false
}

#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[target_feature(enable = "avx512f,avx512vl")]
#[inline(never)]
fn with_avx512<L: TwinWork>(work: L) {
    work.run::<Avx512>();
}
