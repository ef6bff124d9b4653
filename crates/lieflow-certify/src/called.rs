//! A rigid body whose torque is called. Methods for bodies have it compiled into every step, several
//! times, so that numbers may stay in registers; with derivatives, and without optimisation, that
//! would be megabytes.
use lieflow::action::BodyState;
use lieflow::kernel::rigid::Inertia;
use lieflow::method::cotangent::structure::Tangent;
use lieflow::problem::{Problem, SpinningBody};
use lieflow::{Mat3, Vec3};
use lieflow_models::system::rigid_body::RigidBody;

type Vector = Vec3<Tangent>;
type Matrix = Mat3<Tangent>;

/// The body.
pub(crate) struct Called(pub(crate) RigidBody<Tangent>);

impl Problem for Called {
    type Point = BodyState<Tangent>;
    fn start(&self) -> BodyState<Tangent> {
        self.0.start()
    }
}

impl SpinningBody<Tangent> for Called {
    fn inertia(&self) -> &Inertia<Tangent> {
        self.0.inertia()
    }
    fn torque(&self, t: f64, r: &Matrix) -> Vector {
        self.0.torque(t, r)
    }
    fn torque_in_motion(&self, t: f64, r: &Matrix, w: Vector, p: Vector) -> Vector {
        self.0.torque_in_motion(t, r, w, p)
    }
    fn torque_derivative(&self, t: f64, r: &Matrix) -> Matrix {
        self.0.torque_derivative(t, r)
    }
    fn is_free(&self) -> bool {
        self.0.is_free()
    }
    fn axis(&self) -> Option<(Vector, Vector)> {
        self.0.axis()
    }
    fn axial_torque(&self, t: f64, g: Vector) -> Option<Vector> {
        self.0.axial_torque(t, g)
    }
    fn direction(&self, r: &Matrix) -> Vector {
        self.0.direction(r)
    }
}
