//! The velocity between samples, as a polynomial.
//!
//! ```text
//! rates       w(x) = sum_j w_j l_j(x)                          l_j: Lagrange, through the times s_j
//! increments  w(x) = sum_m d_m sum_{j >= m} l_j'(x)            the derivative of the sum of increments
//! ```
//!
//! Times are relative to the middle and the length of the interval that is asked for, so that nothing
//! is lost late in a long log.
use super::{Measured, Scheme};
use lieflow_kernel::Vec3;

/// The most samples of a window.
const MOST: usize = 7;

/// The samples that one interval asks for.
#[derive(Clone, Copy, Debug)]
pub struct Window<'a> {
    times: &'a [f64],
    samples: &'a [Vec3<f64>],
}

impl<'a> Window<'a> {
    /// The window of these samples, as many as the scheme asks for.
    pub(super) fn of(times: &'a [f64], samples: &'a [Vec3<f64>]) -> Self {
        Self { times, samples }
    }

    /// The window of the interval after sample `i`.
    #[inline]
    pub fn around(times: &'a [f64], samples: &'a [Vec3<f64>], scheme: &Scheme, i: usize) -> Self {
        let first = scheme.first_of(i, times.len());
        let range = first..(first + scheme.samples()).min(times.len());
        Self { times: &times[range.clone()], samples: &samples[range] }
    }

    /// The angular velocities at `G` places of a span, given relative to its middle and length.
    #[inline]
    pub(super) fn velocities<const G: usize>(
        &self,
        scheme: &Scheme,
        span: (f64, f64),
        places: &[f64; G],
    ) -> [Vec3<f64>; G] {
        // The number of samples is a constant in each case, so that loops are unrolled.
        match (scheme.measured, self.times.len()) {
            (Measured::Rates, 2) => self.by_rates::<2, G>(span, places),
            (Measured::Rates, 4) => self.by_rates::<4, G>(span, places),
            (Measured::Rates, 6) => self.by_rates::<6, G>(span, places),
            (Measured::Increments, 3) => self.by_increments::<3, G>(span, places),
            (Measured::Increments, 5) => self.by_increments::<5, G>(span, places),
            (Measured::Increments, 7) => self.by_increments::<7, G>(span, places),
            _ => [Vec3::zero() * f64::NAN; G],
        }
    }

    /// Times relative to the middle of a span, in units of its length, and one over the products of
    /// their differences.
    #[inline(always)]
    fn knots<const P: usize>(&self, (from, to): (f64, f64)) -> ([f64; P], [f64; P]) {
        const { assert!(P <= MOST) };
        let (middle, scale) = (0.5 * (from + to), 1.0 / (to - from));
        let mut s = [0.0; P];
        for (s, t) in s.iter_mut().zip(self.times) {
            *s = (t - middle) * scale;
        }
        let mut inverse = [1.0; P];
        for j in 0..P {
            for k in 0..j {
                let d = s[j] - s[k];
                inverse[j] *= d;
                inverse[k] *= -d;
            }
        }
        for x in &mut inverse {
            *x = 1.0 / *x;
        }
        (s, inverse)
    }

    #[inline(always)]
    fn by_rates<const P: usize, const G: usize>(
        &self,
        span: (f64, f64),
        places: &[f64; G],
    ) -> [Vec3<f64>; G] {
        let (s, inverse) = self.knots::<P>(span);
        let mut out = [Vec3::zero(); G];
        for (out, x) in out.iter_mut().zip(places) {
            let mut weights = inverse;
            // Products of the factors before and behind each one.
            let (mut before, mut behind) = (1.0, 1.0);
            for j in 0..P {
                weights[j] *= before;
                before *= x - s[j];
                let k = P - 1 - j;
                weights[k] *= behind;
                behind *= x - s[k];
            }
            for (w, weight) in self.samples.iter().zip(weights) {
                *out += *w * weight;
            }
        }
        out
    }

    #[inline(always)]
    fn by_increments<const P: usize, const G: usize>(
        &self,
        span: (f64, f64),
        places: &[f64; G],
    ) -> [Vec3<f64>; G] {
        let (s, inverse) = self.knots::<P>(span);
        let rate = 1.0 / (span.1 - span.0);
        let mut out = [Vec3::zero(); G];
        for (out, x) in out.iter_mut().zip(places) {
            // The derivative of each product without its own factor: of those before times those
            // behind.
            let (mut before, mut behind) = ([(1.0, 0.0); P], [(1.0, 0.0); P]);
            for j in 1..P {
                let (product, slope) = before[j - 1];
                let factor = x - s[j - 1];
                before[j] = (product * factor, slope * factor + product);
                let k = P - 1 - j;
                let (product, slope) = behind[k + 1];
                let factor = x - s[k + 1];
                behind[k] = (product * factor, slope * factor + product);
            }
            let mut sum = 0.0;
            for j in (1..P).rev() {
                let ((a, da), (b, db)) = (before[j], behind[j]);
                sum += (a * db + da * b) * inverse[j];
                *out += self.samples[j] * sum;
            }
            *out = *out * rate;
        }
        out
    }
}
