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
use super::super::{
    Cost, InlineMethod, Inside, Method, Step, StepError, StepResult, compiled_once, remembers,
    worth_step_many,
};
use super::solving::{settle_rest, torque_once, turn_once};
use super::way::{Way, increments_by_way};
use crate::action::BodyState;
use crate::problem::SpinningBody;
use crate::stepping::EvenSteps;
use lieflow_kernel::rigid::{FreeMap, Memo, Round, Turn};
use lieflow_kernel::{Mask, Real, Vec3};

/// A kicked free map.
#[derive(Debug)]
pub struct KickFreeKick<S, F> {
    map: F,
    /// The torque at the end of the last step.
    torque: Vec3<S>,
    /// That step was accepted, so that the next one starts with this torque.
    follows: bool,
    /// Both while it looks aside.
    aside: (Vec3<S>, bool),
    cost: Cost,
}

impl<S: Real, F> KickFreeKick<S, F> {
    /// The method with this free map.
    pub fn new(map: F) -> Self {
        Self {
            map,
            torque: Vec3::zero(),
            follows: false,
            aside: (Vec3::zero(), false),
            cost: Cost::default(),
        }
    }
}

impl<S: Real, F: FreeMap<S>> KickFreeKick<S, F> {
    /// The torque at the start of the next step.
    #[inline(always)]
    fn first_torque<P: SpinningBody<S>>(&mut self, p: &P, t: f64, y: &BodyState<S>) -> Vec3<S> {
        if self.follows {
            return self.torque;
        }
        self.cost.field_evaluations += 1;
        torque_once(p, t, &y.rotation)
    }

    /// The way of a step.
    fn go<P: SpinningBody<S>>(
        &mut self,
        Step { p, t, h, y }: Step<'_, P>,
        way: &mut Way<'_, S>,
    ) -> Result<(), StepError> {
        self.torque = self.first_torque(p, t, y);
        self.follows = false;
        way.kick(self.torque * (0.5 * h));
        self.cost.newton_iterations += u64::from(way.drift(self.map, p.inertia(), h)?);
        self.cost.field_evaluations += 1;
        self.cost.exponentials += u64::from(F::PARTS);
        self.torque = p.torque(t + h, &way.rotation());
        way.kick(self.torque * (0.5 * h));
        Ok(())
    }

    /// The end of the step, and the torque there.
    #[inline(always)]
    fn end<P: SpinningBody<S>>(
        p: &P,
        t: f64,
        h: f64,
        y: &BodyState<S>,
        turn: &Turn<S>,
    ) -> (BodyState<S>, Vec3<S>) {
        let rotation = y.rotation.matmul(&turn.rotation);
        let torque = torque_once(p, t + h, &rotation);
        (BodyState::new(rotation, turn.momentum + torque * (0.5 * h)), torque)
    }

    /// Many steps, by turns that are found in the usual way or are called.
    #[inline(always)]
    fn go_on<P: SpinningBody<S>, const CALLED: bool>(
        &mut self,
        p: &P,
        steps: &EvenSteps,
        y: &mut BodyState<S>,
    ) -> u64 {
        let (map, h) = (self.map, steps.h);
        let mut state = *y;
        let mut torque = self.first_torque(p, steps.time(0), &state);
        // The kick at the end of a step is that at the start of the next.
        let mut kick = torque * (0.5 * h);
        let mut memo = Memo::new();
        let mut iterations = 0;
        let mut k = 0;
        while k < steps.count {
            let kicked = state.momentum + kick;
            let usual = if CALLED {
                Some(turn_once(map, p.inertia(), h, kicked))
            } else {
                map.usual_turn(p.inertia(), h, kicked, &mut memo)
            };
            let Some(turn) = usual else { break };
            if !turn.solved.all() {
                break;
            }
            state.rotation = state.rotation.matmul(&turn.rotation);
            torque = p.torque(steps.time(k) + h, &state.rotation);
            kick = torque * (0.5 * h);
            state.momentum = turn.momentum + kick;
            iterations += u64::from(turn.iterations);
            k += 1;
        }
        self.cost.newton_iterations += iterations;
        self.cost.field_evaluations += k;
        self.cost.exponentials += k * u64::from(F::PARTS);
        (self.torque, self.follows) = (torque, true);
        *y = state;
        k
    }
}

impl<S: Real, P: SpinningBody<S>, F: FreeMap<S>> InlineMethod<P> for KickFreeKick<S, F> {
    const LEAVES_STEPS: bool = true;

    #[inline(always)]
    fn step_inline(&mut self, s: Step<'_, P>, out: &mut BodyState<S>) -> StepResult {
        let Step { p, t, h, y } = s;
        self.torque = self.first_torque(p, t, y);
        self.follows = false;
        let kicked = y.momentum + self.torque * (0.5 * h);
        let turn = turn_once(self.map, p.inertia(), h, kicked);
        self.cost.newton_iterations += u64::from(turn.iterations);
        self.cost.field_evaluations += 1;
        self.cost.exponentials += u64::from(F::PARTS);
        if turn.solved.all() {
            (*out, self.torque) = Self::end(p, t, h, y, &turn);
        } else {
            // Apart from the usual way, which then need not keep its numbers in memory.
            let Turn { rotation, momentum, .. } =
                settle_rest::<S, F>(turn, p.inertia(), h, kicked)?;
            *out = BodyState::new(y.rotation.matmul(&rotation), momentum);
            self.torque = torque_once(p, t + h, &out.rotation);
            out.momentum += self.torque * (0.5 * h);
        }
        Ok(None)
    }

    #[inline(always)]
    fn step_many_inline(&mut self, p: &P, steps: &EvenSteps, y: &mut BodyState<S>) -> u64 {
        if const { F::EXACT && S::LANES == 1 && !crate::ON_GPU } {
            // A motion that is called, since it is long, has no place beside one whose numbers stay in registers.
            let inertia = p.inertia();
            if !(inertia.is_diagonal() && matches!(inertia.round(), Round::About(_))) {
                return self.go_on::<P, true>(p, steps, y);
            }
        }
        self.go_on::<P, false>(p, steps, y)
    }
}

impl<S: Real, P: SpinningBody<S>, F: FreeMap<S>> Method<P> for KickFreeKick<S, F> {
    compiled_once!(worth_step_many::<S>());

    remembers!(follows);

    increments_by_way!();
}
