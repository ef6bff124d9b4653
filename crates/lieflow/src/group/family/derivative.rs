//! Derivatives of functions of a vector, by dual numbers.
use super::{CHUNK, GroupFamily, Seeded, VectorIn};
use crate::group::LieAlgebra;
use lieflow_kernel::Real;

/// `<m, v>`.
#[inline]
pub fn pair<A: LieAlgebra>(m: &A, v: &A) -> A::Scalar {
    let mut sum = A::Scalar::zero();
    for i in 0..m.dim() {
        sum += m.coord(i) * v.coord(i);
    }
    sum
}

/// The gradient of a function of a vector, by dual numbers, a few directions at a time.
#[inline]
pub fn gradient<F: GroupFamily + ?Sized, T: Real>(
    u: &VectorIn<F, T>,
    mut f: impl FnMut(&VectorIn<F, Seeded<T>>) -> Seeded<T>,
) -> VectorIn<F, T> {
    let mut out = u.zero_like();
    let mut x = F::cast_vector(u, Seeded::constant);
    let d = u.dim();
    let mut first = 0;
    while first < d {
        let last = (first + CHUNK).min(d);
        for i in first..last {
            x.set_coord(i, Seeded::variable(u.coord(i), i - first));
        }
        let value = f(&x);
        for i in first..last {
            out.set_coord(i, value.eps[i - first]);
            x.set_coord(i, Seeded::constant(u.coord(i)));
        }
        first = last;
    }
    out
}

/// The derivatives, by rows, of a map between vectors of the same size.
#[inline]
pub fn jacobian<F: GroupFamily + ?Sized, T: Real>(
    u: &VectorIn<F, T>,
    matrix: &mut [T],
    mut f: impl FnMut(&VectorIn<F, Seeded<T>>) -> VectorIn<F, Seeded<T>>,
) {
    let d = u.dim();
    let mut x = F::cast_vector(u, Seeded::constant);
    let mut first = 0;
    while first < d {
        let last = (first + CHUNK).min(d);
        for j in first..last {
            x.set_coord(j, Seeded::variable(u.coord(j), j - first));
        }
        let y = f(&x);
        for i in 0..d {
            let row = y.coord(i);
            for j in first..last {
                matrix[i * d + j] = row.eps[j - first];
            }
        }
        for j in first..last {
            x.set_coord(j, Seeded::constant(u.coord(j)));
        }
        first = last;
    }
}
