//! From the tables of a problem file to a system.
use super::Custom;
use super::derive::{Refusal, derive};
use super::factor::{Factor, Role, Space};
use super::names::lasting;
use super::read::initial::{self, Given};
use super::read::{motion, parameters, state};
use super::shape::{PIVOTS, Shape};
use crate::problem_file::{Node, Place, Reader, SpecError};
use crate::run::Model;
use crate::system::{Spec, SystemEntry};
use lieflow_formula::graph::Op;
use lieflow_formula::{Error, Names, Sheet, Source, Value};
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

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    Ok(Box::new(system(spec)?))
}

/// The first value of a part, with its place in the file.
struct First<'a> {
    node: &'a Node,
    given: Given,
}

/// The system of these tables.
pub(super) fn system(spec: &Spec<'_>) -> Result<Custom<f64>, SpecError> {
    let mut factors = state::factors(spec.state.table())?;
    let (law, forces) = motion::law(spec.motion.table(), spec.motion.place(), &mut factors)?;
    spec.state.all_read(lasting);
    spec.motion.all_read(lasting);
    if factors.is_empty() {
        return Err(spec.state.missing("q", "at least one part of the state"));
    }
    let first = first_values(&spec.initial, &factors)?;
    let named = parameters::read(&spec.parameters)?;
    let numbers: Vec<f64> = named.iter().flat_map(|(_, _, numbers)| numbers.clone()).collect();
    let at = |error: Error| located(spec, &error);
    let mut names = Names::new();
    for factor in &factors {
        names = names.state(&factor.name, factor.kind()).map_err(at)?;
    }
    names = names.time().map_err(at)?;
    for (name, kind, _) in &named {
        names = names.parameter(name, kind.clone()).map_err(at)?;
    }
    for (key, _, node) in &spec.definitions.table().entries {
        let text = super::read::text(node)?;
        names = names.define(key, &node.place.key, text).map_err(at)?;
    }
    spec.definitions.all_read(lasting);
    let sheet = Sheet::new(names).map_err(at)?;
    let mut derived = derive(&factors, &law, &forces, sheet).map_err(|r| refused(spec, r))?;
    derived.sheet.check_definitions().map_err(at)?;
    let starts = start_formulas(&mut derived.sheet, &factors, &first).map_err(at)?;
    for ((factor, first), start) in factors.iter().zip(&first).zip(&starts) {
        let Some(start) = start else { continue };
        let graph = derived.sheet.graph();
        if graph.cone(&start.ids()).iter().any(|id| matches!(graph.op(*id), Op::Input(_))) {
            return Err(SpecError::Wrong {
                place: first.node.place.clone(),
                found: format!("a formula for '{}' with the state or the time in it", factor.name),
                expected: "one of parameters, definitions and the index i".into(),
            });
        }
    }
    let shape = Arc::new(Shape::new(&factors, derived, &starts).map_err(at)?);
    start(spec, shape, numbers, &first)
}

/// What `[initial]` holds for each part.
fn first_values<'a>(
    initial: &Reader<'a>,
    factors: &[Factor],
) -> Result<Vec<First<'a>>, SpecError> {
    let read = |factor: &Factor| {
        let node = initial.required(lasting(&factor.name), &initial::expected(factor))?;
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
        let kind = factor.space.kind();
        let mut items = Vec::new();
        for k in 1..=factor.items() {
            let index = [("i", k as i64)];
            let index = if factor.count.is_some() { &index[..] } else { &[] };
            let value = sheet.formula_at(formula.label(), formula.text(), index)?;
            items.push(sheet.expect(formula.label(), formula.text(), value, &kind)?);
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

/// A mistake in a formula, with its place in the file.
fn located(spec: &Spec<'_>, error: &Error) -> SpecError {
    let place = place_of(spec, error.place.source.label());
    SpecError::Syntax { place, message: error.to_string() }
}

fn refused(spec: &Spec<'_>, refusal: Refusal) -> SpecError {
    match refusal {
        Refusal::Formula(error) => located(spec, &error),
        Refusal::Key { key, found, expected } => {
            SpecError::Wrong { place: place_of(spec, &key), found, expected }
        }
    }
}

/// The place of a key such as `motion.force.q`, or of the nearest table above it.
fn place_of(spec: &Spec<'_>, key: &str) -> Place {
    let (table, rest) = key.split_once('.').unwrap_or((key, ""));
    let reader = match table {
        "state" => &spec.state,
        "parameters" => &spec.parameters,
        "definitions" => &spec.definitions,
        "initial" => &spec.initial,
        _ => &spec.motion,
    };
    let mut place = reader.place_of(rest.split('.').next().unwrap_or(""));
    place.key = key.into();
    place
}

#[allow(dead_code)]
fn unused(_: Source) {}
