//! The motion of a rigid body as a power series, by two rows of its attitude and its momentum.
//!
//! ```text
//! γ' = γ × ω      r' = r × ω      P_1' = (1/J_3 - 1/J_2) P_2 P_3 + (γ × a)_1, and so on      ω = J⁻¹P
//! ```
//!
//! in principal axes. The third row is `γ × r`, and `a` the axis of a torque that is linear in the first one. An order
//! costs fifteen products for each order before it. They fill two packs of eight, those with a plus and those with
//! a minus, each with one product of `P`:
//!
//! ```text
//! plus   γ_2 ω_3   γ_3 ω_1   γ_1 ω_2   P_2 P_3   r_2 ω_3   r_3 ω_1   r_1 ω_2   P_1 P_3
//! minus  γ_3 ω_2   γ_1 ω_3   γ_2 ω_1   P_1 P_2   r_3 ω_2   r_1 ω_3   r_2 ω_1      -
//! ```
//!
//! so that none is made for nothing and all factors come from memory in their places. Products of orders `j` and
//! `k - j` are added from the middle outwards, in two sums, and those with the newest term last: it is still on
//! its way when the others are there. What is stored is a product itself, since the compiler writes a register that was
//! only shuffled in pieces, for which the load of the whole would wait.
use super::axial_body::{AxialBody, Ends, orthonormal};
use super::eight::{Eight, EightWork, run_eight};
use super::turned::over;
use lieflow::Vec3;
use lieflow::action::BodyState;
use lieflow::kernel::Real;

/// A term, but for `P_3`: `γ, P_1, r, P_2`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub struct Term(pub [f64; 8]);

/// A term as factors of products; those of rows bring the spins of the moments.
#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
struct Factors {
    plus: [f64; 8],
    minus: [f64; 8],
    turn_plus: [f64; 4],
    turn_minus: [f64; 4],
}

/// What is added, and what is taken away.
#[derive(Clone, Copy)]
struct Pair<E> {
    plus: E,
    minus: E,
}

impl<E: Eight> Pair<E> {
    #[inline(always)]
    fn all(x: f64) -> Self {
        Self { plus: E::all(x), minus: E::all(x) }
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self { plus: self.plus.plus(other.plus), minus: self.minus.plus(other.minus) }
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Self { plus: self.plus.times(other.plus), minus: self.minus.times(other.minus) }
    }
    /// The places of `γ, P_1, r, P_2` in products.
    #[inline(always)]
    fn factors(eight: E) -> Self {
        let [a, b, c, v, d, e, f, w] = eight.unpack();
        Self { plus: E::pack([b, c, a, w, e, f, d, v]), minus: E::pack([c, a, b, v, f, d, e, w]) }
    }
    /// The places of `ω`, and of `P` in the fourth place of each half.
    #[inline(always)]
    fn turn([x, y, z]: [f64; 3]) -> Self {
        Self { plus: E::twice([z, x, y, z]), minus: E::twice([y, z, x, y]) }
    }
    #[inline(always)]
    fn stored_factors(from: &Factors) -> Self {
        Self { plus: E::pack(from.plus), minus: E::pack(from.minus) }
    }
    #[inline(always)]
    fn stored_turn(from: &Factors) -> Self {
        Self { plus: E::twice(from.turn_plus), minus: E::twice(from.turn_minus) }
    }
}

#[inline(always)]
fn first_half<E: Eight>(x: E) -> [f64; 4] {
    let [a, b, c, d, ..] = x.unpack();
    [a, b, c, d]
}

/// A number in the fourth place, and one in the last.
#[inline(always)]
fn velocity<E: Eight>(x: f64, y: f64) -> E {
    E::pack([0.0, 0.0, 0.0, x, 0.0, 0.0, 0.0, y])
}

/// A body in registers.
#[derive(Clone, Copy)]
struct Law<E> {
    /// The differences of the inverse moments, at products of `P`.
    spins: Pair<E>,
    /// The inverse moments, at the components of `ω`.
    inverse: Pair<E>,
    /// One where a product with a minus belongs to that with the plus.
    joined: E,
    /// What the axis makes of `γ_2` and `γ_1`.
    upright: E,
    /// What it makes of `γ_3`, of `γ_1` and of `γ_2`, if it is not the third one.
    tilted: Option<[E; 3]>,
}

