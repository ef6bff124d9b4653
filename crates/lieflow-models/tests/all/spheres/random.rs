//! Random chains, the same in every run.
use lieflow::action::Link;
use lieflow::{Vec3, vec3};
use lieflow_models::system::pendulum_chain::PendulumChain;
use lieflow_testing::SplitMix64;

pub struct Random(SplitMix64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64(seed))
    }
    /// In `[0, 1)`.
    pub fn number(&mut self) -> f64 {
        self.0.uniform()
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
