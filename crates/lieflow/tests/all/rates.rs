//! Attitude from samples: orders on coning with a closed form, the derivative by the bias against
//! differences, samples one by one, what is refused.
use lieflow::kernel::so3;
use lieflow::method::gyro::{Gyro, entries};
use lieflow::method::{Method, OptionError, Options, Step};
use lieflow::problem::Problem;
use lieflow::rates::{
    Frame, Measured, Order, RatesError, Sampled, Scheme, Stream, Turned, attitude_from_rates,
    attitude_from_samples,
};
use lieflow::{Mat3, Vec3, vec3};

/// Coning: the axis `(cos st, sin st, 0)` about which the body is turned by `angle` runs around.
const ANGLE: f64 = 0.6;
const SPEED: f64 = 3.0;

fn attitude(t: f64) -> Mat3<f64> {
    let (s, c) = (SPEED * t).sin_cos();
    so3::exp(vec3(c, s, 0.0) * ANGLE)
}

/// `2 q* q'` for `q = (cos a/2, sin a/2 (cos st, sin st, 0))`.
fn body_rate(t: f64) -> Vec3<f64> {
    let (s, c) = (SPEED * t).sin_cos();
    let half = (0.5 * ANGLE).sin();
    vec3(-s * ANGLE.sin(), c * ANGLE.sin(), -2.0 * half * half) * SPEED
}

/// The integral of the velocity.
fn body_angle(t: f64) -> Vec3<f64> {
    let (s, c) = (SPEED * t).sin_cos();
    let half = (0.5 * ANGLE).sin();
    vec3(c * ANGLE.sin(), s * ANGLE.sin(), -2.0 * half * half * SPEED * t)
}

/// Times whose distances differ by up to a half.
fn times(count: usize, uneven: bool) -> Vec<f64> {
    let place = |i: usize| {
        let x = i as f64 / (count - 1) as f64;
        // Smoothly stretched, so that the distances shrink in proportion.
        if uneven { x + 0.04 * (6.0 * x).sin() } else { x }
    };
    (0..count).map(|i| 2.0 * place(i)).collect()
}

/// Rates or increments, in the body or in space.
fn samples(times: &[f64], scheme: &Scheme) -> Vec<Vec3<f64>> {
    match (scheme.measured, scheme.frame) {
        (Measured::Rates, Frame::Body) => times.iter().map(|t| body_rate(*t)).collect(),
        (Measured::Rates, Frame::Space) => {
            times.iter().map(|t| attitude(*t).apply(body_rate(*t))).collect()
        }
        // In space the inverse is a coning motion with rates of the other sign.
        (Measured::Increments, frame) => {
            let sign = if frame == Frame::Body { 1.0 } else { -1.0 };
            let mut before = times[0];
            let step = |t: &f64| {
                let d = body_angle(*t) - body_angle(before);
                before = *t;
                d * sign
            };
            times.iter().map(step).collect()
        }
    }
}

/// The largest error of a log with so many samples.
fn error(scheme: &Scheme, count: usize, uneven: bool) -> f64 {
    let times = times(count, uneven);
    let inverse = scheme.measured == Measured::Increments && scheme.frame == Frame::Space;
    let exact = |t| if inverse { attitude(t).transpose() } else { attitude(t) };
    let mut worst: f64 = 0.0;
    let start = Turned::new(exact(times[0]));
    attitude_from_samples(&times, &samples(&times, scheme), scheme, start, |t, y| {
        let off = so3::log(&exact(t).transpose().matmul(&y.rotation()));
        worst = worst.max(off.norm());
    })
    .unwrap();
    worst
}

fn schemes() -> Vec<Scheme> {
    let mut all = Vec::new();
    for order in [Order::Two, Order::Four, Order::Six] {
        for frame in [Frame::Body, Frame::Space] {
            for measured in [Measured::Rates, Measured::Increments] {
                all.push(Scheme { frame, measured, ..Scheme::new(order) });
            }
        }
    }
    all
}

#[test]
fn the_rates_are_those_of_the_closed_form() {
    let (t, h) = (0.7, 1e-5);
    let slope = (attitude(t + h) - attitude(t - h)) * (0.5 / h);
    let w = attitude(t).transpose().matmul(&slope).axial() * 0.5;
    assert!((w - body_rate(t)).norm() < 1e-9, "{w:?} {:?}", body_rate(t));
    let w = (body_angle(t + h) - body_angle(t - h)) * (0.5 / h);
    assert!((w - body_rate(t)).norm() < 1e-9);
}

