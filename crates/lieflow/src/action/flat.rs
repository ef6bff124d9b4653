//! Points as lists of numbers.

use crate::archive::Archive;
use crate::group::{Rn, Se3, So3, Twist};
use lieflow_kernel::{Mat3, Real, Vec3};

/// A point whose numbers, matrix entries included, can be compared with those of another.
pub trait Flat {
    /// Sum of the squared differences of all numbers, over the largest lane of each.
    fn distance_squared(&self, other: &Self) -> f64;

    /// Names all its numbers, to be kept or put back. Unless written, runs with such points cannot
    /// go on from a checkpoint.
    fn archive(&mut self, archive: &mut Archive) {
        archive.refuse("its states cannot be kept");
    }
}

impl<S: Real> Flat for Vec3<S> {
    #[inline]
    fn distance_squared(&self, other: &Self) -> f64 {
        let d = *self - *other;
        let [x, y, z] = [d.x.magnitude(), d.y.magnitude(), d.z.magnitude()];
        x * x + y * y + z * z
    }
    fn archive(&mut self, archive: &mut Archive) {
        let Self { x, y, z } = self;
        [x, y, z].into_iter().for_each(|x| archive.real(x));
    }
}
impl<S: Real> Flat for Mat3<S> {
    #[inline]
    fn distance_squared(&self, other: &Self) -> f64 {
        self.rows.distance_squared(&other.rows)
    }
    fn archive(&mut self, archive: &mut Archive) {
        self.rows.archive(archive);
    }
}
impl<S: Real, const N: usize> Flat for Rn<S, N> {
    #[inline]
    fn distance_squared(&self, other: &Self) -> f64 {
        let mut sum = 0.0;
        for i in 0..N {
            let d = (self.0[i] - other.0[i]).magnitude();
            sum += d * d;
        }
        sum
    }
    fn archive(&mut self, archive: &mut Archive) {
        archive.reals(&mut self.0);
    }
}

/// The numbers of a struct are those of its fields: `flat!(Se3 { rotation, position });` for a
/// struct with one parameter, the scalar.
#[macro_export]
macro_rules! flat {
    ($name:ident { $($field:ident),+ }) => {
        impl<S: $crate::Real> $crate::action::Flat for $name<S> {
            #[inline]
            fn distance_squared(&self, other: &Self) -> f64 {
                0.0 $(+ $crate::action::Flat::distance_squared(&self.$field, &other.$field))+
            }
            fn archive(&mut self, archive: &mut $crate::archive::Archive) {
                $($crate::action::Flat::archive(&mut self.$field, archive);)+
            }
        }
    };
}
flat!(So3 { matrix });
flat!(Se3 { rotation, position });
flat!(Twist { angular, linear });

impl<A: Flat, B: Flat> Flat for (A, B) {
    #[inline]
    fn distance_squared(&self, other: &Self) -> f64 {
        self.0.distance_squared(&other.0) + self.1.distance_squared(&other.1)
    }
    fn archive(&mut self, archive: &mut Archive) {
        self.0.archive(archive);
        self.1.archive(archive);
    }
}
impl<A: Flat, const N: usize> Flat for [A; N] {
    #[inline]
    fn distance_squared(&self, other: &Self) -> f64 {
        self.iter().zip(other).map(|(a, b)| a.distance_squared(b)).sum()
    }
    fn archive(&mut self, archive: &mut Archive) {
        self.iter_mut().for_each(|a| a.archive(archive));
    }
}
impl<A: Flat> Flat for Vec<A> {
    #[inline]
    fn distance_squared(&self, other: &Self) -> f64 {
        self.iter().zip(other).map(|(a, b)| a.distance_squared(b)).sum()
    }
    fn archive(&mut self, archive: &mut Archive) {
        self.iter_mut().for_each(|a| a.archive(archive));
    }
}
