//! Half a kick, a free motion, half a kick.
//!
//! ```text
//! Π <- Π + (h/2) T(R)      R <- R F, Π <- Fᵀ Π      Π <- Π + (h/2) T(R)
//! ```
//!
//! The second torque is the first of the next step: one evaluation each. Order 2 and symmetric for
//! every symmetric free map; symplectic if the free map is; conserves what the free map and the
//! kicks conserve, above all the momentum about the axis of an axial field.
//!
//! With the free maps of the kernel this is MCG (Ortolan 2011, equations (4.9), with `J ω_k` for
//! `J ω_{k+1/2}` in the bracket of (4.9c): as printed the momentum is turned by 3/2 of the step),
//! PRK (4.8), VLV (4.11), RATTLE, LIEMID[EA] (4.6; Krysl 2004, section 3.4: its two half steps
//! have no kick between them), the rotation splittings and the splitting with the exact motion.
use super::super::{Cost, Inlined, Method, StepError};
use super::solving::settle;
use crate::action::BodyState;
use crate::problem::SpinningBody;
use lieflow_kernel::rigid::{FreeMap, Turn};
use lieflow_kernel::{Mask, Real, Vec3};

/// A kicked free map.
#[derive(Debug)]
pub struct KickFreeKick<S, F> {
    map: F,
    /// The torque at the end of the last step.
    torque: Vec3<S>,
    /// That step was accepted, so that the next one starts with this torque.
    follows: bool,
    cost: Cost,
}

impl<S: Real, F> KickFreeKick<S, F> {
    /// The method with this free map.
    pub fn new(map: F) -> Self {
        Self { map, torque: Vec3::zero(), follows: false, cost: Cost::default() }
    }
}

impl<S: Real, F: FreeMap<S>> KickFreeKick<S, F> {
    /// The attitude after the turn, and the second kick.
    #[inline(always)]
    fn end<P: SpinningBody<S>>(
        &mut self,
        p: &P,
        t: f64,
        h: f64,
        y: &BodyState<S>,
        turn: &Turn<S>,
        out: &mut BodyState<S>,
    ) {
        out.rotation = y.rotation.matmul(&turn.rotation);
        self.torque = p.torque(t + h, &out.rotation);
        out.momentum = turn.momentum + self.torque * (0.5 * h);
    }

    /// The same apart from the usual way, which then need not keep its numbers in memory.
    #[cold]
    #[inline(never)]
    fn end_rarely<P: SpinningBody<S>>(
        &mut self,
        p: &P,
        t: f64,
        h: f64,
        y: &BodyState<S>,
        turn: &Turn<S>,
        out: &mut BodyState<S>,
    ) {
        self.end(p, t, h, y, turn, out);
    }
}

impl<S: Real, P: SpinningBody<S>, F: FreeMap<S>> Inlined<P> for KickFreeKick<S, F> {
    #[inline(always)]
    fn step_inlined(
        &mut self,
        p: &P,
        t: f64,
        h: f64,
        y: &BodyState<S>,
        out: &mut BodyState<S>,
    ) -> Result<Option<f64>, StepError> {
        if !self.follows {
            self.torque = p.torque(t, &y.rotation);
            self.cost.field_evaluations += 1;
        }
        self.follows = false;
        let inertia = p.inertia();
        let kicked = y.momentum + self.torque * (0.5 * h);
        let turn = self.map.turn(inertia, h, kicked);
        self.cost.newton_iterations += u64::from(turn.iterations);
        self.cost.field_evaluations += 1;
        self.cost.exponentials += u64::from(F::PARTS);
        if !turn.solved.all() {
            let settled = settle(&self.map, turn, inertia, h, kicked)?;
            self.end_rarely(p, t, h, y, &settled, out);
            return Ok(None);
        }
        self.end(p, t, h, y, &turn, out);
        Ok(None)
    }
}

impl<S: Real, P: SpinningBody<S>, F: FreeMap<S>> Method<P> for KickFreeKick<S, F> {
    #[inline(never)]
    fn step(
        &mut self,
        p: &P,
        t: f64,
        h: f64,
        y: &BodyState<S>,
        out: &mut BodyState<S>,
    ) -> Result<Option<f64>, StepError> {
        self.step_inlined(p, t, h, y, out)
    }

    fn accept(&mut self) {
        self.follows = true;
    }

    fn reset(&mut self) {
        self.follows = false;
    }

    fn cost(&self) -> Cost {
        self.cost
    }
}
