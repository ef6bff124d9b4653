//! The accelerations of a chain from the tensions of its rods, in O(n) operations.
//!
//! ```text
//! m_i x_i'' = m_i g - l_i q_i + l_{i+1} q_{i+1}           q_i·(x_i'' - x_{i-1}'') = -L_i |w_i|²
//!
//! d_i l_i + e_i l_{i+1} + e_{i-1} l_{i-1} = L_i |w_i|² s_i + [i=1] g·q_1
//! d_i = (1/m_i + 1/m_{i-1}) s_i (1/m_0 = 0)     e_i = -(q_i·q_{i+1})/m_i     s_i = |q_i|²
//! w_i' = (1/(L_i s_i)) q_i × ( (l_{i-1}/m_{i-1}) q_{i-1} + (l_{i+1}/m_i) q_{i+1} + [i=1] g )
//! ```
//!
//! The matrix of the tensions `l` is symmetric positive definite and weakly diagonally dominant:
//! no row exchanges are needed, and the result is as accurate as the data allow, also for a
//! thousand links, where dense solves lose five digits. The elimination starts from both ends and
//! meets in the middle, so that two quotients are under way at any time.
//!
//! On the spheres `s_i = 1` but for rounding. It is kept all the same: with it, an error of the
//! length of `q_i` scales a row and a column of the matrix; without it, the error would be that of
//! a nearly singular matrix where the chain is nearly straight, and runs of chains that crack like
//! a whip would lose two more digits.
use super::pendulum_chain::PendulumChain;
use lieflow::action::Link;
use lieflow::kernel::wide::{VectorWork, Vectors, pack, run_vectorised, unpack};
use lieflow::problem::spheres::Slot;
use lieflow::{Real, Vec3, vec3};

/// The row that was eliminated last on the way from one end to the middle.
#[derive(Clone, Copy)]
struct Row<S> {
    /// `1/d` of the eliminated system.
    inverse: S,
    /// `r` of the eliminated system.
    side: S,
    /// `e` that couples it with the next row.
    bond: S,
    /// `e/d`.
    ratio: S,
}

impl<S: Real> Row<S> {
    /// Where there is no row.
    fn none() -> Self {
        Self { inverse: S::zero(), side: S::zero(), bond: S::zero(), ratio: S::zero() }
    }
}

/// The equations of one chain.
#[derive(Clone, Copy)]
struct Rows<'a, S> {
    chain: &'a PendulumChain<S>,
    y: &'a [Link<S>],
}

impl<S: Real> Rows<'_, S> {
    /// `e_i`, between the rows `i` and `i + 1`.
    #[inline(always)]
    fn bond(self, i: usize) -> S {
        -(self.y[i].q.dot(self.y[i + 1].q) * self.chain.lightness[i])
    }
    /// `1/m_i + 1/m_{i-1}`.
    #[inline(always)]
    fn lightness(self, i: usize) -> S {
        let above = if i > 0 { self.chain.lightness[i - 1] } else { S::zero() };
        self.chain.lightness[i] + above
    }
    /// Diagonal and right-hand side of row `i`.
    #[inline(always)]
    fn row(self, i: usize) -> (S, S) {
        let link = &self.y[i];
        let s = link.q.norm_squared();
        let mut side = self.chain.lengths()[i] * link.omega.norm_squared() * s;
        if i == 0 {
            side += self.chain.gravity().dot(link.q);
        }
        (self.lightness(i) * s, side)
    }
    /// Takes row `i` after the row before it on the same side; `bond` leads on to the middle.
    #[inline(always)]
    fn take(self, i: usize, before: Row<S>, bond: S) -> Row<S> {
        let (diagonal, side) = self.row(i);
        let inverse = S::one() / (diagonal - before.bond * before.bond * before.inverse);
        Row { inverse, side: side - before.ratio * before.side, bond, ratio: bond * inverse }
    }
}

/// The row in which the eliminations meet.
#[inline(always)]
fn middle(n: usize) -> usize {
    n / 2
}

