//! What a varied key can be: drawn from a distribution, or taken from a list, a grid or a file.
use crate::philox::{Stream, Streams};
use lieflow_models::problem_file::{Kind, Node, Reader, SpecError, list_shown, shown};
use std::collections::HashMap;

/// Where the values of a varied key come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Draw {
    /// Each number uniform between two bounds.
    Uniform {
        /// The lower bounds.
        low: Vec<f64>,
        /// The upper bounds.
        high: Vec<f64>,
    },
    /// Each number normal.
    Normal {
        /// The means.
        mean: Vec<f64>,
        /// The standard deviations.
        deviation: Vec<f64>,
    },
    /// A vector uniform on the sphere.
    Sphere {
        /// The length of the vector.
        radius: f64,
        /// How many numbers it has.
        dimension: usize,
    },
    /// Entry `i` for trajectory `i`, from the beginning again after the last.
    List(Vec<Vec<f64>>),
    /// One axis of a grid. All grids of an ensemble form a product; the last one runs fastest.
    Grid(Vec<f64>),
    /// A list next to grids, where nothing says how many trajectories: one more axis of the product.
    Axis(Vec<Vec<f64>>),
    /// Row `i` of a table for trajectory `i`.
    Rows(Rows),
}

/// The rows of a table, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    width: usize,
    numbers: Vec<f64>,
}

impl Rows {
    /// How many.
    pub fn count(&self) -> u64 {
        (self.numbers.len() / self.width.max(1)) as u64
    }

    /// A row; nothing after the last.
    pub fn get(&self, index: u64) -> &[f64] {
        let first = (index as usize).saturating_mul(self.width);
        self.numbers.get(first..first.saturating_add(self.width)).unwrap_or(&[])
    }
}

/// Appends the first `count` uniform numbers of a stream, two at a time as they come.
fn uniforms(stream: &Stream, count: usize, out: &mut Vec<f64>) {
    for pair in 0..count.div_ceil(2) {
        let pair_of = stream.uniforms(pair as u32);
        out.extend(pair_of.iter().take(count - 2 * pair));
    }
}

/// Appends the first `count` normal numbers of a stream, two at a time as they come.
fn normals(stream: &Stream, count: usize, out: &mut Vec<f64>) {
    for pair in 0..count.div_ceil(2) {
        let pair_of = stream.normals(pair as u32);
        out.extend(pair_of.iter().take(count - 2 * pair));
    }
}

impl Draw {
    /// Appends the values for one trajectory; `place` is its place on the axis of a grid.
    pub fn draw(&self, stream: &Stream, index: u64, place: usize, out: &mut Vec<f64>) {
        let first = out.len();
        match self {
            Self::Uniform { low, high } => {
                uniforms(stream, low.len(), out);
                for ((x, low), high) in out[first..].iter_mut().zip(low).zip(high) {
                    *x = low + (high - low) * *x;
                }
            }
            Self::Normal { mean, deviation } => {
                normals(stream, mean.len(), out);
                for ((x, mean), deviation) in out[first..].iter_mut().zip(mean).zip(deviation) {
                    *x = mean + deviation * *x;
                }
            }
            Self::Sphere { radius, dimension } => {
                normals(stream, *dimension, out);
                let v = &mut out[first..];
                let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
                v.iter_mut().for_each(|x| *x = radius * *x / length);
            }
            Self::List(items) => {
                out.extend_from_slice(&items[(index % items.len() as u64) as usize]);
            }
            Self::Grid(points) => out.push(points[place]),
            Self::Axis(items) => out.extend_from_slice(&items[place]),
            Self::Rows(rows) => out.extend_from_slice(rows.get(index)),
        }
    }

    /// Writes the values for neighbouring trajectories, each `stride` numbers after the one before, if they are drawn
    /// faster together.
    pub fn draw_together(&self, streams: &Streams, stride: usize, out: &mut [f64]) -> bool {
        let Self::Uniform { low, high } = self else { return false };
        let mut pairs = vec![[0.0; 2]; out.len().div_ceil(stride.max(1))];
        for (pair, (low, high)) in low.chunks(2).zip(high.chunks(2)).enumerate() {
            streams.uniforms(pair as u32, &mut pairs);
            for (out, pair_of) in out.chunks_mut(stride).zip(&pairs) {
                let places = out.iter_mut().skip(2 * pair).zip(pair_of);
                for ((x, u), (low, high)) in places.zip(low.iter().zip(high)) {
                    *x = low + (high - low) * u;
                }
            }
        }
        true
    }

