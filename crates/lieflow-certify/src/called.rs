//! A torque that is called. Methods for bodies have it compiled into every step, several times, so
//! that numbers may stay in registers; with derivatives, and without optimisation, that would be
//! megabytes.
use lieflow::method::cotangent::structure::Tangent;
use lieflow::problem::TorqueField;
use lieflow::{Mat3, Real, Vec3};
use lieflow_models::system::rigid_body::{Field, RigidBody};

type Vector = Vec3<Tangent>;
type Matrix = Mat3<Tangent>;

/// A body over dual numbers, with a torque that is called.
pub(crate) type CalledBody = RigidBody<Tangent, Called>;

/// The torque.
#[derive(Clone, Debug)]
pub(crate) struct Called(Field<Tangent>);

/// The same body, with its torque called.
pub(crate) fn called(body: RigidBody<Tangent>) -> CalledBody {
    let RigidBody { inertia, potential, start } = body;
    RigidBody { inertia, potential: Called(potential), start }
}

impl TorqueField<Tangent> for Called {
    type Over<T: Real> = Field<T>;
    fn lift<T: Real>(&self, embed: fn(Tangent) -> T) -> Field<T> {
        self.0.lift(embed)
    }
    fn energy(&self, t: f64, r: &Matrix) -> Tangent {
        self.0.energy(t, r)
    }
    fn torque(&self, t: f64, r: &Matrix) -> Vector {
        self.0.torque(t, r)
    }
    fn torque_derivative(&self, t: f64, r: &Matrix) -> Matrix {
        self.0.torque_derivative(t, r)
    }
    fn applied(&self, t: f64, r: &Matrix, w: Vector, p: Vector) -> Option<Vector> {
        self.0.applied(t, r, w, p)
    }
    fn torque_at_rest(&self, t: f64, r: &Matrix) -> Vector {
        self.0.torque_at_rest(t, r)
    }
    fn derivative_at_rest(&self, t: f64, r: &Matrix) -> Matrix {
        self.0.derivative_at_rest(t, r)
    }
    fn torque_in_motion(&self, t: f64, r: &Matrix, w: Vector, p: Vector) -> Vector {
        self.0.torque_in_motion(t, r, w, p)
    }
    fn set_times(&mut self, t: Tangent) {
        self.0.set_times(t);
    }
    fn is_free(&self) -> bool {
        self.0.is_free()
    }
    fn axis(&self) -> Option<(Vector, Vector)> {
        self.0.axis()
    }
    fn conserves_energy(&self) -> bool {
        self.0.conserves_energy()
    }
    fn symmetry(&self) -> (Option<Vector>, Option<Vector>) {
        self.0.symmetry()
    }
    fn direction(&self, r: &Matrix) -> Vector {
        self.0.direction(r)
    }
    fn has_axial_torque(&self) -> bool {
        self.0.has_axial_torque()
    }
    fn axial_torque(&self, t: f64, g: Vector) -> Option<Vector> {
        self.0.axial_torque(t, g)
    }
}
