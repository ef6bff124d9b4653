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

/// A configuration at some time.
pub struct At<'a, R: Route<P> + ?Sized, P: Problem> {
    /// The time.
    pub t: f64,
    /// The configuration.
    pub g: &'a GroupOn<R, P>,
}

/// The velocity of a momentum.
pub(crate) type VelocityOn<R, P> = Result<VectorOn<R, P>, LegendreError>;
/// Momentum and force of a velocity.
pub(crate) type PullOn<R, P> = Result<Pull<VectorOn<R, P>>, LegendreError>;

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
    fn velocity(p: &P, at: At<'_, Self, P>, momentum: &VectorOn<Self, P>) -> VelocityOn<Self, P>;
    /// Momentum and force of a body velocity.
    fn pull(p: &P, at: At<'_, Self, P>, w: &VectorOn<Self, P>) -> PullOn<Self, P>;
}

/// The numbers, the group and the lift of a face are its own.
macro_rules! numbers_of_face {
    ($route:ident) => {
        type Scalar = P::Scalar;
        type Family = P::Family;
        type Over<T: Real> = P::Over<T>;
        type Lifted<T: Real> = $route;

        #[inline(always)]
        fn over<T: Real>(p: &P, embed: fn(P::Scalar) -> T) -> P::Over<T> {
            p.over(embed)
        }
    };
}

/// By the face [`Lagrangian`].
#[derive(Clone, Copy, Debug)]
pub struct ByLagrangian;

impl<P: Lagrangian> Route<P> for ByLagrangian {
    numbers_of_face!(ByLagrangian);

    #[inline(always)]
    fn velocity(p: &P, at: At<'_, Self, P>, momentum: &VectorOn<Self, P>) -> VelocityOn<Self, P> {
        p.velocity(at.t, at.g, momentum)
    }
    #[inline(always)]
    fn pull(p: &P, at: At<'_, Self, P>, w: &VectorOn<Self, P>) -> PullOn<Self, P> {
        let At { t, g } = at;
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
    numbers_of_face!(ByHamiltonian);

    #[inline(always)]
    fn velocity(p: &P, at: At<'_, Self, P>, momentum: &VectorOn<Self, P>) -> VelocityOn<Self, P> {
        let At { t, g } = at;
        let v = p.velocity(t, g, &g.coadjoint(momentum));
        Ok(g.inverse().adjoint(&v))
    }
    #[inline(always)]
    fn pull(p: &P, at: At<'_, Self, P>, w: &VectorOn<Self, P>) -> PullOn<Self, P> {
        let At { t, g } = at;
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
    numbers_of_face!(ByReducedLagrangian);

    #[inline(always)]
    fn velocity(p: &P, _: At<'_, Self, P>, momentum: &VectorOn<Self, P>) -> VelocityOn<Self, P> {
        p.velocity(momentum)
    }
    #[inline(always)]
    fn pull(p: &P, _: At<'_, Self, P>, w: &VectorOn<Self, P>) -> PullOn<Self, P> {
        Ok(Pull { momentum: p.momentum(w), force: w.zero_like() })
    }
}
