//! What a variational method asks of a system, and the traits that answer.
use crate::group::family::{GroupFamily, VectorIn};
use crate::group::{Coadjoint, LieAlgebra, LieGroup};
use crate::problem::{Hamiltonian, Lagrangian, LegendreError, Problem, ReducedLagrangian};
use lieflow_kernel::Real;

/// The group of a system.
pub(crate) type GroupOn<R, P> =
    <<R as Mechanics<P>>::Family as GroupFamily>::Over<<R as Mechanics<P>>::Scalar>;
/// The vectors of a system.
pub(crate) type VectorOn<R, P> = VectorIn<<R as Mechanics<P>>::Family, <R as Mechanics<P>>::Scalar>;

/// A configuration at some time.
pub struct At<'a, R: Mechanics<P> + ?Sized, P: Problem> {
    /// The time.
    pub t: f64,
    /// The configuration.
    pub g: &'a GroupOn<R, P>,
}

/// The velocity of a momentum.
pub(crate) type VelocityOn<R, P> = Result<VectorOn<R, P>, LegendreError>;
/// Momentum and force of a velocity.
pub(crate) type PullOn<R, P> = Result<MomentumAndForce<VectorOn<R, P>>, LegendreError>;

/// Momentum and force at a node.
#[derive(Clone, Debug)]
pub struct MomentumAndForce<A> {
    /// Momentum in the body.
    pub momentum: A,
    /// Force in space, at a fixed body velocity, external forces included.
    pub force: A,
}

/// How a method gets at the mechanics of a system.
pub trait Mechanics<P: Problem>: 'static {
    /// The numbers of the system.
    type Scalar: Real;
    /// Its group.
    type Family: GroupFamily;
    /// The system over other numbers.
    type Over<T: Real>: Problem;
    /// Its mechanics.
    type Lifted<T: Real>: Mechanics<Self::Over<T>, Scalar = T, Family = Self::Family>;

    /// The system over other numbers.
    fn over<T: Real>(p: &P, embed: fn(Self::Scalar) -> T) -> Self::Over<T>;
    /// The body velocity of a body momentum.
    fn velocity(p: &P, at: At<'_, Self, P>, momentum: &VectorOn<Self, P>) -> VelocityOn<Self, P>;
    /// Momentum and force of a body velocity.
    fn momentum_and_force(p: &P, at: At<'_, Self, P>, w: &VectorOn<Self, P>) -> PullOn<Self, P>;
}

/// The numbers, the group and the lift of a face are its own.
macro_rules! numbers_of_face {
    ($mechanics:ident) => {
        type Scalar = P::Scalar;
        type Family = P::Family;
        type Over<T: Real> = P::Over<T>;
        type Lifted<T: Real> = $mechanics;

        #[inline]
        fn over<T: Real>(p: &P, embed: fn(P::Scalar) -> T) -> P::Over<T> {
            p.over(embed)
        }
    };
}

/// From the trait [`Lagrangian`].
#[derive(Clone, Copy, Debug)]
pub struct FromLagrangian;

impl<P: Lagrangian> Mechanics<P> for FromLagrangian {
    numbers_of_face!(FromLagrangian);

    #[inline]
    fn velocity(p: &P, at: At<'_, Self, P>, momentum: &VectorOn<Self, P>) -> VelocityOn<Self, P> {
        p.velocity(at.t, at.g, momentum)
    }
    #[inline]
    fn momentum_and_force(p: &P, at: At<'_, Self, P>, w: &VectorOn<Self, P>) -> PullOn<Self, P> {
        let At { t, g } = at;
        let mut force = p.force(t, g, w);
        if let Some(f) = p.external(t, g, w) {
            force.axpy(1.0, &f);
        }
        Ok(MomentumAndForce { momentum: p.momentum(t, g, w), force })
    }
}

/// From the trait [`Hamiltonian`], through its Legendre transform.
///
/// With `v = Ad_g w` and `mu` its momentum, the Lagrangian is `<mu, v> - H`. Moving `g` at a fixed
/// body velocity turns `v` as well, so its force is `n - ad_v^T mu`, which is `mu'`.
#[derive(Clone, Copy, Debug)]
pub struct FromHamiltonian;

impl<P: Hamiltonian> Mechanics<P> for FromHamiltonian {
    numbers_of_face!(FromHamiltonian);

    #[inline]
    fn velocity(p: &P, at: At<'_, Self, P>, momentum: &VectorOn<Self, P>) -> VelocityOn<Self, P> {
        let At { t, g } = at;
        let v = p.velocity(t, g, &g.coadjoint(momentum));
        Ok(g.inverse().adjoint(&v))
    }
    #[inline]
    fn momentum_and_force(p: &P, at: At<'_, Self, P>, w: &VectorOn<Self, P>) -> PullOn<Self, P> {
        let At { t, g } = at;
        let v = g.adjoint(w);
        let mu = p.momentum(t, g, &v)?;
        let mut force = p.force(t, g, &mu);
        force.axpy(-1.0, &<GroupOn<Self, P> as Coadjoint>::ad_transpose(&v, &mu));
        if let Some(f) = p.external(t, g, &mu) {
            force.axpy(1.0, &f);
        }
        Ok(MomentumAndForce { momentum: g.adjoint_transpose(&mu), force })
    }
}

/// From the trait [`ReducedLagrangian`]: no configuration, no force.
#[derive(Clone, Copy, Debug)]
pub struct FromReducedLagrangian;

impl<P: ReducedLagrangian> Mechanics<P> for FromReducedLagrangian {
    numbers_of_face!(FromReducedLagrangian);

    #[inline]
    fn velocity(p: &P, _: At<'_, Self, P>, momentum: &VectorOn<Self, P>) -> VelocityOn<Self, P> {
        p.velocity(momentum)
    }
    #[inline]
    fn momentum_and_force(p: &P, _: At<'_, Self, P>, w: &VectorOn<Self, P>) -> PullOn<Self, P> {
        Ok(MomentumAndForce { momentum: p.momentum(w), force: w.zero_like() })
    }
}
