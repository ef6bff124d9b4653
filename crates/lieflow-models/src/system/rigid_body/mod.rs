//! A rigid body about a fixed point, in a potential field.
//!
//! ```text
//! R' = R hat(ω)    Π' = Π × ω + T(R)    Π = J ω    H = Π·J⁻¹Π/2 + U(R)
//! ```
//!
//! It can be seen in three ways: the rigid-body methods see inertia and torque; the general
//! Lie-group methods see the field `(-ω, T)` of the group SO(3) ⋉ so(3)* acting on attitude and
//! body momentum; the variational methods see the Lagrangian. As a [`LiftedBody`] the general
//! methods see another group, which moves attitude and momentum apart from each other; as a
//! [`FlatBody`] the classical methods see no geometry at all.
mod build;
mod flat;
mod formula;
mod free;
mod gradient;
mod lagrangian;
mod law;
mod lifted;
mod potential;
mod symmetry;
mod watched;
mod wide_registers;

pub use build::{ENTRY, SPACES};
pub use flat::FlatBody;
pub use law::{Law, Symmetry};
pub use lifted::LiftedBody;
pub use potential::Field;

use crate::run::ModelSystem;
use lieflow::action::{BodyFrame, BodyState};
use lieflow::group::Twist;
use lieflow::kernel::rigid::Inertia;
use lieflow::method::{
    Card, Entry, classical, discrete_gradient, generator, rigid_body, variational,
};
use lieflow::problem::{
    Generator, Lift, Problem, SpinningBody, StageOf, TorqueField, body_field_at, body_slope_at,
};
use lieflow::stepping::{Correction, Polar};
use lieflow::{Mat3, Real, Vec3};

/// A body, its field and its initial state.
#[derive(Clone, Debug)]
pub struct RigidBody<S, U = Field<S>> {
    /// `J`.
    pub inertia: Inertia<S>,
    /// `U`.
    pub potential: U,
    /// Initial attitude and body momentum.
    pub start: BodyState<S>,
}

impl<S: Real, U: TorqueField<S>> RigidBody<S, U> {
    /// `H`.
    #[inline]
    pub fn energy(&self, t: f64, y: &BodyState<S>) -> S {
        self.inertia.kinetic_energy(y.momentum) + self.potential.energy(t, &y.rotation)
    }
    /// The same body and state without a field.
    pub fn freed(&self) -> RigidBody<S, Field<S>> {
        RigidBody { inertia: self.inertia, potential: Field::Free, start: self.start }
    }
}

impl<S: Real, U: TorqueField<S>> Problem for RigidBody<S, U> {
    type Point = BodyState<S>;
    fn start(&self) -> BodyState<S> {
        self.start
    }
}

impl<S: Real, U: TorqueField<S>> SpinningBody<S> for RigidBody<S, U> {
    #[inline(always)]
    fn inertia(&self) -> &Inertia<S> {
        &self.inertia
    }
    #[inline(always)]
    fn torque(&self, t: f64, r: &Mat3<S>) -> Vec3<S> {
        self.potential.torque_at_rest(t, r)
    }
    #[inline(always)]
    fn torque_in_motion(&self, t: f64, r: &Mat3<S>, w: Vec3<S>, p: Vec3<S>) -> Vec3<S> {
        self.potential.torque_in_motion(t, r, w, p)
    }
    #[inline(always)]
    fn torque_derivative(&self, t: f64, r: &Mat3<S>) -> Mat3<S> {
        self.potential.derivative_at_rest(t, r)
    }
    #[inline(always)]
    fn is_free(&self) -> bool {
        self.potential.is_free()
    }
    #[inline(always)]
    fn axis(&self) -> Option<(Vec3<S>, Vec3<S>)> {
        self.potential.axis()
    }
    #[inline(always)]
    fn direction(&self, r: &Mat3<S>) -> Vec3<S> {
        self.potential.direction(r)
    }
    #[inline(always)]
    fn axial_torque(&self, t: f64, g: Vec3<S>) -> Option<Vec3<S>> {
        self.potential.axial_torque(t, g)
    }
}

impl<S: Real, U: TorqueField<S>> Generator for RigidBody<S, U> {
    type Space = BodyFrame<S>;
    const SHORT_CUTS: bool = true;
    #[inline(always)]
    fn field(&self, t: f64, y: &BodyState<S>) -> Twist<S> {
        let omega = self.inertia.velocity(y.momentum);
        let torque = self.potential.torque_in_motion(t, &y.rotation, omega, y.momentum);
        Twist::new(-omega, torque)
    }
    #[inline(always)]
    fn field_at(&self, at: StageOf<'_, Self>, point: &mut BodyState<S>, out: &mut Twist<S>) {
        body_field_at(self, at, point, out);
    }
    #[inline(always)]
    fn slope_at(&self, at: StageOf<'_, Self>, point: &mut BodyState<S>, out: &mut Twist<S>) {
        body_slope_at(self, at, point, out);
    }
}

impl<S: Real, U: TorqueField<S>> Lift for RigidBody<S, U> {
    type Scalar = S;
    type Over<T: Real> = RigidBody<T, U::Over<T>>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> RigidBody<T, U::Over<T>> {
        RigidBody {
            inertia: self.inertia.lift(embed),
            potential: self.potential.lift(embed),
            start: self.lift_point(&self.start, embed),
        }
    }
    fn lift_point<T: Real>(&self, y: &BodyState<S>, embed: fn(S) -> T) -> BodyState<T> {
        BodyState::new(y.rotation.map(embed), y.momentum.map(embed))
    }
}

impl ModelSystem for RigidBody<f64, Field<f64>> {
    const SYSTEM: &'static str = ENTRY.id;
    fn entries() -> Vec<Entry<Self>> {
        let mut list = rigid_body::entries::<f64, Self>();
        // The explicit methods in a chart are fast enough for a virtual call to show.
        list.extend(generator::explicit_entries());
        let known = |entry: &Entry<Self>| list.iter().any(|e| e.card.id == entry.card.id);
        let others: Vec<_> =
            generator::entries_on_space().into_iter().filter(|e| !known(e)).collect();
        list.extend(others);
        list.extend(variational::lagrangian_entries());
        list.extend(discrete_gradient::entries());
        wide_registers::use_wide_registers(&mut list);
        list
    }
    fn method_by_name(id: &str) -> Option<Entry<Self>> {
        variational::lagrangian_entry(id)
    }
    fn needs_parameter(id: &str) -> Option<(&'static str, &'static str)> {
        classical::is_member(id).then_some(("parameters.space", SPACES[2]))
    }
    fn set_initial(&mut self, key: &str, numbers: &[f64]) -> bool {
        build::set_initial(self, key, numbers)
    }
    fn set_part(&self, y: &mut BodyState<f64>, part: &str, numbers: &[f64]) -> bool {
        build::set_part(self, y, part, numbers)
    }
    fn refuses(&self, card: &Card) -> Option<String> {
        build::refuses(self, card)
    }
    fn kinks(&self) -> Vec<String> {
        self.potential.kinks()
    }
    fn breakdown(&self, t: f64, y: &BodyState<f64>) -> Option<String> {
        self.potential.breakdown(t, self.inertia.velocity(y.momentum), y)
    }
    fn polar(k: u64) -> Option<Box<dyn Correction<Self>>> {
        Some(Box::new(Polar::every(k)))
    }
}
