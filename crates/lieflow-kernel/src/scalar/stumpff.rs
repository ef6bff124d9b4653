//! The Stumpff functions `c_k(z) = sum_j (-z)^j / (2j+k)!`, `z = theta^2`: every coefficient of
//! SO(3) and SE(3) is one of them or a quotient of two, and all of them are regular at zero. This
//! is the only file that distinguishes small angles from large ones.
//!
//! ```text
//! c0 = cos t    c1 = sin t / t    c2 = (1 - cos t)/t^2    c3 = (t - sin t)/t^3
//! c_k(z) = 1/k! - z c_{k+2}(z)         c_k'(z) = (k c_{k+2} - c_{k+1})/2
//! ```
//!
//! Below `z = 1` each function is summed by itself, so that none waits for another; below
//! `z = 1/256` four terms (five for `c0`) are enough for `f64`. Above, `c0`, `c1`, `c2` come from
//! sine and cosine of the half angle; `c3`, `c4`, `c5` up to `z = 16` from the series at `z/16` and
//! the duplication formulas, which have no cancellation either, and beyond from quotients that no
//! longer lose digits. Every function is good to 8 units of 2^-53, relative to its own size or,
//! where it has zeros, to the size of its terms.
//!
//! All below one is inlined; what lies above is called.
use super::{Mask, Real};

/// Below this argument the short polynomials hold.
const SHORT: f64 = 0.00390625;
/// Their coefficients. The first is that of the series; those of `c1`, `c3`, `c4`, `c5` are those of the series
/// with its higher terms replaced by lower ones through Chebyshev polynomials on `[0, SHORT]`, so that the error
/// relative to the sum is at most 2e-17 (`c1`), a fifth of a rounding.
///
/// What a polynomial errs by is the same in every step, and a rotation of too long rows makes all momenta grow. So
/// `c2` is not as near as it could be: it is nearest, in the sense of Chebyshev and in the change of lengths, to the
/// function that makes a rotation together with this `c1`, the root of `2 c2 = c1^2 + z c2^2`. It errs by 3.6e-17 then,
/// but a turn changes lengths by at most 9e-21, of either sign (7e-20 where each is nearest to its own function).
/// `c0` is `1 - z c2`, coefficient by coefficient.
const SHORT_SERIES: [[f64; 5]; 6] = [
    [1.0, -0.5, 0.041666666666707305, -0.0013888889207010955, 2.480628944742129e-05],
    [1.0, -0.16666666666666152, 0.008333333309682002, -0.00019839655221491113, 0.0],
    [0.5, -0.041666666666707305, 0.0013888889207010955, -2.480628944742129e-05, 0.0],
    [1.0 / 6.0, -0.008333333333333286, 0.00019841269819768283, -2.7555851369891598e-06, 0.0],
    [1.0 / 24.0, -0.001388888888888885, 2.4801587283669234e-05, -2.755609600713579e-07, 0.0],
    [1.0 / 120.0, -0.00019841269841269811, 2.75573192102027e-06, -2.505116744626172e-08, 0.0],
];

/// How many terms hold below `z = 1`; the terms of the first functions are larger.
#[inline(always)]
const fn long_terms<S: Real>() -> [usize; 6] {
    let n = S::SERIES_TERMS;
    [n + 2, n + 1, n + 1, n + 1, n, n]
}

/// Whether a scalar may use the short series: derivatives and further digits need more terms.
#[inline(always)]
fn has_short<S: Real>() -> bool {
    S::SERIES_TERMS <= <f64 as Real>::SERIES_TERMS
}

/// `c_0 … c_5` at `z >= 0`.
#[inline(always)]
pub fn stumpff<S: Real>(z: S) -> [S; 6] {
    let ((a, b, c), (d, e, f)) = (three::<S, 0, 1, 2>(z), three::<S, 3, 4, 5>(z));
    [a, b, c, d, e, f]
}

/// `c_A` and `c_B`. Callers pay for the functions that they name.
#[inline(always)]
pub fn two<S: Real, const A: usize, const B: usize>(z: S) -> (S, S) {
    let (a, b, _) = three::<S, A, B, B>(z);
    (a, b)
}

