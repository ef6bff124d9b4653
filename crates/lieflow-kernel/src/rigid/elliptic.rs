//! Elliptic integrals and functions: Carlson's symmetric integrals by duplication, Jacobi's
//! functions by the arithmetic-geometric mean.
//!
//! Arguments are given so that nothing cancels: square roots instead of squares where zero is
//! allowed (so that dual numbers pass through zero too), and the complementary parameter
//! `1 - k²` instead of the parameter. Carlson 1995; Bulirsch 1965; DLMF 19.36 and 22.20.
use crate::scalar::{Mask, Real};

/// Duplications or means after which a lane is given up; sixteen are enough for any argument that
/// is not within rounding of the pole.
const LIMIT: usize = 40;

/// The series that end the duplication are of degree seven: at this spread what they leave out is
/// below rounding, also for derivatives.
#[inline(always)]
fn spread<S: Real>() -> f64 {
    if extended::<S>() { 2e-5 } else { 2.5e-3 }
}

/// Whether the scalar has more digits than `f64`.
#[inline(always)]
pub(super) fn extended<S: Real>() -> bool {
    (S::one() + S::lift(1e-22) - S::one()).magnitude() > 0.0
}

/// `RF(p², q², 1)` for `p, q >= 0`, not both zero.
#[inline]
pub fn carlson_rf<S: Real>(p: S, q: S) -> S {
    let (mut x, mut y, mut z) = (p * p, q * q, S::one());
    let (mut rx, mut ry, mut rz) = (p, q, S::one());
    let first = (x + y + z) * S::ratio(1.0, 3.0);
    let reach = (first - x).abs().max((first - y).abs()).max((first - z).abs());
    let (dx, dy) = (first - x, first - y);
    let mut mean = first;
    let mut scale = 1.0;
    let mut open = S::Mask::splat(true);
    let (mut ex, mut ey, mut center) = (dx / first, dy / first, first);
    let mut n = 0;
    while n < LIMIT {
        open = open.and((mean * spread::<S>()).lt(reach * scale));
        if !open.any() {
            break;
        }
        let lambda = rx * ry + rx * rz + ry * rz;
        x = (x + lambda) * 0.25;
        y = (y + lambda) * 0.25;
        z = (z + lambda) * 0.25;
        mean = (mean + lambda) * 0.25;
        scale *= 0.25;
        (rx, ry, rz) = (x.sqrt(), y.sqrt(), z.sqrt());
        ex = S::select(open, dx * scale / mean, ex);
        ey = S::select(open, dy * scale / mean, ey);
        center = S::select(open, mean, center);
        n += 1;
    }
    let ez = -(ex + ey);
    let e2 = ex * ey - ez * ez;
    let e3 = ex * ey * ez;
    let sum = S::one() - e2 * S::ratio(1.0, 10.0)
        + e3 * S::ratio(1.0, 14.0)
        + e2 * e2 * S::ratio(1.0, 24.0)
        - e2 * e3 * S::ratio(3.0, 44.0)
        - e2 * e2 * e2 * S::ratio(5.0, 208.0)
        + e3 * e3 * S::ratio(3.0, 104.0)
        + e2 * e2 * e3 * S::ratio(1.0, 16.0);
    sum / center.sqrt()
}

