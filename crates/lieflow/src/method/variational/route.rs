//! What a variational method asks of a system, and the faces through which it can be answered.
use crate::group::family::{GroupFamily, VectorIn};
use crate::group::{Coadjoint, LieAlgebra, LieGroup};
use crate::problem::{Hamiltonian, Lagrangian, LegendreError, Problem, ReducedLagrangian};
use lieflow_kernel::Real;

/// The group of a route.
pub(crate) type GroupOn<R, P> =
    <<R as Route<P>>::Family as GroupFamily>::Over<<R as Route<P>>::Scalar>;
/// The vectors of a route.
pub(crate) type VectorOn<R, P> = VectorIn<<R as Route<P>>::Family, <R as Route<P>>::Scalar>;

/// Momentum and force at a node.
#[derive(Clone, Debug)]
pub struct Pull<A> {
    /// Momentum in the body.
    pub momentum: A,
    /// Force in space, at a fixed body velocity, external forces included.
    pub force: A,
}

/// How a method gets at the mechanics of a system.
pub trait Route<P: Problem>: 'static {
    /// The numbers of the system.
    type Scalar: Real;
    /// Its group.
    type Family: GroupFamily;
    /// The system over other numbers.
    type Over<T: Real>: Problem;
    /// The route to it.
    type Lifted<T: Real>: Route<Self::Over<T>, Scalar = T, Family = Self::Family>;

    /// The system over other numbers.
    fn over<T: Real>(p: &P, embed: fn(Self::Scalar) -> T) -> Self::Over<T>;
    /// The body velocity of a body momentum.
    fn velocity(
        p: &P,
        t: f64,
        g: &GroupOn<Self, P>,
        momentum: &VectorOn<Self, P>,
    ) -> Result<VectorOn<Self, P>, LegendreError>;
    /// Momentum and force of a body velocity.
    fn pull(
        p: &P,
        t: f64,
        g: &GroupOn<Self, P>,
        w: &VectorOn<Self, P>,
    ) -> Result<Pull<VectorOn<Self, P>>, LegendreError>;
}

/// By the face [`Lagrangian`].
#[derive(Clone, Copy, Debug)]
pub struct ByLagrangian;

impl<P: Lagrangian> Route<P> for ByLagrangian {
    type Scalar = P::Scalar;
    type Family = P::Family;
    type Over<T: Real> = P::Over<T>;
    type Lifted<T: Real> = ByLagrangian;

    #[inline(always)]
    fn over<T: Real>(p: &P, embed: fn(P::Scalar) -> T) -> P::Over<T> {
        p.over(embed)
    }
    #[inline(always)]
    fn velocity(
        p: &P,
        t: f64,
        g: &GroupOn<Self, P>,
        momentum: &VectorOn<Self, P>,
    ) -> Result<VectorOn<Self, P>, LegendreError> {
        p.velocity(t, g, momentum)
    }
    #[inline(always)]
    fn pull(
        p: &P,
        t: f64,
        g: &GroupOn<Self, P>,
        w: &VectorOn<Self, P>,
    ) -> Result<Pull<VectorOn<Self, P>>, LegendreError> {
        let mut force = p.force(t, g, w);
        if let Some(f) = p.external(t, g, w) {
            force.axpy(1.0, &f);
        }
        Ok(Pull { momentum: p.momentum(t, g, w), force })
    }
}

/// By the face [`Hamiltonian`], through its Legendre transform.
///
/// With `v = Ad_g w` and `mu` its momentum, the Lagrangian is `<mu, v> - H`. Moving `g` at a fixed
/// body velocity turns `v` as well, so its force is `n - ad_v^T mu`, which is `mu'`.
#[derive(Clone, Copy, Debug)]
pub struct ByHamiltonian;

impl<P: Hamiltonian> Route<P> for ByHamiltonian {
    type Scalar = P::Scalar;
    type Family = P::Family;
    type Over<T: Real> = P::Over<T>;
    type Lifted<T: Real> = ByHamiltonian;

    #[inline(always)]
    fn over<T: Real>(p: &P, embed: fn(P::Scalar) -> T) -> P::Over<T> {
        p.over(embed)
    }
    #[inline(always)]
    fn velocity(
        p: &P,
        t: f64,
        g: &GroupOn<Self, P>,
        momentum: &VectorOn<Self, P>,
    ) -> Result<VectorOn<Self, P>, LegendreError> {
        let v = p.velocity(t, g, &g.coadjoint(momentum));
        Ok(g.inverse().adjoint(&v))
    }
    #[inline(always)]
    fn pull(
        p: &P,
        t: f64,
        g: &GroupOn<Self, P>,
        w: &VectorOn<Self, P>,
    ) -> Result<Pull<VectorOn<Self, P>>, LegendreError> {
        let v = g.adjoint(w);
        let mu = p.momentum(t, g, &v)?;
        let mut force = p.force(t, g, &mu);
        force.axpy(-1.0, &<GroupOn<Self, P> as Coadjoint>::ad_transpose(&v, &mu));
        if let Some(f) = p.external(t, g, &mu) {
            force.axpy(1.0, &f);
        }
        Ok(Pull { momentum: g.adjoint_transpose(&mu), force })
    }
}

/// By the face [`ReducedLagrangian`]: no configuration, no force.
#[derive(Clone, Copy, Debug)]
pub struct ByReducedLagrangian;

impl<P: ReducedLagrangian> Route<P> for ByReducedLagrangian {
    type Scalar = P::Scalar;
    type Family = P::Family;
    type Over<T: Real> = P::Over<T>;
    type Lifted<T: Real> = ByReducedLagrangian;

    #[inline(always)]
    fn over<T: Real>(p: &P, embed: fn(P::Scalar) -> T) -> P::Over<T> {
        p.over(embed)
    }
    #[inline(always)]
    fn velocity(
        p: &P,
        _: f64,
        _: &GroupOn<Self, P>,
        momentum: &VectorOn<Self, P>,
    ) -> Result<VectorOn<Self, P>, LegendreError> {
        p.velocity(momentum)
    }
    #[inline(always)]
    fn pull(
        p: &P,
        _: f64,
        _: &GroupOn<Self, P>,
        w: &VectorOn<Self, P>,
    ) -> Result<Pull<VectorOn<Self, P>>, LegendreError> {
        Ok(Pull { momentum: p.momentum(w), force: w.zero_like() })
    }
}
