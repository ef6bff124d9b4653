//! A potential of ten terms as one would write it by hand, to be compared with the formula.
use lieflow::{Mat3, Real, Vec3, vec3};

/// `k`, `c`, `a`, `b`, `m1` to `m8`.
pub const NUMBERS: [f64; 14] =
    [20.0, 3.0, 0.48, -0.6, 0.64, 0.7, 1.1, 0.9, 0.8, 0.6, 0.35, 0.45, 0.25, 0.15];

/// The torque at an attitude. As kernels are: what is not inlined is not compiled for wide vectors.
#[inline(always)]
pub fn torque<S: Real>(numbers: &[S; 14], r: &Mat3<S>) -> Vec3<S> {
    let [k, c, ax, ay, az, b, m1, m2, m3, m4, m5, m6, m7, m8] = *numbers;
    let [p, q, s] = r.rows;
    let a = vec3(ax, ay, az);
    let bend = c * (s.dot(a) - S::one());
    let wave = m1 * (p.x * 2.0 + q.y).sin_cos().1;
    let spread = m7 * (r.trace() - S::one()) * 2.0;
    let bell = m2 * (-(b * p.z * p.z)).exp();
    let inverse = S::one() / (p.y + S::lift(2.0));
    let gp = vec3(
        wave * 2.0 + spread,
        m8 * p.y * p.y * p.y * 4.0 - m3 * inverse * inverse,
        -(bell * b * p.z * 2.0),
    );
    let gq = vec3(m5 * s.y, wave + spread, m4 * q.z / (q.z * q.z + S::one()).sqrt());
    let gs = a.times(bend) + vec3(-(m6 * s.x.sin_cos().0), m5 * q.x, k + spread);
    p.cross(gp) + q.cross(gq) + s.cross(gs)
}
