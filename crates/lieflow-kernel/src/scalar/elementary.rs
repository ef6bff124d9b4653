//! Sine, cosine and square root of `f64`, in a form that vectorises: no table, no call, no branch
//! on the usual path. All lanes and all platforms give the same bits.

use super::Real;

/// Beyond this the three-part reduction loses digits, and the pure Rust `libm` takes over.
pub(super) const LARGE: f64 = 1.0e5;

/// Square root, correctly rounded.
#[inline(always)]
pub(super) fn sqrt(x: f64) -> f64 {
    #[cfg(all(feature = "std", not(target_arch = "nvptx64")))]
    {
        x.sqrt()
    }
    #[cfg(all(not(feature = "std"), not(target_arch = "nvptx64")))]
    {
        libm::sqrt(x)
    }
    // One instruction of a GPU, rounded like all others.
    #[cfg(target_arch = "nvptx64")]
    {
        core::f64::math::sqrt(x)
    }
}

/// Sine and cosine of any angle.
#[inline(always)]
pub(super) fn sin_cos(x: f64) -> (f64, f64) {
    // Written so that NaN takes the second branch.
    if f64::from_bits(x.to_bits() & (u64::MAX >> 1)) < LARGE {
        let (turns, s, c) = reduced(x);
        // Odd quadrants exchange sine and cosine; signs are set by bit operations.
        let quadrant = turns.to_bits();
        let odd = 0u64.wrapping_sub(quadrant & 1);
        let (sb, cb) = (s.to_bits(), c.to_bits());
        let sin = ((sb & !odd) | (cb & odd)) ^ ((quadrant & 2) << 62);
        let cos = ((cb & !odd) | (sb & odd)) ^ ((quadrant.wrapping_add(1) & 2) << 62);
        (f64::from_bits(sin), f64::from_bits(cos))
    } else {
        large(x)
    }
}

#[cold]
#[inline(never)]
fn large(x: f64) -> (f64, f64) {
    libm::sincos(x)
}

/// For `|x| < 1e5`: a number whose low bits count the quarter turns, and sine and cosine of the
/// rest. Quarter turns are taken off in three parts (Cody and Waite), the rest goes into a
/// polynomial on [-pi/4, pi/4].
#[inline(always)]
pub(super) fn reduced<S: Real>(x: S) -> (S, S, S) {
    // pi/2 in three parts; the first two have trailing zeros, so that their products with a
    // quarter-turn count below 2^17 are exact.
    const PIO2_1: f64 = f64::from_bits(0x3FF9_21FB_5440_0000);
    const PIO2_2: f64 = f64::from_bits(0x3DD0_B461_1A60_0000);
    const PIO2_3: f64 = f64::from_bits(0x3BA3_198A_2E03_7073);
    // Adding 1.5 * 2^52 rounds to the nearest whole number and leaves it in the low bits.
    let shift = S::lift(6_755_399_441_055_744.0);

    let turns = x * core::f64::consts::FRAC_2_PI + shift;
    let n = turns - shift;
    let r = ((x - n * PIO2_1) - n * PIO2_2) - n * PIO2_3;
    let z = r * r;

    // Taylor-like minimax polynomials (degrees 13 and 14), errors below 2^-58 on the interval.
    const SINE: [f64; 6] = [
        -1.66666666666666324348e-01,
        8.33333333332248946124e-03,
        -1.98412698298579493134e-04,
        2.75573137070700676789e-06,
        -2.50507602534068634195e-08,
        1.58969099521155010221e-10,
    ];
    const COSINE: [f64; 6] = [
        4.16666666666666019037e-02,
        -1.38888888888741095749e-03,
        2.48015872894767294178e-05,
        -2.75573143513906633035e-07,
        2.08757232129817482790e-09,
        -1.13596475577881948265e-11,
    ];
    let s = r + r * z * polynomial(SINE, z);
    let half = z * 0.5;
    let one = S::one();
    let w = one - half;
    let c = w + (((one - w) - half) + z * z * polynomial(COSINE, z));
    (turns, s, c)
}

/// `a_0 + a_1 z + …`.
#[inline(always)]
fn polynomial<S: Real>(a: [f64; 6], z: S) -> S {
    let mut sum = S::lift(a[5]);
    let mut k = 5;
    while k > 0 {
        k -= 1;
        sum = S::lift(a[k]) + z * sum;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Error of a sine-cosine pair in units of the last place of 1.
    fn error(x: f64) -> f64 {
        let (s, c) = sin_cos(x);
        let (a, b) = libm::sincos(x);
        let ulp = |v: f64| f64::EPSILON * v.abs().max(f64::MIN_POSITIVE).log2().floor().exp2();
        ((s - a).abs() / ulp(a)).max((c - b).abs() / ulp(b))
    }

    #[test]
    fn agrees_with_libm_to_two_units_in_the_last_place() {
        let mut state = 0x9E37_79B9_7F4A_7C15u64;
        let mut worst = [0.0f64; 4];
        for (k, range) in [3.2, 100.0, 1e3, 1e5].into_iter().enumerate() {
            for _ in 0..200_000 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let x = ((state >> 11) as f64 * 2.0 * f64::EPSILON / 2.0 - 1.0) * range;
                worst[k] = worst[k].max(error(x));
            }
        }
        assert!(worst[0] < 2.0 && worst[1] < 2.0, "{worst:?}");
        assert!(worst[2] < 4.0 && worst[3] < 4.0, "{worst:?}");
    }

    #[test]
    fn is_exact_at_zero_and_sane_at_the_edges() {
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        assert!(sin_cos(f64::NAN).0.is_nan());
        assert!(sin_cos(f64::INFINITY).1.is_nan());
        let (s, c) = sin_cos(1e300);
        assert!((s * s + c * c - 1.0).abs() < 1e-15);
        // Quarter turns: the remainder is the rounding of pi/2 itself.
        let (s, c) = sin_cos(core::f64::consts::FRAC_PI_2);
        assert_eq!(s, 1.0);
        assert_eq!(c, 6.123233995736766e-17);
    }
}
