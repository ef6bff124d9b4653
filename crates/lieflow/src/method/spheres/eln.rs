//! ELN, the explicit Lie–Newmark method in space coordinates.
//!
//! ```text
//! w½ = w + (h/2) a(q, w)      q⁺ = exp(h w½) q      w⁺ = w½ + (h/2) a(q⁺, w⁺)
//! ```
//!
//! Order 2, symmetric; `q·w` is kept exactly, because `w½ ⟂ q`, the rotation about `w½` keeps
//! that, and `a ⟂ q`. With a diagonal mass matrix it is the splitting kick, geodesic flow, kick:
//! explicit, symplectic, and it keeps the momentum map. With a coupled mass matrix `a` depends on
//! the angular velocities, through `|w_i|²` only; then the method is neither symplectic nor
//! momentum preserving, and implicit in one multiplier `l_i` per sphere:
//!
//! ```text
//! a_i(l) = -q_i × ( f_i + sum_{j≠i} (M^{-1})_ij l_j q_j )      w_i = w½_i + (h/2) a_i(l)
//! r_i    = sum_j (M^{-1})_ij (q_i·q_j) l_j - |w_i|² + q_i·f_i = 0
//! dr_i/dl_j = (M^{-1})_ij ( q_i·q_j + h w_i·(q_i × q_j) )
//! ```
//!
//! all at `q⁺`. Ortolan, section 7.1 (7.1), who solves for the angular velocities instead.
use super::band::Band;
use super::on_links::{Ends, Leap, OnLinks, Scheme, coupled};
use super::{MAX_ITERATIONS, Pace, card, is_small, largest, pull, worst};
use crate::action::Link;
use crate::archive::Archive;
use crate::method::{Card, StepError};
use crate::problem::spheres::{Coupling, SphereSystem};
use lieflow_kernel::{Mask, Real, Vec3, so3};

pub(super) const CARD: Card = Card {
    symplectic: false,
    conserves: "q·w; with a diagonal mass matrix the symplectic form and the momentum",
    ..card("eln", "explicit Lie–Newmark method on spheres", "ortolan2011")
};

/// The method.
pub type Eln<S> = OnLinks<S, LieNewmark<S>>;

/// Its work space.
pub struct LieNewmark<S> {
    /// Accelerations.
    ends: Ends<S>,
    /// Second vectors: `f` at the new state.
    force: Vec<Link<S>>,
    half: Vec<Vec3<S>>,
    multipliers: Vec<S>,
    band: Band<S>,
}

impl<S: Real> Scheme<S> for LieNewmark<S> {
    fn new<M: SphereSystem<Scalar = S>>(m: &M, links: &[Link<S>]) -> Self {
        let n = coupled(m, links);
        Self {
            ends: Ends::new(links),
            force: links[..n].to_vec(),
            half: vec![Vec3::zero(); n],
            multipliers: vec![S::zero(); n],
            band: Band::new(m.coupling(), n),
        }
    }

    fn step<M: SphereSystem<Scalar = S>>(&mut self, leap: Leap<'_, M>) -> Result<(), StepError> {
        let Leap { m, h, goes_on, from, to, cost } = leap;
        if goes_on {
            self.ends.go_on();
        } else {
            m.acceleration(from, &mut self.ends.before);
            cost.field_evaluations += 1;
        }
        for ((to, from), before) in to.iter_mut().zip(from).zip(&self.ends.before) {
            to.omega = from.omega + before.omega * (0.5 * h);
            to.q = so3::rotate(to.omega * h, from.q);
        }
        cost.exponentials += 1;
        if m.coupling() == Coupling::Diagonal {
            m.acceleration(to, &mut self.ends.after);
            for (to, after) in to.iter_mut().zip(&self.ends.after) {
                to.omega += after.omega * (0.5 * h);
            }
        } else {
            cost.newton_iterations += u64::from(self.kick(m, h, to)?);
        }
        cost.field_evaluations += 1;
        Ok(())
    }

    fn archive(&mut self, archive: &mut Archive) {
        self.ends.archive(archive);
    }
}

impl<S: Real> LieNewmark<S> {
    /// The second half of the step with a coupled mass matrix, by Newton's method; the angular
    /// velocities come in as `w½`. Returns how many iterations it took.
    fn kick<M: SphereSystem<Scalar = S>>(
        &mut self,
        m: &M,
        h: f64,
        to: &mut [Link<S>],
    ) -> Result<u32, StepError> {
        let LieNewmark { ends: Ends { after, .. }, force, half, multipliers, band, .. } = self;
        let n = to.len();
        m.weighted_gradient(to, force);
        // Start from the multipliers that belong to w½.
        for i in 0..n {
            half[i] = to[i].omega;
            for j in m.coupling().row(i, n) {
                band.set(i, j, m.inverse_mass(i, j) * to[i].q.dot(to[j].q));
            }
            band.x[i] = half[i].norm_squared() - to[i].q.dot(force[i].omega);
        }
        let mut solved = band.solve();
        multipliers.copy_from_slice(&band.x);
        let mut iterations = 0;
        let mut change = f64::INFINITY;
        let mut pace = Pace::<S>::new();
        while solved && iterations < MAX_ITERATIONS {
            iterations += 1;
            for i in 0..n {
                let q = to[i].q;
                after[i].omega = (force[i].omega + pull(m, i, multipliers, to, false)).cross(q);
                to[i].omega = half[i] + after[i].omega * (0.5 * h);
            }
            if pace.done {
                return Ok(iterations - 1);
            }
            for i in 0..n {
                let (q, spin) = (to[i].q, to[i].omega);
                let mut residual = q.dot(force[i].omega) - spin.norm_squared();
                for j in m.coupling().row(i, n) {
                    let a = m.inverse_mass(i, j) * q.dot(to[j].q);
                    residual += a * multipliers[j];
                    let turn = m.inverse_mass(i, j) * spin.dot(q.cross(to[j].q)) * h;
                    band.set(i, j, a + turn);
                }
                band.x[i] = -residual;
            }
            solved = band.solve();
            // What the change of the multipliers does to the angular velocities is what counts:
            // on a straight chain they are themselves hardly determined.
            let scale = largest(to.iter().map(|link| link.omega));
            change = 0.0;
            let mut small = S::Mask::splat(true);
            for i in 0..n {
                let turn = pull(m, i, &band.x, to, false).cross(to[i].q) * (0.5 * h);
                change = worst(change, turn.magnitude() / scale.magnitude());
                small = small.and(is_small(turn.norm(), scale));
                multipliers[i] += pace.correction(band.x[i]);
            }
            pace.judge(small);
        }
        Err(StepError::NotConverged {
            equation: "the equation for the angular velocities at the end of an ELN step",
            iterations,
            residual: change,
            step: h,
        })
    }
}
