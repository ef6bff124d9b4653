//! The updates of Lewis and Olver for the free rigid body: `m -> Exp(xi(m, h)) m` with
//!
//! ```text
//! eul   xi = h w(m)                                   (-i)   + h sigma_i m
//! beu   xi = h w(y), y = Exp(xi) m                    (-i)   - h sigma_i(m) m
//!                                                     (-adj) + h sigma_i(y) y
//! rk2   xi = (h/2) (w(m) + w(Exp(h w(m)) m))          (-i*)  + h^3 sigma m
//! sy4   xi = the Taylor series of the flow to h^4     (-i*)  + h^4 sigma m
//! rk4   xi = Runge–Kutta–Munthe-Kaas, Kutta's table   (-i*)  + h^4 sigma m
//! ```
//!
//! with `w` the basic (b) or the orthogonal (o) generator and the `sigma` of
//! [`Local`]. The correction lies in the isotropy algebra of `m`, so it leaves
//! the field as it is and the state order too; it raises the order to which the orbit, and with it
//! the energy, is followed: 1 to 2 (eul, beu), 3 to 4 (rk2), 4 to 5 (sy4, rk4).
//!
//! Lewis and Olver 2001, sections 3 and 4. Differs from the paper: the field is `m × A m`
//! throughout, so the basic generator is `-A m` (the paper mixes two signs); backward Euler's and
//! Kutta's corrections, and `sigma` of the orthogonal Heun update, are ours (the paper has none or
//! prints none); the orthogonal Taylor update contains `<w'', m> m`, not the printed `<w', m> m`,
//! which vanishes.
use super::body::{Choice, Local};
use super::exponential::Exponential;
use super::taylor;
use lieflow_kernel::{Dual, Mask, Mat3, Real, Vec3};

/// How `xi` is formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Euler's rule.
    Euler,
    /// Backward Euler's rule, solved.
    BackwardEuler,
    /// Heun's rule.
    Heun,
    /// The Taylor series to order four.
    Taylor4,
    /// Runge–Kutta–Munthe-Kaas with Kutta's table.
    Rkmk4,
}

/// Which isotropy element is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Correction {
    /// None.
    None,
    /// The one at the start of the step.
    Start,
    /// For backward Euler: the one at the end, which makes the step the adjoint of `eul-i`.
    End,
}

/// One of the updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Update {
    /// How `xi` is formed.
    pub scheme: Scheme,
    /// From which generator.
    pub choice: Choice,
    /// What is added.
    pub correction: Correction,
}

/// The coordinates of a step, and what it took to find them.
#[derive(Clone, Copy, Debug)]
pub struct UpdateResult<S: Real> {
    /// `xi`.
    pub xi: Vec3<S>,
    /// Iterations of Newton's method.
    pub iterations: u32,
    /// The size of the last Newton correction, relative to `xi`.
    pub residual: f64,
}

/// More iterations than this are not made.
const MOST_ITERATIONS: u32 = 40;
/// A Newton correction of this relative size leaves an error far below rounding.
const SMALL: f64 = 1e-10;

impl Update {
    /// `xi(m, h)` for a point of norm one. The step size is a number of the state's own kind, so
    /// that a jet gives the Taylor expansion of the step.
    #[inline(always)]
    pub fn coordinates<S: Real>(
        &self,
        exponential: Exponential,
        a: Vec3<S>,
        m: Vec3<S>,
        h: S,
    ) -> UpdateResult<S> {
        let w = |y: Vec3<S>| self.choice.generator(a, y);
        let corrected = self.correction != Correction::None;
        let mut xi = match self.scheme {
            Scheme::Euler if corrected => return explicit_result(eul_i(a, m).times(h)),
            Scheme::Euler => return explicit_result(w(m).times(h)),
            Scheme::BackwardEuler => return self.backward(exponential, a, m, h),
            Scheme::Heun => {
                let first = w(m);
                let end = exponential.turn(first.times(h), m);
                (first + w(end)).times(h * 0.5)
            }
            Scheme::Taylor4 => taylor::coordinates(self.choice, exponential, a, m, h),
            Scheme::Rkmk4 => {
                let k1 = w(m);
                let u = k1.times(h * 0.5);
                let k2 = exponential.pull(u, w(exponential.turn(u, m)));
                let u = k2.times(h * 0.5);
                let k3 = exponential.pull(u, w(exponential.turn(u, m)));
                let u = k3.times(h);
                let k4 = exponential.pull(u, w(exponential.turn(u, m)));
                (k1 + (k2 + k3) * 2.0 + k4).times(h * (1.0 / 6.0))
            }
        };
        if corrected {
            let local = Local::at(a, m);
            let h2 = h * h;
            let size = match self.scheme {
                Scheme::Heun => local.heun(self.choice) * (h2 * h),
                Scheme::Taylor4 => local.taylor4(self.choice, exponential) * (h2 * h2),
                _ => local.rkmk4(self.choice, exponential) * (h2 * h2),
            };
            xi += m.times(size);
        }
        explicit_result(xi)
    }

