//! Lists of numbers in rows of four, to be worked on in packs.
use lieflow::Real;
use lieflow::kernel::wide::Vectors;

/// Four numbers side by side.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Row<S>(pub [S; 4]);

impl<S: Real> Row<S> {
    /// Zeros.
    pub fn zero() -> Self {
        Self([S::zero(); 4])
    }
    /// The numbers from `v` on, as many as make a pack.
    #[inline(always)]
    pub fn get<V: Vectors>(&self, v: usize) -> S::Pack<V> {
        if S::width::<V>() == 4 { S::pack::<V>(self.0) } else { S::pack::<V>([self.0[v]; 4]) }
    }
    /// Replaces the numbers from `v` on.
    #[inline(always)]
    pub fn set<V: Vectors>(&mut self, v: usize, pack: S::Pack<V>) {
        let list = S::unpack::<V>(pack);
        if S::width::<V>() == 4 {
            self.0 = list;
        } else {
            self.0[v] = list[0];
        }
    }
}
