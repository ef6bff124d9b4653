//! Taking values out of a table.
//!
//! A reader remembers which keys were read. [`Reader::finish`] then reports those that
//! nothing has read: a misspelt key is never ignored.
//!
//! An ensemble reads the same document once for each of its trajectories. That is why a table in
//! order is read without taking memory and without touching what threads share, and everything
//! that only a message needs is made when there is one.
use super::tree::{Kind, Node, Place, Table};
use super::used_keys::UsedKeys;
use super::{SpecError, Warnings, suggestion};
use crate::foreign::Function;
use std::cell::RefCell;

/// Reads one table.
#[derive(Debug)]
pub struct Reader<'a> {
    table: &'a Table,
    place: &'a Place,
    used_keys: RefCell<UsedKeys>,
    warnings: &'a Warnings,
}

impl<'a> Reader<'a> {
    /// A reader of a value that must be a table.
    pub fn new(node: &'a Node, warnings: &'a Warnings) -> Result<Self, SpecError> {
        match &node.kind {
            Kind::Table(table) => {
                Ok(Self { table, place: &node.place, used_keys: RefCell::default(), warnings })
            }
            _ => Err(wrong(node, "a table")),
        }
    }

    /// The table itself, for those whose keys are names that people give.
    pub fn table(&self) -> &'a Table {
        self.table
    }

    /// Where this table stands.
    pub fn place(&self) -> &Place {
        self.place
    }

    /// Adds a warning about a key of this table.
    pub fn warn(&self, key: &str, text: String) {
        self.warnings.push(&self.place_of(key), text);
    }

    /// The place of a key: of its value if it is there.
    pub fn place_of(&self, key: &str) -> Place {
        self.table.get(key).map_or_else(|| self.place.child(key), |node| node.place.clone())
    }

    /// The value of a key, if it is there.
    pub fn optional(&self, key: &'static str) -> Option<&'a Node> {
        let found = self.table.find(key);
        self.used_keys.borrow_mut().push(key, found);
        found.map(|i| &self.table.entries[i].2)
    }

    /// The keys that nothing has read so far, with their values: those of this table whose names are
    /// the writer's own.
    pub fn rest(&self) -> Vec<(&'a str, &'a Node)> {
        let mut used_keys = self.used_keys.borrow_mut();
        let rest = used_keys.rest(self.table);
        let list = rest.map(|i| (self.table.entries[i].0.as_str(), &self.table.entries[i].2));
        let list = list.collect();
        used_keys.take_all();
        list
    }

    /// A reader of another table, with the same list of warnings.
    pub fn reader<'n>(&self, node: &'n Node) -> Result<Reader<'n>, SpecError>
    where
        'a: 'n,
    {
        Reader::new(node, self.warnings)
    }

    /// Whether a key is there.
    pub fn has(&self, key: &'static str) -> bool {
        self.optional(key).is_some()
    }

    /// The value of a key that must be there; `expected` says what it should hold.
    pub fn required(&self, key: &'static str, expected: &str) -> Result<&'a Node, SpecError> {
        self.optional(key).ok_or_else(|| self.missing(key, expected))
    }

    /// The value of a key that must be there, with the words for an error still to be found.
    pub(super) fn required_as(
        &self,
        key: &'static str,
        expected: impl FnOnce() -> String,
    ) -> Result<&'a Node, SpecError> {
        self.optional(key).ok_or_else(|| self.missing(key, &expected()))
    }

    /// The error for a key that is not there, with a key of nearly its name that nothing has read.
    pub fn missing(&self, key: &str, expected: &str) -> SpecError {
        let used_keys = self.used_keys.borrow();
        let unread = self.table.entries.iter().map(|(k, ..)| k.as_str());
        let unread = unread.filter(|k| !used_keys.names().any(|a| a == *k));
        SpecError::Missing {
            place: self.place.clone(),
            key: key.into(),
            expected: expected.into(),
            suggestion: suggestion(key, unread).map(Box::from),
        }
    }

    /// Which one of several keys that exclude each other is there. A key set on the command line
    /// takes the place of one in the file.
    pub fn one_of(&self, choices: &[&'static str]) -> Result<Option<&'static str>, SpecError> {
        let (mut given, mut typed) = (FirstTwo::default(), FirstTwo::default());
        for key in choices {
            let Some(node) = self.optional(key) else { continue };
            given.push(key);
            if !node.place.in_problem() {
                typed.push(key);
            }
        }
        match (given, typed) {
            (FirstTwo(None, _), _) => Ok(None),
            (FirstTwo(Some(key), None), _) | (_, FirstTwo(Some(key), None)) => Ok(Some(key)),
            (FirstTwo(Some(first), Some(second)), _) => Err(SpecError::Contradiction {
                place: self.place.clone(),
                first: first.into(),
                second: second.into(),
                choices: choices.iter().map(|k| (*k).into()).collect(),
            }),
        }
    }

    /// Which one of several keys that exclude each other is there; one must be.
    pub fn just_one_of(&self, choices: &[&'static str]) -> Result<&'static str, SpecError> {
        self.one_of(choices)?.ok_or_else(|| {
            let (first, rest) = choices.split_first().unwrap_or((&"", &[]));
            let others = rest.iter().map(|k| format!(" or '{k}'")).collect::<String>();
            self.missing(first, &format!("'{first}'{others}"))
        })
    }

    /// A finite number.
    pub fn number(&self, key: &'static str) -> Result<f64, SpecError> {
        as_number(self.required(key, "a number")?)
    }
    /// A finite number, if it is there.
    pub fn optional_number(&self, key: &'static str) -> Result<Option<f64>, SpecError> {
        self.optional(key).map(as_number).transpose()
    }
    /// A finite number, or another if it is not there.
    pub fn number_or(&self, key: &'static str, default: f64) -> Result<f64, SpecError> {
        Ok(self.optional_number(key)?.unwrap_or(default))
    }
    /// A number above zero.
    pub fn positive(&self, key: &'static str) -> Result<f64, SpecError> {
        as_positive(self.required(key, "a number above zero")?)
    }
    /// A number above zero, if it is there.
    pub fn optional_positive(&self, key: &'static str) -> Result<Option<f64>, SpecError> {
        self.optional(key).map(as_positive).transpose()
    }

    /// A whole number, zero or above.
    pub fn integer(&self, key: &'static str) -> Result<u64, SpecError> {
        as_integer(self.required(key, "a whole number")?)
    }
    /// A whole number, zero or above, if it is there.
    pub fn optional_integer(&self, key: &'static str) -> Result<Option<u64>, SpecError> {
        self.optional(key).map(as_integer).transpose()
    }

    /// True or false, or another value if it is not there.
    pub fn boolean_or(&self, key: &'static str, default: bool) -> Result<bool, SpecError> {
        match self.optional(key) {
            None => Ok(default),
            Some(Node { kind: Kind::Boolean(b), .. }) => Ok(*b),
            Some(node) => Err(wrong(node, "true or false")),
        }
    }

    /// A text.
    pub fn text(&self, key: &'static str) -> Result<&'a str, SpecError> {
        as_text(self.required(key, "a text")?)
    }
    /// A text, if it is there.
    pub fn optional_text(&self, key: &'static str) -> Result<Option<&'a str>, SpecError> {
        self.optional(key).map(as_text).transpose()
    }

    /// One of several words.
    pub fn choice(
        &self,
        key: &'static str,
        choices: &[&'static str],
    ) -> Result<&'static str, SpecError> {
        let expected = || format!("one of {}", choices.join(", "));
        as_choice(self.required_as(key, expected)?, choices)
    }
    /// One of several words, or another if it is not there.
    pub fn choice_or(
        &self,
        key: &'static str,
        choices: &[&'static str],
        default: &'static str,
    ) -> Result<&'static str, SpecError> {
        self.optional(key).map_or(Ok(default), |node| as_choice(node, choices))
    }

    /// A list of finite numbers.
    pub fn numbers(&self, key: &'static str) -> Result<Vec<f64>, SpecError> {
        let node = self.required(key, "a list of numbers")?;
        as_list(node, "a list of numbers")?.iter().map(as_number).collect()
    }
    /// So many finite numbers: a list of just this length, or one number for all.
    pub fn numbers_or_one(&self, key: &'static str, count: usize) -> Result<Vec<f64>, SpecError> {
        let expected = || format!("{count} numbers, or one for all");
        let node = self.required_as(key, expected)?;
        match &node.kind {
            Kind::List(items) if items.len() == count => items.iter().map(as_number).collect(),
            Kind::Number(_) | Kind::Integer(_) => Ok(vec![as_number(node)?; count]),
            _ => Err(wrong(node, &expected())),
        }
    }

    /// A function of another language, if it is there.
    pub fn optional_function(&self, key: &'static str) -> Result<Option<&'a Function>, SpecError> {
        self.optional(key).map(as_function).transpose()
    }

    /// A table inside this one.
    pub fn sub(&self, key: &'static str) -> Result<Reader<'a>, SpecError> {
        Reader::new(self.required(key, "a table")?, self.warnings)
    }
    /// A table inside this one, if it is there.
    pub fn optional_sub(&self, key: &'static str) -> Result<Option<Reader<'a>>, SpecError> {
        self.optional(key).map(|node| Reader::new(node, self.warnings)).transpose()
    }
    /// The tables of a list; none if the key is not there.
    pub fn subs(&self, key: &'static str) -> Result<Vec<Reader<'a>>, SpecError> {
        let Some(node) = self.optional(key) else { return Ok(Vec::new()) };
        let items = as_list(node, "a list of tables")?;
        items.iter().map(|node| Reader::new(node, self.warnings)).collect()
    }

    /// An error about the value of a key, for checks that only a system can make.
    pub fn refuse(&self, key: &str, expected: &str) -> SpecError {
        match self.table.get(key) {
            Some(node) => wrong(node, expected),
            None => self.missing(key, expected),
        }
    }

    /// Reports the first key that nothing has read.
    pub fn finish(&self) -> Result<(), SpecError> {
        let used_keys = self.used_keys.borrow();
        let Some(unread) = used_keys.unread(self.table) else { return Ok(()) };
        let (key, place, _) = &self.table.entries[unread];
        let mut known: Vec<String> = Vec::new();
        for name in used_keys.names() {
            if !known.iter().any(|k| k == name) {
                known.push(name.into());
            }
        }
        Err(SpecError::UnknownKey {
            place: place.clone(),
            suggestion: suggestion(key, known.iter().map(String::as_str)).map(Box::from),
            known,
        })
    }
}

/// The first two keys out of several.
#[derive(Default)]
struct FirstTwo(Option<&'static str>, Option<&'static str>);

impl FirstTwo {
    fn push(&mut self, key: &'static str) {
        match self {
            Self(first @ None, _) => *first = Some(key),
            Self(_, second) => *second = second.or(Some(key)),
        }
    }
}

/// The error that a value is not what was expected.
pub(crate) fn wrong(node: &Node, expected: &str) -> SpecError {
    SpecError::Wrong { place: node.place.clone(), found: node.found(), expected: expected.into() }
}

/// A finite number.
pub(crate) fn as_number(node: &Node) -> Result<f64, SpecError> {
    match node.kind {
        Kind::Number(x) if x.is_finite() => Ok(x),
        Kind::Integer(n) => Ok(n as f64),
        Kind::Number(_) => Err(wrong(node, "a finite number")),
        _ => Err(wrong(node, "a number")),
    }
}

fn as_positive(node: &Node) -> Result<f64, SpecError> {
    match as_number(node) {
        Ok(x) if x > 0.0 => Ok(x),
        _ => Err(wrong(node, "a finite number above zero")),
    }
}

fn as_integer(node: &Node) -> Result<u64, SpecError> {
    match node.kind {
        Kind::Integer(n) if n >= 0 => Ok(n.unsigned_abs()),
        Kind::Number(x) if x > 0.0 && x.fract() == 0.0 => {
            Err(wrong(node, "a whole number, written without point and exponent, below 2^63"))
        }
        _ => Err(wrong(node, "a whole number, zero or above")),
    }
}

/// A function of another language.
pub(crate) fn as_function(node: &Node) -> Result<&Function, SpecError> {
    match &node.kind {
        Kind::Function(function) => Ok(function),
        _ => Err(wrong(node, "a function of the program that calls; no file can hold one")),
    }
}

fn as_text(node: &Node) -> Result<&str, SpecError> {
    match &node.kind {
        Kind::Text(text) => Ok(text),
        _ => Err(wrong(node, "a text")),
    }
}

fn as_choice(node: &Node, choices: &[&'static str]) -> Result<&'static str, SpecError> {
    let text = as_text(node)?;
    choices.iter().find(|c| **c == text).copied().ok_or_else(|| {
        SpecError::unknown_name(node.place.clone(), "choice", text, choices.iter().copied())
    })
}

pub(crate) fn as_list<'n>(node: &'n Node, expected: &str) -> Result<&'n [Node], SpecError> {
    match &node.kind {
        Kind::List(items) => Ok(items),
        _ => Err(wrong(node, expected)),
    }
}
