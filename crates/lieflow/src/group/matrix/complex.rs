//! Square matrices of complex numbers, as pairs of real ones: the few operations that SU(n) needs.
use super::{Matrix, Square, real};
use lieflow_kernel::{Mask, Real};

/// `re + i im`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Complex<S, const N: usize> {
    /// The real part, by rows.
    pub re: Square<S, N>,
    /// The imaginary part.
    pub im: Square<S, N>,
}

impl<S: Real, const N: usize> Matrix for Complex<S, N> {
    type Scalar = S;
    #[inline]
    fn zero() -> Self {
        Self { re: real::zero(), im: real::zero() }
    }
    #[inline]
    fn product(&self, b: &Self) -> Self {
        let (p, q) = (real::product(&self.re, &b.re), real::product(&self.im, &b.im));
        let (r, s) = (real::product(&self.re, &b.im), real::product(&self.im, &b.re));
        Self { re: real::combine(1.0, &p, -1.0, &q), im: real::combine(1.0, &r, 1.0, &s) }
    }
    #[inline]
    fn adjoint(&self) -> Self {
        let im = real::transpose(&self.im);
        Self { re: real::transpose(&self.re), im: im.each(|x| -x) }
    }
    #[inline]
    fn combine(p: f64, a: &Self, q: f64, b: &Self) -> Self {
        Self { re: real::combine(p, &a.re, q, &b.re), im: real::combine(p, &a.im, q, &b.im) }
    }
    #[inline]
    fn shifted(self, x: S) -> Self {
        Self { re: real::shifted(self.re, x), im: self.im }
    }
    #[inline]
    fn each(self, change: impl Fn(S) -> S) -> Self {
        Self { re: self.re.each(&change), im: self.im.each(&change) }
    }
    #[inline]
    fn select(mask: S::Mask, a: &Self, b: &Self) -> Self {
        Self { re: real::select(mask, &a.re, &b.re), im: real::select(mask, &a.im, &b.im) }
    }
    /// Skew in its real part, symmetric in its imaginary one.
    #[inline]
    fn skew_part(&self) -> Self {
        let mut im = self.im;
        for i in 0..N {
            for j in 0..i {
                let x = (im[i][j] + im[j][i]) * 0.5;
                im[i][j] = x;
                im[j][i] = x;
            }
        }
        Self { re: real::skew_part(&self.re), im }
    }
    fn turned(&self) -> S {
        self.re.turned()
    }
    fn distance_squared(&self, other: &Self) -> f64 {
        self.re.distance_squared(&other.re) + self.im.distance_squared(&other.im)
    }
}

/// Diagonalises the normal matrix `a` by unitary turns of two axes at a time, and turns the columns
/// of `v` along: `a <- J* a J`, `v <- v J`.
///
/// The turn of two axes is the one that makes the diagonal as large as it can be (Cardoso and
/// Souloumiac 1996, for one matrix): with `h = (a_pp - a_qq, a_pq + a_qp, i(a_qp - a_pq))` it follows
/// from the eigenvector of the largest eigenvalue of `Re h* h`.
pub(in crate::group) fn diagonalise<S: Real, const N: usize>(
    a: &mut Complex<S, N>,
    v: &mut Complex<S, N>,
) {
    // Convergence is quadratic, as it is for Jacobi's rotations.
    for _ in 0..30 {
        let mut moved = false;
        for p in 0..N {
            for q in p + 1..N {
                let (cosine, turn) = best_turn(a, p, q);
                // A turn below rounding, in every lane, is none.
                let size = turn[0] * turn[0] + turn[1] * turn[1];
                if !S::lift(1e-34).lt(size).any() {
                    continue;
                }
                moved = true;
                turn_columns(a, p, q, cosine, turn);
                turn_columns(v, p, q, cosine, turn);
                *a = a.adjoint();
                turn_columns(a, p, q, cosine, turn);
                *a = a.adjoint();
            }
        }
        if !moved {
            return;
        }
    }
}

/// Cosine and complex sine of the turn of the axes `p` and `q`.
fn best_turn<S: Real, const N: usize>(a: &Complex<S, N>, p: usize, q: usize) -> (S, [S; 2]) {
    let entry = |i: usize, j: usize| [a.re[i][j], a.im[i][j]];
    let ([b, c], [d, e]) = (entry(p, p), entry(q, q));
    let ([f, g], [h, k]) = (entry(p, q), entry(q, p));
    let rows = [[b - d, c - e], [f + h, g + k], [g - k, h - f]];
    let mut gram = [[S::zero(); 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            gram[i][j] = rows[i][0] * rows[j][0] + rows[i][1] * rows[j][1];
        }
    }
    let mut axes: Square<S, 3> = real::identity();
    real::jacobi(&mut gram, &mut axes, &[[S::Mask::splat(true); 3]; 3]);
    let mut best = gram[0][0];
    let mut x = [axes[0][0], axes[1][0], axes[2][0]];
    for k in 1..3 {
        let larger = best.lt(gram[k][k]);
        best = S::select(larger, gram[k][k], best);
        for i in 0..3 {
            x[i] = S::select(larger, axes[i][k], x[i]);
        }
    }
    let negative = x[0].lt(S::zero());
    let sign = S::select(negative, -S::one(), S::one());
    let cosine = ((S::one() + x[0] * sign) * 0.5).sqrt();
    let scale = sign * 0.5 / cosine;
    (cosine, [x[1] * scale, -x[2] * scale])
}

/// `m J`: column `p` becomes `c m_p + s m_q`, column `q` becomes `c m_q - s* m_p`.
fn turn_columns<S: Real, const N: usize>(
    m: &mut Complex<S, N>,
    p: usize,
    q: usize,
    c: S,
    [s, t]: [S; 2],
) {
    for i in 0..N {
        let (x, y) = (m.re[i][p], m.im[i][p]);
        let (z, w) = (m.re[i][q], m.im[i][q]);
        (m.re[i][p], m.im[i][p]) = (c * x + s * z - t * w, c * y + s * w + t * z);
        (m.re[i][q], m.im[i][q]) = (c * z - s * x - t * y, c * w - s * y + t * x);
    }
}
