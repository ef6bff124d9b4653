//! The field of dipoles at any positions, every pair once.
//!
//! ```text
//! F_i = nu_i sum_{j≠i} p_j/|r|³ - 3 (p_j·r) r/|r|⁵          p_j = (mu0/4pi) nu_j q_j
//! ```
//!
//! Row by row, with the partners of the row side by side in blocks of four: those of its own block
//! one by one, the others in packs. The last block is filled up with dipoles of no moment.
use super::row::Row;
use super::{MAGNETIC_CONSTANT, Receiver};
use lieflow::action::Link;
use lieflow::kernel::wide::{VectorWork, Vectors, run_vectorised, unpack};
use lieflow::{Real, Vec3, vec3};

/// The positions of four dipoles.
type Place<S> = [Row<S>; 3];

/// Moments and fields of four dipoles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<S> {
    p: [Row<S>; 3],
    f: [Row<S>; 3],
}

/// The vector of one dipole in a block.
#[inline(always)]
fn one<S: Real>([x, y, z]: &[Row<S>; 3], l: usize) -> Vec3<S> {
    vec3(x.0[l], y.0[l], z.0[l])
}

#[inline(always)]
fn put<S: Real>([x, y, z]: &mut [Row<S>; 3], l: usize, v: Vec3<S>) {
    x.0[l] = v.x;
    y.0[l] = v.y;
    z.0[l] = v.z;
}

/// The vectors of a pack.
#[inline(always)]
fn several<S: Real, V: Vectors>([x, y, z]: &[Row<S>; 3], v: usize) -> Vec3<S::Pack<V>> {
    vec3(x.get::<V>(v), y.get::<V>(v), z.get::<V>(v))
}

/// The same vector in all places of a pack.
#[inline(always)]
fn all<S: Real, V: Vectors>(v: Vec3<S>) -> Vec3<S::Pack<V>> {
    vec3(S::pack::<V>([v.x; 4]), S::pack::<V>([v.y; 4]), S::pack::<V>([v.z; 4]))
}

/// The scalar product, of vectors the second of which may be known to lie in a plane.
#[inline(always)]
fn dot<S: Real, const PLANE: bool>(p: Vec3<S>, r: Vec3<S>) -> S {
    if PLANE { p.x * r.x + p.y * r.y } else { p.dot(r) }
}

/// The field of a dipole with moment `p`, `r` apart, from `1/|r|³` and `3/|r|⁵`.
#[inline(always)]
fn field<S: Real, const PLANE: bool>(cubed: S, fifth: S, r: Vec3<S>, p: Vec3<S>) -> Vec3<S> {
    let (along, across) = (dot::<S, PLANE>(p, r) * fifth, p.times(cubed));
    vec3(
        across.x - r.x * along,
        across.y - r.y * along,
        if PLANE { across.z } else { across.z - r.z * along },
    )
}

/// The fields that two dipoles with moments `p` and `q` make at each other, `r` apart.
#[inline(always)]
fn pair<S: Real, const PLANE: bool>(r: Vec3<S>, p: Vec3<S>, q: Vec3<S>) -> (Vec3<S>, Vec3<S>) {
    let inverse = S::one() / dot::<S, PLANE>(r, r);
    let cubed = inverse * inverse.sqrt();
    let fifth = cubed * inverse * 3.0;
    (field::<S, PLANE>(cubed, fifth, r, q), field::<S, PLANE>(cubed, fifth, r, p))
}

/// The positions of all dipoles, by blocks.
#[derive(Clone, Debug)]
pub(super) struct Places<S> {
    blocks: Vec<Place<S>>,
    /// Whether all have the same third coordinate, which saves a quarter of the products.
    plane: bool,
}

impl<S: Real> Places<S> {
    /// These positions.
    pub fn new(positions: &[Vec3<S>]) -> Self {
        let far = positions.iter().fold(1.0, |far: f64, p| far.max(p.magnitude()));
        let block = |list: &[Vec3<S>]| {
            let mut place = [Row::zero(); 3];
            for l in 0..4 {
                // Away from every dipole, and from each other, so that nothing is divided by zero.
                let nowhere = vec3(S::lift((4 + l) as f64 * far), S::zero(), list[0].z);
                put(&mut place, l, list.get(l).copied().unwrap_or(nowhere));
            }
            place
        };
        let plane = positions.windows(2).all(|two| (two[0].z - two[1].z).magnitude() == 0.0);
        Self { blocks: positions.chunks(4).map(block).collect(), plane }
    }

