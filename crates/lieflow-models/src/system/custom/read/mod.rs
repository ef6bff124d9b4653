//! The tables of a problem file that say what a system by formulas is.
use crate::problem_file::{Kind, Node, SpecError, suggestion, wrong};
use lieflow_formula::Source;

pub mod initial;
pub mod motion;
pub mod state;

/// The values of a table by these keys, of which each may be missing; any other key is an error.
pub(super) fn fields<'n, const N: usize>(
    node: &'n Node,
    expected: &str,
    known: [&'static str; N],
) -> Result<[Option<&'n Node>; N], SpecError> {
    let Kind::Table(table) = &node.kind else { return Err(wrong(node, expected)) };
    let mut found = [None; N];
    for (key, place, value) in &table.entries {
        match known.iter().position(|name| name == key) {
            Some(k) => found[k] = Some(value),
            None => {
                return Err(SpecError::UnknownKey {
                    place: place.clone(),
                    suggestion: suggestion(key, known).map(Box::from),
                    known: known.map(String::from).to_vec(),
                });
            }
        }
    }
    Ok(found)
}

/// A key of a table that must be there.
pub(super) fn need<'n>(
    value: Option<&'n Node>,
    table: &Node,
    key: &str,
    expected: &str,
) -> Result<&'n Node, SpecError> {
    value.ok_or_else(|| SpecError::Missing {
        place: table.place.clone(),
        key: key.into(),
        expected: expected.into(),
        suggestion: None,
    })
}

/// A formula: a text, or a plain number.
pub(super) fn formula(node: &Node) -> Result<Source, SpecError> {
    let text = match &node.kind {
        Kind::Text(text) => text.clone(),
        Kind::Integer(n) => n.to_string(),
        Kind::Number(x) if x.is_finite() => format!("{x:?}"),
        _ => return Err(wrong(node, "a formula, as a text")),
    };
    Ok(Source::new(&*node.place.key, text))
}

/// A text.
pub(super) fn text(node: &Node) -> Result<&str, SpecError> {
    match &node.kind {
        Kind::Text(text) => Ok(text),
        _ => Err(wrong(node, "a text")),
    }
}
