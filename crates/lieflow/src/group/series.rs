//! The Bernoulli series of the inverse differential of the exponential, for any algebra.
use super::LieAlgebra;
use lieflow_kernel::Real;

/// `|B_2k|/(2k)!` for `k = 1 … 23`, each as a sum of two numbers for scalars with more digits than
/// `f64`. Signs alternate, starting with plus; odd Bernoulli numbers beyond the first vanish.
#[rustfmt::skip]
const BERNOULLI: [(f64, f64); 23] = [
    (0.08333333333333333, 4.625929269271485e-18),
    (0.001388888888888889, -5.300543954373577e-20),
    (3.306878306878307e-05, -2.2300719288557665e-21),
    (8.267195767195768e-07, -3.457597454003665e-23),
    (2.08767569878681e-08, -1.2073450591132599e-24),
    (5.284190138687493e-10, -3.517096671929869e-27),
    (1.3382536530684679e-11, -2.828354019907999e-29),
    (3.3896802963225827e-13, 1.4986928409964295e-29),
    (8.586062056277845e-15, -6.05252374381974e-31),
    (2.174868698558062e-16, -4.961617782549996e-33),
    (5.5090028283602295e-18, -1.49827152194499e-35),
    (1.3954464685812522e-19, 1.0350590497256251e-35),
    (3.534707039629467e-21, 1.894231142684204e-37),
    (8.953517427037546e-23, 5.728752743153026e-39),
    (2.267952452337683e-24, 1.3043458462619563e-40),
    (5.744790668872202e-26, -1.663242973708004e-43),
    (1.455172475614865e-27, -5.613265715443096e-44),
    (3.6859949406653103e-29, -1.0778256413554197e-45),
    (9.336734257095045e-31, -3.9347970210731877e-47),
    (2.36502241570063e-32, -2.0347170931532494e-49),
    (5.990671762482134e-34, 1.6265467158179092e-50),
    (1.5174548844682903e-35, -5.493014407946745e-52),
    (3.843758125454189e-37, -3.685053096067968e-53),
];

/// The term of `ad_u^(2k)`, added to `sum`.
fn add_term<A: LieAlgebra>(sum: &mut A, k: usize, power: &A) {
    let sign = if k % 2 == 1 { 1.0 } else { -1.0 };
    let (leading, rest) = BERNOULLI[k - 1];
    sum.axpy(sign * leading, power);
    if A::Scalar::SERIES_TERMS > f64::SERIES_TERMS {
        sum.axpy(sign * rest, power);
    }
}

/// `dexp_u^{-1} v` with the brackets after `ad_u^q` left out (`q` at most 46):
/// `v - [u,v]/2 + [u,[u,v]]/12 - …`. A method of order `p` keeps its order for `q >= p - 2`.
pub fn dexpinv_series<A: LieAlgebra>(q: usize, u: &A, v: &A) -> A {
    let mut sum = v.clone();
    if q == 0 {
        return sum;
    }
    let mut power = u.bracket(v);
    sum.axpy(-0.5, &power);
    for k in 1..=(q / 2).min(BERNOULLI.len()) {
        // The first bracket has been made already.
        if k > 1 {
            power = u.bracket(&power);
        }
        power = u.bracket(&power);
        add_term(&mut sum, k, &power);
    }
    sum
}

/// `dexp_u^{-1} v` to the precision of the scalar, where all eigenvalues of `ad_u` are at most one
/// in size.
pub(super) fn dexpinv_summed<A: LieAlgebra>(u: &A, v: &A) -> A {
    // Terms fall by a factor of (2 pi)²: ten pairs for f64, twenty-two for a double-double.
    dexpinv_series(2 * (2 * A::Scalar::SERIES_TERMS - 8), u, v)
}
