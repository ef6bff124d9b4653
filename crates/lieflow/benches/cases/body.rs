//! A body about a fixed point in a uniform field, over any numbers.
// A closure would not be compiled for the vectors of its caller.
#![allow(clippy::manual_map)]
use lieflow::action::{BodyFrame, BodyState, LiftedFrame};
use lieflow::group::{Rn, Twist};
use lieflow::kernel::rigid::Inertia;
use lieflow::kernel::so3;
use lieflow::problem::{
    Generator, Problem, SpinningBody, StageOf, body_field_at, body_slope_at, lifted_field,
    lifted_field_at,
};
use lieflow::{Mat3, Real, Vec3, vec3};

#[derive(Clone, Debug)]
pub struct Top<S> {
    pub inertia: Inertia<S>,
    /// Weight times distance of the centre of mass, on the third axis; none for a free body.
    pub strength: Option<S>,
    pub start: BodyState<S>,
}

impl<S: Real> Top<S> {
    /// A body with these moments and this angular velocity.
    pub fn new(moments: [f64; 3], strength: Option<f64>, omega: [f64; 3]) -> Self {
        let lift = |v: [f64; 3]| Vec3::<S>::lift(v.into());
        let inertia = Inertia::principal(lift(moments));
        let start = BodyState::new(so3::exp(lift([0.3, 0.0, 0.0])), inertia.momentum(lift(omega)));
        Self { inertia, strength: strength.map(S::lift), start }
    }
}

impl<S: Real> Problem for Top<S> {
    type Point = BodyState<S>;
    fn start(&self) -> BodyState<S> {
        self.start
    }
}

impl<S: Real> SpinningBody<S> for Top<S> {
    #[inline(always)]
    fn inertia(&self) -> &Inertia<S> {
        &self.inertia
    }
    #[inline(always)]
    fn torque(&self, t: f64, r: &Mat3<S>) -> Vec3<S> {
        match self.axial_torque(t, r.rows[2]) {
            Some(torque) => torque,
            None => Vec3::zero(),
        }
    }
    fn torque_derivative(&self, _t: f64, _r: &Mat3<S>) -> Mat3<S> {
        Mat3::zero()
    }
    #[inline(always)]
    fn is_free(&self) -> bool {
        self.strength.is_none()
    }
    #[inline(always)]
    fn axis(&self) -> Option<(Vec3<S>, Vec3<S>)> {
        match self.strength {
            Some(_) => Some((Vec3::unit(2), Vec3::unit(2))),
            None => None,
        }
    }
    #[inline(always)]
    fn direction(&self, r: &Mat3<S>) -> Vec3<S> {
        r.rows[2]
    }
    #[inline(always)]
    fn axial_torque(&self, _t: f64, g: Vec3<S>) -> Option<Vec3<S>> {
        match self.strength {
            Some(strength) => Some(vec3(g.y * strength, -(g.x * strength), S::zero())),
            None => None,
        }
    }
    #[inline(always)]
    fn simple_direction(&self, r: &Mat3<S>) -> Option<Vec3<S>> {
        match self.strength {
            Some(_) => Some(r.rows[2]),
            None => None,
        }
    }
    #[inline(always)]
    fn simple_axial_torque(&self, g: Vec3<S>) -> Option<Vec3<S>> {
        self.axial_torque(0.0, g)
    }
}

impl<S: Real> Generator for Top<S> {
    type Space = BodyFrame<S>;
    #[inline(always)]
    fn field(&self, t: f64, y: &BodyState<S>) -> Twist<S> {
        Twist::new(-self.inertia.velocity(y.momentum), self.torque(t, &y.rotation))
    }
    #[inline(always)]
    fn field_at(&self, at: StageOf<'_, Self>, point: &mut BodyState<S>, out: &mut Twist<S>) {
        body_field_at(self, at, point, out);
    }
    #[inline(always)]
    fn slope_at(&self, at: StageOf<'_, Self>, point: &mut BodyState<S>, out: &mut Twist<S>) {
        body_slope_at(self, at, point, out);
    }
}

/// The same in the space SO(3) × R³.
#[derive(Clone, Debug)]
pub struct Lifted<S>(pub Top<S>);

impl<S: Real> Problem for Lifted<S> {
    type Point = BodyState<S>;
    fn start(&self) -> BodyState<S> {
        self.0.start
    }
}

impl<S: Real> Generator for Lifted<S> {
    type Space = LiftedFrame<S>;
    #[inline(always)]
    fn field(&self, t: f64, y: &BodyState<S>) -> (Vec3<S>, Rn<S, 3>) {
        lifted_field(&self.0, t, y)
    }
    #[inline(always)]
    fn field_at(&self, at: StageOf<'_, Self>, _: &mut BodyState<S>, out: &mut (Vec3<S>, Rn<S, 3>)) {
        *out = lifted_field_at(&self.0, at);
    }
}
