//! The reference values, computed with 20 and more digits by other programs.
use crate::BenchError;
use serde_json::Value as Json;
use std::sync::OnceLock;

/// All of them.
pub fn reference() -> &'static Json {
    static JSON: OnceLock<Json> = OnceLock::new();
    JSON.get_or_init(|| {
        serde_json::from_str(include_str!("../data/reference.json")).unwrap_or(Json::Null)
    })
}

/// A list of numbers.
pub fn numbers(json: &Json, what: &'static str) -> Result<Vec<f64>, BenchError> {
    let list = json.as_array().and_then(|list| list.iter().map(Json::as_f64).collect());
    list.ok_or(BenchError::Reference(what))
}

/// The largest singular value of the difference of two matrices, the second one by rows.
pub fn spectral_distance(a: &[[f64; 3]; 3], b: &[f64]) -> f64 {
    let d: Vec<f64> = a.iter().flatten().zip(b).map(|(x, y)| x - y).collect();
    let mut square = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            square[i][j] = (0..3).map(|k| d[3 * k + i] * d[3 * k + j]).sum();
        }
    }
    // Power iteration; the start has a part along every direction that matters.
    let (mut v, mut size) = ([0.577, 0.61, 0.54], 0.0);
    for _ in 0..500 {
        let u = square.map(|row: [f64; 3]| row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);
        size = (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]).sqrt();
        if size == 0.0 {
            return 0.0;
        }
        v = u.map(|x| x / size);
    }
    size.sqrt()
}
