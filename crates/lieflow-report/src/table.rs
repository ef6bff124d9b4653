//! Tables, for pages and for terminals.
use serde::Serialize;

/// How a row is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// As it should be.
    Good,
    /// Worth a look.
    Warn,
    /// Wrong.
    Bad,
    /// Neither.
    Plain,
}

/// The head of a column.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Column {
    /// Its text.
    pub name: String,
    /// Whether a terminal shows it flush right, as numbers are.
    #[serde(skip)]
    pub right: bool,
}

impl From<&str> for Column {
    /// A leading `>` asks for flush right.
    fn from(text: &str) -> Self {
        let name = text.strip_prefix('>');
        Self { name: name.unwrap_or(text).into(), right: name.is_some() }
    }
}

/// A table with a verdict per row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// Heading.
    pub title: String,
    /// Column heads.
    pub columns: Vec<Column>,
    /// Rows, and how each is meant.
    pub rows: Vec<(Vec<String>, Verdict)>,
    /// A sentence under the table.
    pub note: String,
}

impl Table {
    /// An empty table with these heads; numbers are marked by a leading `>`.
    pub fn new<'a>(heads: impl IntoIterator<Item = &'a str>) -> Self {
        let columns = heads.into_iter().map(Column::from).collect();
        Self { title: String::new(), columns, rows: Vec::new(), note: String::new() }
    }

    /// The same table with a heading and a note.
    pub fn titled(self, title: impl Into<String>, note: impl Into<String>) -> Self {
        Self { title: title.into(), note: note.into(), ..self }
    }

    /// Adds a row without a verdict.
    pub fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        self.judged(cells, Verdict::Plain);
    }

    /// Adds a row.
    pub fn judged<T: Into<String>>(
        &mut self,
        cells: impl IntoIterator<Item = T>,
        verdict: Verdict,
    ) {
        self.rows.push((cells.into_iter().map(Into::into).collect(), verdict));
    }

    /// Heads and rows as lines whose columns line up, each indented by so many spaces.
    pub fn to_text(&self, indent: usize) -> String {
        let heads: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        let mut lines = vec![heads];
        lines.extend(self.rows.iter().map(|(row, _)| row.iter().map(String::as_str).collect()));
        let width = |j: usize| {
            let cells = lines.iter().filter_map(|line| line.get(j));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        let mut text = String::new();
        for line in &lines {
            let mut padded = " ".repeat(indent);
            for ((cell, width), column) in line.iter().zip(&widths).zip(&self.columns) {
                if column.right {
                    padded += &format!("{cell:>width$}  ");
                } else {
                    padded += &format!("{cell:<width$}  ");
                }
            }
            text += padded.trim_end();
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(["name", ">size", "note"]);
        table.row(["a", "1.5", "é"]);
        table.row(["longer", "12.25", ""]);
        assert_eq!(table.to_text(1), " name     size  note\n a         1.5  é\n longer  12.25\n");
    }

    #[test]
    fn pages_see_heads_as_texts() {
        let table = Table::new(["name", ">size"]);
        let json = serde_json::to_value(&table).unwrap_or_default();
        assert_eq!(json["columns"], serde_json::json!(["name", "size"]));
    }
}
