//! A state as one row of numbers, and the names of its columns.
//!
//! Rotations are unit quaternions `qw,qx,qy,qz` with `qw >= 0`, and on request nine entries
//! `r11 … r33` too.
use super::State;
use lieflow::problem::Value;
use lieflow::{Mat3, Quat};

impl State {
    /// The names of the columns, without that of the time; `matrix` asks for the entries of
    /// rotations.
    pub fn columns(&self, matrix: bool) -> Vec<String> {
        self.values().flat_map(|(name, value)| columns(name, value, matrix)).collect()
    }

    /// The numbers of the columns.
    pub fn numbers(&self, matrix: bool) -> Vec<f64> {
        let mut row = Vec::new();
        self.numbers_into(matrix, &mut row);
        row
    }

    /// Appends the numbers of the columns to a row.
    pub fn numbers_into(&self, matrix: bool, row: &mut Vec<f64>) {
        self.values().for_each(|(_, value)| append_columns(value, matrix, row));
    }
}

/// Appends the numbers of the columns of one part of a state to a row.
#[inline]
pub fn append_columns(value: &Value, matrix: bool, row: &mut Vec<f64>) {
    match value {
        Value::Number(x) => row.push(*x),
        Value::Numbers(x) => row.extend(x),
        Value::Vector(v) => row.extend(v),
        Value::Vectors(list) => row.extend(list.iter().flatten()),
        Value::Rotation(r) => {
            let q = Quat::from_matrix(&Mat3::<f64>::lift(*r));
            row.extend([q.w, q.v.x, q.v.y, q.v.z]);
            if matrix {
                row.extend(r.iter().flatten());
            }
        }
    }
}

fn columns(name: &str, value: &Value, matrix: bool) -> Vec<String> {
    let along = |name: &str| ["x", "y", "z"].map(|axis| format!("{name}_{axis}"));
    match value {
        Value::Number(_) => vec![name.into()],
        Value::Numbers(x) => (1..=x.len()).map(|i| format!("{name}_{i}")).collect(),
        Value::Vector(_) => along(name).to_vec(),
        Value::Vectors(list) => {
            (1..=list.len()).flat_map(|i| along(&format!("{name}_{i}"))).collect()
        }
        Value::Rotation(_) => {
            // The rotation of a system has the bare names; others are told apart by theirs.
            let prefix = if name == "rotation" { String::new() } else { format!("{name}_") };
            let mut columns: Vec<String> =
                ["qw", "qx", "qy", "qz"].iter().map(|q| format!("{prefix}{q}")).collect();
            if matrix {
                let entries = (1..=3).flat_map(|i| (1..=3).map(move |j| (i, j)));
                columns.extend(entries.map(|(i, j)| format!("{prefix}r{i}{j}")));
            }
            columns
        }
    }
}
