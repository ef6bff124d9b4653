//! A formula of several vectors and the time, over any numbers.
use super::scratch::Scratch;
use lieflow::{Real, Vec3};
use lieflow_formula::{Breakdown, Formula};

/// A formula whose inputs are a list of vectors and the time, with room for its work.
#[derive(Clone, Debug)]
pub(super) struct VectorFormula<S> {
    formula: Formula<S>,
    numbers: Scratch<S>,
    registers: Scratch<S>,
}

impl<S: Real> VectorFormula<S> {
    pub(super) fn new(formula: Formula<S>) -> Self {
        Self { formula, numbers: Scratch::default(), registers: Scratch::default() }
    }
    /// The program and its numbers.
    pub(super) fn formula(&self) -> &Formula<S> {
        &self.formula
    }
    /// The same formula over other numbers.
    pub(super) fn lift<T: Real>(&self, embed: fn(S) -> T) -> VectorFormula<T> {
        VectorFormula::new(self.formula.lift(embed))
    }
    /// Several formulas of one program side by side, one for each lane.
    pub(super) fn gather(list: &[&VectorFormula<S::Lane>]) -> Option<Self> {
        let formulas: Vec<_> = list.iter().map(|one| &one.formula).collect();
        Formula::gather(&formulas).map(Self::new)
    }
    /// The times of all lanes, where these differ.
    pub(super) fn set_times(&mut self, t: S) {
        self.formula.set_times(t);
    }
    /// Whether an entry depends on time.
    pub(super) fn is_timed(&self, entry: usize) -> bool {
        self.reads(entry, "t")
    }
    /// Whether an entry depends on an input of this name.
    pub(super) fn reads(&self, entry: usize, name: &str) -> bool {
        self.formula.program().reads(entry, name)
    }
    /// Evaluates an entry of so many numbers and hands these on.
    pub(super) fn eval<R>(
        &self,
        entry: usize,
        size: usize,
        t: f64,
        vectors: impl Iterator<Item = Vec3<S>>,
        receive: impl FnOnce(&[S]) -> R,
    ) -> R {
        self.numbers.lend(|list| {
            list.clear();
            list.extend(vectors.flat_map(|v| [v.x, v.y, v.z]));
            list.extend(self.formula.at_times([S::lift(t)]));
            let inputs = list.len();
            list.resize(inputs + size, S::zero());
            let (inputs, out) = list.split_at_mut(inputs);
            self.registers.lend(|registers| self.formula.eval(entry, inputs, out, registers));
            receive(out)
        })
    }
}

impl VectorFormula<f64> {
    /// Where one of the first entries breaks down, if one does.
    pub(super) fn breakdown(
        &self,
        entries: usize,
        t: f64,
        vectors: impl Iterator<Item = Vec3<f64>>,
    ) -> Option<String> {
        let mut inputs: Vec<f64> = vectors.flat_map(Vec3::to_array).collect();
        inputs.push(t);
        let place = |entry| self.formula.locate(entry, &inputs);
        (0..entries).find_map(place).map(|breakdown: Breakdown| breakdown.to_string())
    }
}
