//! Quantiles of a stream of numbers in constant memory.
//!
//! A stack of buffers. Numbers enter the lowest; a full buffer is sorted, and every second number
//! of it, of the even and the odd ones in turn, moves up one level, where each number stands for
//! twice as many. Each halving of a buffer at level `l` shifts a rank by at most `2^l`, and
//! in turn up and down, so that after `m` numbers the rank error is below
//! `m log2(m/CAPACITY)/(2 CAPACITY)` and, as ups and downs cancel, far smaller. After Munro and Paterson 1980, and Manku,
//! Rajagopalan and Lindsay 1998.
//!
//! Of a stream that has become [long](LONG) most numbers are only [counted](Places), which takes a fifth of the time. The
//! stack then has the first ones and those that were not counted: with `m` of `n` numbers in the stack, the rank error is
//! below `n/SHARE + m log2(m/CAPACITY)/(2 CAPACITY)`. Where half of them are not counted, the stack gets all that follow. Nothing is random, and what is done with a number depends on those before
//! it alone: the same stream gives the same answer.

use super::places::{Places, SHARE};
use super::sort::{merge, sort};

/// The numbers that a buffer holds.
pub const CAPACITY: usize = 2048;

/// So many numbers tell how the others are spread. The levels below the highest are empty then.
pub const LONG: u64 = 2 * CAPACITY as u64;

