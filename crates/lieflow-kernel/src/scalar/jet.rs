//! Truncated power series in one variable: a number that carries its Taylor coefficients through
//! any formula.
//!
//! With the step size as the variable, a step evaluated at jets is its own Taylor expansion, so
//! that orders, leading error coefficients and the corrections built on them are read off, not
//! fitted.
use super::parts::{by_constants, one_makes_a_pack, operators_by_each_other};
use super::{Mask, Real};
use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

/// `c_0 + c_1 t + … + c_{N-1} t^{N-1} + O(t^N)`. Comparisons look at `c_0` only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jet<S, const N: usize> {
    /// The coefficients.
    pub c: [S; N],
}

impl<S: Real, const N: usize> Jet<S, N> {
    /// A constant.
    #[inline]
    pub fn constant(value: S) -> Self {
        const { assert!(N > 0, "a jet has at least its value") };
        let mut c = [S::zero(); N];
        c[0] = value;
        Self { c }
    }
    /// The variable `t` itself.
    #[inline]
    pub fn variable() -> Self {
        let mut c = [S::zero(); N];
        if N > 1 {
            c[1] = S::one();
        }
        Self { c }
    }
    /// This series with another one, which must vanish at zero, put in place of its variable.
    #[inline]
    pub fn compose(self, inner: Self) -> Self {
        let mut sum = Self::constant(self.c[N - 1]);
        let mut k = N - 1;
        while k > 0 {
            k -= 1;
            sum *= inner;
            sum.c[0] += self.c[k];
        }
        sum
    }
    /// The series whose derivative is `slope`, with the value `first` at zero.
    #[inline]
    fn integral(first: S, slope: Self) -> Self {
        let mut c = [S::zero(); N];
        c[0] = first;
        let mut k = 1;
        while k < N {
            c[k] = slope.c[k - 1] * S::ratio(1.0, k as f64);
            k += 1;
        }
        Self { c }
    }
    /// The derivative; its last coefficient is unknown and set to zero.
    #[inline]
    fn derivative(self) -> Self {
        let mut c = [S::zero(); N];
        let mut k = 1;
        while k < N {
            c[k - 1] = self.c[k] * k as f64;
            k += 1;
        }
        Self { c }
    }
}

operators_by_each_other!(Jet);
impl<S: Real, const N: usize> Mul for Jet<S, N> {
    type Output = Self;
    #[inline]
    fn mul(self, o: Self) -> Self {
        let mut c = [S::zero(); N];
        let mut i = 0;
        while i < N {
            let mut j = 0;
            while i + j < N {
                c[i + j] += self.c[i] * o.c[j];
                j += 1;
            }
            i += 1;
        }
        Self { c }
    }
}
impl<S: Real, const N: usize> Div for Jet<S, N> {
    type Output = Self;
    #[inline]
    fn div(self, o: Self) -> Self {
        let mut c = self.c;
        let mut k = 0;
        while k < N {
            let mut j = 0;
            while j < k {
                let known = c[j] * o.c[k - j];
                c[k] -= known;
                j += 1;
            }
            c[k] = c[k] / o.c[0];
            k += 1;
        }
        Self { c }
    }
}
impl<S: Real, const N: usize> Neg for Jet<S, N> {
    type Output = Self;
    #[inline]
    fn neg(mut self) -> Self {
        let mut k = 0;
        while k < N {
            self.c[k] = -self.c[k];
            k += 1;
        }
        self
    }
}
impl<S: Real, const N: usize> AddAssign for Jet<S, N> {
    #[inline]
    fn add_assign(&mut self, o: Self) {
        let mut k = 0;
        while k < N {
            self.c[k] += o.c[k];
            k += 1;
        }
    }
}
impl<S: Real, const N: usize> SubAssign for Jet<S, N> {
    #[inline]
    fn sub_assign(&mut self, o: Self) {
        let mut k = 0;
        while k < N {
            self.c[k] -= o.c[k];
            k += 1;
        }
    }
}
impl<S: Real, const N: usize> Mul<f64> for Jet<S, N> {
    type Output = Self;
    #[inline]
    fn mul(mut self, a: f64) -> Self {
        let mut k = 0;
        while k < N {
            self.c[k] = self.c[k] * a;
            k += 1;
        }
        self
    }
}

impl<S: Real, const N: usize> Real for Jet<S, N> {
    by_constants!();
    one_makes_a_pack!();
    type Lane = Jet<S::Lane, N>;
    // Each derivative takes a term off the series.
    const SERIES_TERMS: usize = S::SERIES_TERMS + 2 * N.div_ceil(2);
    const DERIVATIVES: usize = S::DERIVATIVES + N - 1;
    const CALLED: bool = S::LANES == 1 && !cfg!(target_arch = "nvptx64");

    #[inline]
    fn all_squared(self) -> Self {
        let mut sum = S::zero();
        for c in self.c {
            sum += c.all_squared();
        }
        Self::constant(sum)
    }

