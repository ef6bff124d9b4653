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

    /// As many zeros; nothing where numbers cannot be added one by one.
    fn zeros(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// `self + small`, number by number, and `small` becomes what this rounds away. Unless written, nothing is added.
    fn gather(&mut self, small: &mut Self) {
        let _ = small;
    }
}

/// The sum of a number and a small one, and what it rounds away: Møller's and Dekker's, exact where the number is the
/// larger of the two. Where it is not, it is off by a rounding of the small one at most, which has some itself.
#[inline(always)]
pub(crate) fn gather<S: Real>(x: &mut S, small: &mut S) {
    let sum = *x + *small;
    *small -= sum - *x;
    *x = sum;
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
    fn zeros(&self) -> Option<Self> {
        Some(Self::zero())
    }
    #[inline(always)]
    fn gather(&mut self, small: &mut Self) {
        gather(&mut self.x, &mut small.x);
        gather(&mut self.y, &mut small.y);
        gather(&mut self.z, &mut small.z);
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
    fn zeros(&self) -> Option<Self> {
        Some(Self::zero())
    }
    #[inline(always)]
    fn gather(&mut self, small: &mut Self) {
        self.rows.gather(&mut small.rows);
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
    fn zeros(&self) -> Option<Self> {
        Some(Self([S::zero(); N]))
    }
    #[inline(always)]
    fn gather(&mut self, small: &mut Self) {
        for i in 0..N {
            gather(&mut self.0[i], &mut small.0[i]);
        }
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
            fn zeros(&self) -> Option<Self> {
                $(let $field = $crate::action::Flat::zeros(&self.$field)?;)+
                Some(Self { $($field),+ })
            }
            #[inline(always)]
            fn gather(&mut self, small: &mut Self) {
                $($crate::action::Flat::gather(&mut self.$field, &mut small.$field);)+
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
    fn zeros(&self) -> Option<Self> {
        Some((self.0.zeros()?, self.1.zeros()?))
    }
    #[inline(always)]
    fn gather(&mut self, small: &mut Self) {
        self.0.gather(&mut small.0);
        self.1.gather(&mut small.1);
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
    fn zeros(&self) -> Option<Self> {
        // As many as there are, or none.
        let all: Option<Vec<A>> = self.iter().map(Flat::zeros).collect();
        all?.try_into().ok()
    }
    #[inline(always)]
    fn gather(&mut self, small: &mut Self) {
        for i in 0..N {
            self[i].gather(&mut small[i]);
        }
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
    fn zeros(&self) -> Option<Self> {
        self.iter().map(Flat::zeros).collect()
    }
    fn gather(&mut self, small: &mut Self) {
        for (a, small) in self.iter_mut().zip(small) {
            a.gather(small);
        }
    }
}
