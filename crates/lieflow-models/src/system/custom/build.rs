//! From the tables of a problem file to a system.
use super::Custom;
use super::derive::{Refusal, derive};
use super::factor::{Factor, Role, Space};
use super::law::{Force, Law};
use super::read::initial::{self, Given};
use super::read::{motion, state};
use super::shape::{PIVOTS, Shape};
use super::verify;
use crate::foreign::Call;
use crate::formulas::{Chance, Derivation, Equations, Part, Text, Values, intern};
use crate::formulas::{Scope, Space as PartSpace};
use crate::problem_file::{Kind as Tree, Node, Place, SpecError, Table, as_function};
use crate::run::Model;
use crate::system::{Spec, SystemEntry};
use lieflow_formula::graph::Op;
use lieflow_formula::{Error, Rate, Sheet, Value};
use std::fmt::Write;
use std::sync::Arc;

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "custom",
    title: "a system by formulas: spaces, and a field or energies on them",
    parameters: "whatever the formulas name: numbers, vectors, matrices, lists",
    initial: "the parts of [state], by their names",
    state: "the parts of [state]",
    methods: crate::system::cards::<Custom<f64>>,
    build,
};

/// What follows from the texts of a file, whatever its numbers are.
#[derive(Debug)]
struct Prepared {
    shape: Arc<Shape>,
    recipe: Arc<Recipe>,
}

/// Parts, law and forces.
#[derive(Debug)]
struct Recipe {
    factors: Vec<Factor>,
    law: Law,
    forces: Vec<Force>,
}

impl Derivation for Recipe {
    fn derive(&self, sheet: &mut Sheet) -> Result<Vec<(Value, Rate)>, Error> {
        match derive(&self.factors, &self.law, &self.forces, sheet) {
            Ok(derived) => Ok(derived.motion),
            Err(Refusal::Formula(error)) => Err(*error),
            // It was derived before, or there would be no system.
            Err(Refusal::Key { .. }) => Ok(Vec::new()),
        }
    }
    fn random_state(&self, given: &[f64], distance: f64, chance: &mut Chance) -> Vec<f64> {
        verify::random_state(&self.factors, given, distance, chance)
    }
}

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let mut values = Values::default();
    values.read_rest(&spec.parameters)?;
    for table in [&spec.state, &spec.motion] {
        table.rest();
    }
    let key = key(spec, &values);
    let prepared = spec.formulas.programs.keep(&key, || prepare(spec, &values))?;
    let shape = &prepared.shape;
    let first = first_values(spec, &shape.factors)?;
    spec.explain(|| equations(&prepared, &values));
    let node = motion::function(spec.motion.table(), &shape.factors);
    let call = |node| Ok(Call::new(as_function(node)?.clone(), &values.numbers));
    let call = node.map(call).transpose()?;
    // The constants of the file are parameters too.
    let numbers = spec.formulas.scope(Vec::new(), values).values.numbers;
    let mut system = start(spec, shape.clone(), numbers, &first)?;
    system.call = call;
    Ok(Box::new(system))
}

/// All that the equations depend on.
fn key(spec: &Spec<'_>, values: &Values<'_>) -> String {
    let mut key = String::from("custom");
    for table in [&spec.state, &spec.motion] {
        write_table(table.table(), &mut key);
    }
    for (name, _, node) in &spec.initial.table().entries {
        // Numbers are no part of the equations, formulas are.
        if matches!(&node.kind, Tree::Table(table) if table.get("formula").is_some()) {
            key.push_str(name);
            write_node(node, &mut key);
        }
    }
    for (name, kind, _) in values.names.iter().chain(&spec.formulas.constants.names) {
        let _ = write!(key, "\0{name}:{kind:?}");
    }
    for text in &spec.formulas.definitions {
        let _ = write!(key, "\0{}={}", text.key, text.text);
    }
    key
}

fn write_table(table: &Table, key: &mut String) {
    key.push('{');
    for (name, _, node) in &table.entries {
        key.push_str(name);
        key.push('=');
        write_node(node, key);
    }
    key.push('}');
}

fn write_node(node: &Node, key: &mut String) {
    let _ = match &node.kind {
        Tree::Number(x) => write!(key, "{:x};", x.to_bits()),
        Tree::Integer(n) => write!(key, "{n};"),
        Tree::Boolean(b) => write!(key, "{b};"),
        Tree::Text(text) => write!(key, "{text:?};"),
        // What it computes is no part of the equations.
        Tree::Function(_) => write!(key, "function;"),
        Tree::List(items) => {
            key.push('[');
            items.iter().for_each(|item| write_node(item, key));
            write!(key, "]")
        }
        Tree::Table(table) => {
            write_table(table, key);
            Ok(())
        }
    };
}

