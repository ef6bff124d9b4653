//! Lagrangian systems on a group: one function of configuration and body velocity.
//!
//! ```text
//! L(t, g, w),  g' = g w          momentum  p = dL/dw                       (body, left-trivialised)
//!                                force <f, x> = d/de L(t, exp(e x) g, w)   (space, right-trivialised)
//! motion:  p' = ad_w^T p + Ad_g^T (f + external),   or in space  mu' = f + external,  mu = Ad_{g^-1}^T p
//! ```
//!
//! A system writes `L` once, over its own numbers; momentum, force and velocity come from dual
//! numbers. Closed forms may replace them, as an optimisation that is tested against the duals. On
//! Rⁿ body and space are the same and this is `L(t, q, v)`.
use super::legendre::{self, LegendreError};
use super::{Phase, Problem};
use crate::group::family::{GroupFamily, NaturalChart, Seeded, VectorIn, fixed, gradient, pair};
use crate::group::{LieAlgebra, LieGroup};
use lieflow_kernel::Real;

/// The group of a Lagrangian system.
pub type ConfigurationOf<P> =
    <<P as Lagrangian>::Family as GroupFamily>::Over<<P as Lagrangian>::Scalar>;
/// Velocities and momenta of a Lagrangian system.
pub type VelocityOf<P> = VectorIn<<P as Lagrangian>::Family, <P as Lagrangian>::Scalar>;

/// A Lagrangian system.
pub trait Lagrangian: Problem<Point: Phase<Group = ConfigurationOf<Self>>> {
    /// The numbers of this system.
    type Scalar: Real;
    /// The group of configurations.
    type Family: GroupFamily;
    /// The same system over other numbers.
    type Over<T: Real>: Lagrangian<Scalar = T, Family = Self::Family>;

    /// This system with every number replaced by `embed` of it.
    fn over<T: Real>(&self, embed: fn(Self::Scalar) -> T) -> Self::Over<T>;

    /// `L(t, g, w)`, with `w` the velocity in the body.
    fn lagrangian(&self, t: f64, g: &ConfigurationOf<Self>, w: &VelocityOf<Self>) -> Self::Scalar;

    /// `dL/dw`.
    fn momentum(
        &self,
        t: f64,
        g: &ConfigurationOf<Self>,
        w: &VelocityOf<Self>,
    ) -> VelocityOf<Self> {
        momentum_by_duals(self, t, g, w)
    }

    /// The force in space at a fixed body velocity, `<f, x> = d/de L(t, exp(e x) g, w)`.
    fn force(&self, t: f64, g: &ConfigurationOf<Self>, w: &VelocityOf<Self>) -> VelocityOf<Self> {
        force_by_duals(self, t, g, w)
    }

    /// A force in space that has no potential, such as friction or control.
    fn external(
        &self,
        t: f64,
        g: &ConfigurationOf<Self>,
        w: &VelocityOf<Self>,
    ) -> Option<VelocityOf<Self>> {
        let _ = (t, g, w);
        None
    }

    /// The body velocity of a body momentum: the inverse of [`Lagrangian::momentum`].
    fn velocity(
        &self,
        t: f64,
        g: &ConfigurationOf<Self>,
        p: &VelocityOf<Self>,
    ) -> Result<VelocityOf<Self>, LegendreError> {
        velocity_by_duals(self, t, g, p)
    }
}

/// [`Lagrangian::momentum`] from the function alone.
pub fn momentum_by_duals<P: Lagrangian + ?Sized>(
    p: &P,
    t: f64,
    g: &ConfigurationOf<P>,
    w: &VelocityOf<P>,
) -> VelocityOf<P> {
    let system = p.over(Seeded::constant);
    let g = P::Family::cast(g, Seeded::constant);
    gradient::<P::Family, P::Scalar>(w, |w| system.lagrangian(t, &g, w))
}

/// [`Lagrangian::force`] from the function alone.
pub fn force_by_duals<P: Lagrangian + ?Sized>(
    p: &P,
    t: f64,
    g: &ConfigurationOf<P>,
    w: &VelocityOf<P>,
) -> VelocityOf<P> {
    let system = p.over(Seeded::constant);
    let g = P::Family::cast(g, Seeded::constant);
    let fixed = P::Family::cast_vector(w, Seeded::constant);
    gradient::<P::Family, P::Scalar>(&w.zero_like(), |x| {
        system.lagrangian(t, &P::Family::map(NaturalChart::Exp, x).compose(&g), &fixed)
    })
}

/// [`Lagrangian::velocity`] from [`Lagrangian::momentum`] and its derivative. A singular Hessian
/// is an error.
pub fn velocity_by_duals<P: Lagrangian + ?Sized>(
    p: &P,
    t: f64,
    g: &ConfigurationOf<P>,
    momentum: &VelocityOf<P>,
) -> Result<VelocityOf<P>, LegendreError> {
    let plain = p.over(fixed);
    let there = P::Family::cast(g, fixed);
    legendre::solve::<P::Family, P::Scalar>(
        "Lagrangian in the velocities",
        momentum,
        |w| p.momentum(t, g, w),
        |w| plain.momentum(t, &there, w),
    )
}

/// Refuses a Lagrangian whose momenta do not determine the velocities at the starting point.
pub fn check_legendre<P: Lagrangian>(p: &P, t: f64) -> Result<(), LegendreError> {
    let start = p.start();
    velocity_by_duals(p, t, &start.configuration(), &start.body_momentum()).map(|_| ())
}

/// The energy `<p, w> - L` of a state.
pub fn energy<P: Lagrangian>(p: &P, t: f64, y: &P::Point) -> Result<P::Scalar, LegendreError> {
    let g = y.configuration();
    let momentum = y.body_momentum();
    let w = p.velocity(t, &g, &momentum)?;
    Ok(pair(&momentum, &w) - p.lagrangian(t, &g, &w))
}

/// A system whose Lagrangian is invariant under the group: a function of the body velocity alone,
/// with the body momentum as state. Its motion `p' = ad_w^T p` is the Euler–Poincaré equation, and
/// stays on a coadjoint orbit.
pub trait ReducedLagrangian: Problem<Point = ReducedVelocityOf<Self>> {
    /// The numbers of this system.
    type Scalar: Real;
    /// The group.
    type Family: GroupFamily;
    /// The same system over other numbers.
    type Over<T: Real>: ReducedLagrangian<Scalar = T, Family = Self::Family>;

    /// This system with every number replaced by `embed` of it.
    fn over<T: Real>(&self, embed: fn(Self::Scalar) -> T) -> Self::Over<T>;

    /// `l(w)`.
    fn lagrangian(&self, w: &ReducedVelocityOf<Self>) -> Self::Scalar;

    /// `dl/dw`.
    fn momentum(&self, w: &ReducedVelocityOf<Self>) -> ReducedVelocityOf<Self> {
        let system = self.over(Seeded::constant);
        gradient::<Self::Family, Self::Scalar>(w, |w| system.lagrangian(w))
    }

    /// The inverse of [`ReducedLagrangian::momentum`].
    fn velocity(
        &self,
        p: &ReducedVelocityOf<Self>,
    ) -> Result<ReducedVelocityOf<Self>, LegendreError> {
        let plain = self.over(fixed);
        legendre::solve::<Self::Family, Self::Scalar>(
            "reduced Lagrangian",
            p,
            |w| self.momentum(w),
            |w| plain.momentum(w),
        )
    }
}

/// Velocities and momenta of a reduced system.
pub type ReducedVelocityOf<P> =
    VectorIn<<P as ReducedLagrangian>::Family, <P as ReducedLagrangian>::Scalar>;
