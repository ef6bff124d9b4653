//! What is made of a sheet once, for all trajectories and all kinds of numbers.
use crate::error::{Error, Fault, Source};
use crate::graph::{Graph, Id, Map};
use crate::kind::Kind;
use crate::names::Role;
use crate::sheet::Sheet;
use crate::tape::{Tape, Varying};
use crate::value::Value;
use std::ops::Range;
use std::sync::Arc;

/// Tapes for some values of a sheet, its *entries*, by number. Cheap to clone, and shared between
/// threads: the numbers are in [`Formula`](crate::Formula).
#[derive(Clone, Debug)]
pub struct Program(pub(crate) Arc<Parts>);

#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) graph: Graph,
    pub(crate) sources: Vec<Source>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) prologue: Tape,
    /// The constants that the prologue begins with.
    pub(crate) constants: Vec<f64>,
    /// The length of all files together.
    pub(crate) files: usize,
    pub(crate) variables: Vec<Variable>,
    /// What each input, and each parameter, is called.
    pub(crate) inputs: Vec<String>,
    pub(crate) parameters: Vec<String>,
}

#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) ids: Vec<Id>,
    pub(crate) tape: Tape,
    /// Where its file begins among all, and which results of the prologue it holds.
    pub(crate) file: usize,
    pub(crate) fixed: Vec<u32>,
}

/// A name with the range of its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// Of which kind.
    pub kind: Kind,
    /// Its inputs, or its parameters.
    pub range: Range<usize>,
    /// Whether it is a parameter, and not part of the state or the time.
    pub parameter: bool,
}

impl Sheet {
    /// Compiles some values, each with a name.
    pub fn program(&self, entries: &[(&str, &Value)]) -> Result<Program, Error> {
        let full = |name: &str| {
            let message = format!("'{name}' has too many operations");
            Source::new(name, name).error(Fault::Size, 0..0, message)
        };
        let mut list = Vec::new();
        let (mut files, mut wanted, mut number) = (0, Vec::new(), Map::<Id, u32>::default());
        for (name, value) in entries {
            let ids = value.ids();
            if self.graph.is_full() {
                return Err(full(name));
            }
            let tape = Tape::new(&self.graph, Varying::Inputs, &ids).ok_or_else(|| full(name))?;
            let fixed = tape.fixed.iter().map(|id| {
                *number.entry(*id).or_insert_with(|| {
                    wanted.push(*id);
                    (wanted.len() - 1) as u32
                })
            });
            let fixed = fixed.collect();
            let file = files;
            files += tape.size;
            list.push(Entry { name: name.to_string(), kind: value.kind(), ids, tape, file, fixed });
        }
        let prologue = Tape::new(&self.graph, Varying::Parameters, &wanted);
        let prologue = prologue.ok_or_else(|| full("the prologue"))?;
        let constants = prologue.fixed.iter().map(|id| self.graph.constant(*id).unwrap_or(0.0));
        Ok(Program(Arc::new(Parts {
            constants: constants.collect(),
            graph: self.graph.closed(),
            sources: self.sources.clone(),
            entries: list,
            prologue,
            files,
            variables: self.variable_list(),
            inputs: self.inputs.clone(),
            parameters: self.parameters.clone(),
        })))
    }

    fn variable_list(&self) -> Vec<Variable> {
        let (mut inputs, mut parameters) = (0, 0);
        let mut list = Vec::new();
        for (name, role) in self.names.iter() {
            let (kind, parameter) = match role {
                Role::State(kind) => (kind.clone(), false),
                Role::Time => (Kind::Number, false),
                Role::Parameter(kind) => (kind.clone(), true),
                Role::Whole(_) | Role::Definition(..) => continue,
            };
            let next = if parameter { &mut parameters } else { &mut inputs };
            let range = *next..*next + kind.size();
            *next = range.end;
            list.push(Variable { name: name.into(), kind, range, parameter });
        }
        list
    }
}

impl Program {
    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.entries.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.entries.is_empty()
    }
    /// The number of an entry.
    pub fn entry(&self, name: &str) -> Option<usize> {
        self.0.entries.iter().position(|entry| entry.name == name)
    }
    /// The kind of an entry.
    pub fn kind(&self, entry: usize) -> Option<&Kind> {
        self.0.entries.get(entry).map(|entry| &entry.kind)
    }
    /// All variables: state, time and parameters.
    pub fn variables(&self) -> &[Variable] {
        &self.0.variables
    }
    /// A variable by its name.
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.0.variables.iter().find(|variable| variable.name == name)
    }
    /// How many inputs there are: the numbers of the state, and the time.
    pub fn inputs(&self) -> usize {
        self.0.inputs.len()
    }
    /// How many numbers the parameters are.
    pub fn parameters(&self) -> usize {
        self.0.parameters.len()
    }
    /// Whether two programs are the same one.
    pub fn same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
