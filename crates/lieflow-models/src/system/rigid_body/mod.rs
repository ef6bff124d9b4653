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
mod axial_body;
mod body;
mod build;
mod columns;
mod eight;
mod flat;
mod formula;
mod four_vectors;
mod free;
mod gradient;
mod lagrangian;
mod law;
mod lifted;
mod lifted_model;
mod potential;
mod series;
mod symmetry;
mod turned;
mod two_rows;
mod watched;
mod wide_field;
mod wide_registers;

pub use body::RigidBody;
pub use build::{ENTRY, MotionKey, SPACES};
pub use columns::BodyIntegral;
pub use flat::FlatBody;
pub use law::{Law, Symmetry};
pub use lifted::LiftedBody;
pub use potential::Field;
pub use series::{BodySeries, nearest_rotation};

use crate::run::{MeterOf, ModelSystem, field_meter};
use lieflow::Mat3;
use lieflow::action::BodyState;
use lieflow::method::rigid_body::{EstimatedSplitting, PacedSplitting};
use lieflow::method::{
    Card, Entry, Method, classical, discrete_gradient, generator, rigid_body, taylor, variational,
};
use lieflow::problem::TorqueField;
use lieflow::stepping::{Correction, Paced, Polar};

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
        list.extend(taylor::entries(BodySeries::new));
        list.extend(discrete_gradient::entries());
        wide_registers::use_wide_registers(&mut list);
        list
    }
    fn method_by_name(id: &str) -> Option<Entry<Self>> {
        variational::lagrangian_entry(id).or_else(|| taylor::by_name(id, BodySeries::new))
    }
    fn needs_parameter(id: &str) -> Option<(&'static str, &'static str)> {
        classical::is_member(id).then_some(("parameters.space", SPACES[2]))
    }
    fn set_initial(&mut self, key: &str, numbers: &[f64]) -> bool {
        build::set_initial(self, key, numbers)
    }
    fn columns_into(&self, _: f64, y: &BodyState<f64>, row: &mut Vec<f64>) {
        row.extend(self.columns(y));
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
    fn paced(&self, id: &str) -> Option<Box<dyn Paced<BodyState<f64>>>> {
        let conservative = TorqueField::conserves_energy(&self.potential);
        let potential = |body: &Self, r: &Mat3<f64>| body.potential.energy(0.0, r);
        let method = PacedSplitting::named(id, self.clone(), potential);
        Some(Box::new(method.filter(|_| conservative)?))
    }
    fn estimated(&self, id: &str) -> Option<(Box<dyn Method<Self>>, u8)> {
        let method = EstimatedSplitting::named(id)?;
        let power = method.power();
        Some((Box::new(method), power))
    }
    fn meter(&self) -> Option<MeterOf<Self>> {
        field_meter(self, self.potential.is_timed())
    }
}
