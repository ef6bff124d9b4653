//! Dual numbers against differences in double-double arithmetic, against the closed-form
//! differentials, against the num-dual crate, and nested.
use crate::common::everything::{Input, everything};
use crate::common::{ANGLES, Draw};
use lieflow_kernel::{CalledDual, DoubleDouble as D, Dual, Jet, Mat3, Real, Vec3, se3, so3};
use num_dual::{Dual64, DualNum};
use std::f64::consts::{PI, TAU};

type E = Dual<f64, 1>;

fn sample(draw: &mut Draw, angle: f64) -> Input<f64> {
    Input { u: draw.of_norm(angle), w: draw.vector(), a: draw.vector(), b: draw.vector() }
}
/// `v + e d`.
fn along(v: Vec3<f64>, d: Vec3<f64>) -> Vec3<E> {
    let x = |re, e| Dual { re, eps: [e] };
    Vec3::from([x(v.x, d.x), x(v.y, d.y), x(v.z, d.z)])
}
fn value(v: Vec3<E>) -> Vec3<f64> {
    Vec3::from(v.to_array().map(|x| x.re))
}
fn slope(v: Vec3<E>) -> Vec3<f64> {
    Vec3::from(v.to_array().map(|x| x.eps[0]))
}
/// The angles without those where some function of the list has no derivative or an infinite one.
fn smooth_angles() -> impl Iterator<Item = f64> {
    ANGLES.into_iter().filter(|a| (a - PI).abs() > 1e-3 && (a - TAU).abs() > 1e-2)
}

#[test]
fn derivatives_equal_differences() {
    let mut draw = Draw::new(1);
    let h = 1e-10;
    let mut compared = 0;
    for angle in smooth_angles() {
        for _ in 0..10 {
            let (x, d) = (sample(&mut draw, angle), sample(&mut draw, 1.0));
            let steps = d.numbers();
            let mut k = 0;
            let dual = everything(&x.map(|re| {
                k += 1;
                Dual { re, eps: [steps[k - 1]] }
            }));
            let shifted = |s: f64| {
                let mut k = 0;
                everything(&x.map(|re| {
                    k += 1;
                    D::lift(re) + D::lift(steps[k - 1]) * s
                }))
            };
            let (plus, minus) = (shifted(h), shifted(-h));
            for ((name, got), ((_, p), (_, m))) in dual.iter().zip(plus.iter().zip(&minus)) {
                let want = ((*p - *m) / D::lift(2.0 * h)).hi();
                let error = (got.eps[0] - want).abs();
                // The size of the numbers that went in: solve and inverse have large ones.
                let scale = 1.0 + want.abs() + got.re.abs() * got.re.abs();
                assert!(error < 1e-12 * scale, "{name} at {angle}: {} {want}", got.eps[0]);
                compared += 1;
            }
        }
    }
    assert!(compared > 20_000);
}

