//! Splittings that choose the lengths of their stages by the energy, and stay symplectic.
//!
//! With the energy `E` of the motion and a pace `g(x) = a x^(-p)` the Hamiltonian
//!
//! ```text
//! K = G(T(Π) + d) - G(E + d - U(R)),    G' = g
//! ```
//!
//! has the motion of `H = T + U = E` in another time `s`, with `dt = g(T + d) ds`. Its two parts are
//! the free motion for a time that is constant on it, and a kick:
//!
//! ```text
//! free  R, Π <- free motion over b_i g(T + d) s      kick  Π <- Π + a_i g(E + d - U) s T(R)
//! ```
//!
//! So splittings with the exact free motion apply, with their orders, but not those of Nyström's type,
//! which count on a kinetic energy that is quadratic. They are explicit, symmetric and symplectic with
//! time as one more coordinate: the energy does not drift, also where
//! reversible steps with another method let it, on motions that do not look the same backwards. Steps
//! are short where the body is fast.
//!
//! Near a deep well a rounding of the attitude is one of the energy many times as large, and there steps
//! crowd: over 10⁷ of them what is left of the energy's walk is most of its error at small tolerances. So what
//! a state rounds away is carried to the next step, as by [`Compensated`](crate::method::Compensated).
//!
//! Mikkola and Tanikawa, 1999, and Preto and Tremaine, 1999, for particles and the logarithm; here for
//! bodies, with any power.
use super::super::{Cost, StepError};
use super::embedded::Stages;
use super::solving::NOT_FINITE;
use super::splitting::BM4;
use super::way::{Way, nothing};
use crate::action::{BodyState, Flat};
use crate::archive::Archive;
use crate::problem::SpinningBody;
use crate::stepping::{Pace, Paced};
use lieflow_kernel::rigid::Exact;
use lieflow_kernel::{Mat3, Real, Vec3};

/// A splitting with the exact free motion, paced by the energy.
pub struct PacedSplitting<P> {
    body: P,
    potential: fn(&P, &Mat3<f64>) -> f64,
    stages: Vec<f64>,
    kick_first: bool,
    pace: Pace,
    /// `E`.
    energy: f64,
    /// Potential and torque at the last attitude that was asked for.
    known: Option<Known>,
    /// What the state has rounded away, and the same after the last proposal.
    carry: BodyState<f64>,
    next: BodyState<f64>,
    cost: Cost,
}

/// Potential and torque at an attitude.
#[derive(Clone, Copy, Debug)]
struct Known {
    rotation: Mat3<f64>,
    potential: f64,
    torque: Vec3<f64>,
}

/// The stages of a method with the exact free motion that is no set of Nyström's type.
fn stages(id: &str) -> Option<Stages> {
    match id.strip_prefix("exs@") {
        None if id == "exs" => Some(Stages::once(true)),
        None if id == "exsd" => Some(Stages::once(false)),
        None => None,
        Some(scheme) if scheme == BM4.id => Some(Stages::of(&BM4)),
        Some(scheme) => Stages::composed(scheme),
    }
}

impl<P: SpinningBody<f64>> PacedSplitting<P> {
    /// The method of this name for a body with this potential, if its free motion is the exact one.
    pub fn named(id: &str, body: P, potential: fn(&P, &Mat3<f64>) -> f64) -> Option<Self> {
        let Stages { list: stages, kick_first } = stages(id)?;
        let (pace, energy) = (Pace { scale: 1.0, power: 0.0, offset: 1.0 }, 0.0);
        let (known, nothing, cost) = (None, nothing(), Cost::default());
        let (carry, next) = (nothing, nothing);
        Some(Self { body, potential, stages, kick_first, pace, energy, known, carry, next, cost })
    }

    /// Potential and torque; a step that ends with a kick begins the next one with them.
    fn field(&mut self, rotation: &Mat3<f64>) -> Known {
        match self.known {
            Some(known) if known.rotation == *rotation => known,
            _ => {
                self.cost.field_evaluations += 2;
                let known = Known {
                    rotation: *rotation,
                    potential: (self.potential)(&self.body, rotation),
                    torque: self.body.torque(0.0, rotation),
                };
                self.known = Some(known);
                known
            }
        }
    }
}

impl<P: SpinningBody<f64>> Paced<BodyState<f64>> for PacedSplitting<P> {
    fn kinetic(&self, y: &BodyState<f64>) -> f64 {
        self.body.inertia().kinetic_energy(y.momentum)
    }

    fn set_pace(&mut self, pace: Pace) {
        self.pace = pace;
    }

    fn begin(&mut self, y: &BodyState<f64>) {
        self.energy = self.kinetic(y) + self.field(&y.rotation).potential;
        self.carry = nothing();
    }

    fn step(
        &mut self,
        s: f64,
        y: &BodyState<f64>,
        out: &mut BodyState<f64>,
    ) -> Result<f64, StepError> {
        let mut elapsed = 0.0;
        let mut way = Way { from: y, sum: self.carry };
        let mut kick = self.kick_first;
        for i in 0..self.stages.len() {
            let part = self.stages[i] * s;
            if kick {
                let known = self.field(&way.rotation());
                let h = part * self.pace.at(self.energy - known.potential)?;
                way.kick(known.torque * h);
            } else {
                let inertia = self.body.inertia();
                let h = part * self.pace.at(inertia.kinetic_energy(way.momentum()))?;
                way.drift(Exact, inertia, h)?;
                elapsed += h;
                self.cost.exponentials += 1;
            }
            kick = !kick;
        }
        if !(Real::finite(elapsed) && way.sum.momentum.finite()) {
            return Err(NOT_FINITE);
        }
        *out = *y;
        self.next = way.sum;
        out.gather(&mut self.next);
        Ok(elapsed)
    }

    fn accept(&mut self) {
        self.carry = self.next;
    }

    fn cost(&self) -> Cost {
        self.cost
    }

    fn archive(&mut self, archive: &mut Archive) {
        let Pace { scale, power, offset } = &mut self.pace;
        [scale, power, offset, &mut self.energy].into_iter().for_each(|x| archive.number(x));
        self.carry.archive(archive);
        let nothing = Known { rotation: Mat3::identity(), potential: 0.0, torque: Vec3::zero() };
        archive.option(&mut self.known, &nothing, |archive, known| {
            known.rotation.archive(archive);
            archive.number(&mut known.potential);
            known.torque.archive(archive);
        });
    }
}
