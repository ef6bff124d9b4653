//! Coefficients of Runge–Kutta methods, as data that are checked when the program is built.
//!
//! A wrong table does not compile: the macro [`tableaux!`](crate::tableaux) evaluates
//! [`Tableau::checked`] at compile time.

mod data;
mod quadrature;

pub use data::*;
pub use quadrature::Quadrature;

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
    /// The weights of the comparison solution, and its order.
    pub embedded: Option<(&'static [f64], u8)>,
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
    /// The same table, if its sizes fit, its rows sum to the nodes and its weights to one.
    ///
    /// # Panics
    /// While compiling, when the table is wrong.
    #[allow(clippy::panic)]
    pub const fn checked(self) -> Self {
        let s = self.c.len();
        assert!(self.a.len() == s, "one row of the matrix for each node");
        assert!(self.b.len() == s, "one weight for each node");
        let mut i = 0;
        while i < s {
            assert!(self.a[i].len() <= s, "a row is too long");
            assert!(close(sum(self.a[i]), self.c[i]), "a row does not sum to its node");
            i += 1;
        }
        assert!(close(sum(self.b), 1.0), "the weights do not sum to one");
        if let Some((weights, order)) = self.embedded {
            assert!(weights.len() == s, "one embedded weight for each node");
            assert!(close(sum(weights), 1.0), "the embedded weights do not sum to one");
            assert!(order != self.order, "a pair has two different orders");
        }
        self
    }
}

const fn sum(x: &[f64]) -> f64 {
    let mut total = 0.0;
    let mut i = 0;
    while i < x.len() {
        total += x[i];
        i += 1;
    }
    total
}

const fn close(a: f64, b: f64) -> bool {
    let d = a - b;
    d < 1e-14 && d > -1e-14
}

/// Declares tables as statics that are checked while compiling.
#[macro_export]
macro_rules! tableaux {
    ($($(#[$doc:meta])* $name:ident = $table:expr;)*) => {
        $($(#[$doc])* pub static $name: $crate::tableau::Tableau = $table.checked();)*
    };
}
