//! The geometric controller that lets two quadrotors carry a point mass along a trajectory.
//!
//! ```text
//! e = y - y_d          F = m_y( -k_y e - k_v e' + y_d'' - g e3 )      force wanted at the payload
//! c_i = 1/((r_i·e3)|r_1 + r_2|)     mu_i = c_i (F·q_i) q_i     a = (mu_1 + mu_2)/m_y
//! b3 = unit(-F),  b2 = unit(-F × s),  b1 = b2 × b3             formation frame
//! q_id = [b1 b2 b3] r_i,   w_id = q_id × q_id'
//! e_q = q_id × q_i,   e_w = w_i + q_i × (q_i × w_id)
//! nu_i = -k_q e_q - k_w e_w - (q_i·w_id) q_i' - q_i × (q_i × w_id')
//! u_i = mu_i + m_i L_i |w_i|² q_i + m_i (q_i·a) q_i + m_i L_i q_i × nu_i - m_i q_i × (q_i × a)
//! ```
//!
//! All derivatives are in closed form, from the four derivatives of `y_d` and the closed loop
//! `y'' = g e3 + a`. Singular where `F = 0` or `F ∥ s`. Celledoni et al., section 6, do not print
//! it; this is what their published program computes, after Lee, Sreenath and Kumar (2013).
use super::{Carried, Quadrotors};
use lieflow::{Mask, Mat3, Real, Vec3};

/// Below this fraction of the payload's weight, and of the angle between force and heading, the
/// frame of the formation is not defined.
const SMALLEST: f64 = 1e-9;

/// What the controller wants at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Command<S: Real> {
    /// Thrust along each link.
    pub along: [Vec3<S>; 2],
    /// Thrust across each link.
    pub across: [Vec3<S>; 2],
    /// Wanted directions of the links.
    pub q: [Vec3<S>; 2],
    /// Wanted angular velocities of the links.
    pub omega: [Vec3<S>; 2],
    /// Apparent acceleration of the payload in the closed loop, `y'' - g e3`.
    pub pull: Vec3<S>,
    /// Angular accelerations of the links in the closed loop.
    pub turn: [Vec3<S>; 2],
    /// Whether the thrust is defined.
    pub defined: S::Mask,
}

/// A vector with its first two derivatives in time.
#[derive(Clone, Copy)]
struct Jet<S>([Vec3<S>; 3]);

impl<S: Real> Jet<S> {
    /// `x/|x|`.
    fn unit(self) -> Self {
        let [x, dx, ddx] = self.0;
        let inverse = S::one() / x.norm();
        let n = x.times(inverse);
        let rate = n.dot(dx);
        let dn = (dx - n.times(rate)).times(inverse);
        let ddn = (ddx - n.times(dn.dot(dx) + n.dot(ddx)) - dn.times(rate) * 2.0).times(inverse);
        Self([n, dn, ddn])
    }
    fn cross(self, other: Self) -> Self {
        let ([x, dx, ddx], [y, dy, ddy]) = (self.0, other.0);
        Self([
            x.cross(y),
            dx.cross(y) + x.cross(dy),
            ddx.cross(y) + dx.cross(dy) * 2.0 + x.cross(ddy),
        ])
    }
    fn minus_cross(self, s: Vec3<S>) -> Self {
        Self(self.0.map(|x| s.cross(x)))
    }
}

/// The commands at time `t`.
pub(super) fn command<S: Real>(m: &Quadrotors<S>, t: f64, c: &Carried<S>) -> Command<S> {
    let [yd, dyd, ddyd, d3yd, d4yd] = m.trajectory(t);
    let g = Vec3::unit(2).times(m.gravity);
    let k = &m.gains;
    let mass = m.payload;
    let q = [c.links[0].q, c.links[1].q];
    let dq = [c.links[0].velocity(), c.links[1].velocity()];

    // The wanted force and its derivatives along the closed loop.
    let (e, de) = (c.position - yd, c.velocity - dyd);
    let force = (ddyd - g - e.times(k.position) - de.times(k.velocity)).times(mass);
    let mu = [0, 1].map(|i| q[i].times(m.shares[i] * force.dot(q[i])));
    let pull = (mu[0] + mu[1]).times(S::one() / mass);
    let dde = pull + g - ddyd;
    let dforce = (d3yd - de.times(k.position) - dde.times(k.velocity)).times(mass);
    let dmu = [0, 1].map(|i| {
        let (f, df) = (force.dot(q[i]), dforce.dot(q[i]) + force.dot(dq[i]));
        (q[i].times(df) + dq[i].times(f)).times(m.shares[i])
    });
    let d3e = (dmu[0] + dmu[1]).times(S::one() / mass) - d3yd;
    let ddforce = (d4yd - dde.times(k.position) - d3e.times(k.velocity)).times(mass);

    // The frame of the formation.
    let up = Jet([-force, -dforce, -ddforce]);
    let side = Jet([force, dforce, ddforce]).minus_cross(m.heading);
    let (weight, size) = (mass * m.gravity, force.norm());
    let enough = (weight * SMALLEST).lt(size);
    let apart = (size * m.heading.norm() * SMALLEST).lt(side.0[0].norm());
    let (b3, b2) = (up.unit(), side.unit());
    let b1 = b2.cross(b3);
    let frame = |d: usize| Mat3::from_columns(b1.0[d], b2.0[d], b3.0[d]);
    let frames = [frame(0), frame(1), frame(2)];

    let mut out =
        Command { along: q, across: q, q, omega: q, pull, turn: q, defined: enough.and(apart) };
    for i in 0..2 {
        let [wanted, dwanted, ddwanted] = [0, 1, 2].map(|d| frames[d].apply(m.formation[i]));
        let (spin, dspin) = (wanted.cross(dwanted), wanted.cross(ddwanted));
        let (q, w) = (q[i], c.links[i].omega);
        let off = wanted.cross(q);
        let spinning = w + q.cross(q.cross(spin));
        let turn = -off.times(k.direction)
            - spinning.times(k.spin)
            - dq[i].times(q.dot(spin))
            - q.cross(q.cross(dspin));
        let inertia = m.masses[i] * m.lengths[i];
        out.along[i] = mu[i] + q.times(inertia * w.norm_squared() + m.masses[i] * q.dot(pull));
        out.across[i] = q.cross(turn).times(inertia) - q.cross(q.cross(pull)).times(m.masses[i]);
        (out.q[i], out.omega[i], out.turn[i]) = (wanted, spin, turn);
    }
    out
}