    /// Gives the field of all dipoles to the receiver.
    pub fn field(
        &self,
        moments: &[S],
        y: &[Link<S>],
        receiver: Receiver<'_, S>,
        blocks: &mut Vec<Block<S>>,
    ) {
        let plane = self.plane;
        run_vectorised::<S, _>(Sum { places: &self.blocks, plane, moments, y, receiver, blocks });
    }
}

struct Sum<'a, S> {
    places: &'a [Place<S>],
    plane: bool,
    moments: &'a [S],
    y: &'a [Link<S>],
    receiver: Receiver<'a, S>,
    blocks: &'a mut Vec<Block<S>>,
}

impl<S: Real> VectorWork for Sum<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run<V: Vectors>(self) {
        let Self { places, plane, moments, y, receiver, blocks } = self;
        blocks.clear();
        blocks.resize(places.len(), Block { p: [Row::zero(); 3], f: [Row::zero(); 3] });
        for (i, link) in y.iter().enumerate() {
            put(&mut blocks[i / 4].p, i % 4, link.q.times(moments[i] * MAGNETIC_CONSTANT));
        }
        for b in 0..places.len() {
            for l in 0..4 {
                if plane {
                    row::<S, V, true>(places, blocks, b, l);
                } else {
                    row::<S, V, false>(places, blocks, b, l);
                }
            }
        }
        for (i, moment) in moments.iter().enumerate() {
            receiver(i, one(&blocks[i / 4].f, i % 4).times(*moment));
        }
    }
}

/// The sum of every fourth, together.
#[inline(always)]
fn total<S: Real, V: Vectors>(sums: [Vec3<S::Pack<V>>; 4]) -> Vec3<S> {
    let mut parts = unpack::<S, V>(sums[0]);
    if S::width::<V>() == 1 {
        let mut v = 1;
        while v < 4 {
            parts[v] = unpack::<S, V>(sums[v])[0];
            v += 1;
        }
    }
    let [a, b, c, d] = parts;
    (a + b) + (c + d)
}

/// The pairs of a dipole with those after it.
#[inline(always)]
fn row<S: Real, V: Vectors, const PLANE: bool>(
    places: &[Place<S>],
    blocks: &mut [Block<S>],
    b: usize,
    l: usize,
) {
    let (here, own) = (one(&places[b], l), one(&blocks[b].p, l));
    let mut field = one(&blocks[b].f, l);
    for k in l + 1..4 {
        let r = one(&places[b], k) - here;
        let (at_own, at_other) = pair::<S, PLANE>(r, own, one(&blocks[b].p, k));
        field += at_own;
        let other = one(&blocks[b].f, k) + at_other;
        put(&mut blocks[b].f, k, other);
    }
    let (here, own) = (all::<S, V>(here), all::<S, V>(own));
    // One sum for every fourth partner, in packs or not.
    let mut sums: [Vec3<S::Pack<V>>; 4] = [Vec3::zero(); 4];
    for (place, block) in places[b + 1..].iter().zip(&mut blocks[b + 1..]) {
        let mut v = 0;
        while v < 4 {
            let r = several::<S, V>(place, v) - here;
            let p = several::<S, V>(&block.p, v);
            let (at_own, at_other) = pair::<S::Pack<V>, PLANE>(r, own, p);
            sums[v] += at_own;
            let [x, y, z] = &mut block.f;
            x.set::<V>(v, x.get::<V>(v) + at_other.x);
            y.set::<V>(v, y.get::<V>(v) + at_other.y);
            z.set::<V>(v, z.get::<V>(v) + at_other.z);
            v += S::width::<V>();
        }
    }
    put(&mut blocks[b].f, l, field + total::<S, V>(sums));
}
