//! Random chains, the same in every run.
use lieflow::action::Link;
use lieflow::{Vec3, vec3};
use lieflow_models::system::pendulum_chain::PendulumChain;

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }
    /// In `[0, 1)`, by splitmix64.
    pub fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.number()
    }
    /// In the ball of radius `size`.
    pub fn vector(&mut self, size: f64) -> Vec3<f64> {
        loop {
            let mut x = || self.between(-1.0, 1.0);
            let v = vec3(x(), x(), x());
            if v.norm() <= 1.0 {
                return v * size;
            }
        }
    }
    pub fn unit(&mut self) -> Vec3<f64> {
        let v = self.vector(1.0);
        v * (1.0 / v.norm())
    }
    /// A direction and an angular velocity orthogonal to it.
    pub fn link(&mut self, spin: f64) -> Link<f64> {
        let q = self.unit();
        Link::new(q, q.cross(self.vector(spin)))
    }
    pub fn links(&mut self, n: usize, spin: f64) -> Vec<Link<f64>> {
        (0..n).map(|_| self.link(spin)).collect()
    }
    /// Masses and lengths between a half and three halves.
    pub fn chain(&mut self, n: usize) -> PendulumChain<f64> {
        let mut list = || (0..n).map(|_| self.between(0.5, 1.5)).collect::<Vec<_>>();
        PendulumChain::new(list(), list(), vec3(0.0, 0.0, -9.81)).unwrap()
    }
}
