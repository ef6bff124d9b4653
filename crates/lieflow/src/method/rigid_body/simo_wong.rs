//! The methods of Simo and Wong: implicit (SWC1) and explicit (SWC2).
//!
//! ```text
//! SWC1   E = exp(x/2)    (2/h) J x = Π + Eᵀ Eᵀ Π + h Eᵀ T(R E)
//!        R' = R exp(x)    Π' = Eᵀ Eᵀ Π + h Eᵀ T(R E)
//! SWC2   x = h ω + (h²/2) α    R' = R exp(x)
//!        Π' = exp(-x) (Π + (h/2) T(R)) + (h/2) T(R')    α' = (ω' - ω)/h
//! ```
//!
//! SWC1 is ALGO_C1 with β/γ = 1/2; SWC2, the explicit one, is the "SW" of Krysl 2004, as its
//! energy on the fast top shows. The original paper was not at hand: both are reconstructed from
//! later descriptions. SWC1: order 2, symmetric, conserves momentum and energy of free motion.
//! SWC2: order 2; it carries an acceleration from step to step, so that it is neither symmetric
//! nor a map of the phase space, must not be composed, and its energy drifts even in free motion.
use super::super::{Cost, Inside, Method, Step, StepError, StepResult};
use super::solving::{midpoint, midpoint_root, midpoint_way};
use super::way::{Way, increments_by_way};
use crate::action::{BodyState, Flat};
use crate::archive::Archive;
use crate::problem::{Problem, SpinningBody};
use lieflow_kernel::rigid::Equation;
use lieflow_kernel::{Mat3, Quat, Real, Vec3, so3};

memoryless! {
    /// The implicit method.
    SimoWongC1
}

/// What it solves, in messages.
const EQUATION: &str = "the implicit equation of Simo and Wong";

struct Implicit<'a, P: Problem>(Step<'a, P>);

impl<S: Real, P: SpinningBody<S>> Equation<S> for Implicit<'_, P> {
    #[inline(always)]
    fn linearise(&self, x: Vec3<S>) -> (Vec3<S>, Mat3<S>) {
        let Step { p, t, h, y } = self.0;
        let (inertia, t) = (p.inertia(), t + 0.5 * h);
        let (half, slope_of_half) = so3::exp_with_dexp(x * 0.5);
        let slope_of_half = slope_of_half.transpose();
        let middle = y.rotation.matmul(&half);
        // As `midpoint` turns it: the energy is kept as well as both are the same.
        let a = so3::rotate(-(x * 0.5), so3::rotate(-(x * 0.5), y.momentum));
        let b = half.apply_transpose(p.torque(t, &middle)) * h;
        let residual = inertia.momentum(x) * (2.0 / h) - y.momentum - a - b;
        let slope = p.torque_derivative(t, &middle);
        let slope = half.transpose().matmul(&slope) * (0.5 * h) + Mat3::hat(b) * 0.5;
        // dexp_{-x} = (1 + Eᵀ) dexp_{-x/2} / 2.
        let a = Mat3::hat(a * 0.5);
        let inner = slope + a + a.matmul(&half.transpose());
        (residual, *inertia.matrix() * (2.0 / h) - inner.matmul(&slope_of_half))
    }
}

impl<S: Real> SimoWongC1<S> {
    /// The way of a step.
    fn go<P: SpinningBody<S>>(
        &mut self,
        s: Step<'_, P>,
        way: &mut Way<'_, S>,
    ) -> Result<(), StepError> {
        let x = midpoint_root(s, &Implicit(s), EQUATION, true, &mut self.cost)?;
        let (inertia, before) = (s.p.inertia(), *way);
        midpoint_way(s, Quat::exp(x * 0.5), way);
        // The equation is `(2/h) J x = Π + Π'`. It was solved with matrices whose errors have a mean; by the way
        // there they have none, and what is left of it is taken out once more.
        let change = way.sum.momentum - before.sum.momentum;
        let rest = inertia.momentum(x) * (2.0 / s.h) - s.y.momentum * 2.0 - change;
        *way = before;
        midpoint_way(s, Quat::exp((x - inertia.velocity(rest) * (0.5 * s.h)) * 0.5), way);
        self.cost.field_evaluations += 1;
        Ok(())
    }
}

impl<S: Real, P: SpinningBody<S>> Method<P> for SimoWongC1<S> {
    #[inline]
    fn step(&mut self, s: Step<'_, P>, out: &mut BodyState<S>) -> StepResult {
        midpoint(s, &Implicit(s), EQUATION, true, &mut self.cost, out)
    }

    fn cost(&self) -> Cost {
        self.cost
    }

    increments_by_way!();
}

/// What SWC2 carries from step to step.
#[derive(Clone, Copy, Debug)]
struct Memory<S> {
    torque: Vec3<S>,
    acceleration: Vec3<S>,
}

/// The explicit method.
#[derive(Debug)]
pub struct SimoWongC2<S> {
    /// At the start of the last step.
    start: Option<Memory<S>>,
    /// At its end.
    end: Option<Memory<S>>,
    accepted: bool,
    /// All three while it looks aside.
    aside: (Option<Memory<S>>, Option<Memory<S>>, bool),
    cost: Cost,
}

