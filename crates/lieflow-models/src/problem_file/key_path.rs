//! A place in a document whose numbers change from one trajectory to the next.
use super::SpecError;
use super::overlay::{Setting, overlay};
use super::tree::{Kind, Node, Place};

/// The way to a value, found once and gone many times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPath {
    /// Which entry of each table or list to take.
    way: Vec<usize>,
}

impl KeyPath {
    /// The way to a dotted key that may end in list indices, counted from one. `named_at` is where
    /// the key was written, for messages now and for errors about its values later.
    pub(super) fn find(root: &mut Node, key: &str, named_at: &Place) -> Result<Self, SpecError> {
        let wrong = |expected: &str| SpecError::Wrong {
            place: named_at.clone(),
            found: format!("the key {key:?}"),
            expected: expected.into(),
        };
        let (dotted, indices) = split(key)
            .ok_or_else(|| wrong("names joined by points, perhaps with [1], [2], … at the end"))?;
        let names: Vec<&str> = dotted.split('.').collect();
        if !matches!(names.as_slice(), ["parameters" | "initial" | "solve", _, ..]) {
            return Err(wrong(
                "a key of [parameters], [initial] or [solve], such as initial.omega",
            ));
        }
        if Self::walk(root, &names, &indices).is_none() {
            if !indices.is_empty() {
                return Err(wrong("an entry of a list that the problem has"));
            }
            overlay(root, &Setting::value(&named_at.origin, dotted, "0.0")?)?;
        }
        let way = Self::walk(root, &names, &indices).ok_or_else(|| wrong("a key"))?;
        let path = Self { way };
        if let Some(node) = path.node(root) {
            node.place = Place { key: key.into(), ..named_at.clone() };
        }
        Ok(path)
    }

    /// Whether there is such a key.
    pub(super) fn is_there(root: &Node, key: &str) -> bool {
        split(key).is_some_and(|(dotted, indices)| {
            let names: Vec<&str> = dotted.split('.').collect();
            Self::walk(root, &names, &indices).is_some()
        })
    }

    fn walk(root: &Node, names: &[&str], indices: &[usize]) -> Option<Vec<usize>> {
        let (mut node, mut way) = (root, Vec::new());
        for name in names {
            let Kind::Table(table) = &node.kind else { return None };
            let i = table.entries.iter().position(|(key, ..)| key == name)?;
            way.push(i);
            node = &table.entries[i].2;
        }
        for index in indices {
            let Kind::List(items) = &node.kind else { return None };
            node = items.get(*index)?;
            way.push(*index);
        }
        Some(way)
    }

    fn node<'n>(&self, root: &'n mut Node) -> Option<&'n mut Node> {
        let mut node = root;
        for i in &self.way {
            node = match &mut node.kind {
                Kind::Table(table) => &mut table.entries.get_mut(*i)?.2,
                Kind::List(items) => items.get_mut(*i)?,
                _ => return None,
            };
        }
        Some(node)
    }

    /// Writes a text there.
    pub(super) fn set_text(&self, root: &mut Node, text: &str) {
        if let Some(node) = self.node(root) {
            node.kind = Kind::Text(text.into());
        }
    }

    /// Writes numbers there.
    pub(super) fn set(&self, root: &mut Node, values: &[f64], list: bool) {
        let Some(node) = self.node(root) else { return };
        match (&mut node.kind, values) {
            (kind, [x]) if !list => *kind = Kind::Number(*x),
            (Kind::List(items), _) if items.len() == values.len() => {
                for (item, x) in items.iter_mut().zip(values) {
                    item.kind = Kind::Number(*x);
                }
            }
            (kind, _) => {
                let place = &node.place;
                let item = |x: &f64| Node { place: place.clone(), kind: Kind::Number(*x) };
                *kind = Kind::List(values.iter().map(item).collect());
            }
        }
    }
}

/// `a.b[2][1]` as `a.b` and `[1, 0]`.
fn split(key: &str) -> Option<(&str, Vec<usize>)> {
    let Some(at) = key.find('[') else { return Some((key, Vec::new())) };
    let (dotted, rest) = key.split_at(at);
    let mut indices = Vec::new();
    for part in rest.strip_suffix(']')?.strip_prefix('[')?.split("][") {
        indices.push(part.parse::<usize>().ok()?.checked_sub(1)?);
    }
    Some((dotted, indices))
}
