//! RATTLE on spheres.
//!
//! ```text
//! v = w × q      f = M^{-1} dV/dq
//! q⁺ = q + h v - (h²/2) f(q) - M^{-1}(g_j q_j)          with |q⁺_i| = 1
//! v½ = v - (h/2) f(q) - M^{-1}(g_j q_j)/h
//! v⁺ = v½ - (h/2) f(q⁺) - M^{-1}(e_j q⁺_j)              with q⁺_i·v⁺_i = 0
//! ```
//!
//! Order 2, symmetric, symplectic, keeps the momentum map. With a diagonal mass matrix the
//! multiplier is the smaller root of a quadratic equation; it exists if
//! `h |w - (h/2M) q × dV/dq| < 1`. Otherwise Newton's method finds it, with the matrix
//! `-(M^{-1})_ij q⁺_i·q_j`, from the multipliers of the step before; the second projection is
//! linear. The half-step velocity comes from the multipliers, not from `(q⁺ - q)/h`, which would
//! divide rounding errors by `h`.
//!
//! Ortolan, section 7.1 (7.4), with `M` in place of `m` in (7.4b) and (7.4d).
use super::on_links::{Ends, Leap, Multipliers, OnLinks, Scheme};
use super::{MAX_ITERATIONS, Pace, card, is_small, pull, worst};
use crate::action::{Flat, Link};
use crate::archive::Archive;
use crate::method::{Card, StepError};
use crate::problem::spheres::{Coupling, SphereSystem};
use lieflow_kernel::{Mask, Real, Vec3};

pub(super) const CARD: Card = card("rattle", "RATTLE on spheres", "ortolan2011");

/// The method.
pub type Rattle<S> = OnLinks<S, Projections<S>>;

/// Its work space.
pub struct Projections<S> {
    /// `f`.
    ends: Ends<S>,
    /// `v` at the old state. From one step to the next it is carried on, because going through
    /// the angular velocity would add two roundings.
    velocity: Vec<Vec3<S>>,
    /// `q + h v - (h²/2) f(q)`, then `v½`, then `v` at the new state.
    free: Vec<Vec3<S>>,
    multipliers: Multipliers<S>,
}

impl<S: Real> Scheme<S> for Projections<S> {
    fn new<M: SphereSystem<Scalar = S>>(m: &M, links: &[Link<S>]) -> Self {
        Self {
            ends: Ends::new(links),
            velocity: vec![Vec3::zero(); links.len()],
            free: vec![Vec3::zero(); links.len()],
            multipliers: Multipliers::new(m, links),
        }
    }

    #[inline(always)]
    fn step<M: SphereSystem<Scalar = S>>(&mut self, leap: Leap<'_, M>) -> Result<(), StepError> {
        let Leap { m, h, goes_on, from, to, cost } = leap;
        let apart = m.coupling() == Coupling::Diagonal;
        if goes_on {
            self.ends.go_on();
            self.multipliers.go_on();
            core::mem::swap(&mut self.velocity, &mut self.free);
        } else {
            for (v, from) in self.velocity.iter_mut().zip(from) {
                *v = from.velocity();
            }
            m.weighted_gradient(from, &mut self.ends.before);
            cost.field_evaluations += 1;
            if !apart {
                self.guess(m, from);
            }
        }
        if apart {
            self.positions_apart(h, from, to)?;
        } else {
            cost.newton_iterations += u64::from(self.positions(m, h, from, to)?);
        }
        m.weighted_gradient(to, &mut self.ends.after);
        cost.field_evaluations += 1;
        if apart {
            self.velocities_apart(h, to);
            return Ok(());
        }
        self.velocities(m, h, to)
    }

    fn archive(&mut self, archive: &mut Archive) {
        self.ends.archive(archive);
        self.free.archive(archive);
        self.multipliers.archive(archive);
    }
}

impl<S: Real> Projections<S> {
    /// Diagonal mass matrix: `q⁺ = q̄ - s q` with the smaller root of `s² - 2 b s + c = 0`. Leaves
    /// the half-step velocities in `free`.
    #[inline(always)]
    fn positions_apart(
        &mut self,
        h: f64,
        from: &[Link<S>],
        to: &mut [Link<S>],
    ) -> Result<(), StepError> {
        let Projections { ends: Ends { before, .. }, velocity, free, .. } = self;
        for i in 0..from.len() {
            let (from, to) = (&from[i], &mut to[i]);
            let v = velocity[i] - before[i].omega * (0.5 * h);
            let bar = from.q + v * h;
            let b = from.q.dot(bar);
            let c = bar.norm_squared() - S::one();
            let root = b * b - c;
            if !(S::zero().lt(root).all() && root.finite().all()) {
                return Err(no_solution(h));
            }
            let s = c / (b + root.sqrt());
            to.q = bar - from.q.times(s);
            free[i] = v - from.q.times(s) * (1.0 / h);
        }
        Ok(())
    }

