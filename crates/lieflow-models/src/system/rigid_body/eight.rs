//! Eight numbers that are worked on together: in one register of 512 bits, in two of 256, or one after the other.
//!
//! Every lane is computed by itself, and nothing is fused, so that all three give the same bits.
use lieflow::kernel::Real;
use lieflow::kernel::wide::twins::{TwinWork, Twins, run_in_twins};
use lieflow::kernel::wide::{VectorWork, Vectors, run_vectorised};

/// Eight numbers. Only [`run_eight`] chooses how they are held.
pub trait Eight: Copy {
    /// These numbers.
    fn pack(x: [f64; 8]) -> Self;
    /// The numbers.
    fn unpack(self) -> [f64; 8];
    /// Their sums with others.
    fn plus(self, other: Self) -> Self;
    /// Their differences from others.
    fn minus(self, other: Self) -> Self;
    /// Their products with others.
    fn times(self, other: Self) -> Self;
    /// Their sizes.
    fn abs(self) -> Self;
    /// The same number eight times.
    #[inline(always)]
    fn all(x: f64) -> Self {
        Self::pack([x; 8])
    }
    /// Four numbers twice.
    #[inline(always)]
    fn twice([a, b, c, d]: [f64; 4]) -> Self {
        Self::pack([a, b, c, d, a, b, c, d])
    }
}

/// Work on eights: its function is called once, and must be marked `#[inline(always)]`.
pub trait EightWork {
    /// Does the work.
    fn run<E: Eight>(&mut self);
}

/// Does the work with the widest registers that this machine has.
#[inline(always)]
pub fn run_eight<W: EightWork>(work: &mut W) {
    if !run_in_twins(InOne(work)) {
        run_vectorised::<f64, _>(InParts(work));
    }
}

/// For [`run_eight`], and for tests: in one register.
pub struct InOne<'a, W>(pub &'a mut W);

impl<W: EightWork> TwinWork for InOne<'_, W> {
    #[inline(always)]
    fn run<T: Twins>(self) {
        self.0.run::<One<T>>();
    }
}

/// For [`run_eight`], and for tests: in two registers, or one number at a time.
pub struct InParts<'a, W>(pub &'a mut W);

impl<W: EightWork> VectorWork for InParts<'_, W> {
    type Output = ();
    #[inline(always)]
    fn run<V: Vectors>(self) {
        self.0.run::<Parts<V>>();
    }
}

#[derive(Clone, Copy)]
struct One<T: Twins>(T::Both);

impl<T: Twins> Eight for One<T> {
    #[inline(always)]
    fn pack([a, b, c, d, e, f, g, h]: [f64; 8]) -> Self {
        Self(T::both([T::Half::pack([a, b, c, d]), T::Half::pack([e, f, g, h])]))
    }
    #[inline(always)]
    fn unpack(self) -> [f64; 8] {
        let [low, high] = T::halves(self.0);
        let ([a, b, c, d], [e, f, g, h]) = (T::Half::unpack(low), T::Half::unpack(high));
        [a, b, c, d, e, f, g, h]
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs())
    }
}

/// The first two packs of four, or all eight of one.
#[derive(Clone, Copy)]
struct Parts<V: Vectors>([V::Pack; 8]);

/// An operation on each pack that is in use, without a closure, which would not be compiled for the vectors.
macro_rules! each {
    ($a:ident, $i:ident, $operation:expr) => {{
        let mut $i = 0;
        while $i < 8 / V::WIDTH {
            $a.0[$i] = $operation;
            $i += 1;
        }
        $a
    }};
}

impl<V: Vectors> Eight for Parts<V> {
    #[inline(always)]
    fn pack(x: [f64; 8]) -> Self {
        let mut parts = Self([V::Pack::zero(); 8]);
        let mut i = 0;
        while i < 8 {
            let from = i - i % V::WIDTH;
            let end = if V::WIDTH == 4 { from + 3 } else { from };
            let [b, c] = if V::WIDTH == 4 { [from + 1, from + 2] } else { [from; 2] };
            parts.0[i / V::WIDTH] = V::pack([x[from], x[b], x[c], x[end]]);
            i += V::WIDTH;
        }
        parts
    }
    #[inline(always)]
    fn unpack(self) -> [f64; 8] {
        let mut x = [0.0; 8];
        let mut i = 0;
        while i < 8 {
            x[i] = V::unpack(self.0[i / V::WIDTH])[i % V::WIDTH];
            i += 1;
        }
        x
    }
    #[inline(always)]
    fn plus(mut self, other: Self) -> Self {
        each!(self, i, self.0[i] + other.0[i])
    }
    #[inline(always)]
    fn minus(mut self, other: Self) -> Self {
        each!(self, i, self.0[i] - other.0[i])
    }
    #[inline(always)]
    fn times(mut self, other: Self) -> Self {
        each!(self, i, self.0[i] * other.0[i])
    }
    #[inline(always)]
    fn abs(mut self) -> Self {
        each!(self, i, self.0[i].abs())
    }
}
