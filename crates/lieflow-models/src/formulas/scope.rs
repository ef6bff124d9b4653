//! What a formula may use, and the program that is made of it.
use super::{Derivation, Programs, Sources, Text, Values};
use crate::problem_file::SpecError;
use lieflow_formula::{Error, Kind, Names, Program, Sheet};
use std::fmt::Write;
use std::sync::Arc;

/// The names of a formula: parts of the state, the time, parameters and definitions.
#[derive(Clone, Debug)]
pub struct Scope<'a> {
    /// Parts of the state.
    pub state: Vec<(&'a str, Kind)>,
    /// Whole numbers that are known now, such as how many bodies there are.
    pub whole: Vec<(&'a str, i64)>,
    /// Parameters.
    pub values: Values<'a>,
    /// Definitions of the file.
    pub definitions: &'a [Text<'a>],
    /// Definitions that come with the system, by name and text; one of the file goes before.
    pub given: Vec<(&'a str, String)>,
    /// What is derived on every sheet, before any other formula.
    pub derivation: Option<Arc<dyn Derivation>>,
    /// Where programs are kept.
    pub programs: &'a Programs,
    /// Where texts stand.
    pub sources: &'a Sources,
}

impl<'a> Scope<'a> {
    /// The program that `make` makes of a sheet with these names and of some texts. It is made once
    /// for these names and texts; `purpose` tells programs of the same texts apart.
    pub fn program(
        &self,
        purpose: &str,
        texts: &[Text<'a>],
        make: impl FnOnce(Sheet) -> Result<Program, Error>,
    ) -> Result<Program, SpecError> {
        self.programs.get(&self.key(purpose, texts), || {
            let made = self.derived().and_then(make);
            made.map_err(|error| self.error(error, texts))
        })
    }

    /// An error of a formula, at its place in the file.
    pub fn error(&self, error: Error, texts: &[Text<'a>]) -> SpecError {
        let mut all: Vec<Text<'_>> = texts.to_vec();
        all.extend(self.definitions);
        let place = |(name, _, place): &(&'a str, Kind, Option<&'a _>)| {
            place.map(|place| Text { key: name, text: name, place })
        };
        all.extend(self.values.names.iter().filter_map(place));
        self.sources.error(error, &all)
    }

    /// A sheet with these names.
    pub fn sheet(&self, texts: &[Text<'a>]) -> Result<Sheet, SpecError> {
        self.derived().map_err(|error| self.error(error, texts))
    }

    /// A sheet with these names, and with what follows from them.
    fn derived(&self) -> Result<Sheet, Error> {
        let mut sheet = Sheet::new(self.names()?)?;
        if let Some(derivation) = &self.derivation {
            derivation.derive(&mut sheet)?;
        }
        Ok(sheet)
    }

    /// The names: inputs of programs are the state in its order, and then the time.
    pub fn names(&self) -> Result<Names, Error> {
        let mut names = Names::new();
        for (name, kind) in &self.state {
            names = names.state(name, kind.clone())?;
        }
        names = names.time()?;
        for (name, value) in &self.whole {
            names = names.whole(name, *value)?;
        }
        for (name, kind, _) in &self.values.names {
            names = names.parameter(name, kind.clone())?;
        }
        for text in self.definitions {
            names = names.define(text.key, text.label(), text.text)?;
        }
        for (name, text) in &self.given {
            // Those that end in an underscore are the system's own: nobody takes their place.
            if names.role(name).is_none() || name.ends_with('_') {
                names = names.define(name, name, text)?;
            }
        }
        Ok(names)
    }

    /// Everything that the program depends on.
    pub fn key(&self, purpose: &str, texts: &[Text<'_>]) -> String {
        let mut key = String::with_capacity(256);
        key.push_str(purpose);
        for (name, kind) in &self.state {
            let _ = write!(key, "\0{name}:{kind:?}");
        }
        for (name, value) in &self.whole {
            let _ = write!(key, "\0{name}={value}");
        }
        for (name, kind, _) in &self.values.names {
            let _ = write!(key, "\0{name}:{kind:?}");
        }
        for text in self.definitions.iter().chain(texts) {
            let _ = write!(key, "\0{}\u{1}{}", text.key, text.text);
        }
        for (name, text) in &self.given {
            let _ = write!(key, "\0{name}\u{1}{text}");
        }
        key
    }
}
