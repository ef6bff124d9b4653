//! What an ensemble is: how many trajectories, what varies, what is observed. The table
//! `[ensemble]` of a problem file.
//!
//! ```toml
//! [ensemble]
//! count = 100000
//! seed = 2024
//! times = [0.5, 1.0]                 # when to observe; the end unless given
//! quantiles = [0.05, 0.5, 0.95]
//!
//! [[ensemble.vary]]
//! key = "initial.omega"
//! uniform = [[-1, -1, 20], [1, 1, 60]]
//! ```
use crate::draw::{self, Draw};
use crate::philox::name_number;
use lieflow_files::Hash;
use lieflow_models::problem_file::{Document, KeyPath, Place, Reader, SpecError, shown};
use lieflow_models::run::{Plan, read_times};
use std::cell::RefCell;
use std::collections::HashSet;

mod template;

pub use template::Template;

/// More trajectories than this cannot be counted in the files.
const MOST: u64 = 1 << 40;
/// More quantiles than this are no summary.
const MOST_QUANTILES: usize = 1000;
/// More keys than this do not vary.
const MOST_KEYS: usize = 1000;

/// A key that varies.
#[derive(Clone, Debug)]
pub struct Vary {
    /// The key.
    pub key: String,
    /// Where its values come from.
    pub draw: Draw,
    /// The words that its values stand for, if it has words and not numbers.
    pub words: Vec<String>,
    /// Whether a value is a list.
    list: bool,
    /// For a grid, the trajectories between two of its points.
    stride: u64,
    path: KeyPath,
    what: u32,
}

/// An ensemble, read and checked.
#[derive(Clone, Debug)]
pub struct Design {
    /// The problem; its varied keys change from one trajectory to the next.
    document: Document,
    /// Whether numbers may be put into a system that is there: all that varies is in `[initial]`.
    in_place: bool,
    /// How it is solved.
    pub plan: Plan,
    /// How many trajectories.
    pub count: u64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// What varies.
    pub vary: Vec<Vary>,
    /// When states are observed: in the order of the run, the end last.
    pub times: Vec<f64>,
    /// Which quantiles are wanted, each between zero and one.
    pub quantiles: Vec<f64>,
    /// Where the table is written, for messages.
    pub place: Place,
    /// The files that were read, by name, with their SHA-256 checksums.
    pub files: Vec<(String, String)>,
}

impl Design {
    /// Reads the design of a document; `open` reads a file by its name.
    pub fn read(
        document: &Document,
        open: &dyn Fn(&str) -> std::io::Result<String>,
    ) -> Result<Self, SpecError> {
        let mut plan = document.plan()?;
        let mut varied = document.clone();
        let table = document.ensemble()?.ok_or_else(|| SpecError::Missing {
            place: Place::whole(&document.origin()),
            key: "ensemble".into(),
            expected: "a table [ensemble] that says how many trajectories and what varies".into(),
            suggestion: None,
        })?;
        let mut vary = Vec::new();
        let files = RefCell::new(Vec::new());
        let open = |name: &str| {
            let text = open(name)?;
            files.borrow_mut().push((name.to_string(), Hash::of(text.as_bytes()).to_string()));
            Ok(text)
        };
        for entry in table.subs("vary")?.into_iter().take(MOST_KEYS + 1) {
            vary.push(read_vary(&entry, &mut varied, &open)?);
        }
        let mut files = files.take();
        files.sort();
        files.dedup();
        if vary.len() > MOST_KEYS {
            return Err(table.refuse("vary", &format!("at most {MOST_KEYS} keys that vary")));
        }
        if vary.is_empty() {
            return Err(
                table.missing("vary", "tables [[ensemble.vary]], one for each key that varies")
            );
        }
        let mut keys = HashSet::new();
        if let Some(v) = vary.iter().find(|v| !keys.insert(v.key.as_str())) {
            let expected = format!("each key once; '{}' stands there twice", shown(&v.key));
            return Err(table.refuse("vary", &expected));
        }
        // Grids are a product, the last one running fastest; lists beside them too, unless a count
        // says that entry `i` is for trajectory `i`.
        if !table.has("count") && vary.iter().any(|v| v.draw.points().is_some()) {
            for v in &mut vary {
                if let Draw::List(items) = &mut v.draw {
                    v.draw = Draw::Axis(std::mem::take(items));
                }
            }
        }
        let mut stride: u64 = 1;
        for v in vary.iter_mut().rev() {
            v.stride = stride;
            stride = stride.saturating_mul(v.draw.points().unwrap_or(1));
        }
        let count = read_count(&table, &vary)?;
        let seed = table.optional_integer("seed")?.unwrap_or(0);
        let mut times = match table.has("times") {
            true => read_times(&table, "times", plan.from, plan.until)?,
            false => Vec::new(),
        };
        if times.last() != Some(&plan.until) {
            times.push(plan.until);
        }
        let quantiles = match table.has("quantiles") {
            true => table.numbers("quantiles")?,
            false => vec![0.05, 0.25, 0.5, 0.75, 0.95],
        };
        let inside = quantiles.iter().all(|q| (0.0..=1.0).contains(q));
        if !inside || !quantiles.is_sorted() || quantiles.len() > MOST_QUANTILES {
            let expected =
                format!("at most {MOST_QUANTILES} numbers from 0 to 1, in growing order");
            return Err(table.refuse("quantiles", &expected));
        }
        table.finish()?;
        plan.watch = false;
        plan.every = u64::MAX;
        // Tables of ensembles have the state and what a file asks to be computed of it.
        plan.written.positions = false;
        plan.times = times.clone();
        // Wherever it is said what varies, the keys of the file stay those that count.
        let known = document.initial_from_file() && vary.iter().all(|v| document.has_key(&v.key));
        let in_place = only(&vary, "initial") && (known || varied.initial_from_file());
        let place = table.place().clone();
        Ok(Self {
            document: varied,
            in_place,
            plan,
            count,
            seed,
            vary,
            times,
            quantiles,
            place,
            files,
        })
    }

