//! The cotangent bundle of a group as a group, T*G = G ⋉ g*, in right trivialisation.
//!
//! ```text
//! (g1, m1)(g2, m2)  = (g1 g2, m1 + Ad_{g1^-1}^T m2)
//! [(u, n), (v, k)]  = ([u, v], ad_v^T n - ad_u^T k)
//! exp(u, n)         = (exp u, m),                   m = dexp_{-u}^T n
//! dexp_(u,n)(v, k)  = (w, dexp_{-u}^T k + D(dexp_{-u}^T n)[v] + ad_w^T m),   w = dexp_u v
//! ```
//!
//! Celledoni et al., section 3.1, with the correction that their product needs the inverse of `g1`
//! to be associative. The last line is the derivative of `exp`, right-trivialised; it is solved for
//! `(v, k)` in closed form, so the inverse differential is as exact as that of `G`.
//!
//! For SO(3) this is SE(3) with the same formulas, because momenta turn like vectors:
//! `Cotangent<So3>` and [`Se3`](super::Se3) are the same group, and `Se3` is faster.
use super::{AlgebraOf, LieAlgebra, LieGroup, ScalarOf};
use crate::action::Flat;
use crate::archive::Archive;
use crate::chart::{Chart, OutOfChart};

mod lift;

pub use lift::CotangentLift;

/// A point `(g, mu)` of T*G.
#[derive(Clone, Debug)]
pub struct Cotangent<G: LieGroup> {
    /// The configuration.
    pub g: G,
    /// The momentum in space (right-trivialised).
    pub mu: AlgebraOf<G>,
}

/// An element of the algebra of T*G.
#[derive(Clone, Debug)]
pub struct CotangentAlgebra<G: LieGroup> {
    /// The part in `g`.
    pub velocity: AlgebraOf<G>,
    /// The part in `g*`.
    pub momentum: AlgebraOf<G>,
}

impl<G: LieGroup<Algebra: Flat> + Flat> Flat for Cotangent<G> {
    fn distance_squared(&self, other: &Self) -> f64 {
        self.g.distance_squared(&other.g) + self.mu.distance_squared(&other.mu)
    }
    fn archive(&mut self, archive: &mut Archive) {
        self.g.archive(archive);
        self.mu.archive(archive);
    }
    fn zeros(&self) -> Option<Self> {
        Some(Self { g: self.g.zeros()?, mu: self.mu.zeros()? })
    }
    fn gather(&mut self, small: &mut Self) {
        self.g.gather(&mut small.g);
        self.mu.gather(&mut small.mu);
    }
}
impl<G: LieGroup<Algebra: Flat>> Flat for CotangentAlgebra<G> {
    fn distance_squared(&self, other: &Self) -> f64 {
        self.velocity.distance_squared(&other.velocity)
            + self.momentum.distance_squared(&other.momentum)
    }
    fn archive(&mut self, archive: &mut Archive) {
        self.velocity.archive(archive);
        self.momentum.archive(archive);
    }
}

impl<G: LieGroup> CotangentAlgebra<G> {
    /// The pair (velocity, momentum).
    #[inline(always)]
    pub fn new(velocity: AlgebraOf<G>, momentum: AlgebraOf<G>) -> Self {
        Self { velocity, momentum }
    }
}

/// `-u`.
#[inline(always)]
fn minus<A: LieAlgebra>(u: &A) -> A {
    let mut out = u.zero_like();
    out.assign(-1.0, u);
    out
}
/// `a + b`.
#[inline(always)]
fn plus<A: LieAlgebra>(mut a: A, b: &A) -> A {
    a.axpy(1.0, b);
    a
}

impl<G: CotangentLift> LieAlgebra for CotangentAlgebra<G> {
    type Scalar = ScalarOf<G>;
    #[inline(always)]
    fn dim(&self) -> usize {
        self.velocity.dim() + self.momentum.dim()
    }
    #[inline(always)]
    fn coord(&self, i: usize) -> ScalarOf<G> {
        let d = self.velocity.dim();
        if i < d { self.velocity.coord(i) } else { self.momentum.coord(i - d) }
    }
    #[inline(always)]
    fn set_coord(&mut self, i: usize, value: ScalarOf<G>) {
        let d = self.velocity.dim();
        if i < d {
            self.velocity.set_coord(i, value);
        } else {
            self.momentum.set_coord(i - d, value);
        }
    }
    #[inline(always)]
    fn zero_like(&self) -> Self {
        Self::new(self.velocity.zero_like(), self.momentum.zero_like())
    }
    #[inline(always)]
    fn assign(&mut self, a: f64, x: &Self) {
        self.velocity.assign(a, &x.velocity);
        self.momentum.assign(a, &x.momentum);
    }
    #[inline(always)]
    fn axpy(&mut self, a: f64, x: &Self) {
        self.velocity.axpy(a, &x.velocity);
        self.momentum.axpy(a, &x.momentum);
    }
    #[inline]
    fn bracket(&self, x: &Self) -> Self {
        let mut momentum = G::ad_transpose(&x.velocity, &self.momentum);
        momentum.axpy(-1.0, &G::ad_transpose(&self.velocity, &x.momentum));
        Self::new(self.velocity.bracket(&x.velocity), momentum)
    }
    fn norm_squared(&self) -> f64 {
        self.velocity.norm_squared() + self.momentum.norm_squared()
    }
}

