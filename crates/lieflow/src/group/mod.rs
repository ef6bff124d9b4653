//! Lie groups given by what integrators ask of them.
//!
//! A group is a type; its algebra is another. Products are pairs `(A, B)`, arrays `[A; N]` and
//! vectors `Vec<A>`, whose length is known only at run time.
//!
//! By-value functions are the definitions; the variants that write into an existing value
//! (`…_into`, `…_mut`) exist so that products of run-time length need no allocation in a step.
use crate::chart::{Chart, OutOfChart};
use core::fmt::Debug;
use lieflow_kernel::scalar::Apart;
use lieflow_kernel::wide::Vectors;
use lieflow_kernel::{Mask, Real};

mod cotangent;
mod each;
pub mod family;
pub mod laws;
pub(crate) mod matrix;
pub(crate) mod packs;
mod product;
mod rn;
mod se2;
mod se23;
mod se3;
mod series;
mod so3;
mod son;
mod su2;
mod sun;
mod unitary;

pub use cotangent::{Cotangent, CotangentAlgebra, CotangentLift};
pub use matrix::Square;
pub use rn::Rn;
pub use se2::{PlanarTwist, Se2};
pub use se3::{Se3, Twist};
pub use se23::{ExtendedTwist, Se23};
pub use series::dexpinv_series;
pub use so3::So3;
pub use son::{Skew, Son};
pub use su2::Su2;
pub use sun::{Complex, SkewHermitian, Sun};

/// An element of a Lie algebra: a vector with coordinates and a bracket.
pub trait LieAlgebra: Clone + Debug + 'static {
    /// The real numbers of the coordinates.
    type Scalar: Real;

    /// Number of coordinates.
    fn dim(&self) -> usize;
    /// Coordinate `i`.
    fn coord(&self, i: usize) -> Self::Scalar;
    /// Replaces coordinate `i`.
    fn set_coord(&mut self, i: usize, value: Self::Scalar);
    /// Zero, where all elements have the same shape.
    const ZERO: Option<fn() -> Self> = None;
    /// Zero of the same shape.
    fn zero_like(&self) -> Self;
    /// `self = a x`.
    fn assign(&mut self, a: f64, x: &Self);
    /// `self += a x`.
    fn axpy(&mut self, a: f64, x: &Self);
    /// `[self, x]`.
    fn bracket(&self, x: &Self) -> Self;

    /// `self += a [x, y]`; products of run-time length do this without allocating.
    #[inline(always)]
    fn axpy_bracket(&mut self, a: f64, x: &Self, y: &Self) {
        self.axpy(a, &x.bracket(y));
    }
    /// `self = h sum_j w_j k_j`, of which there is at least one; products of run-time length do it
    /// in one pass.
    #[inline(always)]
    fn combine(&mut self, h: f64, weights: &[f64], k: &[Self]) {
        combine_by_terms(self, h, weights, k);
    }
    /// Dot product of the coordinates, lane by lane.
    #[inline(always)]
    fn dot(&self, x: &Self) -> Self::Scalar {
        let mut sum = Self::Scalar::zero();
        let mut i = 0;
        while i < self.dim() {
            sum += self.coord(i) * x.coord(i);
            i += 1;
        }
        sum
    }
    /// Whether every coordinate is finite, in every lane.
    #[inline(always)]
    fn finite(&self) -> bool {
        // A number minus itself is zero, unless it is infinite or not a number.
        let mut nothing = Self::Scalar::zero();
        let mut i = 0;
        while i < self.dim() {
            nothing += self.coord(i) - self.coord(i);
            i += 1;
        }
        nothing.finite().all()
    }

    /// [`LieAlgebra::norm_squared`] lane by lane, with its bits where there is one.
    #[inline(always)]
    fn squares(&self) -> Self::Scalar {
        let mut sum = Self::Scalar::zero();
        let mut i = 0;
        while i < self.dim() {
            sum += self.coord(i) * self.coord(i);
            i += 1;
        }
        sum
    }

    /// Sum of the squares of the coordinates, over the largest lane.
    fn norm_squared(&self) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.dim() {
            let x = self.coord(i).magnitude();
            sum += x * x;
        }
        sum
    }
    /// Euclidean norm of the coordinates.
    fn norm(&self) -> f64 {
        self.norm_squared().sqrt()
    }
}

/// [`LieAlgebra::combine`], term by term.
#[inline(always)]
fn combine_by_terms<A: LieAlgebra>(out: &mut A, h: f64, weights: &[f64], k: &[A]) {
    let Some(first) = weights.iter().zip(k).position(|(w, _)| *w != 0.0) else {
        out.assign(0.0, &k[0]);
        return;
    };
    // A sum of its own stays in registers, where `out` would be written to memory with each term.
    match A::ZERO {
        Some(zero) => {
            let mut sum = zero();
            add_terms(&mut sum, h, &weights[first..], &k[first..]);
            *out = sum;
        }
        None => add_terms(out, h, &weights[first..], &k[first..]),
    }
}

