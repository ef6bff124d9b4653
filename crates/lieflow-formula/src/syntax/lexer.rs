//! Text to tokens.
use super::Span;
use crate::error::{Error, Fault, Source};

/// The smallest parts of a formula.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// A number.
    Number(f64),
    /// A name.
    Name(String),
    /// An operator or a bracket; `**` is `^`.
    Sign(char),
    /// There is no more.
    End,
}

/// Gives the token at `at`, after white space, and its span.
pub fn token(source: &Source, at: usize) -> Result<(Token, Span), Error> {
    let text = source.text();
    let start = at + text[at..].len() - text[at..].trim_start().len();
    let rest = &text[start..];
    let Some(first) = rest.chars().next() else { return Ok((Token::End, start..start)) };
    let bytes = rest.as_bytes();
    if first.is_ascii_digit() || (first == '.' && bytes.get(1).is_some_and(u8::is_ascii_digit)) {
        return number(source, start);
    }
    if starts_name(first) {
        let end = rest.find(|c: char| !continues_name(c)).unwrap_or(rest.len());
        return Ok((Token::Name(rest[..end].into()), start..start + end));
    }
    for two in ["<=", ">=", "==", "!=", "&&", "||"] {
        if rest.starts_with(two) {
            let error = source.error(Fault::Character, start..start + 2, strange(two));
            return Err(error.found(two).expected("an operator"));
        }
    }
    if rest.starts_with("**") {
        return Ok((Token::Sign('^'), start..start + 2));
    }
    let span = start..start + first.len_utf8();
    if "+-*/^()[],'<>·×=.".contains(first) {
        return Ok((Token::Sign(first), span));
    }
    // Minus signs and products as word processors write them.
    match first {
        '−' => Ok((Token::Sign('-'), span)),
        '⋅' => Ok((Token::Sign('·'), span)),
        _ => {
            let name = first.to_string();
            let error = source.error(Fault::Character, span, strange(&name));
            Err(error.found(name).expected("a value or an operator"))
        }
    }
}

fn starts_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Digits of other scripts are not letters here: `x²` is more likely a square than a name.
fn continues_name(c: char) -> bool {
    starts_name(c) || c.is_ascii_digit()
}

fn number(source: &Source, start: usize) -> Result<(Token, Span), Error> {
    let rest = &source.text()[start..];
    let bytes = rest.as_bytes();
    let digits = |mut k: usize| {
        while bytes.get(k).is_some_and(u8::is_ascii_digit) {
            k += 1;
        }
        k
    };
    let mut end = 0;
    while bytes.get(end).is_some_and(|b| b.is_ascii_digit() || *b == b'.') {
        end += 1;
    }
    if bytes.get(end).is_some_and(|b| b.eq_ignore_ascii_case(&b'e')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let last = digits(end + 1 + sign);
        if last > end + 1 + sign {
            end = last;
        }
    }
    let (word, span) = (&rest[..end], start..start + end);
    let wrong = |message: String| {
        let error = source.error(Fault::Number, span.clone(), message);
        Err(error.found(short(word)).expected("a number"))
    };
    match word.parse::<f64>() {
        Ok(x) if x.is_finite() => Ok((Token::Number(x), span)),
        Ok(_) => wrong(format!("the number {} is too large", short(word))),
        Err(_) => wrong(format!("'{}' is no number", short(word))),
    }
}

/// A word as it is shown in a message.
pub fn short(word: &str) -> String {
    match word.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &word[..at]),
        None => word.into(),
    }
}

/// What to say about a sign that is not of the language, with what may have been meant.
fn strange(sign: &str) -> String {
    let meant = match sign {
        "<=" | ">=" => "; write < or >, which differ from it at one point only",
        "==" | "!=" => "; two numbers are hardly ever equal, compare with < or >",
        "&&" | "||" | "&" | "!" => "; put one 'if' into another",
        "%" => "; a remainder is mod(a, b)",
        "|" => "; absolute values are abs(x), lengths norm(v)",
        "²" => "; a square is written x^2",
        "³" => "; a cube is written x^3",
        "√" => "; a root is written sqrt(x)",
        "{" | "}" => "; use round brackets",
        ";" => "; items are separated by commas",
        "∇" => "; a gradient is written grad(f, x)",
        "∑" => "; a sum is written sum(i, 1, n, …)",
        "’" | "´" | "`" | "\"" => "; a transposed matrix is A' or transpose(A)",
        "÷" => "; a quotient is written a/b",
        _ => "",
    };
    let shown = sign.escape_debug();
    format!("'{shown}' has no meaning in a formula{meant}")
}
