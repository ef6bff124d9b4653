//! The equations of a system as formulas.
//!
//! What a system says of itself in the language of formulas, so that quantities can be computed from
//! its states, differentiated along its motion and explained: the parts of its state, its parameters,
//! its own definitions (`energy`, `torque`, …) and the rates of its parts.
use super::{FileFormulas, Scope, Values};
use crate::run::State;
use lieflow::problem::Value;
use lieflow_formula::Kind;

/// A system in formulas.
#[derive(Clone, Debug, Default)]
pub struct Equations {
    /// The parts of a state.
    pub state: Vec<Part>,
    /// Whole numbers, such as how many bodies there are.
    pub whole: Vec<(String, i64)>,
    /// Parameters, with their numbers.
    pub parameters: Vec<(String, Kind, Vec<f64>)>,
    /// Definitions by name and text.
    pub definitions: Vec<(String, String)>,
    /// How the parts move; empty where that is not known.
    pub motion: Vec<(String, Motion)>,
}

/// A part of a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its name in formulas.
    pub name: String,
    /// Its name in the output.
    pub shown: &'static str,
    /// Of which kind it is.
    pub kind: Kind,
    /// Where it lies.
    pub space: Space,
}

/// Where a part of a state lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// In a vector space.
    Vectors,
    /// On the unit sphere, each vector of it.
    Spheres,
    /// Among rotations, each matrix of it.
    Rotations,
    /// Orthogonal to the part before it, each vector to one.
    Tangent,
}

/// The rate of a part, as a formula.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// `x' = v`.
    Shift(String),
    /// `q' = u × q`.
    Turn(String),
    /// `R' = R hat(w)`.
    Body(String),
    /// `R' = hat(w) R`.
    Space(String),
}

impl Equations {
    /// Those of a system that says nothing of itself: the parts of its state by their names.
    pub fn of_state(state: &State) -> Self {
        let part = |(name, value): &(&'static str, Value)| {
            let (kind, space) = kind_of(value);
            Part { name: (*name).into(), shown: name, kind, space }
        };
        Self { state: state.parts.iter().map(part).collect(), ..Self::default() }
    }

    /// What formulas about this system may use.
    pub fn scope<'s>(&'s self, file: &'s FileFormulas<'_>) -> Scope<'s> {
        let state = self.state.iter().map(|part| (part.name.as_str(), part.kind.clone())).collect();
        let mut values = Values::default();
        for (name, kind, numbers) in &self.parameters {
            values.push(name, kind.clone(), None, numbers);
        }
        let mut scope = file.scope(state, values);
        scope.whole = self.whole.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let given = self.definitions.iter().map(|(name, text)| (name.as_str(), text.clone()));
        scope.given = given.collect();
        scope
    }

    /// The numbers of a state as inputs of programs: the parts in their order, and the time.
    pub fn inputs(&self, state: &State, out: &mut Vec<f64>) {
        out.clear();
        for part in &self.state {
            let before = out.len();
            if let Some(value) = state.part(part.shown) {
                out.extend(value.numbers());
            }
            out.resize(before + part.kind.size(), 0.0);
        }
        out.push(state.t);
    }
}

/// The kind of a value, and where it lies as far as that shows.
fn kind_of(value: &Value) -> (Kind, Space) {
    match value {
        Value::Number(_) => (Kind::Number, Space::Vectors),
        Value::Numbers(x) => (Kind::Number.list(x.len()), Space::Vectors),
        Value::Vector(_) => (Kind::Vector, Space::Vectors),
        Value::Vectors(list) => (Kind::Vector.list(list.len()), Space::Vectors),
        Value::Rotation(_) => (Kind::Matrix, Space::Rotations),
    }
}
