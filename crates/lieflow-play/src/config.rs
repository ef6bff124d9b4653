//! What the person has chosen: numbers, methods, steps.
use crate::sliders::{Slider, sliders};
use crate::task::{Begin, Pacing, Show, Task, TaskError, pacing};
use lieflow_models::run::RunError;
use serde_json::{Value as Json, json};

/// All choices.
#[derive(Clone, Debug)]
pub struct Config {
    /// The numbers, each with its place in the file.
    pub sliders: Vec<Slider>,
    /// Which of them are other than in the file.
    changed: Vec<bool>,
    /// The method of each lane.
    pub methods: Vec<String>,
    /// The steps.
    pub pacing: Pacing,
    /// The step of methods that cannot keep a tolerance.
    pub step: f64,
}

impl Config {
    /// Those of the file.
    pub fn of_file(show: &Show) -> Result<Self, TaskError> {
        let prepared = Task::plain().prepare(show)?;
        let sliders = sliders(&prepared.document);
        let pacing = pacing(&prepared.plan);
        let length = (prepared.plan.until - prepared.plan.from).abs();
        let step = match pacing {
            Pacing::Step(step) => step,
            Pacing::Tolerance(_) => length / 1000.0,
        };
        let changed = vec![false; sliders.len()];
        let methods = std::iter::once(prepared.plan.method.clone()).chain(show.beside.clone());
        Ok(Self { sliders, changed, methods: methods.collect(), pacing, step })
    }

    /// Gives a key other numbers.
    pub fn set(&mut self, key: &str, numbers: &[f64]) -> Result<(), String> {
        let found = self.sliders.iter_mut().zip(&mut self.changed).find(|(s, _)| s.key == key);
        let Some((slider, changed)) = found else {
            return Err(format!("the problem has no number '{key}' to be moved"));
        };
        if slider.value(numbers).is_none() {
            let count = slider.numbers.len();
            return Err(format!("{key}: found {numbers:?}, expected {count} finite number(s)"));
        }
        slider.numbers = numbers.to_vec();
        *changed = true;
        Ok(())
    }

    /// The numbers of another choice; methods and steps stay.
    pub fn take_numbers(&mut self, other: Self) {
        (self.sliders, self.changed) = (other.sliders, other.changed);
    }

    /// The task of a lane, checked: what cannot be done is said before anything stops.
    pub fn task(
        &self,
        show: &Show,
        lane: usize,
        begin: Begin,
        trial: bool,
    ) -> Result<Task, TaskError> {
        let changed = self.sliders.iter().zip(&self.changed).filter(|(_, changed)| **changed);
        let change =
            |(slider, _): (&Slider, _)| Some((slider.key.clone(), slider.value(&slider.numbers)?));
        let mut task = Task {
            changes: changed.filter_map(change).collect(),
            method: self.methods.get(lane).cloned(),
            pacing: Some(self.pacing),
            begin,
            trial,
        };
        match task.prepare(show) {
            // Beside a method that keeps a tolerance.
            Err(TaskError::Run(RunError::NoEstimate { .. })) if lane > 0 => {
                task.pacing = Some(Pacing::Step(self.step));
                task.prepare(show)?;
            }
            outcome => {
                outcome?;
            }
        }
        Ok(task)
    }

    /// What was added to parts of the state since another choice, as far as initial data tell.
    pub fn nudges(&self, before: &Self) -> Vec<(String, Vec<f64>)> {
        let pairs = self.sliders.iter().zip(&before.sliders);
        let moved = pairs.filter(|(a, b)| a.key.starts_with("initial.") && a.numbers != b.numbers);
        let nudge = |(now, before): (&Slider, &Slider)| {
            let by = now.numbers.iter().zip(&before.numbers).map(|(a, b)| a - b).collect();
            // What is no part of a state cannot be changed, and says so.
            (now.part().unwrap_or(&now.key).to_string(), by)
        };
        moved.map(nudge).collect()
    }

    /// Whether the numbers are the same.
    pub fn same_numbers(&self, other: &Self) -> bool {
        self.sliders.iter().zip(&other.sliders).all(|(a, b)| a.numbers == b.numbers)
    }

    /// For the page.
    pub fn to_json(&self) -> Json {
        let (step, tol) = match self.pacing {
            Pacing::Step(step) => (step, None),
            Pacing::Tolerance(tol) => (self.step, Some(tol)),
        };
        json!({
            "type": "config", "sliders": self.sliders, "methods": self.methods,
            "step": step, "tol": tol,
        })
    }
}