/// The same where all lanes are below one, and nothing elsewhere: a loop with this has no call in it, and what it
/// changes stays in registers.
#[inline(always)]
pub fn two_near<S: Real, const A: usize, const B: usize>(z: S) -> Option<(S, S)> {
    let short = if has_short::<S>() { z.lt(S::lift(SHORT)) } else { S::Mask::splat(false) };
    if has_short::<S>() && short.all() {
        let (a, b, _) = short_series::<S, A, B, B>(z);
        return Some((a, b));
    }
    if !z.lt(S::one()).all() {
        return None;
    }
    let (a, b, _) = where_short::<S, A, B, B>(short, z, series::<S, A, B, B>(z, long_terms::<S>()));
    Some((a, b))
}

/// `c0` and `c1` with the form for large angles beside the others, where a loop does little but call it.
#[inline(always)]
pub fn cosine_and_sinc_inline<S: Real>(z: S) -> (S, S) {
    if let Some(near) = two_near::<S, 0, 1>(z) {
        return near;
    }
    let [c0, c1, _] = far_low(z);
    if !has_short::<S>() {
        return (c0, c1);
    }
    let (c0, c1, _) = where_short::<S, 0, 1, 1>(z.lt(S::lift(SHORT)), z, (c0, c1, c1));
    (c0, c1)
}

/// `c_A`, `c_B` and `c_C`.
#[inline(always)]
pub fn three<S: Real, const A: usize, const B: usize, const C: usize>(z: S) -> (S, S, S) {
    #[inline(never)]
    fn called<S: Real, const A: usize, const B: usize, const C: usize>(z: S) -> (S, S, S) {
        three_inline::<S, A, B, C>(z)
    }
    if const { S::CALLED } { called::<S, A, B, C>(z) } else { three_inline::<S, A, B, C>(z) }
}

#[inline(always)]
fn three_inline<S: Real, const A: usize, const B: usize, const C: usize>(z: S) -> (S, S, S) {
    let short = if has_short::<S>() { z.lt(S::lift(SHORT)) } else { S::Mask::splat(false) };
    if has_short::<S>() && short.all() {
        return short_series::<S, A, B, C>(z);
    }
    let long = if z.lt(S::one()).all() {
        series::<S, A, B, C>(z, long_terms::<S>())
    } else if const { A < 3 && B < 3 && C < 3 } {
        let far = S::stumpff_far_low(z);
        (far[A], far[B], far[C])
    } else {
        let far = S::stumpff_far(z);
        (far[A], far[B], far[C])
    };
    where_short::<S, A, B, C>(short, z, long)
}

/// These values, in short lanes replaced by the short polynomials: lanes may disagree, and each must have the bits of
/// a run by itself.
#[inline(always)]
fn where_short<S: Real, const A: usize, const B: usize, const C: usize>(
    short: S::Mask,
    z: S,
    (a, b, c): (S, S, S),
) -> (S, S, S) {
    if !has_short::<S>() || !short.any() {
        return (a, b, c);
    }
    let (d, e, f) = short_series::<S, A, B, C>(S::select(short, z, S::zero()));
    (S::select(short, d, a), S::select(short, e, b), S::select(short, f, c))
}

/// `c0`, `c1`, `c2` where not all lanes are below one.
#[inline(always)]
pub(crate) fn far_low<S: Real>(z: S) -> [S; 3] {
    let one = S::one();
    let small = z.lt(one);
    // Lanes may disagree, as in `far`.
    let [t0, t1, t2] = trigonometric(S::select(small, one, z));
    if !small.any() {
        return [t0, t1, t2];
    }
    let (c0, c1, c2) = series::<S, 0, 1, 2>(S::select(small, z, S::zero()), long_terms::<S>());
    [S::select(small, c0, t0), S::select(small, c1, t1), S::select(small, c2, t2)]
}