/// Factors the matrix and finds the tensions. The first vector of each slot becomes
/// `(1/d_i, l_i, e/d_i)`, with the `e` that leads towards the middle.
#[inline(always)]
fn solve<S: Real, O: Slot<S>>(chain: &PendulumChain<S>, y: &[Link<S>], out: &mut [O]) {
    let n = y.len();
    if n == 0 {
        return;
    }
    let rows = Rows { chain, y };
    let middle = middle(n);
    let (mut top, mut bottom) = (Row::none(), Row::none());
    for i in 0..middle {
        top = rows.take(i, top, rows.bond(i));
        out[i].set_first(vec3(top.inverse, top.side * top.inverse, top.ratio));
        let j = n - 1 - i;
        if j > middle {
            bottom = rows.take(j, bottom, rows.bond(j - 1));
            out[j].set_first(vec3(bottom.inverse, bottom.side * bottom.inverse, bottom.ratio));
        }
    }
    let (mut diagonal, mut side) = rows.row(middle);
    diagonal -= top.bond * top.bond * top.inverse + bottom.bond * bottom.bond * bottom.inverse;
    side -= top.ratio * top.side + bottom.ratio * bottom.side;
    let inverse = S::one() / diagonal;
    let (mut up, mut down) = (side * inverse, side * inverse);
    out[middle].set_first(vec3(inverse, up, S::zero()));
    for k in 1..=middle {
        let i = middle - k;
        let row = out[i].first();
        up = row.y - row.z * up;
        out[i].set_first(vec3(row.x, up, row.z));
        let j = middle + k;
        if j < n {
            let row = out[j].first();
            down = row.y - row.z * down;
            out[j].set_first(vec3(row.x, down, row.z));
        }
    }
}

/// `1/|q|²` where `|q|² = 1 + e`, up to `e²`: exact to rounding on the spheres, without a quotient.
#[inline(always)]
pub(super) fn inverse_square<S: Real>(q: Vec3<S>) -> S {
    S::lift(2.0) - q.norm_squared()
}

/// The angular accelerations, into the second vectors.
#[inline(always)]
pub(super) fn acceleration<S: Real, O: Slot<S>>(
    chain: &PendulumChain<S>,
    y: &[Link<S>],
    out: &mut [O],
) {
    run_vectorised::<S, _>(Accelerate { chain, y, out });
}

struct Accelerate<'a, S, O> {
    chain: &'a PendulumChain<S>,
    y: &'a [Link<S>],
    out: &'a mut [O],
}

impl<S: Real, O: Slot<S>> VectorWork for Accelerate<'_, S, O> {
    type Output = ();
    #[inline(always)]
    fn run<V: Vectors>(mut self) {
        solve(self.chain, self.y, self.out);
        let n = self.y.len();
        let mut i = 0;
        while i < n {
            // A pack needs a link above its first and below its last.
            if i > 0 && i + S::width::<V>() < n {
                self.several::<V>(i);
                i += S::width::<V>();
            } else {
                self.one(i);
                i += 1;
            }
        }
    }
}

impl<S: Real, O: Slot<S>> Accelerate<'_, S, O> {
    /// The acceleration of link `i`.
    #[inline(always)]
    fn one(&mut self, i: usize) {
        let Self { chain, y, out } = self;
        let tension = |k: usize| out[k].first().y;
        let mut pull = if i > 0 {
            y[i - 1].q.times(tension(i - 1) * chain.lightness[i - 1])
        } else {
            chain.gravity()
        };
        if i + 1 < y.len() {
            pull += y[i + 1].q.times(tension(i + 1) * chain.lightness[i]);
        }
        let q = y[i].q;
        out[i].set_second(q.cross(pull).times(chain.shortness[i] * inverse_square(q)));
    }
    /// The accelerations of a pack of links from `i` on, none of which is at an end.
    #[inline(always)]
    fn several<V: Vectors>(&mut self, i: usize) {
        let Self { chain, y, out } = self;
        let light = &chain.lightness[..];
        let above = directions::<S, V>(&y[i - 1..])
            .times(tensions::<S, O, V>(&out[i - 1..]) * numbers::<S, V>(&light[i - 1..]));
        let below = directions::<S, V>(&y[i + 1..])
            .times(tensions::<S, O, V>(&out[i + 1..]) * numbers::<S, V>(&light[i..]));
        let q = directions::<S, V>(&y[i..]);
        let scale = numbers::<S, V>(&chain.shortness[i..]) * inverse_square(q);
        let result = unpack::<S, V>(q.cross(above + below).times(scale));
        let mut k = 0;
        while k < S::width::<V>() {
            out[i + k].set_second(result[k]);
            k += 1;
        }
    }
}

/// The places of a pack in a list: four in a row, or four times the first.
#[inline(always)]
fn places<S: Real, V: Vectors>() -> [usize; 4] {
    let last = S::width::<V>() - 1;
    [0, last.min(1), last.min(2), last]
}

#[inline(always)]
fn directions<S: Real, V: Vectors>(y: &[Link<S>]) -> Vec3<S::Pack<V>> {
    let y = &y[..S::width::<V>()];
    let [a, b, c, d] = places::<S, V>();
    pack::<S, V>([y[a].q, y[b].q, y[c].q, y[d].q])
}