/// `out = h sum_j w_j k_j`, where the first weight is not zero.
#[inline(always)]
fn add_terms<A: LieAlgebra>(out: &mut A, h: f64, weights: &[f64], k: &[A]) {
    let mut terms = weights.iter().zip(k);
    let Some((w, first)) = terms.next() else { return };
    out.assign(h * w, first);
    for (w, k) in terms {
        if *w != 0.0 {
            out.axpy(h * w, k);
        }
    }
}

/// The algebra of a group.
pub type AlgebraOf<G> = <G as LieGroup>::Algebra;
/// The scalar of a group.
pub type ScalarOf<G> = <AlgebraOf<G> as LieAlgebra>::Scalar;

/// Zero of the shape of an element, which is asked for only where not all have the same: a field that is evaluated for
/// that alone would be compiled once more.
#[inline(always)]
pub(crate) fn zero_of_shape<A: LieAlgebra>(like: impl FnOnce() -> A) -> A {
    if const { A::ZERO.is_none() } {
        return like().zero_like();
    }
    match A::ZERO {
        Some(zero) => zero(),
        None => unreachable!("asked before"),
    }
}

/// [`LieGroup::other_map`] in a function of its own: few runs use it, and every stage of every method
/// would hold it. What it needs is copied, so that the originals may stay in registers.
struct OtherMap<G: LieGroup> {
    chart: Chart,
    u: AlgebraOf<G>,
}
impl<G: LieGroup> Apart for OtherMap<G> {
    type Output = G;
    #[inline(always)]
    fn run(self) -> G {
        G::other_map(self.chart, &self.u)
    }
}

/// [`LieGroup::other_pull`], likewise.
struct OtherPull<G: LieGroup> {
    chart: Chart,
    u: AlgebraOf<G>,
    v: AlgebraOf<G>,
}
impl<G: LieGroup> Apart for OtherPull<G> {
    type Output = AlgebraOf<G>;
    #[inline(always)]
    fn run(self) -> AlgebraOf<G> {
        G::other_pull(self.chart, &self.u, &self.v)
    }
}

/// A Lie group. Differentials are right-trivialised.
pub trait LieGroup: Clone + Debug + 'static {
    /// Its Lie algebra.
    type Algebra: LieAlgebra;

    /// Whether [`LieGroup::cay`] and its differential exist on this group.
    const HAS_CAYLEY: bool;

    /// Whether [`LieGroup::shift`] is written.
    const SHIFTS: bool = false;

    /// `out += self g - g`, with digits that the difference does not have: an error of a rounding of the
    /// way, not of the element. Unless written, nothing is added.
    fn shift(&self, g: &Self, out: &mut Self) {
        let _ = (g, out);
    }

    /// The identity, of the shape of `u`.
    fn identity(u: &Self::Algebra) -> Self;
    /// The product `self g`.
    fn compose(&self, g: &Self) -> Self;
    /// The inverse.
    fn inverse(&self) -> Self;
    /// Exponential map.
    fn exp(u: &Self::Algebra) -> Self;
    /// A logarithm: `exp(log g) = g`, the principal one where there is one.
    fn log(&self) -> Self::Algebra;
    /// `Ad_self v`.
    fn adjoint(&self, v: &Self::Algebra) -> Self::Algebra;
    /// `dexp_u v`.
    fn dexp(u: &Self::Algebra, v: &Self::Algebra) -> Self::Algebra;
    /// `dexp_u^{-1} v`.
    fn dexpinv(u: &Self::Algebra, v: &Self::Algebra) -> Self::Algebra;
    /// Cayley's map. Only called where [`LieGroup::HAS_CAYLEY`] is true.
    fn cay(u: &Self::Algebra) -> Self;
    /// Inverse right-trivialised differential of [`LieGroup::cay`].
    fn dcayinv(u: &Self::Algebra, v: &Self::Algebra) -> Self::Algebra;

    /// The chart `phi(u)`.
    #[inline(always)]
    fn map(chart: Chart, u: &Self::Algebra) -> Self {
        if const { !ScalarOf::<Self>::CHARTS } {
            return Self::exp(u);
        }
        match chart {
            Chart::Exp | Chart::ExpSeries { .. } => Self::exp(u),
            _ if const { core::mem::needs_drop::<Self::Algebra>() } => Self::other_map(chart, u),
            _ => ScalarOf::<Self>::apart(OtherMap::<Self> { chart, u: u.clone() }),
        }
    }
    /// [`LieGroup::map`] in a chart that is not the exponential one.
    #[inline(always)]
    fn other_map(chart: Chart, u: &Self::Algebra) -> Self {
        match chart {
            Chart::Exp | Chart::ExpSeries { .. } => Self::exp(u),
            Chart::Cayley | Chart::Stereographic => Self::cay(u),
            Chart::SecondKind => crate::chart::second_kind::map(u),
        }
    }
    /// `v <- dphi_u^{-1} v`: the inverse right-trivialised differential of the chart.
    #[inline(always)]
    fn pull(chart: Chart, u: &Self::Algebra, v: &mut Self::Algebra) {
        if const { !ScalarOf::<Self>::CHARTS } {
            *v = Self::dexpinv(u, v);
            return;
        }
        *v = match chart {
            Chart::Exp => Self::dexpinv(u, v),
            _ if const { core::mem::needs_drop::<Self::Algebra>() } => {
                Self::other_pull(chart, u, v)
            }
            _ => ScalarOf::<Self>::apart(OtherPull::<Self> { chart, u: u.clone(), v: v.clone() }),
        };
    }
    /// [`LieGroup::pull`] in a chart that is not the exponential one, or by its series.
    #[inline(always)]
    fn other_pull(chart: Chart, u: &Self::Algebra, v: &Self::Algebra) -> Self::Algebra {
        match chart {
            Chart::Exp => Self::dexpinv(u, v),
            Chart::ExpSeries { brackets } => dexpinv_series(brackets, u, v),
            Chart::Cayley | Chart::Stereographic => Self::dcayinv(u, v),
            Chart::SecondKind => crate::chart::second_kind::pull::<Self>(u, v),
        }
    }
    /// [`LieGroup::pull`] for each of many. Overridden where several at a time are faster.
    #[inline(always)]
    fn pull_each<V: Vectors>(chart: Chart, u: &[Self::Algebra], v: &mut [Self::Algebra]) {
        for (u, v) in u.iter().zip(v) {
            Self::pull(chart, u, v);
        }
    }
    /// `v <- dphi_u v`: the right-trivialised differential of the chart, the inverse of
    /// [`LieGroup::pull`].
    #[inline]
    fn push(chart: Chart, u: &Self::Algebra, v: &mut Self::Algebra) {
        *v = match chart {
            Chart::Exp | Chart::ExpSeries { .. } => Self::dexp(u, v),
            Chart::Cayley | Chart::Stereographic => inverse_of_pull::<Self>(u, v),
            Chart::SecondKind => crate::chart::second_kind::push::<Self>(u, v),
        };
    }
    /// Whether `u` lies where [`LieGroup::pull`] is defined, in every lane. Groups with rotations
    /// say no from a full turn on; the default is for groups that have none.
    #[inline(always)]
    fn domain(chart: Chart, u: &Self::Algebra) -> Result<(), OutOfChart> {
        let _ = (chart, u);
        Ok(())
    }
    /// [`LieGroup::domain`] of each of many. Overridden where several at a time are faster.
    #[inline(always)]
    fn domain_each<V: Vectors>(chart: Chart, u: &[Self::Algebra]) -> Result<(), OutOfChart> {
        for u in u {
            Self::domain(chart, u)?;
        }
        Ok(())
    }
}

