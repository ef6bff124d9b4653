//! Loops over many bodies, compiled a second time for wide vectors.
//!
//! The build is for every machine of its kind, so vector instructions beyond the oldest ones have
//! to be chosen at run time. A [`VectorWork`] is run by a function that is compiled for them, and
//! with it everything that is inlined: its body and all that the body calls. Bodies are therefore
//! marked for inlining and have no closures. They work on packs, [`Real::Pack`], of four numbers or
//! one; the operations are those of one number, products and sums are not fused, and sums over
//! bodies are formed by every fourth, so that all machines give the same bits.
use crate::scalar::Apart;
use crate::{Real, Vec3};

#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod avx;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod avx512;
pub mod rows;
pub mod twins;

/// The vectors for which a loop is compiled. Only [`run_vectorised`] chooses them.
pub trait Vectors: sealed::Sealed + Copy + core::fmt::Debug + 'static {
    /// Some numbers.
    type Pack: Real;
    /// How many: four, or one.
    const WIDTH: usize;
    /// A pack of these numbers, or of the first of them.
    fn pack(x: [f64; 4]) -> Self::Pack;
    /// The numbers of a pack, or four times the same.
    fn unpack(x: Self::Pack) -> [f64; 4];
    /// The first numbers of four pairs as one pack, the second as another; or those of the first pair.
    fn pack_pairs(x: [[f64; 2]; 4]) -> [Self::Pack; 2];
    /// The pairs, or four times the same.
    fn unpack_pairs(x: [Self::Pack; 2]) -> [[f64; 2]; 4];
}

mod sealed {
    pub trait Sealed {}
}

/// No vectors: one number at a time. What every machine of this kind has makes packs no faster than
/// that, where they must be gathered first.
#[derive(Clone, Copy, Debug)]
pub struct NoVectors;

impl sealed::Sealed for NoVectors {}
impl Vectors for NoVectors {
    type Pack = f64;
    const WIDTH: usize = 1;
    #[inline(always)]
    fn pack(x: [f64; 4]) -> f64 {
        x[0]
    }
    #[inline(always)]
    fn unpack(x: f64) -> [f64; 4] {
        [x; 4]
    }
    #[inline(always)]
    fn pack_pairs(x: [[f64; 2]; 4]) -> [f64; 2] {
        x[0]
    }
    #[inline(always)]
    fn unpack_pairs(x: [f64; 2]) -> [[f64; 2]; 4] {
        [x; 4]
    }
}

/// Work that is worth wide vectors. The function is called once, with everything it needs in
/// `self`, and must be marked `#[inline(always)]`.
pub trait VectorWork {
    /// What it returns.
    type Output;
    /// Does the work.
    fn run<V: Vectors>(self) -> Self::Output;
}

/// Does the work with the widest vectors that this machine has, if it is over numbers that have
/// packs. Over several trajectories side by side it is compiled for their instructions. The work is
/// never inlined, so that engines which share it are built faster.
#[inline(always)]
pub fn run_vectorised<S: Real, L: VectorWork>(work: L) -> L::Output {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    if S::PACKS && std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the function is safe but for the need of these instructions, and the machine has
        // them.
        return unsafe { with_avx2(work) };
    }
    S::apart(OneByOne(work))
}

/// [`run_vectorised`] for a long loop body whose numbers have no room in sixteen registers: where the machine
/// has AVX-512 it is compiled for its 32 registers of the same size, with the same bits.
#[inline(always)]
pub fn run_with_more_registers<S: Real, L: VectorWork>(work: L) -> L::Output {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    {
        use std::arch::is_x86_feature_detected as has;
        if S::PACKS && has!("avx512f") && has!("avx512vl") {
            // SAFETY: as in `run_vectorised`.
            return unsafe { with_avx512(work) };
        }
    }
    run_vectorised::<S, L>(work)
}

/// Work that is done one number at a time.
struct OneByOne<L>(L);

impl<L: VectorWork> Apart for OneByOne<L> {
    type Output = L::Output;
    #[inline(always)]
    fn run(self) -> L::Output {
        self.0.run::<NoVectors>()
    }
}

