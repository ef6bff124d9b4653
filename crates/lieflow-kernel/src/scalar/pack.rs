//! Numbers side by side in vector registers, for functions that are compiled for them.
//!
//! [`Lanes`](super::Lanes) leave it to the compiler to find the vectors again, which it does only
//! in part, and slowly; here each operation is a vector instruction or two. Both give the bits of
//! the `f64` run: the operations are the same IEEE operations, and nothing is fused.
//!
//! An operation on packs is inlined, instructions and all, into any function with the
//! `#[target_feature]` of its registers; elsewhere it is a call, and slow.
//!
//! # Safety
//!
//! Every `unsafe` block of this file calls instructions that are undefined on machines that lack
//! them, and have no other requirement. The operations of [`Real`] are safe functions, also those
//! that make a number from nothing, so the promise that the machine has the instructions is made
//! where the type is named: `Pack<M>` exists only if `M` implements the unsafe trait [`Machine`].
use super::parts::{one_makes_a_pack, own_primal};
use super::{Apart, Mask, Real, elementary};
use crate::tape::{Instruction, Tape};
use core::fmt;
use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

mod avx2;
mod avx512;
mod exponential;
mod pair;
mod registers;

pub use avx2::Quad;
pub use avx512::Whole;
pub use pair::Pair;
pub use registers::Registers;

/// A name for machines with the instructions of some registers.
///
/// # Safety
///
/// Whoever implements this promises that `Pack<Self>` is computed with only on machines that have
/// the instructions of `Registers` (AVX2 for [`Quad`], AVX-512 F for [`Whole`]), for
/// instance because the type is private and used only after `is_x86_feature_detected!`.
pub unsafe trait Machine: 'static + Send + Sync {
    /// The registers.
    type Registers: Registers;
    /// [`Real::CHARTS`].
    const CHARTS: bool = true;
}

/// Numbers, operated on lane by lane.
pub struct Pack<M: Machine>(M::Registers);

/// One answer per lane.
pub struct PackMask<M: Machine>(<M::Registers as Registers>::Answers);

impl<M: Machine> Clone for Pack<M> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<M: Machine> Copy for Pack<M> {}
impl<M: Machine> Clone for PackMask<M> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<M: Machine> Copy for PackMask<M> {}

/// The numbers of a pack in memory.
type ArrayOf<M> = <<M as Machine>::Registers as Registers>::Array;

impl<M: Machine> Pack<M> {
    /// These numbers.
    #[inline(always)]
    pub fn from_array(x: ArrayOf<M>) -> Self {
        const { assert!(size_of::<ArrayOf<M>>() == size_of::<M::Registers>()) };
        // SAFETY: both are the same bytes, as `Registers` promises.
        Self(unsafe { core::mem::transmute_copy(&x) })
    }
    /// The numbers.
    #[inline(always)]
    pub fn to_array(self) -> ArrayOf<M> {
        const { assert!(size_of::<ArrayOf<M>>() == size_of::<M::Registers>()) };
        // SAFETY: both are the same bytes, as `Registers` promises. No instruction is needed, so that
        // this is no call where the caller is not compiled for the registers.
        unsafe { core::mem::transmute_copy(&self.0) }
    }
    /// A function that is too rare or too branchy to be worth vectors.
    #[inline(always)]
    fn each(self, f: fn(f64) -> f64) -> Self {
        let mut x = self.to_array();
        let mut i = 0;
        while i < M::Registers::LANES {
            x.as_mut()[i] = f(x.as_ref()[i]);
            i += 1;
        }
        Self::from_array(x)
    }
}

impl<M: Machine> PackMask<M> {
    /// The answers as bits, the first lane lowest.
    #[inline(always)]
    pub fn bits(self) -> u32 {
        // SAFETY: `M` promises the instructions.
        unsafe { M::Registers::bits(self.0) }
    }
}

