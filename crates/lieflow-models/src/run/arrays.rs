//! A run as named arrays that grow, for languages that have such: parts of the state, observables and
//! invariants, all numbers of one name together.
use super::{Sink, State};
use lieflow::problem::Value;
use std::ops::ControlFlow;

/// A named array: its shape for one time, and the numbers of all times.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// Its name.
    pub name: &'static str,
    /// Its shape for one time; a plain number has none.
    pub shape: Vec<usize>,
    /// The numbers, one time after the other.
    pub numbers: Vec<f64>,
}

/// What a run keeps.
#[derive(Clone, Debug, Default)]
pub struct Arrays {
    /// The times.
    pub t: Vec<f64>,
    /// The parts of the state.
    pub parts: Vec<Array>,
    /// What the file asks to be observed.
    pub observables: Vec<Array>,
    /// The invariants.
    pub invariants: Vec<Array>,
}

/// The numbers of a value.
fn numbers(value: &Value) -> &[f64] {
    match value {
        Value::Number(x) => std::slice::from_ref(x),
        Value::Numbers(x) => x,
        Value::Vector(v) => v,
        Value::Vectors(list) => list.as_flattened(),
        Value::Rotation(r) => r.as_flattened(),
    }
}

/// An empty array for values like this one.
fn empty((name, value): &(&'static str, Value)) -> Array {
    let shape = match value {
        Value::Number(_) => Vec::new(),
        Value::Numbers(x) => vec![x.len()],
        Value::Vector(_) => vec![3],
        Value::Vectors(list) => vec![list.len(), 3],
        Value::Rotation(_) => vec![3, 3],
    };
    Array { name, shape, numbers: Vec::new() }
}

impl Sink for Arrays {
    fn begin(&mut self, invariants: &[&'static str], start: &State) -> ControlFlow<()> {
        self.parts = start.parts.iter().map(empty).collect();
        self.observables = start.observables.iter().map(empty).collect();
        let number = |name: &&'static str| empty(&(name, Value::Number(0.0)));
        self.invariants = invariants.iter().map(number).collect();
        ControlFlow::Continue(())
    }
    fn follows_steps(&self) -> bool {
        false
    }
    fn sample(&mut self, state: &State, invariants: &[f64]) -> ControlFlow<()> {
        self.t.push(state.t);
        let lists = [(&mut self.parts, &state.parts), (&mut self.observables, &state.observables)];
        for (arrays, values) in lists {
            for (array, (_, value)) in arrays.iter_mut().zip(values) {
                array.numbers.extend_from_slice(numbers(value));
            }
        }
        self.invariants.iter_mut().zip(invariants).for_each(|(array, x)| array.numbers.push(*x));
        ControlFlow::Continue(())
    }
}
