//! A bounded number of states for drawing, however long a run is.
use lieflow::problem::Value;
use lieflow_models::door::{Sink, State};
use lieflow_report::figure::{Figure, Series, Style};
use std::ops::ControlFlow;

/// The most states that are kept; when there are more, every second one is dropped.
const MOST: usize = 1200;
/// Lists longer than this are not drawn component by component.
const FEW: usize = 4;

/// States at nearly even distances, from a run that is given them as its sink.
#[derive(Debug, Default)]
pub struct Samples {
    /// Names of the invariants.
    pub invariant_names: Vec<&'static str>,
    /// Times of the states.
    pub times: Vec<f64>,
    /// The states.
    pub states: Vec<State>,
    /// The invariants at these times.
    pub invariants: Vec<Vec<f64>>,
    seen: u64,
    every: u64,
}

impl Samples {
    fn offer(&mut self, state: &State, invariants: &[f64]) {
        self.every = self.every.max(1);
        if self.seen.is_multiple_of(self.every) {
            if self.states.len() >= MOST {
                halve(&mut self.times);
                halve(&mut self.states);
                halve(&mut self.invariants);
                self.every *= 2;
            }
            if self.seen.is_multiple_of(self.every) {
                self.times.push(state.t);
                self.states.push(state.clone());
                self.invariants.push(invariants.to_vec());
            }
        }
        self.seen += 1;
    }

    /// The components of vectors of the state over time, one figure per part.
    pub fn components(&self) -> Vec<Figure> {
        let Some(first) = self.states.first() else { return Vec::new() };
        let mut figures = Vec::new();
        for (name, value) in &first.parts {
            let axes: Vec<String> = match value {
                Value::Number(_) => vec![(*name).to_string()],
                Value::Vector(_) => ["x", "y", "z"].map(|a| format!("{name} {a}")).into(),
                Value::Vectors(list) if list.len() <= FEW => (1..=list.len())
                    .flat_map(|i| ["x", "y", "z"].map(|a| format!("{name} {i} {a}")))
                    .collect(),
                Value::Numbers(list) if list.len() <= 3 * FEW => {
                    (1..=list.len()).map(|i| format!("{name} {i}")).collect()
                }
                _ => continue,
            };
            let mut figure = Figure::new(*name, "time", *name);
            for (k, axis) in axes.iter().enumerate() {
                let at = |state: &State| match state.part(name) {
                    Some(Value::Number(x)) => *x,
                    Some(Value::Vector(v)) => v[k.min(2)],
                    Some(Value::Vectors(list)) => {
                        list.as_flattened().get(k).copied().unwrap_or(f64::NAN)
                    }
                    Some(Value::Numbers(list)) => list.get(k).copied().unwrap_or(f64::NAN),
                    _ => f64::NAN,
                };
                let points = self.states.iter().map(|s| (s.t, at(s)));
                figure = figure.with(Series::new(axis.as_str(), Style::Line, points));
            }
            figures.push(figure);
        }
        figures
    }
}

/// Samples can follow a run by themselves.
impl Sink for Samples {
    fn begin(&mut self, invariants: &[&'static str], _: &State) -> ControlFlow<()> {
        *self = Self { invariant_names: invariants.to_vec(), ..Self::default() };
        ControlFlow::Continue(())
    }

    fn follows_steps(&self) -> bool {
        false
    }

    fn sample(&mut self, state: &State, invariants: &[f64]) -> ControlFlow<()> {
        self.offer(state, invariants);
        ControlFlow::Continue(())
    }
}

/// Keeps every second element, beginning with the first.
fn halve<T>(list: &mut Vec<T>) {
    let mut keep = false;
    list.retain(|_| {
        keep = !keep;
        keep
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_stays_small_and_even() {
        let mut samples = Samples::default();
        for k in 0..100_000 {
            samples.offer(&State { t: f64::from(k), parts: vec![] }, &[]);
        }
        assert!(samples.times.len() <= MOST && samples.times.len() >= MOST / 2);
        let gap = samples.times[1] - samples.times[0];
        assert!(samples.times.windows(2).all(|w| w[1] - w[0] == gap));
    }
}
