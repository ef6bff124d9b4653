//! The files of `data/reference/`, and numbers in them.
use lieflow::Vec3;
use serde_json::Value;

/// A whole file, by its name without the ending.
pub fn file(name: &str) -> Value {
    let path = format!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/reference/{}.json"), name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The public part of a file.
pub fn public(name: &str) -> Value {
    file(name)["public"].take()
}

/// A number.
pub fn number(v: &Value) -> f64 {
    v.as_f64().unwrap_or_else(|| panic!("{v} is no number"))
}

/// All numbers of a list, nested or not.
pub fn numbers(v: &Value) -> Vec<f64> {
    match v {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        item => vec![number(item)],
    }
}

/// A list of three numbers.
pub fn vector(v: &Value) -> Vec3<f64> {
    Vec3::from([0, 1, 2].map(|i| number(&v[i])))
}

/// A list of vectors.
pub fn vectors(v: &Value) -> Vec<Vec3<f64>> {
    v.as_array().unwrap_or_else(|| panic!("{v} is no list")).iter().map(vector).collect()
}