#[test]
fn orders_on_coning() {
    for scheme in schemes() {
        let stated = scheme.order.number() as f64;
        for uneven in [false, true] {
            let (coarse, fine) = match scheme.order {
                Order::Six => (error(&scheme, 121, uneven), error(&scheme, 241, uneven)),
                _ => (error(&scheme, 201, uneven), error(&scheme, 401, uneven)),
            };
            let order = (coarse / fine).log2();
            println!("{scheme:?} {uneven} {order:.3} {fine:.2e}");
            assert!((order - stated).abs() < 0.15, "{scheme:?} {uneven} {order} {fine:e}");
        }
    }
}

/// Velocities that are polynomials of the degree of the window about one axis are integrated exactly.
#[test]
fn polynomials_about_one_axis_are_exact() {
    for scheme in schemes() {
        let power = scheme.order.number() as i32;
        let times: Vec<f64> = times(20, true);
        let angle = |t: f64| 0.3 * t.powi(power) - t;
        let mut before = times[0];
        let sample = |t: &f64| {
            let increment = angle(*t) - angle(before);
            before = *t;
            vec3(
                0.0,
                0.0,
                match scheme.measured {
                    Measured::Increments => increment,
                    Measured::Rates => 0.3 * f64::from(power) * t.powi(power - 1) - 1.0,
                },
            )
        };
        let samples: Vec<_> = times.iter().map(sample).collect();
        let start = Turned::new(so3::exp(vec3(0.0, 0.0, angle(times[0]))));
        attitude_from_samples(&times, &samples, &scheme, start, |t, y| {
            let exact = so3::exp(vec3(0.0, 0.0, angle(t)));
            let off = (exact - y.rotation()).norm_squared().sqrt();
            assert!(off < 1e-13 * (1.0 + angle(t).abs()), "{scheme:?} {t} {off:e}");
        })
        .unwrap();
    }
}

#[test]
fn the_derivative_by_the_bias_is_that_of_differences() {
    for scheme in schemes() {
        let times = times(60, true);
        let samples = samples(&times, &scheme);
        let start = Turned::new(attitude(0.3));
        let last = |bias: Vec3<f64>| {
            let scheme = Scheme { bias, ..scheme };
            let mut last = start;
            attitude_from_samples(&times, &samples, &scheme, start, |_, y| last = *y).unwrap();
            last
        };
        let (bias, h) = (vec3(0.1, -0.2, 0.05), 1e-5);
        let middle = last(bias);
        for k in 0..3 {
            let e = Vec3::unit(k) * h;
            let (a, b) = (last(bias - e).rotation(), last(bias + e).rotation());
            let turn = match scheme.frame {
                Frame::Body => so3::log(&a.transpose().matmul(&b)),
                Frame::Space => so3::log(&b.matmul(&a.transpose())),
            };
            let off = (turn * (0.5 / h) - middle.bias_derivative.column(k)).norm();
            assert!(off < 1e-8, "{scheme:?} {k} {off:e}");
        }
        // A body that does not turn: the error is the bias times the time, with the other sign.
        let still = vec![vec3(0.0, 0.0, 0.0); times.len()];
        let scheme = Scheme { bias: vec3(0.0, 0.0, 0.0), ..scheme };
        let mut end = start;
        attitude_from_samples(&times, &still, &scheme, start, |_, y| end = *y).unwrap();
        let length = times[59] - times[0];
        let off = end.bias_derivative + Mat3::identity() * length;
        assert!(off.norm_squared().sqrt() < 1e-12);
        let sigma = end.covariance(vec3(0.1, 0.2, 0.3)).get(1, 1).sqrt();
        assert!((sigma - 0.2 * length).abs() < 1e-12);
    }
}

#[test]
fn one_by_one_gives_the_same_bits() {
    for scheme in schemes() {
        for count in [scheme.samples(), scheme.samples() + 1, 40] {
            let times = times(count, true);
            let samples = samples(&times, &scheme);
            let start = Turned::new(Mat3::identity());
            let (mut whole, mut single) = (Vec::new(), Vec::new());
            attitude_from_samples(&times, &samples, &scheme, start, |t, y| whole.push((t, *y)))
                .unwrap();
            let mut stream = Stream::new(scheme, start);
            for (i, (t, w)) in times.iter().zip(&samples).enumerate() {
                stream.push(*t, *w, |t, y| single.push((t, *y))).unwrap();
                assert!(single.len() + scheme.order.number() / 2 + 1 > i || i < 7);
            }
            let last = stream.finish(|t, y| single.push((t, *y))).unwrap();
            assert_eq!(whole, single, "{scheme:?} {count}");
            assert_eq!(whole[count - 1].1, last);
        }
    }
}

