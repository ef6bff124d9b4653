//! The variational integrator of Lee, Leok and McClamroch on spheres.
//!
//! ```text
//! L_d = (1/2h) sum_ij M_ij (q⁺_i - q_i)·(q⁺_j - q_j) - (h/2)(V(q) + V(q⁺))
//! q_i × sum_j M_ij (q⁺_j - q_j) = h q_i × sum_j M_ij w_j×q_j - (h²/2) q_i × dV/dq_i
//! q⁺_i × sum_j M_ij w⁺_j×q⁺_j   = (1/h) q⁺_i × sum_j M_ij (q⁺_j - q_j) - (h/2) q⁺_i × dV/dq⁺_i
//! ```
//!
//! Order 2, symmetric, symplectic, keeps the momentum map. It is the same map as RATTLE with
//! `v = w × q`, reached in another way, and the tests compare the two. With a diagonal mass matrix
//!
//! ```text
//! a = w - (h/2M) q × dV/dq     q⁺ = h a×q + √(1 - h²|a|²) q     w⁺ = a - (h/2M) q⁺ × dV/dq⁺
//! ```
//!
//! With a coupled one, the first equation says that `q⁺ - q = h v - (h²/2) f - M^{-1}(g_j q_j)`
//! for some `g`. Split into a part `z_i` orthogonal to `q_i` and a part `n_i` along it, the new
//! direction is `z_i + √(1 - |z_i|²) q_i`, and Newton's method solves
//!
//! ```text
//! r_i = 1 + n_i - √(1 - |z_i|²) = 0      dr_i/dg_j = -(M^{-1})_ij ( q_i·q_j + z_i·q_j/√(1 - |z_i|²) )
//! ```
//!
//! The second equation is a momentum, from which the angular velocities follow by the inverse
//! Legendre transformation. All of it takes O(n) operations on chains. The equations are derived
//! from the discrete Lagrangian of Lee, Leok and McClamroch (2009).
use super::on_links::{Ends, Leap, Multipliers, OnLinks, Scheme, coupled};
use super::rattle::no_solution;
use super::{MAX_ITERATIONS, Pace, card, is_small, pull, worst};
use crate::action::Link;
use crate::archive::Archive;
use crate::method::{Card, StepError};
use crate::problem::spheres::{Coupling, SphereSystem, velocities};
use lieflow_kernel::{Mask, Real, Vec3};

pub(super) const CARD: Card =
    card("llm", "Lee–Leok–McClamroch variational integrator on spheres", "leeleok2009");

/// The method.
pub type Llm<S> = OnLinks<S, LeeLeokMcClamroch<S>>;

/// Its work space.
pub struct LeeLeokMcClamroch<S> {
    /// `dV/dq` (coupled) or `f` (diagonal).
    ends: Ends<S>,
    /// Second vectors: `sum_j M_ij v_j`, later momenta.
    momentum: Vec<Link<S>>,
    /// The displacement without multipliers.
    free: Vec<Vec3<S>>,
    multipliers: Multipliers<S>,
}

impl<S: Real> Scheme<S> for LeeLeokMcClamroch<S> {
    fn new<M: SphereSystem<Scalar = S>>(m: &M, links: &[Link<S>]) -> Self {
        let n = coupled(m, links);
        Self {
            ends: Ends::new(links),
            momentum: links[..n].to_vec(),
            free: vec![Vec3::zero(); n],
            multipliers: Multipliers::new(m, links),
        }
    }

    fn step<M: SphereSystem<Scalar = S>>(&mut self, leap: Leap<'_, M>) -> Result<(), StepError> {
        let Leap { m, h, goes_on, from, to, cost } = leap;
        if goes_on {
            self.ends.go_on();
            self.multipliers.go_on();
        } else {
            force(m, from, &mut self.ends.before);
            cost.field_evaluations += 1;
            self.multipliers.last.fill(S::zero());
        }
        let apart = m.coupling() == Coupling::Diagonal;
        if apart {
            self.directions_apart(h, from, to)?;
        } else {
            cost.newton_iterations += u64::from(self.directions(m, h, from, to)?);
        }
        force(m, to, &mut self.ends.after);
        cost.field_evaluations += 1;
        if apart {
            for (to, after) in to.iter_mut().zip(&self.ends.after) {
                to.omega -= to.q.cross(after.omega) * (0.5 * h);
            }
        } else {
            self.spins(m, h, to);
        }
        Ok(())
    }

    fn archive(&mut self, archive: &mut Archive) {
        self.ends.archive(archive);
        self.multipliers.archive(archive);
    }
}

