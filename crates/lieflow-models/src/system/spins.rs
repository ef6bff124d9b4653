//! What spins obey: the law of Landau and Lifshitz, with Gilbert's damping.
//!
//! ```text
//! m' = w × m      w = g (h + α m × h)      g = γ/(1 + α²)      h = -dE/dm
//! E  = -b·m + m·Dm/2 + coupling
//! ```
//!
//! equivalent to `m' = -g m × h - α g m × (m × h)`. Without damping the energy is conserved, with it
//! `dE/dt = -α g sum |m × h|²`.
use super::{Spec, cast_vector};
use crate::problem_file::SpecError;
use lieflow::{Real, Vec3};

/// The parameters of the law.
#[derive(Clone, Copy, Debug)]
pub struct Material<S> {
    /// Gyromagnetic ratio `γ`.
    pub gamma: S,
    /// Damping `α`.
    pub alpha: S,
    /// Field `b`.
    pub b: Vec3<S>,
    /// Anisotropy `D`, its diagonal.
    pub d: Vec3<S>,
}

impl<S: Real> Material<S> {
    /// `g`.
    #[inline(always)]
    pub fn rate(&self) -> S {
        self.gamma / (S::one() + self.alpha * self.alpha)
    }
    /// `b - D m`.
    #[inline(always)]
    pub fn field(&self, m: Vec3<S>) -> Vec3<S> {
        self.b - m.scaled_by(self.d)
    }
    /// `w` in the field `h`.
    #[inline(always)]
    pub fn generator(&self, m: Vec3<S>, h: Vec3<S>) -> Vec3<S> {
        (h + m.cross(h).times(self.alpha)).times(self.rate())
    }
    /// `-b·m + m·Dm/2`.
    #[inline(always)]
    pub fn energy(&self, m: Vec3<S>) -> S {
        m.scaled_by(self.d).dot(m) * 0.5 - self.b.dot(m)
    }
    /// Over other numbers.
    pub fn lift<T: Real>(&self, embed: fn(S) -> T) -> Material<T> {
        Material {
            gamma: embed(self.gamma),
            alpha: embed(self.alpha),
            b: cast_vector(self.b, embed),
            d: cast_vector(self.d, embed),
        }
    }
}

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
