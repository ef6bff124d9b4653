//! The slopes of a chain in a chart of its motions, `dphi_u^{-1} f(phi(u)·y)`, links side by side.
//!
//! The equations are those of the module `tensions`, and so are the operations and their order: in the exponential chart
//! the bits are the same. In the stereographic one the accelerations need not be made motions first. What differs is the way through memory. Links are read once and kept in blocks of four,
//! from which packs are read without being gathered; moved, coupled, solved for, accelerated and pulled
//! back in two passes, where one after the other would take six.
use super::pendulum_chain::PendulumChain;
use super::row::Row;
use super::tensions::inverse_square;
use lieflow::action::{Action, Link, TangentSphere, stereographic};
use lieflow::chart::Chart;
use lieflow::group::{LieGroup, Se3, Twist};
use lieflow::kernel::wide::{VectorWork, Vectors, pack_two, run_with_more_registers, unpack_two};
use lieflow::{Real, Vec3, vec3};

/// Three numbers of each of four links.
type Rows<S> = [Row<S>; 3];

/// The constants of four links.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rods<S> {
    /// `1/m_i`.
    pub(super) light: Row<S>,
    /// `1/m_i + 1/m_{i-1}`.
    pub(super) joint: Row<S>,
    /// `L_i`.
    pub(super) length: Row<S>,
    /// `1/L_i`.
    pub(super) short: Row<S>,
}

impl<S: Real> Rods<S> {
    /// Those of a chain. Links that fill up the last block have no length.
    pub(super) fn of(lightness: &[S], lengths: &[S], shortness: &[S]) -> Vec<Self> {
        let blocks = (0..lightness.len()).step_by(4).map(|first| {
            let four = |beyond: S, value: &dyn Fn(usize) -> S| {
                Row(core::array::from_fn(|l| {
                    let i = first + l;
                    if i < lightness.len() { value(i) } else { beyond }
                }))
            };
            let above = |i: usize| if i > 0 { lightness[i - 1] } else { S::zero() };
            Self {
                light: four(S::one(), &|i| lightness[i]),
                joint: four(S::one(), &|i| lightness[i] + above(i)),
                length: four(S::zero(), &|i| lengths[i]),
                short: four(S::one(), &|i| shortness[i]),
            }
        });
        blocks.collect()
    }
}

/// Four links of a moved chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<S> {
    /// By what they are moved; its linear part, or in the stereographic chart the directions where they start.
    angular: Rows<S>,
    linear: Rows<S>,
    /// `m` of that chart.
    stretch: Row<S>,
    q: Rows<S>,
    omega: Rows<S>,
    /// `d_i`.
    diagonal: Row<S>,
    /// The right-hand sides, then the tensions.
    tension: Row<S>,
    /// `e_i`, then that towards the middle, over what is left of `d_i`.
    bond: Row<S>,
}

impl<S: Real> Block<S> {
    /// Beyond the end of a chain: a direction that adds nothing, not even the sign of a zero.
    fn end() -> Self {
        let (zero, none) = ([Row::zero(); 3], [Row([-S::zero(); 4]); 3]);
        let one = Row([S::one(); 4]);
        Self {
            angular: zero,
            linear: zero,
            stretch: one,
            q: none,
            omega: zero,
            diagonal: one,
            tension: one,
            bond: one,
        }
    }
}

/// Chains of so many links are one block, which is on the stack.
const FEW: usize = 4;

/// The slopes, in the exponential or the stereographic chart. Nothing is done, and the answer is no, in another one, and
/// unless there is something for each link.
#[inline(always)]
pub(super) fn slopes<S: Real>(
    chain: &PendulumChain<S>,
    chart: Chart,
    u: &[Twist<S>],
    y: &[Link<S>],
    out: &mut [Twist<S>],
) -> bool {
    let n = chain.lengths().len();
    // Not as a list: that would be written to memory and read before it is there.
    if n == 0 || u.len() != n || y.len() != n || out.len() != n {
        return false;
    }
    match chart {
        Chart::Exp => with_blocks::<S, false>(chain, u, y, out),
        Chart::Stereographic => with_blocks::<S, true>(chain, u, y, out),
        _ => return false,
    }
    true
}

