//! The table of a Runge–Kutta method.
use super::conditions::{self, sums_to};

/// A Runge–Kutta tableau. Rows of `a` hold the stages before the diagonal for explicit methods and
/// all stages for implicit ones.
#[derive(Debug)]
pub struct Tableau {
    /// Short name.
    pub name: &'static str,
    /// Classical order of the weights `b`.
    pub order: u8,
    /// The matrix, by rows.
    pub a: &'static [&'static [f64]],
    /// The weights that propagate.
    pub b: &'static [f64],
    /// The weights of comparison solutions, each with its order: none, one for a pair, or two
    /// whose differences `e` and `d` give the estimate `e²/sqrt(e² + d²/100)`.
    pub embedded: &'static [(&'static [f64], u8)],
    /// A continuous extension, for tables whose last stage is the solution: the interpolant is the
    /// cubic Hermite polynomial plus `theta² (theta - 1)² h sum_i (p_i + q_i theta) k_i`, and the
    /// pairs `(p_i, q_i)` stand here.
    pub dense: Option<&'static [(f64, f64)]>,
    /// The nodes.
    pub c: &'static [f64],
    /// Key in `references.bib`.
    pub cite: &'static str,
}

impl Tableau {
    /// Number of stages.
    pub const fn stages(&self) -> usize {
        self.c.len()
    }
    /// Whether every stage needs only the stages before it.
    pub const fn explicit(&self) -> bool {
        let mut i = 0;
        while i < self.a.len() {
            let mut j = i;
            while j < self.a[i].len() {
                if self.a[i][j] != 0.0 {
                    return false;
                }
                j += 1;
            }
            i += 1;
        }
        true
    }
    /// Whether the last stage is the solution, so that its field is the first of the next step.
    pub const fn first_same_as_last(&self) -> bool {
        let s = self.c.len();
        if s < 2 || self.a[s - 1].len() != s - 1 || self.c[s - 1] != 1.0 || self.b[s - 1] != 0.0 {
            return false;
        }
        let mut j = 0;
        while j < s - 1 {
            if self.a[s - 1][j] != self.b[j] {
                return false;
            }
            j += 1;
        }
        true
    }
    /// Evaluations of the field that an accepted step of an explicit table costs, when it reuses
    /// what the step before it left.
    pub const fn evaluations(&self) -> u32 {
        self.c.len() as u32 - self.first_same_as_last() as u32
    }
    /// The power of the step size with which the error estimate scales.
    pub const fn estimate_power(&self) -> Option<u8> {
        match self.embedded {
            [(_, p)] => Some(*p + 1),
            // e ~ h^(p+1) and d ~ h^(q+1), q < p: for small steps e² is divided by d.
            [(_, p), (_, q)] => Some(2 * (*p + 1) - (*q + 1)),
            _ => None,
        }
    }
    /// The same table, if its sizes fit, its rows sum to the nodes, and all its weights satisfy
    /// the conditions of the orders that they claim.
    ///
    /// # Panics
    /// While compiling, when the table is wrong.
    pub const fn checked(self) -> Self {
        let s = self.c.len();
        assert!(s <= conditions::MOST_STAGES, "too many stages");
        assert!(self.a.len() == s, "one row of the matrix for each node");
        assert!(self.b.len() == s, "one weight for each node");
        let mut i = 0;
        while i < s {
            assert!(self.a[i].len() <= s, "a row is too long");
            assert!(sums_to(self.a[i], self.c[i]), "a row does not sum to its node");
            i += 1;
        }
        assert!(
            conditions::order(&self, self.b, self.order as usize) == self.order as usize,
            "the weights do not have the order that they claim"
        );
        assert!(self.embedded.len() <= 2, "at most two comparison solutions");
        let mut i = 0;
        while i < self.embedded.len() {
            let (weights, order) = self.embedded[i];
            assert!(weights.len() == s, "one embedded weight for each node");
            assert!(order != self.order, "a pair has two different orders");
            assert!(
                conditions::order(&self, weights, order as usize) == order as usize,
                "the embedded weights do not have the order that they claim"
            );
            i += 1;
        }
        if let Some(dense) = self.dense {
            assert!(self.first_same_as_last(), "the extension needs the slope at the end");
            assert!(dense.len() == s, "one pair for each stage");
            let (mut p, mut q, mut scale) = (0.0, 0.0, 1.0);
            let mut i = 0;
            while i < s {
                p += dense[i].0;
                q += dense[i].1;
                scale += dense[i].0 * dense[i].0;
                i += 1;
            }
            // Otherwise a constant field would not move along a straight line.
            assert!(
                p * p < 1e-30 * scale && q * q < 1e-30 * scale,
                "the extension is not consistent"
            );
        }
        self
    }
}
