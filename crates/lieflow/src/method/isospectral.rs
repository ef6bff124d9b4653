//! Isospectral symplectic Runge–Kutta methods, for Lax flows `L' = [B(t, L), L]` with skew `B`.
//!
//! ```text
//! Q_i = I + h sum_j a_ij B_j Q_j      L_i = Q_i L Q_iᵀ      B_i = B(t + c_i h, L_i)
//! Q   = I + h sum_i b_i B_i Q_i       L'  = Q L Qᵀ
//! ```
//!
//! It is a Runge–Kutta method for `Q' = B Q`, whose quadratic invariant `QᵀQ = I` the tables of Gauss
//! keep: so `Q` is a rotation, and the eigenvalues of `L` stay. The stages `Q_i` are no rotations, and
//! `B` is asked for at matrices with other eigenvalues. Where the flow is a Lie–Poisson one, on the dual
//! of so(n), the step is a Poisson map: it comes from a symplectic method on the cotangent bundle, by a
//! momentum map (Modin and Viviani 2020, of which this is the form for skew `B`). Symmetric; of order
//! two, four and six. The first of them is Cayley's map with the field at a point in the middle.
//!
//! All works with `Q - I`, which is small, so that a step changes eigenvalues by the rounding of one
//! addition. Solved by fixed-point iteration.
use super::fixed_point::{MOST_SWEEPS, Settling};
use super::{Card, Choices, Cost, Entry, Method, NOT_FINITE, Options, Step, StepError, StepResult};
use crate::action::Congruence;
use crate::group::{LieAlgebra, Skew, Square};
use crate::problem::Generator;
use crate::tableau::{GAUSS2, GAUSS4, GAUSS6, Tableau};
use lieflow_kernel::{Mask, Real};

/// The family on the cards of these methods.
pub const FAMILY: &str = "isospectral";

/// The methods of this family, by table.
pub static MEMBERS: [(Card, &Tableau); 3] = [
    (card("isospectral-midpoint", "Isospectral midpoint rule", 2), &GAUSS2),
    (card("isospectral-gl4", "Isospectral Gauss, order 4", 4), &GAUSS4),
    (card("isospectral-gl6", "Isospectral Gauss, order 6", 6), &GAUSS6),
];

const fn card(id: &'static str, title: &'static str, order: u8) -> Card {
    Card {
        symmetric: true,
        symplectic: true,
        conserves: "eigenvalues, the Lie–Poisson structure of so(n)*, coadjoint orbits",
        implicit: true,
        cite: "modinviviani2020",
        ..Card::new(id, title, FAMILY, order)
    }
}

/// A method of this family, on matrices of size `N`.
pub struct Isospectral<S, const N: usize> {
    table: &'static Tableau,
    /// `B_i Q_i`, one for each stage.
    slopes: Vec<Square<S, N>>,
    cost: Cost,
}

impl<S: Real, const N: usize> Isospectral<S, N> {
    /// The method with this table.
    pub fn new(table: &'static Tableau) -> Self {
        Self { table, slopes: Vec::new(), cost: Cost::default() }
    }

    /// `h sum_j w_j B_j Q_j`.
    #[inline]
    fn combined(&self, h: f64, weights: &[f64]) -> Square<S, N> {
        let mut d = [[S::zero(); N]; N];
        for (w, slope) in weights.iter().zip(&self.slopes) {
            for (d, x) in d.as_flattened_mut().iter_mut().zip(slope.as_flattened()) {
                *d += *x * (h * w);
            }
        }
        d
    }

    /// New slopes from the old ones; change and size, of values and with derivatives.
    fn sweep<P: Generator<Space: Congruence<S, N>>>(
        &mut self,
        s: Step<'_, P>,
        done: S::Mask,
    ) -> [S; 4] {
        let zero = S::zero();
        let mut sums = [zero; 4];
        for i in 0..self.table.b.len() {
            let d = self.combined(s.h, self.table.a[i]);
            let point = P::Space::moved(&d, s.y);
            let b = s.p.field(s.t + self.table.c[i] * s.h, &point);
            let new = slope(&b, &d);
            let old = self.slopes[i].as_flattened_mut();
            for (old, new) in old.iter_mut().zip(new.as_flattened()) {
                let change = *new - *old;
                sums[0] += change.square();
                sums[1] += new.square();
                if const { S::DERIVATIVES > 0 } {
                    sums[2] += change.all_squared();
                    sums[3] += new.all_squared();
                }
                *old = S::select(done, *old, *new);
            }
        }
        self.cost.field_evaluations += self.table.b.len() as u64;
        self.cost.newton_iterations += 1;
        sums
    }
}

/// `B (I + D)`.
#[inline]
fn slope<S: Real, const N: usize>(b: &Skew<S, N>, d: &Square<S, N>) -> Square<S, N> {
    let b = b.matrix();
    let mut out = *b;
    for i in 0..N {
        for j in 0..N {
            for k in 0..N {
                out[i][j] += b[i][k] * d[k][j];
            }
        }
    }
    out
}

impl<S: Real, const N: usize, P: Generator<Space: Congruence<S, N>>> Method<P>
    for Isospectral<S, N>
{
    fn step(&mut self, s: Step<'_, P>, out: &mut P::Point) -> StepResult {
        let first = s.p.field(s.t, s.y);
        self.cost.field_evaluations += 1;
        if !first.finite() {
            return Err(NOT_FINITE);
        }
        self.slopes.clear();
        self.slopes.resize(self.table.b.len(), *first.matrix());
        let mut done = S::Mask::splat(false);
        let (mut value, mut all_parts) = (Settling::new(), Settling::new());
        let (mut residual, mut sweeps) = (f64::INFINITY, 0);
        while sweeps < MOST_SWEEPS {
            sweeps += 1;
            let [change, size, change_of_all, size_of_all] = self.sweep(s, done);
            residual = change.magnitude().sqrt();
            if !residual.is_finite() {
                break;
            }
            done = value.judge(change, size);
            if const { S::DERIVATIVES > 0 } {
                done = done.and(all_parts.judge(change_of_all, size_of_all));
            }
            if done.all() {
                let d = self.combined(s.h, self.table.b);
                *out = P::Space::moved(&d, s.y);
                self.cost.exponentials += 1;
                return Ok(None);
            }
        }
        let equation = "the system of isospectral stages";
        Err(StepError::NotConverged { equation, iterations: sweeps, residual, step: s.h })
    }

    fn cost(&self) -> Cost {
        self.cost
    }
}

/// The methods of this family. [`on_field`](super::on_field) compiles them once for all systems on a
/// space.
pub fn entries<S: Real, const N: usize, P>() -> Vec<Entry<P>>
where
    P: Generator<Space: Congruence<S, N>> + 'static,
{
    let entry = |(card, table): &'static (Card, &'static Tableau)| {
        let make = move |_: &P, options: &Options| {
            options.check(card, Choices::fixed_point())?;
            Ok(Box::new(Isospectral::<S, N>::new(table)) as Box<dyn Method<P>>)
        };
        Entry { card: card.clone(), make: Box::new(make) }
    };
    MEMBERS.iter().map(entry).collect()
}

/// Why a method of this family does not fit a system, in words.
pub const NOT_LAX: &str =
    "it is for Lax flows L' = [B(L), L] of matrices, such as those of toda and so-n-body";
