//! Smallest solutions of linear equations that may have none or many, by one-sided Jacobi
//! rotations: the columns of `A` are turned into each other until they are orthogonal,
//! `A V = W`, and then their lengths are the singular values. Slow for large matrices, but of full
//! relative accuracy, short, and the same for every kind of number.
use lieflow_kernel::{Mask, Real};

/// `sum_i a_i b_i`.
#[inline(always)]
pub(crate) fn dot<S: Real>(a: &[S], b: &[S]) -> S {
    let mut sum = S::zero();
    for (a, b) in a.iter().zip(b) {
        sum += *a * *b;
    }
    sum
}

/// Sweeps over all pairs of columns; convergence is quadratic, and six or seven are enough.
const SWEEPS: usize = 30;

/// Turns the columns (of length `n`) of `a` into orthogonal ones; the same is done to the columns
/// of `v` (of length `m`).
fn orthogonalise<S: Real>(n: usize, a: &mut [S], m: usize, v: &mut [S]) {
    let r = a.len().checked_div(n).unwrap_or(0);
    for _ in 0..SWEEPS {
        let mut turned = false;
        for p in 0..r {
            for q in p + 1..r {
                let (left, right) = a.split_at_mut(q * n);
                let (x, y) = (&mut left[p * n..(p + 1) * n], &mut right[..n]);
                let (alpha, beta, gamma) = (dot(x, x), dot(y, y), dot(x, y));
                let apart = (alpha * beta * 1e-32).lt(gamma * gamma);
                if !apart.any() {
                    continue;
                }
                turned = true;
                let zeta = (beta - alpha) / S::select(apart, gamma * 2.0, S::one());
                let size = S::one() / (zeta.abs() + (S::one() + zeta * zeta).sqrt());
                let t = S::select(zeta.lt(S::zero()), -size, size);
                let t = S::select(apart, t, S::zero());
                let c = S::one() / (S::one() + t * t).sqrt();
                let s = c * t;
                turn(x, y, c, s);
                let (left, right) = v.split_at_mut(q * m);
                turn(&mut left[p * m..(p + 1) * m], &mut right[..m], c, s);
            }
        }
        if !turned {
            break;
        }
    }
}

/// `(x, y) <- (c x - s y, s x + c y)`.
fn turn<S: Real>(x: &mut [S], y: &mut [S], c: S, s: S) {
    for (x, y) in x.iter_mut().zip(y) {
        let (p, q) = (*x, *y);
        *x = c * p - s * q;
        *y = s * p + c * q;
    }
}

/// The identity of this size.
fn identity<S: Real>(m: usize) -> Vec<S> {
    let mut v = vec![S::zero(); m * m];
    for i in 0..m {
        v[i * m + i] = S::one();
    }
    v
}

/// The squares of the singular values, and the largest of them.
fn squares<S: Real>(n: usize, a: &[S]) -> (Vec<S>, S) {
    let squares: Vec<S> = a.chunks(n.max(1)).map(|w| dot(w, w)).collect();
    let largest = squares.iter().fold(S::zero(), |largest, s| largest.max(*s));
    (squares, largest)
}

/// `1/s` where `s` counts as different from zero, else zero.
fn inverted<S: Real>(square: S, largest: S, cut: f64) -> S {
    let counts = (largest * (cut * cut)).lt(square).and(S::lift(super::TINY).lt(square));
    S::select(counts, S::one() / S::select(counts, square, S::one()), S::zero())
}

/// The shortest `x` for which `|A x - b|` is smallest. `a` holds the columns of `A`, each of
/// length `n`, and is destroyed. Singular values below `cut` times the largest count as zero.
pub fn least_squares<S: Real>(n: usize, a: &mut [S], b: &[S], cut: f64, x: &mut [S]) {
    let r = x.len();
    let mut v = identity(r);
    orthogonalise(n, a, r, &mut v);
    let (squares, largest) = squares(n, a);
    x.fill(S::zero());
    for ((w, v), square) in a.chunks(n.max(1)).zip(v.chunks(r.max(1))).zip(squares) {
        let weight = dot(w, b) * inverted(square, largest, cut);
        for (x, v) in x.iter_mut().zip(v) {
            *x += weight * *v;
        }
    }
}

/// More equations than this are not solved by [`least_norm`].
pub const MOST_ROWS: usize = 8;

