//! What the mathematics asks of a number.
use super::parts::tapes;
use crate::tape::{Instruction, Tape};
use crate::wide::Vectors;
use core::fmt::Debug;
use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

/// The outcome of a comparison: `bool` for one number, one bit per lane for a pack.
pub trait Mask: Copy {
    /// True where both are.
    fn and(self, other: Self) -> Self;
    /// True where at least one is.
    fn or(self, other: Self) -> Self;
    /// True where `self` is not.
    fn not(self) -> Self;
    /// True in every lane.
    fn all(self) -> bool;
    /// True in some lane.
    fn any(self) -> bool;
    /// The same answer in every lane.
    fn splat(value: bool) -> Self;
}

impl Mask for bool {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self | other
    }
    #[inline(always)]
    fn not(self) -> Self {
        !self
    }
    #[inline(always)]
    fn all(self) -> bool {
        self
    }
    #[inline(always)]
    fn any(self) -> bool {
        self
    }
    #[inline(always)]
    fn splat(value: bool) -> Self {
        value
    }
}

/// Work that [`Real::apart`] does in a function of its own.
pub trait Apart {
    /// What comes out.
    type Output;
    /// Does it. Implementations are marked `#[inline(always)]`: that function is their only caller.
    fn run(self) -> Self::Output;
}

#[inline(never)]
fn out_of_line<W: Apart>(work: W) -> W::Output {
    work.run()
}

