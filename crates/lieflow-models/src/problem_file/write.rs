//! A tree written as a problem file again, with all settings laid in.
use super::tree::{Kind, Node};

/// The document in the TOML format: plain keys first, then one section per table.
pub(super) fn to_toml(root: &Node) -> String {
    let Kind::Table(table) = &root.kind else { return value(root) };
    let mut text = String::new();
    let is_table = |node: &Node| matches!(node.kind, Kind::Table(_));
    for (key, _, node) in table.entries.iter().filter(|(_, _, node)| !is_table(node)) {
        text += &format!("{} = {}\n", quoted(key), value(node));
    }
    for (key, _, node) in &table.entries {
        if let Kind::Table(inner) = &node.kind {
            text += &format!("\n[{}]\n", quoted(key));
            for (key, _, node) in &inner.entries {
                text += &format!("{} = {}\n", quoted(key), value(node));
            }
        }
    }
    text
}

fn value(node: &Node) -> String {
    match &node.kind {
        Kind::Number(x) if x.is_finite() => format!("{x:?}"),
        Kind::Number(x) if x.is_nan() => "nan".into(),
        Kind::Number(x) => if *x > 0.0 { "inf" } else { "-inf" }.into(),
        Kind::Integer(n) => n.to_string(),
        Kind::Boolean(b) => b.to_string(),
        Kind::Text(text) => string(text),
        // A file cannot hold one; whoever reads this is told so.
        Kind::Function(function) => string(&function.source().name()),
        Kind::List(items) => {
            format!("[{}]", items.iter().map(value).collect::<Vec<_>>().join(", "))
        }
        Kind::Table(table) => {
            let entry =
                |(key, _, node): &(String, _, Node)| format!("{} = {}", quoted(key), value(node));
            format!("{{ {} }}", table.entries.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

fn quoted(key: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !key.is_empty() && key.chars().all(bare) { key.into() } else { string(key) }
}

/// A basic string. JSON's escapes are also TOML's, except that TOML has no escape for `/`.
fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}
