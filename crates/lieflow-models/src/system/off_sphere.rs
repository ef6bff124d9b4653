//! The accelerations of a chain whose directions are not unit vectors, in O(n) operations.
//!
//! Only the comparison without geometry gets there. Off the spheres the equations of motion
//!
//! ```text
//! M_ii w_i' - sum_{j≠i} M_ij q_i×(q_j×w_j') = sum_{j≠i} M_ij |w_j|² q_i×q_j - q_i×dV/dq_i
//! ```
//!
//! still give `q_i·w_i' = 0`. With `a_i = w_i'×q_i - |w_i|² q_i`, so that `w_i' = q_i×a_i/s_i` for
//! `s_i = |q_i|²`, they say that rod `i` pulls with a force `F_i` that is not quite along it:
//!
//! ```text
//! m_i B_i = F_{i+1} - F_i      B_i = B_{i-1} + L_i a_i      B_0 = -g
//! F_i = l_i q_i + d_i a_i      d_i = mu_i L_i (1/s_i - 1)   q_i·a_i = -|w_i|² s_i
//! ```
//!
//! From the free end upwards, `F_i = c_i - K_i B_{i-1}` with a symmetric 3×3 matrix:
//!
//! ```text
//! W = (L_i (m_i + K_{i+1}) + d_i)^{-1}    u = W q_i    v = (q_i - d_i u)/L_i    o = q_i·u
//! l = (|w_i|² s_i + u·c_{i+1})/o
//! K_i = L_i v vᵀ/o + (d_i/L_i)(1 - d_i W)            c_i = L_i l v + d_i W c_{i+1}
//! B_i = L_i W c_{i+1} - L_i (l - v·B_{i-1}/o) u + d_i W B_{i-1}
//! ```
//!
//! Another force on mass `i` is added to `c_{i+1}`.
use super::chain_forces;
use super::pendulum_chain::PendulumChain;
use lieflow::action::Link;
use lieflow::problem::spheres::Slot;
use lieflow::{Mat3, Real, Vec3, vec3};

/// What one link must remember: the map from `B_{i-1}` to `B_i`, a matrix and a vector.
pub(super) type Step<S> = (Mat3<S>, Vec3<S>);

/// The angular accelerations, into the second vectors.
pub(super) fn acceleration<S: Real, O: Slot<S>>(
    chain: &PendulumChain<S>,
    y: &[Link<S>],
    out: &mut [O],
) {
    chain.scratch.lend(|steps| accelerate(chain, y, out, steps));
}

fn accelerate<S: Real, O: Slot<S>>(
    chain: &PendulumChain<S>,
    y: &[Link<S>],
    out: &mut [O],
    steps: &mut Vec<Step<S>>,
) {
    let n = y.len();
    let extra = chain.extra.as_ref().map(|extra| chain_forces::forces(chain, extra, y));
    steps.resize(n, (Mat3::zero(), Vec3::zero()));
    let mut stiffness = Mat3::zero();
    let mut force = Vec3::zero();
    for i in (0..n).rev() {
        if let Some(extra) = &extra {
            force += extra[i];
        }
        let (q, length, short) = (y[i].q, chain.lengths()[i], chain.shortness[i]);
        let s = q.norm_squared();
        let d = chain.load[i] * length * ((S::one() - s) / s);
        let (mass, shift) = (chain.masses()[i], vec3(d, d, d));
        let inner = (stiffness + Mat3::diagonal(vec3(mass, mass, mass))).times(length)
            + Mat3::diagonal(shift);
        let w = inner.inverse();
        let u = w.apply(q);
        let v = (q - u.times(d)).times(short);
        let across = S::one() / q.dot(u);
        let pulled = w.apply(force);
        let tension = (y[i].omega.norm_squared() * s + u.dot(force)) * across;
        steps[i] = (
            w.times(d) + Mat3::outer(u, v).times(length * across),
            (pulled - u.times(tension)).times(length),
        );
        stiffness = Mat3::outer(v, v).times(length * across)
            + (Mat3::identity() - w.times(d)).times(d * short);
        force = v.times(length * tension) + pulled.times(d);
    }
    let mut above = -chain.gravity();
    for i in 0..n {
        let here = steps[i].0.apply(above) + steps[i].1;
        let scale = chain.shortness[i] / y[i].q.norm_squared();
        out[i].set_second(y[i].q.cross(here - above).times(scale));
        above = here;
    }
}
