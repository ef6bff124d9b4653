//! The numbers of [`spins`](super::spins) and what follows from them; also compiled for GPUs.
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
            b: self.b.map(embed),
            d: self.d.map(embed),
        }
    }
}
