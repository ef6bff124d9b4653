//! Sorts the numbers of a full buffer.
//!
//! Most observables are spread over their range so evenly that the place of a number between the smallest and the
//! largest tells where it belongs: two passes over the twenty leading digits of that place leave few neighbours to be
//! exchanged, in about half the time of comparisons. Where many numbers crowd together, they are compared.
use super::quantiles::{CAPACITY, number};
use lieflow::kernel::wide::{VectorWork, Vectors, run_vectorised};

/// The values of a digit: two of them tell a place.
const VALUES: usize = 1 << 10;

/// So many numbers with the same leading digit are a crowd.
const CROWD: u16 = 64;

/// Adding this leaves a small number, rounded to a whole one, in the last digits of the sum.
const WHOLE: f64 = (1u64 << 52) as f64;

/// Sorts keys of numbers, in the order of the keys.
pub fn sort(keys: &mut [i64]) {
    let sorted = <&mut [i64; CAPACITY]>::try_from(&mut *keys)
        .is_ok_and(|keys| run_vectorised::<f64, _>(ByPlaces(keys)));
    if !sorted {
        keys.sort_unstable();
    }
}

/// Sorts two sorted lists of the same length that follow each other.
///
/// The smaller half is merged from their beginnings and the larger half from their ends, in turn: neither waits for the
/// other, and no list can come to its end, so that nothing has to be guessed.
pub fn merge(keys: &mut [i64]) {
    const HALF: usize = CAPACITY / 2;
    let Ok(all) = <&mut [i64; CAPACITY]>::try_from(&mut *keys) else {
        return keys.sort();
    };
    let lists = *all;
    let (mut i, mut j) = (0, HALF);
    let (mut k, mut l) = (HALF - 1, CAPACITY - 1);
    for place in 0..HALF {
        let (a, b) = (lists[i % CAPACITY], lists[j % CAPACITY]);
        let first = a <= b;
        all[place] = if first { a } else { b };
        i += usize::from(first);
        j += usize::from(!first);
        let (a, b) = (lists[k % CAPACITY], lists[l % CAPACITY]);
        let last = b >= a;
        all[CAPACITY - 1 - place] = if last { b } else { a };
        l = l.wrapping_sub(usize::from(last));
        k = k.wrapping_sub(usize::from(!last));
    }
}

struct ByPlaces<'a>(&'a mut [i64; CAPACITY]);

impl VectorWork for ByPlaces<'_> {
    type Output = bool;
    #[inline(always)]
    fn run<V: Vectors>(self) -> bool {
        by_places(self.0)
    }
}

/// Sorts, unless numbers are not finite or crowd together; their order has not changed then.
#[inline(always)]
fn by_places(keys: &mut [i64; CAPACITY]) -> bool {
    let (mut low, mut high) = (keys[0], keys[0]);
    for key in keys.iter() {
        (low, high) = (low.min(*key), high.max(*key));
    }
    let (smallest, largest) = (number(low), number(high));
    let scale = (VALUES * VALUES - 1) as f64 / (largest - smallest);
    // Neither if all are equal or one is not finite, nor where the difference is too large or too small.
    if !(scale.is_finite() && scale > 0.0) {
        return false;
    }
    let mut places = [0u32; CAPACITY];
    for (place, key) in places.iter_mut().zip(keys.iter()) {
        *place = ((number(*key) - smallest) * scale + WHOLE).to_bits() as u32;
    }
    let (mut last, mut leading) = ([0u16; VALUES], [0u16; VALUES]);
    for place in &places {
        last[low_digit(*place)] += 1;
        leading[high_digit(*place)] += 1;
    }
    if leading.iter().any(|count| *count > CROWD) {
        return false;
    }
    count_up(&mut last);
    count_up(&mut leading);
    let (mut between, mut digits) = ([0i64; CAPACITY], [0u16; CAPACITY]);
    for (key, place) in keys.iter().zip(&places) {
        let to = next(&mut last[low_digit(*place)]);
        between[to] = *key;
        digits[to] = high_digit(*place) as u16;
    }
    for (key, digit) in between.iter().zip(&digits) {
        keys[next(&mut leading[usize::from(*digit) % VALUES])] = *key;
    }
    exchange_neighbours(keys);
    true
}

