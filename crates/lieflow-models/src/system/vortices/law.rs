//! A law of pairs of vortices by formula: `U(c)`, with the cosine `c` of the angle between two.
//!
//! ```text
//! H = sum_{i<j} Γ_i Γ_j U(x_i·x_j)        w_i = sum_{j≠i} Γ_j U'(x_i·x_j) x_j
//! ```
use super::Vortices;
use lieflow::{Real, Vec3};
use lieflow_formula::{Error, Formula, Kind, Program, Sheet, Value};

/// The law with its numbers.
#[derive(Clone, Debug)]
pub struct PairLaw<S> {
    formula: Formula<S>,
    timed: bool,
}

/// Entries of the program.
const ENERGY: usize = 0;
const SLOPE: usize = 1;

/// The program of a law: its value and its derivative.
pub(super) fn program(mut sheet: Sheet, label: &str, text: &str) -> Result<Program, Error> {
    let energy = sheet.formula_of(label, text, &Kind::Number)?;
    let c = sheet.get("c").unwrap_or(Value::Zero);
    let slope = sheet.gradient(&energy, &c).unwrap_or(Value::Zero);
    sheet.program(&[("energy", &energy), ("slope", &slope)])
}

impl<S: Real> PairLaw<S> {
    /// From a program that [`program`] has made.
    pub(super) fn new(formula: Formula<S>) -> Self {
        let timed = formula.program().reads(ENERGY, "t");
        Self { formula, timed }
    }
    /// The same law over other numbers.
    pub(super) fn lift<T: Real>(&self, embed: fn(S) -> T) -> PairLaw<T> {
        PairLaw { formula: self.formula.lift(embed), timed: self.timed }
    }
    /// The program and its numbers.
    pub fn formula(&self) -> &Formula<S> {
        &self.formula
    }
    /// Whether it depends on time.
    pub(super) fn is_timed(&self) -> bool {
        self.timed
    }
    /// The times of all lanes.
    pub(super) fn set_times(&mut self, t: S) {
        self.formula.set_times(t);
    }
    fn inputs(&self, t: f64, x: Vec3<S>, y: Vec3<S>) -> [S; 2] {
        [S::one() - Vortices::apart(x, y), self.formula.time(t)]
    }
    /// `U` of two places.
    #[inline(never)]
    pub(super) fn energy(&self, t: f64, x: Vec3<S>, y: Vec3<S>) -> S {
        let [energy] = self.formula.call(ENERGY, &self.inputs(t, x, y));
        energy
    }
    /// `U'` of two places.
    #[inline(never)]
    pub(super) fn slope(&self, t: f64, x: Vec3<S>, y: Vec3<S>) -> S {
        let [slope] = self.formula.call(SLOPE, &self.inputs(t, x, y));
        slope
    }
}

impl PairLaw<f64> {
    /// Where the formula breaks down, if it does.
    pub(super) fn breakdown(&self, t: f64, x: &[Vec3<f64>]) -> Option<String> {
        for (i, a) in x.iter().enumerate() {
            for b in &x[i + 1..] {
                let inputs = self.inputs(t, *a, *b);
                let place = |entry| self.formula.locate(entry, &inputs);
                if let Some(breakdown) = [ENERGY, SLOPE].into_iter().find_map(place) {
                    return Some(breakdown.to_string());
                }
            }
        }
        None
    }
}

/// The formula with the name `c` replaced by the cosine of the angle between `x[i]` and `x[j]`.
pub(super) fn of_pair(text: &str, i: &str, j: &str) -> String {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !is_letter(c)).unwrap_or(rest.len());
        let taken = word.max(if word == 0 { first.len_utf8() } else { 0 });
        match &rest[..taken] {
            "c" => out.push_str(&format!("dot(x[{i}], x[{j}])")),
            other => out.push_str(other),
        }
        rest = &rest[taken..];
    }
    out
}
