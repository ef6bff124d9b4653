//! Vectors and matrices of nodes.
use super::{Graph, Id};

/// Three nodes.
pub type V = [Id; 3];
/// Three rows.
pub type M = [V; 3];

impl Graph {
    /// The unit vector number `k`.
    pub fn unit(&mut self, k: usize) -> V {
        [0, 1, 2].map(|i| self.number(if i == k { 1.0 } else { 0.0 }))
    }
    /// The inner product.
    pub fn dot(&mut self, a: V, b: V) -> Id {
        let [x, y, z] = [0, 1, 2].map(|i| self.mul(a[i], b[i]));
        let sum = self.add(x, y);
        self.add(sum, z)
    }
    /// The outer product.
    pub fn cross(&mut self, a: V, b: V) -> V {
        [(1, 2), (2, 0), (0, 1)].map(|(i, j)| {
            let (p, q) = (self.mul(a[i], b[j]), self.mul(a[j], b[i]));
            self.sub(p, q)
        })
    }
    /// `a + b`.
    pub fn plus(&mut self, a: V, b: V) -> V {
        [0, 1, 2].map(|i| self.add(a[i], b[i]))
    }
    /// `m v`.
    pub fn apply(&mut self, m: M, v: V) -> V {
        m.map(|row| self.dot(row, v))
    }
    /// `a b`.
    pub fn matmul(&mut self, a: M, b: M) -> M {
        let columns = Self::transposed(b);
        a.map(|row| columns.map(|column| self.dot(row, column)))
    }
    /// The matrix with rows and columns exchanged.
    pub fn transposed(m: M) -> M {
        [0, 1, 2].map(|i| [0, 1, 2].map(|j| m[j][i]))
    }
    /// The matrix of `v ×`.
    pub fn hat(&mut self, [x, y, z]: V) -> M {
        let o = self.number(0.0);
        let [mx, my, mz] = [x, y, z].map(|a| self.neg(a));
        [[o, mz, y], [z, o, mx], [my, x, o]]
    }
    /// The determinant.
    pub fn det(&mut self, [a, b, c]: M) -> Id {
        let across = self.cross(b, c);
        self.dot(a, across)
    }
    /// The inverse: cofactors over the determinant.
    pub fn inverse(&mut self, [a, b, c]: M) -> M {
        let columns = [self.cross(b, c), self.cross(c, a), self.cross(a, b)];
        let det = self.dot(a, columns[0]);
        Self::transposed(columns).map(|row| row.map(|x| self.div(x, det)))
    }
    /// The torque `sum_a r_a × g_a` over the rows of an attitude and of a gradient by it.
    pub fn torque(&mut self, r: M, g: M) -> V {
        let mut sum = [self.number(0.0); 3];
        for (row, slope) in r.into_iter().zip(g) {
            let across = self.cross(row, slope);
            sum = self.plus(sum, across);
        }
        sum
    }
}
