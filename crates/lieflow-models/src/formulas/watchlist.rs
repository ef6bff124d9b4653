//! What a file asks to be watched: `[[observables]]`, `[[invariants]]` and `[[events]]`.
use super::{Declared, Equations, FileFormulas, check};
use crate::problem_file::{Place, Reader, SpecError};
use crate::run::State;
use lieflow::problem::Value;
use lieflow::stepping::Direction;
use lieflow_formula::{Formula, Kind};
use std::sync::Arc;

/// Formulas of the state that a run evaluates. Empty unless a file asks for some; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Watchlist(Option<Arc<Watched>>);

#[derive(Debug)]
struct Watched {
    equations: Equations,
    formula: Formula<f64>,
    observables: Vec<Entry>,
    /// One for each number of the invariants: its name, its entry and its place in it.
    invariants: Vec<(&'static str, Entry, usize)>,
    events: Vec<WatchedEvent>,
}

/// An entry of the program with a name.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub name: &'static str,
    pub number: usize,
    pub kind: Kind,
}

/// An event of a file.
#[derive(Clone, Debug)]
pub struct WatchedEvent {
    /// Its name.
    pub name: &'static str,
    /// Which crossings count.
    pub direction: Direction,
    /// The run ends at the occurrence of this number.
    pub stop_after: Option<u64>,
    /// How often each step is looked at.
    pub looks: u32,
    /// Where it is written.
    pub place: Place,
    /// What changes then.
    pub(super) changes: Vec<(&'static str, Entry)>,
    pub(super) entry: usize,
}

impl WatchedEvent {
    /// Whether it changes the state.
    pub fn changes_state(&self) -> bool {
        !self.changes.is_empty()
    }
    /// The parts that it changes, by their names in the output.
    pub fn parts(&self) -> impl Iterator<Item = &'static str> {
        self.changes.iter().map(|(part, _)| *part)
    }
}

impl Watchlist {
    /// Nothing to watch.
    pub const fn new() -> Self {
        Self(None)
    }

    /// The lists of a file, for a system with these equations. Invariants are tested along its motion
    /// before anything is run.
    pub fn read(
        root: &Reader<'_>,
        file: &FileFormulas<'_>,
        equations: Equations,
        start: &State,
    ) -> Result<Self, SpecError> {
        let declared = Declared::read(root, &equations)?;
        let scope = equations.scope(file);
        let texts = declared.texts();
        let program = scope.program("watchlist", &texts, |sheet| declared.program(sheet))?;
        let formula = Formula::new(program, scope.values.numbers.clone()).map_err(|error| {
            SpecError::Untrue { place: root.place().clone(), message: error.to_string() }
        })?;
        file.programs.once(&scope.key("invariants", &texts), || {
            check::invariants(root, &declared, &equations, &scope, start)
        })?;
        let (observables, invariants, events) = declared.entries(formula.program());
        Ok(Self(Some(Arc::new(Watched { equations, formula, observables, invariants, events }))))
    }

    /// Whether there is nothing to watch.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The observables of a state.
    pub fn observables(&self, state: impl FnOnce() -> State) -> Vec<(&'static str, Value)> {
        let Some(watched) = &self.0 else { return Vec::new() };
        if watched.observables.is_empty() {
            return Vec::new();
        }
        let inputs = watched.inputs(&state());
        let value = |entry: &Entry| (entry.name, watched.value(entry, &inputs));
        watched.observables.iter().map(value).collect()
    }

    /// The names of the declared invariants.
    pub fn invariants(&self) -> impl Iterator<Item = &'static str> {
        let list = self.0.iter().flat_map(|watched| &watched.invariants);
        list.map(|(name, ..)| *name)
    }

    /// The value of a declared invariant, by its place in the list.
    pub fn invariant(&self, k: usize, state: &State) -> f64 {
        let Some(watched) = &self.0 else { return f64::NAN };
        let Some((_, entry, place)) = watched.invariants.get(k) else { return f64::NAN };
        watched.numbers(entry, &watched.inputs(state)).get(*place).copied().unwrap_or(f64::NAN)
    }

    /// The events.
    pub fn events(&self) -> &[WatchedEvent] {
        self.0.as_ref().map_or(&[], |watched| &watched.events)
    }

    /// The function of an event, whose zeros are looked for.
    pub fn event_value(&self, event: &WatchedEvent, state: &State) -> f64 {
        let Some(watched) = &self.0 else { return f64::NAN };
        let [value] = watched.formula.call(event.entry, &watched.inputs(state));
        value
    }

    /// What an event changes in a state: the names of parts in the output, with their numbers.
    pub fn changes(&self, event: &WatchedEvent, state: &State) -> Vec<(&'static str, Vec<f64>)> {
        let Some(watched) = &self.0 else { return Vec::new() };
        let inputs = watched.inputs(state);
        let change =
            |(part, entry): &(&'static str, Entry)| (*part, watched.numbers(entry, &inputs));
        event.changes.iter().map(change).collect()
    }

    /// Where a formula breaks down at a state, if one does.
    pub fn breakdown(&self, state: &State) -> Option<String> {
        let watched = self.0.as_ref()?;
        let inputs = watched.inputs(state);
        let entries = 0..watched.formula.program().len();
        entries
            .filter_map(|entry| watched.formula.locate(entry, &inputs))
            .map(|b| b.to_string())
            .next()
    }
}

impl Watched {
    fn inputs(&self, state: &State) -> Vec<f64> {
        let mut inputs = Vec::new();
        self.equations.inputs(state, &mut inputs);
        inputs
    }

    fn numbers(&self, entry: &Entry, inputs: &[f64]) -> Vec<f64> {
        let mut out = vec![0.0; entry.kind.size()];
        self.formula.eval(entry.number, inputs, &mut out, &mut Vec::new());
        out
    }

    fn value(&self, entry: &Entry, inputs: &[f64]) -> Value {
        let numbers = self.numbers(entry, inputs);
        let vectors = || numbers.chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect();
        match (&entry.kind, numbers.as_slice()) {
            (Kind::Number, [x]) => Value::Number(*x),
            (Kind::Vector, [x, y, z]) => Value::Vector([*x, *y, *z]),
            (Kind::List(item, _), _) if **item == Kind::Vector => Value::Vectors(vectors()),
            _ => Value::Numbers(numbers),
        }
    }
}
