//! By how much the field changes with the vectors: what makes Newton's steps of sweeps.
//!
//! A sweep takes the generators `f` to `F(m(f))`, and its changes shrink like the step times the slopes
//! `F'`. With these at hand the correction of a residual `r` is `δ = r + F' m' δ`, where `m'` is known in
//! closed form. `F'` is the same everywhere for energies of second degree (exchange, anisotropy), and changes
//! little from step to step for others, so one purchase serves many steps. It is made of differences, one
//! evaluation for each coordinate, as soon as sweeps that came late have cost as much, and again when they have
//! once more. Slopes that did not make late sweeps at least twice as rare are given back: then they
//! change too fast (vortices that pass each other), and the next purchase has to wait longer.
//!
//! Couplings that vanish are not kept: a chain has two for each spin, however many spins there are.
use super::rule::{Middle, Midpoint};
use super::space::TurnedVectors;
use crate::action::Action;
use crate::archive::Archive;
use crate::group::{LieAlgebra, LieGroup};
use crate::method::few::{Few, as_vec, copies};
use crate::method::{Cost, Step};
use crate::problem::{FieldOf, Generator};
use lieflow_kernel::{Mask, Mat3, Real, Vec3};

/// Length of the differences, as a part of the radius.
const DIFFERENCE: f64 = 1.0 / 1048576.0;
/// The square of what the inner iteration may leave, as a part of the residual.
const LEFT: f64 = 1e-12;
/// The most inner sweeps; they evaluate no field.
const MOST_INNER: u32 = 24;
/// The most spheres for which slopes are bought.
const MOST_SPHERES: usize = 1024;
/// The most spheres that move a sphere, on average.
const MOST_COUPLINGS: usize = 48;
/// The factor of the price after slopes that were of no use.
const DEARER: f64 = 4.0;

/// The slope of one generator along one vector.
#[derive(Clone, Copy, Debug)]
struct Coupling<S> {
    row: u32,
    column: u32,
    slope: Mat3<S>,
}

impl<S: Real> Coupling<S> {
    fn none() -> Self {
        Self { row: 0, column: 0, slope: Mat3::zero() }
    }
}

/// The slopes, if they are worth their price.
pub(super) struct Slopes<S: Real> {
    /// In the order of columns, then of rows.
    couplings: Few<Coupling<S>>,
    /// Where they are known.
    pub(super) held: S::Mask,
    /// Late sweeps and steps since the last purchase or return, steps before the last purchase.
    late: S,
    steps: S,
    before: S,
    /// So many late sweeps are worth a purchase.
    price: S,
    /// Late sweeps of the last proposal.
    pub(super) proposed: S,
    /// Work space: corrections, what they move, what this does to the field, derivatives of
    /// midpoints, differences, couplings.
    pub(super) corrections: Few<Vec3<S>>,
    moved: Few<Vec3<S>>,
    sums: Few<Vec3<S>>,
    middles: Few<Mat3<S>>,
    differences: [Few<Vec3<S>>; 3],
    bought: Few<Coupling<S>>,
}

impl<S: Real> Slopes<S> {
    /// Nothing is known. Dual numbers get no slopes: their derivatives need sweeps of their own.
    pub(super) fn new(spheres: usize) -> Self {
        let allowed = S::DERIVATIVES == 0 && spheres <= MOST_SPHERES;
        let room = if allowed { spheres } else { 0 };
        let couplings = room * room.min(MOST_COUPLINGS);
        let vectors = || copies(Vec3::zero(), room);
        let mut new = Self {
            couplings: Few::with_capacity(couplings),
            held: S::Mask::splat(false),
            late: S::zero(),
            steps: S::zero(),
            before: S::zero(),
            price: S::zero(),
            proposed: S::zero(),
            corrections: vectors(),
            moved: vectors(),
            sums: vectors(),
            middles: copies(Mat3::zero(), room),
            differences: [vectors(), vectors(), vectors()],
            bought: Few::with_capacity(couplings),
        };
        new.forget();
        new
    }

    /// Knows nothing any more; memory is kept.
    pub(super) fn forget(&mut self) {
        let spheres = self.corrections.len();
        let price = if spheres == 0 { f64::INFINITY } else { (3 * spheres + 1) as f64 };
        self.couplings.clear();
        self.held = S::Mask::splat(false);
        (self.late, self.steps, self.before) = (S::zero(), S::zero(), S::zero());
        (self.price, self.proposed) = (S::lift(price), S::zero());
    }

    /// Names all that is known; numbers that can be kept have one lane.
    pub(super) fn archive(&mut self, archive: &mut Archive) {
        let mut held = self.held.all();
        archive.flag(&mut held);
        self.held = S::Mask::splat(held);
        for x in [&mut self.late, &mut self.steps, &mut self.before, &mut self.price] {
            archive.real(x);
        }
        archive.real(&mut self.proposed);
        let spheres = self.corrections.len() as u32;
        as_vec(&mut self.couplings, |couplings| {
            archive.list(couplings, &Coupling::none(), |archive, coupling| {
                archive.small(&mut coupling.row);
                archive.small(&mut coupling.column);
                let mut columns = [0, 1, 2].map(|k| coupling.slope.column(k));
                columns.iter_mut().for_each(|column| archive.algebra(column));
                coupling.slope = Mat3::from_columns(columns[0], columns[1], columns[2]);
                if coupling.row.max(coupling.column) >= spheres {
                    archive.refuse("it is that of a run of another shape");
                }
            });
        });
    }

