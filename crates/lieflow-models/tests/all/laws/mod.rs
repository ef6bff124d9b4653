//! Laws by formula in the built-in systems, and what is watched there.
mod euler;
mod events;
mod invariants;
mod refused;
mod same_states;
mod textbook;

use lieflow_models::problem_file::{Document, Setting, SpecError};
use lieflow_models::run::{Model, NullSink, Plan, Record, State};

/// A problem from its text, with keys set over it.
fn document(text: &str, settings: &[(&str, &str)]) -> Result<Document, SpecError> {
    let setting = |(key, value): &(&str, &str)| Setting::value("--set", key, value);
    let settings: Vec<Setting> = settings.iter().map(setting).collect::<Result<_, _>>()?;
    Document::parse(text, "p.toml", &settings)
}

/// The system of a text.
fn build(text: &str) -> Result<Box<dyn Model>, SpecError> {
    document(text, &[])?.build()
}

/// What is said against a text.
fn refusal(text: &str) -> String {
    match build(text) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(error) => error.to_string(),
    }
}

/// The system and the plan of a text.
fn posed(text: &str) -> (Box<dyn Model>, Plan) {
    let document = document(text, &[]).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let model = document.build().unwrap_or_else(|e| panic!("{e}\n{text}"));
    (model, document.plan().unwrap_or_else(|e| panic!("{e}\n{text}")))
}

/// The run of a text.
fn run(text: &str) -> Record {
    let (model, plan) = posed(text);
    model.run(&plan, &mut NullSink).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// All numbers of a state.
fn numbers(state: &State) -> Vec<f64> {
    state.parts.iter().flat_map(|(_, value)| value.numbers()).collect()
}

/// The numbers of a part of a state.
fn part(state: &State, name: &str) -> Vec<f64> {
    state.part(name).unwrap_or_else(|| panic!("no part {name}")).numbers()
}
