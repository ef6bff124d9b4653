//! Samples that come one by one.
use super::{RatesError, Scheme, Turned, Window, check_one, enough};
use lieflow_kernel::Vec3;

/// Takes samples as they come and hands on attitudes, half a window later. The bits are those of
/// [`attitude_from_samples`](super::attitude_from_samples).
#[derive(Clone, Debug)]
pub struct Stream {
    scheme: Scheme,
    state: Turned,
    /// The last samples, as many as a window has and no more than twice that.
    times: Vec<f64>,
    samples: Vec<Vec3<f64>>,
    /// How many came before those that are kept.
    dropped: usize,
    /// The sample at which the state is.
    at: usize,
}

impl Stream {
    /// From this attitude at the time of the first sample on.
    pub fn new(scheme: Scheme, start: Turned) -> Self {
        let room = 2 * scheme.samples();
        let (times, samples) = (Vec::with_capacity(room), Vec::with_capacity(room));
        Self { scheme, state: start, times, samples, dropped: 0, at: 0 }
    }

    /// Takes a sample, and hands on the attitudes at the times that are settled by it.
    pub fn push(
        &mut self,
        t: f64,
        sample: Vec3<f64>,
        mut each: impl FnMut(f64, &Turned),
    ) -> Result<(), RatesError> {
        let number = self.dropped + self.times.len() + 1;
        let before = self.times.last().copied().unwrap_or(f64::NEG_INFINITY);
        check_one(number, before, t, sample)?;
        let window = self.scheme.samples();
        if self.times.len() == 2 * window {
            self.times.drain(..window);
            self.samples.drain(..window);
            self.dropped += window;
        }
        self.times.push(t);
        self.samples.push(sample);
        if number == 1 {
            each(t, &self.state);
        }
        // Settled is what one more sample does not give another window.
        let scheme = self.scheme;
        let settled = |at: usize| {
            number >= window && scheme.first_of(at, number) == scheme.first_of(at, usize::MAX)
        };
        while self.at + 1 < number && settled(self.at) {
            self.step(number, &mut each);
        }
        Ok(())
    }

    /// No more samples come: hands on the attitudes that waited for them.
    pub fn finish(mut self, mut each: impl FnMut(f64, &Turned)) -> Result<Turned, RatesError> {
        let number = self.dropped + self.times.len();
        enough(number, &self.scheme)?;
        while self.at + 1 < number {
            self.step(number, &mut each);
        }
        Ok(self.state)
    }

    /// Over the interval after the sample at which the state is, with so many samples known.
    fn step(&mut self, number: usize, each: &mut impl FnMut(f64, &Turned)) {
        let kept = self.scheme.first_of(self.at, number) - self.dropped;
        let range = kept..kept + self.scheme.samples();
        let window = Window::of(&self.times[range.clone()], &self.samples[range]);
        let i = self.at - self.dropped;
        let turn = self.scheme.turn(&window, (self.times[i], self.times[i + 1]));
        self.state = self.state.after(&turn, self.scheme.frame);
        self.at += 1;
        each(self.times[i + 1], &self.state);
    }
}
