//! Square matrices of a size known to the compiler: the few operations that SO(n) needs.
use super::Matrix;
use lieflow_kernel::linalg::solve_in_place;
use lieflow_kernel::{Mask, Real};

/// A matrix by rows.
pub type Square<S, const N: usize> = [[S; N]; N];

#[inline]
pub(crate) fn zero<S: Real, const N: usize>() -> Square<S, N> {
    [[S::zero(); N]; N]
}

#[inline]
pub(crate) fn identity<S: Real, const N: usize>() -> Square<S, N> {
    let mut m = zero();
    for i in 0..N {
        m[i][i] = S::one();
    }
    m
}

#[inline]
pub(crate) fn product<S: Real, const N: usize>(a: &Square<S, N>, b: &Square<S, N>) -> Square<S, N> {
    let mut c = zero();
    for i in 0..N {
        for j in 0..N {
            let mut sum = a[i][0] * b[0][j];
            for k in 1..N {
                sum += a[i][k] * b[k][j];
            }
            c[i][j] = sum;
        }
    }
    c
}

#[inline]
pub(crate) fn transpose<S: Real, const N: usize>(a: &Square<S, N>) -> Square<S, N> {
    let mut t = *a;
    for i in 0..N {
        for j in 0..N {
            t[i][j] = a[j][i];
        }
    }
    t
}

impl<S: Real, const N: usize> Matrix for Square<S, N> {
    type Scalar = S;
    #[inline]
    fn zero() -> Self {
        zero()
    }
    #[inline]
    fn product(&self, b: &Self) -> Self {
        product(self, b)
    }
    #[inline]
    fn adjoint(&self) -> Self {
        transpose(self)
    }
    #[inline]
    fn combine(p: f64, a: &Self, q: f64, b: &Self) -> Self {
        combine(p, a, q, b)
    }
    #[inline]
    fn shifted(self, x: S) -> Self {
        shifted(self, x)
    }
    #[inline]
    fn each(mut self, change: impl Fn(S) -> S) -> Self {
        for x in self.as_flattened_mut() {
            *x = change(*x);
        }
        self
    }
    #[inline]
    fn select(mask: S::Mask, a: &Self, b: &Self) -> Self {
        select(mask, a, b)
    }
    #[inline]
    fn skew_part(&self) -> Self {
        skew_part(self)
    }
    fn turned(&self) -> S {
        let mut distance = S::zero();
        for i in 0..N {
            distance += S::one() - self[i][i];
        }
        distance
    }
    fn distance_squared(&self, other: &Self) -> f64 {
        distance_squared(self, other)
    }
}

/// `a b aᵀ`.
#[inline]
pub(crate) fn conjugate<S: Real, const N: usize>(
    a: &Square<S, N>,
    b: &Square<S, N>,
) -> Square<S, N> {
    product(&product(a, b), &transpose(a))
}

/// `p a + q b`.
#[inline]
pub(crate) fn combine<S: Real, const N: usize>(
    p: f64,
    a: &Square<S, N>,
    q: f64,
    b: &Square<S, N>,
) -> Square<S, N> {
    let mut c = *a;
    for i in 0..N {
        for j in 0..N {
            c[i][j] = a[i][j] * p + b[i][j] * q;
        }
    }
    c
}

/// `a + x I`.
#[inline]
pub(crate) fn shifted<S: Real, const N: usize>(mut a: Square<S, N>, x: S) -> Square<S, N> {
    for i in 0..N {
        a[i][i] += x;
    }
    a
}

/// Sum of the squared differences of the entries, over the largest lane of each.
pub(crate) fn distance_squared<S: Real, const N: usize>(a: &Square<S, N>, b: &Square<S, N>) -> f64 {
    let mut sum = 0.0;
    for (x, y) in a.as_flattened().iter().zip(b.as_flattened()) {
        let d = (*x - *y).magnitude();
        sum += d * d;
    }
    sum
}

/// The part with `mᵀ = -m`, exactly skew.
#[inline]
pub(crate) fn skew_part<S: Real, const N: usize>(m: &Square<S, N>) -> Square<S, N> {
    let mut k = zero();
    for i in 0..N {
        for j in 0..i {
            let x = (m[i][j] - m[j][i]) * 0.5;
            k[i][j] = x;
            k[j][i] = -x;
        }
    }
    k
}

/// `a` where the mask is true, `b` elsewhere.
#[inline]
pub(crate) fn select<S: Real, const N: usize>(
    mask: S::Mask,
    a: &Square<S, N>,
    b: &Square<S, N>,
) -> Square<S, N> {
    let mut c = *a;
    for i in 0..N {
        for j in 0..N {
            c[i][j] = S::select(mask, a[i][j], b[i][j]);
        }
    }
    c
}

/// `a^{-1} b`, for a regular matrix.
pub(crate) fn solve<S: Real, const N: usize>(a: &Square<S, N>, b: &Square<S, N>) -> Square<S, N> {
    let mut out = zero();
    for j in 0..N {
        let mut matrix = *a;
        let mut column = [S::zero(); N];
        for i in 0..N {
            column[i] = b[i][j];
        }
        solve_in_place(N, matrix.as_flattened_mut(), &mut column);
        for i in 0..N {
            out[i][j] = column[i];
        }
    }
    out
}

/// Diagonalises the symmetric matrix `a` by Jacobi rotations, and turns the columns of `v` along:
/// `a <- JᵀaJ`, `v <- vJ`. Pairs of columns for which `together` is false are left alone.
pub(crate) fn jacobi<S: Real, const N: usize>(
    a: &mut Square<S, N>,
    v: &mut Square<S, N>,
    together: &[[S::Mask; N]; N],
) {
    // Convergence is quadratic: six or seven sweeps do, thirty never happen.
    for _ in 0..30 {
        let mut turned = false;
        for p in 0..N {
            for q in p + 1..N {
                let (x, y, off) = (a[p][p], a[q][q], a[p][q]);
                // Small against the diagonal, or the square root of nothing.
                let scale = (x * y).abs() * 1e-32 + S::lift(f64::MIN_POSITIVE);
                let apart = scale.lt(off * off).and(together[p][q]);
                if !apart.any() {
                    continue;
                }
                turned = true;
                let zeta = (y - x) / S::select(apart, off * 2.0, S::one());
                let size = S::one() / (zeta.abs() + (S::one() + zeta * zeta).sqrt());
                let t = S::select(zeta.lt(S::zero()), -size, size);
                let t = S::select(apart, t, S::zero());
                let c = S::one() / (S::one() + t * t).sqrt();
                let s = c * t;
                for k in 0..N {
                    (a[k][p], a[k][q]) = turn(a[k][p], a[k][q], c, s);
                    (v[k][p], v[k][q]) = turn(v[k][p], v[k][q], c, s);
                }
                for k in 0..N {
                    (a[p][k], a[q][k]) = turn(a[p][k], a[q][k], c, s);
                }
            }
        }
        if !turned {
            return;
        }
    }
}

/// `(c x - s y, s x + c y)`.
#[inline]
pub(crate) fn turn<S: Real>(x: S, y: S, c: S, s: S) -> (S, S) {
    (c * x - s * y, s * x + c * y)
}