    /// The right-hand side of backward Euler's equation, `h w(Exp(xi) m)` with its correction; `xi`
    /// is its fixed point.
    #[inline(always)]
    pub fn backward_side<S: Real>(
        &self,
        exponential: Exponential,
        a: Vec3<S>,
        m: Vec3<S>,
        xi: Vec3<S>,
        h: S,
    ) -> Vec3<S> {
        let y = exponential.turn(xi, m);
        match self.correction {
            Correction::None => self.choice.generator(a, y).times(h),
            Correction::Start => {
                let sigma = Local::at(a, m).curvature();
                (self.choice.generator(a, y) - m.times(sigma)).times(h)
            }
            Correction::End => eul_i(a, y).times(h),
        }
    }

    /// Newton's method from the explicit step; the Jacobian comes from dual numbers. A lane that
    /// has converged is left alone.
    #[inline(always)]
    fn backward<S: Real>(
        &self,
        exponential: Exponential,
        a: Vec3<S>,
        m: Vec3<S>,
        h: S,
    ) -> UpdateResult<S> {
        let embed = |v: Vec3<S>| -> Vec3<Dual<S, 3>> {
            Vec3 { x: Dual::constant(v.x), y: Dual::constant(v.y), z: Dual::constant(v.z) }
        };
        let (da, dm, dh) = (embed(a), embed(m), Dual::constant(h));
        let mut xi = self.choice.generator(a, m).times(h);
        let mut open = S::Mask::splat(true);
        let mut iterations = 0;
        let mut residual = f64::INFINITY;
        // Each layer of derivatives settles one iteration after what is below it.
        let mut rounds_left = S::DERIVATIVES;
        while iterations < MOST_ITERATIONS && (open.any() || rounds_left > 0) {
            iterations += 1;
            let finishing = !open.any();
            rounds_left -= usize::from(finishing);
            let u = Vec3 {
                x: Dual::variable(xi.x, 0),
                y: Dual::variable(xi.y, 1),
                z: Dual::variable(xi.z, 2),
            };
            let g = u - self.backward_side(exponential, da, dm, u, dh);
            let jacobian =
                Mat3::from_rows(Vec3::from(g.x.eps), Vec3::from(g.y.eps), Vec3::from(g.z.eps));
            let change = jacobian.solve(Vec3 { x: g.x.re, y: g.y.re, z: g.z.re });
            let moving = if finishing { S::Mask::splat(true) } else { open };
            let usable = moving.and(change.finite());
            xi = Vec3::select(usable, xi - change, xi);
            let scale = xi.norm_squared();
            let small = change.norm_squared().lt(scale * (SMALL * SMALL));
            // At rest `xi` may be zero, and then so is the correction.
            let still = S::zero().lt(change.norm_squared()).not();
            open = open.and(small.or(still).not());
            residual = change.magnitude() / xi.magnitude().max(f64::MIN_POSITIVE);
        }
        if !open.any() {
            residual = residual.min(SMALL);
        }
        UpdateResult { xi, iterations, residual }
    }
}

impl<S: Real> UpdateResult<S> {
    /// Whether the equations were solved in every lane.
    pub fn converged(&self) -> bool {
        self.iterations == 0 || self.residual <= SMALL
    }
}

/// An explicit update.
#[inline(always)]
fn explicit_result<S: Real>(xi: Vec3<S>) -> UpdateResult<S> {
    UpdateResult { xi, iterations: 0, residual: 0.0 }
}

/// `-A m + s m`, the generator whose one-parameter group osculates the orbit.
#[inline(always)]
fn eul_i<S: Real>(a: Vec3<S>, m: Vec3<S>) -> Vec3<S> {
    let local = Local::at(a, m);
    let s = S::select(local.rest, local.a, local.s);
    m.times(s) - m.scaled_by(a)
}
