//! The slopes of a chain in the chart of its motions, `dexp_u^{-1} f(exp(u)·y)`, links side by side.
//!
//! The equations are those of the module `tensions`, and so are the operations and their order: the bits
//! are the same. What differs is the way through memory. Links are read once and kept in blocks of four,
//! from which packs are read without being gathered; moved, coupled, solved for, accelerated and pulled
//! back in two passes, where one after the other would take six.
use super::pendulum_chain::PendulumChain;
use super::row::Row;
use super::tensions::inverse_square;
use lieflow::action::{Action, Link, TangentSphere};
use lieflow::chart::Chart;
use lieflow::group::{LieGroup, Se3, Twist};
use lieflow::kernel::wide::{VectorWork, Vectors, pack, run_vectorised, unpack};
use lieflow::{Real, Vec3, vec3};

/// Three numbers of each of four links.
type Rows<S> = [Row<S>; 3];

/// The constants of four links.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rods<S> {
    /// `1/m_i`.
    light: Row<S>,
    /// `1/m_i + 1/m_{i-1}`.
    joint: Row<S>,
    /// `L_i`.
    length: Row<S>,
    /// `1/L_i`.
    short: Row<S>,
}

impl<S: Real> Rods<S> {
    /// Those of a chain. Links that fill up the last block have mass and length one.
    pub(super) fn of(lightness: &[S], lengths: &[S], shortness: &[S]) -> Vec<Self> {
        let blocks = (0..lightness.len()).step_by(4).map(|first| {
            let four = |value: &dyn Fn(usize) -> S| {
                Row(core::array::from_fn(|l| {
                    let i = first + l;
                    if i < lightness.len() { value(i) } else { S::one() }
                }))
            };
            let above = |i: usize| if i > 0 { lightness[i - 1] } else { S::zero() };
            Self {
                light: four(&|i| lightness[i]),
                joint: four(&|i| lightness[i] + above(i)),
                length: four(&|i| lengths[i]),
                short: four(&|i| shortness[i]),
            }
        });
        blocks.collect()
    }
}

/// Four links of a moved chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<S> {
    /// By what they are moved.
    angular: Rows<S>,
    linear: Rows<S>,
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
            q: none,
            omega: zero,
            diagonal: one,
            tension: one,
            bond: one,
        }
    }
}

/// Chains of so many links have their blocks on the stack.
const FEW: usize = 4;

/// The slopes, in the exponential chart.
#[inline(always)]
pub(super) fn slopes<S: Real>(
    chain: &PendulumChain<S>,
    u: &[Twist<S>],
    y: &[Link<S>],
    out: &mut [Twist<S>],
) {
    if y.len() <= FEW {
        let blocks = &mut [Block::end()];
        run_vectorised::<S, _>(Slopes { chain, u, y, out, blocks });
        return;
    }
    chain.blocks.lend(|blocks| {
        blocks.resize(y.len().div_ceil(4), Block::end());
        run_vectorised::<S, _>(Slopes { chain, u, y, out, blocks });
    });
}

struct Slopes<'a, S> {
    chain: &'a PendulumChain<S>,
    u: &'a [Twist<S>],
    y: &'a [Link<S>],
    out: &'a mut [Twist<S>],
    blocks: &'a mut [Block<S>],
}

impl<S: Real> VectorWork for Slopes<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run<V: Vectors>(self) {
        let Self { chain, u, y, out, blocks } = self;
        let n = y.len().min(u.len()).min(out.len());
        let rods = &chain.rods[..];
        if n == 0 || blocks.len() * 4 < n || rods.len() < blocks.len() {
            return;
        }
        let mut b = 0;
        while b < blocks.len() {
            arrive::<S, V>(&rods[b], &u[..n], &y[..n], &mut blocks[b], 4 * b);
            if b > 0 {
                let next = blocks[b].q;
                couple::<S, V>(&rods[b - 1], &mut blocks[b - 1], &next);
            }
            b += 1;
        }
        let end = Block::end();
        couple::<S, V>(&rods[b - 1], &mut blocks[b - 1], &end.q);
        let first = &mut blocks[0];
        first.tension.0[0] += chain.gravity().dot(one(&first.q, 0));
        solve(blocks, n);
        // Beyond the last link nothing pulls.
        if let Some(last) = blocks.get_mut(n / 4) {
            put(&mut last.q, n % 4, one(&end.q, 0));
            last.tension.0[n % 4] = S::one();
        }
        let g = chain.gravity();
        let mut above =
            vec3(S::pack::<V>([g.x; 4]), S::pack::<V>([g.y; 4]), S::pack::<V>([g.z; 4]));
        b = 0;
        while b < blocks.len() {
            let next = if b + 1 < blocks.len() { &blocks[b + 1] } else { &end };
            let i = 4 * b;
            above = slope::<S, V>(&rods[b], &blocks[b], next, above, &mut out[i..n]);
            b += 1;
        }
    }
}