#[test]
fn called_numbers_have_the_same_bits() {
    let mut draw = Draw::new(7);
    let bits = |re: f64, slope: f64| (re.to_bits(), slope.to_bits());
    let mut compared = 0;
    for angle in ANGLES {
        let (x, d) = (sample(&mut draw, angle), sample(&mut draw, 1.0));
        let steps = d.numbers();
        let mut k = 0;
        let inlined = everything(&x.map(|re| {
            k += 1;
            E { re, eps: [steps[k - 1]] }
        }));
        k = 0;
        let called = everything(&x.map(|re| {
            k += 1;
            CalledDual { re, slope: steps[k - 1] }
        }));
        assert_eq!(inlined.len(), called.len());
        for ((name, a), (_, b)) in inlined.iter().zip(&called) {
            assert_eq!(bits(a.re, a.eps[0]), bits(b.re, b.slope), "{name} at {angle}");
            compared += 1;
        }
    }
    assert!(compared > 1000, "{compared}");
    // What formulas of the kernel have no use for.
    fn functions<S: Real>(x: S, y: S) -> Vec<S> {
        let mut sum = x;
        sum += y;
        sum -= x * 3.0;
        sum *= y;
        let mut list =
            vec![x.exp(), y.ln(), y.atan2(x), x.abs(), x.floor(), y.powi(-3), x.all_squared()];
        list.extend([x / y, -x, x.frozen(), S::select(x.lt(y), x, y), S::ratio(1.0, 3.0), sum]);
        list
    }
    let inlined = functions(E { re: -1.7, eps: [0.3] }, E { re: 2.9, eps: [-1.1] });
    let (x, y) = (CalledDual { re: -1.7, slope: 0.3 }, CalledDual { re: 2.9, slope: -1.1 });
    for (i, (a, b)) in inlined.iter().zip(functions(x, y)).enumerate() {
        assert_eq!(bits(a.re, a.eps[0]), bits(b.re, b.slope), "function {i}");
    }
    assert_eq!(CalledDual::variable(2.0), CalledDual { re: 2.0, slope: 1.0 });
    assert!(!(CalledDual { re: 1.0, slope: f64::NAN }).finite());
    assert!((x.magnitude() - 1.7).abs() < 1e-15 && x.primal() == -1.7);
}

#[test]
fn derivative_of_the_exponential_is_dexp() {
    let mut draw = Draw::new(2);
    for angle in ANGLES {
        for _ in 0..50 {
            let (u, v) = (draw.of_norm(angle), draw.vector());
            // R' = hat(dexp_u v) R.
            let r = so3::exp(along(u, v));
            let rows = r.rows.map(slope);
            let rate = Mat3::from_rows(rows[0], rows[1], rows[2]);
            let left = rate.matmul(&so3::exp(u).transpose());
            let error = (left - Mat3::hat(so3::dexp(u, v))).norm_squared().sqrt();
            assert!(error < 1e-13, "{angle}: {error:e}");
            // The same for Cayley.
            let rows = so3::cay(along(u, v)).rows.map(slope);
            let rate = Mat3::from_rows(rows[0], rows[1], rows[2]);
            let left = rate.matmul(&so3::cay(u).transpose());
            let error = (left - Mat3::hat(so3::dcay(u, v))).norm_squared().sqrt();
            assert!(error < 1e-13, "{angle}: {error:e}");
        }
    }
}

#[test]
fn se3_is_so3_over_dual_numbers() {
    let mut draw = Draw::new(3);
    for angle in ANGLES {
        let pole = ((angle / TAU).round().max(1.0) * TAU - angle).abs();
        for _ in 0..50 {
            let (u, w, a, b) = (draw.of_norm(angle), draw.vector(), draw.vector(), draw.vector());
            let dual = so3::dexp(along(u, w), along(a, b));
            let (p, q) = se3::dexp(u, w, a, b);
            let error = (value(dual) - p).norm().max((slope(dual) - q).norm());
            assert!(error < 1e-13, "dexp at {angle}: {error:e}");
            let dual = so3::dexpinv(along(u, w), along(a, b));
            let (p, q) = se3::dexpinv(u, w, a, b);
            let error = (value(dual) - p).norm().max((slope(dual) - q).norm());
            // The slope of the coefficient grows with the square of the distance to the pole.
            assert!(error < 1e-13 * (1.0 + 1.0 / pole).powi(3), "dexpinv at {angle}: {error:e}");
            // The derivative of dexpinv in u alone is the linear part with b = 0.
            let dual = so3::dexpinv(along(u, w), along(a, Vec3::zero()));
            let (_, q) = se3::dexpinv(u, w, a, Vec3::zero());
            let error = (slope(dual) - q).norm();
            assert!(error < 1e-13 * (1.0 + 1.0 / pole).powi(3), "dexpinv at {angle}: {error:e}");
        }
    }
}

