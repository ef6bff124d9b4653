//! The Bernoulli series of the inverse differential of the exponential, for any algebra.
use super::LieAlgebra;

/// `B_k/k!` for `k = 0 … 20`; the odd ones beyond the first are zero.
const BERNOULLI_OVER_FACTORIAL: [f64; 21] = [
    1.0,
    -0.5,
    1.0 / 12.0,
    0.0,
    -1.0 / 720.0,
    0.0,
    1.0 / 30240.0,
    0.0,
    -1.0 / 1209600.0,
    0.0,
    1.0 / 47900160.0,
    0.0,
    -691.0 / 1307674368000.0,
    0.0,
    1.0 / 74724249600.0,
    0.0,
    -3617.0 / 10670622842880000.0,
    0.0,
    43867.0 / 5109094217170944000.0,
    0.0,
    -174611.0 / 802857662698291200000.0,
];

/// `dexp_u^{-1} v` with the brackets after `ad_u^q` left out (`q` at most 20):
/// `v - [u,v]/2 + [u,[u,v]]/12 - …`. A method of order `p` keeps its order for `q >= p - 2`.
pub fn dexpinv_series<A: LieAlgebra>(q: usize, u: &A, v: &A) -> A {
    let mut sum = v.clone();
    let mut power = v.clone();
    for &coefficient in BERNOULLI_OVER_FACTORIAL.iter().take(q.saturating_add(1)).skip(1) {
        power = u.bracket(&power);
        if coefficient != 0.0 {
            sum.axpy(coefficient, &power);
        }
    }
    sum
}
