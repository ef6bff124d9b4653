//! A logarithm on SO(n), from the planes of the rotation:
//!
//! ```text
//! C = (R + Rᵀ)/2     eigenvalues cos θ, each twice       (Jacobi rotations)
//! K = (R - Rᵀ)/2     K e = sin θ f in the plane (e, f)   gives the other axis and the sign
//! ```
//!
//! Angles come from both by `atan2`, so that none is inaccurate. Where `C` cannot tell planes apart,
//! near `θ = 0` and `θ = π`, `KᵀK` can.
use super::{LieAlgebra, MatrixAlgebra, Skew, Square, real as matrix};
use lieflow_kernel::{Mask, Real};

/// Eigenvalues beyond this are near `1` or `-1`, where `C` can't tell planes apart.
const FLAT: f64 = 0.9;
/// Sines below this are rounding: the plane turns by nothing or by half a turn.
const NOTHING: f64 = 1e-14;

/// The logarithm from the planes of the rotation, to about eight digits.
pub(super) fn planes<S: Real, const N: usize>(r: &Square<S, N>) -> Skew<S, N> {
    let even = matrix::combine(0.5, r, 0.5, &matrix::transpose(r));
    let odd = matrix::skew_part(r);
    let mut c = even;
    let mut v = matrix::identity();
    matrix::jacobi(&mut c, &mut v, &[[S::Mask::splat(true); N]; N]);
    // Tell planes near 0 and near pi apart by their sines.
    let k = seen_from(&v, &odd);
    let mut sines = matrix::product(&matrix::transpose(&k), &k);
    let mut together = [[S::Mask::splat(false); N]; N];
    for i in 0..N {
        for j in 0..N {
            together[i][j] = flat(c[i][i], c[j][j]);
        }
    }
    matrix::jacobi(&mut sines, &mut v, &together);
    c = seen_from(&v, &even);
    sort(&c, &sines, &mut v);
    c = seen_from(&v, &even);
    let mut k = seen_from(&v, &odd);

    let mut u = Skew::zero();
    let mut e = 0;
    while e + 1 < N {
        let f = e + 1;
        // Turn the columns after e so that K e lies along f. Entries to columns with another
        // cosine are rounding and are left out.
        for j in f + 1..N {
            let near = (c[e][e] - c[j][j]).abs().lt(S::lift(1e-3));
            let same = near.or(flat(c[e][e], c[j][j]));
            let (x, y) = (k[f][e], S::select(same, k[j][e], S::zero()));
            let length = (x * x + y * y).sqrt();
            let some = S::lift(NOTHING).lt(length);
            let divisor = S::select(some, length, S::one());
            let cos = S::select(some, x / divisor, S::one());
            let sin = S::select(some, -y / divisor, S::zero());
            for m in [&mut v, &mut k, &mut c] {
                for row in m.iter_mut() {
                    (row[f], row[j]) = matrix::turn(row[f], row[j], cos, sin);
                }
            }
            for m in [&mut k, &mut c] {
                for i in 0..N {
                    (m[f][i], m[j][i]) = matrix::turn(m[f][i], m[j][i], cos, sin);
                }
            }
        }
        u = u.plus(S::one(), &turned(&v, e, f, k[f][e], c[e][e]));
        e += 2;
    }
    u
}

/// `vᵀ m v`.
fn seen_from<S: Real, const N: usize>(v: &Square<S, N>, m: &Square<S, N>) -> Square<S, N> {
    matrix::conjugate(&matrix::transpose(v), m)
}

/// Whether two cosines are both near one, or both near minus one.
fn flat<S: Real>(a: S, b: S) -> S::Mask {
    S::lift(FLAT).lt(a.abs()).and(S::lift(FLAT).lt(b.abs())).and(S::zero().lt(a * b))
}

/// Sorts the columns of `v`, lane by lane, in the order of falling angle; in the two flat groups
/// by falling sine, so that what does not turn comes last and pairs up.
fn sort<S: Real, const N: usize>(c: &Square<S, N>, sines: &Square<S, N>, v: &mut Square<S, N>) {
    let mut key = [S::zero(); N];
    for i in 0..N {
        let (cosine, sine) = (c[i][i], sines[i][i]);
        let low = cosine.lt(S::lift(-FLAT));
        let high = S::lift(FLAT).lt(cosine);
        key[i] = S::select(low, S::lift(-3.0) - sine, cosine);
        key[i] = S::select(high, S::lift(3.0) - sine, key[i]);
    }
    for i in 0..N {
        for j in i + 1..N {
            let swap = key[j].lt(key[i]);
            (key[i], key[j]) = swapped(swap, key[i], key[j]);
            for row in v.iter_mut() {
                (row[i], row[j]) = swapped(swap, row[i], row[j]);
            }
        }
    }
}

fn swapped<S: Real>(swap: S::Mask, a: S, b: S) -> (S, S) {
    (S::select(swap, b, a), S::select(swap, a, b))
}

/// `angle (f eᵀ - e fᵀ)` for the plane of two columns. Half a turn, which has no direction, is
/// counted so that the largest coordinate is positive.
fn turned<S: Real, const N: usize>(
    v: &Square<S, N>,
    e: usize,
    f: usize,
    sine: S,
    cosine: S,
) -> Skew<S, N> {
    let mut m = matrix::zero();
    for i in 0..N {
        for j in 0..N {
            m[i][j] = v[i][f] * v[j][e] - v[i][e] * v[j][f];
        }
    }
    let plane = Skew { matrix: m };
    let mut largest = S::zero();
    for i in 0..plane.dim() {
        let x = plane.coord(i);
        largest = S::select(largest.abs().lt(x.abs()), x, largest);
    }
    let still = sine.abs().lt(S::lift(NOTHING));
    let sign = S::select(still.and(largest.lt(S::zero())), -S::one(), S::one());
    let sine = S::select(still, S::zero(), sine);
    plane.scaled(sine.atan2(cosine) * sign)
}
