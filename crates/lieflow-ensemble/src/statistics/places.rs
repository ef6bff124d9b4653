//! Counts the numbers of a long stream by where they lie.
//!
//! What has come of a stream tells how its numbers are spread. Their range is cut into parts of equal length, and each part
//! into as many places as it had numbers, so that all places are hit about equally often. From then on a number is put
//! into its place by a product, and is counted there beside the first that came: no number is sorted, and none is moved.
//!
//! A place holds a [`SHARE`] of the stream at most, and so the rank of the number that stands for it is as exact as that.
//! What finds its place full is counted if it equals that number, which costs no exactness, and is
//! [left](Places::count) otherwise, as is what lies outside the range.
use lieflow::kernel::wide::{VectorWork, Vectors, run_with_more_registers};

/// A place holds at most one of so many numbers of the stream.
pub const SHARE: u64 = 2048;

/// The parts of the range, so many that a byte tells one of them, or that a number lies outside.
const PARTS: usize = u8::MAX as usize;

/// The places: as many again as hold a whole stream, since what is to come is known roughly.
const PLACES: usize = 4096;

/// Binary digits of where a number lies in its part.
const DIGITS: u32 = 12;

/// The values of where a number lies in the range.
const VALUES: usize = PARTS << DIGITS;

/// Adding this leaves a small number, rounded to a whole one, in the last digits of the sum.
const WHOLE: f64 = (1u64 << 52) as f64;

/// So many can be counted in a place; what more it holds stands elsewhere.
const MOST: u64 = u16::MAX as u64;

/// So many numbers are looked at together.
const TOGETHER: usize = u64::BITS as usize;

/// Fewer are not worth it.
const FEW: usize = 16;

/// The bytes that counts take at most.
pub const BYTES: u64 = (size_of::<Places>() + PLACES * size_of::<More>()) as u64;

/// The counts of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Places {
    /// Where the range begins, and what its numbers are multiplied by.
    low: f64,
    scale: f64,
    /// The parts, and what lies outside.
    parts: [Part; PARTS + 1],
    /// How many numbers a place holds. The one after the last is outside and stays empty; more only so that no index has to be
    /// looked at.
    held: [u16; 2 * PLACES],
    /// The first number of each place.
    numbers: [f64; PLACES],
    /// What more has come to a place; for none before it has for one.
    more: Vec<More>,
    /// How many numbers were left.
    pub left: u64,
}

/// A part of the range.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Part {
    /// Its first place, with the digits of a place inside a part.
    first: u32,
    /// How many places it has.
    places: u32,
}

/// What more has come to a place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct More {
    /// Numbers that it holds beside those that can be counted there.
    held: u64,
    /// Numbers that equal its first one.
    equal: u64,
}

impl Places {
    /// Places for a stream of which these numbers are known, each with so many that it stands for.
    pub fn new(known: &[(f64, u64)]) -> Box<Self> {
        let finite = || known.iter().filter(|(x, _)| x.is_finite());
        let low = finite().fold(f64::INFINITY, |low, (x, _)| low.min(*x));
        let high = finite().fold(f64::NEG_INFINITY, |high, (x, _)| high.max(*x));
        let scale = (VALUES - 1) as f64 / (high - low);
        // All in one place, if all are equal, or their range is too small or too large.
        let scale = if scale.is_finite() { scale } else { 0.0 };
        let outside = Part { first: (PLACES as u32) << DIGITS, places: 0 };
        let mut all = Box::new(Self {
            low,
            scale,
            parts: [outside; PARTS + 1],
            held: [0; 2 * PLACES],
            numbers: [0.0; PLACES],
            more: Vec::new(),
            left: 0,
        });
        let mut weights = [0; PARTS + 1];
        for (x, weight) in known {
            weights[usize::from(split(all.value(*x)).0)] += weight;
        }
        let total = known.iter().map(|(_, weight)| weight).sum::<u64>().max(1);
        let mut first = 0;
        for (part, weight) in all.parts.iter_mut().zip(&weights[..PARTS]) {
            // Never none: something may come where nothing has.
            let places = 1 + ((PLACES - PARTS) as u64 * weight / total) as u32;
            *part = Part { first: first << DIGITS, places };
            first += places;
        }
        all
    }

