//! How far two states are apart, part by part.
//!
//! Attitudes: the spectral norm of the difference of two rotations, which is the Frobenius norm
//! over √2. Everything else: the Euclidean norm. The total is the Euclidean norm of all numbers of
//! the state, the nine entries of a rotation included.
use crate::run::State;
use lieflow::problem::Value;

/// The difference of two states.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Over the whole state.
    pub total: f64,
    /// Over its parts, by the name of the error.
    pub parts: Vec<(&'static str, f64)>,
}

/// The difference of two states of one system; `parts` is its
/// [`error_parts`](crate::run::Model::error_parts). NaN where the shapes do not match.
pub fn difference(
    parts: &[(&'static str, &'static [&'static str])],
    a: &State,
    b: &State,
) -> Difference {
    let mut total = 0.0;
    let errors = parts.iter().map(|(error, names)| {
        let mut squares = 0.0;
        for name in *names {
            let (part, flat) = match (a.part(name), b.part(name)) {
                (Some(x), Some(y)) => square(x, y),
                _ => (f64::NAN, f64::NAN),
            };
            squares += part;
            total += flat;
        }
        (*error, squares.sqrt())
    });
    let parts = errors.collect();
    Difference { total: total.sqrt(), parts }
}

/// The square of the distance of two values, and of their numbers.
fn square(a: &Value, b: &Value) -> (f64, f64) {
    let both = |x: &[f64], y: &[f64]| {
        if x.len() == y.len() {
            x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum()
        } else {
            f64::NAN
        }
    };
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => {
            let d = both(&[*x], &[*y]);
            (d, d)
        }
        (Value::Numbers(x), Value::Numbers(y)) => {
            let d = both(x, y);
            (d, d)
        }
        (Value::Vector(x), Value::Vector(y)) => {
            let d = both(x, y);
            (d, d)
        }
        (Value::Vectors(x), Value::Vectors(y)) => {
            let d = both(x.as_flattened(), y.as_flattened());
            (d, d)
        }
        (Value::Rotation(x), Value::Rotation(y)) => {
            let d: f64 = both(x.as_flattened(), y.as_flattened());
            (0.5 * d, d)
        }
        _ => (f64::NAN, f64::NAN),
    }
}

/// The Euclidean norm of the parts of a state that errors are measured in.
pub fn size(parts: &[(&'static str, &'static [&'static str])], state: &State) -> f64 {
    let numbers = |value: &Value| -> f64 {
        let sum = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        match value {
            Value::Number(x) => x * x,
            Value::Numbers(x) => sum(x),
            Value::Vector(v) => sum(v),
            Value::Vectors(v) => sum(v.as_flattened()),
            Value::Rotation(r) => sum(r.as_flattened()),
        }
    };
    let names = parts.iter().flat_map(|(_, names)| names.iter());
    names.filter_map(|name| state.part(name)).map(numbers).sum::<f64>().sqrt()
}
