//! `f64` as a [`Real`].
use super::parts::{own_lane, own_primal, tapes};
use super::{Real, elementary};
use crate::tape::{Instruction, Tape};
use crate::wide::Vectors;

/// How many inverse factorials are tabulated: enough for dual numbers nested twelve times. The
/// next is below 1e-90.
const FACTORIALS: usize = 66;

/// `1/n!`, rounded. Not a static, so that coefficients are constants in the crates above.
const INVERSE_FACTORIAL: [f64; FACTORIALS] = {
    let mut table = [1.0; FACTORIALS];
    let mut factorial = 1.0;
    let mut n = 1;
    while n < FACTORIALS {
        factorial *= n as f64;
        table[n] = 1.0 / factorial;
        n += 1;
    }
    table
};

/// `1/n!` for sine and cosine, from `n = 3` on; zero says that it is the rounded one. A turn by series with these
/// coefficients changes lengths, in the mean over a range of angles, by 1e-20 from a quarter to half a radian and by
/// 1e-19 up to 0.7: a ninth and a seventh of what the rounded ones leave.
///
/// The first is `1/6` and two units in its last place more: the digits of `1/6` itself repeat, so that its products
/// are rounded one way in the mean. With `a_j` of `c1` and `b_j` of `c2`, the orders of `z` in `2 c2 = c1^2 + z c2^2`
/// say `2 b_n = sum a_i a_{n-i} + sum b_i b_{n-1-i}`; these are the `b_n` that belong to the rounded `a_n`.
const OF_CIRCLE: [f64; 8] = [
    0.1666666666666667,
    0.04166666666666671,
    0.0,
    0.0013888888888888733,
    0.0,
    2.480158730159351e-05,
    0.0,
    2.755731922373472e-07,
];

impl Real for f64 {
    type Mask = bool;
    own_lane!();
    own_primal!();
    type Pack<V: Vectors> = V::Pack;
    const PACKS: bool = true;
    // The first neglected term of c4 and c5 below z = 1 is under 1e-19 of the sum.
    const SERIES_TERMS: usize = 9;

    #[inline(always)]
    fn width<V: Vectors>() -> usize {
        V::WIDTH
    }
    #[inline(always)]
    fn pack<V: Vectors>(list: [Self; 4]) -> V::Pack {
        V::pack(list)
    }
    #[inline(always)]
    fn unpack<V: Vectors>(pack: V::Pack) -> [Self; 4] {
        V::unpack(pack)
    }
    #[inline(always)]
    fn pack_pairs<V: Vectors>(pairs: [[Self; 2]; 4]) -> [V::Pack; 2] {
        V::pack_pairs(pairs)
    }
    #[inline(always)]
    fn unpack_pairs<V: Vectors>(packs: [V::Pack; 2]) -> [[Self; 2]; 4] {
        V::unpack_pairs(packs)
    }
    #[inline(always)]
    fn lift(x: f64) -> Self {
        x
    }
    #[inline(always)]
    fn unpaired(self) -> Self {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        {
            let mut x = self;
            // SAFETY: no instruction is written, only a comment. So the register that holds the number keeps it, and
            // memory, flags and all other registers are as they were, as the options say.
            unsafe {
                core::arch::asm!("/* {0} */", inout(xmm_reg) x, options(pure, nomem, nostack, preserves_flags));
            }
            x
        }
        #[cfg(not(all(target_arch = "x86_64", not(miri))))]
        {
            self
        }
    }
    #[inline(always)]
    fn ratio(numerator: f64, denominator: f64) -> Self {
        numerator / denominator
    }
    #[inline(always)]
    fn inverse_factorial(n: usize) -> Self {
        if n < FACTORIALS { INVERSE_FACTORIAL[n] } else { 0.0 }
    }
    #[inline(always)]
    fn circle_coefficient(n: usize) -> Self {
        if (3..=10).contains(&n) && OF_CIRCLE[n - 3] != 0.0 {
            OF_CIRCLE[n - 3]
        } else {
            Self::inverse_factorial(n)
        }
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        elementary::sqrt(self)
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        elementary::sin_cos(self)
    }
    #[inline]
    fn atan2(self, x: Self) -> Self {
        libm::atan2(self, x)
    }
    #[inline]
    fn exp(self) -> Self {
        libm::exp(self)
    }
    #[inline]
    fn ln(self) -> Self {
        libm::log(self)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        f64::from_bits(self.to_bits() & (u64::MAX >> 1))
    }
    #[inline]
    fn floor(self) -> Self {
        libm::floor(self)
    }
    #[inline(always)]
    fn lt(self, other: Self) -> bool {
        self < other
    }
    #[inline(always)]
    fn finite(self) -> bool {
        self.is_finite()
    }
    #[inline(always)]
    fn select(mask: bool, a: Self, b: Self) -> Self {
        if mask { a } else { b }
    }
    // Written here, so that it is compiled with this crate and not with each that uses it.
    tapes!();
    #[inline(always)]
    fn magnitude(self) -> f64 {
        Real::abs(self)
    }
}
