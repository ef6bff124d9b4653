//! The body as the methods see it; also compiled for GPUs, which know nothing of problem files.
use super::Field;
use lieflow::action::{BodyFrame, BodyState};
use lieflow::group::Twist;
use lieflow::kernel::rigid::Inertia;
use lieflow::problem::{
    Generator, Lift, Problem, SpinningBody, StageOf, TorqueField, body_field_at, body_slope_at,
};
use lieflow::stepping::Rotations;
use lieflow::{Mat3, Real, Vec3};

/// A body, its field and its initial state.
#[derive(Clone, Debug)]
pub struct RigidBody<S, U = Field<S>> {
    /// `J`.
    pub inertia: Inertia<S>,
    /// `U`.
    pub potential: U,
    /// Initial attitude and body momentum.
    pub start: BodyState<S>,
}

impl<S: Real, U: TorqueField<S>> RigidBody<S, U> {
    /// `H`.
    #[inline(always)]
    pub fn energy(&self, t: f64, y: &BodyState<S>) -> S {
        self.inertia.kinetic_energy(y.momentum) + self.potential.energy(t, &y.rotation)
    }
    /// The same body and state without a field.
    pub fn freed(&self) -> RigidBody<S, Field<S>> {
        RigidBody { inertia: self.inertia, potential: Field::Free, start: self.start }
    }
}

impl<S: Real, U: TorqueField<S>> Problem for RigidBody<S, U> {
    type Point = BodyState<S>;
    fn start(&self) -> BodyState<S> {
        self.start
    }
    fn restore(&self, y: &mut BodyState<S>) {
        Rotations::restore(y);
    }
}

impl<S: Real, U: TorqueField<S>> SpinningBody<S> for RigidBody<S, U> {
    #[inline(always)]
    fn inertia(&self) -> &Inertia<S> {
        &self.inertia
    }
    #[inline(always)]
    fn torque(&self, t: f64, r: &Mat3<S>) -> Vec3<S> {
        self.potential.torque_at_rest(t, r)
    }
    #[inline(always)]
    fn torque_in_motion(&self, t: f64, r: &Mat3<S>, w: Vec3<S>, p: Vec3<S>) -> Vec3<S> {
        self.potential.torque_in_motion(t, r, w, p)
    }
    #[inline(always)]
    fn torque_derivative(&self, t: f64, r: &Mat3<S>) -> Mat3<S> {
        self.potential.derivative_at_rest(t, r)
    }
    #[inline(always)]
    fn is_free(&self) -> bool {
        self.potential.is_free()
    }
    #[inline(always)]
    fn axis(&self) -> Option<(Vec3<S>, Vec3<S>)> {
        self.potential.axis()
    }
    #[inline(always)]
    fn has_axial_torque(&self) -> bool {
        self.potential.has_axial_torque()
    }
    #[inline(always)]
    fn direction(&self, r: &Mat3<S>) -> Vec3<S> {
        self.potential.direction(r)
    }
    #[inline(always)]
    fn axial_torque(&self, t: f64, g: Vec3<S>) -> Option<Vec3<S>> {
        self.potential.axial_torque(t, g)
    }
    #[inline(always)]
    fn simple_direction(&self, r: &Mat3<S>) -> Option<Vec3<S>> {
        self.potential.simple_direction(r)
    }
    #[inline(always)]
    fn simple_axial_torque(&self, g: Vec3<S>) -> Option<Vec3<S>> {
        self.potential.simple_axial_torque(g)
    }
}

impl<S: Real, U: TorqueField<S>> Generator for RigidBody<S, U> {
    type Space = BodyFrame<S>;
    const SHORT_CUTS: bool = true;
    #[inline(always)]
    fn set_times(&mut self, t: S) {
        self.potential.set_times(t);
    }
    #[inline(always)]
    fn field(&self, t: f64, y: &BodyState<S>) -> Twist<S> {
        let omega = self.inertia.velocity(y.momentum);
        let torque = self.potential.torque_in_motion(t, &y.rotation, omega, y.momentum);
        Twist::new(-omega, torque)
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

impl<S: Real, U: TorqueField<S>> Lift for RigidBody<S, U> {
    type Scalar = S;
    type Over<T: Real> = RigidBody<T, U::Over<T>>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> RigidBody<T, U::Over<T>> {
        RigidBody {
            inertia: self.inertia.lift(embed),
            potential: self.potential.lift(embed),
            start: self.lift_point(&self.start, embed),
        }
    }
    fn lift_point<T: Real>(&self, y: &BodyState<S>, embed: fn(S) -> T) -> BodyState<T> {
        BodyState::new(y.rotation.map(embed), y.momentum.map(embed))
    }
}
