//! What people typed, as a message may show it: short, and without characters that would steer a
//! terminal.
use std::borrow::Cow;
use std::fmt::{self, Write};

/// A name or a word of a message has at most as many characters.
const LONGEST: usize = 80;
/// A path has at most as many.
const LONGEST_PATH: usize = 400;
/// A list of names has at most as many entries.
const MANY: usize = 400;

/// A text of unknown origin in a message.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a>(pub &'a str);

/// The same for paths of files and keys, which may be longer.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShownPath<'a>(pub(super) &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escape(&shortened(self.0, LONGEST), f)
    }
}

impl fmt::Display for ShownPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escape(&shortened(self.0, LONGEST_PATH), f)
    }
}

/// Writes a text with escapes for what would steer a terminal.
fn escape(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    text.chars().try_for_each(|c| match steers(c) {
        true => write!(f, "{}", c.escape_unicode()),
        false => f.write_char(c),
    })
}

/// Whether a character moves, colours, hides or turns around what a terminal shows: control
/// characters, marks of the direction of writing, and separators of lines.
fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// A number in a message: as people write it, never with hundreds of digits.
#[derive(Clone, Copy, Debug)]
pub struct Number(pub f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        match size == 0.0 || (1e-5..1e16).contains(&size) || !size.is_finite() {
            true => write!(f, "{}", self.0),
            false => write!(f, "{:e}", self.0),
        }
    }
}

/// The text for a message.
pub fn shown(text: &str) -> String {
    Shown(text).to_string()
}

/// The text in quotation marks for a message.
pub fn quoted(text: &str) -> String {
    format!("{:?}", shortened(text, LONGEST))
}

/// The whole text with escapes for what would steer a terminal.
pub fn harmless(text: &str) -> String {
    struct Whole<'a>(&'a str);
    impl fmt::Display for Whole<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            escape(self.0, f)
        }
    }
    Whole(text).to_string()
}

/// Several names for a message, the last of very many left out.
pub fn list_shown<T: AsRef<str>>(names: &[T]) -> String {
    let mut list: Vec<String> = names.iter().take(MANY).map(|name| shown(name.as_ref())).collect();
    if names.len() > MANY {
        list.push(format!("… and {} more", names.len() - MANY));
    }
    list.join(", ")
}

/// One name of a path of keys.
pub(super) fn short_name(name: &str) -> Cow<'_, str> {
    shortened(name, LONGEST)
}

/// A text of more than `most` characters as its beginning and its end.
fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    // So few bytes cannot be too many characters.
    if text.len() <= most || text.chars().nth(most).is_none() {
        return Cow::Borrowed(text);
    }
    let end: Vec<char> = text.chars().rev().take(most / 4).collect();
    let begin = text.chars().take(most - most / 4 - 1);
    Cow::Owned(begin.chain(['…']).chain(end.into_iter().rev()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_short_and_keeps_both_ends() {
        let long = format!("begin{}end", "ü".repeat(100_000));
        let text = shown(&long);
        assert_eq!(text.chars().count(), LONGEST);
        assert!(text.starts_with("begin") && text.ends_with("end") && text.contains('…'));
        assert_eq!(shown(&"ü".repeat(LONGEST)), "ü".repeat(LONGEST));
    }

    #[test]
    fn numbers_have_few_digits() {
        for (x, text) in [(20.0, "20"), (1e308, "1e308"), (5e-324, "5e-324"), (-0.0, "-0")] {
            assert_eq!(Number(x).to_string(), text);
        }
        assert_eq!(Number(f64::NAN).to_string(), "NaN");
    }

    #[test]
    fn steers_no_terminal() {
        assert_eq!(shown("a\u{1b}[31mb\n\u{202e}c"), "a\\u{1b}[31mb\\u{a}\\u{202e}c");
        assert!(!quoted("\u{1b}[2J\u{9b}").contains(['\u{1b}', '\u{9b}']));
    }
}
