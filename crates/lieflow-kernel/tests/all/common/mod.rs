//! Samples that the tests of the kernel share.
use lieflow_kernel::{Vec3, vec3};

pub mod everything;

/// A repeatable source of numbers in (-1, 1).
pub struct Draw(u64);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }
    pub fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64 + 0.5) / (1u64 << 52) as f64 - 1.0
    }
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * 0.5 * (self.number() + 1.0)
    }
    pub fn vector(&mut self) -> Vec3<f64> {
        vec3(self.number(), self.number(), self.number())
    }
    /// A vector of the given norm, to rounding.
    pub fn of_norm(&mut self, norm: f64) -> Vec3<f64> {
        let v = self.vector();
        v * (norm / v.norm_squared().sqrt())
    }
}

/// Angles where a formula may go wrong: at zero, at half a turn, at a full turn, beyond, and on
/// both sides of every change of form.
pub const ANGLES: [f64; 24] = {
    use std::f64::consts::{PI, TAU};
    [
        0.0,
        1e-300,
        1e-12,
        1e-8,
        1e-4,
        0.009,
        0.02,
        0.5,
        0.999999,
        1.000001,
        1.999999,
        2.000001,
        3.0,
        PI - 1e-8,
        PI - 1e-15,
        PI,
        PI + 1e-8,
        3.999999,
        4.000001,
        TAU - 0.1,
        TAU - 1e-4,
        TAU + 1e-4,
        7.999999,
        12.0,
    ]
};
