//! The field of dipoles at any positions, every pair once.
//!
//! ```text
//! F_i = nu_i sum_{j≠i} p_j/|r|³ - 3 (p_j·r) r/|r|⁵          p_j = (mu0/4pi) nu_j q_j
//! ```
//!
//! Row by row, with the partners of the row side by side in blocks of four: those of its own block
//! one by one, the others in packs. The last block is filled up with dipoles of no moment.
use super::row::Row;
use super::targets::{Apart, Each, Sharing, TOGETHER, Targets, add, join, part};
use super::{MAGNETIC_CONSTANT, Receiver};
use core::any::Any;
use lieflow::action::Link;
use lieflow::kernel::wide::twins::{TwinWork, Twins, run_in_twins};
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

/// `1/|r|³` and `3/|r|⁵`.
#[inline(always)]
fn nearness<S: Real, const PLANE: bool>(r: Vec3<S>) -> (S, S) {
    let inverse = S::one() / dot::<S, PLANE>(r, r);
    let cubed = inverse * inverse.sqrt();
    (cubed, cubed * inverse * 3.0)
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
        blocks.clear();
        blocks.resize(self.blocks.len(), Block { p: [Row::zero(); 3], f: [Row::zero(); 3] });
        for (i, link) in y.iter().enumerate() {
            put(&mut blocks[i / 4].p, i % 4, link.q.times(moments[i] * MAGNETIC_CONSTANT));
        }
        self.sum(blocks);
        for (i, moment) in moments.iter().enumerate() {
            receiver(i, one(&blocks[i / 4].f, i % 4).times(*moment));
        }
    }

    /// The fields of these moments on each other, in the longest registers where numbers are plain.
    fn sum(&self, blocks: &mut Vec<Block<S>>) {
        let plane = self.plane;
        let plain = (&self.blocks as &dyn Any).downcast_ref::<Vec<Place<f64>>>();
        let list = (blocks as &mut dyn Any).downcast_mut::<Vec<Block<f64>>>();
        if let (Some(places), Some(blocks)) = (plain, list)
            && run_in_twins(Sum { places, plane, blocks })
        {
            return;
        }
        run_vectorised::<S, _>(Sum { places: &self.blocks, plane, blocks });
    }
}

/// The work of all pairs.
struct Sum<'a, S> {
    places: &'a [Place<S>],
    plane: bool,
    blocks: &'a mut [Block<S>],
}

impl<S: Real> VectorWork for Sum<'_, S> {
    type Output = ();
    #[inline(always)]
    fn run<V: Vectors>(self) {
        self.all::<V, Apart>();
    }
}

impl TwinWork for Sum<'_, f64> {
    #[inline(always)]
    fn run<T: Twins>(self) {
        self.all::<T::Half, Sharing<T>>();
    }
}

