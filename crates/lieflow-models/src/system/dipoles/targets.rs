//! Dipoles that meet the same others together, each in registers of its own or two in one.
use core::marker::PhantomData;
use lieflow::kernel::wide::Vectors;
use lieflow::kernel::wide::twins::Twins;
use lieflow::{Real, Vec3, vec3};

/// Numbers that meet the others together, so that the fields of those are read and written once for all.
pub(super) const TOGETHER: usize = 2;

/// Something for each of them.
pub(super) type Each<T> = [T; TOGETHER];

/// How dipoles share registers. The fields of all on the others are added one after the other, so that every
/// way gives the same bits.
pub(super) trait Targets<S: Real, V: Vectors> {
    /// Packs for as many dipoles as share a number.
    type Number: Real;
    /// How many share one: one or two.
    const SHARING: usize;
    /// The packs of the first and of the last that share a number, as that number.
    fn join(first: S::Pack<V>, last: S::Pack<V>) -> Self::Number;
    /// The pack of one of those that share it.
    fn part(x: Self::Number, of: usize) -> S::Pack<V>;
    /// The sum with the pack of one dipole after the other.
    fn add(sum: S::Pack<V>, x: Self::Number) -> S::Pack<V>;
}

/// Each has registers of its own.
pub(super) struct Apart;

impl<S: Real, V: Vectors> Targets<S, V> for Apart {
    type Number = S::Pack<V>;
    const SHARING: usize = 1;
    #[inline(always)]
    fn join(first: S::Pack<V>, _: S::Pack<V>) -> S::Pack<V> {
        first
    }
    #[inline(always)]
    fn part(x: S::Pack<V>, _: usize) -> S::Pack<V> {
        x
    }
    #[inline(always)]
    fn add(sum: S::Pack<V>, x: S::Pack<V>) -> S::Pack<V> {
        sum + x
    }
}

/// Two share a register, of which there are twice as many.
pub(super) struct Sharing<T>(PhantomData<T>);

impl<T: Twins> Targets<f64, T::Half> for Sharing<T> {
    type Number = T::Both;
    const SHARING: usize = 2;
    #[inline(always)]
    fn join(first: <T::Half as Vectors>::Pack, last: <T::Half as Vectors>::Pack) -> T::Both {
        T::both([first, last])
    }
    #[inline(always)]
    fn part(x: T::Both, of: usize) -> <T::Half as Vectors>::Pack {
        T::halves(x)[of]
    }
    #[inline(always)]
    fn add(sum: <T::Half as Vectors>::Pack, x: T::Both) -> <T::Half as Vectors>::Pack {
        let [a, b] = T::halves(x);
        sum + a + b
    }
}

/// Vectors of packs as one.
#[inline(always)]
pub(super) fn join<S: Real, V: Vectors, T: Targets<S, V>>(
    first: Vec3<S::Pack<V>>,
    last: Vec3<S::Pack<V>>,
) -> Vec3<T::Number> {
    vec3(T::join(first.x, last.x), T::join(first.y, last.y), T::join(first.z, last.z))
}

/// The vector of one of those that share it.
#[inline(always)]
pub(super) fn part<S: Real, V: Vectors, T: Targets<S, V>>(
    v: Vec3<T::Number>,
    of: usize,
) -> Vec3<S::Pack<V>> {
    vec3(T::part(v.x, of), T::part(v.y, of), T::part(v.z, of))
}

/// The sum of vectors, with one dipole after the other.
#[inline(always)]
pub(super) fn add<S: Real, V: Vectors, T: Targets<S, V>>(
    sum: Vec3<S::Pack<V>>,
    v: Vec3<T::Number>,
) -> Vec3<S::Pack<V>> {
    vec3(T::add(sum.x, v.x), T::add(sum.y, v.y), T::add(sum.z, v.z))
}
