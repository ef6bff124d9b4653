//! Mean, deviation and extremes of a stream of numbers (Welford 1962).

/// The moments of the numbers so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// How many.
    pub count: u64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    pub(super) mean: f64,
    /// The sum of squared differences from the mean.
    pub(super) squares: f64,
}

impl Default for Moments {
    fn default() -> Self {
        Self { count: 0, min: f64::NAN, max: f64::NAN, mean: 0.0, squares: 0.0 }
    }
}

impl Moments {
    /// Adds a number.
    #[inline]
    pub fn push(&mut self, x: f64) {
        self.count += 1;
        let before = x - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (x - self.mean);
        // Comparisons with NaN are false: the first number replaces it.
        self.min = if self.min <= x { self.min } else { x };
        self.max = if self.max >= x { self.max } else { x };
    }

    /// The mean; not a number if there was none.
    pub fn mean(&self) -> f64 {
        if self.count == 0 { f64::NAN } else { self.mean }
    }

    /// The standard deviation of the distribution that the numbers are a sample of.
    pub fn deviation(&self) -> f64 {
        if self.count < 2 { f64::NAN } else { (self.squares / (self.count - 1) as f64).sqrt() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_shifted_numbers() {
        let mut m = Moments::default();
        // Far from zero, where the textbook formula has no digit left.
        for k in 0..1000 {
            m.push(1e9 + f64::from(k % 10));
        }
        assert_eq!((m.count, m.min, m.max), (1000, 1e9, 1e9 + 9.0));
        assert!((m.mean() - (1e9 + 4.5)).abs() < 1e-6);
        assert!((m.deviation() - (8250.0f64 / 999.0).sqrt()).abs() < 1e-6);
    }
}
