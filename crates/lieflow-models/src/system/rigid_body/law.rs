//! Potentials and torques by formula, beside or in place of a built-in potential.
//!
//! A formula is a value: the engines of a body are compiled once, whatever its formulas are. Each of
//! these functions is kept apart from the engines, so that built-in potentials pay nothing for them;
//! what they are given is copied, so that the state may stay in registers.
use super::Field;
use crate::foreign::{BodyFunctions, torque_slope};
use lieflow::action::BodyState;
use lieflow::kernel::scalar::Apart;
use lieflow::problem::TorqueField;
use lieflow::{Mat3, Real, Vec3};
use lieflow_formula::Kink;
use lieflow_formula::body::{BodyPotential, BodyTorque, attitude, moving};

/// The torque of a body with formulas.
#[derive(Clone, Debug)]
pub struct Law<S> {
    /// The potential, where it is none by formula.
    pub base: Field<S>,
    /// The potential by formula.
    pub potential: Option<BodyPotential<S>>,
    /// The torque by formula, which has no potential.
    pub torque: Option<BodyTorque<S>>,
    /// Functions of another language: a potential in the place of these, a torque beside them.
    pub functions: BodyFunctions,
    /// What leaves the potential as it is.
    pub symmetry: Symmetry<S>,
}

/// Rotations that leave a potential as it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Symmetry<S> {
    /// About a direction of space: the momentum about it is conserved.
    pub space: Option<Vec3<S>>,
    /// About an axis of the body: the momentum about it is conserved if the inertia is round there.
    pub body: Option<Vec3<S>>,
}

impl<S: Real> Symmetry<S> {
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> Symmetry<T> {
        let lift = |v: Option<Vec3<S>>| v.map(|v| v.map(embed));
        Symmetry { space: lift(self.space), body: lift(self.body) }
    }
}

impl<S: Real> Law<S> {
    pub(super) fn lift<T: Real>(&self, embed: fn(S) -> T) -> Law<T> {
        Law {
            base: self.base.lift(embed),
            potential: self.potential.as_ref().map(|potential| potential.lift(embed)),
            torque: self.torque.as_ref().map(|torque| torque.lift(embed)),
            functions: self.functions.clone(),
            symmetry: self.symmetry.lift(embed),
        }
    }

    /// The times of all lanes.
    #[inline]
    pub(super) fn set_times(&mut self, t: S) {
        if let Some(potential) = &mut self.potential {
            potential.set_times(t);
        }
        if let Some(torque) = &mut self.torque {
            torque.set_times(t);
        }
    }

    /// Whether the torque depends on the velocity or the momentum.
    pub fn is_moving(&self) -> bool {
        self.torque.as_ref().is_some_and(BodyTorque::is_moving)
            || self.functions.torque.as_ref().is_some_and(|torque| torque.moving)
    }

    /// Whether potential or torque depend on time.
    pub fn is_timed(&self) -> bool {
        self.potential.as_ref().is_some_and(BodyPotential::is_timed)
            || self.torque.as_ref().is_some_and(BodyTorque::is_timed)
    }

    /// The symmetry of the potential: none where another torque acts.
    pub(super) fn symmetry(&self) -> (Option<Vec3<S>>, Option<Vec3<S>>) {
        (self.symmetry.space, self.symmetry.body)
    }

    /// Whether the energy is conserved as far as the formulas show it.
    pub(super) fn conserves_energy(&self) -> bool {
        self.torque.is_none() && self.functions.torque.is_none() && !self.is_timed()
    }

    /// The row of `R` on which the torque depends, if it is one and nothing else.
    #[inline]
    pub(super) fn row(&self) -> Option<usize> {
        match (&self.potential, &self.torque) {
            (Some(potential), None) if !self.functions.any() => potential.row(),
            _ => None,
        }
    }

    #[inline(never)]
    pub(super) fn energy(&self, t: f64, r: &Mat3<S>) -> S {
        if const { S::LANES > 1 } {
            return S::apart(AskedEnergy { law: self, t, r });
        }
        self.energy_inline(t, r)
    }

    #[inline(always)]
    fn energy_inline(&self, t: f64, r: &Mat3<S>) -> S {
        if let Some((energy, _)) = self.functions.potential(t, r) {
            return energy;
        }
        match &self.potential {
            Some(potential) => potential.energy(t, r),
            None => self.base.energy(t, r),
        }
    }