/// The shortest `x` for which `|J x - f|` is smallest, for up to [`MOST_ROWS`] equations; beyond,
/// `x` is zero. `rows` holds the rows of `J`, each of the length of `x`, and is destroyed. Returns
/// the smallest singular value over the largest. Nothing is allocated.
pub fn least_norm(rows: &mut [f64], f: &[f64], cut: f64, x: &mut [f64]) -> f64 {
    let (r, p) = (x.len(), f.len());
    x.fill(0.0);
    if p > MOST_ROWS || r == 0 {
        return 0.0;
    }
    let mut v = [0.0; MOST_ROWS * MOST_ROWS];
    for i in 0..p {
        v[i * p + i] = 1.0;
    }
    orthogonalise(r, rows, p, &mut v[..p * p]);
    let (mut smallest, mut largest) = (f64::INFINITY, 0.0f64);
    for w in rows.chunks(r) {
        let square = dot(w, w);
        smallest = smallest.min(square);
        largest = largest.max(square);
    }
    for (w, v) in rows.chunks(r).zip(v.chunks(p.max(1))) {
        let weight = dot(v, f) * inverted(dot(w, w), largest, cut);
        for (x, w) in x.iter_mut().zip(w) {
            *x += weight * *w;
        }
    }
    if largest > 0.0 { (smallest / largest).sqrt() } else { 0.0 }
}

/// The singular values of the matrix with these columns, each of length `n`; it is destroyed.
pub(super) fn singular_values(n: usize, a: &mut [f64]) -> Vec<f64> {
    orthogonalise(n, a, 0, &mut []);
    squares(n, a).0.into_iter().map(f64::sqrt).collect()
}

/// Singular values below this fraction of the largest belong to the kernel.
const KERNEL: f64 = 1e-10;

/// An orthonormal basis of the kernel of the matrix with these columns, each of length `n`, one
/// vector after the other; the matrix is destroyed. In a pack of lanes, what all lanes agree on.
pub(super) fn null_space<S: Real>(n: usize, a: &mut [S]) -> Vec<S> {
    let r = a.len().checked_div(n).unwrap_or(0);
    let mut v = identity(r);
    orthogonalise(n, a, r, &mut v);
    let (squares, largest) = squares(n, a);
    let bound = largest * (KERNEL * KERNEL);
    let mut kernel = Vec::new();
    for (v, square) in v.chunks(r.max(1)).zip(squares) {
        if !bound.lt(square).any() {
            kernel.extend_from_slice(v);
        }
    }
    kernel
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tall_wide_and_singular_systems() {
        // Columns (1,0,1), (0,2,0); b is in the plane that they span.
        let mut x = [0.0; 2];
        least_squares(3, &mut [1.0, 0.0, 1.0, 0.0, 2.0, 0.0], &[3.0, 4.0, 3.0], 1e-9, &mut x);
        assert!((x[0] - 3.0).abs() < 1e-15 && (x[1] - 2.0).abs() < 1e-15, "{x:?}");
        // The same column twice: the shortest solution shares.
        least_squares(2, &mut [1.0, 1.0, 1.0, 1.0], &[2.0, 2.0], 1e-9, &mut x);
        assert!((x[0] - 1.0).abs() < 1e-15 && (x[1] - 1.0).abs() < 1e-15, "{x:?}");
        // One equation, three unknowns.
        let mut z = [0.0; 3];
        let ratio = least_norm(&mut [1.0, 2.0, 2.0], &[9.0], 1e-9, &mut z);
        assert_eq!((z, ratio), ([1.0, 2.0, 2.0], 1.0));
        // Two equations that say the same, nearly.
        let ratio = least_norm(&mut [1.0, 0.0, 0.0, 1.0, 1e-12, 0.0], &[1.0, 1.0], 1e-9, &mut z);
        assert!((z[0] - 1.0).abs() < 1e-11 && ratio < 1e-11, "{z:?} {ratio:e}");
        // Nothing at all.
        assert_eq!(least_norm(&mut [0.0; 6], &[1.0, 1.0], 1e-9, &mut z), 0.0);
        assert_eq!(z, [0.0; 3]);
    }

    #[test]
    fn the_smallest_solution_is_orthogonal_to_the_kernel() {
        let rows = [0.3, -0.7, 0.2, 0.9, 1.1, 0.4, -0.6, 0.2];
        let f = [0.5, -0.8];
        let mut x = [0.0; 4];
        least_norm(&mut rows.clone(), &f, 1e-9, &mut x);
        for (row, f) in rows.chunks(4).zip(f) {
            assert!((dot(row, &x) - f).abs() < 1e-15);
        }
        // x is a combination of the rows, so taking those off leaves nothing.
        let mut columns = rows.to_vec();
        let mut weights = [0.0; 2];
        least_squares(4, &mut columns, &x, 1e-9, &mut weights);
        for i in 0..4 {
            let sum = rows[i] * weights[0] + rows[4 + i] * weights[1];
            assert!((sum - x[i]).abs() < 1e-15);
        }
    }
}
