//! One measured number.
use serde_json::{Value as Json, json};

/// One measured number with its error.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The workload.
    pub id: &'static str,
    /// Which case of it, such as `N = 100, L = 1`; empty where there is one only.
    pub case: String,
    /// The method.
    pub method: String,
    /// What was measured.
    pub metric: &'static str,
    /// The smallest of all rounds, or the largest where more is better.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// The error against the reference.
    pub error: f64,
    /// More numbers by name: the step, the tolerance, the distance from the manifold.
    pub more: Vec<(&'static str, f64)>,
}

impl Row {
    /// As JSON.
    pub fn to_json(&self) -> Json {
        let mut json = json!({
            "id": self.id, "case": self.case, "method": self.method, "metric": self.metric,
            "value": self.value, "unit": self.unit, "error": self.error,
        });
        for (name, value) in &self.more {
            json[*name] = json!(value);
        }
        json
    }
}
