//! The face of the rigid-body methods.
use super::Problem;
use crate::action::BodyState;
use lieflow_kernel::rigid::Inertia;
use lieflow_kernel::{Mat3, Real, Vec3};

/// A rigid body turning about a fixed point:
/// `R' = R hat(ω)`, `Π' = Π × ω + T(t, R)`, `Π = J ω`.
pub trait SpinningBody<S: Real>: Problem<Point = BodyState<S>> {
    /// `J`.
    fn inertia(&self) -> &Inertia<S>;
    /// `T(t, R)`, in the body frame.
    fn torque(&self, t: f64, r: &Mat3<S>) -> Vec3<S>;
    /// The matrix `DT` with `T(t, R exp(ξ)) = T + DT ξ + …`.
    fn torque_derivative(&self, t: f64, r: &Mat3<S>) -> Mat3<S>;
    /// Whether there is no torque at all.
    fn is_free(&self) -> bool {
        false
    }
}
