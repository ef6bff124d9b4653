//! The power series of four vectors that are turned by the same angular velocity.
//!
//! ```text
//! v' = v × ω + f      (k + 1) v_{k+1} = v_k × ω_0 + … + v_0 × ω_k + f_k
//! ```
//!
//! They stand side by side, one in each lane, so that an order costs six products of packs for each order
//! before it. Products with a minus have sums of their own, so that none waits for another, and those of
//! the term that has just become known are added last: the processor forms the others while it ends that term.
//! That term and its `ω` stay in registers: through memory each order would wait twice.
use lieflow::kernel::Real;
use lieflow::kernel::wide::Vectors;

/// A number of each of four vectors.
pub type Lanes = [f64; 4];
/// The components of four vectors.
pub type Term = [Lanes; 3];

/// How many inverses are at hand.
const INVERSES: usize = 64;
/// `1/(k + 1)`.
static INVERSE: [f64; INVERSES] = {
    let mut all = [0.0; INVERSES];
    let mut k = 0;
    while k < INVERSES {
        all[k] = 1.0 / (k + 1) as f64;
        k += 1;
    }
    all
};

/// `1/(k + 1)`, by which the slope of order `k` becomes the next term.
#[inline(always)]
pub fn over(k: usize) -> f64 {
    if k < INVERSES { INVERSE[k] } else { 1.0 / (k + 1) as f64 }
}

/// The components in some lanes: in all of them, or in one.
pub type Strip<V> = [<V as Vectors>::Pack; 3];
/// A vector in all lanes.
pub type Spread<V> = Strip<V>;

/// A vector in all lanes.
#[inline(always)]
pub fn spread<V: Vectors>(v: [f64; 3]) -> Spread<V> {
    let [x, y, z] = v;
    [V::pack([x; 4]), V::pack([y; 4]), V::pack([z; 4])]
}

/// A number in all lanes; from a register, if they are there.
#[inline(always)]
fn spread_number<V: Vectors>(lanes: &Lanes, lane: usize) -> V::Pack {
    let number = if V::WIDTH == 4 { V::unpack(V::pack(*lanes))[lane] } else { lanes[lane] };
    V::pack([number; 4])
}

/// The vector in a lane of a term, in all lanes.
#[inline(always)]
pub fn spread_lane<V: Vectors>([x, y, z]: &Term, lane: usize) -> Spread<V> {
    [spread_number::<V>(x, lane), spread_number::<V>(y, lane), spread_number::<V>(z, lane)]
}

/// A vector that is in all lanes.
#[inline(always)]
pub fn gathered<V: Vectors>([x, y, z]: Spread<V>) -> [f64; 3] {
    [V::unpack(x)[0], V::unpack(y)[0], V::unpack(z)[0]]
}

/// A vector in the last lane, zero in the others.
#[inline(always)]
pub fn in_last_lane<V: Vectors>([x, y, z]: [f64; 3]) -> Strip<V> {
    [last::<V>(x), last::<V>(y), last::<V>(z)]
}

#[inline(always)]
fn last<V: Vectors>(x: f64) -> V::Pack {
    V::pack(if V::WIDTH == 4 { [0.0, 0.0, 0.0, x] } else { [x; 4] })
}

#[inline(always)]
fn strip<V: Vectors>(term: &Term, from: usize) -> Strip<V> {
    let [x, y, z] = term;
    if V::WIDTH == 4 {
        [V::pack(*x), V::pack(*y), V::pack(*z)]
    } else {
        [V::pack([x[from]; 4]), V::pack([y[from]; 4]), V::pack([z[from]; 4])]
    }
}

#[inline(always)]
fn put<V: Vectors>(strip: Strip<V>, from: usize, term: &mut Term) {
    let mut c = 0;
    while c < 3 {
        let lanes = V::unpack(strip[c]);
        if V::WIDTH == 4 {
            term[c] = lanes;
        } else {
            term[c][from] = lanes[0];
        }
        c += 1;
    }
}

/// Sums of the products in `v × ω`.
struct Sums<V: Vectors> {
    plus: Strip<V>,
    minus: Strip<V>,
}

