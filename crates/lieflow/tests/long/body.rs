//! A free body, and motions of which roundings are followed: by the tests here, and by the study that makes
//! very many steps (`benches/roundings.rs`).
use lieflow::action::{BodyFrame, BodyState, Flat};
use lieflow::archive::Archive;
use lieflow::group::Twist;
use lieflow::kernel::{rigid::Inertia, so3};
use lieflow::problem::{Generator, Problem, SpinningBody, StageOf, body_field_at, body_slope_at};
use lieflow::stepping::Rotations;
use lieflow::{Mat3, Real, Vec3, vec3};
use lieflow_testing::Draw;

/// A free body.
#[derive(Clone, Debug)]
pub struct Body<S = f64> {
    pub inertia: Inertia<S>,
    pub start: BodyState<S>,
}

impl<S: Real> Problem for Body<S> {
    type Point = BodyState<S>;
    fn start(&self) -> BodyState<S> {
        self.start
    }
    fn archive(&self, y: &mut BodyState<S>, archive: &mut Archive) {
        Flat::archive(y, archive);
    }
    fn restore(&self, y: &mut BodyState<S>) {
        y.restore();
    }
}

impl<S: Real> SpinningBody<S> for Body<S> {
    fn inertia(&self) -> &Inertia<S> {
        &self.inertia
    }
    fn torque(&self, _: f64, _: &Mat3<S>) -> Vec3<S> {
        Vec3::zero()
    }
    fn torque_derivative(&self, _: f64, _: &Mat3<S>) -> Mat3<S> {
        Mat3::diagonal(Vec3::zero())
    }
    fn is_free(&self) -> bool {
        true
    }
}

impl<S: Real> Generator for Body<S> {
    type Space = BodyFrame<S>;
    const SHORT_CUTS: bool = true;
    fn field(&self, _: f64, y: &BodyState<S>) -> Twist<S> {
        Twist::new(-self.inertia.velocity(y.momentum), Vec3::zero())
    }
    fn field_at(&self, at: StageOf<'_, Self>, point: &mut BodyState<S>, out: &mut Twist<S>) {
        body_field_at(self, at, point, out);
    }
    fn slope_at(&self, at: StageOf<'_, Self>, point: &mut BodyState<S>, out: &mut Twist<S>) {
        body_slope_at(self, at, point, out);
    }
}

/// A motion of which roundings are followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Motion {
    /// Three different moments, about no axis in particular.
    Tumbling,
    /// About the third axis: all increments are the same.
    Spin,
    /// Two equal moments.
    Precession,
}

impl Motion {
    /// The moments of the body.
    pub fn moments(self) -> Vec3<f64> {
        match self {
            Self::Tumbling | Self::Spin => vec3(0.6, 1.0, 1.5),
            Self::Precession => vec3(0.6, 0.6, 1.0),
        }
    }

    /// The start of this number.
    pub fn start(self, number: u64) -> BodyState<f64> {
        let mut draw = Draw::new(number + 1);
        let rotation = so3::exp(draw.of_norm(2.0));
        let momentum = match self {
            // Of all sizes: methods that lose or gain energy end in a spin, whose speed is that of its momentum.
            Self::Tumbling | Self::Precession => {
                let size = draw.between(0.5, 2.0);
                draw.of_norm(size)
            }
            Self::Spin => Vec3::unit(2) * draw.between(0.5, 2.0),
        };
        BodyState::new(rotation, momentum)
    }
}
