//! Mean, deviation and extremes of a stream of numbers (Welford 1962).
use lieflow::kernel::wide::{VectorWork, Vectors, run_vectorised};

/// The moments of the numbers so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// How many.
    pub count: u64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    mean: f64,
    /// The sum of squared differences from the mean.
    squares: f64,
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

/// The moments of streams that have equally many numbers: number by number, so that registers hold several. Each mean
/// depends on the one before, and the latency of one stream is hidden behind the others.
pub struct Abreast<const N: usize> {
    count: u64,
    min: [f64; N],
    max: [f64; N],
    mean: [f64; N],
    squares: [f64; N],
}

impl<const N: usize> Abreast<N> {
    /// These streams, the last one several times if they are fewer; nothing if one has more numbers than another.
    pub fn new(all: &[Moments]) -> Option<Self> {
        let (first, last) = (all.first()?, all.last()?);
        let of =
            |get: fn(&Moments) -> f64| std::array::from_fn(|k| get(all.get(k).unwrap_or(last)));
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
    pub fn feed(&mut self, numbers: [&[f64]; N], next: [&[f64]; N]) {
        run_vectorised::<f64, _>(Feed { all: self, numbers, next });
    }

    /// [`Moments::push`] for every stream.
    #[inline(always)]
    fn push(&mut self, x: [f64; N]) {
        self.count += 1;
        let count = self.count as f64;
        for k in 0..N {
            let before = x[k] - self.mean[k];
            self.mean[k] += before / count;
            self.squares[k] += before * (x[k] - self.mean[k]);
        }
        for k in 0..N {
            self.min[k] = if self.min[k] <= x[k] { self.min[k] } else { x[k] };
            self.max[k] = if self.max[k] >= x[k] { self.max[k] } else { x[k] };
        }
    }

    /// One of the streams.
    pub fn stream(&self, k: usize) -> Moments {
        let Self { count, min, max, mean, squares } = self;
        Moments { count: *count, min: min[k], max: max[k], mean: mean[k], squares: squares[k] }
    }
}

struct Feed<'a, const N: usize> {
    all: &'a mut Abreast<N>,
    numbers: [&'a [f64]; N],
    next: [&'a [f64]; N],
}

/// The numbers of a line of the cache.
const LINE: usize = 8;

impl<const N: usize> VectorWork for Feed<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self) {
        let n = self.numbers.iter().fold(usize::MAX, |n, numbers| n.min(numbers.len()));
        let mut numbers = self.numbers;
        for list in &mut numbers {
            *list = &list[..n];
        }
        let mut first = 0;
        while first < n {
            for list in self.next {
                ask_for(list, first);
            }
            let end = (first + LINE).min(n);
            for i in first..end {
                let mut x = [0.0; N];
                for k in 0..N {
                    x[k] = numbers[k][i];
                }
                self.all.push(x);
            }
            first = end;
        }
    }
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
        check_side_by_side::<4>();
        check_side_by_side::<8>();
    }

    fn check_side_by_side<const N: usize>() {
        let number = |k: usize, i: usize| match (k + i) % 5 {
            0 => -0.0,
            1 => 0.0,
            n => (n * 7 + i * i % 11) as f64 * 10f64.powi(k as i32 - 4) - 3.0,
        };
        for streams in 1..=N {
            let mut alone = vec![Moments::default(); streams];
            let mut abreast = Abreast::<N>::new(&alone).unwrap();
            let numbers: Vec<Vec<f64>> =
                (0..streams).map(|k| (0..200).map(|i| number(k, i)).collect()).collect();
            for (m, numbers) in alone.iter_mut().zip(&numbers) {
                numbers.iter().for_each(|x| m.push(*x));
            }
            for part in [0..7, 7..8, 8..200] {
                let numbers: [&[f64]; N] =
                    std::array::from_fn(|k| &numbers[k.min(streams - 1)][part.clone()]);
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
