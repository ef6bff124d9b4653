//! What a system by formulas is, but its numbers: made once for a problem file, and shared by all
//! its trajectories.
use super::derive::Derived;
use super::factor::{Factor, Role, Space, places};
use super::group::{matrix, vector};
use super::layout::Layout;
use super::names::{ErrorParts, lasting, lasting_parts};
use lieflow::Mat3;
use lieflow::problem::Value as Shown;
use lieflow_formula::{Error, Program, Value};
use std::sync::Arc;

/// The entry of a program that is the element of the algebra.
pub(super) const FIELD: usize = 0;
/// The entry with the pivots of the mass matrix.
pub(super) const PIVOTS: usize = 1;

/// Parts, equations and what may be conserved.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The parts of the state.
    pub factors: Vec<Factor>,
    /// Where each begins among the numbers of the state.
    pub places: Vec<usize>,
    /// How many numbers a state has.
    pub size: usize,
    /// What moves what.
    pub layout: Arc<Layout>,
    /// The field, and what may be conserved.
    pub program: Program,
    /// Whether the field depends on time.
    pub timed: bool,
    pub(super) candidates: Vec<Candidate>,
    /// The entries of the program with the first values of parts, where they are formulas.
    pub(super) starts: Vec<Option<usize>>,
    /// What each item is called in reports, part by part.
    pub(super) shown: Vec<Vec<&'static str>>,
    pub(super) error_parts: ErrorParts,
}

/// Something that may be conserved: its value, its rate and the terms of the rate are entries of the
/// program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub name: &'static str,
    pub value: usize,
    pub rate: usize,
    pub terms: usize,
}

impl Shape {
    /// Compiles the equations, and the formulas for the first values of some parts.
    pub fn new(
        factors: &[Factor],
        derived: Derived,
        starts: &[Option<Value>],
    ) -> Result<Self, Error> {
        let Derived { mut sheet, motion, layout, field, pivots, candidates } = derived;
        let mut values: Vec<(String, Value)> = vec![("field".into(), field), ("pivots".into(), pivots)];
        let mut list = Vec::new();
        for (name, value) in candidates {
            let Some(change) = sheet.rate(&value, &motion) else { continue };
            let entry = values.len();
            list.push(Candidate {
                name: lasting(&name),
                value: entry,
                rate: entry + 1,
                terms: entry + 2,
            });
            values.push((name.clone(), value));
            values.push((format!("rate of {name}"), change.rate));
            values.push((format!("terms of {name}"), change.terms));
        }
        let mut start_entries = vec![None; factors.len()];
        for (slot, start) in start_entries.iter_mut().zip(starts) {
            if let Some(value) = start {
                *slot = Some(values.len());
                values.push(("start".into(), value.clone()));
            }
        }
        let entries: Vec<(&str, &Value)> = values.iter().map(|(n, v)| (n.as_str(), v)).collect();
        let program = sheet.program(&entries)?;
        let (places, size) = places(factors);
        let shown: Vec<Vec<&'static str>> = factors.iter().map(shown_names).collect();
        let parts = factors.iter().zip(&shown).map(|(f, names)| (lasting(&f.name), names.clone()));
        // A value that needs the time is none of the state alone.
        list.retain(|c| !program.reads(c.value, "t"));
        Ok(Self {
            starts: start_entries,
            timed: program.reads(FIELD, "t"),
            error_parts: lasting_parts(parts.collect()),
            factors: factors.to_vec(),
            places,
            size,
            layout: Arc::new(layout),
            program,
            candidates: list,
            shown,
        })
    }

    /// The parts of a state, by name.
    pub(super) fn show(&self, y: &[f64]) -> Vec<(&'static str, Shown)> {
        let mut list = Vec::new();
        for ((factor, at), names) in self.factors.iter().zip(&self.places).zip(&self.shown) {
            let numbers = &y[*at..at + factor.kind().size()];
            let mut names = names.iter().copied();
            let mut push = |value: Shown| list.extend(names.next().map(|name| (name, value)));
            let vectors = |first: usize| {
                let items = numbers.chunks(factor.size());
                items.map(|item| [item[first], item[first + 1], item[first + 2]]).collect::<Vec<_>>()
            };
            let rotation = |item: &[f64]| Shown::Rotation(matrix(item, 0).rows.map(|v| v.to_array()));
            let one = |list: Vec<[f64; 3]>| match (factor.count, &list[..]) {
                (None, [v]) => Shown::Vector(*v),
                _ => Shown::Vectors(list),
            };
            match factor.space {
                Space::Rotations => {
                    for item in numbers.chunks(9) {
                        push(rotation(item));
                    }
                }
                Space::Motions => {
                    for item in numbers.chunks(12) {
                        push(rotation(item));
                    }
                    push(one(vectors(9)));
                }
                Space::Sphere | Space::Momenta { .. } | Space::Vectors(3) => push(one(vectors(0))),
                Space::Wrenches | Space::Twists => {
                    push(one(vectors(0)));
                    push(one(vectors(3)));
                }
                Space::Vectors(1) if factor.count.is_none() => push(Shown::Number(numbers[0])),
                Space::Vectors(_) => push(Shown::Numbers(numbers.to_vec())),
            }
        }
        list
    }

    /// How far a state is from its manifold.
    pub(super) fn manifold_error(&self, y: &[f64]) -> f64 {
        let mut worst: f64 = 0.0;
        let mut note = |error: f64| {
            // NaN must not hide behind a comparison.
            if error > worst || error.is_nan() {
                worst = if worst.is_nan() { worst } else { error };
            }
        };
        note(super::super::zero_if_finite(y.iter().sum()));
        for (factor, at) in self.factors.iter().zip(&self.places) {
            for k in 0..factor.items() {
                let at = at + k * factor.size();
                match (factor.space, factor.role) {
                    (Space::Rotations | Space::Motions, _) => {
                        let r: Mat3<f64> = matrix(y, at);
                        note(r.orthogonality_error());
                    }
                    (Space::Sphere | Space::Momenta { unit: true }, _) => {
                        note((vector(y, at).norm() - 1.0).abs());
                    }
                    (_, Role::Velocity(of)) if self.factors[of].space == Space::Sphere => {
                        let (q, v) = (vector(y, self.places[of] + 3 * k), vector(y, at));
                        note(q.dot(v).abs() / v.norm().max(1.0));
                    }
                    _ => {}
                }
            }
        }
        worst
    }
}

/// What the items of a part are called in reports: a list of vectors is one thing, rotations are
/// one by one.
fn shown_names(factor: &Factor) -> Vec<&'static str> {
    let name = &factor.name;
    let rotations = |name: &str| -> Vec<&'static str> {
        match factor.count {
            None => vec![lasting(name)],
            Some(n) => (1..=n).map(|k| lasting(&format!("{name}_{k}"))).collect(),
        }
    };
    match factor.space {
        Space::Rotations => rotations(name),
        Space::Motions => {
            let mut list = rotations(&format!("{name}_R"));
            list.push(lasting(&format!("{name}_x")));
            list
        }
        Space::Wrenches | Space::Twists => {
            vec![lasting(&format!("{name}_w")), lasting(&format!("{name}_v"))]
        }
        _ => vec![lasting(name)],
    }
}
