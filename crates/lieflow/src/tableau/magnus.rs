//! The table of a method for linear problems `y' = A(t)·y`: a little program of brackets.
//!
//! ```text
//! A_j = A(t + c_j h)                       v_i = h sum_j m_ij A_j                (moments)
//! v_n = [sum_i l_i v_i, sum_i r_i v_i]     one for each bracket, of those before it
//! y'  = exp(sum_i w_ki v_i) … exp(sum_i w_1i v_i)·y                              (factors)
//! ```
//!
//! A Magnus method has one factor, a commutator-free one no brackets. Where all `A(t)` commute a table
//! is a quadrature formula, which is checked when the program is built.

/// One bracket.
#[derive(Debug)]
pub struct Bracket {
    /// Weights of what is on its left, by number.
    pub left: &'static [f64],
    /// Weights of what is on its right.
    pub right: &'static [f64],
}

impl Bracket {
    /// `[left, right]`.
    pub const fn of(left: &'static [f64], right: &'static [f64]) -> Self {
        Self { left, right }
    }
}

/// A table for linear problems.
#[derive(Debug)]
pub struct MagnusTable {
    /// Short name.
    pub name: &'static str,
    /// Order of the solution.
    pub order: u8,
    /// The nodes.
    pub c: &'static [f64],
    /// The weights of the moments, one row for each.
    pub moments: &'static [&'static [f64]],
    /// The brackets, in the order in which they are made.
    pub brackets: &'static [Bracket],
    /// The exponents, the first to act first: weights of moments and brackets.
    pub factors: &'static [&'static [f64]],
    /// Key in `references.bib`.
    pub cite: &'static str,
}

/// What rounding of the coefficients may leave of a condition.
const TOLERANCE: f64 = 2e-15;

impl MagnusTable {
    /// The same table, if every bracket is of what is known before it, nodes lie symmetric about the
    /// middle, and it integrates polynomials below its order.
    ///
    /// # Panics
    /// While compiling, when the table is wrong.
    pub const fn checked(self) -> Self {
        let known = self.moments.len();
        let mut n = 0;
        while n < self.brackets.len() {
            let Bracket { left, right } = &self.brackets[n];
            assert!(left.len() <= known + n && right.len() <= known + n, "used before it is known");
            n += 1;
        }
        let mut k = 0;
        while k < self.factors.len() {
            assert!(self.factors[k].len() <= known + self.brackets.len(), "used but not known");
            k += 1;
        }
        let s = self.c.len();
        let mut j = 0;
        while j < s {
            assert!(near(self.c[j] + self.c[s - 1 - j], 1.0), "nodes are not symmetric");
            j += 1;
        }
        let mut power = 0;
        while power < self.order as usize {
            assert!(near(self.integral(power), 1.0 / (power + 1) as f64), "not of its order");
            power += 1;
        }
        self
    }

    /// The integral of a power over one step, where brackets vanish.
    const fn integral(&self, power: usize) -> f64 {
        let mut sum = 0.0;
        let mut k = 0;
        while k < self.factors.len() {
            let mut i = 0;
            while i < self.factors[k].len() && i < self.moments.len() {
                assert!(self.moments[i].len() == self.c.len(), "one weight for each node");
                let mut j = 0;
                while j < self.c.len() {
                    let mut value = self.factors[k][i] * self.moments[i][j];
                    let mut n = 0;
                    while n < power {
                        value *= self.c[j];
                        n += 1;
                    }
                    sum += value;
                    j += 1;
                }
                i += 1;
            }
            k += 1;
        }
        sum
    }
}

const fn near(a: f64, b: f64) -> bool {
    let d = a - b;
    d < TOLERANCE && -d < TOLERANCE
}