/// The functions where not all lanes are below one.
#[inline(always)]
pub(crate) fn far<S: Real>(z: S) -> [S; 6] {
    let one = S::one();
    let small = z.lt(one);
    // Lanes may disagree: each form is computed at arguments moved to where it is valid.
    let [t0, t1, t2] = trigonometric(S::select(small, one, z));
    let middle = z.lt(S::lift(16.0));
    if !middle.any() {
        let [q3, q4, q5] = quotients(z, t1, t2);
        return [t0, t1, t2, q3, q4, q5];
    }
    let near = S::select(small, z, z * 0.0625);
    let inner = S::select(middle, near, S::zero());
    let (c0, c1, c2) = series::<S, 0, 1, 2>(inner, long_terms::<S>());
    let (c3, c4, c5) = series::<S, 3, 4, 5>(inner, long_terms::<S>());
    let c = [c0, c1, c2, c3, c4, c5];
    let [_, _, _, mut d3, mut d4, mut d5] = doubled(doubled(c));
    if !middle.all() {
        let [q3, q4, q5] = quotients(S::select(middle, one, z), t1, t2);
        d3 = S::select(middle, d3, q3);
        d4 = S::select(middle, d4, q4);
        d5 = S::select(middle, d5, q5);
    }
    [
        S::select(small, c[0], t0),
        S::select(small, c[1], t1),
        S::select(small, c[2], t2),
        S::select(small, c[3], d3),
        S::select(small, c[4], d4),
        S::select(small, c[5], d5),
    ]
}

/// The functions at `4z` from those at `z`: the formulas of the double angle.
#[inline(always)]
fn doubled<S: Real>([c0, c1, c2, c3, c4, c5]: [S; 6]) -> [S; 6] {
    let one = S::one();
    [
        // 1 - cos 2t = 2 sin^2 t = 2 (1 - cos t)(1 + cos t).
        one - (one - c0) * (one + c0) * 2.0,
        c0 * c1,
        c1 * c1 * 0.5,
        (c2 + c0 * c3) * 0.25,
        c3 * (one + c1) * 0.125,
        (c4 + c5 + c2 * c3) * 0.0625,
    ]
}

/// Three functions by so many terms of their series.
#[inline(always)]
fn series<S: Real, const A: usize, const B: usize, const C: usize>(
    z: S,
    terms: [usize; 6],
) -> (S, S, S) {
    let w = z * z;
    let x = w * w;
    (sum(z, w, x, A, terms[A]), sum(z, w, x, B, terms[B]), sum(z, w, x, C, terms[C]))
}

/// Three functions by their short polynomials.
#[inline(always)]
fn short_series<S: Real, const A: usize, const B: usize, const C: usize>(z: S) -> (S, S, S) {
    let w = z * z;
    (
        polynomial(z, w, const { SHORT_SERIES[A] }),
        polynomial(z, w, const { SHORT_SERIES[B] }),
        polynomial(z, w, const { SHORT_SERIES[C] }),
    )
}

/// The polynomial with these coefficients, of which the last may vanish; `w = z²`.
#[inline(always)]
fn polynomial<S: Real>(z: S, w: S, [a, b, c, d, e]: [f64; 5]) -> S {
    let mut high = S::lift(c) + z * d;
    if e != 0.0 {
        high += w * e;
    }
    (S::lift(a) + z * b) + w * high
}

/// The series of `c_k`, in groups of four terms that do not wait for each other; `w = z²`,
/// `x = z⁴`.
#[inline(always)]
fn sum<S: Real>(z: S, w: S, x: S, k: usize, terms: usize) -> S {
    // Nested duals and jets may ask for more terms than any precision here can use.
    let terms = if terms < 17 { terms } else { 17 };
    let mut group = (terms - 1) / 4;
    let mut total = four(z, w, k, 4 * group, terms);
    while group > 0 {
        group -= 1;
        total = four(z, w, k, 4 * group, terms) + x * total;
    }
    total
}

/// The terms `j … j + 3` of the series of `c_k`, as far as there are so many, over `z^j`.
#[inline(always)]
fn four<S: Real>(z: S, w: S, k: usize, j: usize, terms: usize) -> S {
    let mut low = coefficient::<S>(k, j);
    if j + 1 < terms {
        low -= z * coefficient::<S>(k, j + 1);
    }
    if j + 2 >= terms {
        return low;
    }
    let mut high = coefficient::<S>(k, j + 2);
    if j + 3 < terms {
        high -= z * coefficient::<S>(k, j + 3);
    }
    low + w * high
}

/// The coefficient of `(-z)^j` in `c_k`.
#[inline(always)]
fn coefficient<S: Real>(k: usize, j: usize) -> S {
    let n = k + 2 * j;
    if k <= 2 { S::circle_coefficient(n) } else { S::inverse_factorial(n) }
}