    /// That of the potential.
    #[inline(always)]
    fn own_torque(&self, t: f64, r: &Mat3<S>) -> Vec3<S> {
        match &self.potential {
            Some(potential) => potential.torque(t, r),
            None if self.functions.potential.is_none() && self.base.is_free() => Vec3::zero(),
            None => self.base_torque(t, r),
        }
    }

    /// That of a potential that is no formula.
    #[inline(never)]
    fn base_torque(&self, t: f64, r: &Mat3<S>) -> Vec3<S> {
        match self.functions.potential(t, r) {
            Some((_, torque)) => torque,
            None if S::LANES > 1 => S::apart(OfBase { base: &self.base, t, r }),
            None => self.base.torque(t, r),
        }
    }

    #[inline(never)]
    pub(super) fn torque(&self, t: f64, r: &Mat3<S>) -> Vec3<S> {
        self.own_torque(t, r)
    }

    #[inline(never)]
    pub(super) fn torque_derivative(&self, t: f64, r: &Mat3<S>) -> Mat3<S> {
        if self.functions.potential.is_some() {
            return torque_slope(r, |r| self.torque(t, r));
        }
        match &self.potential {
            Some(potential) => potential.torque_derivative(t, r),
            None => self.base.torque_derivative(t, r),
        }
    }

    /// The torque beside that of the potential, if there is one.
    #[inline(never)]
    pub(super) fn applied(&self, t: f64, r: &Mat3<S>, w: Vec3<S>, p: Vec3<S>) -> Option<Vec3<S>> {
        match &self.torque {
            Some(torque) => Some(torque.torque(t, r, w, p)),
            None => Some(self.functions.torque.as_ref()?.torque(t, r, w, p)),
        }
    }

    /// The torque by formula, unless it depends on the motion.
    fn at_rest(&self) -> Option<&BodyTorque<S>> {
        self.torque.as_ref().filter(|torque| !torque.is_moving())
    }

    /// The torque by a function, unless it depends on the motion.
    fn function_at_rest(&self, t: f64, r: &Mat3<S>) -> Option<Vec3<S>> {
        let torque = self.functions.torque.as_ref().filter(|torque| !torque.moving)?;
        Some(torque.torque(t, r, Vec3::zero(), Vec3::zero()))
    }

    #[inline(never)]
    pub(super) fn torque_at_rest(&self, t: f64, r: &Mat3<S>) -> Vec3<S> {
        if const { S::LANES > 1 } {
            return S::apart(Asked { law: self, t, r, motion: None });
        }
        self.at_rest_inline(t, r)
    }

    #[inline(always)]
    fn at_rest_inline(&self, t: f64, r: &Mat3<S>) -> Vec3<S> {
        let torque = self.own_torque(t, r);
        match self.at_rest() {
            Some(applied) => torque + applied.torque(t, r, Vec3::zero(), Vec3::zero()),
            None => self.function_at_rest(t, r).map_or(torque, |applied| torque + applied),
        }
    }

    #[inline(never)]
    pub(super) fn derivative_at_rest(&self, t: f64, r: &Mat3<S>) -> Mat3<S> {
        let slope = self.torque_derivative(t, r);
        match self.at_rest() {
            Some(applied) => slope + applied.derivative(t, r, Vec3::zero(), Vec3::zero()),
            None if self.functions.torque.is_some() => {
                let applied = |r: &Mat3<S>| self.function_at_rest(t, r).unwrap_or(Vec3::zero());
                slope + torque_slope(r, applied)
            }
            None => slope,
        }
    }

    #[inline(never)]
    pub(super) fn torque_in_motion(&self, t: f64, r: &Mat3<S>, w: Vec3<S>, p: Vec3<S>) -> Vec3<S> {
        if const { S::LANES > 1 } {
            return S::apart(Asked { law: self, t, r, motion: Some((w, p)) });
        }
        self.in_motion_inline(t, r, w, p)
    }

    #[inline(always)]
    fn in_motion_inline(&self, t: f64, r: &Mat3<S>, w: Vec3<S>, p: Vec3<S>) -> Vec3<S> {
        let torque = self.own_torque(t, r);
        match (&self.torque, &self.functions.torque) {
            (Some(applied), _) => torque + applied.torque(t, r, w, p),
            (None, Some(applied)) => torque + applied.torque(t, r, w, p),
            (None, None) => torque,
        }
    }