/// `RJ(p², q², 1, w)` for `p, q >= 0`, not both zero, where `w` is the largest of the four arguments:
/// `w >= 1`, `w >= p²`, `w >= q²`. For a smaller one the arc tangents inside would be of negative numbers.
#[inline]
pub fn carlson_rj<S: Real>(p: S, q: S, w: S) -> S {
    let one = S::one();
    let (mut x, mut y, mut z, mut w) = (p * p, q * q, one, w);
    let (mut rx, mut ry, mut rz) = (p, q, one);
    let first = (x + y + z + w * 2.0) * S::ratio(1.0, 5.0);
    let (dx, dy, dz) = (first - x, first - y, first - z);
    let reach = dx.abs().max(dy.abs()).max(dz.abs()).max((first - w).abs());
    // Positive: w is the largest of the four.
    let delta = (w - x) * (w - y) * (w - z);
    let mut mean = first;
    let mut scale = 1.0;
    let mut sum = S::zero();
    let mut open = S::Mask::splat(true);
    let (mut ex, mut ey, mut ez) = (dx / first, dy / first, dz / first);
    let (mut center, mut last) = (first, one);
    let mut n = 0;
    while n < LIMIT {
        open = open.and((mean * spread::<S>()).lt(reach * scale));
        if !open.any() {
            break;
        }
        let rw = w.sqrt();
        let d = (rw + rx) * (rw + ry) * (rw + rz);
        let e = delta * (scale * scale * scale) / (d * d);
        sum = S::select(open, sum + arc(e) * scale / d, sum);
        let lambda = rx * ry + rx * rz + ry * rz;
        x = (x + lambda) * 0.25;
        y = (y + lambda) * 0.25;
        z = (z + lambda) * 0.25;
        w = (w + lambda) * 0.25;
        mean = (mean + lambda) * 0.25;
        scale *= 0.25;
        (rx, ry, rz) = (x.sqrt(), y.sqrt(), z.sqrt());
        ex = S::select(open, dx * scale / mean, ex);
        ey = S::select(open, dy * scale / mean, ey);
        ez = S::select(open, dz * scale / mean, ez);
        center = S::select(open, mean, center);
        last = S::select(open, S::lift(scale), last);
        n += 1;
    }
    let ew = -(ex + ey + ez) * 0.5;
    let xyz = ex * ey * ez;
    let w2 = ew * ew;
    let e2 = ex * ey + ex * ez + ey * ez - w2 * 3.0;
    let e3 = xyz + (e2 + w2 * 2.0) * ew * 2.0;
    let e4 = (xyz * 2.0 + (e2 + w2 * 3.0) * ew) * ew;
    let e5 = xyz * w2;
    let series =
        one - e2 * S::ratio(3.0, 14.0) + e3 * S::ratio(1.0, 6.0) + e2 * e2 * S::ratio(9.0, 88.0)
            - e4 * S::ratio(3.0, 22.0)
            - e2 * e3 * S::ratio(9.0, 52.0)
            + e5 * S::ratio(3.0, 26.0)
            - e2 * e2 * e2 * S::ratio(1.0, 16.0)
            + e3 * e3 * S::ratio(3.0, 40.0)
            + e2 * e4 * S::ratio(3.0, 20.0)
            + e2 * e2 * e3 * S::ratio(45.0, 272.0)
            - (e3 * e4 + e2 * e5) * S::ratio(9.0, 68.0);
    series * last / (center * center.sqrt()) + sum * 6.0
}

/// `RC(1, 1+e) = atan(√e)/√e` for `e >= 0`.
#[inline]
fn arc<S: Real>(e: S) -> S {
    let small = e.lt(S::lift(0.01));
    let mut series = S::zero();
    let mut k = if extended::<S>() { 18 } else { 9 };
    while k > 0 {
        k -= 1;
        series = S::ratio(1.0, (2 * k + 1) as f64) - S::select(small, e, S::zero()) * series;
    }
    if small.all() {
        return series;
    }
    let root = S::select(small, S::one(), e).sqrt();
    S::select(small, series, root.atan2(S::one()) / root)
}

/// Jacobi's elliptic functions of one modulus, ready for any argument.
#[derive(Clone, Copy, Debug)]
pub struct Jacobi<S> {
    /// `a_n` and `b_n` of the arithmetic-geometric mean.
    a: [S; LEVELS],
    b: [S; LEVELS],
    levels: usize,
    mean: S,
}

/// Means that bring any complementary modulus above 1e-145 to rounding level.
const LEVELS: usize = 18;

impl<S: Real> Jacobi<S> {
    /// The functions with complementary modulus `kc = √(1 - k²)`, `0 < kc <= 1`.
    #[inline]
    pub fn new(kc: S) -> Self {
        let mut a = [S::one(); LEVELS];
        let mut b = [kc; LEVELS];
        // Quadratic convergence: the next difference is the square of this one.
        let close = if extended::<S>() { 1e-17 } else { 1e-9 };
        let mut n = 0;
        while n + 1 < LEVELS && (a[n] * close).lt((a[n] - b[n]).abs()).any() {
            a[n + 1] = (a[n] + b[n]) * 0.5;
            b[n + 1] = (a[n] * b[n]).sqrt();
            n += 1;
        }
        Self { a, b, levels: n + 1, mean: (a[n] + b[n]) * 0.5 }
    }
    /// `π/(2K)`: the phase advances so much with the argument, and by a quarter turn in a quarter
    /// period `K`.
    #[inline(always)]
    pub fn rate(&self) -> S {
        self.mean
    }
    /// `sn`, `cn`, `dn` at the phase given by its sine and cosine.
    #[inline]
    pub fn at(&self, sin: S, cos: S) -> (S, S, S) {
        // At a zero of sn the cotangent below has a pole.
        let zero = sin.abs().lt(S::lift(1e-100));
        let mut cot = cos / S::select(zero, S::one(), sin);
        let mut c = self.mean * cot;
        let mut dn = S::one();
        let mut n = self.levels;
        while n > 0 {
            n -= 1;
            let square = cot * c;
            c *= dn;
            dn = (self.b[n] + square) / (self.a[n] + square);
            cot = c / self.a[n];
        }
        let sn = S::one() / (c * c + S::one()).sqrt();
        let sn = S::select(sin.lt(S::zero()), -sn, sn);
        (
            S::select(zero, sin / self.mean, sn),
            S::select(zero, cos, c * sn),
            S::select(zero, S::one(), dn),
        )
    }
}