/// Solves `dcay_u^{-1} x = v`, for groups without a closed form.
fn inverse_of_pull<G: LieGroup>(u: &AlgebraOf<G>, v: &AlgebraOf<G>) -> AlgebraOf<G> {
    let d = u.dim();
    let mut a = vec![ScalarOf::<G>::zero(); d * d];
    let mut b = vec![ScalarOf::<G>::zero(); d];
    let mut x = v.zero_like();
    for j in 0..d {
        x.set_coord(j, ScalarOf::<G>::one());
        let column = G::dcayinv(u, &x);
        x.set_coord(j, ScalarOf::<G>::zero());
        for i in 0..d {
            a[i * d + j] = column.coord(i);
        }
        b[j] = v.coord(j);
    }
    lieflow_kernel::linalg::solve_in_place(d, &mut a, &mut b);
    for (j, value) in b.into_iter().enumerate() {
        x.set_coord(j, value);
    }
    x
}

/// What cotangent methods need besides: transposes on covectors, which share the coordinates of
/// the algebra and are paired with it by the dot product.
pub trait Coadjoint: LieGroup {
    /// `Ad_self^T m`, the plain transpose.
    fn adjoint_transpose(&self, m: &Self::Algebra) -> Self::Algebra;
    /// `ad_u^T m`.
    fn ad_transpose(u: &Self::Algebra, m: &Self::Algebra) -> Self::Algebra;
    /// `dexp_u^T m`.
    fn dexp_transpose(u: &Self::Algebra, m: &Self::Algebra) -> Self::Algebra;
    /// `(dexp_u^{-1})^T m`.
    fn dexpinv_transpose(u: &Self::Algebra, m: &Self::Algebra) -> Self::Algebra;

    /// The left action on covectors, `Ad_{self^{-1}}^T m`, with generator `m -> -ad_u^T m`.
    fn coadjoint(&self, m: &Self::Algebra) -> Self::Algebra {
        self.inverse().adjoint_transpose(m)
    }

    /// Whether [`Coadjoint::coadjoint_shift`] is written.
    const COADJOINT_SHIFTS: bool = false;

    /// `out += Ad_{self^{-1}}^T m - m`, like [`LieGroup::shift`].
    fn coadjoint_shift(&self, m: &Self::Algebra, out: &mut Self::Algebra) {
        let _ = (m, out);
    }
}
