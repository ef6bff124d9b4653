//! Trajectories as tables of comma-separated values.
//!
//! One row per kept state: `t`, the parts of the state, the invariants. Rotations are unit
//! quaternions `qw,qx,qy,qz` with `qw >= 0`, and on request nine entries `r11 … r33` too. Numbers
//! read back with the same bits.
use lieflow_models::run::State;
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
        for column in state.columns(self.matrix) {
            self.line.push(',');
            self.line += &column;
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
        let numbers = state.numbers(self.matrix);
        self.numbers(&numbers);
        self.numbers(invariants);
        self.end_line()
    }

    /// The stream, with all that was written.
    pub fn into_inner(self) -> W {
        self.out
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
