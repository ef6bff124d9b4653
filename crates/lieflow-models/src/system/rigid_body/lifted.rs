//! The rigid body in the space SO(3) × R³, which moves attitude and momentum apart from each other.
//!
//! ```text
//! (g, b)·(R, Π) = (R gᵀ, Π + b)        f = (-J⁻¹Π, Π × J⁻¹Π + T(R))
//! ```
//!
//! What most people program: a Lie-group method for the attitude and plain Runge–Kutta for the
//! momentum. A step costs less than in SO(3) ⋉ so(3)*, the attitude stays a rotation, and the order
//! is that of the method; but the spatial momentum of a free body is not kept.
//!
//! This file is also compiled for GPUs.
use super::{Field, RigidBody};
use lieflow::action::{BodyState, LiftedFrame};
use lieflow::group::Rn;
use lieflow::problem::{
    FieldOf, Generator, Lift, Problem, StageOf, TorqueField, lifted_field, lifted_field_at,
};
use lieflow::stepping::Rotations;
use lieflow::{Real, Vec3};

/// A rigid body whose states SO(3) × R³ moves.
#[derive(Clone, Debug)]
pub struct LiftedBody<S, U = Field<S>>(
    /// The body.
    pub RigidBody<S, U>,
);

impl<S, U> AsRef<RigidBody<S, U>> for LiftedBody<S, U> {
    fn as_ref(&self) -> &RigidBody<S, U> {
        &self.0
    }
}

impl<S: Real, U: TorqueField<S>> Problem for LiftedBody<S, U> {
    type Point = BodyState<S>;
    fn start(&self) -> BodyState<S> {
        self.0.start
    }
    fn restore(&self, y: &mut BodyState<S>) {
        Rotations::restore(y);
    }
}

impl<S: Real, U: TorqueField<S>> Generator for LiftedBody<S, U> {
    type Space = LiftedFrame<S>;
    const SHORT_CUTS: bool = true;
    #[inline(always)]
    fn set_times(&mut self, t: S) {
        self.0.potential.set_times(t);
    }
    #[inline(always)]
    fn field(&self, t: f64, y: &BodyState<S>) -> (Vec3<S>, Rn<S, 3>) {
        lifted_field(&self.0, t, y)
    }
    #[inline(always)]
    fn field_at(&self, at: StageOf<'_, Self>, _: &mut BodyState<S>, out: &mut FieldOf<Self>) {
        *out = lifted_field_at(&self.0, at);
    }
}

impl<S: Real, U: TorqueField<S>> Lift for LiftedBody<S, U> {
    type Scalar = S;
    type Over<T: Real> = LiftedBody<T, U::Over<T>>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> LiftedBody<T, U::Over<T>> {
        LiftedBody(self.0.lift(embed))
    }
    fn lift_point<T: Real>(&self, y: &BodyState<S>, embed: fn(S) -> T) -> BodyState<T> {
        self.0.lift_point(y, embed)
    }
}
