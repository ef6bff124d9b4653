//! Tables of text in columns.

/// Columns that line up: texts to the left, numbers to the right.
#[derive(Debug, Default)]
pub struct Columns {
    header: Vec<String>,
    right: Vec<bool>,
    rows: Vec<Vec<String>>,
}

impl Columns {
    /// A table with these column heads; those that begin with `>` are numbers.
    pub fn new(header: &[&str]) -> Self {
        Self {
            header: header.iter().map(|h| h.trim_start_matches('>').to_string()).collect(),
            right: header.iter().map(|h| h.starts_with('>')).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The table as lines, each indented by so many spaces.
    pub fn render(&self, indent: usize) -> String {
        let lines = || std::iter::once(&self.header).chain(&self.rows);
        let width = |j: usize| {
            lines().filter_map(|row| row.get(j)).map(|c| c.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.header.len()).map(width).collect();
        let mut text = String::new();
        for row in lines() {
            let mut line = " ".repeat(indent);
            for ((cell, width), right) in row.iter().zip(&widths).zip(&self.right) {
                if *right {
                    line += &format!("{cell:>width$}  ");
                } else {
                    line += &format!("{cell:<width$}  ");
                }
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}