impl<M: Machine> fmt::Debug for Pack<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pack").field(&self.to_array().as_ref()).finish()
    }
}
impl<M: Machine> fmt::Debug for PackMask<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PackMask({:b})", self.bits())
    }
}
impl<M: Machine> PartialEq for Pack<M> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        // SAFETY: `M` promises the instructions.
        PackMask::<M>(unsafe { M::Registers::eq(self.0, other.0) }).all()
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident) => {
        impl<M: Machine> $trait for Pack<M> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, o: Self) -> Self {
                // SAFETY: `M` promises the instructions.
                Self(unsafe { M::Registers::$method(self.0, o.0) })
            }
        }
    };
    ($trait:ident, $method:ident, $assign:ident, $method_assign:ident) => {
        operator!($trait, $method);
        impl<M: Machine> $assign for Pack<M> {
            #[inline(always)]
            fn $method_assign(&mut self, o: Self) {
                *self = $trait::$method(*self, o);
            }
        }
    };
}
operator!(Add, add, AddAssign, add_assign);
operator!(Sub, sub, SubAssign, sub_assign);
operator!(Mul, mul, MulAssign, mul_assign);
operator!(Div, div);

impl<M: Machine> Neg for Pack<M> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: `M` promises the instructions.
        Self(unsafe { M::Registers::neg(self.0) })
    }
}
impl<M: Machine> Mul<f64> for Pack<M> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, a: f64) -> Self {
        self * Self::lift(a)
    }
}

impl<M: Machine> Mask for PackMask<M> {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: `M` promises the instructions.
        Self(unsafe { M::Registers::and(self.0, other.0) })
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: `M` promises the instructions.
        Self(unsafe { M::Registers::or(self.0, other.0) })
    }
    #[inline(always)]
    fn not(self) -> Self {
        // SAFETY: `M` promises the instructions.
        Self(unsafe { M::Registers::not(self.0) })
    }
    #[inline(always)]
    fn all(self) -> bool {
        self.bits() == (1 << M::Registers::LANES) - 1
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.bits() != 0
    }
    #[inline(always)]
    fn splat(value: bool) -> Self {
        // SAFETY: `M` promises the instructions.
        Self(unsafe { M::Registers::answer(value) })
    }
}

impl<M: Machine> Real for Pack<M> {
    type Mask = PackMask<M>;
    own_primal!();
    one_makes_a_pack!();
    type Lane = f64;
    const LANES: usize = M::Registers::LANES;
    const CHARTS: bool = M::CHARTS;
    const SERIES_TERMS: usize = <f64 as Real>::SERIES_TERMS;

