//! What is wrong with a formula, and where.
use crate::syntax::Span;
use std::fmt;
use std::sync::Arc;

/// The kinds of mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// A character that is not of the language.
    Character,
    /// A number that is none, or too large.
    Number,
    /// Something stands where something else is expected.
    Syntax,
    /// Brackets or definitions stand too deeply in each other.
    Depth,
    /// The formula is too long, or unrolls to too many operations.
    Size,
    /// A name that nobody has given.
    UnknownName,
    /// A function that does not exist.
    UnknownFunction,
    /// A function has too many or too few arguments.
    Arguments,
    /// A vector where a number is expected, and the like.
    Kind,
    /// An index that is out of range, or none.
    Index,
    /// A definition needs itself.
    Circle,
    /// A name that would hide something else.
    Shadow,
    /// A derivative by something that is no variable.
    Derivative,
}

/// A text with its name: `parameters.potential.formula`, say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source(Arc<(String, String)>);

impl Source {
    /// The text `text`, called `label` in messages.
    pub fn new(label: impl Into<String>, text: impl Into<String>) -> Self {
        Self(Arc::new((label.into(), text.into())))
    }
    /// What the text is called.
    pub fn label(&self) -> &str {
        &self.0.0
    }
    /// The text.
    pub fn text(&self) -> &str {
        &self.0.1
    }
    /// A mistake in these bytes of the text.
    pub fn error(&self, fault: Fault, span: Span, message: impl Into<String>) -> Error {
        Error {
            fault,
            place: Place { source: self.clone(), span },
            message: message.into(),
            found: String::new(),
            expected: String::new(),
            suggestion: None,
        }
    }
}

/// Some bytes of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The text.
    pub source: Source,
    /// Which of its bytes.
    pub span: Span,
}

impl Place {
    /// The column of the first character in its line, from one.
    pub fn column(&self) -> usize {
        let (line, start, _) = self.line();
        line[..start].chars().count() + 1
    }
    /// The line of the first character, from one.
    pub fn row(&self) -> usize {
        self.source.text()[..self.start()].matches('\n').count() + 1
    }
    /// The characters themselves.
    pub fn text(&self) -> &str {
        self.source.text().get(self.span.clone()).unwrap_or("")
    }
    fn start(&self) -> usize {
        let text = self.source.text();
        let mut start = self.span.start.min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        start
    }
    /// The line with the place, and the bytes of the place in it.
    fn line(&self) -> (&str, usize, usize) {
        let text = self.source.text();
        let start = self.start();
        let from = text[..start].rfind('\n').map_or(0, |k| k + 1);
        let to = text[start..].find('\n').map_or(text.len(), |k| start + k);
        let mut end = self.span.end.clamp(start, to);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        (&text[from..to], start - from, end - from)
    }
    /// The text with a line of carets under the place, both indented; of a long line only the
    /// surroundings.
    pub fn caret(&self) -> String {
        const BEFORE: usize = 50;
        const SHOWN: usize = 100;
        let (line, start, end) = self.line();
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        let column = line[..start].chars().count();
        let width = line[start..end].chars().count().max(1);
        let skipped = if column > SHOWN - 20 { column - BEFORE } else { 0 };
        let mut shown: String = line.chars().skip(skipped).take(SHOWN).map(plain).collect();
        if line.chars().nth(skipped + SHOWN).is_some() {
            shown.push('…');
        }
        let (lead, indent) = if skipped > 0 { ("…", 1) } else { ("", 0) };
        let pad = " ".repeat(column - skipped + indent);
        let width = width.min((SHOWN + skipped).saturating_sub(column)).max(1);
        format!("  {lead}{shown}\n  {pad}{}", "^".repeat(width))
    }
}

/// A mistake in a formula: what, where, what was found and what was expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// The kind.
    pub fault: Fault,
    /// Where.
    pub place: Place,
    /// A sentence, without the place and the near name.
    pub message: String,
    /// What stands there; empty where the message says it all.
    pub found: String,
    /// What was expected; empty where the message says it all.
    pub expected: String,
    /// A known name that was probably meant.
    pub suggestion: Option<String>,
}

impl Error {
    pub(crate) fn found(mut self, found: impl Into<String>) -> Self {
        self.found = found.into();
        self
    }
    pub(crate) fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = expected.into();
        self
    }
    pub(crate) fn suggestion(mut self, suggestion: Option<&str>) -> Self {
        self.suggestion = suggestion.map(Into::into);
        self
    }
    /// The whole message: label, column, sentence, and the text with carets.
    pub fn render(&self) -> String {
        let place = &self.place;
        let row = match place.row() {
            1 => String::new(),
            row => format!("line {row}, "),
        };
        let label = place.source.label();
        format!("{label}: {row}column {}: {self}\n{}", place.column(), place.caret())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.suggestion {
            Some(suggestion) => write!(f, "; did you mean '{suggestion}'?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