impl<E: Eight> Law<E> {
    #[inline(always)]
    fn of(body: &AxialBody) -> Self {
        let ([x, y, z], [p, q, r]) = (body.inverse.to_array(), body.axis.to_array());
        let tilted = p != 0.0 || q != 0.0;
        Self {
            spins: Pair {
                plus: E::pack([1.0, 1.0, 1.0, z - y, 1.0, 1.0, 1.0, x - z]),
                minus: E::pack([1.0, 1.0, 1.0, y - x, 1.0, 1.0, 1.0, 0.0]),
            },
            inverse: Pair { plus: E::twice([z, x, y, 1.0]), minus: E::twice([y, z, x, 1.0]) },
            joined: E::twice([1.0, 1.0, 1.0, 0.0]),
            upright: velocity(r, -r),
            tilted: if tilted {
                Some([velocity(-q, p), velocity(q, 0.0), velocity(-p, 0.0)])
            } else {
                None
            },
        }
    }

    /// The torque on `P_1` and `P_2` that goes with a term, and with the minus that on `P_3`.
    #[inline(always)]
    fn push(&self, sums: Pair<E>, eight: E) -> Pair<E> {
        let [x, y, z, ..] = eight.unpack();
        let Pair { mut plus, mut minus } = sums;
        plus = plus.plus(velocity::<E>(y, x).times(self.upright));
        if let Some([of_z, of_x, of_y]) = self.tilted {
            plus = plus.plus(velocity::<E>(z, z).times(of_z));
            minus = minus.plus(velocity::<E>(x, 0.0).times(of_x));
            minus = minus.plus(velocity::<E>(y, 0.0).times(of_y));
        }
        Pair { plus, minus }
    }
}

/// The terms of a motion.
pub struct TwoRows {
    body: AxialBody,
    start: Ends,
    /// Of every order from the first one on; the last is nobody's factor.
    factors: Vec<Factors>,
    terms: Vec<Term>,
    /// `P_3`. Beside the others it would be written together with some of them, and those in pieces.
    thirds: Vec<f64>,
    sizes: Vec<f64>,
    /// The order of the last expansion.
    order: usize,
}

impl TwoRows {
    /// Of this body, up to an order.
    pub fn new(body: AxialBody, order: usize) -> Self {
        let zero = Vec3::zero();
        Self {
            body,
            start: Ends { row: zero, next: zero, momentum: zero },
            factors: vec![Factors::default(); order],
            terms: vec![Term::default(); order + 1],
            thirds: vec![0.0; order + 1],
            sizes: vec![0.0; order + 1],
            order,
        }
    }

    /// Finds the terms of a motion, and how large they are.
    pub fn expand(&mut self, y: &BodyState<f64>, order: usize) {
        run_eight(&mut Expand::from(self, y, order, None));
    }

    /// Makes equal steps as far as terms are finite, and says how many.
    pub fn step_many(&mut self, h: f64, count: u64, order: usize, y: &mut BodyState<f64>) -> u64 {
        let mut work = Expand::from(self, y, order, Some((h, count)));
        run_eight(&mut work);
        let (end, made) = work.end();
        if made > 0 {
            *y = end;
        }
        made
    }

    /// The state so long after the start.
    pub fn after(&self, h: f64) -> BodyState<f64> {
        let mut work = Add { series: self, h, end: self.start };
        run_eight(&mut work);
        work.end.state(self.body.row)
    }

    /// The terms of the last expansion, and `P_3` of each.
    pub fn terms(&self) -> (&[Term], &[f64]) {
        (&self.terms[..=self.order], &self.thirds[..=self.order])
    }

    /// The largest number of an order: in both rows, or in the momentum relative to the larger of its first two terms.
    pub fn size(&self, k: usize) -> f64 {
        self.sizes[k]
    }

    /// What a step of an order costs, in units of an order: 260 ns with order 11 where 160 are not for its terms, 310 with
    /// 16, 390 with 24, 490 with 32.
    pub fn work(&self, order: usize) -> f64 {
        let n = order as f64;
        20.0 + n * (1.0 + n * (1.0 / 140.0))
    }

    /// Whether the terms up to an order are finite.
    #[inline(always)]
    pub fn is_finite(&self, order: usize) -> bool {
        let Term(eight) = &self.terms[order];
        let mut nothing = self.thirds[order] * 0.0;
        for x in eight {
            nothing += x * 0.0;
        }
        nothing == 0.0
    }