/// `f = dV/dq / M` for a diagonal mass matrix, `dV/dq` otherwise.
fn force<M: SphereSystem>(m: &M, y: &[Link<M::Scalar>], out: &mut [Link<M::Scalar>]) {
    if m.coupling() == Coupling::Diagonal {
        m.weighted_gradient(y, out);
    } else {
        for o in out.iter_mut() {
            o.omega = Vec3::zero();
        }
        m.add_gradient(y, out);
    }
}

impl<S: Real> LeeLeokMcClamroch<S> {
    /// Diagonal mass matrix: the new directions, and `a` in place of the angular velocities.
    fn directions_apart(
        &mut self,
        h: f64,
        from: &[Link<S>],
        to: &mut [Link<S>],
    ) -> Result<(), StepError> {
        for ((to, from), before) in to.iter_mut().zip(from).zip(&self.ends.before) {
            let a = from.omega - from.q.cross(before.omega) * (0.5 * h);
            let z = a.cross(from.q) * h;
            let room = S::one() - a.norm_squared() * (h * h);
            if !(S::zero().lt(room).all() && room.finite().all()) {
                return Err(no_solution(h));
            }
            to.q = z + from.q.times(room.sqrt());
            to.omega = a;
        }
        Ok(())
    }

    /// Finds the new directions; leaves the multipliers in `next` and `sum_j M_ij v_j` in
    /// `momentum`; returns how many iterations it took.
    fn directions<M: SphereSystem<Scalar = S>>(
        &mut self,
        m: &M,
        h: f64,
        from: &[Link<S>],
        to: &mut [Link<S>],
    ) -> Result<u32, StepError> {
        let LeeLeokMcClamroch { ends: Ends { before, .. }, momentum, free, multipliers } = self;
        let Multipliers { last, next, band } = multipliers;
        let n = from.len();
        m.weighted_gradient(from, momentum);
        for i in 0..n {
            free[i] = (from[i].velocity() - momentum[i].omega * (0.5 * h)) * h;
            next[i] = last[i] * (0.5 * h * h);
        }
        m.momentum(from, momentum);
        let mut iterations = 0;
        let mut defect = f64::INFINITY;
        let mut pace = Pace::<S>::new();
        while iterations < MAX_ITERATIONS {
            iterations += 1;
            defect = 0.0;
            let mut small = S::Mask::splat(true);
            for i in 0..n {
                let q = from[i].q;
                let shift = free[i] - pull(m, i, next, from, true);
                let along = q.dot(shift);
                let z = shift - q.times(along);
                let room = S::one() - z.norm_squared();
                if !(S::zero().lt(room).all() && room.finite().all()) {
                    return Err(no_solution(h));
                }
                let root = room.sqrt();
                to[i].q = z + q.times(root);
                band.x[i] = S::one() + along - root;
                defect = worst(defect, band.x[i].magnitude());
                small = small.and(is_small(band.x[i], S::one()));
                let z = z.times(S::one() / root);
                for j in m.coupling().row(i, n) {
                    band.set(i, j, m.inverse_mass(i, j) * (q + z).dot(from[j].q));
                }
            }
            if pace.done {
                for i in 0..n {
                    // p½ = M v - (h/2) dV/dq - g q/h.
                    momentum[i].omega -=
                        before[i].omega * (0.5 * h) + from[i].q.times(next[i]) * (1.0 / h);
                    next[i] = next[i] * (2.0 / (h * h));
                }
                return Ok(iterations - 1);
            }
            if !band.solve() {
                break;
            }
            for i in 0..n {
                next[i] += pace.correction(band.x[i]);
            }
            pace.judge(small);
        }
        Err(StepError::NotConverged {
            equation: "the equation for the directions of a Lee–Leok–McClamroch step",
            iterations,
            residual: defect,
            step: h,
        })
    }

    /// The angular velocities whose momenta are `q⁺ × (p½ - (h/2) dV/dq⁺)`.
    fn spins<M: SphereSystem<Scalar = S>>(&mut self, m: &M, h: f64, to: &mut [Link<S>]) {
        let LeeLeokMcClamroch { ends: Ends { after, .. }, momentum, .. } = self;
        for ((to, after), momentum) in to.iter().zip(&*after).zip(momentum.iter_mut()) {
            let p = momentum.omega - after.omega * (0.5 * h);
            *momentum = Link::new(to.q, to.q.cross(p));
        }
        velocities(m, momentum, to);
    }
}