/// A summary of the numbers so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quantiles {
    levels: Vec<Level>,
    /// How many numbers there were.
    seen: u64,
    /// Those that are counted, once there were many.
    places: Option<Box<Places>>,
    /// Whether none are counted any more.
    given_up: bool,
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
    pub fn push(&mut self, mut numbers: &[f64]) {
        while !numbers.is_empty() {
            // What a place may hold grows with every so many.
            let now = numbers.len().min((SHARE - self.seen % SHARE) as usize);
            let (now, later) = numbers.split_at(now);
            match &mut self.places {
                Some(places) if !self.given_up => {
                    let levels = &mut self.levels;
                    places.count(now, self.seen, |left| stack(levels, left));
                }
                _ => stack(&mut self.levels, now),
            }
            self.seen += now.len() as u64;
            if self.seen.is_power_of_two() && self.seen >= LONG {
                self.learn();
            }
            numbers = later;
        }
    }

    /// Begins to count, or looks whether that is worth while: a stream may drift away from what was known of it, or have
    /// numbers of all sizes.
    fn learn(&mut self) {
        match &mut self.places {
            Some(places) => {
                self.given_up |= std::mem::take(&mut places.left) > self.seen / 4;
            }
            None => self.places = Some(Places::new(&self.weighted())),
        }
    }

    /// All numbers that are kept, and how many each stands for.
    fn weighted(&self) -> Vec<(f64, u64)> {
        let mut weighted: Vec<(f64, u64)> = Vec::new();
        for (k, level) in self.levels.iter().enumerate() {
            weighted.extend(level.keys.iter().map(|key| (number(*key), 1u64 << k)));
        }
        weighted.extend(self.places.iter().flat_map(|places| places.all()));
        weighted
    }

    /// The quantiles at these fractions: the smallest number such that at least this fraction of
    /// the numbers is not above it. Not a number if there was none.
    pub fn at(&self, fractions: &[f64]) -> Vec<f64> {
        let mut weighted = self.weighted();
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

/// Puts numbers on the stack.
fn stack(levels: &mut Vec<Level>, mut numbers: &[f64]) {
    if levels.is_empty() {
        levels.push(Level::default());
    }
    while !numbers.is_empty() {
        let keys = &mut levels[0].keys;
        let (now, later) = numbers.split_at(numbers.len().min(CAPACITY - keys.len()));
        keys.extend(now.iter().map(|x| key(*x)));
        if keys.len() >= CAPACITY {
            lift(levels, 0);
        }
        numbers = later;
    }
}

/// Halves a full level into the next.
fn lift(levels: &mut Vec<Level>, at: usize) {
    if levels.len() == at + 1 {
        levels.push(Level::default());
    }
    let (here, above) = levels.split_at_mut(at + 1);
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
        lift(levels, at + 1);
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

    /// The largest difference between a rank that is asked for and one that an answer has among these numbers, which are
    /// sorted.
    fn largest_error(sorted: &[f64], fractions: &[f64], answers: &[f64]) -> f64 {
        let n = sorted.len() as f64;
        let error = |(q, x): (&f64, &f64)| {
            let rank = (q * n).ceil().max(1.0);
            let below = sorted.partition_point(|y| y.total_cmp(x).is_lt()) as f64;
            let upto = sorted.partition_point(|y| y.total_cmp(x).is_le()) as f64;
            (rank - upto).max(below + 1.0 - rank).max(0.0)
        };
        fractions.iter().zip(answers).map(error).fold(0.0, f64::max)
    }

    /// What is promised, for numbers of all kinds and in every order: even, in crowds, with twins, with tails, of two sizes,
    /// that drift, that are none; and for a stream in pieces of any length the very same.
    #[test]
    fn ranks_are_right() {
        const N: usize = 400_000;
        let shapes: [(&str, fn([f64; 2], f64) -> f64); 15] = [
            ("even", |[u, _], _| 20.0 + 40.0 * u),
            ("at its ends", |[u, _], _| (std::f64::consts::TAU * u).sin()),
            ("with tails", |[u, v], _| (-2.0 * u.ln()).sqrt() * (6.0 * v).cos()),
            ("with long tails", |[u, _], _| (std::f64::consts::PI * (u - 0.5)).tan()),
            ("of all sizes", |[u, v], _| (9.0 * (u + v - 1.0)).exp().powi(9)),
            ("growing", |_, t| t),
            ("falling", |_, t| -t),
            ("to and fro", |[u, _], t| (60.0 * t).sin() + 0.1 * u),
            ("suddenly elsewhere", |[u, _], t| if t < 0.1 { u } else { u - 0.9 }),
            ("all equal", |_, _| 3.0),
            ("few values", |[u, v], _| ((u + v - 1.0) * 24.0).round() * 3.5e-15),
            ("twins", |[u, _], _| (512.0 * u).floor()),
            ("half of them zero", |[u, v], _| if u < 0.5 { 0.0 } else { v - 0.5 }),
            ("of two sizes", |[u, v], _| if u < 0.5 { v } else { 1e-6 * v }),
            ("not finite", |[u, v], _| match u {
                u if u < 0.1 => f64::NAN,
                u if u < 0.2 => f64::INFINITY,
                _ => v,
            }),
        ];
        let fractions: Vec<f64> = (0..=1000).map(|k| f64::from(k) / 1000.0).collect();
        let draws: Vec<[f64; 2]> =
            (0..N as u64).map(|k| Stream::new(3, k, 1).uniforms(0)).collect();
        for (name, shape) in shapes {
            let time = |k: usize| (k as f64 + 0.5) / N as f64;
            let mut numbers: Vec<f64> =
                draws.iter().enumerate().map(|(k, draw)| shape(*draw, time(k))).collect();
            let (mut whole, mut pieces) = (Quantiles::default(), Quantiles::default());
            whole.push(&numbers);
            let (mut rest, mut length) = (&numbers[..], 1);
            while !rest.is_empty() {
                let (now, later) = rest.split_at(length.min(rest.len()));
                pieces.push(now);
                (rest, length) = (later, (length * 5 + 1) % 700);
            }
            // Not a number is not equal to itself.
            let bits = |q: &Quantiles| -> Vec<(u64, u64)> {
                q.weighted().iter().map(|(x, n)| (x.to_bits(), *n)).collect()
            };
            assert!(bits(&whole) == bits(&pieces), "{name}");
            let sum = |levels: &[Level]| -> usize {
                levels.iter().enumerate().map(|(k, level)| level.keys.len() << k).sum()
            };
            let m = sum(&whole.levels) as f64;
            let capacity = CAPACITY as f64;
            let stack = m * (m / capacity).log2().max(0.0) / (2.0 * capacity);
            let promised = N as f64 / SHARE as f64 + stack;
            numbers.sort_by(f64::total_cmp);
            let error = largest_error(&numbers, &fractions, &whole.at(&fractions));
            assert!(error <= promised.min(1e-3 * N as f64), "{name}: {error} ranks of {promised}");
            let kept: usize = whole.levels.iter().map(|level| level.keys.len()).sum();
            assert!(kept < 16 * CAPACITY, "{kept} numbers kept");
        }
    }

    /// What is kept does not tell whether equal numbers came together or one by one.
    #[test]
    fn equal_numbers_together() {
        let mut together = Quantiles::default();
        // None near three.
        let spread = (0..8192).map(|k| Stream::new(3, k, 1).uniform(0));
        spread.for_each(|u| together.push(&[u, 9.0 + u]));
        together.push(&[3.0]);
        let mut singly = together.clone();
        together.push(&[3.0; 500]);
        (0..500).for_each(|_| singly.push(&[3.0]));
        for q in [&mut together, &mut singly] {
            (0..20).for_each(|k| q.push(&[3.0 + 1e-9 * f64::from(k)]));
        }
        assert!(together == singly);
        let threes = together.weighted().into_iter().filter(|(x, _)| *x == 3.0);
        assert_eq!(threes.map(|(_, count)| count).sum::<u64>(), 502);
    }

    /// The numbers that are counted are most of those that are spread.
    #[test]
    fn most_are_counted() {
        let mut q = Quantiles::default();
        (0..300_000).for_each(|k| q.push(&[Stream::new(3, k, 1).uniform(0)]));
        let counted: u64 = q.places.iter().flat_map(|places| places.all()).map(|(_, n)| n).sum();
        assert!(counted > 280_000, "{counted}");
    }
}
