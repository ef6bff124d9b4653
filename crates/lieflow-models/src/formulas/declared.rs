//! The lists `[[observables]]`, `[[invariants]]` and `[[events]]`, as they are written.
use super::watchlist::{Entry, WatchedEvent};
use super::{Equations, Text, intern};
use crate::problem_file::{Reader, SpecError};
use lieflow::stepping::Direction;
use lieflow_formula::{Error, Kind, Program, Sheet, Value};

/// How often a step is looked at for events, unless the file says it.
const LOOKS: u32 = 4;

/// The lists of a file.
pub(super) struct Declared<'a> {
    observables: Vec<(&'static str, Text<'a>)>,
    pub(super) invariants: Vec<Invariant<'a>>,
    events: Vec<DeclaredEvent<'a>>,
}

/// Something declared to be conserved.
pub(super) struct Invariant<'a> {
    pub name: &'static str,
    pub text: Text<'a>,
    /// Whether it is taken as it is.
    pub believe: bool,
}

struct DeclaredEvent<'a> {
    event: WatchedEvent,
    text: Text<'a>,
    /// The parts that it changes: name in the output, kind, formula.
    changes: Vec<(&'static str, Kind, Text<'a>)>,
}

impl<'a> Declared<'a> {
    pub(super) fn read(root: &Reader<'a>, equations: &Equations) -> Result<Self, SpecError> {
        let mut names = Vec::new();
        let mut observables = Vec::new();
        for table in root.subs("observables")? {
            observables.push((name(&table, &mut names)?, text(&table)?));
            table.finish()?;
        }
        let mut invariants = Vec::new();
        for table in root.subs("invariants")? {
            let (name, text) = (name(&table, &mut names)?, text(&table)?);
            invariants.push(Invariant { name, text, believe: table.boolean_or("believe", false)? });
            table.finish()?;
        }
        let mut events = Vec::new();
        for table in root.subs("events")? {
            events.push(DeclaredEvent::read(&table, &mut names, equations)?);
        }
        Ok(Self { observables, invariants, events })
    }

    /// All formulas, in the order of the entries.
    pub(super) fn texts(&self) -> Vec<Text<'a>> {
        let mut list: Vec<Text<'a>> = self.observables.iter().map(|(_, text)| *text).collect();
        list.extend(self.invariants.iter().map(|invariant| invariant.text));
        for event in &self.events {
            list.push(event.text);
            list.extend(event.changes.iter().map(|(.., text)| *text));
        }
        list
    }

    /// The program with an entry for each formula. Definitions that nothing uses are checked too.
    pub(super) fn program(&self, mut sheet: Sheet) -> Result<Program, Error> {
        sheet.check_definitions()?;
        let mut values: Vec<(&str, Value)> = Vec::new();
        for (_, text) in &self.observables {
            values.push((text.label(), sheet.formula(text.label(), text.text)?));
        }
        for Invariant { text, .. } in &self.invariants {
            values.push((text.label(), sheet.formula(text.label(), text.text)?));
        }
        for DeclaredEvent { text, changes, .. } in &self.events {
            values.push((text.label(), sheet.formula_of(text.label(), text.text, &Kind::Number)?));
            for (_, kind, text) in changes {
                values.push((text.label(), sheet.formula_of(text.label(), text.text, kind)?));
            }
        }
        let entries: Vec<(&str, &Value)> = values.iter().map(|(name, v)| (*name, v)).collect();
        sheet.program(&entries)
    }

    /// What the entries of the program are for.
    pub(super) fn entries(
        self,
        program: &Program,
    ) -> (Vec<Entry>, Vec<(&'static str, Entry, usize)>, Vec<WatchedEvent>) {
        let mut next = 0;
        let mut entry = |name: &'static str| {
            let kind = program.kind(next).cloned().unwrap_or(Kind::Number);
            next += 1;
            Entry { name, number: next - 1, kind }
        };
        let observables = self.observables.iter().map(|(name, _)| entry(name)).collect();
        let mut invariants = Vec::new();
        for invariant in &self.invariants {
            let entry = entry(invariant.name);
            let names = scalar_names(invariant.name, &entry.kind);
            let scalars = names.into_iter().enumerate();
            invariants.extend(scalars.map(|(place, name)| (name, entry.clone(), place)));
        }
        let mut events = Vec::new();
        for declared in self.events {
            let mut event = declared.event;
            event.entry = entry(event.name).number;
            let change = |(part, ..): &(&'static str, Kind, Text<'a>)| (*part, entry(part));
            event.changes = declared.changes.iter().map(change).collect();
            events.push(event);
        }
        (observables, invariants, events)
    }
}

