//! A potential of directions by formula, added to that of a system on spheres.
//!
//! Kept apart from the engines, so that systems without one pay nothing for it.
use super::Spec;
use super::law_table::{Given, LawTable};
use super::turns::{SAMPLES, Turns, scattered};
use super::vector_formula::VectorFormula;
use crate::formulas::{Text, Values};
use crate::problem_file::SpecError;
use lieflow::action::Link;
use lieflow::problem::spheres::Symmetry;
use lieflow::{Real, Vec3, vec3};
use lieflow_formula::{Error, Formula, Kind, Program, Sheet, Value};

/// The potential with its numbers.
#[derive(Clone, Debug)]
pub struct ExtraPotential<S> {
    formula: VectorFormula<S>,
    count: usize,
    turns: Turns,
}

/// Entries of the program.
const VALUE: usize = 0;
const GRADIENT: usize = 1;

fn program(mut sheet: Sheet, text: Text<'_>) -> Result<Program, Error> {
    let value = sheet.formula_of(text.label(), text.text, &Kind::Number)?;
    let q = sheet.get("q").unwrap_or(Value::Zero);
    let gradient = sheet.gradient(&value, &q).unwrap_or(Value::Zero);
    sheet.program(&[("value", &value), ("gradient", &gradient)])
}

impl ExtraPotential<f64> {
    /// From the table `potential`, on so many directions `q`.
    pub(super) fn read<'a>(
        law: &LawTable<'a>,
        spec: &Spec<'a>,
        values: &Values<'a>,
        count: usize,
    ) -> Result<Option<Box<Self>>, SpecError> {
        let state = vec![("q", Kind::Vector.list(count))];
        let given = Given { state, whole: vec![("n", count as i64)], values: values.clone() };
        let (Some(formula), Some(text)) = (law.formula(spec, given, program)?, law.text) else {
            return Ok(None);
        };
        let formula = VectorFormula::new(formula);
        if formula.is_timed(VALUE) {
            let message = "the potential depends on time, and no method for systems on spheres can \
                           take that; write the system as 'custom'";
            return Err(SpecError::Untrue { place: text.place.clone(), message: message.into() });
        }
        let mut potential = Self { formula, count, turns: Turns::None };
        potential.turns = potential.symmetry();
        Ok(Some(Box::new(potential)))
    }

    fn symmetry(&self) -> Turns {
        let (mut torques, mut scale) = (Vec::new(), 0.0f64);
        for sample in 0..SAMPLES {
            let direction = |i: usize| {
                let [x, y, z] = [0, 1, 2].map(|k| scattered(sample, 3 * i + k));
                let v = vec3(x, y, 1.5 + z);
                Link::new(v * (1.0 / v.norm()), Vec3::zero())
            };
            let y: Vec<Link<f64>> = (0..self.count).map(direction).collect();
            let mut sum = Vec3::zero();
            for (link, slope) in y.iter().zip(self.gradient(&y)) {
                sum += link.q.cross(slope);
                scale = scale.max(slope.norm());
            }
            torques.push(sum);
        }
        Turns::of(&torques, scale * self.count as f64)
    }

    /// Where the formula breaks down, if it does.
    pub(super) fn breakdown(&self, y: &[Link<f64>]) -> Option<String> {
        self.formula.breakdown(2, 0.0, y.iter().map(|link| link.q))
    }
}

impl<S: Real> ExtraPotential<S> {
    /// The same potential over other numbers.
    pub(super) fn lift<T: Real>(&self, embed: fn(S) -> T) -> ExtraPotential<T> {
        let formula = self.formula.lift(embed);
        ExtraPotential { formula, count: self.count, turns: self.turns }
    }
    /// The program and its numbers.
    pub fn formula(&self) -> &Formula<S> {
        self.formula.formula()
    }
    /// The turns that leave both another potential and this one as they are.
    pub(super) fn symmetry_with(&self, other: Symmetry<S>) -> Symmetry<S> {
        let small = |x: S| x.magnitude() <= 1e-12;
        match (other, self.turns) {
            (_, Turns::None) | (Symmetry::None, _) => Symmetry::None,
            (other, Turns::All) => other,
            (Symmetry::Full, Turns::About(axis)) => Symmetry::Axis(axis.map(S::lift)),
            (Symmetry::Axis(a), Turns::About(axis)) => {
                let across = a.cross(axis.map(S::lift)).norm_squared();
                if small(across) { Symmetry::Axis(a) } else { Symmetry::None }
            }
        }
    }
    /// `V`.
    #[inline(never)]
    pub(super) fn value(&self, y: &[Link<S>]) -> S {
        self.formula.eval(VALUE, 1, 0.0, y.iter().map(|link| link.q), |out| out[0])
    }
    /// `dV/dq_i`.
    #[inline(never)]
    pub(super) fn gradient(&self, y: &[Link<S>]) -> Vec<Vec3<S>> {
        self.formula.eval(GRADIENT, 3 * self.count, 0.0, y.iter().map(|link| link.q), |out| {
            out.chunks_exact(3).map(|v| vec3(v[0], v[1], v[2])).collect()
        })
    }
}
