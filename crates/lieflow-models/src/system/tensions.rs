//! The accelerations of a chain from the tensions of its rods, in O(n) operations.
//!
//! ```text
//! m_i x_i'' = m_i g - l_i q_i + l_{i+1} q_{i+1}           q_i·(x_i'' - x_{i-1}'') = -L_i |w_i|²
//!
//! d_i l_i + e_i l_{i+1} + e_{i-1} l_{i-1} = L_i |w_i|² s_i + [i=1] g·q_1
//! d_i = (1/m_i + 1/m_{i-1}) s_i (1/m_0 = 0)     e_i = -(q_i·q_{i+1})/m_i     s_i = |q_i|²
//! w_i' = (1/(L_i s_i)) q_i × ( (l_{i-1}/m_{i-1}) q_{i-1} + (l_{i+1}/m_i) q_{i+1} + [i=1] g )
//! ```
//!
//! The matrix of the tensions `l` is symmetric positive definite and weakly diagonally dominant:
//! no row exchanges are needed, and the result is as accurate as the data allow, also for a
//! thousand links, where dense solves lose five digits.
//!
//! On the spheres `s_i = 1` but for rounding. It is kept all the same: with it, an error of the
//! length of `q_i` scales a row and a column of the matrix; without it, the error would be that of
//! a nearly singular matrix where the chain is nearly straight, and runs of chains that crack like
//! a whip would lose two more digits.
use super::pendulum_chain::PendulumChain;
use lieflow::action::Link;
use lieflow::problem::spheres::Slot;
use lieflow::{Real, Vec3, vec3};

/// Factors the matrix from the free end upwards. The first vector of each slot becomes
/// `(1/d_i, r_i, e_i)` of the eliminated system.
#[inline(always)]
fn eliminate<S: Real, O: Slot<S>>(chain: &PendulumChain<S>, y: &[Link<S>], out: &mut [O]) {
    let n = y.len();
    // The inverse diagonal, right-hand side and direction of the link below.
    let mut below = (S::zero(), S::zero(), Vec3::zero());
    for i in (0..n).rev() {
        let link = &y[i];
        let above = if i > 0 { chain.lightness[i - 1] } else { S::zero() };
        let s = link.q.norm_squared();
        let mut r = chain.lengths()[i] * link.omega.norm_squared() * s;
        if i == 0 {
            r += chain.gravity().dot(link.q);
        }
        let e = -(link.q.dot(below.2) * chain.lightness[i]);
        let f = e * below.0;
        let inverse = S::one() / ((chain.lightness[i] + above) * s - f * e);
        r -= f * below.1;
        out[i].set_first(vec3(inverse, r, e));
        below = (inverse, r, link.q);
    }
}

/// `1/|q|²` where `|q|² = 1 + e`, up to `e²`: exact to rounding on the spheres, without a quotient.
#[inline(always)]
fn inverse_square<S: Real>(q: Vec3<S>) -> S {
    S::lift(2.0) - q.norm_squared()
}

/// The angular accelerations, into the second vectors.
#[inline(always)]
pub(super) fn acceleration<S: Real, O: Slot<S>>(
    chain: &PendulumChain<S>,
    y: &[Link<S>],
    out: &mut [O],
) {
    eliminate(chain, y, out);
    let n = y.len();
    let tension = |row: Vec3<S>, e: S, above: S| (row.y - e * above) * row.x;
    // The pull of the rod above on the mass above, gravity for the first; and the tension here.
    let mut above = chain.gravity();
    let mut here = if n > 0 { tension(out[0].first(), S::zero(), S::zero()) } else { S::zero() };
    for i in 0..n {
        let q = y[i].q;
        let mut pull = above;
        if i + 1 < n {
            let next = tension(out[i + 1].first(), out[i].first().z, here);
            pull += y[i + 1].q.times(next * chain.lightness[i]);
            above = q.times(here * chain.lightness[i]);
            here = next;
        }
        out[i].set_second(q.cross(pull).times(chain.shortness[i] * inverse_square(q)));
    }
}

/// The derivative of the accelerations in the direction `dy`, into the second vectors: the same
/// factorisation, once for the tensions and once for their derivatives.
pub(super) fn acceleration_derivative<S: Real, O: Slot<S>>(
    chain: &PendulumChain<S>,
    y: &[Link<S>],
    dy: &[Link<S>],
    out: &mut [O],
) {
    eliminate(chain, y, out);
    let n = y.len();
    // The tensions replace r_i.
    let mut above = S::zero();
    for i in 0..n {
        let row = out[i].first();
        let e = if i > 0 { out[i - 1].first().z } else { S::zero() };
        above = (row.y - e * above) * row.x;
        out[i].set_first(vec3(row.x, above, row.z));
    }
    let tension = |out: &[O], i: usize| out[i].first().y;
    // Their derivatives: the right-hand sides, eliminated, then solved, in the second vectors.
    for i in (0..n).rev() {
        let (s, ds) = (y[i].q.norm_squared(), y[i].q.dot(dy[i].q) * 2.0);
        let spin = y[i].omega.norm_squared() * ds + y[i].omega.dot(dy[i].omega) * s * 2.0;
        let above = if i > 0 { chain.lightness[i - 1] } else { S::zero() };
        let mut r = chain.lengths()[i] * spin - (chain.lightness[i] + above) * ds * tension(out, i);
        if i == 0 {
            r += chain.gravity().dot(dy[0].q);
        } else {
            let turned = y[i - 1].q.dot(dy[i].q) + dy[i - 1].q.dot(y[i].q);
            r += turned * chain.lightness[i - 1] * tension(out, i - 1);
        }
        if i + 1 < n {
            let turned = y[i].q.dot(dy[i + 1].q) + dy[i].q.dot(y[i + 1].q);
            r += turned * chain.lightness[i] * tension(out, i + 1);
            r -= out[i].first().z * out[i + 1].first().x * out[i + 1].second().x;
        }
        out[i].set_second(vec3(r, S::zero(), S::zero()));
    }
    let mut change = S::zero();
    for i in 0..n {
        let e = if i > 0 { out[i - 1].first().z } else { S::zero() };
        change = (out[i].second().x - e * change) * out[i].first().x;
        out[i].set_second(vec3(change, S::zero(), S::zero()));
    }
    // Differentiate the accelerations.
    let mut above = (chain.gravity(), Vec3::zero());
    for i in 0..n {
        let here = (tension(out, i), out[i].second().x);
        let (mut pull, mut dpull) = above;
        if i + 1 < n {
            let below = (tension(out, i + 1), out[i + 1].second().x);
            let light = chain.lightness[i];
            pull += y[i + 1].q.times(below.0 * light);
            dpull += y[i + 1].q.times(below.1 * light) + dy[i + 1].q.times(below.0 * light);
            above = (
                y[i].q.times(here.0 * light),
                y[i].q.times(here.1 * light) + dy[i].q.times(here.0 * light),
            );
        }
        let turned = dy[i].q.cross(pull) + y[i].q.cross(dpull);
        let scaled = turned.times(inverse_square(y[i].q))
            - y[i].q.cross(pull).times(y[i].q.dot(dy[i].q)) * 2.0;
        out[i].set_second(scaled.times(chain.shortness[i]));
    }
}
