//! A particle from its problem file.
use super::law::{LARGEST, PotentialLaw, program};
use super::{Landscape, Particle};
use crate::formulas::{Equations, Motion, Space, Text, Values};
use crate::problem_file::SpecError;
use crate::run::Model;
use crate::system::law_table::{Given, LawTable, definitions, part};
use crate::system::{Spec, SystemEntry};
use lieflow::method::Card;
use lieflow_formula::Kind;

/// The line in the list of systems.
pub const ENTRY: SystemEntry = SystemEntry {
    id: "euclidean",
    title: "particle in a potential on R^n",
    parameters: "problem (harmonic, pendulum, double-well, kepler, henon-heiles), or potential { formula } and mass",
    initial: "q, p (lists of one or two numbers, of up to six for a formula)",
    state: "q, p",
    methods,
    build,
};

fn methods() -> Vec<Card> {
    crate::system::cards::<Particle<f64, 1>>()
}

fn build(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    if spec.parameters.one_of(&["problem", "potential"])? == Some("potential") {
        return by_formula(spec);
    }
    let names = Landscape::NAMES.map(|(name, _)| name);
    if !spec.parameters.has("problem") {
        let expected = format!("one of {}; or 'potential', a formula", names.join(", "));
        return Err(spec.parameters.missing("problem", &expected));
    }
    let name = spec.parameters.choice("problem", &names)?;
    let found = Landscape::NAMES.iter().find(|(known, _)| *known == name);
    let landscape = found.map_or(Landscape::HenonHeiles, |(_, landscape)| *landscape);
    let law = LawTable::names_only(spec)?;
    let dimension = if landscape.planar() { 2 } else { 1 };
    spec.explain(|| equations(&law, dimension, 1.0, landscape.formula()));
    if landscape.planar() { particle::<2>(landscape, spec) } else { particle::<1>(landscape, spec) }
}

fn particle<const N: usize>(
    landscape: Landscape,
    spec: &Spec<'_>,
) -> Result<Box<dyn Model>, SpecError> {
    let q = numbers(spec, "q")?;
    if !landscape.energy::<f64, N>(&q).is_finite() {
        return Err(spec.initial.refuse("q", "a position where the potential is finite"));
    }
    Ok(Box::new(Particle::new(landscape, q, numbers(spec, "p")?)))
}

/// As many numbers as the problem has degrees of freedom.
fn numbers<const N: usize>(spec: &Spec<'_>, key: &'static str) -> Result<[f64; N], SpecError> {
    let expected = if N == 1 { "a list of one number" } else { "a list of two numbers" };
    let list = spec.initial.numbers(key)?;
    list.try_into().map_err(|_| spec.initial.refuse(key, expected))
}

fn by_formula(spec: &Spec<'_>) -> Result<Box<dyn Model>, SpecError> {
    let q = spec.initial.numbers("q")?;
    if q.is_empty() || q.len() > LARGEST {
        return Err(spec.initial.refuse("q", "a list of one to six numbers"));
    }
    let p = spec.initial.numbers("p")?;
    if p.len() != q.len() {
        let expected = format!("a list of {}, as many as 'q' has", count(q.len()));
        return Err(spec.initial.refuse("p", &expected));
    }
    let mass = spec.parameters.optional_positive("mass")?.unwrap_or(1.0);
    let table = LawTable::read(spec, "potential")?;
    let mut values = Values::default();
    values.push("mass", Kind::Number, None, &[mass]);
    spec.explain(|| equations(&table, q.len(), mass, &table.term("0")));
    let state = vec![("q", Kind::coordinates(q.len()))];
    let make = |sheet, text: Text<'_>| program(sheet, text.label(), text.text);
    let formula = table.formula(spec, Given { state, whole: Vec::new(), values }, make)?;
    let Some(formula) = formula else {
        return Err(spec.parameters.missing("potential", "a formula"));
    };
    let law = PotentialLaw::new(formula, mass, &q);
    if !law.energy(0.0, &q).is_finite() {
        return Err(spec.initial.refuse("q", "a position where the potential is finite"));
    }
    // Engines are compiled for one, two and six coordinates; those that are not there stand still.
    Ok(match q.len() {
        1 => moved_by::<1>(law, &q, &p),
        2 => moved_by::<2>(law, &q, &p),
        _ => moved_by::<6>(law, &q, &p),
    })
}

fn count(n: usize) -> String {
    if n == 1 { "one number".into() } else { format!("{n} numbers") }
}

fn moved_by<const N: usize>(law: PotentialLaw<f64>, q: &[f64], p: &[f64]) -> Box<dyn Model> {
    let filled = |list: &[f64]| std::array::from_fn(|i| list.get(i).copied().unwrap_or(0.0));
    let mut particle = Particle::<f64, N>::new(Landscape::Harmonic, filled(q), filled(p));
    particle.law = Some(Box::new(law));
    Box::new(particle)
}

/// The particle in formulas. Names with a line at their end are not those of a user.
fn equations(law: &LawTable<'_>, n: usize, mass: f64, potential: &str) -> Equations {
    let mut values = Values::default();
    values.push("mass", Kind::Number, None, &[mass]);
    let mut list = definitions([
        ("potential_", potential),
        ("v", "p/mass"),
        ("potential", "potential_"),
        ("kinetic", "0.5*square(p)/mass"),
        ("energy", "0.5*square(p)/mass + potential_"),
        ("force", "-grad(potential_, q)"),
    ]);
    match n {
        2 => list.push(("L".into(), "q1*p2 - q2*p1".into())),
        3 => list.push(("L".into(), "cross(q, p)".into())),
        _ => {}
    }
    let kind = || Kind::coordinates(n);
    // Lists move one by one.
    let each = if matches!(kind(), Kind::List(..)) { "[i]" } else { "" };
    Equations {
        state: vec![part("q", "q", kind(), Space::Vectors), part("p", "p", kind(), Space::Vectors)],
        whole: vec![("n".into(), n as i64)],
        parameters: law.values(&values).parameters(),
        definitions: list,
        motion: vec![
            ("q".into(), Motion::Shift(format!("p{each}/mass"))),
            ("p".into(), Motion::Shift(format!("-grad(potential_, q{each})"))),
        ],
        ..Equations::default()
    }
}
