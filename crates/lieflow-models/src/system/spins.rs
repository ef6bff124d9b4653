//! What spins obey: the law of Landau and Lifshitz, with Gilbert's damping.
//!
//! ```text
//! m' = w × m      w = g (h + α m × h)      g = γ/(1 + α²)      h = -dE/dm
//! E  = -b·m + m·Dm/2 + coupling
//! ```
//!
//! equivalent to `m' = -g m × h - α g m × (m × h)`. Without damping the energy is conserved, with it
//! `dE/dt = -α g sum |m × h|²`.
use super::Spec;
use crate::problem_file::SpecError;
use lieflow::Vec3;

pub use super::material::Material;

impl Material<f64> {
    /// Whether the energy is conserved.
    pub fn conservative(&self) -> bool {
        self.alpha == 0.0
    }
    /// Whether no direction is preferred.
    pub fn isotropic(&self) -> bool {
        self.b == Vec3::zero() && self.d.x == self.d.y && self.d.y == self.d.z
    }

    /// From `[parameters]`: `gamma` (one if it is not there), `alpha`, `b` and `D` (zero).
    pub(super) fn read(spec: &Spec<'_>) -> Result<Self, SpecError> {
        let parameters = &spec.parameters;
        let alpha = parameters.number_or("alpha", 0.0)?;
        if alpha < 0.0 {
            return Err(parameters.refuse("alpha", "a damping that is not negative"));
        }
        Ok(Self {
            gamma: parameters.number_or("gamma", 1.0)?,
            alpha,
            b: parameters.optional_vector("b")?.unwrap_or_else(Vec3::zero),
            d: parameters.optional_vector("D")?.unwrap_or_else(Vec3::zero),
        })
    }
}