/// Does the work with vectors of four where the machine has them, and with the registers of AVX-512,
/// which are twice as many, if it can: for work that is not a loop over many bodies but gains from
/// instructions with three operands and from more registers.
#[inline(always)]
pub fn run_in_wide_registers<L: VectorWork>(work: L) -> Option<L::Output> {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    {
        use std::arch::is_x86_feature_detected as has;
        if has!("avx512f") && has!("avx512vl") {
            // SAFETY: as in `run_vectorised`.
            return Some(unsafe { with_avx512(work) });
        }
        if has!("avx2") {
            // SAFETY: as in `run_vectorised`.
            return Some(unsafe { with_avx2(work) });
        }
    }
    let _ = work;
    None
}

/// Does the work one number at a time.
#[inline(always)]
pub fn run_scalar<S: Real, L: VectorWork>(work: L) -> L::Output {
    work.run::<NoVectors>()
}

#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[target_feature(enable = "avx2")]
#[inline(never)]
fn with_avx2<L: VectorWork>(work: L) -> L::Output {
    work.run::<avx::Avx2>()
}

/// Registers of the same size, but more of them.
#[cfg(all(target_arch = "x86_64", feature = "std"))]
#[target_feature(enable = "avx512f,avx512vl")]
#[inline(never)]
fn with_avx512<L: VectorWork>(work: L) -> L::Output {
    work.run::<avx::Avx2>()
}

/// The vectors of four bodies as one vector of packs; of the first alone where one makes a pack.
#[inline(always)]
pub fn pack<S: Real, V: Vectors>([a, b, c, d]: [Vec3<S>; 4]) -> Vec3<S::Pack<V>> {
    Vec3 {
        x: S::pack([a.x, b.x, c.x, d.x]),
        y: S::pack([a.y, b.y, c.y, d.y]),
        z: S::pack([a.z, b.z, c.z, d.z]),
    }
}

/// The vectors of four bodies.
#[inline(always)]
pub fn unpack<S: Real, V: Vectors>(v: Vec3<S::Pack<V>>) -> [Vec3<S>; 4] {
    let [xa, xb, xc, xd] = S::unpack::<V>(v.x);
    let [ya, yb, yc, yd] = S::unpack::<V>(v.y);
    let [za, zb, zc, zd] = S::unpack::<V>(v.z);
    [
        Vec3 { x: xa, y: ya, z: za },
        Vec3 { x: xb, y: yb, z: zb },
        Vec3 { x: xc, y: yc, z: zc },
        Vec3 { x: xd, y: yd, z: zd },
    ]
}

/// Two vectors of each of four bodies, which lie side by side, as two vectors of packs; those of the first
/// alone where one makes a pack.
#[inline(always)]
pub fn pack_two<S: Real, V: Vectors>(
    [a, b, c, d]: [(Vec3<S>, Vec3<S>); 4],
) -> (Vec3<S::Pack<V>>, Vec3<S::Pack<V>>) {
    let [ux, uy] =
        S::pack_pairs::<V>([[a.0.x, a.0.y], [b.0.x, b.0.y], [c.0.x, c.0.y], [d.0.x, d.0.y]]);
    let [uz, vx] =
        S::pack_pairs::<V>([[a.0.z, a.1.x], [b.0.z, b.1.x], [c.0.z, c.1.x], [d.0.z, d.1.x]]);
    let [vy, vz] =
        S::pack_pairs::<V>([[a.1.y, a.1.z], [b.1.y, b.1.z], [c.1.y, c.1.z], [d.1.y, d.1.z]]);
    (Vec3 { x: ux, y: uy, z: uz }, Vec3 { x: vx, y: vy, z: vz })
}

/// The two vectors of each of four bodies.
#[inline(always)]
pub fn unpack_two<S: Real, V: Vectors>(
    (u, v): (Vec3<S::Pack<V>>, Vec3<S::Pack<V>>),
) -> [(Vec3<S>, Vec3<S>); 4] {
    let first = S::unpack_pairs::<V>([u.x, u.y]);
    let second = S::unpack_pairs::<V>([u.z, v.x]);
    let third = S::unpack_pairs::<V>([v.y, v.z]);
    let mut list = [(Vec3::zero(), Vec3::zero()); 4];
    let mut i = 0;
    while i < 4 {
        let ([ux, uy], [uz, vx], [vy, vz]) = (first[i], second[i], third[i]);
        list[i] = (Vec3 { x: ux, y: uy, z: uz }, Vec3 { x: vx, y: vy, z: vz });
        i += 1;
    }
    list
}
