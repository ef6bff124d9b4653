//! Dual numbers: a value and its derivatives in `N` directions, carried through any formula.
use super::parts::{by_constants, one_makes_a_pack, operators_by_each_other};
use super::{Mask, Real};
use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

/// `re + eps_1 e_1 + … + eps_N e_N` with `e_i e_j = 0`, over any scalar (also over lanes, and
/// over dual numbers for second derivatives).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<S, const N: usize> {
    /// The value.
    pub re: S,
    /// The derivatives.
    pub eps: [S; N],
}

impl<S: Real, const N: usize> Dual<S, N> {
    /// A number with no derivative.
    #[inline]
    pub fn constant(re: S) -> Self {
        Self { re, eps: [S::zero(); N] }
    }
    /// The variable number `i`: its derivative in direction `i` is one.
    #[inline]
    pub fn variable(re: S, i: usize) -> Self {
        let mut x = Self::constant(re);
        if let Some(e) = x.eps.get_mut(i) {
            *e = S::one();
        }
        x
    }
    /// `f(self)` from the value and the derivative of `f` at `self.re`.
    #[inline]
    fn chain(self, value: S, slope: S) -> Self {
        let mut eps = self.eps;
        for e in &mut eps {
            *e *= slope;
        }
        Self { re: value, eps }
    }
}

impl<S: Real, const N: usize> Dual<S, N> {
    /// Whether a product is so long that a call is not felt: one of numbers with second derivatives takes dozens of
    /// operations, and hundreds of bytes wherever it is written.
    const LONG: bool = <Self as Real>::CALLED && <Self as Real>::DERIVATIVES > 1;

    #[inline(always)]
    fn product(&self, o: &Self) -> Self {
        let mut eps = self.eps;
        for i in 0..N {
            eps[i] = eps[i] * o.re + self.re * o.eps[i];
        }
        Self { re: self.re * o.re, eps }
    }
    #[inline(never)]
    fn called_product(&self, o: &Self) -> Self {
        self.product(o)
    }
}

operators_by_each_other!(Dual);
impl<S: Real, const N: usize> Mul for Dual<S, N> {
    type Output = Self;
    #[inline]
    fn mul(self, o: Self) -> Self {
        if const { Self::LONG } { self.called_product(&o) } else { self.product(&o) }
    }
}
impl<S: Real, const N: usize> Div for Dual<S, N> {
    type Output = Self;
    #[inline]
    fn div(self, o: Self) -> Self {
        let re = self.re / o.re;
        let mut eps = self.eps;
        for i in 0..N {
            eps[i] = (eps[i] - re * o.eps[i]) / o.re;
        }
        Self { re, eps }
    }
}
impl<S: Real, const N: usize> Neg for Dual<S, N> {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self.chain(-self.re, -S::one())
    }
}
impl<S: Real, const N: usize> AddAssign for Dual<S, N> {
    #[inline]
    fn add_assign(&mut self, o: Self) {
        self.re += o.re;
        for i in 0..N {
            self.eps[i] += o.eps[i];
        }
    }
}
impl<S: Real, const N: usize> SubAssign for Dual<S, N> {
    #[inline]
    fn sub_assign(&mut self, o: Self) {
        self.re -= o.re;
        for i in 0..N {
            self.eps[i] -= o.eps[i];
        }
    }
}
impl<S: Real, const N: usize> Mul<f64> for Dual<S, N> {
    type Output = Self;
    #[inline]
    fn mul(self, a: f64) -> Self {
        let mut eps = self.eps;
        for e in &mut eps {
            *e = *e * a;
        }
        Self { re: self.re * a, eps }
    }
}

impl<S: Real, const N: usize> Real for Dual<S, N> {
    by_constants!();
    one_makes_a_pack!();
    type Lane = Dual<S::Lane, N>;
    // Two terms more than the value needs: differentiating a series takes one off.
    const SERIES_TERMS: usize = S::SERIES_TERMS + 2;
    const DERIVATIVES: usize = S::DERIVATIVES + 1;
    // Packs must be inlined where their instructions are enabled, and a GPU calls nothing.
    const CALLED: bool = S::LANES == 1 && !cfg!(target_arch = "nvptx64");

    #[inline]
    fn all_squared(self) -> Self {
        let mut sum = self.re.all_squared();
        for e in self.eps {
            sum += e.all_squared();
        }
        Self::constant(sum)
    }

    #[inline]
    fn primal(self) -> S::Primal {
        self.re.primal()
    }
    #[inline]
    fn lane(self, i: usize) -> Dual<S::Lane, N> {
        let mut x = Dual::constant(self.re.lane(i));
        for k in 0..N {
            x.eps[k] = self.eps[k].lane(i);
        }
        x
    }
    #[inline]
    fn set_lane(&mut self, i: usize, x: Dual<S::Lane, N>) {
        self.re.set_lane(i, x.re);
        for k in 0..N {
            self.eps[k].set_lane(i, x.eps[k]);
        }
    }
    #[inline]
    fn sqrt(self) -> Self {
        let root = self.re.sqrt();
        let positive = S::zero().lt(root);
        let slope = S::lift(0.5) / S::select(positive, root, S::one());
        self.chain(root, S::select(positive, slope, S::zero()))
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = self.re.sin_cos();
        (self.chain(s, c), self.chain(c, -s))
    }
    #[inline]
    fn atan2(self, x: Self) -> Self {
        let r2 = self.re * self.re + x.re * x.re;
        let (a, b) = (x.re / r2, self.re / r2);
        let mut eps = self.eps;
        for i in 0..N {
            eps[i] = eps[i] * a - x.eps[i] * b;
        }
        Self { re: self.re.atan2(x.re), eps }
    }
    #[inline]
    fn exp(self) -> Self {
        let e = self.re.exp();
        self.chain(e, e)
    }
    #[inline]
    fn ln(self) -> Self {
        self.chain(self.re.ln(), S::one() / self.re)
    }
    #[inline]
    fn abs(self) -> Self {
        Self::select(self.re.lt(S::zero()), -self, self)
    }
    #[inline]
    fn floor(self) -> Self {
        Self::constant(self.re.floor())
    }
    #[inline]
    fn lt(self, other: Self) -> S::Mask {
        self.re.lt(other.re)
    }
    #[inline]
    fn finite(self) -> S::Mask {
        let mut ok = self.re.finite();
        for e in self.eps {
            ok = ok.and(e.finite());
        }
        ok
    }
    #[inline]
    fn select(mask: S::Mask, a: Self, b: Self) -> Self {
        let mut eps = a.eps;
        for i in 0..N {
            eps[i] = S::select(mask, a.eps[i], b.eps[i]);
        }
        Self { re: S::select(mask, a.re, b.re), eps }
    }
    #[inline]
    fn frozen(self) -> Self {
        Self::constant(self.re.frozen())
    }
    #[inline]
    fn magnitude(self) -> f64 {
        self.re.magnitude()
    }
}
