//! Initial states on products of spheres: checked, or brought onto the manifold on request.
use super::error::{SystemError, count, within};
use lieflow::action::Link;
use lieflow::{Vec3, vec3};

/// How far a direction may be from unit length, and an angular velocity from being orthogonal to
/// its direction (relative to its size if that is above one).
pub const TOLERANCE: f64 = 1e-12;

/// The states with these directions and angular velocities, which must be unit vectors and
/// orthogonal to them.
pub fn links(q: &[Vec3<f64>], omega: &[Vec3<f64>]) -> Result<Vec<Link<f64>>, SystemError> {
    count("angular velocities", omega.len(), q.len())?;
    let mut list = Vec::with_capacity(q.len());
    for (i, (&q, &omega)) in q.iter().zip(omega).enumerate() {
        let index = i + 1;
        let length = q.norm();
        if !within((length - 1.0).abs(), TOLERANCE) {
            let what = "direction";
            return Err(SystemError::NotUnit { what, index, length, tolerance: TOLERANCE });
        }
        let component = q.dot(omega);
        let tolerance = TOLERANCE * omega.norm().max(1.0);
        if !within(component.abs(), tolerance) {
            return Err(SystemError::NotTangent { index, component, tolerance });
        }
        list.push(Link::new(q, omega));
    }
    Ok(list)
}

/// The states nearest to these: `q/|q|` and `w - (q·w) q`.
pub fn projected_links(
    q: &[Vec3<f64>],
    omega: &[Vec3<f64>],
) -> Result<Vec<Link<f64>>, SystemError> {
    count("angular velocities", omega.len(), q.len())?;
    let mut list = Vec::with_capacity(q.len());
    for (i, (&q, &omega)) in q.iter().zip(omega).enumerate() {
        // Scaled first, so that the square of a huge or tiny length is harmless.
        let largest = q.x.abs().max(q.y.abs()).max(q.z.abs());
        if !(largest > 0.0 && largest.is_finite()) {
            return Err(SystemError::NoDirection { index: i + 1 });
        }
        // Divided, because the inverse of the smallest numbers is infinite.
        let q = vec3(q.x / largest, q.y / largest, q.z / largest);
        let q = q.times(1.0 / q.norm());
        list.push(Link::new(q, omega - q.times(q.dot(omega))));
    }
    Ok(list)
}