#[test]
fn derivative_of_the_logarithm_is_dexpinv() {
    let mut draw = Draw::new(4);
    for angle in ANGLES.into_iter().filter(|a| *a < PI - 1e-9) {
        for _ in 0..20 {
            let (u, v) = (draw.of_norm(angle), draw.vector());
            // exp(e v) exp(u), whose logarithm moves by dexpinv_u v.
            let turned = so3::exp(along(Vec3::zero(), v)).matmul(&so3::exp(along(u, Vec3::zero())));
            let error = (slope(so3::log(&turned)) - so3::dexpinv(u, v)).norm();
            assert!(error < 1e-13, "{angle}: {error:e}");
        }
    }
}

#[test]
fn agree_with_num_dual() {
    let mut draw = Draw::new(5);
    for _ in 0..500 {
        let (x, y) = (draw.number() * 3.0, draw.between(0.2, 4.0));
        let (dx, dy) = (draw.number(), draw.number());
        let ours = |re: f64, e: f64| Dual { re, eps: [e] };
        let (p, q) = (ours(x, dx), ours(y, dy));
        let (r, s) = (Dual64::new(x, dx), Dual64::new(y, dy));
        let close = |name: &str, a: E, b: Dual64| {
            let scale = 1.0 + b.re.abs() + b.eps.abs();
            let gap = (a.re - b.re).abs().max((a.eps[0] - b.eps).abs());
            assert!(gap < 4e-15 * scale, "{name}({x}, {y}): {a:?} {b:?}");
        };
        close("product", p * q, r * s);
        close("quotient", p / q, r / s);
        close("difference", p - q * 0.7, r - s * 0.7);
        close("sqrt", q.sqrt(), s.sqrt());
        close("sin", p.sin_cos().0, r.sin());
        close("cos", p.sin_cos().1, r.cos());
        close("atan2", p.atan2(q), r.atan2(s));
        close("exp", p.exp(), r.exp());
        close("ln", q.ln(), s.ln());
        close("powi", p.powi(4), r.powi(4));
        close("powi", q.powi(-2), s.powi(-2));
    }
    // Rodrigues' formula written with num-dual, at angles where sine and cosine are good enough.
    for _ in 0..200 {
        let angle = draw.between(0.5, 3.0);
        let (u, d, v) = (draw.of_norm(angle), draw.vector(), draw.vector());
        let theirs = |u: f64, e: f64| Dual64::new(u, e);
        let k = [theirs(u.x, d.x), theirs(u.y, d.y), theirs(u.z, d.z)];
        let w = [v.x, v.y, v.z].map(Dual64::from);
        let z = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
        let t = z.sqrt();
        let cross = |a: [Dual64; 3], b: [Dual64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let one = cross(k, w);
        let two = cross(k, one);
        let got = so3::rotate(along(u, d), along(v, Vec3::zero())).to_array();
        let dexp = so3::dexp(along(u, d), along(v, Vec3::zero())).to_array();
        for i in 0..3 {
            let c2 = (-t.cos() + 1.0) / z;
            let want = w[i] + one[i] * t.sin() / t + two[i] * c2;
            assert!((got[i].re - want.re).abs() < 1e-14, "{angle}");
            assert!((got[i].eps[0] - want.eps).abs() < 1e-13, "{angle}");
            let want = w[i] + one[i] * c2 + two[i] * (t - t.sin()) / (z * t);
            assert!((dexp[i].re - want.re).abs() < 1e-14, "{angle}");
            assert!((dexp[i].eps[0] - want.eps).abs() < 1e-13, "{angle}");
        }
    }
}

#[test]
fn nested_dual_numbers_give_second_derivatives() {
    let mut draw = Draw::new(6);
    let h = 1e-7;
    for angle in smooth_angles() {
        for _ in 0..5 {
            let (x, d) = (sample(&mut draw, angle), sample(&mut draw, 1.0));
            let steps = d.numbers();
            let mut k = 0;
            let nested = everything(&x.map(|re| {
                k += 1;
                let s = steps[k - 1];
                Dual { re: Dual { re, eps: [s] }, eps: [Dual { re: s, eps: [0.0] }] }
            }));
            let at = |s: f64| {
                let mut k = 0;
                everything(&x.map(|re| {
                    k += 1;
                    D::lift(re) + D::lift(steps[k - 1]) * s
                }))
            };
            let (plus, middle, minus) = (at(h), at(0.0), at(-h));
            for (i, (name, got)) in nested.iter().enumerate() {
                let want = (plus[i].1 - middle[i].1 * 2.0 + minus[i].1) / D::lift(h * h);
                let (got, want) = (got.eps[0].eps[0], want.hi());
                let size = 1.0 + want.abs() + middle[i].1.magnitude().powi(3);
                assert!((got - want).abs() < 3e-11 * size, "{name} at {angle}: {got} {want}");
            }
        }
    }
}

#[test]
fn deep_nesting_is_still_finite_and_right() {
    type Four = Dual<Dual<Dual<Dual<f64, 1>, 1>, 1>, 1>;
    // The fourth derivative of c1(z) = sin(t)/t at z = 0 is 4!/9!.
    let z = Four {
        re: Dual {
            re: Dual { re: Dual::variable(0.0, 0), eps: [Dual::constant(1.0)] },
            eps: [Dual::constant(Dual::constant(1.0))],
        },
        eps: [Dual::constant(Dual::constant(Dual::constant(1.0)))],
    };
    let c = lieflow_kernel::scalar::stumpff::stumpff(z);
    let fourth = c[1].eps[0].eps[0].eps[0].eps[0];
    assert!((fourth - 24.0 / 362880.0).abs() < 1e-19, "{fourth}");
    assert!(c.iter().all(|c| c.finite()));
}

#[test]
fn edges_of_dual_numbers() {
    // The square root at zero has no infinite slope, so that norms can be differentiated.
    assert_eq!(E::variable(0.0, 0).sqrt(), Dual { re: 0.0, eps: [0.0] });
    assert_eq!(E::variable(-2.0, 0).abs(), Dual { re: 2.0, eps: [-1.0] });
    assert!(!Dual { re: 1.0, eps: [f64::NAN] }.finite());
    assert_eq!(E::variable(-2.0, 0).magnitude(), 2.0);
    assert_eq!(Dual::<f64, 2>::variable(1.0, 5), Dual::constant(1.0));
}

/// The shortest series that changes.
#[test]
fn a_variable_has_slope_one_in_series_of_any_length() {
    assert_eq!(Jet::<f64, 1>::variable(), Jet { c: [0.0] });
    assert_eq!(Jet::<f64, 2>::variable(), Jet { c: [0.0, 1.0] });
    assert_eq!(Jet::<f64, 4>::variable(), Jet { c: [0.0, 1.0, 0.0, 0.0] });
}

/// Whole numbers do not change with a variable, except by jumps.
#[test]
fn floors_have_no_slope() {
    let x = E { re: -2.7, eps: [0.5] };
    assert_eq!(x.floor(), Dual { re: -3.0, eps: [0.0] });
    let series = Jet { c: [2.7, 4.0, -1.0] };
    assert_eq!(series.floor(), Jet { c: [2.0, 0.0, 0.0] });
}

/// A series of two terms is a dual number, and one of a single term is a number.
#[test]
fn short_series() {
    assert_eq!(Jet::<f64, 1>::variable().c, [0.0]);
    let t = Jet::<f64, 2>::variable();
    assert_eq!(t.c, [0.0, 1.0]);
    let (sin, cos) = (t + Jet::constant(0.7)).sin_cos();
    let (s, c) = Dual::<f64, 1>::variable(0.7, 0).sin_cos();
    assert_eq!((sin.c, cos.c), ([s.re, s.eps[0]], [c.re, c.eps[0]]));
}
