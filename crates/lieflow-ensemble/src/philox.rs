//! Random numbers by counting: Philox 4×32 with ten rounds.
//!
//! A number is a function of the key (the seed) and a counter (the trajectory, what is drawn, and
//! which draw of it), so that a trajectory has the same numbers whoever computes it, and adding
//! another varied key leaves the numbers of the others alone. Salmon, Moraes, Dror and Shaw, 2011.

use lieflow::kernel::wide::{VectorWork, Vectors, run_vectorised};

const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

/// The block of the counter under the key.
pub fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for round in 0..10 {
        if round > 0 {
            key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
        }
        let [a, b, c, d] = counter;
        let first = u64::from(MULTIPLIERS[0]) * u64::from(a);
        let second = u64::from(MULTIPLIERS[1]) * u64::from(c);
        counter = [
            (second >> 32) as u32 ^ b ^ key[0],
            second as u32,
            (first >> 32) as u32 ^ d ^ key[1],
            first as u32,
        ];
    }
    counter
}

/// The numbers of one varied key in one trajectory.
#[derive(Clone, Copy, Debug)]
pub struct Stream {
    key: [u32; 2],
    index: [u32; 2],
    what: u32,
}

impl Stream {
    /// The numbers for `what` in the trajectory `index` of the ensemble with this seed.
    pub fn new(seed: u64, index: u64, what: u32) -> Self {
        let halves = |x: u64| [x as u32, (x >> 32) as u32];
        Self { key: halves(seed), index: halves(index), what }
    }

    /// The numbers `2 pair` and `2 pair + 1`, uniform in `[0, 1)`, multiples of `2^-53`.
    pub fn uniforms(&self, pair: u32) -> [f64; 2] {
        let [i, j] = self.index;
        let [a, b, c, d] = philox([i, j, self.what, pair], self.key);
        [(a, b), (c, d)].map(|(high, low)| {
            let bits = (u64::from(high) << 32 | u64::from(low)) >> 11;
            bits as f64 * (1.0 / 9007199254740992.0)
        })
    }

    /// The numbers `2 pair` and `2 pair + 1` of the standard normal distribution (Box and Muller).
    pub fn normals(&self, pair: u32) -> [f64; 2] {
        let [first, second] = self.uniforms(pair);
        // Never zero: the logarithm of the smallest possible number is -37.4.
        let u = first + 1.0 / 18014398509481984.0;
        let (sin, cos) = lieflow::Real::sin_cos(std::f64::consts::TAU * second);
        let radius = (-2.0 * libm::log(u)).sqrt();
        [radius * cos, radius * sin]
    }

    /// The `n`-th uniform number.
    pub fn uniform(&self, n: u32) -> f64 {
        self.uniforms(n / 2)[n as usize % 2]
    }

    /// The `n`-th normal number.
    pub fn normal(&self, n: u32) -> f64 {
        self.normals(n / 2)[n as usize % 2]
    }
}

/// The streams of one varied key in trajectories that follow each other.
#[derive(Clone, Copy, Debug)]
pub struct Streams {
    /// The seed of the ensemble.
    pub seed: u64,
    /// The first trajectory.
    pub first: u64,
    /// What is drawn.
    pub what: u32,
}

impl Streams {
    /// [`Stream::uniforms`] of one trajectory after the other, many at a time where the machine has vectors.
    pub fn uniforms(&self, pair: u32, out: &mut [[f64; 2]]) {
        run_vectorised::<f64, _>(Uniforms { of: *self, pair, out });
    }
}

/// The trajectories whose numbers are drawn at a time: so many that the compiler makes vectors of them.
const TOGETHER: usize = 16;

struct Uniforms<'a> {
    of: Streams,
    pair: u32,
    out: &'a mut [[f64; 2]],
}

