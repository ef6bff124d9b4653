//! A neutral tree of values, each with the place where it was written.
use super::SpecError;
use super::shown::{Number, ShownPath, quoted, short_name, shown};
use crate::foreign::Function;
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
    /// Line, counted from one; zero for what is laid over a problem (an option), and
    /// [`Place::NO_LINE`] for what stands in a problem without lines.
    pub line: u32,
    /// Column in characters, counted from one.
    pub column: u32,
    /// The path of keys, such as `initial.omega`; empty for the whole document.
    pub key: Arc<str>,
    /// Which entry of the list with this key, counted from one; zero for the value itself. Numbers of
    /// a list share its key, so that a million of them take no memory for their names.
    pub item: u32,
}

impl Place {
    /// The line of values that another language has built: they are the problem itself, and have no
    /// lines.
    pub const NO_LINE: u32 = u32::MAX;

    /// The place of a whole problem that has no lines.
    pub fn object(origin: &str) -> Self {
        Self { line: Self::NO_LINE, ..Self::whole(origin) }
    }
    /// Whether it is in the problem itself, and not laid over it.
    pub fn in_problem(&self) -> bool {
        self.line != 0
    }
    /// Line and column, where there are any.
    pub fn position(&self) -> Option<(u32, u32)> {
        (self.line != 0 && self.line != Self::NO_LINE).then_some((self.line, self.column))
    }
    /// The place of a whole document or option.
    pub fn whole(origin: &str) -> Self {
        Self { origin: origin.into(), line: 0, column: 0, key: "".into(), item: 0 }
    }
    /// The same place, for the key `name` in this table. A long name is shortened: it is there for
    /// messages, and would be written again for every value below it.
    pub fn child(&self, name: &str) -> Self {
        let name = short_name(name);
        let key = if self.key.is_empty() {
            name.into()
        } else {
            format!("{}.{name}", self.path()).into()
        };
        Self { key, item: 0, ..self.clone() }
    }
    /// The path of keys with the number of the entry.
    fn path(&self) -> String {
        let item = if self.item > 0 { format!("[{}]", self.item) } else { String::new() };
        format!("{}{item}", self.key)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", ShownPath(&self.origin))?;
        if let Some((line, column)) = self.position() {
            write!(f, ":{line}:{column}")?;
        }
        if !self.key.is_empty() {
            write!(f, ": {}", ShownPath(&self.path()))?;
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
    /// A function of another language; no file has one.
    Function(Function),
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
            Kind::Number(x) => format!("the number {}", Number(*x)),
            Kind::Integer(n) => format!("the integer {n}"),
            Kind::Boolean(b) => format!("{b}"),
            Kind::Text(t) => format!("the text {}", quoted(t)),
            Kind::List(items) if items.is_empty() => "an empty list".into(),
            Kind::List(items) => format!("a list of {}", items.len()),
            Kind::Table(_) => "a table".into(),
            Kind::Function(f) => format!("the function {}", shown(&f.source().name())),
        }
    }

    /// The same values as JSON, without places. Numbers that are not finite become null, functions the
    /// names that they have.
    pub fn to_json(&self) -> Json {
        match &self.kind {
            Kind::Number(x) => Json::from(*x),
            Kind::Integer(n) => Json::from(*n),
            Kind::Boolean(b) => Json::from(*b),
            Kind::Text(t) => Json::from(t.as_str()),
            Kind::List(items) => items.iter().map(Node::to_json).collect(),
            Kind::Function(f) => Json::from(f.source().name()),
            Kind::Table(table) => {
                table.entries.iter().map(|(key, _, node)| (key.clone(), node.to_json())).collect()
            }
        }
    }
}

/// The most values of a document.
const MOST_VALUES: usize = 4_000_000;

