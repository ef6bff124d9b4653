//! The table of a commutator-free method: points joined by exponentials of weighted fields.
//!
//! ```text
//! Y_0 = y,   Y_m = exp(h sum_j w_mj F_j)·Y_from(m),   F_j = f(t + c_j h, Y_at(j))
//! ```
//!
//! Celledoni, Marthinsen and Owren write such a method as products of exponentials for each stage;
//! here every partial product has a number, so that two stages can share one. A Crouch–Grossman
//! method is a table in which every exponential holds a single field.
use super::conditions::{self, Matrix, Weights};

/// One exponential: point number `m + 1` of a table is move number `m`.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// The number of the point that is moved.
    pub from: usize,
    /// The weights of the fields in the exponent.
    pub weights: &'static [f64],
}

impl Move {
    /// The exponential of the fields with these weights, applied to point number `from`.
    pub const fn exp(from: usize, weights: &'static [f64]) -> Self {
        Self { from, weights }
    }
}

/// A commutator-free table.
#[derive(Debug)]
pub struct CommutatorFree {
    /// Short name.
    pub name: &'static str,
    /// Order of the solution.
    pub order: u8,
    /// The exponentials, in the order in which they are made.
    pub moves: &'static [Move],
    /// The points at which the field is evaluated, ascending; the first is point 0.
    pub at: &'static [usize],
    /// The nodes, one for each field.
    pub c: &'static [f64],
    /// The point that is the solution.
    pub end: usize,
    /// The point that is the comparison solution, and its order.
    pub embedded: Option<(usize, u8)>,
    /// Key in `references.bib`.
    pub cite: &'static str,
}

impl CommutatorFree {
    /// The most exponentials that the solution may be a product of.
    pub const MOST_FACTORS: usize = 8;

    /// Whether the last field is taken at the solution, so that it is the first of the next step.
    pub const fn first_same_as_last(&self) -> bool {
        self.at.len() > 1 && self.at[self.at.len() - 1] == self.end
    }
    /// Evaluations of the field that an accepted step costs, when it reuses what the step before
    /// it left.
    pub const fn evaluations(&self) -> u32 {
        self.at.len() as u32 - self.first_same_as_last() as u32
    }
    /// The power of the step size with which the error estimate scales.
    pub const fn estimate_power(&self) -> Option<u8> {
        match self.embedded {
            Some((_, p)) => Some(p + 1),
            None => None,
        }
    }

    /// Whether a point is a place to take the field at and nothing else: no move starts there, and
    /// it is neither solution.
    pub const fn passing(&self, point: usize) -> bool {
        let mut m = 0;
        while m < self.moves.len() {
            if self.moves[m].from == point {
                return false;
            }
            m += 1;
        }
        if let Some((other, _)) = self.embedded
            && other == point
        {
            return false;
        }
        let mut j = 0;
        while j < self.at.len() {
            if self.at[j] == point {
                return point != self.end;
            }
            j += 1;
        }
        false
    }

    /// All moves but the last ones, which lead to the solution and nowhere else: no field is taken there, and there is
    /// nothing to compare with.
    pub fn inner_moves(&self) -> &'static [Move] {
        let mut moves = self.moves.len();
        while moves > 0 && self.embedded.is_none() && !self.at.contains(&moves) {
            let beyond = self.moves[moves..].iter().any(|next| next.from == moves);
            if moves != self.end && !beyond {
                break;
            }
            moves -= 1;
        }
        self.moves.split_at(moves).0
    }

    /// The method of a pair alone: what only the comparison solution needs is left out.
    pub const fn without_pair(&self, name: &'static str) -> Self {
        let mut fields = self.at.len();
        while fields > 0 && self.at[fields - 1] >= self.end {
            fields -= 1;
        }
        Self {
            name,
            order: self.order,
            moves: self.moves.split_at(self.end).0,
            at: self.at.split_at(fields).0,
            c: self.c.split_at(fields).0,
            end: self.end,
            embedded: None,
            cite: self.cite,
        }
    }

    /// The weights of all fields on the way from the start to a point: where fields commute, the
    /// table is a Runge–Kutta table with these rows.
    const fn total(&self, point: usize) -> Weights {
        let mut sum = [0.0; conditions::MOST_STAGES];
        let mut at = point;
        while at > 0 {
            let step = &self.moves[at - 1];
            let mut j = 0;
            while j < step.weights.len() {
                sum[j] += step.weights[j];
                j += 1;
            }
            at = step.from;
        }
        sum
    }

    /// The same table, if it can be evaluated from the first point to the last, its nodes are
    /// right, and it has the orders that it claims where fields commute.
    ///
    /// # Panics
    /// While compiling, when the table is wrong.
    pub const fn checked(self) -> Self {
        let s = self.at.len();
        assert!(s <= conditions::MOST_STAGES, "too many fields");
        assert!(s > 0 && self.at[0] == 0, "the first field is taken at the start");
        assert!(self.c.len() == s, "one node for each field");
        let mut j = 1;
        while j < s {
            assert!(self.at[j] > self.at[j - 1], "fields are listed in the order of their points");
            assert!(self.at[j] <= self.moves.len(), "a field is taken at a point that is not made");
            j += 1;
        }
        let mut known = 0;
        let mut m = 0;
        while m < self.moves.len() {
            while known < s && self.at[known] <= m {
                known += 1;
            }
            assert!(self.moves[m].from <= m, "a point is moved before it is made");
            assert!(self.moves[m].from != self.end, "the solution is not moved on");
            assert!(self.moves[m].weights.len() <= known, "a field is used before it is known");
            m += 1;
        }
        let mut a: Matrix = [[0.0; conditions::MOST_STAGES]; conditions::MOST_STAGES];
        let mut j = 0;
        while j < s {
            a[j] = self.total(self.at[j]);
            assert!(conditions::sums_to(&a[j], self.c[j]), "weights do not sum to their node");
            j += 1;
        }
        let (mut at, mut factors) = (self.end, 0);
        while at > 0 {
            at = self.moves[at - 1].from;
            factors += 1;
        }
        assert!(factors <= Self::MOST_FACTORS, "the solution has too many factors");
        assert!(self.end == self.moves.len() || self.embedded.is_some(), "moves that nobody needs");
        let order = self.order as usize;
        assert!(
            conditions::order_of(&a, &self.total(self.end), s, order) == order,
            "the solution does not have the order that it claims"
        );
        if let Some((point, order)) = self.embedded {
            assert!(order != self.order, "a pair has two different orders");
            let order = order as usize;
            assert!(
                conditions::order_of(&a, &self.total(point), s, order) == order,
                "the comparison solution does not have the order that it claims"
            );
        }
        self
    }
}
