//! The straight line of least squares through points that come one by one, in constant memory.
//!
//! ```text
//! n    <- n + 1
//! RSS  <- RSS + (v - a - b (t - mean_t))^2 / (1 + 1/(n-1) + (t - mean_t)^2/Stt)    with the old line
//! Stt  <- Stt + dt (t - mean_t'),   Stv <- Stv + dt (v - mean_v')
//! b    =  Stv/Stt,                  standard error of b = sqrt(RSS/((n-2) Stt))
//! ```
//!
//! Welford's update of means and products; the residual sum is the one of recursive least squares,
//! which adds squares only and so does not cancel when the points lie on a line.
use crate::archive::Archive;

/// A least-squares line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Line {
    n: u64,
    mean_t: f64,
    mean_v: f64,
    stt: f64,
    stv: f64,
    residual: f64,
}

impl Line {
    /// No points yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// One more point.
    pub fn push(&mut self, t: f64, v: f64) {
        let before = self.n as f64;
        self.n += 1;
        let (dt, dv) = (t - self.mean_t, v - self.mean_v);
        // Two points at different times lie on their line.
        if self.stt > 0.0 {
            let miss = dv - self.slope() * dt;
            self.residual += miss * miss / (1.0 + 1.0 / before + dt * dt / self.stt);
        }
        let n = self.n as f64;
        self.mean_t += dt / n;
        self.mean_v += dv / n;
        self.stt += dt * (t - self.mean_t);
        self.stv += dt * (v - self.mean_v);
    }

    /// Names its numbers.
    pub(super) fn archive(&mut self, archive: &mut Archive) {
        let Self { n, mean_t, mean_v, stt, stv, residual } = self;
        archive.bits(n);
        [mean_t, mean_v, stt, stv, residual].into_iter().for_each(|x| archive.number(x));
    }

    /// The number of points.
    pub fn count(&self) -> u64 {
        self.n
    }

    /// The slope of the line; zero while all points have one time.
    pub fn slope(&self) -> f64 {
        if self.stt > 0.0 { self.stv / self.stt } else { 0.0 }
    }

    /// The value of the line at `t`.
    pub fn value(&self, t: f64) -> f64 {
        self.mean_v + self.slope() * (t - self.mean_t)
    }

    /// The standard error of the slope, if the residuals were independent; zero below three points.
    pub fn standard_error(&self) -> f64 {
        if self.n > 2 && self.stt > 0.0 {
            (self.residual / ((self.n - 2) as f64 * self.stt)).sqrt()
        } else {
            0.0
        }
    }
}