/// Derives the equations and compiles them.
fn prepare(spec: &Spec<'_>, values: &Values<'_>) -> Result<Prepared, SpecError> {
    let mut factors = state::factors(spec.state.table())?;
    if factors.is_empty() {
        return Err(spec.state.missing("q", "at least one part of the state"));
    }
    let (law, forces) = motion::law(spec.motion.table(), spec.motion.place(), &mut factors)?;
    let names = factors.iter().map(|f| (f.name.as_str(), f.kind())).collect();
    let scope = spec.formulas.scope(names, values.clone());
    let texts = Texts::of(spec, &scope);
    let mut sheet = scope.sheet(&texts.list)?;
    let derived =
        derive(&factors, &law, &forces, &mut sheet).map_err(|r| texts.refused(spec, r))?;
    sheet.check_definitions().map_err(|e| texts.error(e))?;
    let first = first_values(spec, &factors)?;
    let starts = start_formulas(&mut sheet, &factors, &first).map_err(|e| texts.error(e))?;
    for ((factor, first), start) in factors.iter().zip(&first).zip(&starts) {
        let Some(start) = start else { continue };
        let graph = sheet.graph();
        if graph.cone(&start.ids()).iter().any(|id| matches!(graph.op(*id), Op::Input(_))) {
            return Err(SpecError::Wrong {
                place: first.node.place.clone(),
                found: format!("a formula for '{}' with the state or the time in it", factor.name),
                expected: "one of parameters, definitions and the index i".into(),
            });
        }
    }
    let shape = Shape::new(&factors, &mut sheet, derived, &starts).map_err(|e| texts.error(e))?;
    warn_of_unused(spec, values, &shape);
    Ok(Prepared { shape: Arc::new(shape), recipe: Arc::new(Recipe { factors, law, forces }) })
}

/// Warns of parameters on which nothing depends; what is watched may use others.
fn warn_of_unused(spec: &Spec<'_>, values: &Values<'_>, shape: &Shape) {
    if spec.formulas.watches || motion::function(spec.motion.table(), &shape.factors).is_some() {
        return;
    }
    let program = &shape.program;
    let read: Vec<&str> = (0..program.len()).flat_map(|entry| program.names_read(entry)).collect();
    for (name, ..) in values.names.iter().filter(|(name, ..)| !read.contains(name)) {
        spec.parameters.warn(name, format!("nothing depends on the parameter '{name}'"));
    }
}

/// The system in formulas, for what the file watches.
fn equations(prepared: &Prepared, values: &Values<'_>) -> Equations {
    let part = |(factor, shown): (&Factor, &Vec<&'static str>)| Part {
        name: factor.name.clone(),
        shown: shown.clone(),
        kind: factor.kind(),
        space: PartSpace::Vectors,
    };
    let mut parameters = Vec::new();
    for (name, kind, _) in &values.names {
        let numbers = values.get(name).unwrap_or_default().to_vec();
        parameters.push((name.to_string(), kind.clone(), numbers));
    }
    Equations {
        state: prepared.shape.factors.iter().zip(&prepared.shape.shown).map(part).collect(),
        parameters,
        // Of a function nothing is known that could be derived.
        derivation: match prepared.recipe.law {
            Law::Function(_) => None,
            _ => Some(prepared.recipe.clone()),
        },
        ..Equations::default()
    }
}

/// The first value of a part, with its place in the file.
struct First<'a> {
    node: &'a Node,
    given: Given,
}

/// What `[initial]` holds for each part.
fn first_values<'a>(spec: &Spec<'a>, factors: &[Factor]) -> Result<Vec<First<'a>>, SpecError> {
    let read = |factor: &Factor| {
        let key = intern(&factor.name);
        let node = match spec.initial.optional(key) {
            Some(node) => node,
            None => return Err(spec.initial.missing(key, &initial::expected(factor))),
        };
        Ok(First { node, given: initial::given(factor, node)? })
    };
    factors.iter().map(read).collect()
}

