//! The equations of a system as formulas.
//!
//! What a system says of itself in the language of formulas, so that quantities can be computed from
//! its states, differentiated along its motion and explained: the parts of its state, its parameters,
//! its own definitions (`energy`, `torque`, …) and the rates of its parts.
use super::{Chance, FileFormulas, Scope, Values};
use crate::run::State;
use lieflow::problem::Value;
use lieflow_formula::{Error, Kind, Rate, Sheet, Value as Symbol};
use std::fmt::Debug;
use std::sync::Arc;

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
    /// How they move where that follows from something else, an energy say.
    pub derivation: Option<Arc<dyn Derivation>>,
}

/// Equations that are derived on a sheet, because texts cannot say them.
pub trait Derivation: Debug + Send + Sync {
    /// Derives them on a sheet with the names of the system, once or again; gives names to what
    /// follows (`energy`), and says how the parts move.
    fn derive(&self, sheet: &mut Sheet) -> Result<Vec<(Symbol, Rate)>, Error>;
    /// The numbers of a state at about this distance from another, on the same manifold.
    fn random_state(&self, given: &[f64], distance: f64, chance: &mut Chance) -> Vec<f64>;
}

/// A part of a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Its name in formulas.
    pub name: String,
    /// Its name in the output, or those of its pieces in the order of its numbers.
    pub shown: Vec<&'static str>,
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
            Part { name: (*name).into(), shown: vec![name], kind, space }
        };
        Self { state: state.parts.iter().map(part).collect(), ..Self::default() }
    }

    /// Whether it is known how the parts move.
    pub fn moves(&self) -> bool {
        !self.motion.is_empty() || self.derivation.is_some()
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
        scope.derivation = self.derivation.clone();
        scope
    }

    /// The numbers of a state as inputs of programs: the parts in their order, and the time.
    pub fn inputs(&self, state: &State, out: &mut Vec<f64>) {
        out.clear();
        for part in &self.state {
            let before = out.len();
            for value in part.shown.iter().filter_map(|name| state.part(name)) {
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
