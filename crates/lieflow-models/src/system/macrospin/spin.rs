//! The spin as the methods see it; also compiled for GPUs, which know nothing of problem files.
use super::{Material, SpinField};
use lieflow::action::Turn;
use lieflow::problem::{Generator, Lift, Problem};
use lieflow::stepping::unit;
use lieflow::{Real, Vec3};

/// The spin.
#[derive(Clone, Debug)]
pub struct Macrospin<S> {
    /// What it obeys.
    pub material: Material<S>,
    /// Its first direction, a unit vector.
    pub start: Vec3<S>,
    /// A field by formula, added to that of the material.
    pub law: Option<Box<SpinField<S>>>,
}

impl<S: Real> Macrospin<S> {
    /// The spin of this material, without a field by formula.
    #[inline(always)]
    pub fn new(material: Material<S>, start: Vec3<S>) -> Self {
        Self { material, start, law: None }
    }

    /// `h`.
    #[inline(always)]
    pub(super) fn effective_field(&self, t: f64, m: Vec3<S>) -> Vec3<S> {
        match &self.law {
            None => self.material.field(m),
            Some(law) => self.material.field(m) + law.on_one(t, m),
        }
    }
}

impl<S: Real> Problem for Macrospin<S> {
    type Point = Vec3<S>;
    fn start(&self) -> Vec3<S> {
        self.start
    }
    fn restore(&self, y: &mut Vec3<S>) {
        *y = unit(*y);
    }
}

impl<S: Real> Generator for Macrospin<S> {
    type Space = Turn<S>;
    /// Without anisotropy, damping and a formula that looks at the spin.
    fn is_linear(&self) -> bool {
        let Material { alpha, d, .. } = self.material;
        let sizes = [alpha, d.x, d.y, d.z].map(Real::magnitude);
        sizes == [0.0; 4] && self.law.as_ref().is_none_or(|law| !law.reads_spins())
    }
    #[inline(always)]
    fn set_times(&mut self, t: S) {
        if let Some(law) = &mut self.law {
            law.set_times(t);
        }
    }
    #[inline(always)]
    fn field(&self, t: f64, m: &Vec3<S>) -> Vec3<S> {
        self.material.generator(*m, self.effective_field(t, *m))
    }
}

impl<S: Real> Lift for Macrospin<S> {
    type Scalar = S;
    type Over<T: Real> = Macrospin<T>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> Macrospin<T> {
        Macrospin {
            material: self.material.lift(embed),
            start: self.start.map(embed),
            law: self.law.as_ref().map(|law| Box::new(law.lift(embed))),
        }
    }
    fn lift_point<T: Real>(&self, m: &Vec3<S>, embed: fn(S) -> T) -> Vec3<T> {
        m.map(embed)
    }
}