    #[inline]
    fn primal(self) -> S::Primal {
        self.c[0].primal()
    }
    #[inline]
    fn lane(self, i: usize) -> Jet<S::Lane, N> {
        let mut x = Jet::constant(self.c[0].lane(i));
        for k in 1..N {
            x.c[k] = self.c[k].lane(i);
        }
        x
    }
    #[inline]
    fn set_lane(&mut self, i: usize, x: Jet<S::Lane, N>) {
        for k in 0..N {
            self.c[k].set_lane(i, x.c[k]);
        }
    }
    /// The root of a series that starts at zero is taken as zero, like the derivative of the root
    /// elsewhere.
    #[inline]
    fn sqrt(self) -> Self {
        let root = self.c[0].sqrt();
        let positive = S::zero().lt(root);
        let half = S::lift(0.5) / S::select(positive, root, S::one());
        let mut c = [S::zero(); N];
        c[0] = root;
        let mut k = 1;
        while k < N {
            let mut rest = self.c[k];
            let mut j = 1;
            while j < k {
                rest -= c[j] * c[k - j];
                j += 1;
            }
            c[k] = S::select(positive, rest * half, S::zero());
            k += 1;
        }
        Self { c }
    }
    #[inline]
    fn sin_cos(self) -> (Self, Self) {
        let (s0, c0) = self.c[0].sin_cos();
        let (mut sin, mut cos) = (Self::constant(s0), Self::constant(c0));
        // k s_k = sum_j j a_j c_{k-j}, k c_k = -sum_j j a_j s_{k-j}
        let mut k = 1;
        while k < N {
            let (mut s, mut c) = (S::zero(), S::zero());
            let mut j = 1;
            while j <= k {
                let slope = self.c[j] * j as f64;
                s += slope * cos.c[k - j];
                c -= slope * sin.c[k - j];
                j += 1;
            }
            let over = S::ratio(1.0, k as f64);
            sin.c[k] = s * over;
            cos.c[k] = c * over;
            k += 1;
        }
        (sin, cos)
    }
    #[inline]
    fn atan2(self, x: Self) -> Self {
        let slope = (x * self.derivative() - self * x.derivative()) / (x * x + self * self);
        Self::integral(self.c[0].atan2(x.c[0]), slope)
    }
    #[inline]
    fn exp(self) -> Self {
        let mut e = Self::constant(self.c[0].exp());
        let mut k = 1;
        while k < N {
            let mut sum = S::zero();
            let mut j = 1;
            while j <= k {
                sum += self.c[j] * j as f64 * e.c[k - j];
                j += 1;
            }
            e.c[k] = sum * S::ratio(1.0, k as f64);
            k += 1;
        }
        e
    }
    #[inline]
    fn ln(self) -> Self {
        Self::integral(self.c[0].ln(), self.derivative() / self)
    }
    #[inline]
    fn abs(self) -> Self {
        Self::select(self.c[0].lt(S::zero()), -self, self)
    }
    #[inline]
    fn floor(self) -> Self {
        Self::constant(self.c[0].floor())
    }
    #[inline]
    fn lt(self, other: Self) -> S::Mask {
        self.c[0].lt(other.c[0])
    }
    #[inline]
    fn finite(self) -> S::Mask {
        let mut ok = self.c[0].finite();
        let mut k = 1;
        while k < N {
            ok = ok.and(self.c[k].finite());
            k += 1;
        }
        ok
    }
    #[inline]
    fn select(mask: S::Mask, a: Self, mut b: Self) -> Self {
        let mut k = 0;
        while k < N {
            b.c[k] = S::select(mask, a.c[k], b.c[k]);
            k += 1;
        }
        b
    }
    #[inline]
    fn frozen(self) -> Self {
        Self::constant(self.c[0].frozen())
    }
    #[inline]
    fn magnitude(self) -> f64 {
        self.c[0].magnitude()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Vec3, linalg::vec3, so3};

    type J = Jet<f64, 7>;

    fn close(a: J, want: [f64; 7]) {
        for k in 0..7 {
            assert!((a.c[k] - want[k]).abs() < 4e-15, "coefficient {k}: {} {}", a.c[k], want[k]);
        }
    }

    #[test]
    fn elementary_functions_have_their_known_series() {
        let t = J::variable();
        close(t.exp(), [1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0]);
        close((t + J::one()).ln(), [0.0, 1.0, -0.5, 1.0 / 3.0, -0.25, 0.2, -1.0 / 6.0]);
        close(
            (t + J::one()).sqrt(),
            [1.0, 0.5, -0.125, 0.0625, -5.0 / 128.0, 7.0 / 256.0, -21.0 / 1024.0],
        );
        close(t.atan2(J::one()), [0.0, 1.0, 0.0, -1.0 / 3.0, 0.0, 0.2, 0.0]);
        close(J::one() / (J::one() - t), [1.0; 7]);
        let (s, c) = t.sin_cos();
        close(s * s + c * c, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        close(s, [0.0, 1.0, 0.0, -1.0 / 6.0, 0.0, 1.0 / 120.0, 0.0]);
        // exp(ln(1 + t)) by composition of the two series.
        close(t.exp().compose((t + J::one()).ln()), [1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn a_rotation_by_a_growing_angle_has_its_taylor_series_on_both_sides_of_the_branch() {
        // exp((a + t) e3) e1 = (cos(a + t), sin(a + t), 0) for small and large a.
        for a in [0.0, 0.3, 0.999999, 1.5, 3.0] {
            let angle = J::variable() + J::lift(a);
            let u = vec3(J::zero(), J::zero(), angle);
            let turned = so3::rotate(u, Vec3::unit(0));
            let (s, c) = angle.sin_cos();
            close(turned.x, c.c);
            close(turned.y, s.c);
            // dexpinv of the axis along itself is the axis.
            let w = so3::dexpinv(u, Vec3::unit(2));
            close(w.z, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        }
    }

    #[test]
    fn a_root_that_starts_at_zero_is_zero_and_finite() {
        assert_eq!(J::variable().sqrt(), J::zero());
        assert!(!(J::variable() / J::zero()).finite());
    }
}