    #[inline(always)]
    fn velocities_apart(&mut self, h: f64, to: &mut [Link<S>]) {
        let Projections { ends: Ends { after, .. }, free, .. } = self;
        for ((to, after), v) in to.iter_mut().zip(&*after).zip(free) {
            *v -= after.omega * (0.5 * h);
            *v -= to.q.times(to.q.dot(*v));
            to.omega = to.q.cross(*v);
        }
    }

    /// The multipliers of the continuous motion, to start Newton's method from.
    #[inline(always)]
    fn guess<M: SphereSystem<Scalar = S>>(&mut self, m: &M, from: &[Link<S>]) {
        let Projections { ends: Ends { before, .. }, multipliers, .. } = self;
        let Multipliers { last, band, .. } = multipliers;
        let n = from.len();
        for i in 0..n {
            let q = from[i].q;
            for j in m.coupling().row(i, n) {
                band.set(i, j, m.inverse_mass(i, j) * q.dot(from[j].q));
            }
            band.x[i] = from[i].omega.norm_squared() - q.dot(before[i].omega);
        }
        if band.solve() {
            last.copy_from_slice(&band.x);
        }
    }

    /// Finds the new directions; leaves the multipliers in `next` and the half-step velocities in
    /// `free`; returns how many iterations it took.
    #[inline(always)]
    fn positions<M: SphereSystem<Scalar = S>>(
        &mut self,
        m: &M,
        h: f64,
        from: &[Link<S>],
        to: &mut [Link<S>],
    ) -> Result<u32, StepError> {
        let Projections { ends: Ends { before, .. }, velocity, free, multipliers } = self;
        let Multipliers { last, next, band } = multipliers;
        let n = from.len();
        for i in 0..n {
            free[i] = from[i].q + (velocity[i] - before[i].omega * (0.5 * h)) * h;
            next[i] = last[i] * (0.5 * h * h);
        }
        let mut iterations = 0;
        let mut defect = f64::INFINITY;
        let mut pace = Pace::<S>::new();
        loop {
            for i in 0..n {
                to[i].q = free[i] - pull(m, i, next, from, true);
            }
            if pace.done {
                for i in 0..n {
                    // The other solution, on the far side of the sphere, is not the motion.
                    if !S::zero().lt(to[i].q.dot(from[i].q)).all() {
                        return Err(no_solution(h));
                    }
                    free[i] = velocity[i]
                        - before[i].omega * (0.5 * h)
                        - pull(m, i, next, from, true) * (1.0 / h);
                }
                for g in next.iter_mut() {
                    *g = *g * (2.0 / (h * h));
                }
                return Ok(iterations);
            }
            if iterations == MAX_ITERATIONS {
                break;
            }
            iterations += 1;
            defect = 0.0;
            let mut small = S::Mask::splat(true);
            for i in 0..n {
                let q = to[i].q;
                band.x[i] = (q.norm_squared() - S::one()) * 0.5;
                defect = worst(defect, band.x[i].magnitude());
                small = small.and(is_small(band.x[i], S::one()));
                for j in m.coupling().row(i, n) {
                    band.set(i, j, m.inverse_mass(i, j) * q.dot(from[j].q));
                }
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
            equation: "the equation for the multipliers of a RATTLE step",
            iterations,
            residual: defect,
            step: h,
        })
    }

    #[inline(always)]
    fn velocities<M: SphereSystem<Scalar = S>>(
        &mut self,
        m: &M,
        h: f64,
        to: &mut [Link<S>],
    ) -> Result<(), StepError> {
        let Projections { ends: Ends { after, .. }, free, multipliers, .. } = self;
        let band = &mut multipliers.band;
        let n = to.len();
        for i in 0..n {
            free[i] -= after[i].omega * (0.5 * h);
            let q = to[i].q;
            band.x[i] = q.dot(free[i]);
            for j in m.coupling().row(i, n) {
                band.set(i, j, m.inverse_mass(i, j) * q.dot(to[j].q));
            }
        }
        if !band.solve() {
            return Err(StepError::NotFinite { what: "the velocity projection of a RATTLE step" });
        }
        for i in 0..n {
            free[i] -= pull(m, i, &band.x, to, true);
            to[i].omega = to[i].q.cross(free[i]);
        }
        Ok(())
    }
}

/// A sphere cannot be reached again.
pub(super) fn no_solution(h: f64) -> StepError {
    StepError::NoSolution {
        reason: "a unit vector would turn too far to be brought back to its sphere along the old direction; use a smaller step",
        step: h,
    }
}
