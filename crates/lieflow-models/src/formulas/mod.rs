//! Formulas in problem files: from texts and named numbers to programs, and what is watched by them.
//!
//! ```text
//! tables ──values──▶ names and numbers ┐
//! texts, each with its place           ├─scope──▶ Program (once for a file) + numbers (a trajectory)
//! [definitions]                        ┘
//! ```
//!
//! A program is made once for a file and kept by its [`Programs`]; a trajectory of an ensemble brings
//! other numbers only.
mod check;
mod declared;
mod equations;
mod explain;
mod names;
mod programs;
mod scope;
mod text;
mod values;
mod watchlist;

pub use check::Chance;
use declared::Declared;
pub use equations::{Derivation, Equations, Motion, Part, Space};
pub use explain::Explanation;
pub use names::intern;
pub use programs::Programs;
pub use scope::Scope;
pub use text::{Sources, Text};
pub use values::{Values, read_value};
pub use watchlist::{WatchedEvent, Watchlist};

use crate::problem_file::{Kind, Reader, SpecError};

/// What a file brings for its formulas, whatever the system is.
#[derive(Debug)]
pub struct FileFormulas<'a> {
    /// `[definitions]` that are formulas.
    pub definitions: Vec<Text<'a>>,
    /// `[definitions]` that are numbers.
    pub constants: Values<'a>,
    /// Where programs are kept.
    pub programs: &'a Programs,
    /// Where texts stand.
    pub sources: &'a Sources,
    /// Whether anything but the system itself uses formulas: observables, invariants or events.
    pub watches: bool,
}

impl<'a> FileFormulas<'a> {
    /// The definitions of a table.
    pub fn read(
        definitions: &Reader<'a>,
        programs: &'a Programs,
        sources: &'a Sources,
        watches: bool,
    ) -> Result<Self, SpecError> {
        let (mut texts, mut constants) = (Vec::new(), Values::default());
        for (key, node) in definitions.rest() {
            if let Kind::Text(_) = node.kind {
                texts.push(Text::of(key, node)?);
            } else {
                let kind = read_value(node, definitions, &mut constants.numbers)?;
                constants.names.push((key, kind, Some(&node.place)));
            }
        }
        Ok(Self { definitions: texts, constants, programs, sources, watches })
    }

    /// Whether the file has formulas beside those of its system.
    pub fn any(&self) -> bool {
        self.watches || !self.definitions.is_empty() || !self.constants.names.is_empty()
    }

    /// A scope with parts of a state and parameters; the constants of the file are added.
    pub fn scope<'s>(
        &'s self,
        state: Vec<(&'s str, lieflow_formula::Kind)>,
        values: Values<'s>,
    ) -> Scope<'s>
    where
        'a: 's,
    {
        let mut values = values;
        values.add_others(&self.constants);
        Scope {
            state,
            whole: Vec::new(),
            values,
            definitions: &self.definitions,
            given: Vec::new(),
            derivation: None,
            programs: self.programs,
            sources: self.sources,
        }
    }
}
