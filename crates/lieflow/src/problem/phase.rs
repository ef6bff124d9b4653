//! Points of a cotangent bundle T*G, in whatever way a system stores them.
use crate::action::BodyState;
use crate::group::{AlgebraOf, Coadjoint, LieAlgebra, So3};
use core::fmt::Debug;
use lieflow_kernel::{Real, Vec3};

pub use crate::group::Cotangent;

/// A point of T*G: a configuration and a momentum.
///
/// The momentum is stored once, in the body frame or in space. Going from one to the other and
/// back in every step would let the loss of orthogonality leak into the momentum (1e-10 in ten
/// thousand steps instead of 1e-14), so a method reads what it needs and moves the point by
/// [`Phase::advance`], which never converts.
pub trait Phase: Clone + Debug {
    /// The configurations.
    type Group: Coadjoint;
    /// The configuration `g`.
    fn configuration(&self) -> Self::Group;
    /// The momentum in space (right-trivialised), `mu`.
    fn spatial_momentum(&self) -> AlgebraOf<Self::Group>;
    /// The momentum in the body (left-trivialised), `Ad_g^T mu`.
    fn body_momentum(&self) -> AlgebraOf<Self::Group>;
    /// The point with these two parts, the momentum in space.
    fn from_spatial(g: Self::Group, mu: AlgebraOf<Self::Group>) -> Self;
    /// `out = (g step, mu + impulse)`: moved by `step` from the right, with a kick given in space.
    fn advance(&self, step: &Self::Group, impulse: &AlgebraOf<Self::Group>, out: &mut Self);
}

impl<G: Coadjoint> Phase for Cotangent<G> {
    type Group = G;
    #[inline(always)]
    fn configuration(&self) -> G {
        self.g.clone()
    }
    #[inline(always)]
    fn spatial_momentum(&self) -> AlgebraOf<G> {
        self.mu.clone()
    }
    #[inline(always)]
    fn body_momentum(&self) -> AlgebraOf<G> {
        self.g.adjoint_transpose(&self.mu)
    }
    #[inline(always)]
    fn from_spatial(g: G, mu: AlgebraOf<G>) -> Self {
        Self { g, mu }
    }
    #[inline(always)]
    fn advance(&self, step: &G, impulse: &AlgebraOf<G>, out: &mut Self) {
        out.g = self.g.compose(step);
        out.mu.assign(1.0, &self.mu);
        out.mu.axpy(1.0, impulse);
    }
}

/// Attitude and body momentum of a rigid body: the momentum turns with the body.
impl<S: Real> Phase for BodyState<S> {
    type Group = So3<S>;
    #[inline(always)]
    fn configuration(&self) -> So3<S> {
        So3 { matrix: self.rotation }
    }
    #[inline(always)]
    fn spatial_momentum(&self) -> Vec3<S> {
        BodyState::spatial_momentum(self)
    }
    #[inline(always)]
    fn body_momentum(&self) -> Vec3<S> {
        self.momentum
    }
    #[inline(always)]
    fn from_spatial(g: So3<S>, mu: Vec3<S>) -> Self {
        Self::new(g.matrix, g.matrix.apply_transpose(mu))
    }
    #[inline(always)]
    fn advance(&self, step: &So3<S>, impulse: &Vec3<S>, out: &mut Self) {
        let kick = self.rotation.apply_transpose(*impulse);
        out.momentum = step.matrix.apply_transpose(self.momentum + kick);
        out.rotation = self.rotation.matmul(&step.matrix);
    }
}