impl<S: Real> Default for SimoWongC2<S> {
    fn default() -> Self {
        Self {
            start: None,
            end: None,
            accepted: false,
            aside: (None, None, false),
            cost: Cost::default(),
        }
    }
}

impl<S: Real> SimoWongC2<S> {
    #[inline(always)]
    fn begin<P: SpinningBody<S>>(&mut self, p: &P, t: f64, y: &BodyState<S>) -> Memory<S> {
        let torque = p.torque(t, &y.rotation);
        self.cost.field_evaluations += 1;
        let omega = p.inertia().velocity(y.momentum);
        let acceleration = p.inertia().velocity(torque + y.momentum.cross(omega));
        Memory { torque, acceleration }
    }

    #[inline(always)]
    fn propose<P: SpinningBody<S>>(
        &mut self,
        p: &P,
        t: f64,
        h: f64,
        y: &BodyState<S>,
        memory: Memory<S>,
        out: &mut BodyState<S>,
    ) -> Memory<S> {
        let inertia = p.inertia();
        let omega = inertia.velocity(y.momentum);
        let turn = so3::exp(omega * h + memory.acceleration * (0.5 * h * h));
        out.rotation = y.rotation.matmul(&turn);
        let torque = p.torque(t + h, &out.rotation);
        self.cost.field_evaluations += 1;
        self.cost.exponentials += 1;
        let kicked = y.momentum + memory.torque * (0.5 * h);
        out.momentum = turn.apply_transpose(kicked) + torque * (0.5 * h);
        let change = inertia.velocity(out.momentum) - omega;
        Memory { torque, acceleration: change.times(S::one() / S::lift(h)) }
    }
}

impl<S: Real> SimoWongC2<S> {
    /// What is known at the start of a step.
    #[inline(always)]
    fn known<P: SpinningBody<S>>(&mut self, Step { p, t, y, .. }: Step<'_, P>) -> Memory<S> {
        let memory = match if self.accepted { self.end } else { self.start } {
            Some(memory) => memory,
            None => self.begin(p, t, y),
        };
        self.accepted = false;
        self.start = Some(memory);
        memory
    }

    /// The way of a step.
    fn go<P: SpinningBody<S>>(
        &mut self,
        s: Step<'_, P>,
        way: &mut Way<'_, S>,
    ) -> Result<(), StepError> {
        let Step { p, t, h, y } = s;
        let (memory, inertia) = (self.known(s), p.inertia());
        let omega = inertia.velocity(y.momentum);
        let before = way.sum.momentum;
        way.kick(memory.torque * (0.5 * h));
        way.turn(Quat::exp(omega * h + memory.acceleration * (0.5 * h * h)));
        let torque = p.torque(t + h, &way.rotation());
        way.kick(torque * (0.5 * h));
        self.cost.field_evaluations += 1;
        self.cost.exponentials += 1;
        // From the sum of the way, where velocities of two states would cancel.
        let acceleration = inertia.velocity(way.sum.momentum - before).times(S::one() / S::lift(h));
        self.end = Some(Memory { torque, acceleration });
        Ok(())
    }
}

impl<S: Real, P: SpinningBody<S>> Method<P> for SimoWongC2<S> {
    #[inline]
    fn step(&mut self, s: Step<'_, P>, out: &mut BodyState<S>) -> StepResult {
        let Step { p, t, h, y } = s;
        let memory = self.known(s);
        self.end = Some(self.propose(p, t, h, y, memory, out));
        Ok(None)
    }

    fn accept(&mut self) {
        self.accepted = true;
    }

    fn reset(&mut self) {
        self.start = None;
        self.end = None;
        self.accepted = false;
    }

    fn set_aside(&mut self) {
        self.aside = (self.start.take(), self.end.take(), self.accepted);
        self.accepted = false;
    }

    fn take_back(&mut self) {
        (self.start, self.end, self.accepted) = self.aside;
    }

    fn archive(&mut self, _: Step<'_, P>, archive: &mut Archive) {
        let nothing = Memory { torque: Vec3::zero(), acceleration: Vec3::zero() };
        for memory in [&mut self.start, &mut self.end] {
            archive.option(memory, &nothing, |archive, memory| {
                memory.torque.archive(archive);
                memory.acceleration.archive(archive);
            });
        }
        archive.flag(&mut self.accepted);
    }

    /// A shorter step with the same acceleration: forgetting it would change the rest of the run.
    fn interpolate(&mut self, at: Inside<'_, P>, out: &mut BodyState<S>) -> Result<(), StepError> {
        let Inside { step: Step { p, t, h, y }, theta, .. } = at;
        let memory = match self.start {
            Some(memory) => memory,
            None => self.begin(p, t, y),
        };
        self.propose(p, t, theta * h, y, memory, out);
        Ok(())
    }

    fn cost(&self) -> Cost {
        self.cost
    }

    increments_by_way!();
}
