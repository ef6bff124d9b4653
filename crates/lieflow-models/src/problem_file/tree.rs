//! A neutral tree of values, each with the place where it was written.
use super::SpecError;
use serde_json::Value as Json;
use std::fmt;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Where a value was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, or the command-line option.
    pub origin: Arc<str>,
    /// Line, counted from one; zero where there are no lines (an option).
    pub line: u32,
    /// Column in characters, counted from one.
    pub column: u32,
    /// The path of keys, such as `initial.omega`; empty for the whole document.
    pub key: Arc<str>,
}

impl Place {
    /// The place of a whole document or option.
    pub fn whole(origin: &str) -> Self {
        Self { origin: origin.into(), line: 0, column: 0, key: "".into() }
    }
    /// The same place, for the key `name` in this table.
    pub fn child(&self, name: &str) -> Self {
        let key =
            if self.key.is_empty() { name.into() } else { format!("{}.{name}", self.key).into() };
        Self { key, ..self.clone() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.origin)?;
        if self.line > 0 {
            write!(f, ":{}:{}", self.line, self.column)?;
        }
        if !self.key.is_empty() {
            write!(f, ": {}", self.key)?;
        }
        Ok(())
    }
}

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where it was written.
    pub place: Place,
    /// What it is.
    pub kind: Kind,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A number with a point or an exponent, or too large for an integer.
    Number(f64),
    /// A whole number.
    Integer(i64),
    /// True or false.
    Boolean(bool),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A table.
    Table(Table),
}

/// The entries of a table, in the order of the file.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Table {
    /// Keys with the places of the keys themselves, and values.
    pub entries: Vec<(String, Place, Node)>,
}

impl Table {
    /// The number of the entry of a key.
    pub(super) fn find(&self, key: &str) -> Option<usize> {
        self.entries.iter().position(|(k, ..)| k == key)
    }
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.find(key).map(|i| &self.entries[i].2)
    }
}

impl Node {
    /// What was found, for a message: the kind of thing and, if it is short, the thing itself.
    pub fn found(&self) -> String {
        match &self.kind {
            Kind::Number(x) => format!("the number {x}"),
            Kind::Integer(n) => format!("the integer {n}"),
            Kind::Boolean(b) => format!("{b}"),
            Kind::Text(t) if t.chars().count() <= 40 => format!("the text {t:?}"),
            Kind::Text(t) => {
                format!("the text {:?}…", t.chars().take(40).collect::<String>())
            }
            Kind::List(items) if items.is_empty() => "an empty list".into(),
            Kind::List(items) => format!("a list of {}", items.len()),
            Kind::Table(_) => "a table".into(),
        }
    }

    /// The same values as JSON, without places. Numbers that are not finite become null.
    pub fn to_json(&self) -> Json {
        match &self.kind {
            Kind::Number(x) => Json::from(*x),
            Kind::Integer(n) => Json::from(*n),
            Kind::Boolean(b) => Json::from(*b),
            Kind::Text(t) => Json::from(t.as_str()),
            Kind::List(items) => items.iter().map(Node::to_json).collect(),
            Kind::Table(table) => {
                table.entries.iter().map(|(key, _, node)| (key.clone(), node.to_json())).collect()
            }
        }
    }
}

/// Reads a document in the TOML format.
pub fn parse_toml(text: &str, file: &str) -> Result<Node, SpecError> {
    let lines = Lines::of(text, file);
    let table = DeTable::parse(text).map_err(|error| lines.syntax(&error))?;
    lines.table(&Place::whole(file), table.get_ref())
}

/// Reads one value in the TOML format; `origin` is an option of the command line.
pub(super) fn parse_value(text: &str, place: &Place) -> Result<Node, SpecError> {
    let lines = Lines { text, starts: None, origin: place.origin.clone() };
    let value = DeValue::parse(text).map_err(|error| SpecError::Syntax {
        place: place.clone(),
        message: error.message().into(),
    })?;
    lines.node(place.clone(), &value)
}

/// The lines of a text, to turn offsets into places.
struct Lines<'a> {
    text: &'a str,
    /// Where each line starts; absent where lines mean nothing.
    starts: Option<Vec<usize>>,
    origin: Arc<str>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str, file: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        let starts = Some(std::iter::once(0).chain(ends).collect());
        Self { text, starts, origin: file.into() }
    }

    /// Line and column of an offset.
    fn position(&self, offset: usize) -> (u32, u32) {
        let Some(starts) = &self.starts else { return (0, 0) };
        let line = starts.partition_point(|start| *start <= offset);
        let start = starts.get(line.wrapping_sub(1)).copied().unwrap_or(0);
        let column = self.text.get(start..offset).map_or(0, |s| s.chars().count()) + 1;
        (line.max(1) as u32, column as u32)
    }

    fn place(&self, offset: usize, key: Arc<str>) -> Place {
        let (line, column) = self.position(offset);
        Place { origin: self.origin.clone(), line, column, key }
    }

    fn syntax(&self, error: &toml::de::Error) -> SpecError {
        let offset = error.span().map_or(0, |span| span.start);
        SpecError::Syntax { place: self.place(offset, "".into()), message: error.message().into() }
    }

    fn table(&self, place: &Place, table: &DeTable<'_>) -> Result<Node, SpecError> {
        let mut entries = Vec::with_capacity(table.len());
        let mut sorted: Vec<_> = table.iter().collect();
        sorted.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in sorted {
            let path = place.child(key.get_ref()).key;
            let key_place = self.place(key.span().start, path.clone());
            let node = self.node(self.place(value.span().start, path), value)?;
            entries.push((key.get_ref().to_string(), key_place, node));
        }
        Ok(Node { place: place.clone(), kind: Kind::Table(Table { entries }) })
    }

    fn node(&self, place: Place, value: &Spanned<DeValue<'_>>) -> Result<Node, SpecError> {
        let kind = match value.get_ref() {
            DeValue::String(text) => Kind::Text(text.to_string()),
            DeValue::Boolean(b) => Kind::Boolean(*b),
            DeValue::Integer(n) => match i64::from_str_radix(n.as_str(), n.radix()) {
                Ok(n) => Kind::Integer(n),
                Err(_) => Kind::Number(finite_literal(&place, n.as_str(), n.radix() == 10)?),
            },
            DeValue::Float(x) => {
                Kind::Number(finite_literal(&place, x.as_str(), !x.as_str().contains("inf"))?)
            }
            DeValue::Datetime(_) => {
                return Err(SpecError::Wrong {
                    place,
                    found: "a date or a time".into(),
                    expected: "a number, a text, a list or a table".into(),
                });
            }
            DeValue::Array(items) => {
                let mut list = Vec::with_capacity(items.len());
                for (i, item) in items.iter().enumerate() {
                    let key = format!("{}[{}]", place.key, i + 1);
                    list.push(self.node(self.place(item.span().start, key.into()), item)?);
                }
                Kind::List(list)
            }
            DeValue::Table(table) => return self.table(&place, table),
        };
        Ok(Node { place, kind })
    }
}

/// A decimal literal as a number; one that overflows is an error, because it would silently become
/// infinite.
fn finite_literal(place: &Place, text: &str, must_fit: bool) -> Result<f64, SpecError> {
    match text.parse::<f64>() {
        Ok(x) if !(must_fit && x.is_infinite()) => Ok(x),
        _ => Err(SpecError::Wrong {
            place: place.clone(),
            found: text.chars().take(40).collect(),
            expected: "a number below 1.8e308 in size".into(),
        }),
    }
}
