//! The Stumpff functions: accuracy in every range, recurrence, derivatives.
use crate::common::Draw;
use lieflow_kernel::scalar::stumpff::{dexpinv_coefficients, stumpff};
use lieflow_kernel::{DoubleDouble as D, Dual, Real};

const RANGES: [(f64, f64); 11] = [
    (0.0, 1e-6),
    (1e-6, 0.25),
    (0.25, 1.0),
    (1.0, 4.0),
    (4.0, 15.9),
    (15.9, 16.1),
    (16.1, 39.0),
    (39.0, 160.0),
    (160.0, 1e4),
    // On both sides of the bound of the short series.
    (1e-6, 0.00390625),
    (0.00390625, 0.1),
];
const UNIT: f64 = f64::EPSILON / 2.0;

/// What the terms of `c_k` are worth: the function may vanish, they do not.
fn size(k: usize, z: f64) -> f64 {
    match k {
        0 => 1.0,
        1 => z.max(1.0).sqrt().recip(),
        2 => 0.5f64.min(2.0 / z),
        _ => 0.0,
    }
}

#[test]
fn are_accurate_in_every_range() {
    let mut draw = Draw::new(1);
    for (low, high) in RANGES {
        let mut worst = [0f64; 6];
        for _ in 0..5000 {
            let z = draw.between(low, high);
            let (a, b) = (stumpff(z), stumpff(D::lift(z)));
            for k in 0..6 {
                let scale = b[k].magnitude().max(size(k, z));
                worst[k] = worst[k].max((D::lift(a[k]) - b[k]).magnitude() / scale);
            }
        }
        // An angle of a hundred radians is itself known to a hundred units only.
        let bound = match high {
            // What the short polynomials leave out shows here, if it is more than a rounding.
            ..=0.00390625 => 2.1 * UNIT,
            _ => 7.0 * UNIT * (high.sqrt() / 6.0).max(1.0),
        };
        assert!(worst.iter().all(|e| *e < bound), "z in {low}..{high}: {worst:?}");
    }
}

#[test]
fn satisfy_their_recurrence() {
    // In double-double precision, where the forms differ from range to range.
    let mut draw = Draw::new(2);
    for (low, high) in RANGES {
        for _ in 0..300 {
            let z = D::lift(draw.between(low, high));
            let c = stumpff(z);
            for k in 0..4 {
                let gap = D::inverse_factorial(k) - z * c[k + 2] - c[k];
                assert!(gap.magnitude() < 2e-30, "k = {k}, z = {}: {:e}", z.hi(), gap.hi());
            }
            let circle = c[0] * c[0] + z * c[1] * c[1] - D::one();
            assert!(circle.magnitude() < 1e-29, "z = {}: {:e}", z.hi(), circle.hi());
        }
    }
}

#[test]
fn dual_numbers_give_their_derivatives() {
    // c_k' = (k c_{k+2} - c_{k+1})/2.
    let mut draw = Draw::new(3);
    for (low, high) in RANGES {
        for _ in 0..2000 {
            let z = draw.between(low, high);
            let c = stumpff(z);
            let d = stumpff(Dual::<f64, 1>::variable(z, 0));
            for k in 0..4 {
                // The longer series of a dual number may round another way than the short
                // polynomial, no more.
                assert!((d[k].re - c[k]).abs() <= 3.0 * UNIT * c[k].abs(), "k = {k}, z = {z}");
                assert!(d[k].re == c[k] || z < 0.00390625, "k = {k}, z = {z}");
                let slope = 0.5 * (k as f64 * c[k + 2] - c[k + 1]);
                let gap = (d[k].eps[0] - slope).abs();
                // Relative to the terms of the slope.
                let scale = 0.5 * (k as f64 * c[k + 2] + size(k + 1, z).max(c[k + 1]));
                let bound = 40.0 * UNIT * (z.sqrt() / 6.0).max(1.0);
                assert!(gap <= bound * scale, "k = {k}, z = {z}: {:e}", gap / scale);
            }
        }
    }
}

#[test]
fn inverse_coefficients_are_accurate_up_to_their_pole() {
    let mut draw = Draw::new(4);
    for (low, high) in
        [(0.0, 1e-6), (1e-6, 0.0039), (0.0039, 1.0), (1.0, 4.0), (4.0, 16.0), (16.0, 36.0)]
    {
        for _ in 0..5000 {
            let z = draw.between(low, high);
            let (g, gt) = dexpinv_coefficients(z);
            let (h, ht) = dexpinv_coefficients(D::lift(z));
            let condition = (1.0 / (std::f64::consts::TAU - z.sqrt())).max(1.0);
            let e = ((D::lift(g) - h) / h).magnitude() / condition;
            let et = ((D::lift(gt) - ht) / ht).magnitude() / condition;
            assert!(e < 12.0 * UNIT && et < 50.0 * UNIT, "z = {z}: {e:e} {et:e}");
            // The double-double values against their defining differential equation, the Riccati
            // equation of the cotangent: x w' = w (z w - 3) + 1 with w = 4g at x = t/2.
            let (zq, w) = (D::lift(z) * 0.25, h * 4.0);
            let riccati = zq * ht * 16.0 - (w * (zq * w - D::lift(3.0)) + D::one());
            assert!(riccati.magnitude() < 1e-27 * condition * condition, "{:e}", riccati.hi());
        }
    }
    let (g, gt) = dexpinv_coefficients(0.0);
    assert!((12.0 * g - 1.0).abs() < 1e-15 && (360.0 * gt - 1.0).abs() < 5e-15, "{g} {gt}");
}

/// What a series errs by is the same in every step. Rotations made from two of them keep lengths in the mean over
/// any small range of angles, much better than each function is known.
#[test]
fn series_make_rotations() {
    let mut draw = Draw::new(5);
    // Ranges of the angle, and in how many parts: roundings of longer series have a mean of their own in each
    // small range.
    for (low, high, parts, bound) in [
        (0.0, 0.0625, 8, 1.5e-20),
        (0.0625, 0.25, 1, 1.5e-20),
        (0.25, 0.5, 1, 5e-20),
        (0.5, 0.7, 1, 2.5e-19),
        (0.7, 1.0, 1, 1e-18),
    ] {
        let count = 320_000 / parts;
        for part in 0..parts {
            let mut means = [0.0; 2];
            for _ in 0..count {
                // The square of an angle: one way of rounding or another must not follow from how it was drawn.
                let angle = f64::from(part) + draw.between(0.0, 1.0);
                let angle = low + (high - low) * angle / f64::from(parts);
                let z = angle * angle;
                let [c0, c1, c2] = [0, 1, 2].map(|k| D::lift(stumpff(z)[k]));
                let z = D::lift(z);
                // The change of the length of a vector that is turned by I + c1 û + c2 û², across the axis, and of a
                // unit quaternion.
                let matrix = z * (c1 * c1 - c2 * 2.0 + z * c2 * c2) * -0.5;
                let quaternion = (c0 * c0 + z * c1 * c1 - D::lift(1.0)) * 0.5;
                for (mean, defect) in means.iter_mut().zip([matrix, quaternion]) {
                    *mean += (defect.hi() + defect.lo()) / f64::from(count);
                }
            }
            assert!(
                means[0].abs() < bound && means[1].abs() < 1e-18,
                "{low}..{high}, {part}: {means:?}"
            );
        }
    }
}
