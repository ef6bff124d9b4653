//! Two free motions between kicks, of which the middle one takes the torque of a corrected potential.
//!
//! ```text
//! Π <- Π + (h/6) T(R)      free motion over h/2      Π <- Π + (2h/3) (T + (h²/24) G)(R)
//! free motion over h/2     Π <- Π + (h/6) T(R)       G = DT x - T × x    x = J⁻¹T
//! ```
//!
//! `(0, 2 G)` is the bracket of the kick with that of the free motion and the kick: the one of third order that no weights
//! without a backward step take away. For the torque of a potential `U` it is that of the potential `-T·J⁻¹T`, so that the kick is one
//! of `U - (h²/48) T·J⁻¹T`: order 4, symmetric, symplectic, with the momenta that potential and inertia leave alone. For other
//! torques that depend on the attitude the order is the same. Where torques cost less than the free motion, as they do for a body
//! with three different moments, two motions in a step are few. The last torque is the first of the next step.
//!
//! Chin 1997, algorithm 4A; brackets on the group are derived here.
use super::super::{
    Cost, InlineMethod, Inside, Method, Step, StepError, StepResult, compiled_once, remembers,
    worth_step_many,
};
use super::solving::{settle_rest, torque_once, turn_once};
use super::way::{Way, increments_by_way};
use crate::action::BodyState;
use crate::problem::SpinningBody;
use crate::stepping::EvenSteps;
use lieflow_kernel::rigid::FreeMap;
use lieflow_kernel::scalar::Apart;
use lieflow_kernel::{Mask, Mat3, Real, Vec3};

/// The parts of a step of the outer kicks and of the middle one, and what its correction is divided by.
const OUTER: f64 = 1.0 / 6.0;
const MIDDLE: f64 = 2.0 / 3.0;
const CORRECTION: f64 = 1.0 / 24.0;

/// The splitting with a free map, which must be the exact one for the order to hold.
#[derive(Debug)]
pub struct ForceGradient<S, F> {
    map: F,
    /// The torque at the end of the last step.
    torque: Vec3<S>,
    /// That step was accepted, so that the next one starts with this torque.
    follows: bool,
    /// Both while it looks aside.
    aside: (Vec3<S>, bool),
    cost: Cost,
}

impl<S: Real, F> ForceGradient<S, F> {
    /// The method with this free map.
    pub fn new(map: F) -> Self {
        let (torque, cost) = (Vec3::zero(), Cost::default());
        Self { map, torque, follows: false, aside: (torque, false), cost }
    }
}

/// `T + (h²/24) G`: in a function of its own, since derivatives of torques are long.
struct Corrected<'a, S, P> {
    p: &'a P,
    t: f64,
    h: f64,
    r: Mat3<S>,
}

impl<S: Real, P: SpinningBody<S>> Apart for Corrected<'_, S, P> {
    type Output = Vec3<S>;
    #[inline(always)]
    fn run(self) -> Vec3<S> {
        let Self { p, t, h, r } = self;
        let torque = p.torque(t, &r);
        let x = p.inertia().velocity(torque);
        let gradient = p.torque_derivative(t, &r).apply(x) - torque.cross(x);
        torque + gradient * (h * h * CORRECTION)
    }
}

impl<S: Real, F: FreeMap<S>> ForceGradient<S, F> {
    /// The torque at the start of the next step. Derivatives of torques are not counted, here as elsewhere.
    #[inline(always)]
    fn first_torque<P: SpinningBody<S>>(&mut self, p: &P, t: f64, y: &BodyState<S>) -> Vec3<S> {
        let known = core::mem::take(&mut self.follows);
        self.cost.field_evaluations += 2 + u64::from(!known);
        self.cost.exponentials += 2 * u64::from(F::PARTS);
        if known { self.torque } else { torque_once(p, t, &y.rotation) }
    }

    /// The way of a step.
    fn go<P: SpinningBody<S>>(
        &mut self,
        Step { p, t, h, y }: Step<'_, P>,
        way: &mut Way<'_, S>,
    ) -> Result<(), StepError> {
        way.kick(self.first_torque(p, t, y) * (h * OUTER));
        way.drift(self.map, p.inertia(), 0.5 * h)?;
        let r = way.rotation();
        way.kick(S::apart(Corrected { p, t: t + 0.5 * h, h, r }) * (h * MIDDLE));
        way.drift(self.map, p.inertia(), 0.5 * h)?;
        self.torque = p.torque(t + h, &way.rotation());
        way.kick(self.torque * (h * OUTER));
        Ok(())
    }
}

impl<S: Real, P: SpinningBody<S>, F: FreeMap<S>> InlineMethod<P> for ForceGradient<S, F> {
    #[inline(always)]
    fn step_inline(&mut self, s: Step<'_, P>, out: &mut BodyState<S>) -> StepResult {
        let Step { p, t, h, y } = s;
        let inertia = p.inertia();
        let (mut rotation, mut kick) = (y.rotation, self.first_torque(p, t, y) * (h * OUTER));
        let mut momentum = y.momentum;
        // In a loop, so that the free motion is compiled once.
        let mut part = 0;
        while part < 2 {
            momentum += kick;
            let mut turn = turn_once(self.map, inertia, 0.5 * h, momentum);
            if !turn.solved.all() {
                turn = settle_rest::<S, F>(turn, inertia, 0.5 * h, momentum)?;
            }
            rotation = rotation.matmul(&turn.rotation);
            momentum = turn.momentum;
            if part == 0 {
                let middle = Corrected { p, t: t + 0.5 * h, h, r: rotation };
                // Lanes have it in a function of their own.
                let torque = if const { S::LANES > 1 } { S::apart(middle) } else { middle.run() };
                kick = torque * (h * MIDDLE);
            }
            part += 1;
        }
        self.torque = torque_once(p, t + h, &rotation);
        *out = BodyState::new(rotation, momentum + self.torque * (h * OUTER));
        Ok(None)
    }
}

impl<S: Real, P: SpinningBody<S>, F: FreeMap<S>> Method<P> for ForceGradient<S, F> {
    compiled_once!(worth_step_many::<S>());

    remembers!(follows);

    increments_by_way!();
}
