//! Two registers for one number: while an instruction on one of them waits for its operands, one on
//! the other goes on.
use super::registers::long_functions_of;
use super::{Machine, Pack, Quad, Registers, Whole, avx2, avx512};
use crate::tape::{Instruction, Tape};

/// Twice the numbers of `R`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Pair<R>(R, R);

/// Functions on both halves.
macro_rules! both {
    ($half:ty; $($name:ident($($arg:ident: $kind:ty),+) -> $out:ident;)*) => {$(
        #[inline(always)]
        unsafe fn $name($($arg: $kind),+) -> both!($out) {
            // SAFETY: the caller has the instructions.
            unsafe { Pair(<$half>::$name($($arg.0),+), <$half>::$name($($arg.1),+)) }
        }
    )*};
    (Number) => { Self };
    (Answers) => { Self::Answers };
}

macro_rules! pair {
    ($half:ty, $module:ident, $lanes:literal) => {
        // SAFETY: one half after the other, each of which holds its numbers in order.
        unsafe impl Registers for Pair<$half> {
            type Array = [f64; $lanes];
            type Answers = Pair<<$half as Registers>::Answers>;
            const LANES: usize = $lanes;

            both! {
                $half;
                add(a: Self, b: Self) -> Number;
                sub(a: Self, b: Self) -> Number;
                mul(a: Self, b: Self) -> Number;
                div(a: Self, b: Self) -> Number;
                sqrt(a: Self) -> Number;
                neg(a: Self) -> Number;
                abs(a: Self) -> Number;
                lt(a: Self, b: Self) -> Answers;
                eq(a: Self, b: Self) -> Answers;
                select(yes: Self::Answers, a: Self, b: Self) -> Number;
                and(a: Self::Answers, b: Self::Answers) -> Answers;
                or(a: Self::Answers, b: Self::Answers) -> Answers;
                not(a: Self::Answers) -> Answers;
            }

            #[inline(always)]
            unsafe fn splat(x: f64) -> Self {
                // SAFETY: the caller has the instructions; so for every such block below.
                unsafe { Self(<$half>::splat(x), <$half>::splat(x)) }
            }
            #[inline(always)]
            unsafe fn quadrants(turns: Self, sin: Self, cos: Self) -> (Self, Self) {
                // SAFETY: see above.
                unsafe {
                    let (s, c) = <$half>::quadrants(turns.0, sin.0, cos.0);
                    let (t, d) = <$half>::quadrants(turns.1, sin.1, cos.1);
                    (Self(s, t), Self(c, d))
                }
            }
            #[inline(always)]
            unsafe fn bits(a: Self::Answers) -> u32 {
                // SAFETY: see above.
                unsafe { <$half>::bits(a.0) | <$half>::bits(a.1) << ($lanes / 2) }
            }
            #[inline(always)]
            unsafe fn answer(yes: bool) -> Self::Answers {
                // SAFETY: see above.
                unsafe { Pair(<$half>::answer(yes), <$half>::answer(yes)) }
            }
            #[inline(always)]
            unsafe fn dexpinv_far<M: Machine<Registers = Self>>(z: Pack<M>) -> (Pack<M>, Pack<M>) {
                // SAFETY: see above.
                unsafe { $module::dexpinv_far(z) }
            }
            long_functions_of!($module);
        }
    };
}
pair!(Quad, avx2, 8);
pair!(Whole, avx512, 16);