    #[inline(always)]
    fn find_terms<E: Eight>(&mut self, law: &Law<E>, start: Ends, order: usize) {
        let Self { body, factors, terms, thirds, .. } = self;
        let momentum = body.principal(start.momentum);
        let [a, b, c] = body.principal(start.row).to_array();
        let [d, e, f] = body.principal(start.next).to_array();
        let mut eight = E::pack([a, b, c, momentum.x, d, e, f, momentum.y]);
        let slow = Pair::turn(momentum.to_array()).times(law.inverse);
        let (mut turn, mut newest) = (slow, Pair::factors(eight));
        let (slow, first) = (slow.times(law.spins), newest.times(law.spins));
        (terms[0], thirds[0]) = (Term(eight.unpack()), momentum.z);
        // Slices of known lengths, and no vectors that might have moved.
        let (factors, terms) = (&mut factors[..order], &mut terms[..=order]);
        let thirds = &mut thirds[..=order];
        for k in 0..order {
            let known = factors.get(..k.saturating_sub(1)).unwrap_or_default();
            let mut sums = law.push(inner_products(known), eight);
            sums = sums.plus(newest.times(slow));
            if k > 0 {
                sums = sums.plus(first.times(turn));
            }
            let over = E::all(over(k));
            // The sums themselves, so that what is stored is a product.
            let ([_, _, _, x, _, _, _, y], z) = (sums.plus.unpack(), sums.minus.unpack()[3]);
            turn = Pair::turn([x, y, z]).times(Pair { plus: over, minus: over });
            thirds[k + 1] = turn.plus.unpack()[0];
            turn = turn.times(law.inverse);
            eight = sums.plus.times(over).minus(sums.minus.times(law.joined.times(over)));
            newest = Pair::factors(eight);
            terms[k + 1] = Term(eight.unpack());
            let Pair { plus, minus } = newest.times(law.spins);
            factors[k] = Factors {
                plus: plus.unpack(),
                minus: minus.unpack(),
                turn_plus: first_half(turn.plus),
                turn_minus: first_half(turn.minus),
            };
        }
    }

    #[inline(always)]
    fn measure<E: Eight>(&mut self, order: usize) {
        let Self { terms, thirds, sizes, .. } = self;
        let push = Real::max(
            largest::<E>(&terms[0], thirds[0], 1.0)[1],
            largest::<E>(&terms[1], thirds[1], 1.0)[1],
        );
        let over = if push > 0.0 { 1.0 / push } else { 1.0 };
        for (size, (term, third)) in sizes.iter_mut().zip(terms.iter().zip(thirds)).take(order + 1)
        {
            let [rows, momentum] = largest::<E>(term, *third, over);
            *size = Real::max(rows, momentum);
        }
    }

    /// Even and odd terms, and of each every other one, apart. What a term of order zero becomes is known beforehand, so
    /// that what stands still stays to the last bit.
    #[inline(always)]
    fn sum<E: Eight>(&self, start: Ends, order: usize, h: f64) -> Ends {
        let (Some(terms), Some(thirds)) = (self.terms.get(1..=order), self.thirds.get(1..=order))
        else {
            return start;
        };
        let [h2, h3, h4] = [h * h, h * h * h, (h * h) * (h * h)];
        let step = E::all(h4);
        let ([mut a, mut b, mut c, mut d], [mut x, mut y, mut z, mut w]) =
            ([E::all(0.0); 4], [0.0; 4]);
        let (terms, thirds) = (terms.chunks_exact(4), thirds.chunks_exact(4));
        let (last, lasts) = (terms.remainder(), thirds.remainder());
        if let ([p, ..], [third, ..]) = (last, lasts) {
            (a, x) = (E::pack(p.0), *third);
        }
        if let ([_, p, ..], [_, third, ..]) = (last, lasts) {
            (b, y) = (E::pack(p.0), *third);
        }
        if let ([_, _, p], [_, _, third]) = (last, lasts) {
            (c, z) = (E::pack(p.0), *third);
        }
        for (terms, thirds) in terms.rev().zip(thirds.rev()) {
            let ([p, q, r, s], [of_p, of_q, of_r, of_s]) = (terms, thirds) else { continue };
            a = a.times(step).plus(E::pack(p.0));
            b = b.times(step).plus(E::pack(q.0));
            c = c.times(step).plus(E::pack(r.0));
            d = d.times(step).plus(E::pack(s.0));
            (x, y, z, w) = (x * h4 + of_p, y * h4 + of_q, z * h4 + of_r, w * h4 + of_s);
        }
        let (a, b) = (a.times(E::all(h)), b.times(E::all(h2)));
        let (c, d) = (c.times(E::all(h3)), d.times(step));
        let eight = a.plus(b).plus(c.plus(d));
        let z = (x * h + y * h2) + (z * h3 + w * h4);
        let [a, b, c, x, d, e, f, y] = eight.unpack();
        let body = &self.body;
        let momentum = Vec3 { x, y, z };
        let row = start.row + body.body(Vec3 { x: a, y: b, z: c });
        let next = start.next + body.body(Vec3 { x: d, y: e, z: f });
        let [row, next] = orthonormal(row, next);
        Ends { row, next, momentum: start.momentum + body.body(momentum) }
    }
}