    /// How many points it has as an axis of a product.
    pub fn points(&self) -> Option<u64> {
        match self {
            Self::Grid(points) => Some(points.len() as u64),
            Self::Axis(items) => Some(items.len() as u64),
            _ => None,
        }
    }

    /// How many numbers a value has.
    pub fn width(&self) -> usize {
        match self {
            Self::Uniform { low, .. } => low.len(),
            Self::Normal { mean, .. } => mean.len(),
            Self::Sphere { dimension, .. } => *dimension,
            Self::List(items) | Self::Axis(items) => items.first().map_or(0, Vec::len),
            Self::Rows(rows) => rows.width,
            Self::Grid(_) => 1,
        }
    }
}

/// The ways to say it in a file.
const WAYS: [&str; 6] = ["uniform", "normal", "sphere", "list", "grid", "csv"];

/// The words of a `list = ["…", "…"]`, such as methods; each stands for its place, counted from zero.
pub fn words(table: &Reader<'_>) -> Vec<String> {
    let Some(Kind::List(items)) = table.optional("list").map(|node| &node.kind) else {
        return Vec::new();
    };
    let word = |node: &Node| match &node.kind {
        Kind::Text(text) => Some(text.clone()),
        _ => None,
    };
    items.iter().map(word).collect::<Option<_>>().unwrap_or_default()
}

/// Reads what varies; `true` if its values are lists. `open` reads a file by the name given.
pub fn read(
    table: &Reader<'_>,
    open: &dyn Fn(&str) -> std::io::Result<String>,
) -> Result<(Draw, bool), SpecError> {
    match table.just_one_of(&WAYS)? {
        "uniform" => {
            let expected = "two bounds, the lower one first: two numbers, or two lists alike";
            let ((low, list), (high, _)) = pair(table, "uniform", expected)?;
            let ordered = low.len() == high.len() && low.iter().zip(&high).all(|(a, b)| a <= b);
            if !ordered {
                return Err(table.refuse("uniform", expected));
            }
            Ok((Draw::Uniform { low, high }, list))
        }
        "normal" => {
            let expected =
                "mean and standard deviation: two numbers, a list and a number, or two lists alike";
            let ((mean, list), (mut deviation, many)) = pair(table, "normal", expected)?;
            if !many {
                deviation = vec![deviation[0]; mean.len()];
            }
            if deviation.len() != mean.len() || deviation.iter().any(|d| *d < 0.0) {
                return Err(table.refuse("normal", expected));
            }
            Ok((Draw::Normal { mean, deviation }, list))
        }
        "sphere" => {
            let radius = table.positive("sphere")?;
            let dimension = table.optional_integer("dimension")?.unwrap_or(3);
            if !(2..=4096).contains(&dimension) {
                return Err(table.refuse("dimension", "a whole number from 2 to 4096"));
            }
            Ok((Draw::Sphere { radius, dimension: dimension as usize }, true))
        }
        "list" => {
            let words = words(table);
            if !words.is_empty() {
                let places = (0..words.len()).map(|place| vec![place as f64]);
                return Ok((Draw::List(places.collect()), false));
            }
            let expected = "a list of numbers, of lists of numbers alike, or of texts";
            let items = table.required("list", expected)?;
            let Kind::List(items) = &items.kind else { return Err(table.refuse("list", expected)) };
            let read: Option<Vec<_>> = items.iter().map(numbers).collect();
            let Some(read) = read.filter(|read| !read.is_empty()) else {
                return Err(table.refuse("list", expected));
            };
            let (width, list) = (read[0].0.len(), read[0].1);
            if read.iter().any(|(v, l)| v.len() != width || *l != list) {
                return Err(table.refuse("list", expected));
            }
            Ok((Draw::List(read.into_iter().map(|(v, _)| v).collect()), list))
        }
        "grid" => {
            let expected = "{ from, to, points } or a list of numbers";
            let node = table.required("grid", expected)?;
            if let Some((points, true)) = numbers(node) {
                return Ok((Draw::Grid(points), false));
            }
            let grid = table.sub("grid")?;
            let (from, to, n) = (grid.number("from")?, grid.number("to")?, grid.integer("points")?);
            if !(2..=1_000_000).contains(&n) {
                return Err(grid.refuse("points", "a whole number from 2 to a million"));
            }
            grid.finish()?;
            let last = (n - 1) as f64;
            let at = |k: u64| if k == n - 1 { to } else { from + (to - from) * (k as f64 / last) };
            Ok((Draw::Grid((0..n).map(at).collect()), false))
        }
        _ => rows(table, open),
    }
}

