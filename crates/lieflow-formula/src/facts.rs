//! What can be told of a program without running it.
use crate::error::Place;
use crate::graph::{Id, Op};
use crate::kind::Kind;
use crate::program::{Program, Variable};
use crate::sheet::Sheet;

/// A place where a formula is not smooth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kink {
    /// The function that makes it: `abs`, `if`, …
    pub function: String,
    /// Where.
    pub place: Place,
}

/// What an entry costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Operations, as one would count them by hand.
    pub operations: usize,
    /// Instructions of the tape, after fusing.
    pub instructions: usize,
    /// Registers of the tape.
    pub registers: usize,
    /// Operations that are done once for each system, for all entries together.
    pub once: usize,
}

/// Functions that have kinks, or worse.
const KINKED: &[&str] = &["abs", "min", "max", "if", "sign", "floor", "mod", "clamp", "smoothstep"];

impl Program {
    fn cone(&self, entry: usize) -> Vec<Id> {
        let parts = &*self.0;
        parts.entries.get(entry).map_or(Vec::new(), |entry| parts.graph.cone(&entry.ids))
    }

    /// Which single numbers of a variable an entry reads, from zero.
    pub fn components(&self, entry: usize, variable: &Variable) -> Vec<usize> {
        let range = &variable.range;
        if !variable.parameter {
            let Some(entry) = self.0.entries.get(entry) else { return Vec::new() };
            let read = entry.tape.read.iter().map(|k| *k as usize);
            return read.filter(|k| range.contains(k)).map(|k| k - range.start).collect();
        }
        let place = |id: Id| match self.0.graph.op(id) {
            Op::Param(k) => Some(k as usize),
            _ => None,
        };
        let read = self.cone(entry).into_iter().filter_map(place).filter(|k| range.contains(k));
        read.map(|k| k - range.start).collect()
    }

    /// Whether an entry reads a name: part of the state, `t` or a parameter. What cancels in the
    /// formula, or has no derivative, is not read.
    pub fn reads(&self, entry: usize, name: &str) -> bool {
        self.variable(name).is_some_and(|variable| !self.components(entry, variable).is_empty())
    }

    /// All names that an entry reads.
    pub fn names_read(&self, entry: usize) -> Vec<&str> {
        let read = |variable: &&Variable| !self.components(entry, variable).is_empty();
        self.variables().iter().filter(read).map(|variable| variable.name.as_str()).collect()
    }

    /// The one row of a matrix that an entry reads, from zero: then it depends on a vector that is
    /// fixed in space, and on nothing else of the attitude.
    pub fn row(&self, entry: usize, name: &str) -> Option<usize> {
        let variable = self.variable(name).filter(|variable| variable.kind == Kind::Matrix)?;
        let read = self.components(entry, variable);
        let row = read.first()? / 3;
        read.iter().all(|k| k / 3 == row).then_some(row)
    }

    /// Where an entry is not smooth, in the order of the text.
    pub fn kinks(&self, entry: usize) -> Vec<Kink> {
        let parts = &*self.0;
        let mut list: Vec<Kink> = Vec::new();
        for id in self.cone(entry) {
            if !matches!(parts.graph.op(id), Op::Select(..) | Op::Abs(_) | Op::Floor(_)) {
                continue;
            }
            let Some(place) = Sheet::place(&parts.sources, parts.graph.origin(id)) else {
                continue;
            };
            // Roots choose too, but only what their slope is at zero.
            let word: String = place.text().chars().take_while(|c| c.is_alphanumeric()).collect();
            if KINKED.contains(&word.as_str()) && !list.iter().any(|kink| kink.place == place) {
                list.push(Kink { function: word, place });
            }
        }
        list.sort_by_key(|kink| kink.place.span.start);
        list
    }

    /// What an entry costs.
    pub fn cost(&self, entry: usize) -> Option<Cost> {
        let tape = &self.0.entries.get(entry)?.tape;
        Some(Cost {
            operations: tape.operations,
            instructions: tape.code.len(),
            registers: tape.size,
            once: self.0.prologue.operations,
        })
    }
}
