//! A problem in words and symbols: names, equations that were derived, what they cost, which
//! invariants were found, and which methods fit.
use super::check::motion;
use super::{Equations, FileFormulas, Motion, Space};
use crate::problem_file::SpecError;
use crate::run::Model;
use lieflow_formula::{Error, Formula, Program, Rate, Sheet, Value, Variable};
use serde_json::{Value as Json, json};

/// What `lieflow explain` tells.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The system.
    pub system: &'static str,
    /// Names that formulas may use: name, what it is, and its value where it is a number.
    pub names: Vec<(String, String, String)>,
    /// Definitions by name and text.
    pub definitions: Vec<(String, String)>,
    /// How the parts of the state move, as it is written.
    pub motion: Vec<String>,
    /// The same as single operations: what the tape computes, for each part.
    pub derived: Vec<String>,
    /// Operations of each evaluation of the motion, and those that are done once.
    pub operations: Option<(usize, usize)>,
    /// Where the motion is not smooth.
    pub kinks: Vec<String>,
    /// The invariants that are watched.
    pub invariants: Vec<&'static str>,
    /// The methods that fit.
    pub methods: Vec<&'static str>,
    /// Those that fit the system but not this problem, with the reason.
    pub refused: Vec<(&'static str, String)>,
}

impl Explanation {
    /// Of a model with these equations.
    pub fn new(
        model: &dyn Model,
        equations: &Equations,
        file: &FileFormulas<'_>,
    ) -> Result<Self, SpecError> {
        let scope = equations.scope(file);
        let mut rules = Vec::new();
        let sheet = scope.sheet(&[])?;
        let program = motion_program(sheet, equations, &mut rules);
        let program = program.map_err(|error| scope.error(error, &[]))?;
        let formula = Formula::new(program.clone(), scope.values.numbers.clone()).ok();
        let known = rules.len();
        let cost = |k: usize| program.cost(k);
        let total = (0..known).filter_map(cost).map(|cost| cost.operations).sum();
        let once = (0..known).filter_map(cost).map(|cost| cost.once).max().unwrap_or(0);
        let kink = |kink: lieflow_formula::Kink| {
            let place = &kink.place;
            format!("{} in {}, column {}", kink.function, place.source.label(), place.column())
        };
        let mut kinks: Vec<String> = (0..known).flat_map(|k| program.kinks(k)).map(kink).collect();
        kinks.dedup();
        let definitions = file.definitions.iter().map(|text| (text.key.into(), text.text.into()));
        let own = |(name, _): &(String, String)| !file.definitions.iter().any(|t| t.key == name);
        Ok(Self {
            system: model.system(),
            names: names(equations, &program, formula.as_ref()),
            definitions: definitions
                .chain(plain_definitions(equations).into_iter().filter(own))
                .collect(),
            motion: rules.iter().map(|rule| plain(rule)).collect(),
            derived: (0..known).flat_map(|k| program.explain(k)).collect(),
            operations: (known > 0).then_some((total, once)),
            kinks,
            invariants: model.invariants(),
            methods: model.methods().iter().map(|card| card.id).collect(),
            refused: model.refused(),
        })
    }

    /// As a JSON document.
    pub fn to_json(&self) -> Json {
        let name = |(name, kind, value): &(String, String, String)| json!({ "name": name, "kind": kind, "value": value });
        let definition = |(name, text): &(String, String)| json!({ "name": name, "formula": text });
        let refused = |(id, reason): &(&str, String)| json!({ "method": id, "reason": reason });
        json!({
            "system": self.system,
            "names": self.names.iter().map(name).collect::<Vec<_>>(),
            "definitions": self.definitions.iter().map(definition).collect::<Vec<_>>(),
            "motion": self.motion,
            "derived": self.derived,
            "operations": self.operations.map(|(each, _)| each),
            "operations_once": self.operations.map(|(_, once)| once),
            "kinks": self.kinks,
            "invariants": self.invariants,
            "methods": self.methods,
            "refused": self.refused.iter().map(refused).collect::<Vec<_>>(),
        })
    }
}