/// A real number: `f64`, a [`Dual`](super::Dual), a pack of [`Lanes`](super::Lanes) or a
/// double-double. Time and step sizes are `f64`, but for lanes that each have their own.
///
/// Comparisons give a [`Mask`], and choices are made by [`Real::select`], so that the same code
/// serves one trajectory and several at once; a lane then has the same bits as the `f64` run.
/// Elementary functions are our own or pure Rust, so that results do not depend on the platform.
pub trait Real:
    Copy
    + Debug
    + PartialEq
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + Mul<f64, Output = Self>
{
    /// The type of a comparison.
    type Mask: Mask;
    /// The numbers without derivatives.
    type Primal: Real;
    /// Several of these numbers side by side, so that loops over many bodies run over packs; the
    /// number itself where packs would bring nothing.
    type Pack<V: Vectors>: Real;

    /// Whether there are vectors for which packs have more than one number.
    const PACKS: bool = false;
    /// The numbers of one lane.
    type Lane: Real<Lane = Self::Lane>;
    /// How many lanes there are.
    const LANES: usize = 1;

    /// Terms that the power series of [`stumpff`](super::stumpff) need for full precision when
    /// the argument is below one. Odd.
    const SERIES_TERMS: usize;

    /// Whether the larger formulas of the kernel are called with these numbers, and not inlined: one product of numbers
    /// with derivatives is longer than a call, and there is much to compile of each.
    const CALLED: bool = false;

    /// Whether sums and products of vectors are called too: of numbers whose own are.
    const VECTORS_CALLED: bool = false;

    /// Whether charts other than the exponential one are compiled for these numbers. Engines for lanes use no other, and
    /// those of the others would be a tenth of all that is compiled for them.
    const CHARTS: bool = true;

    /// How many layers of derivatives the number carries. Newton's method needs as many rounds more
    /// once the value has settled.
    const DERIVATIVES: usize = 0;

    /// The number `x`, with no derivative, in every lane.
    fn lift(x: f64) -> Self;
    /// The number without its derivatives.
    fn primal(self) -> Self::Primal;
    /// A number with no derivatives.
    fn from_primal(x: Self::Primal) -> Self;
    /// Lane number `i`: for what is too branchy to be done in all lanes at once.
    fn lane(self, i: usize) -> Self::Lane;
    /// Replaces lane number `i`.
    fn set_lane(&mut self, i: usize, x: Self::Lane);
    /// All lanes, at the beginning of a list that is long enough.
    #[inline]
    fn write_lanes(self, out: &mut [Self::Lane]) {
        let mut i = 0;
        while i < Self::LANES && i < out.len() {
            out[i] = self.lane(i);
            i += 1;
        }
    }
    /// The numbers whose lanes are at the beginning of a list.
    #[inline]
    fn read_lanes(list: &[Self::Lane]) -> Self {
        let mut x = Self::zero();
        let mut i = 0;
        while i < Self::LANES && i < list.len() {
            x.set_lane(i, list[i]);
            i += 1;
        }
        x
    }
    /// `numerator / denominator`, rounded once in this scalar's own precision.
    fn ratio(numerator: f64, denominator: f64) -> Self;
    /// `1/n!`, to this scalar's own precision.
    fn inverse_factorial(n: usize) -> Self;
    /// `1/n!` as the series of sine and cosine have it: where a scalar rounds the odd ones, the even ones are off in
    /// the same way, so that the point `(cos t, sin t)` stays on the circle.
    #[inline(always)]
    fn circle_coefficient(n: usize) -> Self {
        Self::inverse_factorial(n)
    }
    /// Square root. The derivative at zero is taken as zero, not as infinity.
    fn sqrt(self) -> Self;
    /// Sine and cosine.
    fn sin_cos(self) -> (Self, Self);
    /// The angle of the point `(x, self)`, in `(-pi, pi]`.
    fn atan2(self, x: Self) -> Self;
    /// Exponential function.
    fn exp(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// Absolute value.
    fn abs(self) -> Self;
    /// The largest whole number that is not above. Its derivatives are zero.
    fn floor(self) -> Self;
    /// `self < other`, by value.
    fn lt(self, other: Self) -> Self::Mask;
    /// Neither infinite nor NaN (derivatives included).
    fn finite(self) -> Self::Mask;
    /// `a` where the mask is true, `b` elsewhere.
    fn select(mask: Self::Mask, a: Self, b: Self) -> Self;
    /// The same number with its derivatives set to zero: for starting values of iterations that
    /// then find the derivatives themselves.
    #[inline(always)]
    fn frozen(self) -> Self {
        self
    }
    /// The largest absolute value over the lanes, without derivatives: for tolerances, norms and
    /// messages, never for results. NaN if any lane is NaN.
    fn magnitude(self) -> f64;

    /// The number itself, in a register of its own. Where one operation waits for the other, the compiler should not
    /// put two numbers into one register to spare an instruction: they then wait for each other, and for being put
    /// together and taken apart.
    #[inline(always)]
    fn unpaired(self) -> Self {
        self
    }

    /// How many numbers make a pack: four, or one.
    #[inline(always)]
    fn width<V: Vectors>() -> usize {
        1
    }
    /// A pack of these numbers; of the first one alone where one makes a pack.
    fn pack<V: Vectors>(list: [Self; 4]) -> Self::Pack<V>;
    /// The numbers of a pack; four times the same where one makes a pack.
    fn unpack<V: Vectors>(pack: Self::Pack<V>) -> [Self; 4];
    /// The first numbers of four pairs that lie side by side as one pack, the second as another.
    #[inline(always)]
    fn pack_pairs<V: Vectors>([a, b, c, d]: [[Self; 2]; 4]) -> [Self::Pack<V>; 2] {
        [Self::pack::<V>([a[0], b[0], c[0], d[0]]), Self::pack::<V>([a[1], b[1], c[1], d[1]])]
    }
    /// The pairs.
    #[inline(always)]
    fn unpack_pairs<V: Vectors>([x, y]: [Self::Pack<V>; 2]) -> [[Self; 2]; 4] {
        let ([a, b, c, d], [e, f, g, h]) = (Self::unpack::<V>(x), Self::unpack::<V>(y));
        [[a, e], [b, f], [c, g], [d, h]]
    }
    /// The [Stumpff functions](super::stumpff::stumpff) where not all lanes are below one: in one
    /// place for each scalar, so that not every formula with an angle holds all their forms.
    #[cold]
    #[inline(never)]
    fn stumpff_far(z: Self) -> [Self; 6] {
        super::stumpff::far(z)
    }
    /// The first three of them, which need neither the series nor the double angle of the others.
    #[cold]
    #[inline(never)]
    fn stumpff_far_low(z: Self) -> [Self; 3] {
        super::stumpff::far_low(z)
    }

    /// Does work in a function of its own, compiled for the instructions of these numbers: for what
    /// is seldom needed where the compiler should not meet it in every step of every method.
    #[inline(always)]
    fn apart<W: Apart>(work: W) -> W::Output {
        // A call on a GPU takes the state out of registers.
        if cfg!(target_arch = "nvptx64") { work.run() } else { out_of_line(work) }
    }

    /// The [coefficients of the inverse differential](super::stumpff::dexpinv_coefficients) beyond
    /// small angles. Inlined, unless a scalar has it in one place to spare the compiler.
    #[inline(always)]
    fn dexpinv_far(z: Self) -> (Self, Self) {
        super::stumpff::long_dexpinv(z)
    }

    tapes!();

    /// Zero.
    #[inline(always)]
    fn zero() -> Self {
        Self::lift(0.0)
    }
    /// One.
    #[inline(always)]
    fn one() -> Self {
        Self::lift(1.0)
    }
    /// `self * self`.
    #[inline(always)]
    fn square(self) -> Self {
        self * self
    }
    /// The sum of the squares of the value and of all derivatives, itself without derivatives: an
    /// iteration has settled when this is small of its corrections.
    #[inline(always)]
    fn all_squared(self) -> Self {
        self * self
    }
    /// A whole power, by repeated squaring.
    // Always inlined: a function of its own would not be compiled for the registers of packs.
    #[inline(always)]
    fn powi(self, n: i32) -> Self {
        let mut base = if n < 0 { Self::one() / self } else { self };
        let mut left = n.unsigned_abs();
        let mut product = Self::one();
        while left > 0 {
            if left & 1 == 1 {
                product *= base;
            }
            base *= base;
            left >>= 1;
        }
        product
    }
    /// The larger of two numbers, by value.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self::select(self.lt(other), other, self)
    }
}