#[inline(always)]
fn with_blocks<S: Real, const STEREOGRAPHIC: bool>(
    chain: &PendulumChain<S>,
    u: &[Twist<S>],
    y: &[Link<S>],
    out: &mut [Twist<S>],
) {
    let n = chain.lengths().len();
    if STEREOGRAPHIC && n <= FEW {
        run_with_more_registers::<S, _>(Slopes::<S, STEREOGRAPHIC> {
            chain,
            u,
            y,
            out,
            blocks: &mut [],
        });
        return;
    }
    if n <= FEW {
        let blocks = &mut [Block::end()];
        run_with_more_registers::<S, _>(Slopes::<S, STEREOGRAPHIC> { chain, u, y, out, blocks });
        return;
    }
    chain.blocks.lend(|blocks| {
        blocks.resize(n.div_ceil(4), Block::end());
        run_with_more_registers::<S, _>(Slopes::<S, STEREOGRAPHIC> { chain, u, y, out, blocks });
    });
}

struct Slopes<'a, S, const STEREOGRAPHIC: bool> {
    chain: &'a PendulumChain<S>,
    u: &'a [Twist<S>],
    y: &'a [Link<S>],
    out: &'a mut [Twist<S>],
    blocks: &'a mut [Block<S>],
}

impl<S: Real, const STEREOGRAPHIC: bool> VectorWork for Slopes<'_, S, STEREOGRAPHIC> {
    type Output = ();
    #[inline(always)]
    fn run<V: Vectors>(self) {
        let Self { chain, u, y, out, blocks } = self;
        if STEREOGRAPHIC && blocks.is_empty() {
            return slope_few::<S, V>(chain, u, y, out);
        }
        tense::<S, V, STEREOGRAPHIC>(chain, u, y, blocks);
        slope_all::<S, V, STEREOGRAPHIC>(chain, blocks, out);
    }
}

/// Moves all links and finds the tensions of their rods.
#[inline(always)]
fn tense<S: Real, V: Vectors, const STEREOGRAPHIC: bool>(
    chain: &PendulumChain<S>,
    u: &[Twist<S>],
    y: &[Link<S>],
    blocks: &mut [Block<S>],
) {
    let rods = &chain.rods[..blocks.len()];
    let mut b = 0;
    while b < blocks.len() {
        let (by, from, full) = four(&u[4 * b..], &y[4 * b..]);
        arrive::<S, V, STEREOGRAPHIC>(&rods[b], by, from, full, &mut blocks[b]);
        if b > 0 {
            let next = blocks[b].q;
            couple::<S, V>(&rods[b - 1], &mut blocks[b - 1], &next);
        }
        b += 1;
    }
    let end = [Row([-S::zero(); 4]); 3];
    couple::<S, V>(&rods[b - 1], &mut blocks[b - 1], &end);
    let first = &mut blocks[0];
    first.tension.0[0] += chain.gravity().dot(one(&first.q, 0));
    solve(blocks, y.len());
}

/// The first four links, of which there is one at least, and by what they are moved; whether there are so many.
#[inline(always)]
pub(super) fn four<'a, S>(
    u: &'a [Twist<S>],
    y: &'a [Link<S>],
) -> ([&'a Twist<S>; 4], [&'a Link<S>; 4], bool) {
    if let Some(([a, b, c, d], [e, f, g, h])) = u.first_chunk::<4>().zip(y.first_chunk::<4>()) {
        return ([a, b, c, d], [e, f, g, h], true);
    }
    // The last link takes the places that are left.
    let last = y.len().min(u.len()) - 1;
    let (second, third) = (last.min(1), last.min(2));
    ([&u[0], &u[second], &u[third], &u[last]], [&y[0], &y[second], &y[third], &y[last]], false)
}

