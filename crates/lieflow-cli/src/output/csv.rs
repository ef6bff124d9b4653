//! Trajectories as tables of comma-separated values.
//!
//! One row per kept state: `t`, the parts of the state, the invariants. Rotations are unit
//! quaternions `qw,qx,qy,qz` with `qw >= 0`, and on request nine entries `r11 … r33` too. Numbers
//! read back with the same bits.
use lieflow::problem::Value;
use lieflow::{Mat3, Quat};
use lieflow_models::door::State;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes states to a stream as they come.
#[derive(Debug)]
pub struct Csv<W> {
    out: W,
    matrix: bool,
    line: String,
}

impl<W: Write> Csv<W> {
    /// A writer; `matrix` asks for the entries of rotations.
    pub fn new(out: W, matrix: bool) -> Self {
        Self { out, matrix, line: String::new() }
    }

    /// Writes the header line for states like this one.
    pub fn header(&mut self, state: &State, invariants: &[&str]) -> io::Result<()> {
        self.line.clear();
        self.line.push('t');
        for (name, value) in &state.parts {
            for column in columns(name, value, self.matrix) {
                self.line.push(',');
                self.line += &column;
            }
        }
        for name in invariants {
            self.line.push(',');
            self.line += name;
        }
        self.end_line()
    }

    /// Writes one state.
    pub fn state(&mut self, state: &State, invariants: &[f64]) -> io::Result<()> {
        self.line = format!("{:?}", state.t);
        for (_, value) in &state.parts {
            match value {
                Value::Number(x) => self.numbers(&[*x]),
                Value::Numbers(x) => self.numbers(x),
                Value::Vector(v) => self.numbers(v),
                Value::Vectors(list) => list.iter().for_each(|v| self.numbers(v)),
                Value::Rotation(r) => {
                    let q = Quat::from_matrix(&Mat3::<f64>::lift(*r));
                    self.numbers(&[q.w, q.v.x, q.v.y, q.v.z]);
                    if self.matrix {
                        r.iter().for_each(|row| self.numbers(row));
                    }
                }
            }
        }
        self.numbers(invariants);
        self.end_line()
    }

    /// Hands everything to the file.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn numbers(&mut self, numbers: &[f64]) {
        for x in numbers {
            // The debug form is the shortest that reads back, with an exponent where it helps.
            let _ = write!(self.line, ",{x:?}");
        }
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.line.push('\n');
        self.out.write_all(self.line.as_bytes())
    }
}

/// The columns of a part of a state.
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