/// The values of formulas of `[initial]`.
fn start_formulas(
    sheet: &mut Sheet,
    factors: &[Factor],
    first: &[First<'_>],
) -> Result<Vec<Option<Value>>, Error> {
    let mut list = Vec::new();
    for (factor, first) in factors.iter().zip(first) {
        let Given::Formula { formula, .. } = &first.given else {
            list.push(None);
            continue;
        };
        let (label, text, kind) = (formula.label(), formula.text(), factor.space.kind());
        let mut items = Vec::new();
        for k in 1..=factor.items() {
            let index = [("i", k as i64)];
            let index = if factor.count.is_some() { &index[..] } else { &[] };
            let value = sheet.formula_at(label, text, index)?;
            items.push(sheet.expect(label, text, value, &kind)?);
        }
        list.push(Some(Value::List(items.into())));
    }
    Ok(list)
}

/// The system with its numbers.
fn start(
    spec: &Spec<'_>,
    shape: Arc<Shape>,
    numbers: Vec<f64>,
    first: &[First<'_>],
) -> Result<Custom<f64>, SpecError> {
    let Some(mut system) = Custom::bare(shape.clone(), numbers) else {
        return Err(spec.parameters.missing("parameters", "as many numbers as the formulas have"));
    };
    let mut y = vec![0.0; shape.size];
    for (k, (factor, at)) in shape.factors.iter().zip(&shape.places).enumerate() {
        let slots = &mut y[*at..at + factor.kind().size()];
        match (&first[k].given, shape.starts[k]) {
            (Given::Numbers(numbers), _) => slots.copy_from_slice(numbers),
            (Given::Formula { project, .. }, Some(entry)) => {
                system.evaluate(entry, &[], slots);
                initial::settle(factor, first[k].node, *project, slots)?;
            }
            (Given::Formula { .. }, None) => {}
        }
    }
    for (k, (factor, at)) in shape.factors.iter().zip(&shape.places).enumerate() {
        if let Role::Velocity(of) = factor.role
            && shape.factors[of].space == Space::Sphere
        {
            let from = shape.places[of];
            let points = y[from..from + 3 * factor.items()].to_vec();
            let project = matches!(first[k].given, Given::Formula { project: true, .. });
            let velocities = &mut y[*at..at + 3 * factor.items()];
            initial::tangent(first[k].node, project, &points, velocities)?;
        }
    }
    check_pivots(spec, &system, &y)?;
    system.begin(y);
    Ok(system)
}

/// The mass matrix must be positive definite where the motion begins.
fn check_pivots(spec: &Spec<'_>, system: &Custom<f64>, y: &[f64]) -> Result<(), SpecError> {
    let size = system.shape().program.kind(PIVOTS).map_or(0, |kind| kind.size());
    let mut pivots = vec![0.0; size];
    system.evaluate(PIVOTS, y, &mut pivots);
    let key = if spec.motion.table().get("mass").is_some() { "mass" } else { "kinetic" };
    match pivots.iter().find(|x| !(**x > 0.0 && x.is_finite())) {
        None => Ok(()),
        Some(x) => Err(SpecError::Wrong {
            place: spec.motion.place_of(key),
            found: format!("a mass matrix with the pivot {x} at the initial state"),
            expected: "a kinetic energy that is positive for all velocities but zero".into(),
        }),
    }
}

/// The texts of the tables, to find the places of mistakes.
struct Texts<'a, 's> {
    scope: &'s Scope<'a>,
    list: Vec<Text<'a>>,
}

impl<'a, 's> Texts<'a, 's> {
    fn of(spec: &'a Spec<'_>, scope: &'s Scope<'a>) -> Self {
        let mut list = Vec::new();
        for table in [&spec.state, &spec.motion, &spec.initial] {
            for (key, _, node) in &table.table().entries {
                collect(key, node, &mut list);
            }
        }
        Self { scope, list }
    }
    fn error(&self, error: Error) -> SpecError {
        self.scope.error(error, &self.list)
    }
    fn refused(&self, spec: &Spec<'_>, refusal: Refusal) -> SpecError {
        match refusal {
            Refusal::Formula(error) => self.error(*error),
            Refusal::Key { key, found, expected } => {
                let known = self.list.iter().find(|text| *text.place.key == *key);
                let place = known.map_or_else(|| place_of(spec, &key), |text| text.place.clone());
                SpecError::Wrong { place, found, expected }
            }
        }
    }
}

fn collect<'a>(key: &'a str, node: &'a Node, list: &mut Vec<Text<'a>>) {
    match &node.kind {
        Tree::Text(text) => list.push(Text { key, text, place: &node.place }),
        Tree::List(items) => items.iter().for_each(|item| collect(key, item, list)),
        Tree::Table(table) => {
            list.push(Text { key, text: "", place: &node.place });
            table.entries.iter().for_each(|(key, _, node)| collect(key, node, list));
        }
        _ => list.push(Text { key, text: "", place: &node.place }),
    }
}

/// The place of a key such as `motion.R`, or of its table.
fn place_of(spec: &Spec<'_>, key: &str) -> Place {
    let (table, rest) = key.split_once('.').unwrap_or((key, ""));
    let reader = if table == "state" { &spec.state } else { &spec.motion };
    match rest {
        "" => reader.place().clone(),
        rest => reader.place_of(rest),
    }
}
