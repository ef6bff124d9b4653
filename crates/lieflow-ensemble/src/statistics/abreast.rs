//! The moments of many streams at once, in registers.
//!
//! Every lane of a register is a stream, so that each has the bits of a stream alone. Numbers that are not finite are fed
//! one by one: comparisons with them are false.
use super::Moments;
use lieflow::kernel::wide::{VectorWork, Vectors, run_with_more_registers};
use lieflow::kernel::{Mask, Real};
use std::array::from_fn;

/// The streams of a register.
pub const WIDTH: usize = 4;

/// Some numbers of as many streams.
type Few = [f64; WIDTH];

/// The moments of streams that have equally many numbers, in `N` registers: number by number. Each mean depends on the one
/// before, and the latency of one stream is hidden behind the others.
pub struct Abreast<const N: usize> {
    count: u64,
    min: [Few; N],
    max: [Few; N],
    mean: [Few; N],
    squares: [Few; N],
}

impl<const N: usize> Abreast<N> {
    /// These streams, the last one several times if they are fewer; nothing if one has more numbers than another.
    pub fn new(all: &[Moments]) -> Option<Self> {
        let (first, last) = (all.first()?, all.last()?);
        let of = |get: fn(&Moments) -> f64| {
            from_fn(|n| from_fn(|k| get(all.get(n * WIDTH + k).unwrap_or(last))))
        };
        all.iter().all(|m| m.count == first.count).then(|| Self {
            count: first.count,
            min: of(|m| m.min),
            max: of(|m| m.max),
            mean: of(|m| m.mean),
            squares: of(|m| m.squares),
        })
    }

    /// Adds numbers, equally many to each stream, in the widest registers that there are. The `next` ones are asked for
    /// meanwhile: another core has written them, and this one does not wait until they have come.
    pub fn feed(&mut self, numbers: Lists<'_, N>, next: Lists<'_, N>) {
        run_with_more_registers::<f64, _>(Feed { all: self, numbers, next });
    }

    /// [`Moments::push`] of a finite number for every stream of register `n`, whose extremes are finite.
    #[inline(always)]
    fn push<P: Real>([min, max, mean, squares]: &mut [[P; N]; 4], n: usize, x: P, count: P) {
        let before = x - mean[n];
        mean[n] += before / count;
        squares[n] += before * (x - mean[n]);
        min[n] = P::select(x.lt(min[n]), x, min[n]);
        max[n] = P::select(max[n].lt(x), x, max[n]);
    }

    /// [`Moments::push`] for every stream, one after the other.
    fn push_singly(&mut self, numbers: &Lists<'_, N>, place: usize) {
        let count = self.count;
        for (n, lists) in numbers.iter().enumerate() {
            for (k, list) in lists.iter().enumerate() {
                let mut stream = Moments { count, ..self.stream(n * WIDTH + k) };
                stream.push(list[place]);
                (self.min[n][k], self.max[n][k]) = (stream.min, stream.max);
                (self.mean[n][k], self.squares[n][k]) = (stream.mean, stream.squares);
            }
        }
        self.count = count + 1;
    }

    /// One of the streams.
    pub fn stream(&self, k: usize) -> Moments {
        let Self { count, min, max, mean, squares } = self;
        let (n, k) = (k / WIDTH, k % WIDTH);
        let (min, max) = (min[n][k], max[n][k]);
        Moments { count: *count, min, max, mean: mean[n][k], squares: squares[n][k] }
    }
}

/// The numbers of as many streams as there are in `N` registers.
pub type Lists<'a, const N: usize> = [[&'a [f64]; WIDTH]; N];

struct Feed<'a, const N: usize> {
    all: &'a mut Abreast<N>,
    numbers: Lists<'a, N>,
    next: Lists<'a, N>,
}

/// The numbers of a line of the cache.
const LINE: usize = 8;

impl<const N: usize> VectorWork for Feed<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self) {
        let Self { all, mut numbers, next } = self;
        let n = numbers.iter().flatten().fold(usize::MAX, |n, numbers| n.min(numbers.len()));
        for list in numbers.iter_mut().flatten() {
            *list = &list[..n];
        }
        let mut first = 0;
        while first < n {
            for list in next.iter().flatten() {
                ask_for(list, first);
            }
            let end = (first + LINE).min(n);
            let fed = match lines(&numbers, first) {
                Some(lines) if V::WIDTH == WIDTH => all.feed_line::<V>(&lines),
                _ => false,
            };
            if !fed {
                for place in first..end {
                    all.push_singly(&numbers, place);
                }
            }
            first = end;
        }
    }
}