/// The largest number of a term in both rows, and in the momentum so many times itself.
#[inline(always)]
fn largest<E: Eight>(term: &Term, third: f64, times: f64) -> [f64; 2] {
    let weights = E::pack([1.0, 1.0, 1.0, times, 1.0, 1.0, 1.0, times]);
    let [x, y, z, p, u, v, w, q] = E::pack(term.0).abs().times(weights).unpack();
    let (x, y, z) = (Real::max(x, u), Real::max(y, v), Real::max(z, w));
    let momentum = Real::max(Real::max(p, q), third.abs() * times);
    [Real::max(Real::max(x, y), z), momentum]
}

/// The products of orders `1 … k - 1` with those that they make `k` with, if these are known.
#[inline(always)]
fn inner_products<E: Eight>(known: &[Factors]) -> Pair<E> {
    let (mut sums, mut others) = (Pair::<E>::all(0.0), Pair::<E>::all(0.0));
    let half = known.len() / 2;
    let (before, after) = known.split_at(half);
    let later = if let [middle, later @ ..] = after
        && known.len() % 2 == 1
    {
        sums = Pair::stored_factors(middle).times(Pair::stored_turn(middle));
        later
    } else {
        after
    };
    for (early, late) in before.iter().rev().zip(later) {
        sums = sums.plus(Pair::stored_factors(late).times(Pair::stored_turn(early)));
        others = others.plus(Pair::stored_factors(early).times(Pair::stored_turn(late)));
    }
    sums.plus(others)
}

/// Finds the terms of a step and measures them, or makes many steps, whose terms nobody measures.
pub struct Expand<'a> {
    series: &'a mut TwoRows,
    many: Option<(f64, u64)>,
    made: u64,
    end: Ends,
}

impl<'a> Expand<'a> {
    /// From a state, for one step, or with a length for as many as are told.
    pub fn from(
        series: &'a mut TwoRows,
        y: &BodyState<f64>,
        order: usize,
        many: Option<(f64, u64)>,
    ) -> Self {
        let start = Ends::of(y, series.body.row);
        (series.start, series.order) = (start, order);
        Self { series, many, made: 0, end: start }
    }

    /// The state after the steps, and how many were made.
    pub fn end(&self) -> (BodyState<f64>, u64) {
        (self.end.state(self.series.body.row), self.made)
    }
}

impl EightWork for Expand<'_> {
    #[inline(always)]
    fn run<E: Eight>(&mut self) {
        let series = &mut *self.series;
        let order = series.order;
        let law = Law::<E>::of(&series.body);
        let mut now = self.end;
        let Some((h, count)) = self.many else {
            series.find_terms(&law, now, order);
            series.measure::<E>(order);
            return;
        };
        // What a step begins with stays in registers: in memory it would lie in pieces.
        let mut made = 0;
        while made < count {
            let start = now;
            series.find_terms(&law, start, order);
            if !series.is_finite(order) {
                break;
            }
            now = series.sum::<E>(start, order, h);
            made += 1;
            if made == count {
                series.start = start;
            }
        }
        (self.end, self.made) = (now, made);
    }
}

struct Add<'a> {
    series: &'a TwoRows,
    h: f64,
    end: Ends,
}

impl EightWork for Add<'_> {
    #[inline(always)]
    fn run<E: Eight>(&mut self) {
        self.end = self.series.sum::<E>(self.series.start, self.series.order, self.h);
    }
}