/// The slopes of a chain of one block in the stereographic chart, whose numbers need not go through memory.
#[inline(always)]
fn slope_few<S: Real, V: Vectors>(
    chain: &PendulumChain<S>,
    u: &[Twist<S>],
    y: &[Link<S>],
    out: &mut [Twist<S>],
) {
    let [rods, ..] = &chain.rods[..] else { return };
    let g = chain.gravity();
    let (mut block, end) = (Block::end(), Block::end());
    let (by, from, full) = four(u, y);
    arrive::<S, V, true>(rods, by, from, full, &mut block);
    couple::<S, V>(rods, &mut block, &end.q);
    let side = block.tension.0[0] + g.dot(one(&block.q, 0));
    let [_, r1, r2, r3] = block.tension.0;
    block.tension = Row(solve_few(block.diagonal.0, [side, r1, r2, r3], block.bond.0));
    let above = vec3(S::pack::<V>([g.x; 4]), S::pack::<V>([g.y; 4]), S::pack::<V>([g.z; 4]));
    slope::<S, V, true>(rods, &block, &end, above, out);
}

/// Four tensions from both ends, with one quotient after the other at no time: rows are multiplied by what they would be divided
/// by. Rows that are not there have a one and zeros.
///
/// ```text
/// D1 = d0 d1 - e0²    R1 = d0 r1 - e0 r0    D2 = d3 d2 - e2²    R2 = d3 r2 - e2 r3
/// D1 l1 + e1 d0 l2 = R1      e1 d3 l1 + D2 l2 = R2      d0 l0 = r0 - e0 l1      d3 l3 = r3 - e2 l2
/// ```
#[inline(always)]
pub(super) fn solve_few<S: Real>(
    [d0, d1, d2, d3]: [S; 4],
    [r0, r1, r2, r3]: [S; 4],
    e: [S; 4],
) -> [S; 4] {
    let [e0, e1, e2, _] = e;
    let (upper, lower) = (d0 * d1 - e0 * e0, d3 * d2 - e2 * e2);
    let (first, second) = (d0 * r1 - e0 * r0, d3 * r2 - e2 * r3);
    let (over, under) = (e1 * d0, e1 * d3);
    let share = S::one() / (upper * lower - over * under);
    let (top, bottom) = (S::one() / d0, S::one() / d3);
    let (l1, l2) =
        ((first * lower - over * second) * share, (upper * second - under * first) * share);
    [(r0 - e0 * l1) * top, l1, l2, (r3 - e2 * l2) * bottom]
}

/// The slopes of all links.
#[inline(always)]
fn slope_all<S: Real, V: Vectors, const STEREOGRAPHIC: bool>(
    chain: &PendulumChain<S>,
    blocks: &[Block<S>],
    out: &mut [Twist<S>],
) {
    let g = chain.gravity();
    let mut above = vec3(S::pack::<V>([g.x; 4]), S::pack::<V>([g.y; 4]), S::pack::<V>([g.z; 4]));
    let end = Block::end();
    let mut b = 0;
    while b < blocks.len() {
        let next = if b + 1 < blocks.len() { &blocks[b + 1] } else { &end };
        let (rods, out) = (&chain.rods[b], &mut out[4 * b..]);
        above = slope::<S, V, STEREOGRAPHIC>(rods, &blocks[b], next, above, out);
        b += 1;
    }
}

#[inline(always)]
pub(super) fn one<S: Real>([x, y, z]: &Rows<S>, l: usize) -> Vec3<S> {
    vec3(x.0[l], y.0[l], z.0[l])
}

/// The vectors of a pack.
#[inline(always)]
fn get<S: Real, V: Vectors>([x, y, z]: &Rows<S>, v: usize) -> Vec3<S::Pack<V>> {
    vec3(x.get::<V>(v), y.get::<V>(v), z.get::<V>(v))
}

