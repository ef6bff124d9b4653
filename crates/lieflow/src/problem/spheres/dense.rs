//! Any mass matrix: an `n × n` solve for the multipliers that hold the unit vectors.
//!
//! ```text
//! sum_j (M^{-1})_ij (q_i·q_j) l_j = |w_i|² - q_i·f_i          f = M^{-1} dV/dq
//! w_i' = -q_i × ( f_i + sum_j (M^{-1})_ij l_j q_j )
//! ```
//!
//! The matrix is symmetric positive definite, being the product entry by entry of two such
//! matrices. For unit vectors this equals the `3n × 3n` system of the equations of motion, also
//! where `q·w ≠ 0`, with about fifty times fewer operations.
use super::{Coupling, Slot, SphereSystem};
use crate::action::Link;
use lieflow_kernel::{Real, Vec3, linalg::solve_in_place};

/// `dV/dq`.
fn gradient<M: SphereSystem, O: Slot<M::Scalar>>(m: &M, y: &[Link<M::Scalar>], out: &mut [O]) {
    for o in out.iter_mut() {
        o.set_second(Vec3::zero());
    }
    m.add_gradient(y, out);
}

/// `f = M^{-1} dV/dq`.
pub(super) fn weighted_gradient<M: SphereSystem, O: Slot<M::Scalar>>(
    m: &M,
    y: &[Link<M::Scalar>],
    out: &mut [O],
) {
    gradient(m, y, out);
    if m.coupling() == Coupling::Diagonal {
        for (i, o) in out.iter_mut().enumerate() {
            o.set_second(o.second().times(m.inverse_mass(i, i)));
        }
        return;
    }
    let gradient: Vec<_> = out.iter().map(|o| o.second()).collect();
    for (i, o) in out.iter_mut().enumerate() {
        let mut f = Vec3::zero();
        for j in m.coupling().row(i, gradient.len()) {
            f += gradient[j].times(m.inverse_mass(i, j));
        }
        o.set_second(f);
    }
}

/// The accelerations. A singular matrix gives numbers that are not finite.
pub(super) fn acceleration<M: SphereSystem, O: Slot<M::Scalar>>(
    m: &M,
    y: &[Link<M::Scalar>],
    out: &mut [O],
) {
    m.weighted_gradient(y, out);
    if m.coupling() == Coupling::Diagonal {
        for (o, link) in out.iter_mut().zip(y) {
            o.set_second(o.second().cross(link.q));
        }
        return;
    }
    let n = y.len();
    let mut a = vec![M::Scalar::zero(); n * n];
    let mut multiplier = vec![M::Scalar::zero(); n];
    for i in 0..n {
        for j in m.coupling().row(i, n) {
            a[i * n + j] = m.inverse_mass(i, j) * y[i].q.dot(y[j].q);
        }
        multiplier[i] = y[i].omega.norm_squared() - y[i].q.dot(out[i].second());
    }
    solve_in_place(n, &mut a, &mut multiplier);
    for i in 0..n {
        let mut pull = out[i].second();
        for j in m.coupling().row(i, n) {
            if j != i {
                pull += y[j].q.times(m.inverse_mass(i, j) * multiplier[j]);
            }
        }
        out[i].set_second(pull.cross(y[i].q));
    }
}

/// The accelerations by the `3n × 3n` system of the equations of motion, on and off the spheres:
/// blocks `M_ii I` and `-M_ij q̂_i q̂_j`.
pub(super) fn acceleration_anywhere<M: SphereSystem, O: Slot<M::Scalar>>(
    m: &M,
    y: &[Link<M::Scalar>],
    out: &mut [O],
) {
    gradient(m, y, out);
    let n = y.len();
    if m.coupling() == Coupling::Diagonal {
        for (i, o) in out.iter_mut().enumerate() {
            o.set_second(o.second().cross(y[i].q).times(m.inverse_mass(i, i)));
        }
        return;
    }
    let size = 3 * n;
    let mut a = vec![M::Scalar::zero(); size * size];
    let mut b = vec![M::Scalar::zero(); size];
    for i in 0..n {
        let mut side = out[i].second().cross(y[i].q);
        for j in 0..n {
            let mass = m.mass(i, j);
            for k in 0..3 {
                let e = Vec3::unit(k);
                let column = if i == j { e } else { -y[i].q.cross(y[j].q.cross(e)) };
                for (l, x) in column.to_array().into_iter().enumerate() {
                    a[(3 * i + l) * size + 3 * j + k] = x * mass;
                }
            }
            if i != j {
                side += y[i].q.cross(y[j].q).times(mass * y[j].omega.norm_squared());
            }
        }
        b[3 * i..3 * i + 3].copy_from_slice(&side.to_array());
    }
    solve_in_place(size, &mut a, &mut b);
    for (o, b) in out.iter_mut().zip(b.chunks_exact(3)) {
        o.set_second(Vec3 { x: b[0], y: b[1], z: b[2] });
    }
}