/// A table in a file.
fn rows(
    table: &Reader<'_>,
    open: &dyn Fn(&str) -> std::io::Result<String>,
) -> Result<(Draw, bool), SpecError> {
    let name = table.text("csv")?;
    let text =
        open(name).map_err(|error| table.refuse("csv", &format!("a file to read ({error})")))?;
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let head: Vec<&str> =
        lines.next().map_or(Vec::new(), |(_, line)| line.split(',').map(str::trim).collect());
    let wanted = table.required("columns", "the names of one or more columns of the file")?;
    let (names, list) = match &wanted.kind {
        Kind::Text(name) => (vec![name.as_str()], false),
        Kind::List(items) => {
            let names = items.iter().map(|item| match &item.kind {
                Kind::Text(name) => Ok(name.as_str()),
                _ => Err(table.refuse("columns", "names of columns")),
            });
            (names.collect::<Result<Vec<_>, _>>()?, true)
        }
        _ => return Err(table.refuse("columns", "the name of a column, or a list of names")),
    };
    // Of two columns with one name the first.
    let places: HashMap<&str, usize> =
        head.iter().copied().enumerate().map(|(i, c)| (c, i)).rev().collect();
    let find = |name: &&str| places.get(name).copied();
    let Some(columns) = names.iter().map(find).collect::<Option<Vec<_>>>() else {
        let expected = format!("columns of {}, which has: {}", shown(name), list_shown(&head));
        return Err(table.refuse("columns", &expected));
    };
    let mut rows = Rows { width: columns.len(), numbers: Vec::new() };
    let mut cells = Vec::new();
    for (number, line) in lines {
        cells.clear();
        cells.extend(line.split(',').map(str::trim));
        let value = |column: &usize| {
            let number_of = cells.get(*column).and_then(|cell| cell.parse::<f64>().ok());
            number_of.filter(|x| x.is_finite())
        };
        for column in &columns {
            let Some(x) = value(column) else {
                let expected = format!(
                    "a file with finite numbers; {} has none in line {}",
                    shown(name),
                    number + 1
                );
                return Err(table.refuse("csv", &expected));
            };
            rows.numbers.push(x);
        }
    }
    if rows.numbers.is_empty() {
        return Err(table.refuse("csv", "a file with a line of names and lines of numbers"));
    }
    Ok((Draw::Rows(rows), list))
}

/// A number or a list of numbers; `true` for a list.
fn numbers(node: &Node) -> Option<(Vec<f64>, bool)> {
    let one = |node: &Node| match node.kind {
        Kind::Number(x) if x.is_finite() => Some(x),
        Kind::Integer(n) => Some(n as f64),
        _ => None,
    };
    match &node.kind {
        Kind::List(items) if !items.is_empty() => {
            items.iter().map(one).collect::<Option<Vec<_>>>().map(|v| (v, true))
        }
        _ => one(node).map(|x| (vec![x], false)),
    }
}

type Numbers = (Vec<f64>, bool);

fn pair(
    table: &Reader<'_>,
    key: &'static str,
    expected: &str,
) -> Result<(Numbers, Numbers), SpecError> {
    let node = table.required(key, expected)?;
    match &node.kind {
        Kind::List(items) if items.len() == 2 => match (numbers(&items[0]), numbers(&items[1])) {
            (Some(a), Some(b)) => Ok((a, b)),
            _ => Err(table.refuse(key, expected)),
        },
        _ => Err(table.refuse(key, expected)),
    }
}