#[inline(always)]
fn set<S: Real, V: Vectors>([x, y, z]: &mut Rows<S>, v: usize, wide: Vec3<S::Pack<V>>) {
    x.set::<V>(v, wide.x);
    y.set::<V>(v, wide.y);
    z.set::<V>(v, wide.z);
}

/// The numbers of the links below those of a pack.
#[inline(always)]
fn below<S: Real, V: Vectors>(here: &Row<S>, next: &Row<S>, v: usize) -> S::Pack<V> {
    let ([_, b, c, d], [e, ..]) = (here.0, next.0);
    if S::width::<V>() == 4 {
        return S::pack::<V>([b, c, d, e]);
    }
    S::pack::<V>([[b, c, d, e][v]; 4])
}

#[inline(always)]
fn all_below<S: Real, V: Vectors>(
    [x, y, z]: &Rows<S>,
    [next_x, next_y, next_z]: &Rows<S>,
    v: usize,
) -> Vec3<S::Pack<V>> {
    vec3(below::<S, V>(x, next_x, v), below::<S, V>(y, next_y, v), below::<S, V>(z, next_z, v))
}

/// The numbers one place earlier: the last of one pack, then all but the last of the next.
#[inline(always)]
fn later<S: Real, V: Vectors>(before: S::Pack<V>, here: S::Pack<V>) -> S::Pack<V> {
    if S::width::<V>() == 1 {
        return before;
    }
    let ([.., d], [e, f, g, _]) = (S::unpack::<V>(before), S::unpack::<V>(here));
    S::pack::<V>([d, e, f, g])
}

/// Moves the links of a block and forms the rows of their equations. Where it is not full, the last link is
/// there several times.
#[inline(always)]
fn arrive<S: Real, V: Vectors, const STEREOGRAPHIC: bool>(
    rods: &Rods<S>,
    u: [&Twist<S>; 4],
    y: [&Link<S>; 4],
    full: bool,
    block: &mut Block<S>,
) {
    let mut v = 0;
    while v < 4 {
        // Where one makes a pack, the others are not looked at.
        let (a, b, c, d) = (v, (v + 1).min(3), (v + 2).min(3), (v + 3).min(3));
        let (angular, linear) = pack_two::<S, V>([
            (u[a].angular, u[a].linear),
            (u[b].angular, u[b].linear),
            (u[c].angular, u[c].linear),
            (u[d].angular, u[d].linear),
        ]);
        let (q, omega) = pack_two::<S, V>([
            (y[a].q, y[a].omega),
            (y[b].q, y[b].omega),
            (y[c].q, y[c].omega),
            (y[d].q, y[d].omega),
        ]);
        let (by, from) = (Twist { angular, linear }, Link { q, omega });
        let mut to = from;
        if STEREOGRAPHIC {
            let stretch;
            (to, stretch) = stereographic::advance(&by, &from);
            block.stretch.set::<V>(v, stretch);
        } else {
            TangentSphere::<S::Pack<V>>::advance(Chart::Exp, &by, &from, &mut to);
        }
        let length = rods.length.get::<V>(v);
        if !full {
            // Beyond the last link there is a direction that adds nothing, not even the sign of a zero.
            let (zero, real) = (S::Pack::<V>::zero(), S::Pack::<V>::zero().lt(length));
            to.q = Vec3::select(real, to.q, vec3(-zero, -zero, -zero));
        }
        set::<S, V>(&mut block.angular, v, by.angular);
        set::<S, V>(&mut block.linear, v, if STEREOGRAPHIC { from.q } else { by.linear });
        set::<S, V>(&mut block.q, v, to.q);
        set::<S, V>(&mut block.omega, v, to.omega);
        let s = to.q.norm_squared();
        let mut diagonal = rods.joint.get::<V>(v) * s;
        if STEREOGRAPHIC && !full {
            diagonal = S::Pack::<V>::select(
                S::Pack::<V>::zero().lt(length),
                diagonal,
                S::Pack::<V>::one(),
            );
        }
        block.diagonal.set::<V>(v, diagonal);
        block.tension.set::<V>(v, length * to.omega.norm_squared() * s);
        v += S::width::<V>();
    }
}