#[test]
fn bad_samples_are_refused() {
    let good = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
    let rates = [vec3(0.1, 0.2, 0.3); 7];
    let with = |i: usize, t: f64| {
        let mut times = good;
        times[i] = t;
        attitude_from_rates(&times, &rates, Order::Four).unwrap_err()
    };
    assert_eq!(with(3, 0.2), RatesError::NotIncreasing { sample: 4, found: 0.2, before: 0.2 });
    assert_eq!(with(3, f64::NAN), RatesError::NotFinite { sample: 4 });
    assert_eq!(with(0, f64::NEG_INFINITY), RatesError::NotFinite { sample: 1 });
    let mut bad = rates;
    bad[6].y = f64::INFINITY;
    let error = attitude_from_rates(&good, &bad, Order::Two).unwrap_err();
    assert_eq!(error, RatesError::NotFinite { sample: 7 });
    let error = attitude_from_rates(&good[..3], &rates[..3], Order::Six).unwrap_err();
    assert_eq!(error, RatesError::TooFew { found: 3, expected: 6, order: 6 });
    let error = attitude_from_rates(&[], &[], Order::Two).unwrap_err();
    assert_eq!(error, RatesError::TooFew { found: 0, expected: 2, order: 2 });
    let error = attitude_from_rates(&good, &rates[1..], Order::Two).unwrap_err();
    assert_eq!(error, RatesError::Lengths { times: 7, samples: 6 });
    let empty = Stream::new(Scheme::new(Order::Four), Turned::new(Mat3::identity()));
    assert!(matches!(empty.finish(|_, _| ()), Err(RatesError::TooFew { found: 0, .. })));
}

/// Very many products of rotations are still one.
#[test]
fn long_logs_stay_rotations() {
    let count = 100_000;
    let times: Vec<f64> = (0..count).map(|i| 0.01 * f64::from(i)).collect();
    let rates: Vec<_> = times.iter().map(|t| body_rate(*t)).collect();
    let last = *attitude_from_rates(&times, &rates, Order::Six).unwrap().last().unwrap();
    assert!(last.orthogonality_error() < 1e-12, "{}", last.orthogonality_error());
    let exact = attitude(0.0).transpose().matmul(&attitude(times[times.len() - 1]));
    let off = so3::log(&exact.transpose().matmul(&last)).norm();
    assert!(off < 1e-8, "{off:e}");
}

/// A log that somebody integrates from wherever he likes.
struct Log {
    times: Vec<f64>,
    samples: Vec<Vec3<f64>>,
}
impl Problem for Log {
    type Point = Turned;
    fn start(&self) -> Turned {
        Turned::new(Mat3::identity())
    }
}
impl Sampled for Log {
    fn times(&self) -> &[f64] {
        &self.times
    }
    fn samples(&self) -> &[Vec3<f64>] {
        &self.samples
    }
    fn scheme(&self) -> Scheme {
        Scheme::new(Order::Four)
    }
}

/// Steps lie inside the log: both ends, but for rounding.
#[test]
fn there_is_nothing_outside_a_log() {
    let times = times(41, false);
    let samples = samples(&times, &Scheme::new(Order::Four));
    let (last, spacing) = (times[40], times[1] - times[0]);
    let log = Log { times, samples };
    let go = |from: f64, until: f64| {
        let (y, h) = (log.start(), until - from);
        Gyro::new(Order::Four).step(Step::new(&log, from, h, &y), &mut y.clone())
    };
    for (from, until) in [(0.0, last), (last, 0.0), (0.3, 1.7), (-1e-13, last + 1e-13)] {
        go(from, until).unwrap();
    }
    let beyond = 1e-4 * spacing;
    for (from, until) in [
        (0.0, last + beyond),
        (-beyond, last),
        (-beyond, 0.5),
        (0.5, -beyond),
        (last + beyond, 0.5),
        (last + 1.0, last + 2.0),
    ] {
        let error = go(from, until).unwrap_err().to_string();
        assert!(error.contains("the log has too few samples, or none there"), "{error}");
    }
}

#[test]
fn options_that_they_do_not_have_are_refused() {
    let log = Log { times: Vec::new(), samples: Vec::new() };
    for entry in entries::<Log>() {
        assert!((entry.make)(&log, &Options::default()).is_ok());
        let compensated = Options { compensated: true, ..Options::default() };
        let found = (entry.make)(&log, &compensated).err();
        assert!(matches!(found, Some(OptionError::NotCompensated { .. })), "{found:?}");
    }
}
