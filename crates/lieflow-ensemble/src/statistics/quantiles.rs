//! Quantiles of a stream of numbers in constant memory.
//!
//! A stack of buffers. Numbers enter the lowest; a full buffer is sorted, and every second number
//! of it, of the even and the odd ones in turn, moves up one level, where each number stands for
//! twice as many. Nothing is random: the same stream gives the same answer. Exact up to
//! [`CAPACITY`] numbers; each halving of a buffer at level `l` shifts a rank by at most `2^l`, and
//! in turn up and down, so that after `n` numbers the rank error is below
//! `n log2(n/CAPACITY)/(2 CAPACITY)` and, as ups and downs cancel, far smaller: below 0.1 % of `n`
//! for a million numbers in our tests. After Munro and Paterson 1980, and Manku, Rajagopalan and
//! Lindsay 1998.

use super::sort::{merge, sort};

/// The numbers that a buffer holds.
pub const CAPACITY: usize = 2048;

/// A summary of the numbers so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quantiles {
    levels: Vec<Level>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Level {
    /// The [`key`]s of the numbers; above the lowest level up to two sorted lists, one after the
    /// other.
    keys: Vec<i64>,
    /// Whether the next halving keeps the odd ones.
    odd: bool,
}

/// A number as an integer, in the order of [`f64::total_cmp`]. Integers are sorted twice as fast.
#[inline]
pub(super) fn key(x: f64) -> i64 {
    turned(x.to_bits() as i64)
}

/// The number of a key.
#[inline(always)]
pub(super) fn number(key: i64) -> f64 {
    f64::from_bits(turned(key) as u64)
}

/// Reverses the order of the negative ones; its own inverse.
#[inline(always)]
fn turned(bits: i64) -> i64 {
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

impl Quantiles {
    /// Adds numbers.
    #[inline]
    pub fn push(&mut self, mut numbers: &[f64]) {
        if self.levels.is_empty() {
            self.levels.push(Level::default());
        }
        while !numbers.is_empty() {
            let keys = &mut self.levels[0].keys;
            let (now, later) = numbers.split_at(numbers.len().min(CAPACITY - keys.len()));
            keys.extend(now.iter().map(|x| key(*x)));
            if keys.len() >= CAPACITY {
                self.lift(0);
            }
            numbers = later;
        }
    }

    /// Halves a full level into the next.
    fn lift(&mut self, at: usize) {
        if self.levels.len() == at + 1 {
            self.levels.push(Level::default());
        }
        let (here, above) = self.levels.split_at_mut(at + 1);
        let (here, above) = (&mut here[at], &mut above[0]);
        if at == 0 {
            sort(&mut here.keys);
        } else {
            merge(&mut here.keys);
        }
        let first = usize::from(here.odd);
        here.odd = !here.odd;
        above.keys.extend(here.keys.as_chunks::<2>().0.iter().map(|pair| pair[first & 1]));
        here.keys.clear();
        if above.keys.len() >= CAPACITY {
            self.lift(at + 1);
        }
    }

    /// The quantiles at these fractions: the smallest number such that at least this fraction of
    /// the numbers is not above it. Not a number if there was none.
    pub fn at(&self, fractions: &[f64]) -> Vec<f64> {
        let mut weighted: Vec<(f64, u64)> = Vec::new();
        for (k, level) in self.levels.iter().enumerate() {
            weighted.extend(level.keys.iter().map(|key| (number(*key), 1u64 << k)));
        }
        weighted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let total: u64 = weighted.iter().map(|(_, w)| w).sum();
        let find = |q: &f64| {
            let rank = (q * total as f64).ceil().max(1.0);
            let mut seen = 0;
            let found = weighted.iter().find(|(_, w)| {
                seen += w;
                seen as f64 >= rank
            });
            found.or(weighted.last()).map_or(f64::NAN, |(x, _)| *x)
        };
        fractions.iter().map(find).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::philox::Stream;

    #[test]
    fn exact_while_few() {
        let mut q = Quantiles::default();
        (0..101).rev().for_each(|k| q.push(&[f64::from(k)]));
        assert_eq!(q.at(&[0.0, 0.01, 0.5, 1.0]), [0.0, 1.0, 50.0, 100.0]);
        assert!(Quantiles::default().at(&[0.5])[0].is_nan());
    }

    /// Ranks of random, growing and falling streams.
    #[test]
    fn ranks_are_right() {
        let n = 1_000_000;
        let random = |k: u64| Stream::new(3, k, 1).uniform(0);
        let growing = |k: u64| (k as f64 + 0.5) / n as f64;
        let falling = |k: u64| (n - k) as f64 / n as f64;
        let fractions = [0.001, 0.05, 0.25, 0.5, 0.75, 0.95, 0.999];
        for (name, f, slack) in [
            // The sample itself strays by 5e-4 (one standard error at the median).
            ("random", &random as &dyn Fn(u64) -> f64, 2.5e-3),
            ("growing", &growing, 1e-3),
            ("falling", &falling, 1e-3),
        ] {
            let mut q = Quantiles::default();
            (0..n).for_each(|k| q.push(&[f(k)]));
            for (p, x) in fractions.iter().zip(q.at(&fractions)) {
                assert!((p - x).abs() < slack, "{name}: quantile {p} is {x}");
            }
            let kept: usize = q.levels.iter().map(|level| level.keys.len()).sum();
            assert!(kept < 16 * CAPACITY, "{kept} numbers kept");
        }
    }
}
