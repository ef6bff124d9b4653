//! Named numbers of a table, as formulas use them.
use crate::problem_file::{Kind as NodeKind, Node, Place, Reader, SpecError, wrong};
use lieflow::Mat3;
use lieflow_formula::Kind;

/// Names, each with its kind and its place, and all their numbers one after the other.
#[derive(Clone, Debug, Default)]
pub struct Values<'a> {
    /// The names, with their kinds and places.
    pub names: Vec<(&'a str, Kind, Option<&'a Place>)>,
    /// Their numbers.
    pub numbers: Vec<f64>,
}

impl<'a> Values<'a> {
    /// One more name, with its numbers.
    pub fn push(&mut self, name: &'a str, kind: Kind, place: Option<&'a Place>, numbers: &[f64]) {
        self.names.push((name, kind, place));
        self.numbers.extend(numbers);
    }
    /// A matrix.
    pub fn push_matrix(&mut self, name: &'a str, m: &Mat3<f64>) {
        let numbers: Vec<f64> = m.rows.iter().flat_map(|row| row.to_array()).collect();
        self.push(name, Kind::Matrix, None, &numbers);
    }
    /// Whether a name is there.
    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|(known, ..)| *known == name)
    }
    /// The keys of a table that nothing else has read.
    pub fn read_rest(&mut self, table: &Reader<'a>) -> Result<(), SpecError> {
        for (key, node) in table.rest() {
            let kind = read_value(node, table, &mut self.numbers)?;
            self.names.push((key, kind, Some(&node.place)));
        }
        Ok(())
    }
    /// Those names of another list that are not here yet.
    pub fn add_others(&mut self, others: &Values<'a>) {
        let mut next = 0;
        for (name, kind, place) in &others.names {
            let range = next..next + kind.size();
            next = range.end;
            if !self.has(name) {
                self.push(name, kind.clone(), *place, &others.numbers[range]);
            }
        }
    }
    /// Each name with its kind and its numbers.
    pub fn parameters(&self) -> Vec<(String, Kind, Vec<f64>)> {
        let mut next = 0;
        let owned = |(name, kind, _): &(&'a str, Kind, Option<&'a Place>)| {
            let range = next..next + kind.size();
            next = range.end;
            (name.to_string(), kind.clone(), self.numbers[range].to_vec())
        };
        self.names.iter().map(owned).collect()
    }
    /// The numbers of a name.
    pub fn get(&self, name: &str) -> Option<&[f64]> {
        let mut next = 0;
        for (known, kind, _) in &self.names {
            let range = next..next + kind.size();
            next = range.end;
            if *known == name {
                return self.numbers.get(range);
            }
        }
        None
    }
}

const EXPECTED: &str = "a number, a vector of three numbers, a matrix of three rows, \
     { diagonal = […] }, a rotation such as { vector = […] }, or a list of these";

/// A number, vector, matrix, rotation or list; its numbers are added to `out`.
pub fn read_value(node: &Node, table: &Reader<'_>, out: &mut Vec<f64>) -> Result<Kind, SpecError> {
    match &node.kind {
        NodeKind::Number(_) | NodeKind::Integer(_) => {
            out.push(crate::problem_file::as_number(node)?);
            Ok(Kind::Number)
        }
        NodeKind::Table(_) => {
            let inner = table.reader(node)?;
            let matrix = match inner.has("diagonal") {
                true => {
                    let matrix = Mat3::diagonal(inner.vector("diagonal")?);
                    inner.finish()?;
                    matrix
                }
                false => inner.as_rotation()?,
            };
            out.extend(matrix.rows.iter().flat_map(|row| row.to_array()));
            Ok(Kind::Matrix)
        }
        NodeKind::List(items) if !items.is_empty() => {
            let mut kind: Option<Kind> = None;
            for item in items {
                let this = read_value(item, table, out)?;
                if *kind.get_or_insert_with(|| this.clone()) != this {
                    return Err(wrong(item, "a value of the same kind as the others of its list"));
                }
            }
            Ok(match (kind, items.len()) {
                (Some(Kind::Number), 3) => Kind::Vector,
                (Some(Kind::Vector), 3) if items.iter().all(is_list) => Kind::Matrix,
                (Some(kind), count) => kind.list(count),
                (None, _) => return Err(wrong(node, EXPECTED)),
            })
        }
        _ => Err(wrong(node, EXPECTED)),
    }
}

fn is_list(node: &Node) -> bool {
    matches!(node.kind, NodeKind::List(_))
}