impl<V: Vectors> Sums<V> {
    #[inline(always)]
    fn zero() -> Self {
        let zero = V::Pack::zero();
        Self { plus: [zero; 3], minus: [zero; 3] }
    }
    #[inline(always)]
    fn add(&mut self, [a, b, c]: Spread<V>, [x, y, z]: Strip<V>) {
        let ([px, py, pz], [mx, my, mz]) = (self.plus, self.minus);
        self.plus = [px + c * y, py + a * z, pz + b * x];
        self.minus = [mx + b * z, my + c * x, mz + a * y];
    }
    #[inline(always)]
    fn push(&mut self, [x, y, z]: Strip<V>) {
        let [mx, my, mz] = self.minus;
        self.minus = [mx - x, my - y, mz - z];
    }
    #[inline(always)]
    fn difference(&self, times: f64) -> Strip<V> {
        let times = V::pack([times; 4]);
        let ([px, py, pz], [mx, my, mz]) = (self.plus, self.minus);
        [(px - mx) * times, (py - my) * times, (pz - mz) * times]
    }
}

/// The term `k + 1`, where `terms` and `turn` end with those of order `k`, the last of which are also in `newest` and
/// `omega`, as the first `ω` is in `slow`; `f` acts on the last vector, in whose lane it is.
#[inline(always)]
pub fn next<V: Vectors>(
    (terms, turn): (&[Term], &[[f64; 3]]),
    newest: &Term,
    [slow, omega]: [Spread<V>; 2],
    f: Strip<V>,
) -> Term {
    let mut out = [[0.0; 4]; 3];
    let ([first, inner @ ..], [_, others @ ..]) = (terms, turn) else { return out };
    let k = inner.len();
    let times = over(k);
    let mut from = 0;
    while from < 4 {
        let mut sums = Sums::<V>::zero();
        if let ([between @ .., _], [turns @ .., _]) = (inner, others) {
            for (u, v) in turns.iter().zip(between.iter().rev()) {
                sums.add(spread::<V>(*u), strip::<V>(v, from));
            }
        }
        if V::WIDTH == 4 || from == 3 {
            sums.push(f);
        }
        sums.add(slow, strip::<V>(newest, from));
        if k > 0 {
            sums.add(omega, strip::<V>(first, from));
        }
        put::<V>(sums.difference(times), from, &mut out);
        from += V::WIDTH;
    }
    out
}

/// The larger numbers of two packs: of comparisons of numbers the compiler makes one instruction, of masks it does not.
#[inline(always)]
fn larger<V: Vectors>(a: V::Pack, b: V::Pack) -> V::Pack {
    let ([a, b, c, d], [e, f, g, h]) = (V::unpack(a), V::unpack(b));
    V::pack([Real::max(a, e), Real::max(b, f), Real::max(c, g), Real::max(d, h)])
}

/// The largest component of each vector, and of the last one so many times it.
#[inline(always)]
pub fn largest<V: Vectors>(term: &Term, times: f64) -> Lanes {
    let mut all = [[0.0; 4]; 3];
    let mut from = 0;
    while from < 4 {
        let [x, y, z] = strip::<V>(term, from);
        let weight =
            if V::WIDTH == 4 { [1.0, 1.0, 1.0, times] } else { [[1.0, times][from / 3]; 4] };
        let most = larger::<V>(larger::<V>(x.abs(), y.abs()), z.abs()) * V::pack(weight);
        put::<V>([most; 3], from, &mut all);
        from += V::WIDTH;
    }
    all[0]
}

/// The sum of the series, even and odd terms apart.
#[inline(always)]
pub fn sum<V: Vectors>(terms: &[Term], h: f64) -> Term {
    let mut out = [[0.0; 4]; 3];
    let mut from = 0;
    while from < 4 {
        let Sums { plus: mut even, minus: mut odd } = Sums::<V>::zero();
        let square = V::pack([h * h; 4]);
        let pairs = terms.chunks_exact(2);
        if let [last] = pairs.remainder() {
            even = strip::<V>(last, from);
        }
        for pair in pairs.rev() {
            let [a, b] = pair else { continue };
            let ([ax, ay, az], [bx, by, bz]) = (strip::<V>(a, from), strip::<V>(b, from));
            let ([ex, ey, ez], [ox, oy, oz]) = (even, odd);
            even = [ex * square + ax, ey * square + ay, ez * square + az];
            odd = [ox * square + bx, oy * square + by, oz * square + bz];
        }
        let h = V::pack([h; 4]);
        let ([ex, ey, ez], [ox, oy, oz]) = (even, odd);
        put::<V>([ex + ox * h, ey + oy * h, ez + oz * h], from, &mut out);
        from += V::WIDTH;
    }
    out
}
