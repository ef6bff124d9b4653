//! Rigid bodies: potentials and torques by formula.
//!
//! The names are those of `NOTATION.md`: `R` maps the body to space, `w` is the angular velocity and
//! `P` the momentum in the body, `J` the inertia, `t` the time.
use crate::error::Error;
use crate::formula::{Formula, WrongCount};
use crate::kind::Kind;
use crate::names::Names;
use crate::program::Program;
use crate::sheet::Sheet;
use crate::value::Value;
use lieflow_kernel::tape::one_row;
pub use lieflow_kernel::tape::{attitude, moving};
use lieflow_kernel::{Mat3, Real, Vec3, vec3};

/// The frame in which a torque is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Frame {
    /// That of the body.
    #[default]
    Body,
    /// That of space.
    Space,
}

/// What all formulas of a body know, but its velocity: inputs `R` and `t`, and first among the
/// parameters the inertia `J`. Parameters and definitions of the problem are added to these.
pub fn names() -> Result<Names, Error> {
    Names::new().state("R", Kind::Matrix)?.time()?.parameter("J", Kind::Matrix)
}

/// [`names`], with the velocity `w` and the momentum `P`: inputs `R`, `w`, `P` and `t`.
pub fn moving_names() -> Result<Names, Error> {
    let names = Names::new().state("R", Kind::Matrix)?;
    let names = names.state("w", Kind::Vector)?.state("P", Kind::Vector)?.time()?;
    names.parameter("J", Kind::Matrix)
}

/// The potential `U(t, R)`: energy, torque and the derivative of the torque, as entries 0, 1 and 2.
pub fn potential(names: Names, label: &str, text: &str) -> Result<Program, Error> {
    potential_on(Sheet::new(names)?, label, text)
}

/// [`potential`] on a sheet that knows `R` and `t` and no other part of the state.
pub fn potential_on(mut sheet: Sheet, label: &str, text: &str) -> Result<Program, Error> {
    let energy = sheet.formula_of(label, text, &Kind::Number)?;
    let zero = sheet.graph().number(0.0);
    let r = sheet.get("R").unwrap_or(Value::Matrix([[zero; 3]; 3]));
    let torque = sheet.torque(&energy, &r).unwrap_or(Value::Vector([zero; 3]));
    let slope = sheet.torque_derivative(&torque, &r).unwrap_or(Value::Matrix([[zero; 3]; 3]));
    sheet.program(&[("energy", &energy), ("torque", &torque), ("derivative", &slope)])
}

/// The torque `T(t, R, w, P)` in the body and its derivative by the attitude, as entries 0 and 1, from
/// a formula in either frame.
pub fn torque(names: Names, label: &str, text: &str, frame: Frame) -> Result<Program, Error> {
    torque_on(Sheet::new(names)?, label, text, frame)
}

/// [`torque`] on a sheet with the parts of the state of [`moving_names`].
pub fn torque_on(
    mut sheet: Sheet,
    label: &str,
    text: &str,
    frame: Frame,
) -> Result<Program, Error> {
    let value = sheet.formula_of(label, text, &Kind::Vector)?;
    let value = match (frame, sheet.get("R"), value) {
        (Frame::Space, Some(Value::Matrix(r)), Value::Vector(v)) => {
            let transposed = crate::graph::Graph::transposed(r);
            Value::Vector(sheet.graph().apply(transposed, v))
        }
        (_, _, value) => value,
    };
    let zero = sheet.graph().number(0.0);
    let r = sheet.get("R").unwrap_or(Value::Matrix([[zero; 3]; 3]));
    let slope = sheet.torque_derivative(&value, &r).unwrap_or(Value::Matrix([[zero; 3]; 3]));
    sheet.program(&[("torque", &value), ("derivative", &slope)])
}

/// A potential with numbers.
#[derive(Clone, Debug)]
pub struct BodyPotential<S> {
    formula: Formula<S>,
    row: Option<usize>,
    timed: bool,
}

