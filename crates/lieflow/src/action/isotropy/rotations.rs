//! SO(n) on the spheres of Rⁿ and on symmetric matrices.
use super::{Isotropy, NOISE, TINY, dot, null_space};
use crate::action::{Conjugate, Rotate, Symmetric};
use crate::group::{LieAlgebra, Rn, Skew, Square};
use lieflow_kernel::{Mask, Real};

/// `sum_j m_ij q_j`.
#[inline(always)]
fn apply<S: Real, const N: usize>(m: &Square<S, N>, q: &[S], out: &mut [S]) {
    for (row, out) in m.iter().zip(out) {
        *out = dot(row, q);
    }
}

/// `(a bᵀ - b aᵀ) s`: the turn in the plane of two vectors.
fn wedge<S: Real, const N: usize>(a: &[S], b: &[S], s: S) -> Skew<S, N> {
    let mut m = [[S::zero(); N]; N];
    for i in 0..N {
        for j in 0..N {
            m[i][j] = (a[i] * b[j] - b[i] * a[j]) * s;
        }
    }
    Skew::from_matrix(&m)
}

/// `1/x`, or zero if `x` is.
#[inline(always)]
fn reciprocal<S: Real>(x: S) -> S {
    let positive = S::lift(TINY).lt(x);
    S::select(positive, S::one() / S::select(positive, x, S::one()), S::zero())
}

/// `gamma(u)(q) = u q`. The isotropy of `q` is so(n-1), on the space orthogonal to `q`.
impl<S: Real, const N: usize> Isotropy for Rotate<S, N> {
    fn ambient(_: &Rn<S, N>) -> usize {
        N
    }
    fn read(y: &Rn<S, N>, out: &mut [S]) {
        out.copy_from_slice(&y.0);
    }
    fn write(x: &[S], y: &mut Rn<S, N>) {
        y.0.copy_from_slice(x);
    }
    fn velocity(u: &Skew<S, N>, y: &Rn<S, N>, out: &mut [S]) {
        apply(u.matrix(), &y.0, out);
    }
    fn linear(u: &Skew<S, N>, _: &Rn<S, N>, w: &[S], out: &mut [S]) {
        apply(u.matrix(), w, out);
    }
    fn isotropy_dim(_: &Rn<S, N>) -> usize {
        (N - 1) * (N - 2) / 2
    }
    /// The turns in the planes of an orthonormal frame of the space orthogonal to `q`: columns of
    /// the reflection that takes the first axis to the line of `q`.
    fn isotropy(y: &Rn<S, N>, i: usize, out: &mut Skew<S, N>) {
        let (mut a, mut left) = (1, i);
        while left >= N - 1 - a {
            left -= N - 1 - a;
            a += 1;
        }
        let b = a + 1 + left;
        let length = dot(&y.0, &y.0).sqrt();
        // v = q/|q| ± e1, with the sign that does not cancel.
        let scale = S::one() / S::select(S::zero().lt(length), length, S::one());
        let mut v = y.0;
        for x in &mut v {
            *x *= scale;
        }
        let one = S::select(v[0].lt(S::zero()), -S::one(), S::one());
        v[0] += one;
        let over = S::lift(2.0) / dot(&v, &v);
        let column = |k: usize| {
            let mut c = [S::zero(); N];
            for (c, v_j) in c.iter_mut().zip(v) {
                *c = -(v_j * v[k] * over);
            }
            c[k] += S::one();
            c
        };
        *out = wedge(&column(a), &column(b), S::one());
    }
    /// `(X qᵀ - q Xᵀ)/|q|²`.
    fn orthogonalise(y: &Rn<S, N>, out: &mut Skew<S, N>) {
        let mut x = [S::zero(); N];
        apply(out.matrix(), &y.0, &mut x);
        let square = dot(&y.0, &y.0);
        let moves = (out.dot(out) * square * NOISE).lt(dot(&x, &x));
        *out = wedge(&x, &y.0, S::select(moves, reciprocal(square), S::zero()));
    }
    /// `(n xᵀ - x nᵀ)/|x|²` with `n` the part of `b` across `q` and `x`.
    fn align(y: &Rn<S, N>, x: &[S], b: &[S], out: &mut Skew<S, N>) -> usize {
        let square = dot(x, x);
        let over = reciprocal(square);
        let (along_q, along_x) = (dot(b, &y.0) * reciprocal(dot(&y.0, &y.0)), dot(b, x) * over);
        let mut n = [S::zero(); N];
        for i in 0..N {
            n[i] = b[i] - along_q * y.0[i] - along_x * x[i];
        }
        out.axpy(1.0, &wedge(&n, x, over));
        usize::from(!S::lift(TINY).lt(square).all())
    }
}

/// `[u, a]`, by rows.
fn commutator<S: Real, const N: usize>(u: &Square<S, N>, a: &[S], out: &mut [S]) {
    for i in 0..N {
        for j in 0..N {
            let mut sum = S::zero();
            for k in 0..N {
                sum += u[i][k] * a[k * N + j] - a[i * N + k] * u[k][j];
            }
            out[i * N + j] = sum;
        }
    }
}

/// `gamma(u)(A) = [u, A]`. The isotropy of `A` is the product of the so(m) of its eigenspaces of
/// dimension `m`; it is found numerically, as the kernel of `u -> [u, A]`.
impl<S: Real, const N: usize> Isotropy for Conjugate<S, N> {
    fn ambient(_: &Symmetric<S, N>) -> usize {
        N * N
    }
    fn read(y: &Symmetric<S, N>, out: &mut [S]) {
        out.copy_from_slice(y.matrix().as_flattened());
    }
    fn write(x: &[S], y: &mut Symmetric<S, N>) {
        let mut m = [[S::zero(); N]; N];
        m.as_flattened_mut().copy_from_slice(x);
        *y = Symmetric::from_matrix(&m);
    }
    fn velocity(u: &Skew<S, N>, y: &Symmetric<S, N>, out: &mut [S]) {
        commutator(u.matrix(), y.matrix().as_flattened(), out);
    }
    fn linear(u: &Skew<S, N>, _: &Symmetric<S, N>, w: &[S], out: &mut [S]) {
        commutator(u.matrix(), w, out);
    }
    fn isotropy_dim(y: &Symmetric<S, N>) -> usize {
        kernel(y).len()
    }
    fn isotropy(y: &Symmetric<S, N>, i: usize, out: &mut Skew<S, N>) {
        *out = kernel(y).get(i).copied().unwrap_or_else(Skew::zero);
    }
}

/// An orthonormal basis of the isotropy algebra of a symmetric matrix.
fn kernel<S: Real, const N: usize>(y: &Symmetric<S, N>) -> Vec<Skew<S, N>> {
    let mut e = Skew::zero();
    let d = e.dim();
    let mut columns = vec![S::zero(); N * N * d];
    for (j, column) in columns.chunks_mut(N * N).enumerate() {
        e.set_coord(j, S::one());
        Conjugate::velocity(&e, y, column);
        e.set_coord(j, S::zero());
    }
    let basis = null_space(N * N, &mut columns);
    let element = |v: &[S]| {
        let mut z = Skew::zero();
        for (j, v) in v.iter().enumerate() {
            z.set_coord(j, *v);
        }
        z
    };
    basis.chunks(d.max(1)).map(element).collect()
}
