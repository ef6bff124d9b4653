//! Maps of rows of numbers to rows of numbers, as arrays of other languages hold them: four rows at a
//! time where the machine has vectors, with the bits of one at a time.
use super::{VectorWork, Vectors, run_vectorised};
use crate::scalar::Real;
use core::marker::PhantomData;

/// The most numbers of a row: those of a matrix of five rows.
pub const MOST: usize = 25;

/// A map of some numbers to some others.
pub trait RowMap: Send + Sync {
    /// How many numbers it takes, at most [`MOST`].
    const IN: usize;
    /// How many it gives, at most [`MOST`].
    const OUT: usize;
    /// From the first numbers of one list to the first of the other.
    fn apply<S: Real>(x: &[S; MOST], y: &mut [S; MOST]);
}

/// A map on all rows of `x`, into those of `y`; each comes with the length of its rows. Nothing is done,
/// and the answer is no, unless the lengths are those of the map and there are as many rows in both.
pub fn map_rows<M: RowMap>((x, ins): (&[f64], usize), (y, outs): (&mut [f64], usize)) -> bool {
    let fits = ins == M::IN && outs == M::OUT && x.len() / ins == y.len() / outs;
    if fits {
        run_vectorised::<f64, _>(Rows::<M> { x, y, map: PhantomData });
    }
    fits
}

struct Rows<'a, M> {
    x: &'a [f64],
    y: &'a mut [f64],
    map: PhantomData<M>,
}

impl<M: RowMap> VectorWork for Rows<'_, M> {
    type Output = ();
    #[inline(always)]
    fn run<V: Vectors>(self) {
        let wide = if V::WIDTH == 4 { self.x.len() / (4 * M::IN) * 4 } else { 0 };
        let (x, x_rest) = self.x.split_at(wide * M::IN);
        let (y, y_rest) = self.y.split_at_mut(wide * M::OUT);
        for (x, y) in x.chunks_exact(4 * M::IN).zip(y.chunks_exact_mut(4 * M::OUT)) {
            let zero = V::pack([0.0; 4]);
            let (mut a, mut b) = ([zero; MOST], [zero; MOST]);
            for i in 0..M::IN {
                a[i] = V::pack([x[i], x[M::IN + i], x[2 * M::IN + i], x[3 * M::IN + i]]);
            }
            M::apply(&a, &mut b);
            for i in 0..M::OUT {
                let four = V::unpack(b[i]);
                for k in 0..4 {
                    y[k * M::OUT + i] = four[k];
                }
            }
        }
        for (x, y) in x_rest.chunks_exact(M::IN).zip(y_rest.chunks_exact_mut(M::OUT)) {
            let (mut a, mut b) = ([0.0; MOST], [0.0; MOST]);
            a[..M::IN].copy_from_slice(x);
            M::apply(&a, &mut b);
            y.copy_from_slice(&b[..M::OUT]);
        }
    }
}

/// Rows of numbers as vectors, matrices and quaternions, and back.
pub mod numbers {
    use super::MOST;
    use crate::scalar::Real;
    use crate::{Mat3, Quat, Vec3, se3, vec3};

    /// The vector of the numbers from `i` on.
    #[inline(always)]
    pub fn v<S: Real>(x: &[S; MOST], i: usize) -> Vec3<S> {
        vec3(x[i], x[i + 1], x[i + 2])
    }
    /// The coordinates from `i` on.
    #[inline(always)]
    pub fn list<S: Real, const N: usize>(x: &[S; MOST], i: usize) -> [S; N] {
        let mut out = [S::zero(); N];
        out.copy_from_slice(&x[i..i + N]);
        out
    }
    /// A matrix by rows.
    #[inline(always)]
    pub fn rows<S: Real, const N: usize>(x: &[S; MOST]) -> [[S; N]; N] {
        let mut m = [[S::zero(); N]; N];
        m.as_flattened_mut().copy_from_slice(&x[..N * N]);
        m
    }
    /// A matrix of three rows.
    #[inline(always)]
    pub fn rotation<S: Real>(x: &[S; MOST]) -> Mat3<S> {
        Mat3::from_rows(v(x, 0), v(x, 3), v(x, 6))
    }
    /// The numbers of a matrix.
    #[inline(always)]
    pub fn m<S: Real>(m: Mat3<S>) -> [S; 9] {
        let [a, b, c] = m.rows;
        [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z]
    }
    /// The numbers of two vectors.
    #[inline(always)]
    pub fn pair<S: Real>((a, b): (Vec3<S>, Vec3<S>)) -> [S; 6] {
        [a.x, a.y, a.z, b.x, b.y, b.z]
    }
    /// A chart of motions, backwards, from the matrix of a motion.
    #[inline(always)]
    pub fn undone<S: Real>(
        x: &[S; MOST],
        f: fn(&Mat3<S>, Vec3<S>) -> (Vec3<S>, Vec3<S>),
    ) -> [S; 6] {
        let (r, p) = se3::from_matrix(&rows(x));
        pair(f(&r, p))
    }
    /// The numbers of a quaternion.
    #[inline(always)]
    pub fn quat<S: Real>(q: Quat<S>) -> [S; 4] {
        [q.w, q.v.x, q.v.y, q.v.z]
    }
}