#[inline(always)]
fn low_digit(place: u32) -> usize {
    place as usize % VALUES
}

#[inline(always)]
fn high_digit(place: u32) -> usize {
    place as usize / VALUES % VALUES
}

/// From how many there are of each to where the first of each belongs.
#[inline(always)]
fn count_up(counts: &mut [u16; VALUES]) {
    let mut before = 0;
    for count in counts {
        let here = *count;
        *count = before;
        before += here;
    }
}

/// The next free place.
#[inline(always)]
fn next(place: &mut u16) -> usize {
    let here = usize::from(*place) % CAPACITY;
    *place += 1;
    here
}

/// Sorts a list in which few numbers are far from where they belong.
#[inline(always)]
fn exchange_neighbours(keys: &mut [i64; CAPACITY]) {
    for i in 1..CAPACITY {
        let key = keys[i];
        let mut to = i;
        while to > 0 && keys[to - 1] > key {
            keys[to] = keys[to - 1];
            to -= 1;
        }
        keys[to] = key;
    }
}

#[cfg(test)]
mod tests {
    use super::super::quantiles::key;
    use super::*;
    use crate::philox::Stream;

    /// Two lists: alike, one after the other, with twins, and of another length.
    #[test]
    fn merged() {
        let number = |k: usize| Stream::new(9, k as u64, 1).uniform(0);
        let shapes: [fn(usize, f64) -> f64; 5] = [
            |_, u| u - 0.5,
            |k, u| u + (k / 1024) as f64,
            |k, u| u - (k / 1024) as f64,
            |_, u| (u * 20.0).floor(),
            |_, _| 3.0,
        ];
        for (n, shape) in shapes.iter().enumerate() {
            for length in [CAPACITY, 30] {
                let mut keys: Vec<i64> = (0..length).map(|k| key(shape(k, number(k)))).collect();
                let mut expected = keys.clone();
                expected.sort_unstable();
                keys.chunks_mut(length / 2).for_each(<[i64]>::sort_unstable);
                merge(&mut keys);
                assert_eq!(keys, expected, "{n} {length}");
            }
        }
    }

    /// Spread out, in crowds, with twins, signed zeros, numbers that are not finite, and at the ends of the range.
    #[test]
    fn as_comparisons_do() {
        let shapes: [(&str, fn(f64) -> f64, bool); 12] = [
            ("even", |u| 20.0 + 40.0 * u, true),
            ("signed", |u| 2.0 * u - 1.0, true),
            ("with long tails", |u| (u / (1.0 - u)).ln(), true),
            ("at its ends", |u| (std::f64::consts::TAU * u).sin(), true),
            (
                "zeros with signs",
                |u| {
                    if u < 0.01 {
                        -0.0
                    } else if u < 0.02 {
                        0.0
                    } else {
                        u - 0.5
                    }
                },
                true,
            ),
            ("twins", |u| (512.0 * u).floor(), true),
            ("few values", |u| ((16.0 * u).floor() - 8.0) * 3.5e-15, false),
            ("a crowd", |u| if u < 1e-3 { 0.0 } else { 1.0 + 1e-12 * u }, false),
            ("all equal", |_| 3.0, false),
            ("huge", |u| (u - 0.5) * f64::MAX * 2.0, false),
            ("tiny", |u| u * 1e-310, false),
            (
                "not finite",
                |u| {
                    if u < 0.01 {
                        f64::NAN
                    } else if u < 0.02 {
                        f64::INFINITY
                    } else {
                        u
                    }
                },
                false,
            ),
        ];
        for (name, shape, spread) in shapes {
            let mut keys: [i64; CAPACITY] =
                std::array::from_fn(|k| key(shape(Stream::new(5, k as u64, 1).uniform(0))));
            let mut expected = keys;
            expected.sort_unstable();
            let mut by = keys;
            assert_eq!(by_places(&mut by), spread, "{name}");
            assert!(!spread || by == expected, "{name}");
            sort(&mut keys);
            assert_eq!(keys, expected, "{name}");
        }
        let mut few = [3, 1, 2];
        sort(&mut few);
        assert_eq!(few, [1, 2, 3]);
    }
}
