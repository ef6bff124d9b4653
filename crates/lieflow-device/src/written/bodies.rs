//! Rigid bodies.
use super::Written;
use super::fields::{WrittenField, any_field, push_matrix, push_vector};
use super::formula;
use crate::kernel::bodies::{Body, Formula, Lifted, Symmetric, Tilted, TiltedFormula};
use crate::system::{LiftedBody, RigidBody};
use lieflow::Vec3;
use lieflow::kernel::rigid::Round;
use lieflow::problem::TorqueField;

/// A kind of bodies about which there is also one in the space SO(3) × R³.
pub trait WrittenBody: Written<Source = RigidBody<f64>> {
    /// That one in words.
    const LIFTED: &'static str;
}

/// Adds the moments of a body; `false` if it is not in its principal frame.
fn moments(body: &RigidBody<f64>, out: &mut Vec<f64>) -> bool {
    push_vector(body.inertia.moments(), out);
    body.inertia.is_diagonal()
}

/// Adds the inertia of a body; `false` if it is in its principal frame.
fn tilted(body: &RigidBody<f64>, out: &mut Vec<f64>) -> bool {
    push_matrix(body.inertia.matrix(), out);
    !body.inertia.is_diagonal()
}

impl<F: WrittenField> Written for Body<F> {
    type Source = RigidBody<f64>;
    const NAME: &'static str = F::NAMES[0];
    fn parameters(body: &RigidBody<f64>, out: &mut Vec<f64>) -> bool {
        moments(body, out) && F::numbers(&body.potential, out)
    }
}

impl<F: WrittenField> WrittenBody for Body<F> {
    const LIFTED: &'static str = F::NAMES[2];
}

impl<F: WrittenField> Written for Symmetric<F> {
    type Source = RigidBody<f64>;
    const NAME: &'static str = F::NAMES[1];
    fn parameters(body: &RigidBody<f64>, out: &mut Vec<f64>) -> bool {
        let Round::About(axis) = body.inertia.round() else { return false };
        let along = match body.potential.axis() {
            None => true,
            Some((chi, _)) => chi.cross(Vec3::unit(axis)) == Vec3::zero(),
        };
        along && Body::<F>::parameters(body, out)
    }
}

impl Written for Tilted {
    type Source = RigidBody<f64>;
    const NAME: &'static str = "a body that is not in its principal frame";
    fn parameters(body: &RigidBody<f64>, out: &mut Vec<f64>) -> bool {
        tilted(body, out) && any_field(&body.potential, out)
    }
}

impl WrittenBody for Tilted {
    const LIFTED: &'static str = "a body that is not in its principal frame in the space lift";
}

impl Written for Formula {
    type Source = RigidBody<f64>;
    const NAME: &'static str =
        "a body whose potential or torque is a formula of at most 256 registers";
    fn parameters(body: &RigidBody<f64>, out: &mut Vec<f64>) -> bool {
        moments(body, out) && formula::constants(body, out)
    }
    fn program(body: &RigidBody<f64>) -> Vec<u128> {
        formula::program(body)
    }
    fn same_program(first: &RigidBody<f64>, second: &RigidBody<f64>) -> bool {
        formula::same(first, second)
    }
}

impl WrittenBody for Formula {
    const LIFTED: &'static str =
        "a body whose potential or torque is a formula of at most 256 registers in the space lift";
}

impl Written for TiltedFormula {
    type Source = RigidBody<f64>;
    const NAME: &'static str = "a body that is not in its principal frame, by such a formula";
    fn parameters(body: &RigidBody<f64>, out: &mut Vec<f64>) -> bool {
        tilted(body, out) && formula::constants(body, out)
    }
    fn program(body: &RigidBody<f64>) -> Vec<u128> {
        formula::program(body)
    }
    fn same_program(first: &RigidBody<f64>, second: &RigidBody<f64>) -> bool {
        formula::same(first, second)
    }
}

impl WrittenBody for TiltedFormula {
    const LIFTED: &'static str =
        "a body that is not in its principal frame, by such a formula in the space lift";
}

impl<K: WrittenBody> Written for Lifted<K> {
    type Source = LiftedBody<f64>;
    const NAME: &'static str = K::LIFTED;
    fn parameters(body: &LiftedBody<f64>, out: &mut Vec<f64>) -> bool {
        K::parameters(&body.0, out)
    }
    fn program(body: &LiftedBody<f64>) -> Vec<u128> {
        K::program(&body.0)
    }
    fn same_program(first: &LiftedBody<f64>, second: &LiftedBody<f64>) -> bool {
        K::same_program(&first.0, &second.0)
    }
}
