//! Rotations that leave a potential as it is, found by sampling.
//!
//! A potential that does not change when space turns about `k` has spatial torques `R T(R)` without
//! a component along `k`; one that does not change when the body turns about `χ` has body torques
//! `T(R)` without a component along `χ`. Both are the null vectors of `Σ T Tᵀ` over some attitudes.
use super::law::{Law, Symmetry};
use lieflow::kernel::so3;
use lieflow::{Mat3, Vec3, vec3};

/// A component below this part of the torque is rounding.
const ROUNDING: f64 = 1e-13;

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
    let along = |which: usize| null_vector(torques.map(|pair| pair[which]));
    Symmetry { space: along(0), body: along(1) }
}

/// The direction to which all vectors are orthogonal, if there is just one.
fn null_vector(vectors: [Vec3<f64>; 10]) -> Option<Vec3<f64>> {
    let largest = vectors.iter().fold(0.0, |a: f64, v| a.max(v.norm()));
    if !(largest > 0.0 && largest.is_finite()) {
        return None;
    }
    // The cross product of two of the vectors, the one that is best determined.
    let mut best = Vec3::zero();
    for (i, a) in vectors.iter().enumerate() {
        for b in &vectors[i + 1..] {
            let across = a.cross(*b);
            if across.norm_squared() > best.norm_squared() {
                best = across;
            }
        }
    }
    if best.norm() <= 1e-6 * largest * largest {
        return None;
    }
    let direction = best.times(1.0 / best.norm());
    // A coordinate axis is meant exactly.
    let snapped =
        [0, 1, 2].map(Vec3::<f64>::unit).into_iter().find(|e| e.dot(direction).abs() > 1.0 - 1e-12);
    let direction = snapped.unwrap_or(direction);
    vectors.iter().all(|v| v.dot(direction).abs() <= ROUNDING * largest).then_some(direction)
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
