//! Attitude from measured angular velocities, as a gyroscope gives them.
//!
//! ```
//! use lieflow::rates::{Order, attitude_from_rates};
//! use lieflow::vec3;
//!
//! // Half a turn about the third axis, in ten samples at uneven times.
//! let times: Vec<f64> = (0..10).map(|i| 0.1 * f64::from(i) + 0.01 * f64::from(i % 2)).collect();
//! let rates = vec![vec3(0.0, 0.0, std::f64::consts::PI / 0.91); 10];
//! let attitudes = attitude_from_rates(&times, &rates, Order::Six)?;
//! assert!((attitudes[9].get(0, 0) + 1.0).abs() < 1e-14);
//! # Ok::<(), lieflow::rates::RatesError>(())
//! ```
//!
//! Between two samples the velocity is the polynomial through the `p` nearest ones, or the one whose
//! integrals over the `p` nearest intervals are the measured increments, `p` being the order
//! ([`polynomial`]). Over the interval that polynomial is integrated by a Magnus step of order `p` at
//! Gauss points ([`magnus`]): local errors are of order `p + 1`, and the step is symmetric. Everything
//! takes the time of one pass; [`Stream`] needs no more than a few samples at once.
//!
//! What a constant bias does is carried along: its derivative goes through each Magnus step as a dual
//! number, and from step to step by the differential of the exponential ([`Turned::bias_derivative`]).
use crate::problem::Problem;
use lieflow_kernel::linalg::vec3;
use lieflow_kernel::{Dual, Mat3, Quat, Vec3, so3};

pub mod magnus;
pub mod polynomial;
mod stream;

pub use polynomial::Window;
pub use stream::Stream;

/// The order of convergence in the distance of the samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// A straight line through two samples, turned about its middle: what is mostly written by hand.
    Two,
    /// Four samples.
    Four,
    /// Six samples.
    Six,
}

impl Order {
    /// The order as a number, which is also the number of rates or increments for one interval.
    pub const fn number(self) -> usize {
        match self {
            Self::Two => 2,
            Self::Four => 4,
            Self::Six => 6,
        }
    }
    /// The order of this number.
    pub const fn of(number: usize) -> Option<Self> {
        match number {
            2 => Some(Self::Two),
            4 => Some(Self::Four),
            6 => Some(Self::Six),
            _ => None,
        }
    }
}

/// In which axes velocities were measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// In the body, as by a gyroscope: `R' = R hat(w)`.
    Body,
    /// In space: `R' = hat(w) R`.
    Space,
}

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// Angular velocities at the times of the samples.
    Rates,
    /// Integrals of the angular velocity since the sample before (delta angles); the first is not used.
    Increments,
}

/// How samples are turned into attitudes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scheme {
    /// The order.
    pub order: Order,
    /// The axes of the velocities.
    pub frame: Frame,
    /// What the samples are.
    pub measured: Measured,
    /// What is taken off each velocity.
    pub bias: Vec3<f64>,
}