#[inline(always)]
fn tensions<S: Real, O: Slot<S>, V: Vectors>(slots: &[O]) -> S::Pack<V> {
    let slots = &slots[..S::width::<V>()];
    let [a, b, c, d] = places::<S, V>();
    S::pack::<V>([slots[a].first().y, slots[b].first().y, slots[c].first().y, slots[d].first().y])
}

#[inline(always)]
fn numbers<S: Real, V: Vectors>(list: &[S]) -> S::Pack<V> {
    let list = &list[..S::width::<V>()];
    let [a, b, c, d] = places::<S, V>();
    S::pack::<V>([list[a], list[b], list[c], list[d]])
}

/// The derivative of the accelerations in the direction `dy`, into the second vectors: the same
/// factorisation, once for the tensions and once for their derivatives.
pub(super) fn acceleration_derivative<S: Real, O: Slot<S>>(
    chain: &PendulumChain<S>,
    y: &[Link<S>],
    dy: &[Link<S>],
    out: &mut [O],
) {
    solve(chain, y, out);
    let n = y.len();
    let rows = Rows { chain, y };
    let tension = |out: &[O], i: usize| out[i].first().y;
    // The right-hand sides for the derivatives of the tensions, in the second vectors.
    for i in 0..n {
        let (s, ds) = (y[i].q.norm_squared(), y[i].q.dot(dy[i].q) * 2.0);
        let spin = y[i].omega.norm_squared() * ds + y[i].omega.dot(dy[i].omega) * s * 2.0;
        let mut r = chain.lengths()[i] * spin - rows.lightness(i) * ds * tension(out, i);
        if i == 0 {
            r += chain.gravity().dot(dy[0].q);
        } else {
            let turned = y[i - 1].q.dot(dy[i].q) + dy[i - 1].q.dot(y[i].q);
            r += turned * chain.lightness[i - 1] * tension(out, i - 1);
        }
        if i + 1 < n {
            let turned = y[i].q.dot(dy[i + 1].q) + dy[i].q.dot(y[i + 1].q);
            r += turned * chain.lightness[i] * tension(out, i + 1);
        }
        out[i].set_second(vec3(r, S::zero(), S::zero()));
    }
    solve_again(out);
    // Differentiate the accelerations.
    let mut above = (chain.gravity(), Vec3::zero());
    for i in 0..n {
        let here = (tension(out, i), out[i].second().x);
        let (mut pull, mut dpull) = above;
        if i + 1 < n {
            let below = (tension(out, i + 1), out[i + 1].second().x);
            let light = chain.lightness[i];
            pull += y[i + 1].q.times(below.0 * light);
            dpull += y[i + 1].q.times(below.1 * light) + dy[i + 1].q.times(below.0 * light);
            above = (
                y[i].q.times(here.0 * light),
                y[i].q.times(here.1 * light) + dy[i].q.times(here.0 * light),
            );
        }
        let turned = dy[i].q.cross(pull) + y[i].q.cross(dpull);
        let scaled = turned.times(inverse_square(y[i].q))
            - y[i].q.cross(pull).times(y[i].q.dot(dy[i].q)) * 2.0;
        out[i].set_second(scaled.times(chain.shortness[i]));
    }
}

/// Solves with the matrix that [`solve`] has factored; the right-hand side and the solution are the
/// first numbers of the second vectors.
fn solve_again<S: Real, O: Slot<S>>(out: &mut [O]) {
    let n = out.len();
    if n == 0 {
        return;
    }
    let middle = middle(n);
    // Row `i` takes its part of row `from`, which lies further out.
    let take = |out: &mut [O], i: usize, from: usize| {
        let part = out[from].first().z * out[from].second().x;
        let rest = out[i].second().x - part;
        out[i].set_second(vec3(rest, S::zero(), S::zero()));
    };
    for i in 1..=middle {
        take(out, i, i - 1);
    }
    for j in (middle..n - 1).rev() {
        take(out, j, j + 1);
    }
    for o in out.iter_mut() {
        o.set_second(vec3(o.second().x * o.first().x, S::zero(), S::zero()));
    }
    let give = |out: &mut [O], i: usize, from: usize| {
        let part = out[i].first().z * out[from].second().x;
        let rest = out[i].second().x - part;
        out[i].set_second(vec3(rest, S::zero(), S::zero()));
    };
    for i in (0..middle).rev() {
        give(out, i, i + 1);
    }
    for j in middle + 1..n {
        give(out, j, j - 1);
    }
}
