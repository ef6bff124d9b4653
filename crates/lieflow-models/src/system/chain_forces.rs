//! What forces beside gravity do to a chain, in O(n) operations.
//!
//! A potential `V(q)` of the directions is a force `F_i` on each mass, and the accelerations that it
//! adds are those of the module `tensions` without gravity and spin:
//!
//! ```text
//! F_i = f_i/L_i - f_{i+1}/L_{i+1}     f = -dV/dq      a_i = F_i/m_i - F_{i-1}/m_{i-1}
//! d_i l_i + e_i l_{i+1} + e_{i-1} l_{i-1} = q_i·a_i
//! w_i' = (1/(L_i s_i)) q_i × ( (l_{i-1}/m_{i-1}) q_{i-1} + (l_{i+1}/m_i) q_{i+1} + a_i )
//! ```
use super::extra_potential::ExtraPotential;
use super::pendulum_chain::PendulumChain;
use lieflow::action::Link;
use lieflow::problem::spheres::Slot;
use lieflow::{Real, Vec3};

/// The forces on the masses.
pub(super) fn forces<S: Real>(
    chain: &PendulumChain<S>,
    extra: &ExtraPotential<S>,
    y: &[Link<S>],
) -> Vec<Vec3<S>> {
    let mut list = extra.gradient(y);
    let mut below = Vec3::zero();
    for (i, force) in list.iter_mut().enumerate().rev() {
        let rod = -force.times(chain.shortness[i]);
        *force = rod - below;
        below = rod;
    }
    list
}

/// Adds what the forces do to the angular accelerations in the second vectors.
#[inline(never)]
pub(super) fn add_acceleration<S: Real, O: Slot<S>>(
    chain: &PendulumChain<S>,
    extra: &ExtraPotential<S>,
    y: &[Link<S>],
    out: &mut [O],
) {
    let n = y.len();
    let light = &chain.lightness;
    let mut pull = forces(chain, extra, y);
    for i in (0..n).rev() {
        let above = if i > 0 { pull[i - 1].times(light[i - 1]) } else { Vec3::zero() };
        pull[i] = pull[i].times(light[i]) - above;
    }
    // Elimination from the free end: pivot and right-hand side.
    let bond = |i: usize| -(y[i].q.dot(y[i + 1].q) * light[i]);
    let mut rows = vec![(S::one(), S::zero()); n];
    for i in (0..n).rev() {
        let above = if i > 0 { light[i - 1] } else { S::zero() };
        let mut pivot = (light[i] + above) * y[i].q.norm_squared();
        let mut side = y[i].q.dot(pull[i]);
        if i + 1 < n {
            let ratio = bond(i) / rows[i + 1].0;
            pivot -= ratio * bond(i);
            side -= ratio * rows[i + 1].1;
        }
        rows[i] = (pivot, side);
    }
    let mut tensions = Vec::with_capacity(n);
    for (i, (pivot, side)) in rows.into_iter().enumerate() {
        let before = tensions.last().map_or(S::zero(), |l| bond(i - 1) * *l);
        tensions.push((side - before) / pivot);
    }
    for (i, out) in out.iter_mut().enumerate() {
        let mut sum = pull[i];
        if i > 0 {
            sum += y[i - 1].q.times(tensions[i - 1] * light[i - 1]);
        }
        if i + 1 < n {
            sum += y[i + 1].q.times(tensions[i + 1] * light[i]);
        }
        let scale = chain.shortness[i] / y[i].q.norm_squared();
        out.set_second(out.second() + y[i].q.cross(sum).times(scale));
    }
}
