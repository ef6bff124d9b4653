//! Linear equations with a symmetric positive definite matrix, in symbols.
use lieflow_formula::graph::{Graph, Id};

/// The solution of `A x = b` by `A = L D Lᵀ`, and the pivots `D`. Entries that are zero by structure
/// cost nothing; the strict upper triangle of `A` is not looked at.
pub fn solve(graph: &mut Graph, a: &[Vec<Id>], b: &[Id]) -> (Vec<Id>, Vec<Id>) {
    let n = b.len();
    let mut l: Vec<Vec<Id>> = a.to_vec();
    let mut d = Vec::with_capacity(n);
    for j in 0..n {
        let mut pivot = a[j][j];
        for k in 0..j {
            let square = graph.mul(l[j][k], l[j][k]);
            let term = graph.mul(square, d[k]);
            pivot = graph.sub(pivot, term);
        }
        d.push(pivot);
        for i in j + 1..n {
            let mut entry = a[i][j];
            for k in 0..j {
                let product = graph.mul(l[i][k], l[j][k]);
                let term = graph.mul(product, d[k]);
                entry = graph.sub(entry, term);
            }
            l[i][j] = if graph.is_zero(entry) { entry } else { graph.div(entry, pivot) };
        }
    }
    let mut x = b.to_vec();
    for i in 0..n {
        for k in 0..i {
            let term = graph.mul(l[i][k], x[k]);
            x[i] = graph.sub(x[i], term);
        }
    }
    for i in 0..n {
        x[i] = graph.div(x[i], d[i]);
    }
    for i in (0..n).rev() {
        for k in i + 1..n {
            let term = graph.mul(l[k][i], x[k]);
            x[i] = graph.sub(x[i], term);
        }
    }
    (x, d)
}
