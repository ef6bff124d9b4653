//! Settings from the command line laid over a document.
use super::tree::{Kind, Node, Place, Table, parse_value};
use super::{SpecError, parse_toml};

/// One setting: a dotted key and a value, and the option that said so.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    option: String,
    path: Vec<String>,
    value: Node,
}

impl Setting {
    /// From `KEY=VALUE`, as `--set` takes it. KEY is dotted; VALUE is in the TOML format, and a
    /// bare word is a text.
    pub fn parse(option: &str, setting: &str) -> Result<Self, SpecError> {
        let Some((key, value)) = setting.split_once('=') else {
            return Err(SpecError::Wrong {
                place: Place::whole(option),
                found: format!("{setting:?}"),
                expected: "KEY=VALUE, such as initial.omega=[0,0,40]".into(),
            });
        };
        Self::value(option, key.trim(), value.trim())
    }

    /// A value in the TOML format, or a bare word, for a key.
    pub fn value(option: &str, key: &str, value: &str) -> Result<Self, SpecError> {
        let (path, place) = place_of(option, key)?;
        let value = match parse_value(value, &place) {
            Err(_) if is_word(value) => Node { place, kind: Kind::Text(value.to_string()) },
            Err(_) if is_bare_list(value) => {
                return Err(SpecError::Wrong {
                    place,
                    found: value.into(),
                    expected: format!("one value; a list is written in brackets: {key}=[{value}]"),
                });
            }
            other => other?,
        };
        Ok(Self { option: option.into(), path, value })
    }

    /// Whether it is for this key.
    pub fn sets(&self, key: &str) -> bool {
        self.path.iter().map(String::as_str).eq(key.split('.'))
    }

    /// A text for a key, as it stands.
    pub fn text(option: &str, key: &str, text: &str) -> Result<Self, SpecError> {
        let (path, place) = place_of(option, key)?;
        let value = Node { place, kind: Kind::Text(text.to_string()) };
        Ok(Self { option: option.into(), path, value })
    }

    /// A value that is there already, for a key.
    pub fn node(option: &str, key: &str, value: Node) -> Result<Self, SpecError> {
        let (path, place) = place_of(option, key)?;
        Ok(Self { option: option.into(), path, value: moved(value, &place) })
    }
}

/// A value with all that is in it, at another place.
fn moved(node: Node, place: &Place) -> Node {
    let kind = match node.kind {
        Kind::List(items) => {
            let item = |(i, item)| moved(item, &Place { item: i as u32 + 1, ..place.clone() });
            Kind::List(items.into_iter().enumerate().map(item).collect())
        }
        Kind::Table(table) => {
            let entry = |(key, _, node): (String, Place, Node)| {
                let place = place.child(&key);
                (key, place.clone(), moved(node, &place))
            };
            Kind::Table(Table { entries: table.entries.into_iter().map(entry).collect() })
        }
        plain => plain,
    };
    Node { place: place.clone(), kind }
}

/// Lays a setting over a document. Tables on the way are made where they are missing.
pub fn overlay(root: &mut Node, setting: &Setting) -> Result<(), SpecError> {
    insert(root, &setting.path, setting)
}

/// The path and the place of a setting.
fn place_of(option: &str, key: &str) -> Result<(Vec<String>, Place), SpecError> {
    let path = path_of(option, key)?;
    let place = Place { key: path.join(".").into(), ..Place::whole(option) };
    Ok((path, place))
}

/// The parts of a dotted key.
fn path_of(option: &str, key: &str) -> Result<Vec<String>, SpecError> {
    let bad = || SpecError::Wrong {
        place: Place::whole(option),
        found: format!("the key {key:?}"),
        expected: "names joined by points, such as solve.step".into(),
    };
    // Most keys have no quotes.
    let bare = |name: &str| {
        let part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        !name.is_empty() && name.chars().all(part)
    };
    if key.split('.').all(bare) {
        return Ok(key.split('.').map(String::from).collect());
    }
    let mut path = Vec::new();
    // One key on one line; anything else in the text would be a second statement.
    if key.contains(['\n', '\r', '=', '#']) {
        return Err(bad());
    }
    let mut node = parse_toml(&format!("{key} = 0"), option).map_err(|_| bad())?;
    while let Kind::Table(mut table) = node.kind {
        let Some((name, _, inner)) = table.entries.pop() else { return Err(bad()) };
        path.push(name);
        node = inner;
    }
    Ok(path)
}

/// Whether an unquoted value may stand for itself, as method names do.
fn is_word(value: &str) -> bool {
    value.starts_with(|c: char| c.is_ascii_alphabetic())
        && value.chars().all(|c| c.is_ascii_alphanumeric() || "_-.@+/".contains(c))
}

/// Whether numbers stand with commas between them, as a list without its brackets.
fn is_bare_list(value: &str) -> bool {
    value.contains(',') && value.split(',').all(|x| x.trim().parse::<f64>().is_ok())
}

fn insert(node: &mut Node, path: &[String], setting: &Setting) -> Result<(), SpecError> {
    let Some((name, rest)) = path.split_first() else {
        *node = setting.value.clone();
        return Ok(());
    };
    let place = &setting.value.place;
    let found = node.found();
    let Kind::Table(table) = &mut node.kind else {
        return Err(SpecError::Wrong {
            place: place.clone(),
            found: format!("{found} at '{}'", node.place.key),
            expected: "a table there".into(),
        });
    };
    let index = match table.entries.iter().position(|(key, ..)| key == name) {
        Some(index) => index,
        None => {
            let child = Place { key: node.place.child(name).key, ..place.clone() };
            let empty = Node { place: child.clone(), kind: Kind::Table(Table::default()) };
            table.entries.push((name.clone(), child, empty));
            table.entries.len() - 1
        }
    };
    let (_, key_place, inner) = &mut table.entries[index];
    if rest.is_empty() {
        *key_place = place.clone();
    }
    insert(inner, rest, setting)
}