    /// Where a number lies in the range; beyond all values, if it does not.
    #[inline(always)]
    fn value(&self, x: f64) -> u32 {
        let value = (x - self.low) * self.scale;
        let inside = value >= 0.0 && value < VALUES as f64 - 0.5;
        let value = if inside { value } else { VALUES as f64 };
        (value + WHOLE).to_bits() as u32
    }

    /// The place of a number in this part.
    #[inline(always)]
    fn place(&self, (part, inside): (u8, u16)) -> usize {
        let Part { first, places } = self.parts[usize::from(part)];
        ((first + u32::from(inside) * places) >> DIGITS) as usize % (2 * PLACES)
    }

    /// Counts numbers, and hands over those that it leaves. None of them may be the number `SHARE · k` of its stream for a
    /// whole `k`, but the first; `seen` is how many there were before.
    pub fn count(&mut self, numbers: &[f64], seen: u64, mut leave: impl FnMut(&[f64])) {
        let room = seen / SHARE;
        if numbers.len() < FEW {
            for x in numbers {
                let place = self.place(split(self.value(*x)));
                if !self.enter(place, *x, room) {
                    self.left += 1;
                    leave(&[*x]);
                }
            }
            return;
        }
        run_with_more_registers::<f64, _>(Count { all: self, numbers, room, leave: &mut leave });
    }

    /// Counts a number in its place, of which there may be so many, if it can.
    #[inline(always)]
    fn enter(&mut self, place: usize, x: f64, room: u64) -> bool {
        let held = &mut self.held[place];
        // Neither empty nor full.
        if held.wrapping_sub(1) < room.min(MOST) as u16 - 1 {
            *held += 1;
            return true;
        }
        place < PLACES && self.look(place, x, room)
    }

    /// Counts a number whose place is empty or full, if it can.
    #[inline(always)]
    fn look(&mut self, place: usize, x: f64, room: u64) -> bool {
        let Some(number) = self.numbers.get_mut(place) else { return false };
        let held = &mut self.held[place];
        if *held == 0 {
            (*held, *number) = (1, x);
            return true;
        }
        let equal = number.to_bits() == x.to_bits();
        if !equal && room <= MOST {
            return false;
        }
        let counted = u64::from(*held);
        let more = self.more(place);
        if equal {
            more.equal += 1;
            return true;
        }
        let all = more.held + counted + 1;
        if all > room {
            return false;
        }
        // As many may still come.
        let counted = MOST.saturating_sub(room - all).max(1);
        more.held = all - counted;
        self.held[place] = counted as u16;
        true
    }

    #[inline(always)]
    fn more(&mut self, place: usize) -> &mut More {
        if self.more.is_empty() {
            self.begin_more();
        }
        &mut self.more[place]
    }

    #[cold]
    #[inline(never)]
    fn begin_more(&mut self) {
        self.more.resize(PLACES, More::default());
    }

    /// Counts numbers that are all the same as the first one of their place, with the same result as one by one.
    #[inline(always)]
    fn count_same(&mut self, numbers: &[f64], room: u64) -> bool {
        let (Some(x), Some(last)) = (numbers.first(), numbers.last()) else { return true };
        if x.to_bits() != last.to_bits() {
            return false;
        }
        let place = self.place(split(self.value(*x)));
        let known = self.held[place] > 0
            && self.numbers.get(place).is_some_and(|y| x.to_bits() == y.to_bits());
        let same = known && numbers.iter().all(|y| y.to_bits() == x.to_bits());
        if same {
            let held = u64::from(self.held[place]);
            let count = numbers.len() as u64;
            let free = room.min(MOST).saturating_sub(held).min(count);
            self.held[place] = (held + free) as u16;
            if count > free {
                self.more(place).equal += count - free;
            }
        }
        same
    }

    /// The numbers that stand for places, and for how many each.
    pub fn all(&self) -> impl Iterator<Item = (f64, u64)> {
        let more = |place: usize| self.more.get(place).map_or(0, |more| more.held + more.equal);
        let all = self.numbers.iter().zip(&self.held).enumerate();
        all.filter(|(_, (_, held))| **held > 0)
            .map(move |(place, (x, held))| (*x, u64::from(*held) + more(place)))
    }
}