    /// The names of the varied numbers, for the head of a table.
    pub fn inputs(&self) -> Vec<String> {
        let names = |v: &Vary| -> Vec<String> {
            if !v.list {
                return vec![v.key.clone()];
            }
            (1..=v.draw.width()).map(|k| format!("{}[{k}]", v.key)).collect()
        };
        self.vary.iter().flat_map(names).collect()
    }

    /// The word that the varied number `k`, in the order of [`Design::inputs`], stands for.
    pub fn input_word(&self, k: usize, x: f64) -> Option<&str> {
        let mut of_each = self.vary.iter().flat_map(|v| std::iter::repeat_n(v, v.draw.width()));
        of_each.nth(k)?.words.get(x as usize).map(String::as_str)
    }

    /// The axes of the product that the trajectories form, with their numbers of points.
    pub fn axes(&self) -> Vec<(&str, u64)> {
        self.vary.iter().filter_map(|v| Some((v.key.as_str(), v.draw.points()?))).collect()
    }

    /// A copy of the problem whose varied keys can be filled.
    pub fn template(&self) -> Template<'_> {
        Template { design: self, document: self.document.clone() }
    }

    /// Whether the numbers of a trajectory may be put into the system of another.
    pub fn in_place(&self) -> bool {
        self.in_place
    }

    /// Whether only keys of this table vary.
    pub fn varies_only(&self, table: &str) -> bool {
        only(&self.vary, table)
    }

    /// Whether a key of `[solve]` varies, so that each trajectory has a plan of its own.
    pub fn varies_plan(&self) -> bool {
        self.vary.iter().any(|v| v.key.starts_with("solve."))
    }
}

impl Vary {
    /// The place of a trajectory on the axis of this grid.
    fn place(&self, index: u64) -> usize {
        self.draw.points().map_or(0, |points| (index / self.stride % points) as usize)
    }
}

/// Whether only keys of this table vary.
fn only(vary: &[Vary], table: &str) -> bool {
    vary.iter().all(|v| v.key.split('.').next() == Some(table))
}

fn read_vary(
    entry: &Reader<'_>,
    document: &mut Document,
    open: &dyn Fn(&str) -> std::io::Result<String>,
) -> Result<Vary, SpecError> {
    let key = entry.text("key")?.to_string();
    let (draw, list) = draw::read(entry, open)?;
    let words = draw::words(entry);
    if matches!(key.as_str(), "solve.from" | "solve.until") {
        return Err(entry.refuse("key", "a key that may vary; all trajectories share the interval"));
    }
    if key == "solve.method" && words.is_empty() {
        let expected =
            "a list of methods, such as list = [\"rattle\", \"exs\"], where the method varies";
        return Err(entry.refuse("key", expected));
    }
    entry.finish()?;
    let path = document.key_path(&key, &entry.place_of("key"))?;
    let what = name_number(&key);
    Ok(Vary { key, draw, words, list, stride: 1, path, what })
}

/// The number of trajectories: as said, or as many as a grid, a file or a list has.
fn read_count(table: &Reader<'_>, vary: &[Vary]) -> Result<u64, SpecError> {
    let mut grid: Option<u64> = None;
    let (mut rows, mut list): (Option<u64>, Option<u64>) = (None, None);
    for v in vary {
        match &v.draw {
            axis @ (Draw::Grid(_) | Draw::Axis(_)) => {
                let points = axis.points().unwrap_or(1);
                grid = Some(grid.unwrap_or(1).saturating_mul(points));
            }
            Draw::Rows(r) => rows = Some(rows.unwrap_or(u64::MAX).min(r.count())),
            Draw::List(items) => list = Some(list.unwrap_or(0).max(items.len() as u64)),
            _ => {}
        }
    }
    let natural = grid.or(rows).or(list);
    let count = match (table.optional_integer("count")?, natural) {
        (Some(count), _) => count,
        (None, Some(natural)) => natural,
        (None, None) => table.integer("count")?,
    };
    if count == 0 || count > MOST {
        return Err(table.refuse("count", &format!("a whole number from 1 to {MOST}")));
    }
    if let Some(rows) = rows.filter(|rows| *rows < count) {
        let expected = format!("at most {rows}, the number of rows of the file");
        return Err(table.refuse("count", &expected));
    }
    Ok(count)
}
