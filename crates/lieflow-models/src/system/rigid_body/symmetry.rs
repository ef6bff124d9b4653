//! Rotations that leave a potential as it is, found by sampling.
//!
//! A potential that does not change when space turns about `k` has spatial torques `R T(R)` without
//! a component along `k`; one that does not change when the body turns about `χ` has body torques
//! `T(R)` without a component along `χ`. Both are the null vectors of `Σ T Tᵀ` over some attitudes.
use super::law::{Law, Symmetry};
use crate::system::turns::null_vector;
use lieflow::kernel::so3;
use lieflow::{Mat3, Vec3, vec3};

/// The symmetry of the potential by formula; that of others is known.
pub(super) fn of(law: &Law<f64>) -> Symmetry<f64> {
    let (Some(potential), None) = (&law.potential, &law.torque) else { return Symmetry::default() };
    let mut torques = [[Vec3::zero(); 2]; 10];
    for (k, pair) in torques.iter_mut().enumerate() {
        // Attitudes in no particular relation to each other or to any axis.
        let k = 1.0 + k as f64;
        let r = so3::exp(vec3(1.3 * k, 0.7 * k * k + 0.4, 2.1 - 0.9 * k));
        let torque = potential.torque(0.37 * k, &r);
        *pair = [r.apply(torque), torque];
    }
    let along = |which: usize| null_vector(&torques.map(|pair| pair[which]));
    Symmetry { space: along(0), body: along(1) }
}

/// Whether a body is round about an axis.
pub(super) fn is_round(inertia: &Mat3<f64>, axis: Vec3<f64>) -> bool {
    let moment = inertia.apply(axis).dot(axis) / axis.norm_squared();
    let equator = 0.5 * (inertia.trace() - moment);
    // J = equator (1 - χχᵀ/|χ|²) + moment χχᵀ/|χ|².
    let spin = Mat3::outer(axis, axis).times((moment - equator) / axis.norm_squared());
    let round = Mat3::diagonal(vec3(equator, equator, equator)) + spin;
    let scale = inertia.norm_squared().sqrt();
    (*inertia - round).norm_squared().sqrt() <= 1e-14 * scale
}