impl<S: Real> BodyPotential<S> {
    /// From a program that [`potential`] has made, and its parameters, those of `J` first.
    pub fn new(program: Program, numbers: Vec<S>) -> Result<Self, WrongCount> {
        let (row, timed) = (program.row(1, "R"), program.reads(0, "t"));
        Ok(Self { formula: Formula::new(program, numbers)?, row, timed })
    }
    /// The program and its numbers.
    pub fn formula(&self) -> &Formula<S> {
        &self.formula
    }
    /// The same potential over other numbers.
    pub fn lift<T: Real>(&self, embed: fn(S) -> T) -> BodyPotential<T> {
        BodyPotential { formula: self.formula.lift(embed), row: self.row, timed: self.timed }
    }
    /// Several potentials of one program side by side, one for each lane.
    pub fn gather(list: &[&BodyPotential<S::Lane>]) -> Option<Self> {
        let formulas: Vec<_> = list.iter().map(|potential| &potential.formula).collect();
        let first = list.first()?;
        Some(Self { formula: Formula::gather(&formulas)?, row: first.row, timed: first.timed })
    }
    /// The times of all lanes, in place of the time that is passed from now on.
    #[inline]
    pub fn set_times(&mut self, t: S) {
        self.formula.set_times(t);
    }
    /// Whether the potential depends on time.
    pub fn is_timed(&self) -> bool {
        self.timed
    }
    /// The one row of `R` on which the torque depends, if it is one.
    pub fn row(&self) -> Option<usize> {
        self.row
    }
    /// `U(t, R)`.
    #[inline(always)]
    pub fn energy(&self, t: f64, r: &Mat3<S>) -> S {
        let [energy] = self.formula.call(0, &self.formula.at_times(attitude(t, r)));
        energy
    }
    /// The body torque.
    #[inline(always)]
    pub fn torque(&self, t: f64, r: &Mat3<S>) -> Vec3<S> {
        self.formula.call::<3>(1, &self.formula.at_times(attitude(t, r))).into()
    }
    /// The body torque from the one row that it depends on.
    #[inline(always)]
    pub fn torque_of_row(&self, t: f64, g: Vec3<S>) -> Option<Vec3<S>> {
        Some(self.formula.call::<3>(1, &self.formula.at_times(one_row(t, self.row?, g))).into())
    }
    /// `DT`.
    #[inline(always)]
    pub fn torque_derivative(&self, t: f64, r: &Mat3<S>) -> Mat3<S> {
        matrix(self.formula.call(2, &self.formula.at_times(attitude(t, r))))
    }
}

/// A torque with numbers.
#[derive(Clone, Debug)]
pub struct BodyTorque<S> {
    formula: Formula<S>,
    moving: bool,
}

impl<S: Real> BodyTorque<S> {
    /// From a program that [`torque`] has made with [`moving_names`], and its parameters, those of
    /// `J` first.
    pub fn new(program: Program, numbers: Vec<S>) -> Result<Self, WrongCount> {
        let moving = program.reads(0, "w") || program.reads(0, "P");
        Ok(Self { formula: Formula::new(program, numbers)?, moving })
    }
    /// The program and its numbers.
    pub fn formula(&self) -> &Formula<S> {
        &self.formula
    }
    /// The same torque over other numbers.
    pub fn lift<T: Real>(&self, embed: fn(S) -> T) -> BodyTorque<T> {
        BodyTorque { formula: self.formula.lift(embed), moving: self.moving }
    }
    /// Several torques of one program side by side, one for each lane.
    pub fn gather(list: &[&BodyTorque<S::Lane>]) -> Option<Self> {
        let formulas: Vec<_> = list.iter().map(|torque| &torque.formula).collect();
        Some(Self { moving: list.first()?.moving, formula: Formula::gather(&formulas)? })
    }
    /// The times of all lanes, in place of the time that is passed from now on.
    #[inline]
    pub fn set_times(&mut self, t: S) {
        self.formula.set_times(t);
    }
    /// Whether it depends on time.
    pub fn is_timed(&self) -> bool {
        self.formula.program().reads(0, "t")
    }
    /// Whether it depends on the velocity or the momentum.
    #[inline(always)]
    pub fn is_moving(&self) -> bool {
        self.moving
    }
    /// `T(t, R, w, P)` in the body.
    #[inline(always)]
    pub fn torque(&self, t: f64, r: &Mat3<S>, w: Vec3<S>, p: Vec3<S>) -> Vec3<S> {
        self.formula.call::<3>(0, &self.formula.at_times(moving(t, r, w, p))).into()
    }
    /// The matrix `DT` with `T(t, R exp(ξ), w, P) = T + DT ξ + …`.
    #[inline(always)]
    pub fn derivative(&self, t: f64, r: &Mat3<S>, w: Vec3<S>, p: Vec3<S>) -> Mat3<S> {
        matrix(self.formula.call(1, &self.formula.at_times(moving(t, r, w, p))))
    }
}

#[inline(always)]
fn matrix<S: Real>([a, b, c, d, e, f, g, h, i]: [S; 9]) -> Mat3<S> {
    Mat3::from_rows(vec3(a, b, c), vec3(d, e, f), vec3(g, h, i))
}
