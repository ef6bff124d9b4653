//! What a system by formulas is, but its numbers: made once for a problem file, and shared by all
//! its trajectories.
use super::derive::{Derived, Pair};
use super::factor::{Factor, Role, Space, places};
use super::group::{matrix, put, put_matrix, vector};
use super::layout::{Block, Layout};
use super::names::{ErrorParts, lasting_parts};
use crate::formulas::intern;
use lieflow::problem::Value as Shown;
use lieflow::stepping::{polar, unit};
use lieflow::{Mat3, Real};
use lieflow_formula::{Error, Program, Sheet, Value};
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
    /// Configurations with their momenta, where the whole state is made of them.
    pub pairs: Vec<Pair>,
    /// Whether the state is nothing but vectors, each on a sphere or in so(3)*, that an energy turns.
    pub spins: bool,
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
        sheet: &mut Sheet,
        derived: Derived,
        starts: &[Option<Value>],
    ) -> Result<Self, Error> {
        let Derived { motion, layout, field, pivots, pairs, spins, candidates } = derived;
        let mut values: Vec<(String, Value)> =
            vec![("field".into(), field), ("pivots".into(), pivots)];
        let mut list = Vec::new();
        for (name, value) in candidates {
            let Some(change) = sheet.rate(&value, &motion) else { continue };
            let entry = values.len();
            list.push(Candidate {
                name: intern(&name),
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
        let parts = factors.iter().zip(&shown).map(|(f, names)| (intern(&f.name), names.clone()));
        // A value that needs the time is none of the state alone.
        list.retain(|c| !program.reads(c.value, "t"));
        Ok(Self {
            starts: start_entries,
            pairs,
            spins,
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

    /// Whether every number of the state belongs to a vector that is turned.
    pub fn turns_only(&self) -> bool {
        self.layout.blocks.iter().all(|placed| matches!(placed.block, Block::Turn { .. }))
    }

    /// The parts of a state, by name.
    pub(super) fn show(&self, y: &[f64]) -> Vec<(&'static str, Shown)> {
        let mut list = Vec::new();
        for ((factor, at), names) in self.factors.iter().zip(&self.places).zip(&self.shown) {
            let numbers = &y[*at..at + factor.kind().size()];
            let mut names = names.iter().copied();
            let mut push = |value: Shown| list.extend(names.next().map(|name| (name, value)));
            let rotation =
                |item: &[f64]| Shown::Rotation(matrix(item, 0).rows.map(|v| v.to_array()));
            let vectors = || match factor.count {
                None => Shown::Vector([numbers[0], numbers[1], numbers[2]]),
                Some(_) => Shown::Vectors(numbers.chunks(3).map(|v| [v[0], v[1], v[2]]).collect()),
            };
            match factor.space {
                Space::Rotations => numbers.chunks(9).for_each(|item| push(rotation(item))),
                Space::Motions => {
                    for item in numbers.chunks(12) {
                        push(rotation(item));
                        push(Shown::Vector([item[9], item[10], item[11]]));
                    }
                }
                Space::Sphere | Space::Momenta { .. } | Space::Vectors(3) => push(vectors()),
                Space::Wrenches | Space::Twists => {
                    for item in numbers.chunks(3) {
                        push(Shown::Vector([item[0], item[1], item[2]]));
                    }
                }
                Space::Vectors(1) if factor.count.is_none() => push(Shown::Number(numbers[0])),
                Space::Vectors(_) => push(Shown::Numbers(numbers.to_vec())),
            }
        }
        list
    }

    /// Gives a part of a state, by its name in reports, other numbers, if it then is on the manifold.
    pub(super) fn set_part(&self, y: &mut [f64], part: &str, numbers: &[f64]) -> bool {
        for (factor, at) in self.factors.iter().zip(&self.places) {
            let size = factor.kind().size();
            if factor.name != part || numbers.len() != size {
                continue;
            }
            let slots = *at..at + size;
            let before = y[slots.clone()].to_vec();
            y[slots.clone()].copy_from_slice(numbers);
            let sound = self.manifold_error(y) <= 1e-9;
            if !sound {
                y[slots].copy_from_slice(&before);
            }
            return sound;
        }
        false
    }

    /// Takes roundings out of a state; see [`Problem::restore`](lieflow::problem::Problem::restore).
    pub(super) fn restore<S: Real>(&self, y: &mut [S]) {
        for (factor, at) in self.factors.iter().zip(&self.places) {
            for k in 0..factor.items() {
                let at = at + k * factor.size();
                match (factor.space, factor.role) {
                    (Space::Rotations | Space::Motions, _) => {
                        let r = polar(&matrix(y, at));
                        put_matrix(y, at, &r);
                    }
                    (Space::Sphere | Space::Momenta { unit: true }, _) => {
                        let q = unit(vector(y, at));
                        put(y, at, q);
                    }
                    (_, Role::Velocity(of)) if self.factors[of].space == Space::Sphere => {
                        let (q, v) = (vector(y, self.places[of] + 3 * k), vector(y, at));
                        put(y, at, v - q.times(q.dot(v)));
                    }
                    _ => {}
                }
            }
        }
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

/// What the items of a part are called in reports, in the order of their numbers: a list of vectors
/// is one thing, rotations and records are one by one.
fn shown_names(factor: &Factor) -> Vec<&'static str> {
    let pieces: &[&str] = match factor.space {
        Space::Rotations => &[""],
        Space::Motions => &["_R", "_x"],
        Space::Wrenches | Space::Twists => &["_w", "_v"],
        _ => return vec![intern(&factor.name)],
    };
    let number = |k: usize| factor.count.map_or(String::new(), |_| format!("_{k}"));
    let name = |k: usize, piece: &str| intern(&format!("{}{piece}{}", factor.name, number(k)));
    (1..=factor.items()).flat_map(|k| pieces.iter().map(move |piece| name(k, piece))).collect()
}