/// What `dexp` and its inverse share: `m`, and `D(dexp_{-u}^T n)[v] + ad_w^T m` for given `v`, `w`.
#[inline]
fn mixed<G: CotangentLift>(
    u: &CotangentAlgebra<G>,
    back: &AlgebraOf<G>,
    v: &AlgebraOf<G>,
    w: &AlgebraOf<G>,
) -> AlgebraOf<G> {
    let m = G::dexp_transpose(back, &u.momentum);
    let slope = G::dexp_transpose_slope(back, &minus(v), &u.momentum);
    plus(slope, &G::ad_transpose(w, &m))
}

impl<G: CotangentLift> LieGroup for Cotangent<G> {
    type Algebra = CotangentAlgebra<G>;
    const HAS_CAYLEY: bool = G::HAS_COTANGENT_CAYLEY;

    #[inline(always)]
    fn identity(u: &Self::Algebra) -> Self {
        Self { g: G::identity(&u.velocity), mu: u.momentum.zero_like() }
    }
    #[inline]
    fn compose(&self, h: &Self) -> Self {
        Self { g: self.g.compose(&h.g), mu: plus(self.g.coadjoint(&h.mu), &self.mu) }
    }
    #[inline]
    fn inverse(&self) -> Self {
        Self { g: self.g.inverse(), mu: minus(&self.g.adjoint_transpose(&self.mu)) }
    }
    #[inline]
    fn exp(u: &Self::Algebra) -> Self {
        let mu = G::dexp_transpose(&minus(&u.velocity), &u.momentum);
        Self { g: G::exp(&u.velocity), mu }
    }
    fn log(&self) -> Self::Algebra {
        let velocity = self.g.log();
        let momentum = G::dexpinv_transpose(&minus(&velocity), &self.mu);
        CotangentAlgebra { velocity, momentum }
    }
    #[inline]
    fn adjoint(&self, v: &Self::Algebra) -> Self::Algebra {
        let velocity = self.g.adjoint(&v.velocity);
        let moved = self.g.coadjoint(&v.momentum);
        let momentum = plus(moved, &G::ad_transpose(&velocity, &self.mu));
        CotangentAlgebra { velocity, momentum }
    }
    fn dexp(u: &Self::Algebra, v: &Self::Algebra) -> Self::Algebra {
        let back = minus(&u.velocity);
        let velocity = G::dexp(&u.velocity, &v.velocity);
        let carried = G::dexp_transpose(&back, &v.momentum);
        let momentum = plus(carried, &mixed(u, &back, &v.velocity, &velocity));
        CotangentAlgebra { velocity, momentum }
    }
    /// As exact as on `G`, and singular where `G::dexpinv` is.
    fn dexpinv(u: &Self::Algebra, w: &Self::Algebra) -> Self::Algebra {
        let back = minus(&u.velocity);
        let velocity = G::dexpinv(&u.velocity, &w.velocity);
        let mut rest = w.momentum.clone();
        rest.axpy(-1.0, &mixed(u, &back, &velocity, &w.velocity));
        let momentum = G::dexpinv_transpose(&back, &rest);
        CotangentAlgebra { velocity, momentum }
    }
    fn cay(u: &Self::Algebra) -> Self {
        Self { g: G::cay(&u.velocity), mu: G::cotangent_cay(&u.velocity, &u.momentum) }
    }
    fn dcayinv(u: &Self::Algebra, v: &Self::Algebra) -> Self::Algebra {
        let momentum = G::cotangent_dcayinv((&u.velocity, &u.momentum), (&v.velocity, &v.momentum));
        CotangentAlgebra { velocity: G::dcayinv(&u.velocity, &v.velocity), momentum }
    }
    #[inline(always)]
    fn domain(chart: Chart, u: &Self::Algebra) -> Result<(), OutOfChart> {
        G::domain(chart, &u.velocity)
    }
}
