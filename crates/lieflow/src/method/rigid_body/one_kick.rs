//! A free motion with one kick: at its end, at its start, or in its middle.
//!
//! ```text
//! LIEMID        F(h)                     free motion only
//! LIEMID[E1]    F(h), then Π <- Π + h T(R)
//! LIEMID[E2]    Π <- Π + h T(R), then F(h)
//! EXSD          F(h/2), Π <- Π + h T(R), F(h/2)
//! ```
//!
//! Krysl 2004, sections 2 and 3.3. E1 and E2 are each other's adjoints, of order 1, and conjugate
//! to MCG by half a kick: with no torque at the start their attitude errs like that of MCG. Not
//! symplectic, contrary to the paper. EXSD, with the exact motion, is symmetric and symplectic.
use super::super::{
    Cost, InlineMethod, Inside, Method, Step, StepError, StepResult, compiled_once, worth_step_many,
};
use super::solving::{settle, torque_once, turn_once};
use super::way::{Way, increments_by_way};
use crate::action::BodyState;
use crate::problem::SpinningBody;
use crate::stepping::EvenSteps;
use core::marker::PhantomData;
use lieflow_kernel::Real;
use lieflow_kernel::rigid::FreeMap;

/// Where the kick falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kick {
    /// Nowhere: free motion.
    Never,
    /// At the start of the step.
    Start,
    /// In the middle.
    Middle,
    /// At the end.
    End,
}

/// A free map with one kick in a step.
#[derive(Debug)]
pub struct OneKick<S, F> {
    map: F,
    kick: Kick,
    cost: Cost,
    scalar: PhantomData<S>,
}

impl<S: Real, F: FreeMap<S>> OneKick<S, F> {
    /// The method with this free map.
    pub fn new(map: F, kick: Kick) -> Self {
        Self { map, kick, cost: Cost::default(), scalar: PhantomData }
    }

    #[inline(always)]
    fn drift<P: SpinningBody<S>>(
        &mut self,
        p: &P,
        h: f64,
        y: &BodyState<S>,
    ) -> Result<BodyState<S>, StepError> {
        let inertia = p.inertia();
        let turn = turn_once(self.map, inertia, h, y.momentum);
        self.cost.newton_iterations += u64::from(turn.iterations);
        self.cost.exponentials += u64::from(F::PARTS);
        let turn = settle(&self.map, turn, inertia, h, y.momentum)?;
        Ok(BodyState::new(y.rotation.matmul(&turn.rotation), turn.momentum))
    }

    #[inline(always)]
    fn push<P: SpinningBody<S>>(&mut self, p: &P, t: f64, h: f64, y: &mut BodyState<S>) {
        y.momentum += torque_once(p, t, &y.rotation) * h;
        self.cost.field_evaluations += 1;
    }
}

impl<S: Real, F: FreeMap<S>> OneKick<S, F> {
    /// The way of a step.
    fn go<P: SpinningBody<S>>(
        &mut self,
        Step { p, t, h, .. }: Step<'_, P>,
        way: &mut Way<'_, S>,
    ) -> Result<(), StepError> {
        // The free motions before and after the kick, and when it comes.
        let (before, after, when) = match self.kick {
            Kick::Never | Kick::End => (h, 0.0, t + h),
            Kick::Start => (0.0, h, t),
            Kick::Middle => (0.5 * h, 0.5 * h, t + 0.5 * h),
        };
        for (part, time) in [before, after].into_iter().enumerate() {
            if part == 1 && self.kick != Kick::Never {
                way.kick(p.torque(when, &way.rotation()) * h);
                self.cost.field_evaluations += 1;
            }
            if time != 0.0 {
                let iterations = way.drift(self.map, p.inertia(), time)?;
                self.cost.newton_iterations += u64::from(iterations);
                self.cost.exponentials += u64::from(F::PARTS);
            }
        }
        Ok(())
    }
}

impl<S: Real, P: SpinningBody<S>, F: FreeMap<S>> InlineMethod<P> for OneKick<S, F> {
    #[inline(always)]
    fn step_inline(&mut self, s: Step<'_, P>, out: &mut BodyState<S>) -> StepResult {
        let Step { p, t, h, y } = s;
        let mut state = *y;
        if self.kick == Kick::Start {
            self.push(p, t, h, &mut state);
        }
        // One or two drifts in a loop, so that the free motion is compiled once.
        let (parts, drift) = if self.kick == Kick::Middle { (2, 0.5 * h) } else { (1, h) };
        let mut part = 0;
        while part < parts {
            if part == 1 {
                self.push(p, t + 0.5 * h, h, &mut state);
            }
            state = self.drift(p, drift, &state)?;
            part += 1;
        }
        if self.kick == Kick::End {
            self.push(p, t + h, h, &mut state);
        }
        *out = state;
        Ok(None)
    }
}

impl<S: Real, P: SpinningBody<S>, F: FreeMap<S>> Method<P> for OneKick<S, F> {
    compiled_once!(worth_step_many::<S>());

    fn cost(&self) -> Cost {
        self.cost
    }

    increments_by_way!();
}
