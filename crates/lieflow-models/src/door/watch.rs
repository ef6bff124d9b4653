//! Keeps an eye on the invariants of a run, in constant memory.
use super::InvariantRecord;
use lieflow::problem::{Quantity, Watched};

/// The invariants of one run.
pub(super) struct Watch<P: Watched> {
    quantities: Vec<Quantity<P>>,
    lines: Vec<Line>,
    values: Vec<f64>,
    from: f64,
    manifold_error: f64,
}

/// Running least squares of the deviation over time, by updates of means: no digits are lost to
/// large sums in long runs.
#[derive(Clone, Copy, Default)]
struct Line {
    initial: f64,
    max_error: f64,
    count: f64,
    mean_t: f64,
    mean_d: f64,
    s_tt: f64,
    s_td: f64,
}

/// The larger of two numbers; NaN, which must not hide behind a comparison, if one of them is.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) }
}

impl Line {
    fn add(&mut self, t: f64, value: f64) {
        let d = value - self.initial;
        self.max_error = larger(self.max_error, d.abs());
        self.count += 1.0;
        let dt = t - self.mean_t;
        self.mean_t += dt / self.count;
        self.mean_d += (d - self.mean_d) / self.count;
        self.s_tt += dt * (t - self.mean_t);
        self.s_td += dt * (d - self.mean_d);
    }
    fn slope(&self) -> f64 {
        if self.s_tt > 0.0 { self.s_td / self.s_tt } else { 0.0 }
    }
}

impl<P: Watched> Watch<P> {
    pub(super) fn new(p: &P, from: f64, y: &P::Point) -> Self {
        let quantities = p.invariants();
        let values: Vec<f64> = quantities.iter().map(|q| (q.eval)(p, y)).collect();
        let lines = values.iter().map(|v| Line { initial: *v, ..Line::default() }).collect();
        Self { quantities, lines, values, from, manifold_error: p.manifold_error(y) }
    }

    /// Takes in the state after an accepted step.
    pub(super) fn see(&mut self, p: &P, t: f64, y: &P::Point) {
        for ((quantity, line), value) in
            self.quantities.iter().zip(&mut self.lines).zip(&mut self.values)
        {
            *value = (quantity.eval)(p, y);
            line.add(t - self.from, *value);
        }
        let distance = p.manifold_error(y);
        self.manifold_error = larger(self.manifold_error, distance);
    }

    /// Their values at the last state seen.
    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    pub(super) fn names(&self) -> Vec<&'static str> {
        self.quantities.iter().map(|q| q.name).collect()
    }

    pub(super) fn manifold_error(&self) -> f64 {
        self.manifold_error
    }

    pub(super) fn records(&self) -> Vec<InvariantRecord> {
        let both = self.quantities.iter().zip(&self.lines).zip(&self.values);
        both.map(|((quantity, line), last)| InvariantRecord {
            name: quantity.name,
            initial: line.initial,
            last: *last,
            max_error: line.max_error,
            slope: line.slope(),
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_of_a_line_is_found_through_a_large_offset() {
        let mut line = Line { initial: 1e6, ..Line::default() };
        for n in 1..=1000 {
            let t = 0.01 * f64::from(n);
            line.add(t, 1e6 + 3.0 * t + if n % 2 == 0 { 0.5 } else { -0.5 });
        }
        assert!((line.slope() - 3.0).abs() < 1e-3, "{}", line.slope());
        assert!((line.max_error - 30.5).abs() < 1e-6);
    }

    #[test]
    fn a_value_that_is_not_a_number_shows() {
        let mut line = Line::default();
        line.add(1.0, 2.0);
        line.add(2.0, f64::NAN);
        line.add(3.0, 1.0);
        assert!(line.max_error.is_nan());
    }
}
