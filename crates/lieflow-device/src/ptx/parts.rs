//! The text in parts: functions, numbers, and the lines between them.
use std::borrow::Cow;
use std::collections::HashMap;

/// How an entry begins.
pub const ENTRY: &str = ".visible .entry ";

/// A part of the text.
#[derive(Clone, Debug)]
pub struct Part<'t> {
    /// Functions have a name; what has none is needed by all.
    pub name: Option<&'t str>,
    /// All of it, with the end of the last line.
    pub text: Cow<'t, str>,
}

impl Part<'_> {
    /// Whether it is an entry.
    pub fn is_entry(&self) -> bool {
        self.text.starts_with(ENTRY)
    }
}

/// Lines outside functions by themselves, functions up to the brace that closes them.
pub fn split(mut rest: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let name = named(rest);
        let end = match name {
            // A declaration ends with a semicolon before any brace opens.
            Some(_) => match (rest.find(";\n"), rest.find("\n{\n")) {
                (Some(declared), Some(opened)) if declared < opened => declared + 2,
                _ => rest.find("\n}\n").map_or(rest.len(), |at| at + 3),
            },
            None => rest.find('\n').map_or(rest.len(), |at| at + 1),
        };
        let (text, later) = rest.split_at(end);
        parts.push(Part { name, text: Cow::Borrowed(text) });
        rest = later;
    }
    parts
}

/// The name of the entry, function or number that a text begins with.
fn named(text: &str) -> Option<&str> {
    let line = text.lines().next()?;
    if line.starts_with(ENTRY) || line.starts_with(".func") || line.starts_with(".extern .func") {
        let line = line.trim_end_matches('(').trim_end();
        return line.rsplit([' ', ')']).next().filter(|name| !name.is_empty());
    }
    let number = line.strip_prefix(".global ")?;
    number.split('[').next()?.rsplit(' ').next()
}

/// The text of one entry, with the functions and numbers that it uses; nothing if there is no such entry.
pub fn cut(name: &str, parts: &[Part<'_>]) -> Option<String> {
    // A function may be declared before it is written. No entry needs another one.
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (k, part) in parts.iter().enumerate() {
        if let Some(own) = part.name.filter(|own| *own == name || !part.is_entry()) {
            places.entry(own).or_default().push(k);
        }
    }
    // What is used by something that is taken is taken too.
    let mut open = places.remove(name)?;
    let mut taken: Vec<bool> = parts.iter().map(|part| part.name.is_none()).collect();
    while let Some(k) = open.pop() {
        taken[k] = true;
        let words = parts[k].text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.for_each(|word| open.extend(places.remove(word).unwrap_or_default()));
    }
    let text = parts.iter().zip(&taken).filter(|(_, taken)| **taken);
    Some(text.map(|(part, _)| &*part.text).collect())
}