/// The bonds of the links of a block with those below them.
#[inline(always)]
fn couple<S: Real, V: Vectors>(rods: &Rods<S>, block: &mut Block<S>, next: &Rows<S>) {
    let mut v = 0;
    while v < 4 {
        let cosine = get::<S, V>(&block.q, v).dot(all_below::<S, V>(&block.q, next, v));
        block.bond.set::<V>(v, -(cosine * rods.light.get::<V>(v)));
        v += S::width::<V>();
    }
}

/// The row that was eliminated last on the way from one end to the middle.
#[derive(Clone, Copy)]
struct Last<S> {
    /// `1/d` of the eliminated system.
    inverse: S,
    /// `r` of the eliminated system.
    side: S,
    /// `e` that couples it with the next row.
    bond: S,
    /// `e/d`.
    ratio: S,
}

impl<S: Real> Last<S> {
    /// Where there is no row.
    #[inline(always)]
    fn none() -> Self {
        let zero = S::zero();
        Self { inverse: zero, side: zero, bond: zero, ratio: zero }
    }

    /// Takes row `l` of a block after this one; `bond` leads on to the middle.
    #[inline(always)]
    fn take(self, block: &mut Block<S>, l: usize, bond: S) -> Self {
        let inverse = S::one() / (block.diagonal.0[l] - self.bond * self.bond * self.inverse);
        let side = block.tension.0[l] - self.ratio * self.side;
        let ratio = bond * inverse;
        block.tension.0[l] = side * inverse;
        block.bond.0[l] = ratio;
        Self { inverse, side, bond, ratio }
    }

    /// Takes the rows of a block from above.
    #[inline(always)]
    fn take_down(self, block: &mut Block<S>) -> Self {
        let Row([a, b, c, d]) = block.bond;
        self.take(block, 0, a).take(block, 1, b).take(block, 2, c).take(block, 3, d)
    }

    /// Takes the rows of a block from below; `bond` is that with the block above.
    #[inline(always)]
    fn take_up(self, block: &mut Block<S>, bond: S) -> Self {
        let Row([a, b, c, _]) = block.bond;
        self.take(block, 3, c).take(block, 2, b).take(block, 1, a).take(block, 0, bond)
    }
}

/// Finds the tensions of `n` rods, from both ends to the middle and back. Blocks are taken whole where they
/// can be: then the places of their numbers are known, and nothing but the quotients takes time.
#[inline(always)]
fn solve<S: Real>(blocks: &mut [Block<S>], n: usize) {
    let middle = n / 2;
    let (mut top, mut bottom) = (Last::none(), Last::none());
    let (mut i, mut j) = (0, n - 1);
    while i < middle || j > middle {
        if i + 4 <= middle {
            top = top.take_down(&mut blocks[i / 4]);
            i += 4;
        } else if i < middle {
            let bond = blocks[i / 4].bond.0[i % 4];
            top = top.take(&mut blocks[i / 4], i % 4, bond);
            i += 1;
        }
        if j % 4 == 3 && j > middle + 3 {
            let bond = blocks[j / 4 - 1].bond.0[3];
            bottom = bottom.take_up(&mut blocks[j / 4], bond);
            j -= 4;
        } else if j > middle {
            let bond = blocks[(j - 1) / 4].bond.0[(j - 1) % 4];
            bottom = bottom.take(&mut blocks[j / 4], j % 4, bond);
            j -= 1;
        }
    }
    let block = &mut blocks[middle / 4];
    let (mut diagonal, mut side) = (block.diagonal.0[middle % 4], block.tension.0[middle % 4]);
    diagonal -= top.bond * top.bond * top.inverse + bottom.bond * bottom.bond * bottom.inverse;
    side -= top.ratio * top.side + bottom.ratio * bottom.side;
    let mut up = side * (S::one() / diagonal);
    let mut down = up;
    block.tension.0[middle % 4] = up;
    (i, j) = (middle, middle + 1);
    while i > 0 || j < n {
        if i % 4 == 0 && i > 0 {
            up = back_four(&mut blocks[i / 4 - 1], [3, 2, 1, 0], up);
            i -= 4;
        } else if i > 0 {
            i -= 1;
            up = back(&mut blocks[i / 4], i % 4, up);
        }
        if j % 4 == 0 && j + 4 <= n {
            down = back_four(&mut blocks[j / 4], [0, 1, 2, 3], down);
            j += 4;
        } else if j < n {
            down = back(&mut blocks[j / 4], j % 4, down);
            j += 1;
        }
    }
}