impl VectorWork for Uniforms<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors>(self) {
        const LOW: u64 = 0xFFFF_FFFF;
        let Self { of: Streams { seed, first, what }, pair, out } = self;
        let mut keys = [[0; 2]; 10];
        let mut key = [seed as u32, (seed >> 32) as u32];
        for round in &mut keys {
            *round = key.map(u64::from);
            key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
        }
        let [m, n] = MULTIPLIERS.map(u64::from);
        for (group, out) in out.chunks_mut(TOGETHER).enumerate() {
            let start = first.wrapping_add((group * TOGETHER) as u64);
            // The four words of each counter; words of 32 bits in places of 64, as products need them.
            let (mut a, mut b) = ([0; TOGETHER], [0; TOGETHER]);
            let (mut c, mut d) = ([u64::from(what); TOGETHER], [u64::from(pair); TOGETHER]);
            for i in 0..TOGETHER {
                let index = start.wrapping_add(i as u64);
                (a[i], b[i]) = (index & LOW, index >> 32);
            }
            for key in &keys {
                for i in 0..TOGETHER {
                    let (first, second) = ((a[i] & LOW) * m, (c[i] & LOW) * n);
                    a[i] = second >> 32 ^ b[i] ^ key[0];
                    c[i] = first >> 32 ^ d[i] ^ key[1];
                    (b[i], d[i]) = (second & LOW, first & LOW);
                }
            }
            let mut numbers = [[0.0; 2]; TOGETHER];
            for i in 0..TOGETHER {
                numbers[i] = [unit(a[i], b[i]), unit(c[i], d[i])];
            }
            out.copy_from_slice(&numbers[..out.len()]);
        }
    }
}

/// The 53 highest bits of two words as a number below one. Half of them at a time: vectors can turn 52 bits into a
/// number, and both halves are exact, and so is their sum.
#[inline(always)]
fn unit(high: u64, low: u64) -> f64 {
    let number = |bits: u64| f64::from_bits(0x4330_0000_0000_0000 | bits) - 4503599627370496.0;
    let bits = (high << 32 | low) >> 11;
    (number(bits >> 32) * 4294967296.0 + number(bits & 0xFFFF_FFFF)) * (1.0 / 9007199254740992.0)
}

/// A name as a number, for the counter: 32 bits of the hash of Fowler, Noll and Vo.
pub fn name_number(name: &str) -> u32 {
    name.bytes().fold(0x811C_9DC5, |h, byte| (h ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known answers that come with the authors' library.
    #[test]
    fn known_answers() {
        let ones = u32::MAX;
        assert_eq!(philox([0; 4], [0; 2]), [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]);
        assert_eq!(philox([ones; 4], [ones; 2]), [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]);
        assert_eq!(
            philox([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344], [0xa4093822, 0x299f31d0]),
            [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1]
        );
    }

    /// Numbers drawn together are those drawn one by one, also where the index passes 32 bits.
    #[test]
    fn together() {
        for (seed, first, what, count) in [
            (7, 0, 1, 1),
            (7, 0, name_number("initial.omega"), 256),
            (u64::MAX, (1 << 32) - 9, 3, 100),
            (0x0123_4567_89AB_CDEF, u64::MAX - 40, u32::MAX, 41),
        ] {
            for pair in [0, 1, u32::MAX] {
                let mut numbers = vec![[f64::NAN; 2]; count];
                Streams { seed, first, what }.uniforms(pair, &mut numbers);
                for (i, found) in numbers.iter().enumerate() {
                    let expected = Stream::new(seed, first + i as u64, what).uniforms(pair);
                    assert_eq!(
                        found.map(f64::to_bits),
                        expected.map(f64::to_bits),
                        "{first} + {i}"
                    );
                }
            }
        }
    }

    #[test]
    fn moments() {
        let n = 100_000;
        let (mut mean, mut square, mut gauss, mut gauss2, mut gauss4) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for i in 0..n {
            let stream = Stream::new(7, i, name_number("initial.omega"));
            let (u, g) = (stream.uniform(0), stream.normal(1));
            assert!((0.0..1.0).contains(&u));
            mean += u;
            square += u * u;
            gauss += g;
            gauss2 += g * g;
            gauss4 += g * g * g * g;
        }
        let n = n as f64;
        // Five standard errors each.
        assert!((mean / n - 0.5).abs() < 5.0 * (1.0 / 12.0 / n).sqrt());
        assert!((square / n - 1.0 / 3.0).abs() < 5.0 * (4.0 / 45.0 / n).sqrt());
        assert!((gauss / n).abs() < 5.0 / n.sqrt());
        assert!((gauss2 / n - 1.0).abs() < 5.0 * (2.0 / n).sqrt());
        assert!((gauss4 / n - 3.0).abs() < 5.0 * (96.0 / n).sqrt());
    }
}