/// `c0`, `c1`, `c2` from the half angle.
#[inline(always)]
fn trigonometric<S: Real>(z: S) -> [S; 3] {
    let t = z.sqrt();
    let (sin, cos) = (t * 0.5).sin_cos();
    // sin t = 2 s c, 1 - cos t = 2 s^2: no cancellation.
    let twice = sin * sin * 2.0;
    [S::one() - twice, sin * cos * 2.0 / t, twice / z]
}

/// `c3`, `c4`, `c5` by the recurrence upwards.
#[inline(always)]
fn quotients<S: Real>(z: S, c1: S, c2: S) -> [S; 3] {
    let c3 = (S::one() - c1) / z;
    [c3, (S::lift(0.5) - c2) / z, (S::ratio(1.0, 6.0) - c3) / z]
}

/// Coefficient of the double cross product in the inverse differential of the exponential,
/// `g(z) = (1 - (t/2) cot(t/2))/t^2`, and `g~ = g'(t)/t`. The only pole is the true one, at
/// `t = 2 pi`.
///
/// With all functions at `z/4`: `g = (c2 - c3)/(4 c1)`, and `g~ = 2 dg/dz` follows from the
/// derivatives of the family.
///
/// Their series are `g = sum_j b_j z^j` and `g~ = 2 g'(z)` with `b_j = |B_{2j+2}|/(2j+2)!`.
#[inline(always)]
pub fn dexpinv_coefficients<S: Real>(z: S) -> (S, S) {
    #[inline(never)]
    fn called<S: Real>(z: S) -> (S, S) {
        S::dexpinv_far(z)
    }
    // Numbers with derivatives have no short series.
    if const { S::CALLED } {
        return called(z);
    }
    if !has_short::<S>() {
        return S::dexpinv_far(z);
    }
    let short = z.lt(S::lift(SHORT));
    if short.all() {
        return short_dexpinv(z);
    }
    let (mut g, mut gt) = S::dexpinv_far(z);
    if short.any() {
        let (a, b) = short_dexpinv(S::select(short, z, S::zero()));
        g = S::select(short, a, g);
        gt = S::select(short, b, gt);
    }
    (g, gt)
}

/// [`dexpinv_coefficients`] without the derivative.
#[inline(always)]
pub fn dexpinv_coefficient<S: Real>(z: S) -> S {
    dexpinv_coefficients(z).0
}

/// Three functions without the short series.
#[inline(always)]
fn long<S: Real, const A: usize, const B: usize, const C: usize>(z: S) -> (S, S, S) {
    if z.lt(S::one()).all() {
        return series::<S, A, B, C>(z, long_terms::<S>());
    }
    let far = S::stumpff_far(z);
    (far[A], far[B], far[C])
}

/// [`dexpinv_coefficients`] without the short polynomials.
#[inline(always)]
pub(crate) fn long_dexpinv<S: Real>(z: S) -> (S, S) {
    let (c1, c2, c3) = long::<S, 1, 2, 3>(z * 0.25);
    let (c4, c5, _) = long::<S, 4, 5, 5>(z * 0.25);
    let top = c2 - c3;
    let g = top / (c1 * 4.0);
    // (c2 - c3)' and c1' at z/4, each doubled.
    let dtop = (c4 * 2.0 - c3) - (c5 * 3.0 - c4);
    let dc1 = c3 - c2;
    let gt = (dtop * c1 - top * dc1) / (c1 * c1 * 16.0);
    (g, gt)
}

/// The coefficients of `g` and `g~` below [`SHORT`], made as those of the Stumpff functions.
const SHORT_DEXPINV: [[f64; 5]; 2] = [
    [1.0 / 12.0, 0.0013888888888889278, 3.306878288956886e-05, 8.268419155793582e-07, 0.0],
    [1.0 / 360.0, 0.00013227513227514212, 4.960317414954516e-06, 1.6704502224329642e-07, 0.0],
];

#[inline(always)]
fn short_dexpinv<S: Real>(z: S) -> (S, S) {
    let w = z * z;
    let [g, gt] = SHORT_DEXPINV;
    (polynomial(z, w, g), polynomial(z, w, gt))
}