    /// The axes of an axial field: the torque depends on one row of `R`, which is the direction of the
    /// symmetry in space, and has no component along an axis of the body.
    pub(super) fn axis(&self) -> Option<(Vec3<S>, Vec3<S>)> {
        let k = Vec3::unit(self.row()?);
        Some((self.symmetry.body?, k))
    }

    pub(super) fn direction(&self, r: &Mat3<S>) -> Vec3<S> {
        r.rows[self.row().unwrap_or(2)]
    }

    #[inline(never)]
    pub(super) fn axial_torque(&self, t: f64, g: Vec3<S>) -> Option<Vec3<S>> {
        self.row()?;
        self.potential.as_ref()?.torque_of_row(t, g)
    }
}

/// A torque of bodies side by side, in a function that is compiled for their lanes.
struct Asked<'a, S> {
    law: &'a Law<S>,
    t: f64,
    r: &'a Mat3<S>,
    /// Velocity and momentum; none if the torque at rest is asked for.
    motion: Option<(Vec3<S>, Vec3<S>)>,
}

impl<S: Real> Apart for Asked<'_, S> {
    type Output = Vec3<S>;
    #[inline(always)]
    fn run(self) -> Vec3<S> {
        let Self { law, t, r, motion } = self;
        match motion {
            Some((w, p)) => law.in_motion_inline(t, r, w, p),
            None => law.at_rest_inline(t, r),
        }
    }
}

/// The torque of a potential that is built in, likewise.
struct OfBase<'a, S> {
    base: &'a Field<S>,
    t: f64,
    r: &'a Mat3<S>,
}

impl<S: Real> Apart for OfBase<'_, S> {
    type Output = Vec3<S>;
    #[inline(always)]
    fn run(self) -> Vec3<S> {
        self.base.torque(self.t, self.r)
    }
}

/// The energy, likewise.
struct AskedEnergy<'a, S> {
    law: &'a Law<S>,
    t: f64,
    r: &'a Mat3<S>,
}

impl<S: Real> Apart for AskedEnergy<'_, S> {
    type Output = S;
    #[inline(always)]
    fn run(self) -> S {
        self.law.energy_inline(self.t, self.r)
    }
}

impl Law<f64> {
    /// Where formulas are not smooth: the function, and its place in the formula.
    pub(super) fn kinks(&self) -> Vec<String> {
        let potential = self.potential.iter().map(|p| p.formula().program().kinks(0));
        let torque = self.torque.iter().map(|t| t.formula().program().kinks(0));
        let told = |kink: Kink| {
            let place = &kink.place;
            format!("{} in {}, column {}", kink.function, place.source.label(), place.column())
        };
        potential.chain(torque).flatten().map(told).collect()
    }

    /// Where a formula breaks down, if one does.
    pub(super) fn breakdown(&self, t: f64, w: Vec3<f64>, y: &BodyState<f64>) -> Option<String> {
        let potential = self.potential.iter().map(BodyPotential::formula);
        let inputs = attitude(t, &y.rotation);
        let first = potential.flat_map(|f| [0, 1].map(|entry| f.locate(entry, &inputs))).flatten();
        let torque = self.torque.iter().map(BodyTorque::formula);
        let inputs = moving(t, &y.rotation, w, y.momentum);
        let second = torque.filter_map(|formula| formula.locate(0, &inputs));
        let formula = first.chain(second).next().map(|breakdown| breakdown.to_string());
        formula.or_else(|| self.functions.fault())
    }
}

impl Field<f64> {
    /// Whether a formula depends on time, as a function may.
    pub(super) fn is_timed(&self) -> bool {
        matches!(self, Self::Formula(law) if law.is_timed() || law.functions.any())
    }
    /// Where formulas are not smooth.
    pub(super) fn kinks(&self) -> Vec<String> {
        match self {
            Self::Formula(law) => law.kinks(),
            _ => Vec::new(),
        }
    }
    /// Where a formula breaks down, if one does.
    pub(super) fn breakdown(&self, t: f64, w: Vec3<f64>, y: &BodyState<f64>) -> Option<String> {
        match self {
            Self::Formula(law) => law.breakdown(t, w, y),
            _ => None,
        }
    }
}