/// The tensions in a whole block, in this order.
#[inline(always)]
fn back_four<S: Real>(block: &mut Block<S>, [a, b, c, d]: [usize; 4], next: S) -> S {
    let first = back(block, a, next);
    let second = back(block, b, first);
    let third = back(block, c, second);
    back(block, d, third)
}

/// The tension in a row from that in the next one towards the middle.
#[inline(always)]
fn back<S: Real>(block: &mut Block<S>, l: usize, next: S) -> S {
    let tension = block.tension.0[l] - block.bond.0[l] * next;
    block.tension.0[l] = tension;
    tension
}

/// The slopes of the links of a block. `above` is the pull of the links above it, in its last place, and
/// that of its own links on those below is returned.
#[inline(always)]
fn slope<S: Real, V: Vectors, const STEREOGRAPHIC: bool>(
    rods: &Rods<S>,
    block: &Block<S>,
    next: &Block<S>,
    mut above: Vec3<S::Pack<V>>,
    out: &mut [Twist<S>],
) -> Vec3<S::Pack<V>> {
    let mut v = 0;
    while v < 4 {
        let (q, light) = (get::<S, V>(&block.q, v), rods.light.get::<V>(v));
        let own = q.times(block.tension.get::<V>(v) * light);
        let lower = below::<S, V>(&block.tension, &next.tension, v) * light;
        let pull = vec3(
            later::<S, V>(above.x, own.x),
            later::<S, V>(above.y, own.y),
            later::<S, V>(above.z, own.z),
        ) + all_below::<S, V>(&block.q, &next.q, v).times(lower);
        let turn = q.cross(pull).times(rods.short.get::<V>(v) * inverse_square(q));
        let (angular, linear) = (get::<S, V>(&block.angular, v), get::<S, V>(&block.linear, v));
        let omega = get::<S, V>(&block.omega, v);
        let mut field = Twist { angular: omega, linear: turn };
        if STEREOGRAPHIC {
            let (stretch, end) = (block.stretch.get::<V>(v), Link { q, omega });
            field = stereographic::slope(angular, linear, stretch, &end, turn);
        } else {
            field.linear = q.cross(turn);
            Se3::<S::Pack<V>>::pull(Chart::Exp, &Twist { angular, linear }, &mut field);
        }
        let four = unpack_two::<S, V>((field.angular, field.linear));
        if S::width::<V>() == 4 {
            write(four, out);
        } else if let Some(out) = out.get_mut(v) {
            (out.angular, out.linear) = four[0];
        }
        above = own;
        v += S::width::<V>();
    }
    above
}

/// Writes four slopes, or as many as there are links. Word by word, so that they stay in registers.
#[inline(always)]
pub(super) fn write<S: Real>([e, f, g, h]: [(Vec3<S>, Vec3<S>); 4], out: &mut [Twist<S>]) {
    if let Some(a) = out.first_mut() {
        (a.angular, a.linear) = e;
    }
    if let Some(b) = out.get_mut(1) {
        (b.angular, b.linear) = f;
    }
    if let Some(c) = out.get_mut(2) {
        (c.angular, c.linear) = g;
    }
    if let Some(d) = out.get_mut(3) {
        (d.angular, d.linear) = h;
    }
}
