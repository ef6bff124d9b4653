//! Systems by formulas: parts of the state in spaces of one's choice, and a law of motion.
//!
//! A part lies in SO(3), SE(3), S², Rⁿ, so(3)* or se(3)*, alone or many times. The law is a rate for
//! each part, or an energy from which the rates follow ([`mod@derive`]). All products of spaces are one
//! [`space`](space::Product), with one group, so that the engines are compiled once; the numbers of a
//! state are one list, which the tape of the formulas reads as it is.
use crate::foreign::Call;
use crate::run::{MeterOf, ModelSystem, field_meter};
use lieflow::Real;
use lieflow::method::{Card, Entry, generator, magnus, on_field, spherical, taylor};
use lieflow::problem::{AnyFieldOf, Described, Generator, Lift, Problem, Quantity, Value, Watched};
use lieflow_formula::Formula;
use std::sync::Arc;

mod build;
pub mod derive;
pub mod factor;
pub mod group;
pub mod law;
pub mod layout;
mod names;
mod read;
mod series;
mod shape;
pub mod space;
mod theta;
mod verify;

use super::scratch::Scratch;
pub use build::ENTRY;
use group::Element;
use series::CustomSeries;
use shape::FIELD;
pub use shape::Shape;
use space::{Numbers, Product};

/// A system by formulas.
#[derive(Clone, Debug)]
pub struct Custom<S> {
    shape: Arc<Shape>,
    formula: Formula<S>,
    start: Numbers<S>,
    /// The field, where it is a function of another language.
    call: Option<Call>,
    /// Which candidates are conserved.
    conserved: Vec<usize>,
    /// The state with the time, and registers of long tapes.
    inputs: Scratch<S>,
    registers: Scratch<S>,
}

impl Custom<f64> {
    /// The system of this shape with these parameters and this initial state; nothing if one of the
    /// two has another number of numbers.
    pub fn new(shape: Arc<Shape>, parameters: Vec<f64>, start: Vec<f64>) -> Option<Self> {
        let mut system = Self::bare(shape, parameters).filter(|s| s.shape.size == start.len())?;
        system.begin(start);
        Some(system)
    }
    /// The same without an initial state.
    fn bare(shape: Arc<Shape>, parameters: Vec<f64>) -> Option<Self> {
        Some(Self {
            formula: Formula::new(shape.program.clone(), parameters).ok()?,
            shape,
            start: Numbers(Vec::new()),
            call: None,
            conserved: Vec::new(),
            inputs: Scratch::default(),
            registers: Scratch::default(),
        })
    }
    /// Sets the initial state, and finds out what is conserved.
    fn begin(&mut self, start: Vec<f64>) {
        self.conserved = self.shape.conserved(&self.formula, &start);
        self.start = Numbers(start);
    }
    /// Evaluates an entry of the program at the time zero.
    fn evaluate(&self, entry: usize, y: &[f64], out: &mut [f64]) {
        self.registers.lend(|registers| self.formula.eval(entry, y, out, registers));
    }
    /// The value of the conserved quantity number `k`.
    fn value(&self, k: usize, y: &Numbers<f64>) -> f64 {
        let Some(candidate) = self.conserved.get(k) else { return f64::NAN };
        let mut out = [f64::NAN];
        self.evaluate(self.shape.candidates[*candidate].value, &y.0, &mut out);
        out[0]
    }
}

impl<S: Real> Custom<S> {
    /// What it is, but its numbers.
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }
    /// Whether its field is a function of another language.
    pub fn calls(&self) -> bool {
        self.call.is_some()
    }
    /// Its formulas with their parameters.
    pub fn formula(&self) -> &Formula<S> {
        &self.formula
    }
    fn eval(&self, entry: usize, t: f64, y: &Numbers<S>, out: &mut [S]) {
        self.registers.lend(|registers| {
            self.inputs.lend(|inputs| {
                inputs.clear();
                inputs.extend_from_slice(&y.0);
                inputs.push(self.formula.time(t));
                self.formula.eval(entry, inputs, out, registers);
            });
        });
    }
}

impl<S: Real> Problem for Custom<S> {
    type Point = Numbers<S>;
    fn start(&self) -> Numbers<S> {
        self.start.clone()
    }
    fn restore(&self, y: &mut Numbers<S>) {
        self.shape.restore(&mut y.0);
    }
}

