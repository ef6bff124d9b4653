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
use super::band::Band;
use super::{MAX_ITERATIONS, SMALL_CHANGE, ScalarIn, pull, read, worst, write};
use crate::action::Link;
use crate::method::{Card, Cost, Kept, Method, StepError};
use crate::problem::spheres::{Coupling, SphereProblem, SphereSystem};
use lieflow_kernel::{Mask, Real, Vec3};

pub(super) const CARD: Card = Card {
    id: "rattle",
    title: "RATTLE on spheres",
    family: "spheres",
    order: 2,
    symmetric: true,
    symplectic: true,
    conserves: "the symplectic form and the momentum",
    implicit: false,
    evaluations: Some(1),
    estimate_power: None,
    cite: "ortolan2011",
};

/// The method.
pub struct Rattle<S> {
    work: Option<Work<S>>,
    /// `work.after` and `work.next` belong to the end of the last step, which was accepted.
    kept: Kept,
    cost: Cost,
}

struct Work<S> {
    from: Vec<Link<S>>,
    to: Vec<Link<S>>,
    /// Second vectors: `f` at the old state.
    before: Vec<Link<S>>,
    /// Second vectors: `f` at the new state.
    after: Vec<Link<S>>,
    /// `v` at the old state. From one step to the next it is carried on, because going through
    /// the angular velocity would add two roundings.
    velocity: Vec<Vec3<S>>,
    /// `q + h v - (h²/2) f(q)`, then `v½`, then `v` at the new state.
    free: Vec<Vec3<S>>,
    /// `2 g/h²` of the last accepted step and of this one.
    last: Vec<S>,
    next: Vec<S>,
    band: Band<S>,
}

impl<S: Real> Rattle<S> {
    /// The method.
    pub fn new() -> Self {
        Self { work: None, kept: Kept::Nothing, cost: Cost::default() }
    }
}

impl<S: Real> Default for Rattle<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P: SphereProblem> Method<P> for Rattle<ScalarIn<P>> {
    fn step(
        &mut self,
        p: &P,
        _t: f64,
        h: f64,
        y: &P::Point,
        out: &mut P::Point,
    ) -> Result<Option<f64>, StepError> {
        let m = p.system();
        let coupled = m.coupling() != Coupling::Diagonal;
        let w = self.work.get_or_insert_with(|| {
            let n = if coupled { y.len() } else { 0 };
            Work {
                from: y.clone(),
                to: y.clone(),
                before: y.clone(),
                after: y.clone(),
                velocity: vec![Vec3::zero(); y.len()],
                free: vec![Vec3::zero(); y.len()],
                last: vec![ScalarIn::<P>::zero(); n],
                next: vec![ScalarIn::<P>::zero(); n],
                band: Band::new(m.coupling(), n),
            }
        });
        read(p, y, &mut w.from);
        if self.kept == Kept::Accepted {
            std::mem::swap(&mut w.before, &mut w.after);
            std::mem::swap(&mut w.last, &mut w.next);
            std::mem::swap(&mut w.velocity, &mut w.free);
        } else {
            for (v, from) in w.velocity.iter_mut().zip(&w.from) {
                *v = from.velocity();
            }
            m.weighted_gradient(&w.from, &mut w.before);
            self.cost.field_evaluations += 1;
            if coupled {
                w.guess(m);
            }
        }
        self.kept = Kept::Nothing;
        if coupled {
            self.cost.newton_iterations += u64::from(w.positions(m, h)?);
        } else {
            w.positions_apart(h)?;
        }
        m.weighted_gradient(&w.to, &mut w.after);
        self.cost.field_evaluations += 1;
        if coupled {
            w.velocities(m, h)?;
        } else {
            w.velocities_apart(h);
        }
        write(p, &w.to, out)?;
        self.kept = Kept::Proposed;
        Ok(None)
    }

    fn accept(&mut self) {
        self.kept.accept();
    }

    fn reset(&mut self) {
        self.kept = Kept::Nothing;
    }

    fn cost(&self) -> Cost {
        self.cost
    }
}

impl<S: Real> Work<S> {
    /// Diagonal mass matrix: `q⁺ = q̄ - s q` with the smaller root of `s² - 2 b s + c = 0`. Leaves
    /// the half-step velocities in `free`.
    fn positions_apart(&mut self, h: f64) -> Result<(), StepError> {
        let Work { from, to, before, velocity, free, .. } = self;
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

    fn velocities_apart(&mut self, h: f64) {
        let Work { to, after, free, .. } = self;
        for ((to, after), v) in to.iter_mut().zip(&*after).zip(free) {
            *v -= after.omega * (0.5 * h);
            *v -= to.q.times(to.q.dot(*v));
            to.omega = to.q.cross(*v);
        }
    }

    /// The multipliers of the continuous motion, to start Newton's method from.
    fn guess<M: SphereSystem<Scalar = S>>(&mut self, m: &M) {
        let Work { from, before, last, band, .. } = self;
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
    fn positions<M: SphereSystem<Scalar = S>>(&mut self, m: &M, h: f64) -> Result<u32, StepError> {
        let Work { from, to, before, velocity, free, last, next, band, .. } = self;
        let n = from.len();
        for i in 0..n {
            free[i] = from[i].q + (velocity[i] - before[i].omega * (0.5 * h)) * h;
            next[i] = last[i] * (0.5 * h * h);
        }
        let mut iterations = 0;
        let mut defect = f64::INFINITY;
        loop {
            for i in 0..n {
                to[i].q = free[i] - pull(m, i, next, from, true);
            }
            if defect <= SMALL_CHANGE {
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
            for i in 0..n {
                let q = to[i].q;
                band.x[i] = (q.norm_squared() - S::one()) * 0.5;
                defect = worst(defect, band.x[i].magnitude());
                for j in m.coupling().row(i, n) {
                    band.set(i, j, m.inverse_mass(i, j) * q.dot(from[j].q));
                }
            }
            if !band.solve() {
                break;
            }
            for i in 0..n {
                next[i] += band.x[i];
            }
        }
        Err(StepError::NotConverged {
            equation: "the equation for the multipliers of a RATTLE step",
            iterations,
            residual: defect,
            step: h,
        })
    }

    fn velocities<M: SphereSystem<Scalar = S>>(&mut self, m: &M, h: f64) -> Result<(), StepError> {
        let Work { to, after, free, band, .. } = self;
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
