//! A potential by formula: `U(t, q)` on `R^n`, and the mass that moves in it.
//!
//! Kept apart from the engines, so that built-in potentials pay nothing for it.
use crate::system::turns::{SAMPLES, Turns, scattered};
use lieflow::{Real, Vec3, vec3};
use lieflow_formula::{Error, Formula, Kind, Program, Sheet, Value};

/// The most degrees of freedom.
pub const LARGEST: usize = 6;

/// A potential with its numbers.
#[derive(Clone, Debug)]
pub struct PotentialLaw<S> {
    formula: Formula<S>,
    /// `m`, and `1/m`.
    pub(super) mass: S,
    pub(super) lightness: S,
    dimension: usize,
    timed: bool,
    pub(super) turns: Turns,
}

/// Entries of the program.
const ENERGY: usize = 0;
const FORCE: usize = 1;

/// The program of a potential: its value and the force.
pub(super) fn program(mut sheet: Sheet, label: &str, text: &str) -> Result<Program, Error> {
    let energy = sheet.formula_of(label, text, &Kind::Number)?;
    let q = sheet.get("q").unwrap_or(Value::Zero);
    let slope = sheet.gradient(&energy, &q).unwrap_or(Value::Zero);
    let force = slope.map(&mut |id| sheet.graph().neg(id));
    sheet.program(&[("energy", &energy), ("force", &force)])
}

impl PotentialLaw<f64> {
    /// From a program that [`program`] has made; `q` is where it will be used first.
    pub(super) fn new(formula: Formula<f64>, mass: f64, q: &[f64]) -> Self {
        let timed = formula.program().reads(ENERGY, "t");
        let (lightness, dimension) = (1.0 / mass, q.len());
        let turns = Turns::None;
        let mut law = Self { formula, mass, lightness, dimension, timed, turns };
        if let [2 | 3] = [dimension] {
            law.turns = law.symmetry(q);
        }
        law
    }

    /// The turns that leave the potential as it is, seen around a position.
    fn symmetry(&self, q: &[f64]) -> Turns {
        let size = q.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
        let size = if size > 0.0 { size } else { 1.0 };
        let (mut torques, mut scale) = (Vec::new(), 0.0f64);
        for sample in 0..2 * SAMPLES {
            let mut at = [0.0; 3];
            for (i, (x, q)) in at.iter_mut().zip(q).enumerate() {
                *x = q + size * scattered(sample, i);
            }
            let force: [f64; 3] = self.force(0.37 * sample as f64, &at);
            let (at, force) = (Vec3::from(at), Vec3::from(force));
            let torque = at.cross(force);
            if torque.finite() {
                torques.push(torque);
                scale = scale.max(at.norm() * force.norm());
            }
        }
        match Turns::of(&torques, scale) {
            // In a plane there is but one axis.
            Turns::None | Turns::About(_) if self.dimension == 2 => Turns::None,
            turns => turns,
        }
    }

    /// Where the formula breaks down, if it does.
    pub(super) fn breakdown(&self, t: f64, q: &[f64]) -> Option<String> {
        let inputs = self.inputs(t, q);
        let inputs = &inputs[..=self.dimension];
        let place = |entry| self.formula.locate(entry, inputs);
        [ENERGY, FORCE].into_iter().find_map(place).map(|breakdown| breakdown.to_string())
    }
}

impl<S: Real> PotentialLaw<S> {
    /// The same potential over other numbers.
    pub(super) fn lift<T: Real>(&self, embed: fn(S) -> T) -> PotentialLaw<T> {
        PotentialLaw {
            formula: self.formula.lift(embed),
            mass: embed(self.mass),
            lightness: embed(self.lightness),
            dimension: self.dimension,
            timed: self.timed,
            turns: self.turns,
        }
    }
    /// The program and its numbers.
    pub fn formula(&self) -> &Formula<S> {
        &self.formula
    }
    /// How many degrees of freedom there are.
    pub(super) fn dimension(&self) -> usize {
        self.dimension
    }
    /// The times of all lanes.
    pub(super) fn set_times(&mut self, t: S) {
        self.formula.set_times(t);
    }
    /// Whether it depends on time.
    pub(super) fn is_timed(&self) -> bool {
        self.timed
    }
    /// The position and the time. Copied, so that the caller may keep the state in registers.
    #[inline(always)]
    fn inputs(&self, t: f64, q: &[S]) -> [S; LARGEST + 1] {
        let mut inputs = [S::zero(); LARGEST + 1];
        for (input, x) in inputs.iter_mut().zip(q).take(self.dimension) {
            *input = *x;
        }
        inputs[self.dimension] = self.formula.time(t);
        inputs
    }
    /// `U`.
    #[inline(never)]
    pub(super) fn energy(&self, t: f64, q: &[S]) -> S {
        let [energy] = self.formula.call(ENERGY, &self.inputs(t, q)[..=self.dimension]);
        energy
    }
    /// `-dU/dq`; zero in directions that are not there.
    #[inline(never)]
    pub(super) fn force<const N: usize>(&self, t: f64, q: &[S; N]) -> [S; N] {
        self.formula.call(FORCE, &self.inputs(t, q)[..=self.dimension])
    }
}

/// `q × p` of the first three coordinates.
pub(super) fn angular_momentum(q: &[f64], p: &[f64]) -> Vec3<f64> {
    let first = |x: &[f64]| match *x {
        [x, y] => vec3(x, y, 0.0),
        [x, y, z, ..] => vec3(x, y, z),
        _ => Vec3::zero(),
    };
    first(q).cross(first(p))
}