impl<S: Real> Sum<'_, S> {
    #[inline(always)]
    fn all<V: Vectors, T: Targets<S, V>>(self) {
        for b in 0..self.places.len() {
            if self.plane {
                block::<S, V, T, true>(self.places, self.blocks, b);
            } else {
                block::<S, V, T, false>(self.places, self.blocks, b);
            }
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

/// The pairs of a block with itself and with those after it.
#[inline(always)]
fn block<S: Real, V: Vectors, T: Targets<S, V>, const PLANE: bool>(
    places: &[Place<S>],
    blocks: &mut [Block<S>],
    b: usize,
) {
    within::<S, PLANE>(&places[b], &mut blocks[b]);
    let mut l = 0;
    while l < 4 {
        rows::<S, V, T, PLANE>(places, blocks, b, l);
        l += TOGETHER * T::SHARING;
    }
}

/// The pairs within a block, one by one.
#[inline(always)]
fn within<S: Real, const PLANE: bool>(place: &Place<S>, block: &mut Block<S>) {
    let mut l = 0;
    while l < 4 {
        let (here, own) = (one(place, l), one(&block.p, l));
        let mut sum = one(&block.f, l);
        let mut k = l + 1;
        while k < 4 {
            let r = one(place, k) - here;
            let (cubed, fifth) = nearness::<S, PLANE>(r);
            sum += field::<S, PLANE>(cubed, fifth, r, one(&block.p, k));
            let other = one(&block.f, k) + field::<S, PLANE>(cubed, fifth, r, own);
            put(&mut block.f, k, other);
            k += 1;
        }
        put(&mut block.f, l, sum);
        l += 1;
    }
}

/// The vectors of a pack, for every target.
#[inline(always)]
fn shared<S: Real, V: Vectors, T: Targets<S, V>>(from: &[Row<S>; 3], v: usize) -> Vec3<T::Number> {
    let pack = several::<S, V>(from, v);
    join::<S, V, T>(pack, pack)
}

/// [`nearness`] of each to the same dipoles.
#[inline(always)]
fn nearnesses<S: Real, const PLANE: bool>(there: Vec3<S>, here: &Each<Vec3<S>>) -> Each<(S, S)> {
    let mut near = [(S::zero(), S::zero()); TOGETHER];
    let mut k = 0;
    while k < TOGETHER {
        near[k] = nearness::<S, PLANE>(there - here[k]);
        k += 1;
    }
    near
}

/// The pairs of some dipoles of block `b`, from `l` on, with those of the blocks after it. Quotients and
/// roots, which take longest, are formed one pack ahead, so that nothing waits for them.
#[inline(always)]
fn rows<S: Real, V: Vectors, T: Targets<S, V>, const PLANE: bool>(
    places: &[Place<S>],
    blocks: &mut [Block<S>],
    b: usize,
    l: usize,
) {
    let mut here: Each<Vec3<T::Number>> = [Vec3::zero(); TOGETHER];
    let mut own = here;
    // One sum for every fourth partner, in packs or not.
    let mut sums: Each<[Vec3<T::Number>; 4]> = [[Vec3::zero(); 4]; TOGETHER];
    let mut k = 0;
    while k < TOGETHER {
        let (i, j) = (l + k * T::SHARING, l + (k + 1) * T::SHARING - 1);
        let (place, p) = (&places[b], &blocks[b].p);
        here[k] = join::<S, V, T>(all::<S, V>(one(place, i)), all::<S, V>(one(place, j)));
        own[k] = join::<S, V, T>(all::<S, V>(one(p, i)), all::<S, V>(one(p, j)));
        k += 1;
    }
    let (places, others) = (&places[b + 1..], &mut blocks[b + 1..]);
    let in_block = 4 / S::width::<V>();
    let packs = places.len().min(others.len()) * in_block;
    let mut near = [(T::Number::zero(), T::Number::zero()); TOGETHER];
    if packs > 0 {
        let first = shared::<S, V, T>(&places[0], 0);
        near = nearnesses::<T::Number, PLANE>(first, &here);
    }
    let mut i = 0;
    while i < packs {
        let next = (i + 1).min(packs - 1);
        let beyond = shared::<S, V, T>(&places[next / in_block], next % in_block);
        let ahead = nearnesses::<T::Number, PLANE>(beyond, &here);
        let (place, block, v) = (&places[i / in_block], &mut others[i / in_block], i % in_block);
        let (there, p) = (shared::<S, V, T>(place, v), shared::<S, V, T>(&block.p, v));
        let mut other = several::<S, V>(&block.f, v);
        k = 0;
        while k < TOGETHER {
            let (r, (cubed, fifth)) = (there - here[k], near[k]);
            sums[k][v] += field::<T::Number, PLANE>(cubed, fifth, r, p);
            let back = field::<T::Number, PLANE>(cubed, fifth, r, own[k]);
            other = add::<S, V, T>(other, back);
            k += 1;
        }
        let [x, y, z] = &mut block.f;
        x.set::<V>(v, other.x);
        y.set::<V>(v, other.y);
        z.set::<V>(v, other.z);
        near = ahead;
        i += 1;
    }
    k = 0;
    while k < TOGETHER * T::SHARING {
        let mut parts = [Vec3::zero(); 4];
        let mut v = 0;
        while v < in_block {
            parts[v] = part::<S, V, T>(sums[k / T::SHARING][v], k % T::SHARING);
            v += 1;
        }
        let sum = one(&blocks[b].f, l + k) + total::<S, V>(parts);
        put(&mut blocks[b].f, l + k, sum);
        k += 1;
    }
}
