//! Numbers taken out of a state by name.
//!
//! `omega.1` is the first component of a vector, `rotation.23` an entry of a rotation (row 2,
//! column 3), `q.2.3` the third component of the second vector of a list, `t` the time.
//! `norm(momentum)` is a length, `unit(q)` the largest deviation of the lengths from one,
//! `tangent(q,omega)` the largest scalar product of two lists, `orthogonal(rotation)` the distance
//! from the rotations, `difference(a,b)` the distance of two parts, `difference(a.2,b.2)` of two
//! entries of lists.
use lieflow::problem::Value;
use lieflow_models::run::State;

/// The number that a name stands for, if the state has it.
pub(super) fn component(state: &State, name: &str) -> Option<f64> {
    let name = name.trim();
    if name == "t" {
        return Some(state.t);
    }
    if let Some((function, rest)) = name.split_once('(') {
        let arguments: Vec<&str> = rest.strip_suffix(')')?.split(',').map(str::trim).collect();
        return call(state, function, &arguments);
    }
    match numbers(state, name)?.as_slice() {
        [x] => Some(*x),
        _ => None,
    }
}

/// All numbers of a part or of a piece of it.
fn numbers(state: &State, name: &str) -> Option<Vec<f64>> {
    let mut path = name.split('.');
    let value = state.part(path.next()?)?;
    let indices: Vec<&str> = path.collect();
    let index = |text: &str| text.parse::<usize>().ok()?.checked_sub(1);
    match (value, indices.as_slice()) {
        (Value::Number(x), []) => Some(vec![*x]),
        (Value::Numbers(x), []) => Some(x.clone()),
        (Value::Numbers(x), [i]) => Some(vec![*x.get(index(i)?)?]),
        (Value::Vector(v), []) => Some(v.to_vec()),
        (Value::Vector(v), [i]) => Some(vec![*v.get(index(i)?)?]),
        (Value::Vectors(v), []) => Some(v.as_flattened().to_vec()),
        (Value::Vectors(v), [i]) => Some(v.get(index(i)?)?.to_vec()),
        (Value::Vectors(v), [i, j]) => Some(vec![*v.get(index(i)?)?.get(index(j)?)?]),
        (Value::Rotation(r), []) => Some(r.as_flattened().to_vec()),
        (Value::Rotation(r), [ij]) if ij.len() == 2 => {
            Some(vec![*r.get(index(&ij[..1])?)?.get(index(&ij[1..])?)?])
        }
        _ => None,
    }
}

fn call(state: &State, function: &str, arguments: &[&str]) -> Option<f64> {
    let vectors = |name: &str| -> Option<Vec<[f64; 3]>> {
        let flat = numbers(state, name)?;
        Some(flat.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect())
    };
    let dot = |a: &[f64; 3], b: &[f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    match (function, arguments) {
        ("norm", [a]) => Some(numbers(state, a)?.iter().map(|x| x * x).sum::<f64>().sqrt()),
        ("unit", [a]) => {
            Some(vectors(a)?.iter().map(|v| (dot(v, v).sqrt() - 1.0).abs()).fold(0.0, f64::max))
        }
        ("tangent", [a, b]) => {
            let (a, b) = (vectors(a)?, vectors(b)?);
            Some(a.iter().zip(&b).map(|(a, b)| dot(a, b).abs()).fold(0.0, f64::max))
        }
        ("orthogonal", [a]) => {
            let rows = vectors(a)?;
            let [x, y, z] = rows.as_slice() else { return None };
            let mut sum = 0.0;
            for (i, p) in [x, y, z].into_iter().enumerate() {
                for (j, q) in [x, y, z].into_iter().enumerate() {
                    let d = dot(p, q) - if i == j { 1.0 } else { 0.0 };
                    sum += d * d;
                }
            }
            Some(sum.sqrt())
        }
        ("difference", [a, b]) => {
            let (a, b) = (numbers(state, a)?, numbers(state, b)?);
            let squares = a.iter().zip(&b).map(|(a, b)| (a - b) * (a - b));
            (a.len() == b.len()).then(|| squares.sum::<f64>().sqrt())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_find_numbers() {
        let state = State::new(
            2.0,
            vec![
                ("rotation", Value::Rotation([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])),
                ("omega", Value::Vector([3.0, 4.0, 12.0])),
                ("q", Value::Vectors(vec![[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]])),
            ],
        );
        for (name, value) in [
            ("t", 2.0),
            ("rotation.23", -1.0),
            ("omega.2", 4.0),
            ("norm(omega)", 13.0),
            ("q.2.2", 2.0),
            ("unit(q)", 1.0),
            ("tangent(q,q)", 4.0),
            ("orthogonal(rotation)", 0.0),
            ("difference(q.1, q.2)", 5f64.sqrt()),
        ] {
            assert_eq!(component(&state, name), Some(value), "{name}");
        }
        for name in
            ["omega", "omega.4", "omega.0", "nothing", "rotation.2", "norm(omega", "f(omega)"]
        {
            assert_eq!(component(&state, name), None, "{name}");
        }
    }
}