    /// Takes note of a step that was accepted.
    pub(super) fn learn(&mut self) {
        self.late += self.proposed;
        self.steps += S::one();
    }

    /// Where slopes are due, after those of no use have been given back: the second answer.
    pub(super) fn due(&mut self) -> (S::Mask, S::Mask) {
        let due = self.price.lt(self.late + S::one());
        let useless = due.and(self.held).and(self.steps.lt(self.before * 2.0));
        if useless.any() {
            self.held = self.held.and(useless.not());
            self.price = S::select(useless, self.price * DEARER, self.price);
            self.start_anew(useless);
        }
        (due.and(useless.not()), useless)
    }

    fn start_anew(&mut self, lanes: S::Mask) {
        self.late = S::select(lanes, S::zero(), self.late);
        self.steps = S::select(lanes, S::zero(), self.steps);
    }

    /// Buys slopes at a point, in the lanes where they are due.
    pub(super) fn buy<P>(
        &mut self,
        due: S::Mask,
        s: Step<'_, P>,
        (point, field): (&mut P::Point, &mut FieldOf<P>),
        cost: &mut Cost,
    ) where
        P: Generator<
            Space: TurnedVectors + Action<Group: LieGroup<Algebra: LieAlgebra<Scalar = S>>>,
        >,
    {
        let count = P::Space::count(s.y);
        for i in 0..count {
            P::Space::set_vector(point, i, P::Space::vector(s.y, i));
        }
        s.p.field_into(s.t, point, field);
        cost.field_evaluations += 1;
        for (i, f) in self.moved.iter_mut().enumerate() {
            *f = P::Space::turn(field, i);
        }
        self.bought.clear();
        let (mut old, mut number) = (0, S::zero());
        let most = S::lift((count * count.min(MOST_COUPLINGS)) as f64 + 0.5);
        for column in 0..count {
            let from = P::Space::vector(s.y, column);
            let length = from.norm_squared().sqrt() * DIFFERENCE;
            let length = S::select(S::zero().lt(length), length, S::lift(DIFFERENCE));
            let over = S::one() / length;
            for k in 0..3 {
                P::Space::set_vector(point, column, from + Vec3::unit(k).times(length));
                s.p.field_into(s.t, point, field);
                cost.field_evaluations += 1;
                for (i, f) in self.moved.iter().enumerate() {
                    self.differences[k][i] = (P::Space::turn(field, i) - *f).times(over);
                }
            }
            P::Space::set_vector(point, column, from);
            for row in 0..count {
                let known = self.known(&mut old, (column as u32, row as u32));
                let [a, b, c] = &self.differences;
                let new = Mat3::from_columns(a[row], b[row], c[row]);
                let slope = Mat3::select(due, new, known);
                number += S::select(differs(&new), S::one(), S::zero());
                if differs(&slope).any() {
                    let (row, column) = (row as u32, column as u32);
                    self.bought.push(Coupling { row, column, slope });
                }
            }
            if !due.and(number.lt(most)).any() {
                break;
            }
        }
        // A system with too many couplings is none for slopes.
        let kept = number.lt(most);
        self.price = S::select(due.and(kept.not()), S::lift(f64::INFINITY), self.price);
        self.before = S::select(due, self.steps, self.before);
        self.start_anew(due);
        self.held = self.held.and(due.not()).or(due.and(kept));
        if due.and(kept).any() {
            core::mem::swap(&mut self.couplings, &mut self.bought);
        }
    }

    /// What is known at a place, if it is the next one that is known.
    fn known(&self, next: &mut usize, place: (u32, u32)) -> Mat3<S> {
        match self.couplings.get(*next) {
            Some(coupling) if (coupling.column, coupling.row) == place => {
                *next += 1;
                coupling.slope
            }
            _ => Mat3::zero(),
        }
    }

    /// Takes note of how the midpoint of a sphere moves with its generator.
    #[inline(always)]
    pub(super) fn set_middle(
        &mut self,
        i: usize,
        rule: Midpoint,
        at: &Middle<S>,
        f: Vec3<S>,
        h: f64,
    ) {
        self.middles[i] = rule.slope(at, f, h);
    }

    /// Makes corrections of these residuals; says where this succeeded.
    pub(super) fn correct(
        &mut self,
        lanes: S::Mask,
        residual: impl Fn(usize) -> Vec3<S>,
    ) -> S::Mask {
        let count = self.corrections.len();
        let mut limit = S::zero();
        for i in 0..count {
            self.corrections[i] = residual(i);
            limit += self.corrections[i].norm_squared() * LEFT;
        }
        let mut done = lanes.not();
        for _ in 0..MOST_INNER {
            for i in 0..count {
                self.moved[i] = self.middles[i].apply(self.corrections[i]);
                self.sums[i] = Vec3::zero();
            }
            for coupling in self.couplings.iter() {
                let (i, j) = (coupling.row as usize, coupling.column as usize);
                self.sums[i] += coupling.slope.apply(self.moved[j]);
            }
            let mut change = S::zero();
            for i in 0..count {
                let new = residual(i) + self.sums[i];
                change += (new - self.corrections[i]).norm_squared();
                self.corrections[i] = Vec3::select(done, self.corrections[i], new);
            }
            done = done.or(change.lt(limit));
            if done.all() {
                break;
            }
        }
        done.and(lanes)
    }
}

/// Where a matrix is not zero.
fn differs<S: Real>(m: &Mat3<S>) -> S::Mask {
    S::zero().lt(m.norm_squared())
}
