//! The coefficients of the preprocessed Moser–Veselov maps.
//!
//! The map of RATTLE moves the momentum along the orbit of free motion, and there is a body whose
//! map moves it, and the attitude, by just the right amount (Hairer and Vilmart 2006):
//!
//! ```text
//! 1/J'_i = (1/J_i) (1 + h² s_2 + h⁴ s_4 + …) + h² d_2 + h⁴ d_4 + …
//! ```
//!
//! With `a = (λ, κ, N, L, G)` of the exact motion ([`tumbling`](super::tumbling)) counted from a
//! zero of `m_2` in the middle of the step, `σ`, `c`, `d` at `h/2`, `ψ = L (h/(2 J_p) - G N ∫ σ²/(1 + N σ²))`
//! and `T = L tan ψ`, the turn is `cay(x)` with
//!
//! ```text
//! x_p = 2 P T (1 + N σ²)/E    x_s = 2 S (T c d - G σ L²)/E    E = d L² + T S² G σ c    G = 1/J_p - 1/J_s
//! 1/J'_p = x_p/(μ P d)    1/J'_s = x_s/(μ S c)    μ = h (1 + |x|²/4)
//! ```
//!
//! Expanded in `h` with rational numbers, `s_2k` and `d_2k` are polynomials in the kinetic energy `T`,
//! in `C = |Π|²/2` and in the symmetric functions `e_1`, `e_2`, `e_3` of the inverse moments: each
//! term is a number times `T^a C^(k-a) e_1^p e_2^q e_3^r`. The first are those of the paper; the tests
//! measure orders 6, 8 and 10.
use crate::scalar::Real;

/// A term: `numerator/denominator T^energy C^(k - energy) e_1^p e_2^q e_3^r`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    numerator: f64,
    denominator: f64,
    value: f64,
    energy: usize,
    powers: [usize; 3],
}

const fn term(numerator: f64, denominator: f64, energy: usize, powers: [usize; 3]) -> Term {
    Term { numerator, denominator, value: numerator / denominator, energy, powers }
}

/// Powers of the five quantities, up to the fourth.
pub(super) struct Powers<S> {
    energy: [S; 5],
    casimir: [S; 5],
    inverse: [[S; 5]; 3],
}

impl<S: Real> Powers<S> {
    /// Of `h² T`, `h² C` and `e_1`, `e_2`, `e_3`.
    #[inline(always)]
    pub fn new(energy: S, casimir: S, [e1, e2, e3]: [S; 3]) -> Self {
        Self {
            energy: powers(energy),
            casimir: powers(casimir),
            inverse: [powers(e1), powers(e2), powers(e3)],
        }
    }

    /// The sum of the terms of the order `2 k`.
    #[inline]
    fn sum(&self, k: usize, terms: &[Term], extended: bool) -> S {
        let mut sum = S::zero();
        let mut i = 0;
        while i < terms.len() {
            let Term { numerator, denominator, value, energy, powers: [p, q, r] } = terms[i];
            let number = if extended { S::ratio(numerator, denominator) } else { S::lift(value) };
            let shape = self.inverse[0][p] * self.inverse[1][q] * self.inverse[2][r];
            sum += number * (self.energy[energy] * self.casimir[k - energy]) * shape;
            i += 1;
        }
        sum
    }

    /// What is added to `1 + h² s_2` and to `h² d_2` for this order of the map.
    #[inline]
    pub fn beyond(&self, order: usize, extended: bool) -> (S, S) {
        let (mut scale, mut shift) = (S::zero(), S::zero());
        // The smallest first.
        let mut k = order / 2 - 1;
        while k > 1 {
            let (s, d): (&[Term], &[Term]) = match k {
                2 => (&SCALE_4, &SHIFT_4),
                3 => (&SCALE_6, &SHIFT_6),
                _ => (&SCALE_8, &SHIFT_8),
            };
            scale += self.sum(k, s, extended);
            shift += self.sum(k, d, extended);
            k -= 1;
        }
        (scale, shift)
    }
}

#[inline(always)]
fn powers<S: Real>(x: S) -> [S; 5] {
    let square = x * x;
    [S::one(), x, square, square * x, square * square]
}

/// `s_4`.
const SCALE_4: [Term; 6] = [
    term(1.0, 30.0, 2, [2, 0, 0]),
    term(-1.0, 60.0, 2, [0, 1, 0]),
    term(-1.0, 30.0, 1, [1, 1, 0]),
    term(2.0, 15.0, 1, [0, 0, 1]),
    term(1.0, 30.0, 0, [0, 2, 0]),
    term(-1.0, 10.0, 0, [1, 0, 1]),
];

/// `d_4`.
const SHIFT_4: [Term; 5] = [
    term(-1.0, 60.0, 2, [1, 1, 0]),
    term(-1.0, 10.0, 2, [0, 0, 1]),
    term(-1.0, 60.0, 1, [0, 2, 0]),
    term(2.0, 15.0, 1, [1, 0, 1]),
    term(-1.0, 60.0, 0, [0, 1, 1]),
];