impl<const N: usize> Abreast<N> {
    /// Adds a line of numbers to each stream in registers, if all of them are finite, and those before were.
    #[inline(always)]
    fn feed_line<V: Vectors>(&mut self, lines: &[[&[f64; LINE]; WIDTH]; N]) -> bool {
        let mut now = [[V::Pack::zero(); N]; 4];
        let mut n = 0;
        while n < N {
            now[0][n] = V::pack(self.min[n]);
            now[1][n] = V::pack(self.max[n]);
            now[2][n] = V::pack(self.mean[n]);
            now[3][n] = V::pack(self.squares[n]);
            n += 1;
        }
        if !all_finite(&now[0]) || !all_finite(&now[1]) {
            return false;
        }
        let mut count = self.count as f64;
        let mut place = 0;
        while place < LINE / 2 {
            let (first, second) = (2 * place, 2 * place + 1);
            let counts = [V::Pack::lift(count + 1.0), V::Pack::lift(count + 2.0)];
            let mut n = 0;
            while n < N {
                let [a, b, c, d] = lines[n];
                let pairs = [
                    [a[first], a[second]],
                    [b[first], b[second]],
                    [c[first], c[second]],
                    [d[first], d[second]],
                ];
                let [x, y] = V::pack_pairs(pairs);
                Self::push(&mut now, n, x, counts[0]);
                Self::push(&mut now, n, y, counts[1]);
                n += 1;
            }
            count += 2.0;
            place += 1;
        }
        // A number that is not finite leaves a mean that is not.
        if !all_finite(&now[2]) {
            return false;
        }
        self.count += LINE as u64;
        let [min, max, mean, squares] = now;
        let mut n = 0;
        while n < N {
            (self.min[n], self.max[n]) = (V::unpack(min[n]), V::unpack(max[n]));
            (self.mean[n], self.squares[n]) = (V::unpack(mean[n]), V::unpack(squares[n]));
            n += 1;
        }
        true
    }
}

#[inline(always)]
fn all_finite<P: Real, const N: usize>(numbers: &[P; N]) -> bool {
    let mut finite = P::Mask::splat(true);
    let mut n = 0;
    while n < N {
        finite = finite.and(numbers[n].finite());
        n += 1;
    }
    finite.all()
}

/// The numbers of a line, if there are so many from this place on.
#[inline(always)]
fn lines<'a, const N: usize>(
    numbers: &Lists<'a, N>,
    first: usize,
) -> Option<[[&'a [f64; LINE]; WIDTH]; N]> {
    let mut lines = [[&[0.0; LINE]; WIDTH]; N];
    for (lines, lists) in lines.iter_mut().zip(numbers) {
        for (line, list) in lines.iter_mut().zip(lists) {
            *line = list.get(first..)?.first_chunk()?;
        }
    }
    Some(lines)
}

/// Asks for the line of the cache that has this number.
#[inline(always)]
fn ask_for(numbers: &[f64], place: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(number) = numbers.get(place) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every machine of this kind has the instruction, which changes nothing and cannot fail.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(number).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (numbers, place);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Streams side by side have the bits of streams alone, however few they are and whatever they hold.
    #[test]
    fn side_by_side() {
        check_side_by_side::<1>();
        check_side_by_side::<2>();
        check_side_by_side::<5>();
    }

    fn check_side_by_side<const N: usize>() {
        let number = |k: usize, i: usize| match (k + i) % 5 {
            0 => -0.0,
            1 => 0.0,
            _ if i == 70 && k == 2 => f64::NAN,
            _ if i == 90 && k == 1 => f64::INFINITY,
            n => (n * 7 + i * i % 11) as f64 * 10f64.powi(k as i32 - 4) - 3.0,
        };
        for streams in 1..=N * WIDTH {
            let mut alone = vec![Moments::default(); streams];
            let mut abreast = Abreast::<N>::new(&alone).unwrap();
            let numbers: Vec<Vec<f64>> =
                (0..streams).map(|k| (0..200).map(|i| number(k, i)).collect()).collect();
            for (m, numbers) in alone.iter_mut().zip(&numbers) {
                numbers.iter().for_each(|x| m.push(*x));
            }
            for part in [0..7, 7..8, 8..60, 60..200] {
                let numbers: Lists<'_, N> = from_fn(|n| {
                    from_fn(|k| &numbers[(n * WIDTH + k).min(streams - 1)][part.clone()])
                });
                abreast.feed(numbers, numbers);
            }
            for (k, m) in alone.iter().enumerate() {
                let other = abreast.stream(k);
                let bits = |m: &Moments| [m.mean, m.squares, m.min, m.max].map(f64::to_bits);
                assert_eq!((bits(m), m.count), (bits(&other), other.count), "{k} of {streams}");
            }
            alone[0].push(1.0);
            assert_eq!(Abreast::<N>::new(&alone).is_some(), streams == 1);
        }
    }
}
