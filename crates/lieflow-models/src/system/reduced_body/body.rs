//! The body as the methods see it; also compiled for GPUs, which know nothing of problem files.
use lieflow::action::CoadjointAction;
use lieflow::group::So3;
use lieflow::problem::{Generator, Lift, Problem};
use lieflow::{Mat3, Real, Vec3};

/// The reduced body.
#[derive(Clone, Debug)]
pub struct ReducedBody<S> {
    /// `J`, symmetric and positive definite.
    pub inertia: Mat3<S>,
    /// `J⁻¹`.
    pub inverse: Mat3<S>,
    /// Initial body momentum.
    pub start: Vec3<S>,
}

impl<S: Real> ReducedBody<S> {
    /// The body with this inertia and initial momentum.
    pub fn new(inertia: Mat3<S>, start: Vec3<S>) -> Self {
        Self { inertia, inverse: inertia.inverse(), start }
    }
    /// `H`.
    pub fn energy(&self, m: &Vec3<S>) -> S {
        m.dot(self.inverse.apply(*m)) * 0.5
    }
}

impl<S: Real> Problem for ReducedBody<S> {
    type Point = Vec3<S>;
    fn start(&self) -> Vec3<S> {
        self.start
    }
}

impl<S: Real> Generator for ReducedBody<S> {
    type Space = CoadjointAction<So3<S>>;
    #[inline(always)]
    fn field(&self, _t: f64, m: &Vec3<S>) -> Vec3<S> {
        -self.inverse.apply(*m)
    }
}

impl<S: Real> Lift for ReducedBody<S> {
    type Scalar = S;
    type Over<T: Real> = ReducedBody<T>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> ReducedBody<T> {
        ReducedBody {
            inertia: self.inertia.map(embed),
            inverse: self.inverse.map(embed),
            start: self.start.map(embed),
        }
    }
    fn lift_point<T: Real>(&self, m: &Vec3<S>, embed: fn(S) -> T) -> Vec3<T> {
        m.map(embed)
    }
}
