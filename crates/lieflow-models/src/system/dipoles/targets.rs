//! Dipoles that meet the same others together, each in registers of its own or two in one.
use core::marker::PhantomData;
use lieflow::kernel::wide::Vectors;
use lieflow::kernel::wide::twins::Twins;
use lieflow::{Real, Vec3, vec3};

/// The most dipoles of a block that meet the others together.
pub(super) const MOST: usize = 4;

/// Something for each of them; where some share it, in the place of the first.
pub(super) type Each<T> = [T; MOST];

/// How dipoles that meet the same others share registers. The fields of all on the others are added one after
/// the other, so that every way gives the same bits.
pub(super) trait Targets<S: Real, V: Vectors> {
    /// Packs for as many dipoles as share a number.
    type Number: Real;
    /// How many share one: one or two.
    const SHARING: usize;
    /// How many meet the others together, so that the fields of those are read and written once for all of
    /// them: as many as there are registers for.
    const TOGETHER: usize;
    /// Of these packs as many as share a number.
    fn join(packs: [S::Pack<V>; 2]) -> Self::Number;
    /// The packs, or twice the same.
    fn split(x: Self::Number) -> [S::Pack<V>; 2];
}

/// Each has registers of its own.
pub(super) struct Apart;

impl<S: Real, V: Vectors> Targets<S, V> for Apart {
    type Number = S::Pack<V>;
    const SHARING: usize = 1;
    const TOGETHER: usize = 2;
    #[inline(always)]
    fn join(packs: [S::Pack<V>; 2]) -> S::Pack<V> {
        packs[0]
    }
    #[inline(always)]
    fn split(x: S::Pack<V>) -> [S::Pack<V>; 2] {
        [x; 2]
    }
}

/// Two share a register, of which there are twice as many.
pub(super) struct Sharing<T>(PhantomData<T>);

impl<T: Twins> Targets<f64, T::Half> for Sharing<T> {
    type Number = T::Both;
    const SHARING: usize = 2;
    const TOGETHER: usize = MOST;
    #[inline(always)]
    fn join(packs: [<T::Half as Vectors>::Pack; 2]) -> T::Both {
        T::both(packs)
    }
    #[inline(always)]
    fn split(x: T::Both) -> [<T::Half as Vectors>::Pack; 2] {
        T::halves(x)
    }
}

/// Vectors of packs as one.
#[inline(always)]
pub(super) fn join<S: Real, V: Vectors, T: Targets<S, V>>(
    [a, b]: [Vec3<S::Pack<V>>; 2],
) -> Vec3<T::Number> {
    vec3(T::join([a.x, b.x]), T::join([a.y, b.y]), T::join([a.z, b.z]))
}

/// One vector as those of packs.
#[inline(always)]
pub(super) fn split<S: Real, V: Vectors, T: Targets<S, V>>(
    v: Vec3<T::Number>,
) -> [Vec3<S::Pack<V>>; 2] {
    let ([ax, bx], [ay, by], [az, bz]) = (T::split(v.x), T::split(v.y), T::split(v.z));
    [vec3(ax, ay, az), vec3(bx, by, bz)]
}
