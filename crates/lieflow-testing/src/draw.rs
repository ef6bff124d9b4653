//! Numbers that look random and are the same in every run.
use lieflow::group::LieAlgebra;
use lieflow::{Vec3, vec3};

/// A linear congruential generator of numbers in (-1, 1).
pub struct Draw(pub u64);

impl Draw {
    /// Seeds that follow each other give unlike numbers.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }
    /// In (-1, 1).
    pub fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64 + 0.5) / (1u64 << 52) as f64 - 1.0
    }
    /// In (`low`, `high`).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * 0.5 * (self.number() + 1.0)
    }
    /// In a cube.
    pub fn vector(&mut self) -> Vec3<f64> {
        vec3(self.number(), self.number(), self.number())
    }
    /// A vector of the given norm, to rounding.
    pub fn of_norm(&mut self, norm: f64) -> Vec3<f64> {
        let v = self.vector();
        v * (norm / v.norm_squared().sqrt())
    }
    /// An element of the given norm, to rounding, of the algebra of `like`.
    pub fn element<A: LieAlgebra<Scalar = f64>>(&mut self, like: &A, norm: f64) -> A {
        let mut u = like.zero_like();
        for i in 0..u.dim() {
            u.set_coord(i, self.number());
        }
        let size = u.norm();
        let mut out = u.zero_like();
        out.assign(norm / size, &u);
        out
    }
}

/// The generator of the portable ensembles.
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// In [0, 1).
    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}