/// The rates of all parts, one entry each, and the rules by which the parts move.
fn motion_program(
    mut sheet: Sheet,
    equations: &Equations,
    rules: &mut Vec<String>,
) -> Result<Program, Error> {
    let values = motion(&mut sheet, equations)?;
    sheet.check_definitions()?;
    let mut entries = Vec::new();
    for (part, rate) in values {
        let names = equations.state.iter().map(|part| part.name.as_str());
        let name = names.into_iter().find(|name| sheet.get(name).as_ref() == Some(&part));
        let name = name.unwrap_or("state");
        let written = equations.motion.iter().find(|(known, _)| known == name);
        let (symbol, value) = match rate {
            Rate::Shift(value) => (format!("d{name}"), value),
            Rate::Turn(value) => (format!("turn_{name}"), value),
            Rate::Body(value) => (format!("body_{name}"), value),
            Rate::Space(value) => (format!("space_{name}"), value),
        };
        let text = match written {
            Some((_, Motion::Shift(t) | Motion::Turn(t) | Motion::Body(t) | Motion::Space(t))) => t,
            None => &symbol,
        };
        rules.push(match symbol.split_once('_').map(|(rule, _)| rule) {
            Some("turn") => format!("{name}' = ({text}) × {name}"),
            Some("body") => format!("{name}' = {name} hat({text})"),
            Some("space") => format!("{name}' = hat({text}) {name}"),
            _ => format!("{name}' = {text}"),
        });
        entries.push((symbol, value));
    }
    let entries: Vec<(&str, &Value)> = entries.iter().map(|(n, v)| (n.as_str(), v)).collect();
    sheet.program(&entries)
}

/// The definitions of a system as people know them. Names that end in an underscore are its own
/// workings: the plain name tells what they are.
fn plain_definitions(equations: &Equations) -> Vec<(String, String)> {
    let find = |wanted: &str| equations.definitions.iter().find(|(name, _)| name == wanted);
    let mut list: Vec<(String, String)> = Vec::new();
    for (name, text) in &equations.definitions {
        let shown = plain(name);
        if list.iter().all(|(known, _)| *known != shown) {
            let text = find(text).map_or(text, |(_, text)| text);
            list.push((shown, plain(text)));
        }
    }
    list
}

/// A text whose names have no underscore at their end.
fn plain(text: &str) -> String {
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '_' || rest.peek().is_some_and(|next| letter(*next)) {
            out.push(c);
        }
    }
    out
}

/// All names: the state, the time, and parameters with their values.
fn names(
    equations: &Equations,
    program: &Program,
    formula: Option<&Formula<f64>>,
) -> Vec<(String, String, String)> {
    let mut list = Vec::new();
    for part in &equations.state {
        let place = match part.space {
            Space::Vectors => "",
            Space::Spheres => " of length one",
            Space::Rotations => ", a rotation from the body to space",
            Space::Tangent => ", orthogonal to the part before it",
        };
        let shown = part.shown.join(", ");
        let what = format!("state: {}{place} ('{shown}' in the output)", part.kind);
        list.push((part.name.clone(), what, String::new()));
    }
    list.push(("t".into(), "the time".into(), String::new()));
    for (name, value) in &equations.whole {
        list.push((name.clone(), "a whole number".into(), value.to_string()));
    }
    let numbers = formula.map_or(&[] as &[f64], |formula| formula.numbers());
    let shown = |variable: &&Variable| variable.parameter && !variable.name.ends_with('_');
    let parameters = program.variables().iter().filter(shown);
    for Variable { name, kind, range, .. } in parameters {
        let numbers = numbers.get(range.clone()).unwrap_or_default();
        let value = match numbers {
            [x] => format!("{x}"),
            many if many.len() <= 9 => format!("{many:?}"),
            many => format!("{} numbers", many.len()),
        };
        list.push((name.clone(), format!("parameter: {kind}"), value));
    }
    list
}
