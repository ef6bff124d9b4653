//! The power series of four vectors that are turned by the same angular velocity.
//!
//! ```text
//! v' = v × ω + f      (k + 1) v_{k+1} = v_k × ω_0 + … + v_0 × ω_k + f_k
//! ```
//!
//! They stand side by side, one in each lane, so that an order costs six products of packs for each order
//! before it. Products with a minus have sums of their own, so that none waits for another, and those of
//! the term that has just become known are added last: the processor forms the others while it ends that term.
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

/// The components in some lanes: in all of them, or in one.
type Strip<V> = [<V as Vectors>::Pack; 3];

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
    fn add(&mut self, omega: &[f64; 3], [x, y, z]: Strip<V>) {
        let [a, b, c] = [V::pack([omega[0]; 4]), V::pack([omega[1]; 4]), V::pack([omega[2]; 4])];
        let ([px, py, pz], [mx, my, mz]) = (self.plus, self.minus);
        self.plus = [px + c * y, py + a * z, pz + b * x];
        self.minus = [mx + b * z, my + c * x, mz + a * y];
    }
    /// With a vector in the last lane.
    #[inline(always)]
    fn push(&mut self, f: [f64; 3], from: usize) {
        let mut c = 0;
        while c < 3 {
            let lanes = if V::WIDTH == 4 || from == 3 { [0.0, 0.0, 0.0, f[c]] } else { [0.0; 4] };
            let f = if V::WIDTH == 4 { V::pack(lanes) } else { V::pack([lanes[3]; 4]) };
            self.minus[c] -= f;
            c += 1;
        }
    }
    #[inline(always)]
    fn difference(&self, times: f64) -> Strip<V> {
        let times = V::pack([times; 4]);
        let ([px, py, pz], [mx, my, mz]) = (self.plus, self.minus);
        [(px - mx) * times, (py - my) * times, (pz - mz) * times]
    }
}

/// The term `k + 1`, where `terms` and `turn` end with those of order `k`, and `f` acts on the last vector.
#[inline(always)]
pub fn next<V: Vectors>(terms: &[Term], turn: &[[f64; 3]], f: [f64; 3], next: &mut Term) {
    let ([first, inner @ ..], [slow, others @ ..]) = (terms, turn) else { return };
    let k = inner.len();
    let mut from = 0;
    while from < 4 {
        let mut sums = Sums::<V>::zero();
        match (inner, others) {
            ([between @ .., last], [turns @ .., newest]) => {
                for (u, v) in turns.iter().zip(between.iter().rev()) {
                    sums.add(u, strip::<V>(v, from));
                }
                sums.push(f, from);
                sums.add(slow, strip::<V>(last, from));
                sums.add(newest, strip::<V>(first, from));
            }
            _ => {
                sums.push(f, from);
                sums.add(slow, strip::<V>(first, from));
            }
        }
        let times = if k < INVERSES { INVERSE[k] } else { 1.0 / (k + 1) as f64 };
        put::<V>(sums.difference(times), from, next);
        from += V::WIDTH;
    }
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
        let most = x.abs().max(y.abs()).max(z.abs()) * V::pack(weight);
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
