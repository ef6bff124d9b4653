//! Order conditions where fields do not commute, for products of exponentials.
//!
//! The field at a moved point and the moved point itself are series over *ordered* rooted trees
//! and words of them, because the order in which frozen fields act matters. A word of trees is
//! written as balanced parentheses, `()(())` for a point followed by a path of two:
//!
//! ```text
//! point  Y = exp(V_k) … exp(V_1)·y    has the series   e^{V_1} e^{V_2} … e^{V_k}   (words joined)
//! field  f(Y)                         has the series   B+(Y): each word ω becomes the tree (ω)
//! exact  y' = f(y)·y                  has the series   E' = E B+(E),  so  n E_n = [E B+(E)]_n
//! ```
//!
//! A product has order `p` if its series agrees with the exact one on all words with at most `p`
//! nodes: 1, 2, 5, 14, 42 of them for one to five nodes. Iserles, Munthe-Kaas, Nørsett and Zanna,
//! 2000, section 8; Owren, 2006.
use super::CommutatorFree;
use alloc::collections::BTreeMap;

/// A series: the coefficient of each word, a pair of its number of nodes and its parentheses as
/// bits (1 opens).
type Series = BTreeMap<(usize, u64), f64>;

/// What rounding of the coefficients may leave of a condition.
const TOLERANCE: f64 = 1e-13;

fn unit() -> Series {
    Series::from([((0, 0), 1.0)])
}

/// The product of two series: words are joined, those with more than `n` nodes are dropped.
fn join(a: &Series, b: &Series, n: usize) -> Series {
    let mut out = Series::new();
    for (&(p, left), x) in a {
        for (&(q, right), y) in b {
            if p + q <= n {
                *out.entry((p + q, left << (2 * q) | right)).or_insert(0.0) += x * y;
            }
        }
    }
    out
}

fn add(to: &mut Series, a: f64, x: &Series) {
    for (&word, value) in x {
        *to.entry(word).or_insert(0.0) += a * value;
    }
}

/// `B+`: each word becomes one tree.
fn root(x: &Series, n: usize) -> Series {
    x.iter()
        .filter(|((nodes, _), _)| *nodes < n)
        .map(|(&(nodes, word), &value)| ((nodes + 1, 1 << (2 * nodes + 1) | word << 1), value))
        .collect()
}

/// `e^v` for a series without the empty word.
fn exp(v: &Series, n: usize) -> Series {
    let (mut sum, mut power) = (unit(), unit());
    for k in 1..=n {
        power = join(&power, v, n);
        for value in power.values_mut() {
            *value /= k as f64;
        }
        add(&mut sum, 1.0, &power);
    }
    sum
}

/// The series of the exact flow over a unit step.
fn exact(n: usize) -> Series {
    let mut e = unit();
    for m in 1..=n {
        let next = join(&e, &root(&e, m), m);
        e.extend(next.iter().filter(|((k, _), _)| *k == m).map(|(w, x)| (*w, x / m as f64)));
    }
    e
}

/// The series of all points of a table with the fields multiplied by `sign`, from a point with the
/// series `start`.
fn points(table: &CommutatorFree, start: Series, sign: f64, n: usize) -> Vec<Series> {
    let mut points = vec![start];
    let mut fields: Vec<Series> = Vec::new();
    for m in 0..=table.moves.len() {
        if table.at.get(fields.len()) == Some(&m) {
            fields.push(root(&points[m], n));
        }
        if let Some(step) = table.moves.get(m) {
            let mut v = Series::new();
            for (w, f) in step.weights.iter().zip(&fields) {
                add(&mut v, sign * *w, f);
            }
            points.push(join(&points[step.from], &exp(&v, n), n));
        }
    }
    points
}

/// The largest number of nodes up to which a series, without another, vanishes, counted up to `n`.
fn agreement(mut series: Series, other: &Series, n: usize) -> usize {
    add(&mut series, -1.0, other);
    let wrong = series.iter().filter(|(_, x)| x.abs() > TOLERANCE).map(|((k, _), _)| *k).min();
    wrong.map_or(n, |k| k - 1)
}

/// The order of one point of a table, counted up to `limit` (at most 7), from its numbers.
pub fn order(table: &CommutatorFree, point: usize, limit: usize) -> usize {
    let n = limit.min(7);
    agreement(points(table, unit(), 1.0, n).swap_remove(point), &exact(n), n)
}

/// Up to which order a step back undoes a step forth, counted up to `limit` (at most 8): the defect is of
/// one order more.
pub fn undone(table: &CommutatorFree, limit: usize) -> usize {
    let n = limit.min(8);
    let there = points(table, unit(), 1.0, n).swap_remove(table.end);
    agreement(points(table, there, -1.0, n).swap_remove(table.end), &unit(), n)
}