    #[inline(always)]
    fn lift(x: f64) -> Self {
        // SAFETY: `M` promises the instructions.
        Self(unsafe { M::Registers::splat(x) })
    }
    #[inline(always)]
    fn lane(self, i: usize) -> f64 {
        self.to_array().as_ref()[i]
    }
    #[inline(always)]
    fn set_lane(&mut self, i: usize, x: f64) {
        let mut all = self.to_array();
        all.as_mut()[i] = x;
        *self = Self::from_array(all);
    }
    #[inline]
    fn write_lanes(self, out: &mut [f64]) {
        let all = self.to_array();
        if let Some(out) = out.get_mut(..Self::LANES) {
            out.copy_from_slice(all.as_ref());
        }
    }
    #[inline]
    fn read_lanes(list: &[f64]) -> Self {
        let mut all = Self::zero().to_array();
        if let Some(list) = list.get(..Self::LANES) {
            all.as_mut().copy_from_slice(list);
        }
        Self::from_array(all)
    }
    #[inline(always)]
    fn ratio(numerator: f64, denominator: f64) -> Self {
        Self::lift(numerator / denominator)
    }
    #[inline(always)]
    fn inverse_factorial(n: usize) -> Self {
        Self::lift(f64::inverse_factorial(n))
    }
    #[inline(always)]
    fn circle_coefficient(n: usize) -> Self {
        Self::lift(f64::circle_coefficient(n))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: `M` promises the instructions.
        Self(unsafe { M::Registers::sqrt(self.0) })
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let usual = self.abs().lt(Self::lift(elementary::LARGE));
        if !usual.all() {
            // Far away, lane by lane.
            let (mut s, mut c) = (self.to_array(), self.to_array());
            let mut i = 0;
            while i < Self::LANES {
                (s.as_mut()[i], c.as_mut()[i]) = elementary::sin_cos(s.as_ref()[i]);
                i += 1;
            }
            return (Self::from_array(s), Self::from_array(c));
        }
        let (turns, s, c) = elementary::reduced(self);
        // SAFETY: `M` promises the instructions.
        let (sin, cos) = unsafe { M::Registers::quadrants(turns.0, s.0, c.0) };
        (Self(sin), Self(cos))
    }
    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        let (mut a, b) = (self.to_array(), x.to_array());
        let mut i = 0;
        while i < Self::LANES {
            a.as_mut()[i] = libm::atan2(a.as_ref()[i], b.as_ref()[i]);
            i += 1;
        }
        Self::from_array(a)
    }
    #[inline(always)]
    fn exp(self) -> Self {
        match exponential::exp(self) {
            Some(y) => y,
            None => self.each(libm::exp),
        }
    }
    #[inline(always)]
    fn ln(self) -> Self {
        match exponential::ln(self) {
            Some(y) => y,
            None => self.each(libm::log),
        }
    }
    #[inline(always)]
    fn abs(self) -> Self {
        // SAFETY: `M` promises the instructions.
        Self(unsafe { M::Registers::abs(self.0) })
    }
    #[inline(always)]
    fn floor(self) -> Self {
        self.each(libm::floor)
    }
    #[inline(always)]
    fn lt(self, other: Self) -> PackMask<M> {
        // SAFETY: `M` promises the instructions.
        PackMask(unsafe { M::Registers::lt(self.0, other.0) })
    }
    #[inline(always)]
    fn finite(self) -> PackMask<M> {
        self.abs().lt(Self::lift(f64::INFINITY))
    }
    #[inline(always)]
    fn select(mask: PackMask<M>, a: Self, b: Self) -> Self {
        // SAFETY: `M` promises the instructions.
        Self(unsafe { M::Registers::select(mask.0, a.0, b.0) })
    }
    #[inline(always)]
    fn stumpff_far(z: Self) -> [Self; 6] {
        // SAFETY: `M` promises the instructions.
        unsafe { M::Registers::stumpff_far(z) }
    }
    #[inline(always)]
    fn stumpff_far_low(z: Self) -> [Self; 3] {
        // SAFETY: `M` promises the instructions.
        unsafe { M::Registers::stumpff_far_low(z) }
    }
    #[inline(always)]
    fn dexpinv_far(z: Self) -> (Self, Self) {
        // SAFETY: `M` promises the instructions.
        unsafe { M::Registers::dexpinv_far(z) }
    }
    #[inline(always)]
    fn apart<W: Apart>(work: W) -> W::Output {
        // SAFETY: `M` promises the instructions.
        unsafe { M::Registers::apart(work) }
    }
    #[inline(always)]
    fn interpret(code: &[Instruction], file: &mut [Self]) {
        // SAFETY: `M` promises the instructions.
        unsafe { M::Registers::interpret(code, file) }
    }
    #[inline(always)]
    fn evaluate(tape: Tape<'_, Self>, inputs: &[Self], out: &mut [Self], scratch: &mut [Self]) {
        // SAFETY: `M` promises the instructions.
        unsafe { M::Registers::evaluate(tape, inputs, out, scratch) }
    }
    #[inline]
    fn magnitude(self) -> f64 {
        let all = self.to_array();
        let mut largest = 0.0;
        let mut i = 0;
        while i < Self::LANES {
            let x = Real::abs(all.as_ref()[i]);
            // Not a number once, not a number for good.
            largest = if x.is_nan() || x > largest { x } else { largest };
            i += 1;
        }
        largest
    }
}
