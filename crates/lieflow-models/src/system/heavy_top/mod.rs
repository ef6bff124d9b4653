//! The heavy top: a body that turns about a fixed point in a homogeneous field.
//!
//! ```text
//! H = Π·J⁻¹Π/2 + k Γ·χ        Γ = QᵀΓ₀        π = Q Π
//! ```
//!
//! `J` is the inertia about the fixed point, `χ` the unit vector from it to the centre of mass, in
//! the body; `Γ₀` is the direction of the field, in space. For gravity of size `g` and a body of
//! mass `m` with its centre at distance `l`: `k Γ₀ = m g l` times the *upward* unit vector.
//!
//! Three formulations of one motion (Celledoni et al., section 3.4):
//!
//! | name | state | keeps exactly by its form |
//! | --- | --- | --- |
//! | `t-so3` | `(Q, π)` on T*SO(3) | the rotation |
//! | `se3-dual` | `(Π, Γ)` on se(3)* | `|Γ|` and `Π·Γ` |
//! | `quadratic` | `(Q, q, π, p)` on T*(SO(3) × R³), `p = -kχ` | the rotation and `p` |
use super::law_table::LawTable;
use super::{Spec, SystemEntry, cast_matrix, cast_vector, finite_vector, textbook};
use crate::problem_file::SpecError;
use crate::run::Model;
use lieflow::method::Card;
use lieflow::{Mat3, Real, Vec3};

mod cotangent;
mod dual;
mod quadratic;
mod text;

pub use cotangent::HeavyTop;
pub use dual::DualHeavyTop;
pub use quadratic::QuadraticHeavyTop;

/// The body and the field.
#[derive(Clone, Copy, Debug)]
pub struct TopData<S> {
    /// `J`.
    pub inertia: Mat3<S>,
    /// `J⁻¹`.
    pub inverse: Mat3<S>,
    /// `χ`.
    pub axis: Vec3<S>,
    /// `Γ₀`.
    pub direction: Vec3<S>,
    /// `k`.
    pub strength: S,
}

impl<S: Real> TopData<S> {
    /// `ω = J⁻¹Π`.
    #[inline(always)]
    pub fn omega(&self, momentum: Vec3<S>) -> Vec3<S> {
        self.inverse.apply(momentum)
    }
    /// `H` from the body momentum and `Γ`.
    #[inline(always)]
    pub fn energy(&self, momentum: Vec3<S>, gamma: Vec3<S>) -> S {
        momentum.dot(self.omega(momentum)) * 0.5 + self.strength * gamma.dot(self.axis)
    }
    /// The same data over other numbers.
    pub fn cast<T: Real>(&self, embed: fn(S) -> T) -> TopData<T> {
        TopData {
            inertia: cast_matrix(&self.inertia, embed),
            inverse: cast_matrix(&self.inverse, embed),
            axis: cast_vector(self.axis, embed),
            direction: cast_vector(self.direction, embed),
            strength: embed(self.strength),
        }
    }
}

impl TopData<f64> {
    /// Whether the body is symmetric about `χ`, so that `Π·χ` is conserved too.
    pub fn symmetric(&self) -> bool {
        let chi = self.axis;
        let along = chi.dot(self.inertia.apply(chi));
        let across = 0.5 * (self.inertia.trace() - along);
        let outer = Mat3::outer(chi, chi);
        let ideal = outer * (along - across) + Mat3::identity() * across;
        let (gap, size) = ((self.inertia - ideal).norm_squared(), self.inertia.norm_squared());
        gap.sqrt() <= 1e-14 * size.sqrt()
    }
}

/// Gives an attitude and a spatial momentum, whichever part of them is meant, other numbers.
fn set_attitude(
    data: &TopData<f64>,
    rotation: &mut Mat3<f64>,
    momentum: &mut Vec3<f64>,
    part: &str,
    numbers: &[f64],
) -> bool {
    if let ("rotation", Ok(rows)) = (part, <[f64; 9]>::try_from(numbers)) {
        // The body momentum stays.
        let body = rotation.apply_transpose(*momentum);
        let [a, b, c] = [0, 3, 6].map(|k| [rows[k], rows[k + 1], rows[k + 2]].into());
        *rotation = Mat3::from_rows(a, b, c);
        *momentum = rotation.apply(body);
        return true;
    }
    let Some(vector) = finite_vector(numbers) else { return false };
    *momentum = match part {
        "omega" => rotation.apply(data.inertia.apply(vector)),
        "momentum" => rotation.apply(vector),
        "spatial_momentum" => vector,
        _ => return false,
    };
    true
}

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "heavy-top",
    title: "heavy top about a fixed point",
    parameters: "inertia, axis, direction, strength (or mass, gravity and length), formulation (t-so3, se3-dual, quadratic)",
    initial: "rotation (the identity unless given); omega, momentum or spatial_momentum; gamma instead of rotation for se3-dual; q for quadratic",
    state: "rotation or gamma; momentum, spatial_momentum; q, p",
    methods,
    build,
};

fn methods() -> Vec<Card> {
    let mut cards = super::cards::<HeavyTop<f64>>();
    cards.extend(super::cards::<DualHeavyTop<f64>>());
    cards.extend(super::cards::<QuadraticHeavyTop<f64>>());
    cards
}

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let parameters = &spec.parameters;
    let inertia = parameters.inertia("inertia")?;
    let (strength, by_parts) = textbook::strength(parameters)?;
    let (axis, direction) = if by_parts {
        (textbook::direction(parameters, "axis")?, textbook::direction(parameters, "direction")?)
    } else {
        (parameters.unit_vector("axis")?, parameters.vector("direction")?)
    };
    let data = TopData { inertia, inverse: inertia.inverse(), axis, direction, strength };
    let formulation =
        parameters.choice_or("formulation", &["t-so3", "se3-dual", "quadratic"], "t-so3")?;
    let names = LawTable::names_only(spec)?;
    spec.explain(|| text::equations(formulation, &data, &names));
    let initial = &spec.initial;
    if formulation == "se3-dual" && initial.one_of(&["rotation", "gamma"])? == Some("gamma") {
        let momentum = match initial.just_one_of(&["omega", "momentum"])? {
            "omega" => data.inertia.apply(initial.vector("omega")?),
            _ => initial.vector("momentum")?,
        };
        return Ok(Box::new(DualHeavyTop::new(data, momentum, initial.vector("gamma")?)));
    }
    let rotation = initial.optional_rotation("rotation")?.unwrap_or_else(Mat3::identity);
    let momentum = match initial.just_one_of(&["omega", "momentum", "spatial_momentum"])? {
        "omega" => data.inertia.apply(initial.vector("omega")?),
        "momentum" => initial.vector("momentum")?,
        _ => rotation.apply_transpose(initial.vector("spatial_momentum")?),
    };
    // The spatial momentum as it was given, where it was: a turn there and back would round.
    let spatial = match initial.one_of(&["spatial_momentum", "momentum", "omega"])? {
        Some("spatial_momentum") => initial.vector("spatial_momentum")?,
        _ => rotation.apply(momentum),
    };
    Ok(match formulation {
        "se3-dual" => {
            let gamma = rotation.apply_transpose(data.direction);
            Box::new(DualHeavyTop::new(data, momentum, gamma))
        }
        "quadratic" => {
            let q = initial.optional_vector("q")?.unwrap_or_else(Vec3::zero);
            Box::new(QuadraticHeavyTop::new(data, rotation, spatial, q))
        }
        _ => Box::new(HeavyTop::new(data, rotation, spatial)),
    })
}