impl Scheme {
    /// Rates in the body without a bias.
    pub fn new(order: Order) -> Self {
        let bias = vec3(0.0, 0.0, 0.0);
        Self { order, frame: Frame::Body, measured: Measured::Rates, bias }
    }
    /// The samples that one interval asks for: one more where they are increments, since those lie
    /// between two times.
    pub const fn samples(&self) -> usize {
        match self.measured {
            Measured::Rates => self.order.number(),
            Measured::Increments => self.order.number() + 1,
        }
    }
    /// The first of the [samples](Scheme::samples) for the interval after sample `i`, out of `count`:
    /// as many before as behind, as far as there are any, or one more before.
    pub const fn first_of(&self, i: usize, count: usize) -> usize {
        let half = self.order.number() / 2;
        let before = match self.measured {
            Measured::Rates => half - 1,
            Measured::Increments => half,
        };
        let first = i.saturating_sub(before);
        let last = count.saturating_sub(self.samples());
        if first < last { first } else { last }
    }
    /// The angular velocity at a time inside a window, without the bias.
    pub fn velocity(&self, window: &Window<'_>, t: f64) -> Vec3<f64> {
        window.velocities::<1>(self, (t - 0.5, t + 0.5), &[0.0])[0] - self.bias
    }
    /// The turn from one time to another inside a window: what takes the attitude there, with the
    /// derivative with respect to the bias.
    pub fn turn(&self, window: &Window<'_>, span: (f64, f64)) -> Turn {
        // The derivative of w - b with respect to b.
        let d = |w: Vec3<f64>| {
            let w = w - self.bias;
            let part = |x: f64, i: usize| {
                let mut part = Dual::<f64, 3>::constant(x);
                part.eps[i] = -1.0;
                part
            };
            vec3(part(w.x, 0), part(w.y, 1), part(w.z, 2))
        };
        let h = span.1 - span.0;
        let u = match self.order {
            Order::Two => {
                let [w] = window.velocities(self, span, &magnus::MIDDLE);
                magnus::second([d(w)], h)
            }
            Order::Four => {
                let [a, b] = window.velocities(self, span, &magnus::GAUSS2);
                magnus::fourth([d(a), d(b)], h, self.frame)
            }
            Order::Six => {
                let [a, b, c] = window.velocities(self, span, &magnus::GAUSS3);
                magnus::sixth([d(a), d(b), d(c)], h, self.frame)
            }
        };
        let row = |u: Dual<f64, 3>| vec3(u.eps[0], u.eps[1], u.eps[2]);
        Turn {
            vector: vec3(u.x.re, u.y.re, u.z.re),
            bias_derivative: Mat3::from_rows(row(u.x), row(u.y), row(u.z)),
        }
    }
}

/// A rotation vector and its derivative with respect to the bias.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// The rotation vector, in the axes of the scheme.
    pub vector: Vec3<f64>,
    /// Its derivative.
    pub bias_derivative: Mat3<f64>,
}

/// An attitude with its derivative with respect to the bias.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turned {
    /// Body to space, a unit quaternion: kept so, because norms are brought back more easily than
    /// matrices, of which a million products drift.
    pub attitude: Quat<f64>,
    /// `D` such that another bias `b + e` gives `R exp(hat(D e))` in the frame of the body, and
    /// `exp(hat(D e)) R` in that of space, up to terms of second order.
    pub bias_derivative: Mat3<f64>,
}

impl Turned {
    /// This attitude, known for certain.
    pub fn new(rotation: Mat3<f64>) -> Self {
        Self { attitude: Quat::from_matrix(&rotation), bias_derivative: Mat3::zero() }
    }
    /// Body to space.
    pub fn rotation(&self) -> Mat3<f64> {
        self.attitude.to_matrix()
    }
    /// After a turn.
    #[inline]
    pub fn after(&self, turn: &Turn, frame: Frame) -> Self {
        let (q, turned) = (self.attitude, Quat::exp(turn.vector));
        let (e, dexp) = so3::exp_with_dexp(turn.vector);
        let d = &self.bias_derivative;
        match frame {
            Frame::Body => Self {
                attitude: unit(q.times(turned)),
                bias_derivative: e.transpose().matmul(d)
                    + dexp.transpose().matmul(&turn.bias_derivative),
            },
            Frame::Space => Self {
                attitude: unit(turned.times(q)),
                bias_derivative: e.matmul(d) + dexp.matmul(&turn.bias_derivative),
            },
        }
    }
    /// The covariance of the error of this attitude, a rotation vector, where the bias has independent
    /// errors with these standard deviations: `D diag(sigma)² Dᵀ`.
    pub fn covariance(&self, sigma: Vec3<f64>) -> Mat3<f64> {
        let d = self.bias_derivative.matmul(&Mat3::diagonal(sigma));
        d.matmul(&d.transpose())
    }
}

/// The quaternion with its norm brought back to one, from which it is off by rounding.
#[inline]
fn unit(q: Quat<f64>) -> Quat<f64> {
    let scale = 1.5 - 0.5 * q.norm_squared();
    Quat { w: q.w * scale, v: q.v * scale }
}