impl<S: Real> Generator for Custom<S> {
    type Space = Product<S>;
    fn set_times(&mut self, t: S) {
        self.formula.set_times(t);
    }
    /// Whether no rate looks at a part of the state.
    fn is_linear(&self) -> bool {
        let read = |factor: &factor::Factor| self.shape.program.reads(FIELD, &factor.name);
        self.call.is_none() && !self.shape.factors.iter().any(read)
    }
    fn field(&self, t: f64, y: &Numbers<S>) -> Element<S> {
        let mut out = Element::zero(self.shape.layout.clone());
        self.field_into(t, y, &mut out);
        out
    }
    fn field_into(&self, t: f64, y: &Numbers<S>, out: &mut Element<S>) {
        let Some(call) = &self.call else {
            self.eval(FIELD, t, y, &mut out.numbers);
            return;
        };
        call.evaluate(t, &y.0, &mut out.numbers);
        // A velocity that is seen from the body moves it as minus itself does.
        for placed in self.shape.layout.blocks.iter().filter(|placed| placed.block.is_in_body()) {
            let numbers = placed.algebra..placed.algebra + placed.part.dim();
            out.numbers[numbers].iter_mut().for_each(|x| *x = -*x);
        }
    }
}

impl<S: Real> Lift for Custom<S> {
    type Scalar = S;
    type Over<T: Real> = Custom<T>;
    fn lift<T: Real>(&self, embed: fn(S) -> T) -> Custom<T> {
        Custom {
            shape: self.shape.clone(),
            formula: self.formula.lift(embed),
            start: self.lift_point(&self.start, embed),
            call: self.call.clone(),
            conserved: self.conserved.clone(),
            inputs: Scratch::default(),
            registers: Scratch::default(),
        }
    }
    fn lift_point<T: Real>(&self, y: &Numbers<S>, embed: fn(S) -> T) -> Numbers<T> {
        Numbers(y.0.iter().map(|x| embed(*x)).collect())
    }
    fn lift_point_into<T: Real>(&self, y: &Numbers<S>, embed: fn(S) -> T, out: &mut Numbers<T>) {
        out.0.clear();
        out.0.extend(y.0.iter().map(|x| embed(*x)));
    }
}

/// The first sixteen; no more are watched.
impl Watched for Custom<f64> {
    fn invariants(&self) -> Vec<Quantity<Self>> {
        macro_rules! values {
            ($($k:literal)*) => { [$(|p: &Self, y: &Numbers<f64>| p.value($k, y)),*] };
        }
        let values: [fn(&Self, &Numbers<f64>) -> f64; 16] =
            values!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        let names = self.conserved.iter().map(|k| self.shape.candidates[*k].name);
        names.zip(values).map(|(name, eval)| Quantity { name, eval }).collect()
    }
    fn manifold_error(&self, y: &Numbers<f64>) -> f64 {
        self.shape.manifold_error(&y.0)
    }
}

impl Described for Custom<f64> {
    fn describe(&self, _t: f64, y: &Numbers<f64>) -> Vec<(&'static str, Value)> {
        self.shape.show(&y.0)
    }
    fn error_parts(&self) -> &'static [(&'static str, &'static [&'static str])] {
        self.shape.error_parts
    }
}

impl ModelSystem for Custom<f64> {
    const SYSTEM: &'static str = ENTRY.id;
    fn entries() -> Vec<Entry<Self>> {
        let mut list = generator::entries_on_large_space();
        list.extend(theta::entries());
        list.extend(spherical::all_entries_on_large_space());
        list.extend(taylor::entries(CustomSeries::new));
        list.extend(on_field(magnus::entries::<AnyFieldOf<Self, 1>>()));
        list
    }
    fn method_by_name(id: &str) -> Option<Entry<Self>> {
        theta::entry(id).or_else(|| taylor::by_name(id, CustomSeries::new))
    }
    fn refuses(&self, card: &Card) -> Option<String> {
        let (fits, reason) = match card.family {
            theta::FAMILY => (
                !self.shape.pairs.is_empty(),
                "it needs a `hamiltonian` and a momentum for every other part of the state",
            ),
            spherical::FAMILY if card.id.starts_with(spherical::COLLECTIVE.id) => (
                self.shape.spins,
                "it needs a `hamiltonian` of vectors in so(3)* or S2, with no other part of the state",
            ),
            spherical::FAMILY => (
                self.shape.turns_only(),
                "it needs a state of vectors that are turned: parts in S2 or so(3)*, with no other",
            ),
            "taylor" => (
                self.call.is_none(),
                "it needs derivatives of the law, and a function has none to give",
            ),
            magnus::FAMILY => (self.is_linear(), magnus::NOT_LINEAR),
            _ => return None,
        };
        (!fits).then(|| reason.into())
    }
    fn set_part(&self, y: &mut Numbers<f64>, part: &str, numbers: &[f64]) -> bool {
        self.shape.set_part(&mut y.0, part, numbers)
    }
    fn breakdown(&self, t: f64, y: &Numbers<f64>) -> Option<String> {
        let mut inputs = y.0.clone();
        inputs.push(t);
        let broken = self.formula.locate(FIELD, &inputs).map(|breakdown| breakdown.to_string());
        broken.or_else(|| self.call.as_ref()?.function().source().fault())
    }
    fn meter(&self) -> Option<MeterOf<Self>> {
        // A function may depend on time, and has no power series.
        field_meter(self, self.call.is_some() || self.shape.program.reads(FIELD, "t"))
    }
}