/// Reads a document in the TOML format.
pub fn parse_toml(text: &str, file: &str) -> Result<Node, SpecError> {
    // A value takes far more memory than the two bytes in which it may be written.
    let values = text.bytes().filter(|byte| matches!(byte, b',' | b'=' | b'\n')).count();
    if values > MOST_VALUES {
        return Err(SpecError::Wrong {
            place: Place::whole(file),
            found: format!("about {values} values"),
            expected: format!(
                "at most {MOST_VALUES}; larger tables stand in files of their own (csv = \"…\")"
            ),
        });
    }
    let lines = Lines::of(text, file);
    let table = DeTable::parse(text).map_err(|error| lines.syntax(&error))?;
    lines.table(&Place::whole(file), table.get_ref())
}

/// Reads one value in the TOML format; `origin` is an option of the command line.
pub(super) fn parse_value(text: &str, place: &Place) -> Result<Node, SpecError> {
    let lines = Lines { text, starts: None, before: Vec::new(), origin: place.origin.clone() };
    let value = DeValue::parse(text).map_err(|error| SpecError::Syntax {
        place: place.clone(),
        message: shown(error.message()),
    })?;
    lines.node(place.clone(), &value)
}

/// The lines of a text, to turn offsets into places.
struct Lines<'a> {
    text: &'a str,
    /// Where each line starts; absent where lines mean nothing.
    starts: Option<Vec<usize>>,
    /// How many characters begin before each block of bytes, so that a column costs the same
    /// wherever it is in a line.
    before: Vec<u32>,
    origin: Arc<str>,
}

/// Bytes in a block of [`Lines::before`].
const BLOCK: usize = 64;

impl<'a> Lines<'a> {
    fn of(text: &'a str, file: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        let starts = Some(std::iter::once(0).chain(ends).collect());
        let mut before = vec![0];
        for block in text.as_bytes().chunks(BLOCK) {
            before.push(before.last().copied().unwrap_or(0) + characters(block));
        }
        Self { text, starts, before, origin: file.into() }
    }

    /// How many characters begin before an offset.
    fn count(&self, offset: usize) -> u32 {
        let offset = offset.min(self.text.len());
        let whole = self.before.get(offset / BLOCK).copied().unwrap_or(0);
        whole + characters(&self.text.as_bytes()[offset / BLOCK * BLOCK..offset])
    }

    /// Line and column of an offset.
    fn position(&self, offset: usize) -> (u32, u32) {
        let Some(starts) = &self.starts else { return (0, 0) };
        let line = starts.partition_point(|start| *start <= offset);
        let start = starts.get(line.wrapping_sub(1)).copied().unwrap_or(0);
        (line.max(1) as u32, self.count(offset) - self.count(start) + 1)
    }

    fn place(&self, offset: usize, key: Arc<str>) -> Place {
        let (line, column) = self.position(offset);
        Place { origin: self.origin.clone(), line, column, key, item: 0 }
    }

    fn syntax(&self, error: &toml::de::Error) -> SpecError {
        let offset = error.span().map_or(0, |span| span.start);
        SpecError::Syntax { place: self.place(offset, "".into()), message: shown(error.message()) }
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
                    let offset = item.span().start;
                    let nested = matches!(item.get_ref(), DeValue::Array(_) | DeValue::Table(_));
                    let place = if nested {
                        self.place(offset, format!("{}[{}]", place.key, i + 1).into())
                    } else {
                        Place { item: i as u32 + 1, ..self.place(offset, place.key.clone()) }
                    };
                    list.push(self.node(place, item)?);
                }
                Kind::List(list)
            }
            DeValue::Table(table) => return self.table(&place, table),
        };
        Ok(Node { place, kind })
    }
}

/// How many characters begin in these bytes: all bytes but those that continue one.
fn characters(bytes: &[u8]) -> u32 {
    bytes.iter().map(|byte| u32::from(byte & 0xC0 != 0x80)).sum()
}

/// A decimal literal as a number; one that overflows is an error, because it would silently become
/// infinite.
fn finite_literal(place: &Place, text: &str, must_fit: bool) -> Result<f64, SpecError> {
    match text.parse::<f64>() {
        Ok(x) if !(must_fit && x.is_infinite()) => Ok(x),
        _ => Err(SpecError::Wrong {
            place: place.clone(),
            found: shown(text),
            expected: "a number below 1.8e308 in size".into(),
        }),
    }
}
