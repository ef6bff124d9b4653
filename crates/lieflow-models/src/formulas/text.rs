//! Texts of formulas, and the places inside them.
use crate::problem_file::{Kind, Node, Place, SpecError, wrong};
use lieflow_formula as formula;
use std::sync::Arc;

/// A formula as it was written.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    /// What it defines, or the key it stands at.
    pub key: &'a str,
    /// The formula.
    pub text: &'a str,
    /// Where it stands.
    pub place: &'a Place,
}

impl<'a> Text<'a> {
    /// The text of a value. A number stands for itself.
    pub fn of(key: &'a str, node: &'a Node) -> Result<Self, SpecError> {
        match &node.kind {
            Kind::Text(text) => Ok(Self { key, text, place: &node.place }),
            _ => Err(wrong(node, "a formula, as a text")),
        }
    }
    /// What messages call it.
    pub fn label(&self) -> &'a str {
        &self.place.key
    }
}

/// The file that texts stand in, to find a place inside one of them.
#[derive(Clone, Debug)]
pub struct Sources(pub(crate) Arc<str>);

impl Sources {
    /// The file with this text.
    pub fn new(file: &str) -> Self {
        Self(file.into())
    }

    /// An error of a formula at its place in the file; `texts` are those it may be about.
    pub fn error(&self, error: formula::Error, texts: &[Text<'_>]) -> SpecError {
        let label = error.place.source.label();
        let place = texts.iter().find(|text| text.label() == label).map(|text| {
            let start = error.place.span.start.min(text.text.len());
            self.inside(text, start)
        });
        // A name that cannot be one is the key of a table.
        let place = place.or_else(|| {
            let named = |text: &&Text<'_>| text.key == label || text.place.key.ends_with(label);
            texts.iter().find(named).map(|text| text.place.clone())
        });
        let place = place.unwrap_or_else(|| Place { key: label.into(), ..Place::whole("problem") });
        SpecError::Formula { place, error: Box::new(error) }
    }

    /// The place of the byte `offset` of a text in the file.
    pub fn inside(&self, text: &Text<'_>, offset: usize) -> Place {
        let place = text.place;
        if place.position().is_none() {
            return place.clone();
        }
        let Some(raw) = self.raw(place) else { return place.clone() };
        let wanted = text.text.get(..offset).map_or(0, |before| before.chars().count());
        let (mut line, mut column) = (place.line, place.column);
        for taken in characters_before(raw, wanted) {
            if taken == '\n' {
                (line, column) = (line + 1, 1);
            } else {
                column += 1;
            }
        }
        Place { line, column, ..place.clone() }
    }

    /// The file from a place on.
    fn raw(&self, place: &Place) -> Option<&str> {
        let skipped = place.line as usize - 1;
        let start = match skipped {
            0 => 0,
            n => self.0.match_indices('\n').nth(n - 1)?.0 + 1,
        };
        let line = &self.0[start..];
        let (at, _) = line.char_indices().nth(place.column as usize - 1)?;
        Some(&line[at..])
    }
}

/// The characters of a TOML string as it is written, from its first quote to the character number
/// `count` of its value.
fn characters_before(raw: &str, count: usize) -> Vec<char> {
    let mut taken = Vec::new();
    let Some(quote @ ('"' | '\'')) = raw.chars().next() else { return taken };
    let long: String = std::iter::repeat_n(quote, 3).collect();
    let mut rest = raw.chars().peekable();
    let quotes = if raw.starts_with(&long) { 3 } else { 1 };
    taken.extend(rest.by_ref().take(quotes));
    if quotes == 3 {
        // A line break right after the quotes is not part of the text.
        taken.extend(rest.next_if_eq(&'\r'));
        taken.extend(rest.next_if_eq(&'\n'));
    }
    let mut done = 0;
    while done < count {
        let Some(c) = rest.next() else { break };
        taken.push(c);
        if c == '\\' && quote == '"' {
            let Some(next) = rest.next() else { break };
            taken.push(next);
            let digits = match next {
                'x' => 2,
                'u' => 4,
                'U' => 8,
                _ => 0,
            };
            taken.extend(rest.by_ref().take(digits));
            if next.is_whitespace() {
                // A line that goes on: the break and the blanks after it are nothing.
                while let Some(blank) = rest.next_if(|c| c.is_whitespace()) {
                    taken.push(blank);
                }
                continue;
            }
        }
        done += 1;
    }
    taken
}
