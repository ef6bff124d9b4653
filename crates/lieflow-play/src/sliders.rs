//! What can be moved: the numbers of a problem file.
use lieflow_models::problem_file::{Document, Kind, Node};
use serde::Serialize;

/// The tables whose numbers have sliders.
const TABLES: [&str; 3] = ["parameters", "initial", "definitions"];
/// Longer lists are data, nothing that a hand would move.
const LONGEST: usize = 9;
/// More numbers than this make no panel.
const MOST: usize = 40;

/// A key of the problem with a number, or a few of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Slider {
    /// The dotted key.
    pub key: String,
    /// Its numbers.
    pub numbers: Vec<f64>,
    /// Whether it is a list in the file, also one of a single number.
    pub list: bool,
    /// How many numbers a row of the list has: a matrix has more than one row.
    pub row: usize,
    /// Whether only whole numbers are meant.
    pub whole: bool,
    /// From where to where the slider of each number goes.
    pub ranges: Vec<[f64; 2]>,
}

impl Slider {
    /// These numbers as a value of the file, if there are as many as before.
    pub fn value(&self, numbers: &[f64]) -> Option<String> {
        if numbers.len() != self.numbers.len() || !numbers.iter().all(|x| x.is_finite()) {
            return None;
        }
        let number = |x: &f64| match self.whole && *x == x.trunc() && x.abs() < 1e15 {
            true => format!("{x:.0}"),
            false => format!("{x:?}"),
        };
        let row =
            |row: &[f64]| format!("[{}]", row.iter().map(number).collect::<Vec<_>>().join(","));
        Some(match (self.list, self.row < numbers.len()) {
            (false, _) => number(&numbers[0]),
            (true, false) => row(numbers),
            (true, true) => {
                let rows: Vec<String> = numbers.chunks(self.row.max(1)).map(row).collect();
                format!("[{}]", rows.join(","))
            }
        })
    }

    /// The part of the state that a key of the initial data stands for.
    pub fn part(&self) -> Option<&str> {
        self.key.strip_prefix("initial.").filter(|part| !part.contains('.'))
    }
}

/// The numbers of a problem that can be moved, in the order of the file.
pub fn sliders(document: &Document) -> Vec<Slider> {
    let mut list = Vec::new();
    let Kind::Table(root) = &document.root().kind else { return list };
    for table in TABLES {
        if let Some(node) = root.get(table) {
            gather(table, node, &mut list);
        }
    }
    let mut room = MOST;
    list.retain(|slider| {
        let fits = slider.numbers.len() <= room;
        room -= if fits { slider.numbers.len() } else { 0 };
        fits
    });
    list
}

fn gather(key: &str, node: &Node, list: &mut Vec<Slider>) {
    if let Kind::Table(table) = &node.kind {
        for (name, _, node) in &table.entries {
            // Such a name would not be one word of a dotted key.
            if name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-')) {
                gather(&format!("{key}.{name}"), node, list);
            }
        }
        return;
    }
    let Some((numbers, row)) = numbers(node) else { return };
    if numbers.is_empty() || numbers.len() > LONGEST || !numbers.iter().all(|x| x.is_finite()) {
        return;
    }
    let is_list = matches!(node.kind, Kind::List(_));
    let whole = matches!(node.kind, Kind::Integer(_)) && is_count(key);
    let largest = numbers.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
    let ranges = numbers.iter().map(|x| range(key, *x, largest, whole)).collect();
    list.push(Slider { key: key.into(), numbers, list: is_list, row, whole, ranges });
}

/// Numbers, and how many of them are in a row.
fn numbers(node: &Node) -> Option<(Vec<f64>, usize)> {
    let number = |node: &Node| match node.kind {
        Kind::Number(x) => Some(x),
        Kind::Integer(n) => Some(n as f64),
        _ => None,
    };
    if let Some(x) = number(node) {
        return Some((vec![x], 1));
    }
    let Kind::List(items) = &node.kind else { return None };
    if let Some(list) = items.iter().map(number).collect::<Option<Vec<f64>>>() {
        let row = list.len();
        return Some((list, row));
    }
    let rows: Option<Vec<Vec<f64>>> = items
        .iter()
        .map(|item| match &item.kind {
            Kind::List(items) => items.iter().map(number).collect(),
            _ => None,
        })
        .collect();
    let rows = rows?;
    let row = rows.first()?.len();
    rows.iter().all(|r| r.len() == row).then(|| (rows.concat(), row))
}

/// Keys that count something: a whole number elsewhere may just be one without a point.
fn is_count(key: &str) -> bool {
    let last = key.rsplit('.').next().unwrap_or(key);
    ["count", "rows", "columns", "power", "brackets"].contains(&last)
}

/// Where a slider goes: about its number, as far as the largest beside it.
fn range(key: &str, x: f64, largest: f64, whole: bool) -> [f64; 2] {
    if whole {
        return [1.0, (3.0 * x).max(4.0)];
    }
    let positive = ["inertia", "mass", "length", "J", "m", "l", "spacing"];
    let last = key.rsplit('.').next().unwrap_or(key);
    let positive =
        positive.iter().any(|word| last == *word || last.trim_end_matches("es") == *word)
            || last.starts_with("mass")
            || last.starts_with("length");
    if positive && x > 0.0 {
        return [0.05 * x, 3.0 * x];
    }
    let reach = match (x.abs(), largest) {
        (_, 0.0) => 1.0,
        (size, largest) => (2.0 * size).max(largest),
    };
    [-reach, reach]
}