/// `s_6`.
const SCALE_6: [Term; 12] = [
    term(-1.0, 630.0, 3, [3, 0, 0]),
    term(1.0, 630.0, 3, [1, 1, 0]),
    term(1.0, 35.0, 3, [0, 0, 1]),
    term(1.0, 420.0, 2, [2, 1, 0]),
    term(41.0, 2520.0, 2, [0, 2, 0]),
    term(-53.0, 630.0, 2, [1, 0, 1]),
    term(-1.0, 70.0, 1, [1, 2, 0]),
    term(11.0, 210.0, 1, [2, 0, 1]),
    term(-1.0, 84.0, 1, [0, 1, 1]),
    term(17.0, 2520.0, 0, [0, 3, 0]),
    term(-11.0, 420.0, 0, [1, 1, 1]),
    term(5.0, 126.0, 0, [0, 0, 2]),
];

/// `d_6`.
const SHIFT_6: [Term; 11] = [
    term(1.0, 1260.0, 3, [2, 1, 0]),
    term(-13.0, 1260.0, 3, [0, 2, 0]),
    term(1.0, 42.0, 3, [1, 0, 1]),
    term(13.0, 2520.0, 2, [1, 2, 0]),
    term(-8.0, 315.0, 2, [2, 0, 1]),
    term(11.0, 252.0, 2, [0, 1, 1]),
    term(1.0, 1260.0, 1, [0, 3, 0]),
    term(-1.0, 1260.0, 1, [1, 1, 1]),
    term(-22.0, 315.0, 1, [0, 0, 2]),
    term(-19.0, 2520.0, 0, [0, 2, 1]),
    term(1.0, 35.0, 0, [1, 0, 2]),
];

/// `s_8`.
const SCALE_8: [Term; 21] = [
    term(1.0, 22680.0, 4, [4, 0, 0]),
    term(-1.0, 15120.0, 4, [2, 1, 0]),
    term(17.0, 5040.0, 4, [0, 2, 0]),
    term(-3.0, 280.0, 4, [1, 0, 1]),
    term(-1.0, 11340.0, 3, [3, 1, 0]),
    term(-11.0, 1890.0, 3, [1, 2, 0]),
    term(23.0, 945.0, 3, [2, 0, 1]),
    term(-23.0, 1260.0, 3, [0, 1, 1]),
    term(13.0, 3780.0, 2, [2, 2, 0]),
    term(1.0, 2520.0, 2, [0, 3, 0]),
    term(-17.0, 1260.0, 2, [3, 0, 1]),
    term(1.0, 252.0, 2, [1, 1, 1]),
    term(53.0, 1260.0, 2, [0, 0, 2]),
    term(-11.0, 3240.0, 1, [1, 3, 0]),
    term(17.0, 1260.0, 1, [2, 1, 1]),
    term(47.0, 7560.0, 1, [0, 2, 1]),
    term(-47.0, 945.0, 1, [1, 0, 2]),
    term(31.0, 22680.0, 0, [0, 4, 0]),
    term(-19.0, 2520.0, 0, [1, 2, 1]),
    term(1.0, 120.0, 0, [2, 0, 2]),
    term(97.0, 15120.0, 0, [0, 1, 2]),
];

/// `d_8`.
const SHIFT_8: [Term; 20] = [
    term(-1.0, 45360.0, 4, [3, 1, 0]),
    term(-1.0, 7560.0, 4, [1, 2, 0]),
    term(-1.0, 360.0, 4, [2, 0, 1]),
    term(17.0, 1680.0, 4, [0, 1, 1]),
    term(-1.0, 1512.0, 3, [2, 2, 0]),
    term(97.0, 22680.0, 3, [0, 3, 0]),
    term(8.0, 2835.0, 3, [3, 0, 1]),
    term(-23.0, 1890.0, 3, [1, 1, 1]),
    term(-1.0, 35.0, 3, [0, 0, 2]),
    term(-1.0, 1512.0, 2, [1, 3, 0]),
    term(19.0, 7560.0, 2, [2, 1, 1]),
    term(-19.0, 1080.0, 2, [0, 2, 1]),
    term(89.0, 1890.0, 2, [1, 0, 2]),
    term(-1.0, 45360.0, 1, [0, 4, 0]),
    term(37.0, 7560.0, 1, [1, 2, 1]),
    term(-2.0, 105.0, 1, [2, 0, 2]),
    term(19.0, 1260.0, 1, [0, 1, 2]),
    term(-61.0, 45360.0, 0, [0, 3, 1]),
    term(3.0, 560.0, 0, [1, 1, 2]),
    term(-61.0, 4536.0, 0, [0, 0, 3]),
];
