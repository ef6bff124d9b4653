//! The rigid body in the space SO(3) × R³, which moves attitude and momentum apart from each other.
//!
//! ```text
//! (g, b)·(R, Π) = (R gᵀ, Π + b)        f = (-J⁻¹Π, Π × J⁻¹Π + T(R))
//! ```
//!
//! What most people program: a Lie-group method for the attitude and plain Runge–Kutta for the
//! momentum. A step costs less than in SO(3) ⋉ so(3)*, the attitude stays a rotation, and the order
//! is that of the method; but the spatial momentum of a free body is not kept.
use super::{ENTRY, Field, RigidBody, SPACES};
use crate::run::ModelSystem;
use lieflow::action::{BodyState, LiftedFrame};
use lieflow::group::Rn;
use lieflow::method::{Entry, classical, generator};
use lieflow::problem::{
    Described, FieldOf, Generator, Lift, Problem, Quantity, StageOf, TorqueField, Value, Watched,
    lifted_field, lifted_field_at,
};
use lieflow::stepping::{Correction, Polar, Rotations};
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

impl<U: TorqueField<f64>> Watched for LiftedBody<f64, U> {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        self.0.invariants_of()
    }
    fn manifold_error(&self, y: &BodyState<f64>) -> f64 {
        self.0.manifold_error(y)
    }
}

impl<U: TorqueField<f64>> Described for LiftedBody<f64, U> {
    fn describe(&self, t: f64, y: &BodyState<f64>) -> Vec<(&'static str, Value)> {
        self.0.describe(t, y)
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        self.0.error_parts()
    }
}

// The rigid-body and variational methods ask for no space, so they would ignore it.
impl ModelSystem for LiftedBody<f64, Field<f64>> {
    const SYSTEM: &'static str = ENTRY.id;
    fn entries() -> Vec<Entry<Self>> {
        generator::entries_on_space()
    }
    fn needs_parameter(id: &str) -> Option<(&'static str, &'static str)> {
        type Whole = RigidBody<f64, Field<f64>>;
        if classical::is_member(id) {
            return Whole::needs_parameter(id);
        }
        let listed = Whole::entries().iter().any(|entry| entry.card.id == id);
        (listed || Whole::method_by_name(id).is_some()).then_some(("parameters.space", SPACES[0]))
    }
    fn set_part(&self, y: &mut BodyState<f64>, part: &str, numbers: &[f64]) -> bool {
        self.0.set_part(y, part, numbers)
    }
    fn kinks(&self) -> Vec<String> {
        ModelSystem::kinks(&self.0)
    }
    fn breakdown(&self, t: f64, y: &BodyState<f64>) -> Option<String> {
        self.0.breakdown(t, y)
    }
    fn polar(k: u64) -> Option<Box<dyn Correction<Self>>> {
        Some(Box::new(Polar::every(k)))
    }
}
