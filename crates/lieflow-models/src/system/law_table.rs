//! Laws of problem files that are formulas: a table with a text and the names that it uses.
use super::Spec;
use crate::formulas::{Equations, Part, Space, Text, Values};
use crate::problem_file::SpecError;
use lieflow::method::Card;
use lieflow_formula::{Error, Formula, Kind, Program, Sheet};

/// The formula of a system as it is written, and the names that formulas of its file may use.
#[derive(Debug, Default)]
pub(super) struct LawTable<'a> {
    /// The formula, if there is one.
    pub text: Option<Text<'a>>,
    /// The names of its table, and of `[parameters]` itself.
    own: Values<'a>,
    beside: Values<'a>,
}

/// What the formula of a system may use, beside the names of its file.
pub(super) struct Given<'a> {
    /// Parts of the state.
    pub state: Vec<(&'a str, Kind)>,
    /// Whole numbers.
    pub whole: Vec<(&'a str, i64)>,
    /// Parameters of the system.
    pub values: Values<'a>,
}

impl<'a> LawTable<'a> {
    /// Reads the table `key` of `[parameters]`, after everything else there: what the system has not
    /// read are names, if the file has formulas.
    pub(super) fn read(spec: &Spec<'a>, key: &'static str) -> Result<Self, SpecError> {
        let mut list = Self::default();
        if let Some(table) = spec.parameters.optional_sub(key)? {
            let node = table.required("formula", "a formula, as a text")?;
            list.text = Some(Text::of("formula", node)?);
            list.own.read_rest(&table)?;
        }
        list.read_names(spec)?;
        Ok(list)
    }

    /// The names of the file for a system that takes no formula.
    pub(super) fn names_only(spec: &Spec<'a>) -> Result<Self, SpecError> {
        let mut list = Self::default();
        list.read_names(spec)?;
        Ok(list)
    }

    fn read_names(&mut self, spec: &Spec<'a>) -> Result<(), SpecError> {
        if self.text.is_some() || spec.formulas.any() {
            self.beside.read_rest(&spec.parameters)?;
        }
        Ok(())
    }

    /// State, whole numbers and parameters of the equations of `n` links or magnets, before what defines their
    /// motion.
    pub(super) fn equations_of_links(&self, values: &Values<'a>, n: usize) -> Equations {
        let list = || Kind::Vector.list(n);
        Equations {
            state: vec![
                part("q", "q", list(), Space::Spheres),
                part("w", "omega", list(), Space::Tangent),
            ],
            whole: vec![("n".into(), n as i64)],
            parameters: self.values(values).parameters(),
            ..Equations::default()
        }
    }

    /// The text in brackets, as a term of another formula; zero if there is none.
    pub(super) fn term(&self, zero: &str) -> String {
        self.text.map_or(zero.into(), |text| format!("({})", text.text))
    }

    /// The names of the system, then those of the table, then those of `[parameters]`. One that is
    /// there twice is an error of the formula.
    pub(super) fn values(&self, system: &Values<'a>) -> Values<'a> {
        let mut values = system.clone();
        values.names.extend(self.own.names.iter().cloned());
        values.numbers.extend(&self.own.numbers);
        let mut beside = Values::default();
        beside.add_others(&self.own);
        let own = beside.names.len();
        let numbers = beside.numbers.len();
        beside.add_others(&self.beside);
        values.names.extend(beside.names.drain(own..));
        values.numbers.extend(&beside.numbers[numbers..]);
        values
    }

    /// The formula with its numbers, if there is one; `make` makes the program of it.
    pub(super) fn formula(
        &self,
        spec: &Spec<'a>,
        given: Given<'a>,
        make: impl FnOnce(Sheet, Text<'a>) -> Result<Program, Error>,
    ) -> Result<Option<Formula<f64>>, SpecError> {
        let Some(text) = self.text else { return Ok(None) };
        let mut scope = spec.formulas.scope(given.state, self.values(&given.values));
        scope.whole = given.whole;
        let program = scope.program("law", &[text], |sheet| make(sheet, text))?;
        let formula = Formula::new(program, scope.values.numbers);
        formula.map(Some).map_err(|error| SpecError::Untrue {
            place: text.place.clone(),
            message: error.to_string(),
        })
    }
}

/// Whether a method works with a Lagrangian.
pub(super) fn is_variational(card: &Card) -> bool {
    let families = ["theta", "variational-rkmk", "natural-chart", "lie-galerkin", "galerkin"];
    families.contains(&card.family)
}

/// A part of a state.
pub(super) fn part(name: &str, shown: &'static str, kind: Kind, space: Space) -> Part {
    Part { name: name.into(), shown: vec![shown], kind, space }
}

/// The definitions of a system, by name and text.
pub(super) fn definitions<const N: usize>(list: [(&str, &str); N]) -> Vec<(String, String)> {
    list.map(|(name, text)| (name.into(), text.into())).to_vec()
}