#[inline(always)]
fn one<S: Real>([x, y, z]: &Rows<S>, l: usize) -> Vec3<S> {
    vec3(x.0[l], y.0[l], z.0[l])
}

#[inline(always)]
fn put<S: Real>([x, y, z]: &mut Rows<S>, l: usize, v: Vec3<S>) {
    x.0[l] = v.x;
    y.0[l] = v.y;
    z.0[l] = v.z;
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

/// Moves the links of a block, from `i` on, and forms the rows of their equations.
#[inline(always)]
fn arrive<S: Real, V: Vectors>(
    rods: &Rods<S>,
    u: &[Twist<S>],
    y: &[Link<S>],
    block: &mut Block<S>,
    i: usize,
) {
    let mut v = 0;
    while v < 4 {
        let last = y.len().min(u.len()) - 1;
        let (a, b, c, d) = (
            (i + v).min(last),
            (i + v + 1).min(last),
            (i + v + 2).min(last),
            (i + v + 3).min(last),
        );
        let by = Twist {
            angular: pack::<S, V>([u[a].angular, u[b].angular, u[c].angular, u[d].angular]),
            linear: pack::<S, V>([u[a].linear, u[b].linear, u[c].linear, u[d].linear]),
        };
        let from = Link {
            q: pack::<S, V>([y[a].q, y[b].q, y[c].q, y[d].q]),
            omega: pack::<S, V>([y[a].omega, y[b].omega, y[c].omega, y[d].omega]),
        };
        let mut to = from;
        TangentSphere::<S::Pack<V>>::advance(Chart::Exp, &by, &from, &mut to);
        set::<S, V>(&mut block.angular, v, by.angular);
        set::<S, V>(&mut block.linear, v, by.linear);
        set::<S, V>(&mut block.q, v, to.q);
        set::<S, V>(&mut block.omega, v, to.omega);
        let s = to.q.norm_squared();
        block.diagonal.set::<V>(v, rods.joint.get::<V>(v) * s);
        block.tension.set::<V>(v, rods.length.get::<V>(v) * to.omega.norm_squared() * s);
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

/// Takes row `i` after the one before it on the same side; `bond` leads on to the middle.
#[inline(always)]
fn take<S: Real>(blocks: &mut [Block<S>], i: usize, before: Last<S>, bond: S) -> Last<S> {
    let (block, l) = (&mut blocks[i / 4], i % 4);
    let inverse = S::one() / (block.diagonal.0[l] - before.bond * before.bond * before.inverse);
    let side = block.tension.0[l] - before.ratio * before.side;
    let ratio = bond * inverse;
    block.tension.0[l] = side * inverse;
    block.bond.0[l] = ratio;
    Last { inverse, side, bond, ratio }
}

/// Finds the tensions of `n` rods, from both ends to the middle and back.
#[inline(always)]
fn solve<S: Real>(blocks: &mut [Block<S>], n: usize) {
    let zero = S::zero();
    let mut top = Last { inverse: zero, side: zero, bond: zero, ratio: zero };
    let mut bottom = top;
    let middle = n / 2;
    let mut i = 0;
    while i < middle {
        top = take(blocks, i, top, blocks[i / 4].bond.0[i % 4]);
        let j = n - 1 - i;
        if j > middle {
            bottom = take(blocks, j, bottom, blocks[(j - 1) / 4].bond.0[(j - 1) % 4]);
        }
        i += 1;
    }
    let block = &mut blocks[middle / 4];
    let (mut diagonal, mut side) = (block.diagonal.0[middle % 4], block.tension.0[middle % 4]);
    diagonal -= top.bond * top.bond * top.inverse + bottom.bond * bottom.bond * bottom.inverse;
    side -= top.ratio * top.side + bottom.ratio * bottom.side;
    let mut up = side * (S::one() / diagonal);
    let mut down = up;
    block.tension.0[middle % 4] = up;
    let mut k = 1;
    while k <= middle {
        let i = middle - k;
        up = back(&mut blocks[i / 4], i % 4, up);
        let j = middle + k;
        if j < n {
            down = back(&mut blocks[j / 4], j % 4, down);
        }
        k += 1;
    }
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
fn slope<S: Real, V: Vectors>(
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
        let by = Twist {
            angular: get::<S, V>(&block.angular, v),
            linear: get::<S, V>(&block.linear, v),
        };
        let mut field = Twist { angular: get::<S, V>(&block.omega, v), linear: q.cross(turn) };
        Se3::<S::Pack<V>>::pull(Chart::Exp, &by, &mut field);
        let (angular, linear) = (unpack::<S, V>(field.angular), unpack::<S, V>(field.linear));
        let mut k = 0;
        while k < S::width::<V>() && v + k < out.len() {
            out[v + k] = Twist { angular: angular[k], linear: linear[k] };
            k += 1;
        }
        above = own;
        v += S::width::<V>();
    }
    above
}