impl<'a> DeclaredEvent<'a> {
    fn read(
        table: &Reader<'a>,
        names: &mut Vec<&'static str>,
        equations: &Equations,
    ) -> Result<Self, SpecError> {
        let name = name(table, names)?;
        let text = text(table)?;
        let direction =
            match table.choice_or("direction", &["both", "rising", "falling"], "both")? {
                "rising" => Direction::Rising,
                "falling" => Direction::Falling,
                _ => Direction::Either,
            };
        let stops = table.choice_or("then", &["note", "stop"], "note")? == "stop";
        let after = table.optional_integer("after")?;
        if after == Some(0) || after.is_some() && !stops {
            return Err(table.refuse("after", "a whole number above zero, beside then = \"stop\""));
        }
        let looks = table.optional_integer("looks")?.unwrap_or(u64::from(LOOKS));
        let looks = match u32::try_from(looks) {
            Ok(looks @ 1..=1000) => looks,
            _ => return Err(table.refuse("looks", "a whole number from 1 to 1000")),
        };
        let mut changes = Vec::new();
        if let Some(change) = table.optional_sub("change")? {
            for (key, node) in change.rest() {
                let Some(part) = equations.state.iter().find(|part| part.name == key) else {
                    let known = equations.state.iter().map(|part| part.name.as_str());
                    let place = node.place.clone();
                    return Err(SpecError::unknown_name(place, "part of the state", key, known));
                };
                let shown = match part.shown[..] {
                    [one] => one,
                    _ => intern(&part.name),
                };
                changes.push((shown, part.kind.clone(), Text::of(key, node)?));
            }
        }
        table.finish()?;
        let event = WatchedEvent {
            name,
            direction,
            stop_after: stops.then(|| after.unwrap_or(1)),
            looks,
            place: table.place().clone(),
            changes: Vec::new(),
            entry: 0,
        };
        Ok(Self { event, text, changes })
    }
}

/// The formula of a table of a list.
fn text<'a>(table: &Reader<'a>) -> Result<Text<'a>, SpecError> {
    Text::of("formula", table.required("formula", "a formula, as a text")?)
}

/// The name of a table of a list; no two are alike, since they name columns.
fn name(table: &Reader<'_>, names: &mut Vec<&'static str>) -> Result<&'static str, SpecError> {
    let name = table.text("name")?;
    let good = !name.trim().is_empty()
        && name.chars().count() <= 100
        && !name.contains(|c: char| c.is_control() || matches!(c, ',' | '"'));
    if !good {
        let expected = "a name of up to 100 characters, without commas and quotes";
        return Err(table.refuse("name", expected));
    }
    let name = intern(name);
    if names.contains(&name) {
        return Err(table.refuse("name", "a name that no other observable, invariant or event has"));
    }
    names.push(name);
    Ok(name)
}

/// The names of the numbers of an invariant.
fn scalar_names(name: &'static str, kind: &Kind) -> Vec<&'static str> {
    match kind {
        Kind::Number => vec![name],
        Kind::Vector => ["x", "y", "z"].map(|axis| intern(&format!("{name}_{axis}"))).to_vec(),
        kind => (1..=kind.size()).map(|k| intern(&format!("{name}_{k}"))).collect(),
    }
}
