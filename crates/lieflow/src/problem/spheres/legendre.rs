//! From angular velocities to momenta and back.
//!
//! ```text
//! pi_i = q_i × p_i,   p_i = sum_j M_ij q_j'          p_i = pi_i × q_i/s_i + e_i q_i,   s_i = |q_i|²
//! sum_j (M^{-1})_ij (q_i·q_j) e_j = -q_i·(M^{-1}(pi × q/s))_i      q' = M^{-1} p,   w_i = q_i × q_i'/s_i
//! ```
//!
//! The matrix is that of the multipliers of RATTLE's velocity projection: for a chain it is
//! tridiagonal, and both directions take O(n) operations. Celledoni et al., section 5.2, last
//! paragraph, where `R(q)` is inverted as a dense matrix instead. The factors `1/s_i` are one but
//! for rounding; without them each use would multiply the momentum by `s_i`, and the errors of the
//! lengths would add up.
use super::{Coupling, Slot, SphereSystem};
use crate::action::Link;
use lieflow_kernel::{Real, Vec3, linalg::solve_in_place, vec3};

/// The states `(q_i, pi_i)` of states `(q_i, w_i)`.
pub fn momenta<M: SphereSystem>(m: &M, y: &[Link<M::Scalar>], out: &mut [Link<M::Scalar>]) {
    m.momentum(y, out);
    for (o, link) in out.iter_mut().zip(y) {
        *o = Link::new(link.q, link.q.cross(o.omega));
    }
}

/// The states `(q_i, w_i)` of states `(q_i, pi_i)`.
pub fn velocities<M: SphereSystem>(m: &M, y: &[Link<M::Scalar>], out: &mut [Link<M::Scalar>]) {
    invert(m, y, out);
    for (o, link) in out.iter_mut().zip(y) {
        *o = Link::new(link.q, o.q);
    }
}

/// Into the first vectors `w_i`, into the second `sum_{j≠i} M_ij q_j'`, from states `(q_i, pi_i)`.
pub(super) fn invert<M: SphereSystem, O: Slot<M::Scalar>>(
    m: &M,
    y: &[Link<M::Scalar>],
    out: &mut [O],
) {
    match m.coupling() {
        Coupling::Diagonal => {
            for (i, o) in out.iter_mut().enumerate() {
                o.set_first(y[i].omega.times(m.inverse_mass(i, i) / y[i].q.norm_squared()));
                o.set_second(Vec3::zero());
            }
        }
        Coupling::Neighbours => neighbours(m, y, out),
        Coupling::Dense => dense(m, y, out),
    }
}

/// The part of `p_i` that is orthogonal to `q_i`.
#[inline(always)]
fn tangent<S: Real>(y: &Link<S>) -> Vec3<S> {
    y.omega.cross(y.q).times(S::one() / y.q.norm_squared())
}

fn neighbours<M: SphereSystem, O: Slot<M::Scalar>>(m: &M, y: &[Link<M::Scalar>], out: &mut [O]) {
    let n = y.len();
    let part = |i: usize| tangent(&y[i]);
    // Elimination from the free end. A slot keeps (diagonal, right-hand side, entry to the right).
    for i in (0..n).rev() {
        let q = y[i].q;
        let mut d = m.inverse_mass(i, i) * q.norm_squared();
        let mut r = M::Scalar::zero();
        if i > 0 {
            r -= q.dot(part(i - 1)) * m.inverse_mass(i, i - 1);
        }
        let mut e = M::Scalar::zero();
        if i + 1 < n {
            r -= q.dot(part(i + 1)) * m.inverse_mass(i, i + 1);
            e = m.inverse_mass(i, i + 1) * q.dot(y[i + 1].q);
            let next = out[i + 1].first();
            let f = e / next.x;
            d -= f * e;
            r -= f * next.y;
        }
        out[i].set_first(vec3(d, r, e));
    }
    // Forward: e_i, and with it p_i into the second vectors.
    let mut eta = M::Scalar::zero();
    for i in 0..n {
        let row = out[i].first();
        let before = if i > 0 { out[i - 1].first().z * eta } else { M::Scalar::zero() };
        eta = (row.y - before) / row.x;
        out[i].set_second(part(i) + y[i].q.times(eta));
    }
    // q' = M^{-1} p needs both neighbours: the last p is kept aside.
    let mut before = Vec3::zero();
    for i in 0..n {
        let p = out[i].second();
        let mut v = p.times(m.inverse_mass(i, i));
        if i > 0 {
            v += before.times(m.inverse_mass(i, i - 1));
        }
        if i + 1 < n {
            v += out[i + 1].second().times(m.inverse_mass(i, i + 1));
        }
        out[i].set_first(y[i].q.cross(v).times(M::Scalar::one() / y[i].q.norm_squared()));
        out[i].set_second(p - v.times(m.mass(i, i)));
        before = p;
    }
}

fn dense<M: SphereSystem, O: Slot<M::Scalar>>(m: &M, y: &[Link<M::Scalar>], out: &mut [O]) {
    let n = y.len();
    let mut p: Vec<_> = y.iter().map(tangent).collect();
    let mut a = vec![M::Scalar::zero(); n * n];
    let mut eta = vec![M::Scalar::zero(); n];
    for i in 0..n {
        for j in 0..n {
            a[i * n + j] = m.inverse_mass(i, j) * y[i].q.dot(y[j].q);
            eta[i] -= y[i].q.dot(p[j]) * m.inverse_mass(i, j);
        }
    }
    solve_in_place(n, &mut a, &mut eta);
    for (i, p) in p.iter_mut().enumerate() {
        *p += y[i].q.times(eta[i]);
    }
    for i in 0..n {
        let mut v = Vec3::zero();
        for (j, p) in p.iter().enumerate() {
            v += p.times(m.inverse_mass(i, j));
        }
        out[i].set_first(y[i].q.cross(v).times(M::Scalar::one() / y[i].q.norm_squared()));
        out[i].set_second(p[i] - v.times(m.mass(i, i)));
    }
}
