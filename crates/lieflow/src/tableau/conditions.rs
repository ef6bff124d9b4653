//! Order conditions, symplecticity and symmetry of a Runge–Kutta table, as functions of its
//! numbers that the compiler can evaluate.
//!
//! A method has order `p` if for every rooted tree with at most `p` nodes
//!
//! ```text
//! sum_i b_i Phi_i(tree) = 1/gamma(tree)
//! Phi_i(tree) = product over the branches of sum_j a_ij Phi_j(branch)
//! gamma(tree) = product over the nodes of the size of the subtree that hangs from the node
//! ```
//!
//! Hairer, Nørsett and Wanner, section II.2. Trees are listed by their levels in the order of
//! Beyer and Hedetniemi, 1980: the path first, the bush last.
use super::butcher::Tableau;

/// The highest order that can be tested.
pub const HIGHEST: usize = 9;
/// The largest number of stages that can be tested.
pub const MOST_STAGES: usize = 16;
/// What rounding of the coefficients may leave of a condition. The worst of all tables, of order
/// eight with entries up to 43, leaves 2.2e-15.
const TOLERANCE: f64 = 1e-14;

/// The matrix of a table, padded with zeros.
pub(super) type Matrix = [[f64; MOST_STAGES]; MOST_STAGES];
/// Weights, padded with zeros.
pub(super) type Weights = [f64; MOST_STAGES];

/// The levels of the nodes of a rooted tree in depth-first order; the root has level zero.
#[derive(Clone, Copy)]
struct Tree {
    levels: [usize; HIGHEST],
    size: usize,
}

impl Tree {
    const fn path(size: usize) -> Self {
        let mut levels = [0; HIGHEST];
        let mut i = 0;
        while i < size {
            levels[i] = i;
            i += 1;
        }
        Self { levels, size }
    }

    /// The next tree of the same size, if there is one.
    const fn next(mut self) -> Option<Self> {
        let mut p = self.size;
        while p > 0 && self.levels[p - 1] <= 1 {
            p -= 1;
        }
        if p == 0 {
            return None;
        }
        let p = p - 1;
        let q = self.parent(p);
        let mut i = p;
        while i < self.size {
            self.levels[i] = self.levels[i - (p - q)];
            i += 1;
        }
        Some(self)
    }

    /// The node from which node `i > 0` hangs: the last one before it that is a level lower.
    const fn parent(&self, i: usize) -> usize {
        let mut q = i;
        while self.levels[q] + 1 != self.levels[i] {
            q -= 1;
        }
        q
    }
}

/// Whether the condition of this tree holds.
const fn holds(tree: &Tree, a: &Matrix, b: &Weights, s: usize) -> bool {
    // Nodes are folded into their parents from the last one to the root.
    let mut phi = [[1.0; MOST_STAGES]; HIGHEST];
    let mut below = [1usize; HIGHEST];
    let mut gamma = 1.0;
    let mut node = tree.size;
    while node > 1 {
        node -= 1;
        let up = tree.parent(node);
        gamma *= below[node] as f64;
        below[up] += below[node];
        let mut i = 0;
        while i < s {
            let mut sum = 0.0;
            let mut j = 0;
            while j < s {
                if a[i][j] != 0.0 {
                    sum += a[i][j] * phi[node][j];
                }
                j += 1;
            }
            phi[up][i] *= sum;
            i += 1;
        }
    }
    gamma *= below[0] as f64;
    let mut sum = 0.0;
    let mut i = 0;
    while i < s {
        sum += b[i] * phi[0][i];
        i += 1;
    }
    abs(sum - 1.0 / gamma) <= TOLERANCE
}

/// The order of the weights `b` with the matrix `a` of `s` stages, or `limit` if it is higher.
pub(super) const fn order_of(a: &Matrix, b: &Weights, s: usize, limit: usize) -> usize {
    let mut order = 0;
    while order < limit && order < HIGHEST {
        let mut tree = Tree::path(order + 1);
        loop {
            if !holds(&tree, a, b, s) {
                return order;
            }
            match tree.next() {
                Some(next) => tree = next,
                None => break,
            }
        }
        order += 1;
    }
    order
}

/// Copies a row into its padded form.
pub(super) const fn padded(row: &[f64]) -> Weights {
    let mut out = [0.0; MOST_STAGES];
    let mut j = 0;
    while j < row.len() && j < MOST_STAGES {
        out[j] = row[j];
        j += 1;
    }
    out
}

/// The matrix of a table in its padded form.
pub(super) const fn matrix(table: &Tableau) -> Matrix {
    let mut a = [[0.0; MOST_STAGES]; MOST_STAGES];
    let mut i = 0;
    while i < table.a.len() && i < MOST_STAGES {
        a[i] = padded(table.a[i]);
        i += 1;
    }
    a
}

/// The classical order of weights with the stages of a table, from its numbers; no more than
/// `limit` or [`HIGHEST`] is tested.
pub const fn order(table: &Tableau, weights: &[f64], limit: usize) -> usize {
    order_of(&matrix(table), &padded(weights), table.stages(), limit)
}

/// Whether the table conserves quadratic invariants, and so is symplectic on a vector space:
/// `b_i a_ij + b_j a_ji = b_i b_j`.
pub const fn symplectic(table: &Tableau) -> bool {
    let a = matrix(table);
    let s = table.stages();
    let mut i = 0;
    while i < s {
        let mut j = 0;
        while j < s {
            let (p, q) = (table.b[i], table.b[j]);
            if abs(p * a[i][j] + q * a[j][i] - p * q) > TOLERANCE {
                return false;
            }
            j += 1;
        }
        i += 1;
    }
    true
}

/// Whether the table is its own adjoint: `a_{s+1-i,s+1-j} + a_ij = b_j`, `b_{s+1-j} = b_j`.
pub const fn symmetric(table: &Tableau) -> bool {
    let a = matrix(table);
    let s = table.stages();
    let mut i = 0;
    while i < s {
        if abs(table.b[i] - table.b[s - 1 - i]) > TOLERANCE {
            return false;
        }
        let mut j = 0;
        while j < s {
            if abs(a[s - 1 - i][s - 1 - j] + a[i][j] - table.b[j]) > TOLERANCE {
                return false;
            }
            j += 1;
        }
        i += 1;
    }
    true
}

const fn abs(x: f64) -> f64 {
    if x < 0.0 { -x } else { x }
}

/// The sum of a row.
pub(super) const fn sum(x: &[f64]) -> f64 {
    let mut total = 0.0;
    let mut i = 0;
    while i < x.len() {
        total += x[i];
        i += 1;
    }
    total
}

/// Whether a row sums to `value`, up to the rounding of its entries.
pub(super) const fn sums_to(x: &[f64], value: f64) -> bool {
    let mut scale = 1.0;
    let mut i = 0;
    while i < x.len() {
        scale += abs(x[i]);
        i += 1;
    }
    abs(sum(x) - value) <= 1e-15 * scale
}