/// The part, and where in it.
#[inline(always)]
fn split(value: u32) -> (u8, u16) {
    ((value >> DIGITS) as u8, (value & ((1 << DIGITS) - 1)) as u16)
}

struct Count<'a> {
    all: &'a mut Places,
    numbers: &'a [f64],
    /// What a place may hold.
    room: u64,
    leave: &'a mut dyn FnMut(&[f64]),
}

impl VectorWork for Count<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self) {
        let Self { all, numbers, room, leave } = self;
        if all.count_same(numbers, room) {
            return;
        }
        for numbers in numbers.chunks(TOGETHER) {
            let (mut parts, mut insides) = ([0; TOGETHER], [0; TOGETHER]);
            for ((part, inside), x) in parts.iter_mut().zip(&mut insides).zip(numbers) {
                (*part, *inside) = split(all.value(*x));
            }
            // A bit for each.
            let mut left = 0u64;
            for (k, ((part, inside), x)) in parts.iter().zip(&insides).zip(numbers).enumerate() {
                let place = all.place((*part, *inside));
                if !all.enter(place, *x, room) {
                    left |= 1 << k;
                }
            }
            if left != 0 {
                all.left += u64::from(left.count_ones());
                hand_over(numbers, left, leave);
            }
        }
    }
}

/// The numbers of these bits.
#[inline(never)]
fn hand_over(numbers: &[f64], mut bits: u64, leave: &mut dyn FnMut(&[f64])) {
    let (mut all, mut count) = ([0.0; TOGETHER], 0);
    while bits != 0 {
        let k = bits.trailing_zeros() as usize;
        if let (Some(to), Some(x)) = (all.get_mut(count), numbers.get(k)) {
            *to = *x;
            count += 1;
        }
        bits &= bits - 1;
    }
    leave(&all[..count]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many as there were, and places as full as they may be, far beyond what can be counted in one.
    #[test]
    fn full_places() {
        let known: Vec<(f64, u64)> = (0..8192).map(|k| (f64::from(k), 1)).collect();
        let mut all = Places::new(&known);
        // Two numbers in one place, and one that is nowhere.
        let (a, b, c) = (100.0, 100.01, 1e9);
        let mut left = Vec::new();
        let mut seen = 200_000 * SHARE;
        let mut feed = |all: &mut Places, numbers: &[f64]| {
            all.count(numbers, seen, |numbers| left.extend_from_slice(numbers));
            seen += numbers.len() as u64;
        };
        feed(&mut all, &[a, c]);
        for _ in 0..150 {
            feed(&mut all, &[b; 2000]);
        }
        feed(&mut all, &[a; 30]);
        feed(&mut all, &[a, c, f64::NAN, -f64::INFINITY]);
        let held: Vec<_> = all.all().collect();
        assert_eq!((held.len(), held[0].0), (1, a));
        let others = left.iter().filter(|x| **x == b).count() as u64;
        assert_eq!(held[0].1 + others, 1 + 300_000 + 31);
        assert!((199_999..=200_200).contains(&(300_000 - others)), "{others} left");
        assert_eq!(left.iter().filter(|x| **x == c || !x.is_finite()).count(), 4);
    }

    /// Ranges that are none, or too large to be cut.
    #[test]
    fn odd_ranges() {
        for (known, x) in [
            (vec![(3.0, 8192)], 3.0),
            (vec![(f64::NAN, 1), (f64::INFINITY, 1)], 1.0),
            (vec![(-f64::MAX, 1), (f64::MAX, 1)], 0.5),
            (vec![(5e-324, 1), (1e-323, 1)], 5e-324),
        ] {
            let (mut all, mut left) = (Places::new(&known), 0);
            for _ in 0..3 {
                all.count(&[x; 100], 4 * SHARE, |numbers| left += numbers.len() as u64);
            }
            let held: u64 = all.all().map(|(_, n)| n).sum();
            assert_eq!(held + left, 300, "{known:?}");
        }
    }
}