impl crate::action::Flat for Turned {
    fn distance_squared(&self, other: &Self) -> f64 {
        let (a, b) = (self.attitude, other.attitude);
        (a.w - b.w) * (a.w - b.w)
            + a.v.distance_squared(&b.v)
            + self.bias_derivative.distance_squared(&other.bias_derivative)
    }
    fn archive(&mut self, archive: &mut crate::archive::Archive) {
        archive.number(&mut self.attitude.w);
        self.attitude.v.archive(archive);
        self.bias_derivative.archive(archive);
    }
}

/// A system whose angular velocity is known by samples, which are in order ([`check`]).
pub trait Sampled: Problem<Point = Turned> {
    /// The times of the samples.
    fn times(&self) -> &[f64];
    /// The samples.
    fn samples(&self) -> &[Vec3<f64>];
    /// How they are turned into attitudes, but for the order, which is that of the method.
    fn scheme(&self) -> Scheme;
}

/// Why samples cannot be used. Samples are counted from one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RatesError {
    /// Not as many times as samples.
    #[error("found {times} times and {samples} samples, expected as many")]
    Lengths {
        /// The times.
        times: usize,
        /// The samples.
        samples: usize,
    },
    /// Too few samples for the order.
    #[error("found {found} samples, expected at least {expected} for order {order}")]
    TooFew {
        /// How many there are.
        found: usize,
        /// How many are needed.
        expected: usize,
        /// The order.
        order: usize,
    },
    /// A time that is not after the one before.
    #[error("sample {sample} is at the time {found}, expected one after {before}")]
    NotIncreasing {
        /// Which one.
        sample: usize,
        /// Its time.
        found: f64,
        /// The time before.
        before: f64,
    },
    /// A number that is infinite or NaN.
    #[error("sample {sample} is not finite")]
    NotFinite {
        /// Which one.
        sample: usize,
    },
}

/// Says what is wrong with samples, if something is.
pub fn check(times: &[f64], samples: &[Vec3<f64>], scheme: &Scheme) -> Result<(), RatesError> {
    if times.len() != samples.len() {
        return Err(RatesError::Lengths { times: times.len(), samples: samples.len() });
    }
    let mut before = f64::NEG_INFINITY;
    for (i, (t, w)) in times.iter().zip(samples).enumerate() {
        check_one(i + 1, before, *t, *w)?;
        before = *t;
    }
    enough(times.len(), scheme)
}

fn enough(found: usize, scheme: &Scheme) -> Result<(), RatesError> {
    let expected = scheme.samples();
    if found < expected {
        return Err(RatesError::TooFew { found, expected, order: scheme.order.number() });
    }
    Ok(())
}

fn check_one(sample: usize, before: f64, t: f64, w: Vec3<f64>) -> Result<(), RatesError> {
    if !(t.is_finite() && w.finite()) {
        return Err(RatesError::NotFinite { sample });
    }
    if t <= before {
        return Err(RatesError::NotIncreasing { sample, found: t, before });
    }
    Ok(())
}

/// The attitude at the times of rates that were measured in the body, from the identity on.
pub fn attitude_from_rates(
    times: &[f64],
    rates: &[Vec3<f64>],
    order: Order,
) -> Result<Vec<Mat3<f64>>, RatesError> {
    let mut attitudes = Vec::with_capacity(times.len());
    let start = Turned::new(Mat3::identity());
    attitude_from_samples(times, rates, &Scheme::new(order), start, |_, y| {
        attitudes.push(y.rotation());
    })?;
    Ok(attitudes)
}

/// Hands on the attitude at the time of each sample, from `start` at the first one on.
pub fn attitude_from_samples(
    times: &[f64],
    samples: &[Vec3<f64>],
    scheme: &Scheme,
    start: Turned,
    mut each: impl FnMut(f64, &Turned),
) -> Result<(), RatesError> {
    check(times, samples, scheme)?;
    let mut y = start;
    each(times[0], &y);
    for i in 0..times.len() - 1 {
        let window = Window::around(times, samples, scheme, i);
        y = y.after(&scheme.turn(&window, (times[i], times[i + 1])), scheme.frame);
        each(times[i + 1], &y);
    }
    Ok(())
}
