//! The rigid body without its geometry: nine entries of a matrix and three of the momentum in R¹².
//!
//! ```text
//! R' = R hat(ω)    Π' = Π × ω + T(R)    ω = J⁻¹Π
//! ```
//!
//! What a textbook solver does. Nothing keeps `R` a rotation, nor the energy or the momentum: it is
//! there to be compared with.
use super::lifted_model::{changed_as_body, described_as_body};
use super::{ENTRY, Field, RigidBody, SPACES};
use crate::run::ModelSystem;
use lieflow::action::{BodyState, EmbeddedFrame};
use lieflow::group::Rn;
use lieflow::method::{Entry, classical, on_field};
use lieflow::problem::{
    Described, Generator, Lift, Problem, Quantity, TorqueField, Value, Watched, lifted_field,
};
use lieflow::{Real, Vec3};

/// A rigid body whose states R¹² moves.
#[derive(Clone, Debug)]
pub struct FlatBody<S, U = Field<S>>(
    /// The body.
    pub RigidBody<S, U>,
);

impl<S, U> AsRef<RigidBody<S, U>> for FlatBody<S, U> {
    fn as_ref(&self) -> &RigidBody<S, U> {
        &self.0
    }
}

impl<S: Real, U: TorqueField<S>> Problem for FlatBody<S, U> {
    type Point = BodyState<S>;
    fn start(&self) -> BodyState<S> {
        self.0.start
    }
}

impl<S: Real, U: TorqueField<S>> Generator for FlatBody<S, U> {
    type Space = EmbeddedFrame<S>;
    #[inline]
    fn field(&self, t: f64, y: &BodyState<S>) -> Rn<S, 12> {
        // Minus the velocity, and the rate of the momentum.
        let (u, Rn([x, y_, z])) = lifted_field(&self.0, t, y);
        // A row r of R hat(ω) is r × ω.
        let [a, b, c] = y.rotation.rows.map(|row: Vec3<S>| u.cross(row));
        Rn([a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z, x, y_, z])
    }
}

impl<S: Real, U: TorqueField<S>> Lift for FlatBody<S, U> {
    type Scalar = S;
    type Over<T: Real> = FlatBody<T, U::Over<T>>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> FlatBody<T, U::Over<T>> {
        FlatBody(self.0.lift(embed))
    }
    fn lift_point<T: Real>(&self, y: &BodyState<S>, embed: fn(S) -> T) -> BodyState<T> {
        self.0.lift_point(y, embed)
    }
}

impl<U: TorqueField<f64>> Watched for FlatBody<f64, U> {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        self.0.invariants_of()
    }
    fn manifold_error(&self, y: &BodyState<f64>) -> f64 {
        self.0.manifold_error(y)
    }
    /// Nobody asks it to stay.
    fn manifold_bound(&self, _: &BodyState<f64>) -> f64 {
        f64::INFINITY
    }
}

described_as_body!(FlatBody);

impl ModelSystem for FlatBody<f64, Field<f64>> {
    const SYSTEM: &'static str = ENTRY.id;
    fn entries() -> Vec<Entry<Self>> {
        on_field::<_, 1>(classical::entries())
    }
    fn needs_parameter(id: &str) -> Option<(&'static str, &'static str)> {
        type Whole = RigidBody<f64, Field<f64>>;
        let listed = Whole::entries().iter().any(|entry| entry.card.id == id);
        (listed || Whole::method_by_name(id).is_some()).then_some(("parameters.space", SPACES[0]))
    }
    changed_as_body!();
}
