//! The principal logarithm on SO(n).
//!
//! Near the identity, `(R - Rᵀ)/2 = sinh u` is inverted by the series of the inverse hyperbolic
//! sine, which keeps the relative accuracy of small rotations. Elsewhere the planes of the
//! rotation are found:
//!
//! ```text
//! C = (R + Rᵀ)/2     eigenvalues cos θ, each twice       (Jacobi rotations)
//! K = (R - Rᵀ)/2     K e = sin θ f in the plane (e, f)   gives the other axis and the sign
//! ```
//!
//! Angles come from both by `atan2`, so that none is inaccurate. Where `C` cannot tell planes apart,
//! near `θ = 0` and `θ = π`, `KᵀK` can. The result is then improved by Newton's method on the group,
//! `u <- u + dexp_u^{-1} log(R exp(-u))`, whose remaining logarithm is small. This also carries
//! derivatives: the planes are found without them.
use super::exponential;
use super::matrix::{self, Square};
use super::{LieAlgebra, Skew};
use lieflow_kernel::{Mask, Real};

/// The logarithm of an orthogonal matrix of determinant one.
pub(super) fn log<S: Real, const N: usize>(r: &Square<S, N>) -> Skew<S, N> {
    // N - tr R = sum 2 (1 - cos θ) over the planes; 1/16 allows angles up to a quarter radian.
    let mut distance = S::zero();
    for i in 0..N {
        distance += S::one() - r[i][i];
    }
    let near = distance.lt(S::lift(0.0625));
    let small = log_near(r);
    if near.all() {
        return small;
    }
    let mut u = planes(&frozen(r));
    // Two rounds take an error of 1e-6 beyond f64; more digits or derivatives need more.
    let mut rounds = 2 + (S::SERIES_TERMS - <f64 as Real>::SERIES_TERMS) / 2;
    while rounds > 0 {
        rounds -= 1;
        let back = matrix::transpose(&exponential::exp(&u));
        let rest = log_near(&matrix::product(r, &back));
        let step = exponential::dexpinv(&u, &rest);
        // Where two planes turn by half a turn the equation is singular: keep what there is.
        let size = step.square();
        let sound = size.finite().and(size.lt(S::lift(1e-2)));
        let mut next = u;
        next.axpy(1.0, &step);
        u = Skew::select(sound, &next, &u);
    }
    Skew::select(near, &small, &u)
}

/// The matrix without derivatives.
fn frozen<S: Real, const N: usize>(r: &Square<S, N>) -> Square<S, N> {
    let mut m = *r;
    for x in m.as_flattened_mut() {
        *x = x.frozen();
    }
    m
}

/// `asinh K = sum_j (-1)^j (2j)!/(4^j (j!)² (2j + 1)) K^(2j+1)`, for `|K| <= 1/4`.
fn log_near<S: Real, const N: usize>(r: &Square<S, N>) -> Skew<S, N> {
    let k = matrix::skew_part(r);
    let w = matrix::product(&k, &k);
    // Nested from the inside out: sum_j = 1/(2j+1) - (2j+1)/(2j+2) w sum_{j+1}. Terms fall by a
    // factor of sixteen, two for each of a series that falls by factorials.
    let mut sum = matrix::zero();
    let mut j = 2 * S::SERIES_TERMS;
    while j > 0 {
        j -= 1;
        let odd = (2 * j + 1) as f64;
        let ratio = -S::ratio(odd, odd + 1.0);
        sum = matrix::product(&sum, &w);
        for x in sum.as_flattened_mut() {
            *x *= ratio;
        }
        sum = matrix::shifted(sum, S::ratio(1.0, odd));
    }
    Skew::from_matrix(&matrix::product(&k, &sum))
}

/// Eigenvalues beyond this are near `1` or `-1`, where `C` can't tell planes apart.
const FLAT: f64 = 0.9;
/// Sines below this are rounding: the plane turns by nothing or by half a turn.
const NOTHING: f64 = 1e-14;

/// The logarithm from the planes of the rotation, to about eight digits.
fn planes<S: Real, const N: usize>(r: &Square<S, N>) -> Skew<S, N> {
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
        u.add_times(S::one(), &turned(&v, e, f, k[f][e], c[e][e]));
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
    plane.times(sine.atan2(cosine) * sign)
}
