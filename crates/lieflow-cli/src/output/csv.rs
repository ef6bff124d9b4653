//! Tables of comma-separated values. Numbers read back with the same bits.
use lieflow_files::write_number;
use std::io::{self, Write};

/// Writes rows to a stream as they come.
#[derive(Debug)]
pub struct Csv<W> {
    out: W,
    line: String,
}

impl<W: Write> Csv<W> {
    /// A writer.
    pub fn new(out: W) -> Self {
        Self { out, line: String::new() }
    }

    /// Writes the header line: `t` and these names.
    pub fn header<'a>(&mut self, columns: impl Iterator<Item = &'a String>) -> io::Result<()> {
        self.line.clear();
        self.line.push('t');
        for column in columns {
            self.line.push(',');
            self.line += column;
        }
        self.end_line()
    }

    /// Writes one row.
    pub fn row(&mut self, t: f64, numbers: &[f64]) -> io::Result<()> {
        self.line.clear();
        write_number(&mut self.line, t);
        for x in numbers {
            self.line.push(',');
            write_number(&mut self.line, *x);
        }
        self.end_line()
    }

    /// The stream.
    pub fn stream(&mut self) -> &mut W {
        &mut self.out
    }

    /// The stream, with all that was written.
    pub fn into_inner(self) -> W {
        self.out
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.line.push('\n');
        self.out.write_all(self.line.as_bytes())
    }
}
